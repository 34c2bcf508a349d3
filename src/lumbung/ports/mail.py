"""Mail to the people who run the library."""

from __future__ import annotations

from typing import Protocol


class Mail(Protocol):
    async def send(self, subject: str, text: str, mark: str) -> None:
        """`mark` names the message once and for all, so that the same one sent twice is known as one.

        TransientError when the server does not take it now.
        """
        ...
