"""`lumbung down`"""

from __future__ import annotations

from lumbung.cli.acts import AsJson, tell
from lumbung.cli.session import settings_now


def command(json: AsJson = False) -> None:
    """Stop what `lumbung up` started: work in hand is finished or returned, then the engines end.

    Example: lumbung down
    """
    from lumbung.runtime.engines import stop_engines
    from lumbung.runtime.presence import WorkPresence

    settings = settings_now()
    stopped = WorkPresence(settings.data_dir).stop_holder()
    if settings.embedded():
        stop_engines(settings.data_dir)
    tell(json, "Stopped." if stopped else "Nothing was running.", stopped=stopped)
