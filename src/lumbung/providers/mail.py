"""Mail by SMTP: plain text, header injection impossible by construction, the password never in an error."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import formatdate

from pydantic import SecretStr

from lumbung.errors import SettingsError, TransientError

SECONDS = 20.0
LONGEST_SUBJECT = 200


class SmtpMail:
    def __init__(
        self,
        server: str,
        sender: str,
        recipients: Sequence[str],
        security: str = "starttls",
        user: str | None = None,
        password: SecretStr | None = None,
    ) -> None:
        host, _, port = server.rpartition(":")
        if not host or not port.isdigit():
            raise SettingsError("The setting mail.server is wrong: write it as host:port.")
        if not recipients or any(not is_address(each) for each in (sender, *recipients)):
            raise SettingsError("mail.sender and mail.recipients are mail addresses; at least one recipient is needed.")
        self._host, self._port = host, int(port)
        self._sender, self._recipients = sender, list(recipients)
        self._security, self._user, self._password = security, user, password

    async def send(self, subject: str, text: str, mark: str) -> None:
        message = EmailMessage()
        message["From"], message["To"] = self._sender, ", ".join(self._recipients)
        message["Subject"] = " ".join(subject.split())[:LONGEST_SUBJECT]
        message["Date"], message["Message-ID"] = formatdate(), f"<{mark}@{self._sender.rpartition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        try:
            await asyncio.to_thread(self._deliver, message)
        except (OSError, smtplib.SMTPException) as error:
            raise TransientError(f"The mail server does not take the mail: {type(error).__name__}.") from error

    def _deliver(self, message: EmailMessage) -> None:
        context = ssl.create_default_context()
        if self._security == "tls":
            connection: smtplib.SMTP = smtplib.SMTP_SSL(self._host, self._port, timeout=SECONDS, context=context)
        else:
            connection = smtplib.SMTP(self._host, self._port, timeout=SECONDS)
        with connection:
            if self._security == "starttls":
                connection.starttls(context=context)
            if self._user and self._password:
                connection.login(self._user, self._password.get_secret_value())
            connection.send_message(message)


def is_address(text: str) -> bool:
    name, _, domain = text.rpartition("@")
    return bool(name and domain) and not any(each.isspace() or each in '<>,;"()' for each in text)
