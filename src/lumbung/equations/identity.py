"""Eq. (17): the identity of an entry, iota = H(norm(n) || k || r)."""

from __future__ import annotations

import hashlib

UNKNOWN_REGION = "-"


def identity(category: str, name_key: str, primary_region: str) -> str:
    """Eq. (17) as a hexadecimal SHA-256 digest.

    Each part is prefixed with its length in bytes, because a bare concatenation would give
    ("ab", "c") and ("a", "bc") one identity. An unknown region is written "-".
    """
    digest = hashlib.sha256()
    for part in (category, name_key, primary_region or UNKNOWN_REGION):
        encoded = part.encode("utf-8")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()
