"""`lumbung backup`"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, tell
from lumbung.cli.session import settings_now, talk
from lumbung.errors import UsageError


def command(
    file: Annotated[Path, typer.Argument(help="The file to write, e.g. lumbung-2026-11-16.tar.gz.")],
    json: AsJson = False,
) -> None:
    """Write the embedded database, the archive and the media into one file; work may go on meanwhile.

    An archive in object storage stays there: its server is backed up with its own tools.

    Example: lumbung backup lumbung-backup.tar.gz
    """
    from lumbung.runtime.backups import backup

    settings = settings_now()
    if not settings.embedded():
        raise UsageError(
            "The database is on a server: back it up with that server's own tools, and the archive beside it."
        )
    if settings.archive_url:
        talk(
            f"The archive and the pictures are at {settings.archive_url} and not in this file: keep a copy of them too."
        )
    backup(settings.data_dir, settings.archive_folder, file, version("lumbung"), talk)
    tell(json, f"Written to {file}.", file=str(file), bytes=file.stat().st_size)
