"""`lumbung verify`"""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lumbung.cli.acts import act, carry_out, plain, tell
from lumbung.cli.csv_input import read_text
from lumbung.cli.lines import write_record
from lumbung.cli.session import run, system, talk
from lumbung.errors import UsageError

if TYPE_CHECKING:
    from lumbung.bootstrap import System
    from lumbung.store.database import Transaction

ANCHOR = "log-anchor.json"
"""The end of the log as it was when it was last found whole, kept outside the database."""
MOST = 1000


def command(
    export_log: Annotated[Path | None, typer.Option(help="Also write the whole log, as JSON Lines.")] = None,
    against: Annotated[
        Path | None, typer.Option(help="An earlier export of the log, kept elsewhere: its lines must still be there.")
    ] = None,
    explain: Annotated[
        str | None,
        typer.Option(help="As guardian or operator: why the human corpus changed; it is taken over as it stands."),
    ] = None,
    later: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Only ask the running archiver to verify the archive; see the console."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a fault, and one at the end.")] = False,
) -> None:
    """Check the chain of the log, the rows it seals, the human corpus and the archive; exit 1 if something is wrong.

    Example: lumbung verify --json
    """
    if later is not None:
        tell(json, "The archiver will verify the archive.", check=run(ask_for_check(later)))
        return
    if explain is not None:
        talk(f"{len(run(do_explain(explain)))} human records are explained.")
    faults, looked_at = run(examine(export_log, against))
    for fault in faults:
        write_record(fault) if json else typer.echo(f"WRONG  {fault['part']}: {fault['where']}: {fault['fault']}")
    if json:
        write_record({"ok": not faults, "faults": len(faults), **looked_at})
    else:
        told = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in looked_at.items())
        typer.echo(f"{'ok' if not faults else f'{len(faults)} faults'}: {told}")
    if faults:
        raise typer.Exit(1)


async def ask_for_check(reason: str) -> int:
    from lumbung.governance.actions.archive import ask_archive_check

    return await carry_out(ask_archive_check, reason)


async def do_explain(reason: str) -> list[str]:
    from lumbung.governance.actions.corpus import explain_corpus_change

    async with act() as now:
        return await explain_corpus_change(now.tx, now.actor, reason)


async def examine(export_log: Path | None, against: Path | None) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    from lumbung.store import governed

    async with system() as opened:
        async with opened.people.transaction() as tx:
            anchor = opened.settings.data_dir / ANCHOR
            faults = [*await log_faults(tx, anchor), *await corpus_faults(tx)]
            if against is not None:
                faults += await faults_against(tx, against)
            seq, hash_ = await governed.head(tx)
            if export_log is not None:
                await write_log(tx, export_log)
        faults += await archive_faults(opened)
        if not any(fault["part"] == "log" for fault in faults):
            anchor.write_text(json_format.dumps({"seq": seq, "hash": hash_}), encoding="utf-8")
    return faults, {"log_lines": seq, "log_end": hash_}


def fault_of(part: str, where: object, fault: str) -> dict[str, Any]:
    return {"part": part, "where": where, "fault": fault}


async def log_faults(tx: Transaction, anchor: Path) -> list[dict[str, Any]]:
    from lumbung.store import governed

    faults = [fault_of("log", row["seq"], row["fault"]) for row in await governed.broken_links(tx, MOST)]
    faults += [fault_of("row", row["subject"], row["fault"]) for row in await governed.unsealed_rows(tx, MOST)]
    if anchor.is_file():
        try:
            kept = json_format.loads(anchor.read_text(encoding="utf-8"))
            seq, hash_ = int(kept["seq"]), str(kept["hash"])
        except (ValueError, KeyError, TypeError):
            return [*faults, fault_of("log", ANCHOR, "the anchor in the data folder cannot be read")]
        line = await governed.line(tx, seq) if seq else {"hash": hash_}
        if line is None or line["hash"] != hash_:
            faults.append(fault_of("log", seq, "this line is not the one that an earlier verification saw"))
    return faults


async def faults_against(tx: Transaction, export: Path) -> list[dict[str, Any]]:
    """Who rewrote the whole log, its hashes and the anchor included, cannot rewrite a copy that somebody else keeps."""
    from lumbung.store import governed

    now = {row["seq"]: row["hash"] async for row in governed.whole_log(tx)}
    faults = []
    for number, line in enumerate(read_text(str(export)).removesuffix("\n").split("\n"), start=1):
        try:
            kept = json_format.loads(line)
            seq, hash_ = int(kept["seq"]), str(kept["hash"])
        except (ValueError, KeyError, TypeError):
            raise UsageError(f"{export}, line {number}: this is no line of an exported log.") from None
        if now.get(seq) != hash_:
            faults.append(fault_of("log", seq, f"this line is not the one that {export.name} holds"))
    return faults[:MOST]


async def corpus_faults(tx: Transaction) -> list[dict[str, Any]]:
    from lumbung.store import audits

    changed = [fault_of("human corpus", row["identity"], row["fault"]) for row in await audits.changed_humans(tx, MOST)]
    past = [
        fault_of("human corpus", row["as_of"].isoformat(), "its revisions are no longer what was digested then")
        for row in await audits.differing_digests(tx)
    ]
    return changed + past


async def archive_faults(opened: System) -> list[dict[str, Any]]:
    """Every archived page is read back at its offset and compared with its digest."""
    from lumbung.governance.steward.archiver import verify_archive

    async with opened.people.transaction() as tx:
        told = [each.split(": ", 1) for each in await verify_archive(tx, opened.archive)]
    return [fault_of("archive", url, fault) for url, fault in told]


async def write_log(tx: Transaction, file: Path) -> None:
    from lumbung.store import governed

    try:
        with file.open("w", encoding="utf-8") as stream:
            async for row in governed.whole_log(tx):
                write_record(plain(row), stream)
    except OSError as error:
        raise UsageError(f"The log cannot be written to {file}: {error.strerror}.") from error
