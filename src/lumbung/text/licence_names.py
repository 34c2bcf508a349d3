"""Names of licences: SPDX identifiers, Creative Commons addresses and the words of several languages."""

from __future__ import annotations

import re
from urllib.parse import unquote

from lumbung.errors import RefusedError
from lumbung.text.url import parse

_ELEMENTS = ("by", "nc", "nd", "sa")
_VERSIONS = frozenset({"1.0", "2.0", "2.5", "3.0", "4.0"})
_NEWEST = "4.0"
_PORTED = frozenset(
    [
        "CC-BY-2.5-AU",
        "CC-BY-3.0-AT",
        "CC-BY-3.0-AU",
        "CC-BY-3.0-DE",
        "CC-BY-3.0-IGO",
        "CC-BY-3.0-NL",
        "CC-BY-3.0-US",
        "CC-BY-NC-3.0-DE",
        "CC-BY-NC-ND-3.0-DE",
        "CC-BY-NC-ND-3.0-IGO",
        "CC-BY-NC-SA-2.0-DE",
        "CC-BY-NC-SA-2.0-FR",
        "CC-BY-NC-SA-2.0-UK",
        "CC-BY-NC-SA-3.0-DE",
        "CC-BY-NC-SA-3.0-IGO",
        "CC-BY-ND-3.0-DE",
        "CC-BY-SA-2.0-UK",
        "CC-BY-SA-2.1-JP",
        "CC-BY-SA-3.0-AT",
        "CC-BY-SA-3.0-DE",
        "CC-BY-SA-3.0-IGO",
    ]
)
_TAIL = re.compile(r"(?:deed|legalcode|rdf)(?:[.\-][\w\-]+)*")
_PORT = re.compile(r"[a-z]{2,3}|scotland")

