"""`lumbung migrate`"""

from __future__ import annotations

from lumbung.cli.acts import AsJson, tell
from lumbung.cli.session import run, settings_now, system
from lumbung.errors import SettingsError


def command(json: AsJson = False) -> None:
    """Bring the database schema up to date; on the embedded database this happens by itself.

    Example: LUMBUNG_DATABASE_OWNER_URL=postgresql://... lumbung migrate
    """
    from lumbung.bootstrap import server_addresses
    from lumbung.store.migrate import migrate

    settings = settings_now()
    if settings.embedded():
        run(embedded())
        tell(json, "The embedded database is up to date.", applied=[])
        return
    addresses = server_addresses(settings)
    if addresses.owner is None or addresses.people is None:
        raise SettingsError("Migrations need LUMBUNG_DATABASE_OWNER_URL and LUMBUNG_DATABASE_URL.")
    applied = migrate(addresses.owner, addresses.machine, addresses.people)
    sentence = f"Applied {', '.join(applied)}." if applied else "The database is up to date."
    tell(json, sentence, applied=applied)


async def embedded() -> None:
    async with system():
        return
