"""The database's own account of itself: versions, and whether the machine's login is bound as it must be."""

from __future__ import annotations

from lumbung.errors import SettingsError
from lumbung.store.database import Transaction, named_queries
from lumbung.store.migrate import migrations

SQL = named_queries("health")


async def login_faults(tx: Transaction) -> list[str]:
    """Why this login could reach human-owned rows; empty when it cannot."""
    row = await tx.row(SQL["logins"]) or {}
    faults = []
    if row.get("rolsuper") or row.get("rolbypassrls"):
        faults.append("it is a superuser or may bypass row security; make it NOSUPERUSER NOBYPASSRLS")
    if row.get("owned"):
        faults.append(f"it owns {row['owned']} tables; give them to the owner's login")
    faults += [f"row security is not forced on {each['relname']}" for each in await tx.rows(SQL["unforced"])]
    return faults


async def server_version(tx: Transaction) -> str:
    return str(await tx.value(SQL["version"]))


async def missing_migrations(tx: Transaction) -> list[str]:
    """Names of the migrations that this program has and the database has not; any login may ask."""
    seen = await tx.value(SQL["sees_schema"])
    done = {row["number"] for row in await tx.rows(SQL["applied"])} if seen else set()
    return [migration.name for migration in migrations() if migration.number not in done]


async def require_schema(tx: Transaction) -> None:
    """The embedded database migrates itself; on a server, the owner's URL says who may, and the others are told."""
    if missing := await missing_migrations(tx):
        raise SettingsError(
            f"The database schema is older than this program ({len(missing)} migrations are missing); run `lumbung migrate` "
            "first, on the machine that has LUMBUNG_DATABASE_OWNER_URL."
        )


async def unlicensed(tx: Transaction) -> int:
    return int(await tx.value(SQL["unlicensed"]))
