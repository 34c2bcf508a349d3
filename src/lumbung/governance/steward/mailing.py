"""People are mailed about what needs one of them: each notice once."""

from __future__ import annotations

import asyncio

from lumbung.errors import LumbungError, TransientError
from lumbung.governance.notices import sentence
from lumbung.ports.failpoints import Passage, unmarked
from lumbung.ports.mail import Mail
from lumbung.store import audits
from lumbung.store.database import Database
from lumbung.telemetry import log

INTERVAL_SECONDS = 30.0
HOLD_SECONDS = 300.0
SUBJECTS = {"id": "{count} hal perlu perhatian", "en": "{count} things need a person"}


async def mail_once(database: Database, mail: Mail, language: str, address: str, passage: Passage = unmarked) -> int:
    """How many notices were told of, in one message; those that could not be sent wait for the next round."""
    async with database.transaction() as tx:
        taken = await audits.take_unmailed(tx, HOLD_SECONDS)
    if not taken:
        return 0
    passage("mail.taken")
    ids = [row["id"] for row in taken]
    lines = [f"- {sentence(row, language)}" for row in taken]
    subject = sentence(taken[0], language) if len(taken) == 1 else SUBJECTS[language].format(count=len(taken))
    text = "\n".join([*lines, "", address])
    try:
        await mail.send(f"Lumbung: {subject}", text, f"notice-{ids[0]}-{ids[-1]}")
    except TransientError:
        async with database.transaction() as tx:
            await audits.give_back(tx, ids)
        raise
    passage("mail.sent")
    async with database.transaction() as tx:
        await audits.mark_mailed(tx, ids)
    return len(ids)


async def keep_mailing(database: Database, mail: Mail, language: str, address: str, passage: Passage) -> None:
    while True:
        try:
            await mail_once(database, mail, language, address, passage)
        except TransientError as error:
            log.warning("mail.waits", reason=str(error))
        except LumbungError as error:
            log.warning("mail.failed", reason=str(error))
        await asyncio.sleep(INTERVAL_SECONDS)
