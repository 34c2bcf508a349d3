"""A dated full dump for the public: entries with short quotes, what each field means, how it was made, and checksums."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import AsyncIterable, Mapping
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

from lumbung.errors import UsageError
from lumbung.library.plain_text import csv_cell
from lumbung.model.profile import Profile

ENTRIES, TABLE, DICTIONARY = "entries.jsonl.gz", "entries.csv", "data-dictionary.csv"
NONE_DECIDED = "none decided"
MANIFEST, CITATION, CHECKSUMS = "manifest.json", "CITATION.cff", "SHA256SUMS"
TABLE_COLUMNS = ("identity", "title", "category", "regions", "owner", "licence", "facts", "hidden", "labels")

FIELDS: tuple[tuple[str, str], ...] = (
    ("identity", "Stable identifier; it never changes, and after a merge it redirects"),
    ("title", "Name of the item, in Latin letters and today's spelling where the machine wrote it"),
    ("aliases", "Other names and spellings that sources use"),
    ("category", "Category code of the profile (PDBI: element)"),
    ("regions", "ISO 3166-2 codes and codes of the profile's regions and peoples"),
    ("owner", "human or machine; what is a human's the machine never changes"),
    ("status", "published, in this dump always"),
    ("revision", "Number of the revision that is shown"),
    (
        "licence",
        "Licence of a human text, where it is known, or that the library decided for what its machine composed; empty: none decided",
    ),
    ("contributor", "Who wrote a human text, where the library may name them"),
    ("labels", "Community labels and notices (TK, BC) by reference; honour them"),
    ("sensitive", "Item on the guardians' list; it has at least two independent sources"),
    ("hidden", "Text and facts are withheld while people talk the entry over"),
    ("text", "The human text, or the machine's sentences composed from the facts"),
    ("labels[].code", "Code of the label: that of Local Contexts, or the community's own"),
    ("labels[].url", "Where the label is explained"),
    ("labels[].text", "What readers are told"),
    ("labels[].community", "Whose label it is, where they wish to be named"),
    ("labels[].display", "What it asks of display: withhold-text, blur-media"),
    (
        "media",
        "Pictures and files: web address or name, caption, creator and what their page says of the licence; a licence and a digest where the library holds a copy",
    ),
    ("supplement_of", "Identity of the human entry that this one adds to"),
    ("supplements", "Identities of machine entries that add to this human one"),
    ("updated_at", "UTC time of the last change"),
    ("facts[].attribute", "Attribute code of the profile"),
    ("facts[].value", "What the sources say, in Indonesian"),
    ("facts[].confidence", "Fused probability, Eq. (18)"),
    ("facts[].flag", "low-confidence when just above its threshold"),
    ("facts[].sources[].url", "Page that says so"),
    ("facts[].sources[].quote", "Verbatim words of the page, at most 300 characters and a tenth of it"),
)


@dataclass(frozen=True)
class DumpFacts:
    """What the manifest and the citation say."""

    title: str
    date: str
    version: str
    licences: Mapping[str, str | None]
    """Of people's texts and of what the machine composed; None where nobody has decided."""
    url: str | None
    manifest: Mapping[str, Any]


async def write_dump(folder: Path, records: AsyncIterable[dict[str, Any]], profile: Profile, facts: DumpFacts) -> int:
    """The number of entries; a folder that holds something else already is left alone."""
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty; name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    entries = await write_entries(folder, records)
    write_dictionary(folder / DICTIONARY, profile)
    told = {"date": facts.date, "version": facts.version, "entries": entries}
    licences = {whose: each or NONE_DECIDED for whose, each in facts.licences.items()}
    manifest = dict(facts.manifest) | told | {"licences": licences}
    (folder / MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n", "utf-8")
    (folder / CITATION).write_text(citation(facts), "utf-8")
    write_checksums(folder)
    return entries


async def write_entries(folder: Path, records: AsyncIterable[dict[str, Any]]) -> int:
    """No time stands in the compressed file, so that the same library gives the same bytes."""
    count = 0
    with (
        (folder / ENTRIES).open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as lines,
        (folder / TABLE).open("w", encoding="utf-8", newline="") as table,
    ):
        rows = csv.writer(table)
        rows.writerow(TABLE_COLUMNS)
        async for record in records:
            lines.write(json.dumps(record, ensure_ascii=False, sort_keys=True).encode() + b"\n")
            shown = record | {
                "regions": "; ".join(record["regions"]),
                "facts": len(record["facts"]),
                "labels": "; ".join(label["code"] for label in record["labels"]),
            }
            rows.writerow([csv_cell(str(shown[name] if shown[name] is not None else "")) for name in TABLE_COLUMNS])
            count += 1
    return count


def write_dictionary(file: Path, profile: Profile) -> None:
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(("kind", "code", "label", "label_en", "meaning"))
    rows.writerows(("field", name, "", "", meaning) for name, meaning in FIELDS)
    for category in profile.categories.values():
        rows.writerow(("category", category.code, category.label, category.label_en, ""))
    for attribute in profile.attributes.values():
        several = "one value" if attribute.single else "several values"
        rows.writerow(
            ("attribute", attribute.code, attribute.label, attribute.label_en, f"{attribute.kind}, {several}")
        )
    for region in profile.regions.values():
        rows.writerow(("region", region.code, region.name, "", region.level))
    file.write_text(out.getvalue(), "utf-8", newline="")


def citation(facts: DumpFacts) -> str:
    """Citation File Format 1.2.0; strings are JSON strings, which YAML reads alike."""
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use this dataset, cite it as below, and honour the community labels of each entry."',
        "type: dataset",
        f"title: {json.dumps(facts.title, ensure_ascii=False)}",
        f"version: {json.dumps(facts.version)}",
        f"date-released: {facts.date}",
        "authors:",
        f"  - name: {json.dumps(f'Contributors of {facts.title}', ensure_ascii=False)}",
    ]
    named = set(facts.licences.values())
    if len(named) == 1 and None not in named:
        lines.append(f"license: {json.dumps(named.pop())}")
    if facts.url:
        lines.append(f"url: {json.dumps(facts.url)}")
    return "\n".join(lines) + "\n"


def write_checksums(folder: Path) -> None:
    names = sorted(file.name for file in folder.iterdir() if file.is_file() and file.name != CHECKSUMS)
    sums = [f"{checksum(folder / name)}  {name}\n" for name in names]
    (folder / CHECKSUMS).write_text("".join(sums), "utf-8")


def checksum(file: Path) -> str:
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()
