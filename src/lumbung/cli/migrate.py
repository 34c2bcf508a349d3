"""`lumbung migrate`"""

from __future__ import annotations

import typer

from lumbung.cli.session import run, settings_now, system
from lumbung.errors import SettingsError


def command() -> None:
    """Bring the database schema up to date; on the embedded database this happens by itself.

    Example: LUMBUNG_DATABASE_OWNER_URL=postgresql://... lumbung migrate
    """
    from lumbung.bootstrap import server_addresses
    from lumbung.store.migrate import migrate

    settings = settings_now()
    if settings.embedded():
        run(embedded())
        typer.echo("The embedded database is up to date.")
        return
    addresses = server_addresses(settings)
    if addresses.owner is None or addresses.people is None:
        raise SettingsError("Migrations need LUMBUNG_DATABASE_OWNER_URL and LUMBUNG_DATABASE_URL.")
    applied = migrate(addresses.owner, addresses.machine, addresses.people)
    typer.echo(f"Applied {', '.join(applied)}." if applied else "The database is up to date.")


async def embedded() -> None:
    async with system():
        return
