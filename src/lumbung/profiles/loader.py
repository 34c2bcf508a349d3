"""Reads a profile's folder into one checked value; what does not fit together is refused with file, line and remedy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from urllib.parse import urlsplit

from lumbung.errors import ProfileError
from lumbung.model.profile import (
    Attribute,
    Category,
    LexiconTerm,
    Profile,
    Region,
    Seed,
    SensitiveTerm,
    SourceRule,
    SourceType,
    ValueKind,
    ValueShape,
)
from lumbung.profiles import settings
from lumbung.profiles.presentation import read_sentences, read_tiles
from lumbung.profiles.regions import read_regions
from lumbung.profiles.tables import Remarks, Row, read_prose, read_table, read_toml
from lumbung.text.lexicon import CATEGORY_ROLES, CONTEXT_ROLES, GENERAL_ROLES

SOURCE_RULES = frozenset({"host", "suffix", "path"})


@lru_cache(maxsize=8)
def load_profile(name_or_path: str = "pdbi") -> Profile:
    """A profile shipped with the program, by name, or one's own, by the path of its folder."""
    folder = _folder(name_or_path)
    try:
        return _read(folder)
    except ProfileError as error:
        message = f"Profile {name_or_path}: {error}"
        raise ProfileError(message) from error


def shipped_profiles() -> tuple[str, ...]:
    root = resources.files("lumbung.profiles")
    return tuple(
        sorted(entry.name for entry in root.iterdir() if entry.is_dir() and (entry / "profile.toml").is_file())
    )


def _folder(name_or_path: str) -> Traversable:
    if name_or_path in shipped_profiles():
        return resources.files("lumbung.profiles") / name_or_path
    path = Path(name_or_path)
    try:
        found = (path / "profile.toml").is_file()
    except (OSError, ValueError):
        found = False
    if not found:
        message = (
            f"There is no profile {name_or_path}; shipped are {', '.join(shipped_profiles())}, "
            "or name a folder that holds profile.toml."
        )
        raise ProfileError(message)
    return path


def _read(folder: Traversable) -> Profile:
    head = settings.read_head(read_toml(folder, "profile.toml"))
    categories = settings.read_categories(read_toml(folder, "categories.toml"))
    attributes = _attributes(folder, categories)
    regions: Mapping[str, Region] = read_regions(folder)
    remarks = Remarks()
    return Profile(
        name=head.name,
        version=head.version,
        language=head.language,
        timezone=head.timezone,
        library_title=head.library_title,
        categories=categories,
        attributes=attributes,
        regions=dict(regions),
        lexicon=_lexicon(folder, categories),
        sources=_sources(folder, remarks),
        sensitive=_sensitive(folder, categories, remarks),
        scope=read_prose(folder, "scope.md"),
        scope_en=read_prose(folder, "scope.en.md"),
        synonyms=_synonyms(folder),
        seeds=_seeds(folder, categories, regions, remarks),
        remarks_en=remarks.english,
        constants=head.constants,
        sentences=read_sentences(folder, categories, attributes),
        tiles=read_tiles(folder, regions),
    )


def _attributes(folder: Traversable, categories: Mapping[str, Category]) -> dict[str, Attribute]:
    attributes: dict[str, Attribute] = {}
    owners: dict[tuple[str, str], str] = {}
    columns = ("code", "label", "label_en", "kind", "single", "categories", "surface")
    for row in read_table(folder, "attributes.csv", columns, ("shape",)):
        code = row.required("code")
        if code in attributes:
            row.refuse(f"code {code!r} was used before; give this attribute another code.")
        named = row.several("categories")
        for category in named:
            row.known("categories", category, categories, "categories.toml")
        attribute = Attribute(
            code=code,
            label=row.required("label"),
            label_en=row.required("label_en"),
            kind=ValueKind(row.choice("kind", set(ValueKind))),
            single=row.flag("single"),
            categories=frozenset(named),
            surface=row.several("surface"),
            shape=ValueShape(row.choice("shape", set(ValueShape)) if row.text("shape") else ValueShape.FREE),
        )
        _claim_surfaces(row, attribute, categories, owners)
        attributes[code] = attribute
    return attributes


def _claim_surfaces(
    row: Row, attribute: Attribute, categories: Mapping[str, Category], owners: dict[tuple[str, str], str]
) -> None:
    """Within one category a label on a page must mean one attribute."""
    for surface in attribute.surface:
        for category in attribute.categories or categories:
            other = owners.setdefault((category, surface.casefold()), attribute.code)
            if other != attribute.code:
                row.refuse(
                    f"surface {surface!r} already belongs to {other!r} in category {category!r}; remove it from one of them."
                )


