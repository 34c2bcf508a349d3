"""Whether the name of an item may stand: what a page calls it, and that the page speaks of it by that name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lumbung.model.candidate import Block
from lumbung.text.extraction.calling import name_in
from lumbung.text.extraction.category import fold, folded_words
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import Register, is_class, is_region, keys_of
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.rows import lists_ingredients
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.titles import clean_title
from lumbung.text.stemming import stem

_ABSTRACT = re.compile(r"(?:pe|ke)[a-z]{4,}an")
"""Nouns of doing and being, as `pembuatan` or `keindahan`: what is told of a thing, not the thing."""
_JOINED = re.compile(r"\s(?:dan|serta|and|en|&)\s+(?=[A-Z])")
_WORKS = ("tokoh", "lirik", "isi")
"""Attributes of works, whose titles may join two names."""
_FEWEST_MENTIONS = 2
_SENTENCES_SEARCHED = 40
_OPENING_SENTENCES = 3
_KIND_REACH = 12
_OPENING = 20
_TEXT = frozenset({"paragraph", "list-item"})
_NAME_OVER = re.compile(
    r"\W*$|\s*[,:;.!?(/|\"”’'–—]|\s-\s|\s(?:khas|asal|asli|dan|serta|yang|di|pada|adalah|sebagai|suku|the|a|and|of|in|from|dance|is|en|uit|van|een|het|de|wat)\s|\s(?:recipes?|recept(?:en)?)\b|"
    r"\sdari (?=[A-Z])",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[\W_]+")
_IN_A_WORD = re.compile(r"(?<=\w)(?=\w)")
_TALE = re.compile(r"\basal[- ](?:usul|mula)\s+", re.IGNORECASE)
_WHERE = re.compile(r"\s(?:di|dari|pada|from|uit)\s", re.IGNORECASE)
_OF_A_LAND = re.compile(r"\s(?:khas|asal|asli)\s", re.IGNORECASE)
_DASHED = re.compile(r"\s[-–—]\s?(?=\w)")


def is_name_of_one(name: str, reading: Reading) -> bool:
    """No number of things, no place, no event or house, no noun of doing."""
    words = folded_words(name)
    wording = reading.wording
    if not words or words[0] in wording.numbers or words[0].isdigit() or wording.checks.no_item.search(name):
        return False
    if words[0] in wording.never_first or wording.people.match(name) or name.endswith(("!", "?")):
        return False
    if wording.lead.fullmatch(name) or _is_district(name, reading) or _is_common_noun(words, reading):
        return False
    if is_region(name, reading, or_people=False) or (not wording.genus_comes_first and wording.breaks.search(name)):
        return False
    doing = _ABSTRACT.fullmatch(words[0]) is not None and wording.language == "ind" and stem(words[0]) != words[0]
    return not doing or reading.vocabulary.generic_length(name) > 0


def _is_district(name: str, reading: Reading) -> bool:
    """`Provinsi Jambi`: what a land is, and its name."""
    level, _, rest = name.partition(" ")
    return level.casefold() in reading.wording.checks.districts and is_region(rest, reading)


def _is_common_noun(words: list[str], reading: Reading) -> bool:
    """`Dagger`: a kind of thing in the page's language, which the library's language does not call so."""
    if reading.wording.is_canonical_for(reading.profile.language) or not reading.vocabulary.is_kind(tuple(words)):
        return False
    return not reading.vocabulary.is_of_the_land(" ".join(words), reading.profile.language)


def is_phrase(name: str, category: str, reading: Reading) -> bool:
    """`Sedekah Bumi dan Sedekah Laut` are two, and `Batik dengan Motif X` is told of; a tale may be called so."""
    wording = reading.wording
    phrased = not wording.grammar.isdisjoint(folded_words(name)) or wording.breaks.search(name) is not None
    if _JOINED.search(name) is None and not phrased:
        return False
    return not _is_work(category, reading)


def _is_work(category: str | None, reading: Reading) -> bool:
    attributes = reading.profile.attributes
    return any(code in attributes and category in attributes[code].categories for code in _WORKS)


def whole_title(item: Item, category: str | None, reading: Reading) -> str:
    """A tale may be called `Asal Usul X`; of other things that is what the page tells."""
    led = _TALE.search(item.heading)
    begins = led is not None and item.heading[led.end() :].casefold().startswith(item.name.casefold())
    return (
        item.heading[led.start() : led.end()] + item.name
        if led and begins and _is_work(category, reading)
        else item.name
    )


def is_supported(item: Item, category: str | None, reading: Reading) -> bool:
    """Whether two sides of the page know the name: what heads the text, and its sentences. Rows and entries name their own.

    Without a heading that has the name, the text must use it again and again; below one, a sentence must name it or
    take it up by its kind: `Alat musik ini`.
    """
    headed = _heads(item.name, item.heading, reading)
    if headed and _is_work(category, reading):
        return True
    if not _own_words(item.name, reading) and not (headed and _stands_for_itself(item, reading)):
        return False
    if item.rows or (headed and (len(item.blocks) <= 1 or lists_ingredients(reading, item.blocks))):
        return True
    own = _spaced(_bare(item.name, reading))
    told = [sentence for block in item.blocks if block.kind in _TEXT for sentence in reading.sentences_of(block)]
    named = sum(own in _spaced(folded_words(sentence.text)) for sentence in told[:_SENTENCES_SEARCHED])
    taken_up = any(_takes_up_by_kind(sentence, reading) for sentence in told[:_OPENING_SENTENCES])
    defined = item.definition is not None and bool(item.definition.categories)
    if headed:
        return named > 0 or taken_up or (defined and _is_told_below(item))
    below_a_heading = bool(item.heading) and item.heading.strip() != reading.page.title.strip()
    if below_a_heading and not item.context and not _is_of_a_land(item, reading):
        return False
    opens = (
        defined
        and item.definition is not None
        and own in _spaced(folded_words(item.definition.sentence.text)[: len(own)])
    )
    of_kind = reading.vocabulary.generic_length(item.name) > 0
    of_land = below_a_heading and is_region(clean_title(item.heading), reading)
    used = opens and (named >= _FEWEST_MENTIONS or taken_up or of_kind or of_land)
    return used or (defined and (len(item.blocks) == 1 or _is_called_so(item, reading)))


def _is_told_below(item: Item) -> bool:
    """Whether the text says what the heading is without naming it again."""
    return item.definition is not None and item.definition.tail == 0


def _own_words(name: str, reading: Reading) -> list[str]:
    """The words of a name that are neither of kind nor of every day; none if what is left is a land or a people."""
    words = name.split()[reading.vocabulary.generic_length(name) :]
    own = [word for word in words if word.casefold() not in reading.wording.common]
    return [] if is_region(" ".join(own), reading) else own


def _stands_for_itself(item: Item, reading: Reading) -> bool:
    """Whether the heading has no more of a name, and the text says of this very name what kind of thing it is: `Keris`."""
    words, definition = folded_words(item.name), item.definition
    title = clean_title(item.heading)
    placed = _WHERE.search(title) if item.origins else None
    if folded_words(title[: placed.start()] if placed else title) != words:
        return False
    if definition is None:
        return len(item.blocks) <= 1 or _is_said_to_come_from(item, words, reading)
    told = definition.categories or (definition.is_culture and reading.vocabulary.head_of(item.name))
    return bool(told) and folded_words(definition.name) == words


def _is_said_to_come_from(item: Item, words: list[str], reading: Reading) -> bool:
    """Whether a sentence opens with this very name and says where the thing is from: `Keris berasal dari`."""
    for block in item.blocks:
        for sentence in reading.sentences_of(block) if block.kind in _TEXT else ():
            found = reading.wording.comes_from.search(sentence.text, 0, 2 * len(item.name) + _OPENING)
            if found is not None and folded_words(sentence.text[: found.start()]) == words:
                return True
    return False


def _is_of_a_land(item: Item, reading: Reading) -> bool:
    """Below `Sumatera Barat` or `Senjata Tradisional Aceh` the text says what the thing is called; not below `Tombak Papua`."""
    bare = clean_title(item.heading)
    if is_region(bare, reading):
        return True
    kind, own = folded_words(bare)[:1], folded_words(item.name)[:1]
    return kind != own and is_class(bare, reading) and bool(reading.gazetteer.find(bare))


def _heads(name: str, heading: str, reading: Reading) -> bool:
    """Whether the heading has the name, whole: before a mark, a land, words about the text or its end."""
    folded = fold(heading)
    return any(
        _NAME_OVER.match(folded, end)
        or reading.wording.checks.name_over.match(folded, end)
        or is_region(heading[end:].strip(" ()-"), reading)
        for end in _ends_of([part for word in _bare(name, reading) for part in word.split("-")], folded)
    )


def _ends_of(parts: list[str], text: str) -> Iterator[int]:
    """Where the words end each time they stand in a text with nothing but marks between them."""
    at = text.find(parts[0]) if parts else -1
    while at >= 0:
        end = at + len(parts[0])
        for part in parts[1:]:
            marks = _MARKS.match(text, end)
            end = marks.end() + len(part) if marks and text.startswith(part, marks.end()) else -1
            if end < 0:
                break
        if end > 0 and not _IN_A_WORD.match(text, at) and not _IN_A_WORD.match(text, end):
            yield end
        at = text.find(parts[0], at + 1)


def _takes_up_by_kind(sentence: Sentence, reading: Reading) -> bool:
    """`Alat musik ini`, `minuman khas Jawa Barat yang satu ini`."""
    words = folded_words(sentence.text)[:_KIND_REACH]
    shown = next((place for place, word in enumerate(words) if word in reading.wording.demonstratives), 0)
    return any(reading.vocabulary.head_of(" ".join(words[place:shown])) for place in range(shown))


def _is_called_so(item: Item, reading: Reading) -> bool:
    """`makanan bernama konro`: the sentence itself says that it is a name."""
    sentence = item.definition.sentence.text if item.definition else ""
    called = (sentence[cue.end() :].casefold() for cue in reading.wording.naming.finditer(sentence))
    return any(words.startswith(item.name.casefold()) for words in called)


def agreed_name(item: Item, reading: Reading) -> str:
    """The name without what only one side of the page puts around it: where the thing is, its kind and land before a dash."""
    name = name_in(item.name, reading.wording, reading.vocabulary)
    if (placed := _WHERE.search(name)) and reading.gazetteer.find(name[placed.end() :]):
        name = _with_own_words(name[: placed.start()], name, reading)
    if (qualified := _OF_A_LAND.search(name)) and _is_used_alone(name[: qualified.start()], item, reading):
        name = _with_own_words(name[: qualified.start()], name, reading)
    if (parted := _DASHED.search(name)) and reading.vocabulary.generic_length(name[: parted.start()]):
        name = _with_own_words(name[parted.end() :], name, reading)
    return _as_told(name, item, reading)


def _as_told(name: str, item: Item, reading: Reading) -> str:
    """Without words of kind that no sentence puts before it: `Prasasti Munjul` for a heading `Naskah Prasasti Munjul`."""
    words = name.split()
    size = reading.vocabulary.generic_length(name)
    while 0 < size < len(words) and words[size].casefold() in reading.wording.common:
        size += 1
    if not 0 < size < len(words) or (size == 1 and not reading.vocabulary.generic_length(" ".join(words[1:]))):
        return name
    told = _spaced([word for block in item.blocks if block.kind in _TEXT for word in _words_of(block, reading)])
    starts = [place for place in range(1, size) if reading.vocabulary.generic_length(" ".join(words[place:]))]
    shorter = [words[place:] for place in starts] + [[words[0], *words[size:]], words[size:]]
    for each in (words, *shorter):
        if _is_of_another_kind(each, name, reading):
            continue
        if _spaced(folded_words(" ".join(each))) in told and not is_region(" ".join(each), reading):
            return " ".join(each)
    return name


def _is_of_another_kind(words: list[str], name: str, reading: Reading) -> bool:
    """`Parang` of `Batik Motif Parang`: without its kind the name would be a word for something else."""
    kind = reading.vocabulary.head_of(" ".join(words))
    return bool(kind) and kind.isdisjoint(reading.vocabulary.head_of(name))


def _words_of(block: Block, reading: Reading) -> list[str]:
    return folded_words(reading.text[block.start : block.end])


def _with_own_words(shorter: str, name: str, reading: Reading) -> str:
    """The shorter name, unless only words of kind are left of it."""
    shorter = shorter.strip()
    return shorter if len(folded_words(shorter)) > reading.vocabulary.generic_length(shorter) else name


def _is_used_alone(name: str, item: Item, reading: Reading) -> bool:
    """Whether a sentence begins with the shorter name and goes on otherwise."""
    words = folded_words(name)
    whole = folded_words(item.name)
    for block in item.blocks:
        for sentence in reading.sentences_of(block) if block.kind in _TEXT else ():
            opening = folded_words(sentence.text[: 2 * len(item.name) + _OPENING])
            if opening[: len(words)] == words and opening[: len(whole)] != whole:
                return True
    return False


def _bare(name: str, reading: Reading) -> list[str]:
    words = folded_words(name)
    if not reading.wording.genus_comes_first:
        words = words[: -reading.vocabulary.kind_at_end(name) or None]
    return words[reading.vocabulary.generic_length(name) :] or words


def _spaced(words: list[str]) -> str:
    """Words with a blank on both sides of each, so that neighbours are counted one by one."""
    return "".join(f" {word} " for word in words)


def merged(items: list[Item], reading: Reading) -> list[Item]:
    """Two parts of a page that tell of one thing make one item."""
    kept: list[Item] = []
    register = Register()
    for item in items:
        keys = keys_of(item.name, reading.vocabulary)
        place = register.find(keys)
        same = None if place is None else kept[place]
        if same is None or item.rows or same.rows:
            register.add(keys, len(kept))
            kept.append(item)
            continue
        if same.definition is None:
            same.definition, same.heading = item.definition, item.heading
        same.blocks = sorted([*same.blocks, *item.blocks], key=lambda block: (block.start, block.end))
        same.origins = [*same.origins, *item.origins]
        same.inherited = [*same.inherited, *item.inherited]
        same.context = same.context or item.context
    return kept
