"""`lumbung restore`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, tell
from lumbung.cli.session import settings_now, talk
from lumbung.errors import UsageError


def command(
    file: Annotated[Path, typer.Argument(help="A file that `lumbung backup` wrote.")], json: AsJson = False
) -> None:
    """Bring a backup back into an empty data folder.

    Example: LUMBUNG_DATA_DIR=/srv/lumbung lumbung restore lumbung-backup.tar.gz
    """
    from lumbung.runtime.backups import restore

    if not file.is_file():
        raise UsageError(f"There is no file {file}.")
    settings = settings_now()
    if not settings.embedded():
        raise UsageError("The database is on a server: restore it with that server's own tools.")
    if settings.archive_url:
        talk(
            f"What is at {settings.archive_url} is left as it is; `lumbung verify` says whether it has all that is cited."
        )
    restore(file, settings.data_dir, settings.archive_folder, talk)
    tell(json, f"Restored into {settings.data_dir}.", file=str(file), data_dir=str(settings.data_dir))