def _lexicon(folder: Traversable, categories: Mapping[str, Category]) -> tuple[LexiconTerm, ...]:
    lexicon = folder / "lexicon"
    if not lexicon.is_dir():
        message = "lexicon: the profile has no such folder; create it with one <language>.csv for each language."
        raise ProfileError(message)
    terms: list[LexiconTerm] = []
    for name in sorted(entry.name for entry in lexicon.iterdir() if entry.name.endswith(".csv")):
        terms.extend(_lexicon_of(folder, name.removesuffix(".csv"), categories))
    if not terms:
        message = "lexicon: has no words; the gate and the extractor need at least those of one language."
        raise ProfileError(message)
    return tuple(terms)


def _lexicon_of(folder: Traversable, language: str, categories: Mapping[str, Category]) -> list[LexiconTerm]:
    terms: list[LexiconTerm] = []
    seen: set[tuple[str, str, str]] = set()
    for row in read_table(folder, f"lexicon/{language}.csv", ("term", "category", "role", "weight")):
        term = row.required("term")
        category = row.text("category")
        if category:
            row.known("category", category, categories, "categories.toml")
        role = row.choice("role", CATEGORY_ROLES if category else GENERAL_ROLES | CONTEXT_ROLES)
        key = (term.casefold(), category, role)
        if key in seen:
            row.refuse(f"term {term!r} stands here twice for the same category and role; remove one.")
        seen.add(key)
        terms.append(LexiconTerm(term, language, category, role, row.number("weight", 1.0)))
    return terms


def _sources(folder: Traversable, remarks: Remarks) -> tuple[SourceRule, ...]:
    rules: list[SourceRule] = []
    seen: set[tuple[str, str]] = set()
    for row in read_table(folder, "sources.csv", ("type", "rule", "pattern", "reason", "reason_en")):
        kind = row.choice("rule", SOURCE_RULES)
        pattern = row.required("pattern")
        if (kind, pattern) in seen:
            row.refuse(f"{kind} {pattern!r} stands here twice; remove one.")
        seen.add((kind, pattern))
        if pattern != pattern.lower() or (kind != "path" and "/" in pattern):
            row.refuse(f"pattern {pattern!r} must be lower case, and hold a / only under the rule path.")
        if kind == "path" and "/" not in pattern:
            row.refuse(f"pattern {pattern!r} of the rule path must hold a /, as in .ac.id/blog or */blog.")
        source_type = SourceType(row.choice("type", set(SourceType)))
        rules.append(SourceRule(source_type, kind, pattern, remarks.taken(row, "reason")))
    return tuple(rules)


def _sensitive(folder: Traversable, categories: Mapping[str, Category], remarks: Remarks) -> tuple[SensitiveTerm, ...]:
    terms: list[SensitiveTerm] = []
    for row in read_table(folder, "sensitive.csv", ("term", "category", "reason", "reason_en")):
        category = row.text("category")
        if category:
            row.known("category", category, categories, "categories.toml")
        terms.append(SensitiveTerm(row.required("term"), category, remarks.taken(row, "reason")))
    return tuple(terms)


def _synonyms(folder: Traversable) -> dict[str, str]:
    if not (folder / "synonyms.csv").is_file():
        return {}
    synonyms: dict[str, str] = {}
    for row in read_table(folder, "synonyms.csv", ("term", "means")):
        term, means = row.required("term").casefold(), row.required("means").casefold()
        if term in synonyms:
            row.refuse(f"term {term!r} stands here twice; remove one.")
        synonyms[term] = means
    for term, means in synonyms.items():
        if means in synonyms:
            raise ProfileError(f"synonyms.csv: {term} means {means}, which is itself a term; name its meaning instead.")
    return synonyms


def _seeds(
    folder: Traversable, categories: Mapping[str, Category], regions: Mapping[str, Region], remarks: Remarks
) -> dict[str, tuple[Seed, ...]]:
    seeds = folder / "seeds"
    if not seeds.is_dir():
        return {}
    names = sorted(entry.name for entry in seeds.iterdir() if entry.name.endswith(".csv"))
    return {name.removesuffix(".csv"): _tranche(folder, name, categories, regions, remarks) for name in names}


def _tranche(
    folder: Traversable,
    name: str,
    categories: Mapping[str, Category],
    regions: Mapping[str, Region],
    remarks: Remarks,
) -> tuple[Seed, ...]:
    seeds: dict[str, Seed] = {}
    for row in read_table(folder, f"seeds/{name}", ("url", "category", "region", "cost", "note", "note_en")):
        url = row.required("url")
        if urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).netloc:
            row.refuse(f"url {url!r} is not a web address; write it with https:// and a host.")
        if url in seeds:
            row.refuse(f"url {url} stands here twice; remove one.")
        category, region = row.text("category"), row.text("region")
        if category:
            row.known("category", category, categories, "categories.toml")
        if region:
            row.known("region", region, regions, "regions.csv or peoples.csv")
        seeds[url] = Seed(url, category, region, row.number("cost", 1.0), remarks.taken(row, "note"))
    return tuple(seeds.values())