_BUTTON_HOSTS = frozenset({"i.creativecommons.org", "licensebuttons.net", "i.licensebuttons.net"})
_BUTTON_FOLDERS = {"l": "licenses", "p": "publicdomain"}
"""Pictures that pages show for a licence: their address names it as the licence's own does."""
_OTHER_ADDRESSES = {
    "opendatacommons.org/licenses/by/1-0": "ODC-By-1.0",
    "opendatacommons.org/licenses/odbl/1-0": "ODbL-1.0",
    "opendatacommons.org/licenses/pddl/1-0": "PDDL-1.0",
    "opendatacommons.org/licenses/by/1.0": "ODC-By-1.0",
    "opendatacommons.org/licenses/odbl/1.0": "ODbL-1.0",
    "opendatacommons.org/licenses/pddl/1.0": "PDDL-1.0",
    "unlicense.org": "Unlicense",
    "gnu.org/licenses/fdl-1.1": "GFDL-1.1-only",
    "gnu.org/licenses/fdl-1.2": "GFDL-1.2-only",
    "gnu.org/licenses/fdl-1.3": "GFDL-1.3-only",
    "gnu.org/licenses/fdl": "GFDL-1.3-or-later",
    "gnu.org/copyleft/fdl": "GFDL-1.3-or-later",
    "gnu.org/licenses/gpl-2.0": "GPL-2.0-only",
    "gnu.org/licenses/gpl-3.0": "GPL-3.0-only",
    "gnu.org/licenses/old-licenses/gpl-2.0": "GPL-2.0-only",
    "gnu.org/licenses/gpl-3.0-standalone": "GPL-3.0-only",
    "gnu.org/licenses/old-licenses/fdl-1.1": "GFDL-1.1-only",
    "gnu.org/licenses/old-licenses/fdl-1.2": "GFDL-1.2-only",
    "nationalarchives.gov.uk/doc/open-government-licence/version/3": "OGL-UK-3.0",
    "nationalarchives.gov.uk/doc/open-government-licence/version/1": "OGL-UK-1.0",
    "nationalarchives.gov.uk/doc/open-government-licence/version/2": "OGL-UK-2.0",
    "opensource.org/licenses/mit": "MIT",
    "opensource.org/license/mit": "MIT",
    "apache.org/licenses/license-2.0": "Apache-2.0",
    "artlibre.org/licence/lal/licence-art-libre-12": "LAL-1.2",
    "artlibre.org/licence/lal": "LAL-1.3",
}
KNOWN_SPDX = frozenset(
    [
        "0BSD",
        "AFL-3.0",
        "AGPL-3.0-only",
        "AGPL-3.0-or-later",
        "Apache-1.1",
        "Apache-2.0",
        "Artistic-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "BSL-1.0",
        "CC-PDDC",
        "CC-PDM-1.0",
        "CC-SA-1.0",
        "CC0-1.0",
        "CDLA-Permissive-1.0",
        "CDLA-Permissive-2.0",
        "CDLA-Sharing-1.0",
        "DL-DE-BY-2.0",
        "DL-DE-ZERO-2.0",
        "EPL-1.0",
        "EPL-2.0",
        "EUPL-1.1",
        "EUPL-1.2",
        "FreeBSD-DOC",
        "GPL-1.0-only",
        "GPL-1.0-or-later",
        "GPL-2.0-only",
        "GPL-2.0-or-later",
        "GPL-3.0-only",
        "GPL-3.0-or-later",
        "ISC",
        "LAL-1.2",
        "LAL-1.3",
        "LGPL-2.0-only",
        "LGPL-2.0-or-later",
        "LGPL-2.1-only",
        "LGPL-2.1-or-later",
        "LGPL-3.0-only",
        "LGPL-3.0-or-later",
        "MIT",
        "MIT-0",
        "MPL-1.1",
        "MPL-2.0",
        "NLOD-1.0",
        "NLOD-2.0",
        "ODbL-1.0",
        "ODC-By-1.0",
        "OFL-1.0",
        "OFL-1.1",
        "OGL-Canada-2.0",
        "OGL-UK-1.0",
        "OGL-UK-2.0",
        "OGL-UK-3.0",
        "PDDL-1.0",
        "PSF-2.0",
        "Unlicense",
        "WTFPL",
        "Zlib",
        "etalab-2.0",
    ]
) | {
    f"GFDL-{version}-{kind}{scope}"
    for version in ("1.1", "1.2", "1.3")
    for kind in ("", "invariants-", "no-invariants-")
    for scope in ("only", "or-later")
}
_GNU_OLD_NAME = re.compile(r"((?:a|l)?gpl-\d\.\d|gfdl-\d\.\d)(\+?)")
"""Identifiers that SPDX has withdrawn: a plus meant later versions too, none this one alone."""
_SPDX_BY_SMALL_LETTERS = {name.lower(): name for name in KNOWN_SPDX}
_FREE = re.compile(r"CC0-1\.0|CC-PDM-1\.0|CC-PDDC|CC-BY(?:-SA)?-\d\.\d(?:-[A-Z]+)?")
_NO_ATTRIBUTION = frozenset(
    {"0BSD", "CC0-1.0", "CC-PDM-1.0", "CC-PDDC", "DL-DE-ZERO-2.0", "MIT-0", "PDDL-1.0", "Unlicense", "WTFPL"}
)


def is_free(spdx: str) -> bool:
    """CC0, public domain mark, BY and BY-SA in any version: a copy may be stored and shown."""
    return bool(_FREE.fullmatch(spdx))


def needs_attribution(spdx: str) -> bool:
    return spdx not in _NO_ATTRIBUTION


def creative_commons(elements: str, version: str, port: str = "") -> str | None:
    """SPDX identifier of, say, `by-sa`, `3.0`, `igo`; None if there is no such licence or no identifier for it."""
    parts = set(elements.lower().replace(" ", "-").split("-"))
    known = [element for element in _ELEMENTS if element in parts]
    if parts - set(_ELEMENTS) or "by" not in parts or {"nd", "sa"} <= parts:
        return None
    name = f"CC-{'-'.join(known).upper()}-{version}"
    ported = f"{name}-{port.upper()}"
    if port and ported in _PORTED:
        return ported
    return name if version in _VERSIONS else None


_COUNTRIES = {
    "AT": "austria|österreich",
    "AU": "australi[ae]",
    "DE": "germany|deutschland|jerman|duitsland",
    "FR": "france|prancis",
    "IGO": "igo|intergovernmental organi[sz]ations?",
    "JP": "japan|jepang",
    "NL": "netherlands|nederland|belanda",
    "UK": "england (?:and|&) wales|uk",
    "US": "united states|amerika serikat|verenigde staten",
}
_AFTER_VERSION = re.compile(
    r"[\s,(]{1,3}(?:" + "|".join(f"(?P<{code}>{names})" for code, names in _COUNTRIES.items()) + r")\b", re.IGNORECASE
)


def port_after(words: str) -> str:
    """The country for which a licence was worded, where its name is followed by one; empty for the general wording."""
    found = _AFTER_VERSION.match(words)
    return found.lastgroup or "" if found else ""


