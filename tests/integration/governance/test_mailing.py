"""People are told of what needs them: mailed through a real server, each matter once, and by feed."""

from __future__ import annotations

import asyncio
import base64
import ssl
import subprocess
from contextlib import asynccontextmanager
from email import message_from_bytes, policy

import psycopg
import pytest
from pydantic import SecretStr
from tests.integration.web.test_public import entry

from lumbung.config import load_settings
from lumbung.errors import SettingsError, TransientError
from lumbung.governance.notices import WORDS, sentence
from lumbung.governance.steward.mailing import mail_once
from lumbung.governance.steward.reminders import remind
from lumbung.library.actions.requests import ask_for_removal
from lumbung.library.actions.takedowns import decide_takedown
from lumbung.model.permission import Role
from lumbung.providers.mail import SmtpMail
from lumbung.store import audits, entries
from lumbung.store.breakers import SharedBreakers

ADDRESS = "https://pustaka.example/ruang-kerja"


class MailServer:
    """As much of SMTP as a client needs: it keeps what it is sent, and can be told to refuse."""

    def __init__(self):
        self.messages, self.logins, self.refuses = [], [], False
        self.certificate = None

    async def serve(self, reader, writer):
        async def say(line):
            writer.write(line.encode() + b"\r\n")
            await writer.drain()

        await say("220 mail.example")
        while line := (await reader.readline()).decode().strip():
            verb = line.split()[0].upper()
            if verb == "EHLO":
                offered = "250-STARTTLS\r\n" if self.certificate else ""
                await say(f"250-mail.example\r\n{offered}250 AUTH PLAIN")
            elif verb == "STARTTLS" and self.certificate:
                await say("220 go on")
                try:
                    await writer.start_tls(self.certificate)
                except (OSError, ssl.SSLError):
                    break
            elif verb == "STARTTLS":
                await say("502 no")
            elif verb == "AUTH":
                self.logins.append(base64.b64decode(line.split()[2]).split(b"\x00")[1:])
                await say("235 ok")
            elif verb == "MAIL" and self.refuses:
                await say("451 later")
            elif verb == "DATA":
                await say("354 go on")
                body = await reader.readuntil(b"\r\n.\r\n")
                self.messages.append(message_from_bytes(body[:-3], policy=policy.default))
                await say("250 ok")
            elif verb == "QUIT":
                await say("221 bye")
                break
            else:
                await say("250 ok")
        writer.close()


@asynccontextmanager
async def mail_server(certificate=None, security="none"):
    kept = MailServer()
    kept.certificate = certificate
    server = await asyncio.start_server(kept.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    mail = SmtpMail(
        f"127.0.0.1:{port}", "lumbung@pustaka.example", ["budi@example.org"], security, "akun", SecretStr("rahasia")
    )
    async with server:
        yield kept, mail


async def test_open_notices_are_mailed_once_and_again_only_when_the_server_refused(house):
    async with house.people.transaction() as tx:
        await audits.add_notice(tx, "demotion", "tarian", {"causes": ["labels have stopped coming"]}, "demotion:1")
        await audits.add_notice(tx, "dead-letters", "", {"dead_letters": 3}, "dead-letters")
    async with mail_server() as (server, mail):
        server.refuses = True
        with pytest.raises(TransientError):
            await mail_once(house.machine, mail, "en", ADDRESS)
        server.refuses = False
        assert await mail_once(house.machine, mail, "en", ADDRESS) == 2
        assert await mail_once(house.machine, mail, "en", ADDRESS) == 0
        [message] = server.messages
        assert (message["To"], message["Subject"]) == ("budi@example.org", "Lumbung: 2 things need a person")
        text = message.get_content()
        assert "The category tarian was lowered by itself." in text
        assert "3 jobs failed for good." in text
        assert ADDRESS in text
        assert server.logins[-1] == [b"akun", b"rahasia"]


class Killed(BaseException):
    """The process ended there."""


def dying_at(boundary):
    def passage(name):
        if name == boundary:
            raise Killed

    return passage


@pytest.mark.parametrize(("boundary", "sent_before"), [("mail.taken", 0), ("mail.sent", 1)])
async def test_a_sender_that_was_killed_leaves_its_notices_to_the_next_under_the_same_mark(
    house, boundary, sent_before
):
    async with house.people.transaction() as tx:
        await audits.add_notice(tx, "dead-letters", "", {"dead_letters": 3}, "dead-letters")
    async with mail_server() as (server, mail):
        with pytest.raises(Killed):
            await mail_once(house.machine, mail, "en", ADDRESS, dying_at(boundary))
        assert len(server.messages) == sent_before
        assert await mail_once(house.machine, mail, "en", ADDRESS) == 0, "the one who took them may still be sending"
        async with house.machine.transaction() as tx:
            assert await tx.run("update notice set mailing_until = clock_timestamp() - interval '1 second'")
        assert await mail_once(house.machine, mail, "en", ADDRESS) == 1
        assert len({message["Message-ID"] for message in server.messages}) == 1
        assert await mail_once(house.machine, mail, "en", ADDRESS) == 0


@pytest.fixture
def certificate(tmp_path, monkeypatch):
    """A server's own certificate, which the system is told to trust."""
    key, made = tmp_path / "key.pem", tmp_path / "made.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(made)]
    subprocess.run([*command, *names], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(made))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made, key)
    return context


