"""Passwords are hashed with argon2 in a thread, because a good hash takes its time."""

from __future__ import annotations

import asyncio
from functools import cache

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from lumbung.errors import UsageError

SHORTEST, LONGEST = 12, 1000


@cache
def _hasher() -> PasswordHash:
    return PasswordHash((Argon2Hasher(),))


@cache
def _nobodys() -> str:
    """Compared with when there is no such person, so that an unknown login takes as long as a known one."""
    return _hasher().hash("nobody has this password")


async def hash_password(password: str) -> str:
    if not SHORTEST <= len(password) <= LONGEST:
        raise UsageError(
            f"A password has at least {SHORTEST} characters; a few words in a row are easy to keep in mind."
        )
    return await asyncio.to_thread(_hasher().hash, password)


async def password_fits(password: str, stored: str | None) -> bool:
    fits = await asyncio.to_thread(_verify, password[:LONGEST], stored)
    return fits and stored is not None


def _verify(password: str, stored: str | None) -> bool:
    return _hasher().verify(password, stored or _nobodys())