def of_spdx(name: str) -> str | None:
    """The identifier in its proper letters, if it is one we know."""
    small = name.strip().lower()
    match = re.fullmatch(r"cc-(by(?:-(?:nc|nd|sa))*)-(\d\.\d)(?:-([a-z]+))?", small)
    if match:
        exact = creative_commons(match[1], match[2], match[3] or "")
        return exact if exact and (not match[3] or exact.endswith(match[3].upper())) else None
    old = _GNU_OLD_NAME.fullmatch(small)
    if old:
        small = f"{old[1]}-{'or-later' if old[2] else 'only'}"
    return _SPDX_BY_SMALL_LETTERS.get(small)


def of_address(address: str) -> tuple[str | None, str]:
    """SPDX identifier of a licence's own address, or None, and what the address is.

    Only the licence's own host counts: an address that merely holds another one says nothing. The second part is
    empty when the address speaks of no licence at all.
    """
    parts = _split(address)
    if parts is None:
        return None, ""
    host, path = parts
    if host == "creativecommons.org":
        return _of_creative_commons_path(path)
    if host in _BUTTON_HOSTS and path and path[0] in _BUTTON_FOLDERS:
        return _of_creative_commons_path([_BUTTON_FOLDERS[path[0]], *path[1:-1]])
    if host == "rightsstatements.org":
        statement = next((step for step in path if step not in {"vocab", "page", "data"}), "")
        return None, f"rights statement {statement}, which is not a licence" if statement else ""
    if host == "spdx.org" and path[:1] == ["licenses"] and len(path) > 1:
        spdx = of_spdx(re.sub(r"\.(?:html|json|txt)$", "", path[1]))
        return spdx, spdx or ""
    place = re.sub(r"\.(?:html?|txt)$", "", "/".join([host, *path]).lower())
    for known, spdx in _OTHER_ADDRESSES.items():
        if place == known or place.startswith(known + "/"):
            return spdx, spdx
    return None, ""


def address_of_licence(spdx: str) -> str:
    """Where a licence stands: Creative Commons' at their own address, others on the page that SPDX has of them."""
    if spdx == "CC0-1.0":
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    if spdx == "CC-PDM-1.0":
        return "https://creativecommons.org/publicdomain/mark/1.0/"
    found = re.fullmatch(r"CC-([A-Z-]+?)-(\d\.\d)(?:-([A-Z]+))?", spdx)
    if found:
        port = f"{found[3].lower()}/" if found[3] else ""
        return f"https://creativecommons.org/licenses/{found[1].lower()}/{found[2]}/{port}"
    return f"https://spdx.org/licenses/{spdx}.html" if spdx in KNOWN_SPDX else ""


def _split(address: str) -> tuple[str, list[str]] | None:
    address = address.strip()
    if "//" not in address:
        address = "//" + address
    try:
        parsed = parse(address, "https://invalid.invalid/")
    except RefusedError:
        return None
    if parsed.has_credentials or parsed.port not in {80, 443}:
        return None
    host = parsed.host.rstrip(".").removeprefix("www.")
    return host, [step for step in unquote(parsed.path).split("/") if step]


def _of_creative_commons_path(path: list[str]) -> tuple[str | None, str]:
    steps = [step.lower() for step in path]
    if not steps or steps[0] not in {"licenses", "licences", "publicdomain"} or len(steps) < 2:
        return None, ""
    kind, rest = steps[1], steps[2:]
    while rest and _TAIL.fullmatch(rest[-1]):
        rest = rest[:-1]
    if steps[0] == "publicdomain" or kind == "publicdomain":
        spdx = {"zero": "CC0-1.0", "mark": "CC-PDM-1.0", "certification": "CC-PDDC", "publicdomain": "CC-PDDC"}.get(
            kind
        )
        fits = rest in ([], ["1.0"], ["1.0", "us"])
        return (spdx, spdx) if spdx and fits else (None, "an unknown Creative Commons address")
    if kind == "sa" and rest == ["1.0"]:
        return "CC-SA-1.0", "CC-SA-1.0"
    version = rest[0] if rest else _NEWEST
    port = rest[1] if len(rest) > 1 else ""
    if len(rest) > 2 or (port and not _PORT.fullmatch(port)):
        return None, "an unknown Creative Commons address"
    found = creative_commons(kind, version, port)
    return found, found or "an unknown Creative Commons licence"