async def test_words_and_password_are_sent_only_to_a_server_that_proves_itself(certificate, monkeypatch):
    title = "Tari\r\nBcc: mallory@example.org\r\n\r\nisi lain \x00\x1b\u202e"
    async with mail_server(certificate, "starttls") as (kept, mail):
        await mail.send(title, f"{title}\n.\nsesudah titik", "notice-1")
        monkeypatch.setenv("SSL_CERT_FILE", "/dev/null")
        with pytest.raises(TransientError) as refused:
            await mail.send("lagi", "lagi", "notice-2")
    [message] = kept.messages
    assert kept.logins == [[b"akun", b"rahasia"]], "not before the connection was sealed, nor to a stranger"
    assert (message["To"], message["Bcc"]) == ("budi@example.org", None)
    assert "mallory" in message["Subject"] and "\n" not in message["Subject"]
    assert "sesudah titik" in message.get_content()
    assert "rahasia" not in str(refused.value)


async def test_a_server_that_cannot_seal_the_connection_gets_nothing():
    async with mail_server(security="starttls") as (kept, mail):
        with pytest.raises(TransientError):
            await mail.send("Tari", "isi", "notice-1")
    assert (kept.messages, kept.logins) == ([], [])


async def test_a_matter_that_comes_and_goes_is_mailed_about_once_a_day(house):
    async with mail_server() as (server, mail):
        for _ in range(3):
            async with house.people.transaction() as tx:
                await audits.add_notice(tx, "dead-letters", "", {"dead_letters": 1}, "dead-letters")
            await mail_once(house.machine, mail, "id", ADDRESS)
            async with house.people.transaction() as tx:
                await audits.close_notice_key(tx, "dead-letters", None)
        assert len(server.messages) == 1


async def test_a_request_to_remove_is_told_without_the_askers_name_and_closes_when_it_is_decided(house):
    guardian = await house.person("inyiak", Role.GUARDIAN)
    async with house.people.transaction() as tx:
        await entries.write_human(tx, entry("s1", "Tari Payung", "x"), None)
        number = await ask_for_removal(tx, "s1", "Nama Rahasia", "rahasia@example.org", "foto kami")
        assert not [row for row in await audits.notices(tx) if "ahasia" in str(row)]
    async with mail_server() as (server, mail):
        assert await mail_once(house.machine, mail, "id", ADDRESS) == 1
        assert "ahasia" not in server.messages[0].as_string().replace("Lumbung", "")
    async with house.people.transaction() as tx:
        await decide_takedown(tx, guardian, number, granted=False, reason="sumber terbuka")
        assert await audits.notices(tx) == []


async def test_a_single_entry_for_review_is_told_of_after_a_day(house, logins):
    async with house.people.transaction() as tx:
        await entries.write_human(tx, entry("s1", "Tari Payung", "x"), None)
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("update entry set owner = 'machine', status = 'review'")
        async with house.machine.transaction() as tx:
            assert "review-waiting" not in await remind(tx)
        connection.execute("update entry set updated_at = updated_at - interval '25 hours'")
    async with house.machine.transaction() as tx:
        assert "review-waiting" in await remind(tx)


async def test_an_open_breaker_needs_a_person_until_it_closes(house):
    breakers = SharedBreakers(house.machine)
    for _ in range(5):
        permit = await breakers.ask("inference", "model")
        await breakers.failed(permit, "no answer")
    async with house.machine.transaction() as tx:
        found = await remind(tx)
        assert "breaker-open" in found
        assert "frontier-low" not in found
    async with house.machine.transaction() as tx:
        await tx.run("update breaker set state = 'closed'")
        assert "breaker-open" not in await remind(tx)
        assert [row["kind"] for row in await audits.notices(tx) if row["kind"] == "breaker-open"] == []


async def test_what_waits_long_is_told_of_until_somebody_has_seen_to_it(house, logins):
    async with house.people.transaction() as tx:
        await audits.add_notice(tx, "takedown", "s1", {}, "takedown:1")
        assert not {"takedown-due", "budget-overrun", "review-waiting"} & set(await remind(tx))
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("update notice set at = at - interval '11 days'")
        connection.execute("insert into alarm (kind, subject) values ('budget.overrun', 'extract')")
    async with house.machine.transaction() as tx:
        assert {"takedown-due", "budget-overrun"} <= set(await remind(tx))
        told = {row["kind"]: sentence(row, "en") for row in await audits.notices(tx)}
        assert told["budget-overrun"] == "Calls cost more than was reserved at extract; open alarms: 1."
        assert told["takedown-due"] == "Requests for removal near their deadline: 1."
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("update alarm set acknowledged_at = clock_timestamp()")
        connection.execute("update notice set closed_at = clock_timestamp() where kind = 'takedown'")
    async with house.machine.transaction() as tx:
        assert not {"takedown-due", "budget-overrun"} & set(await remind(tx))
        assert {row["kind"] for row in await audits.notices(tx)}.isdisjoint({"takedown-due", "budget-overrun"})


def test_every_kind_has_its_words_in_both_languages_and_braces_in_a_detail_mean_nothing():
    for kind, words in WORDS.items():
        assert set(words) == {"id", "en"}, kind
    told = sentence({"kind": "breaker-open", "subject": "x", "detail": {"reason": "{subject}{0}\nTo: a@b"}}, "en")
    assert "\n" not in told
    assert "{0}" in told


@pytest.mark.parametrize(
    "wrong", [("mail.example", ["a@b.example"]), ("mail.example:25", []), ("mail.example:25", ["a@b, c@d"])]
)
def test_settings_that_cannot_work_are_told_at_once(wrong):
    with pytest.raises(SettingsError):
        SmtpMail(wrong[0], "lumbung@pustaka.example", wrong[1])


def test_several_recipients_are_named_in_one_variable():
    settings, _ = load_settings(environment={"LUMBUNG_MAIL__RECIPIENTS": "budi@example.org, ayu@example.org"})
    assert settings.mail.recipients == ["budi@example.org", "ayu@example.org"]
