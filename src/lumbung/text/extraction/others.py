"""What the text of an item tells of something else: another thing of the kind, a form of it, a person."""

from __future__ import annotations

import re

from lumbung.model.candidate import Block
from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.definitions import read_definition
from lumbung.text.extraction.glossary import entry_term
from lumbung.text.extraction.item import Item
from lumbung.text.extraction.kinds import is_class, is_region
from lumbung.text.extraction.labels import is_label
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.subjects import Subject
from lumbung.text.extraction.titles import clean_title

_BESIDES = re.compile(
    r"(?:selain|di samping|disamping|berbeda dengan|besides|apart from|unlike|naast|behalve)\b[^,.;]{3,80},\s",
    re.IGNORECASE,
)
_SENTENCE_ENDS = ".!?"
_LONGEST_LINE = 60
_SENTENCES_READ = 2
_WORDS_READ = 24
_KIND_WORDS = 5


def is_of_another_entry(block: Block, subject: Subject, category: str, reading: Reading) -> bool:
    """Whether an entry of a list tells of one form of the item, or of another of its kind: `Jamu Cabe Puyang: terbuat dari ...`."""
    term = entry_term(block, reading) if block.kind == "list-item" else ""
    if term and subject.goes_on_in(term):
        return True
    if not term or not reading.vocabulary.generic_length(term) or category not in reading.vocabulary.head_of(term):
        return False
    return not is_class(term, reading) and not subject.is_called(term)


def heads_a_variant(item: Item, place: int, reading: Reading) -> bool:
    """A short entry that goes on after the item's name, with a paragraph of its own below: `Rencong meupucok`."""
    block, following = item.blocks[place], item.blocks[place + 1 : place + 2]
    text = reading.text[block.start : block.end].strip()
    if (
        block.kind != "list-item"
        or len(text) > _LONGEST_LINE
        or text[-1:] in _SENTENCE_ENDS
        or not following
        or following[0].kind != "paragraph"
    ):
        return False
    words, own = folded_words(clean_title(text)), folded_words(item.name)
    return len(words) > len(own) and words[: len(own)] == own


def heads_another(block: Block, subject: Subject, reading: Reading) -> bool:
    """Whether what follows a heading is of something else: it names a thing, and not this one."""
    text = clean_title(reading.text[block.start : block.end])
    words = folded_words(text)
    if not words or subject.is_named_in(Sentence(text, block.start)) or words[0] in reading.wording.sections:
        return False
    if is_label(text, reading.profile):
        return False
    return block.kind != "heading" or not is_class(text, reading)


def defines_another(sentence: Sentence, name: str, reading: Reading) -> bool:
    """Whether the sentence says of another thing, or of a person, what it is: `this dish` or `she` is then that one."""
    if not reading.wording.copula.search(sentence.text):
        return False
    definition = read_definition(sentence, reading.wording, reading.vocabulary, name)
    if definition is None:
        return False
    if reading.wording.other_head.search(definition.genus):
        return True
    return definition.name != name and bool(definition.categories) and not is_class(definition.name, reading)


def calls_another(sentence: Sentence, category: str, reading: Reading) -> bool:
    """Whether a sentence about the kind says how one of it is called: `Rumah adat suku Pakpak dikenal dengan nama Y`."""
    vocabulary = reading.vocabulary
    for cue in reading.wording.checks.called.finditer(sentence.text):
        words = folded_words(sentence.text[: cue.start()])
        kinds = (vocabulary.head_of(" ".join(words[place : place + _KIND_WORDS])) for place in range(len(words)))
        named = sentence.text[cue.end() :].lstrip(" \"“‘'")[:1].isupper()
        if named and any(category in kind for kind in kinds):
            return True
    return False


def leaves_for_another(sentence: Sentence, subject: Subject) -> bool:
    """`Selain X, ada Y`: named before the comma and not behind it, the item is left for another."""
    lead = _BESIDES.match(sentence.text)
    if lead is None:
        return False
    before, after = (
        Sentence(lead[0], sentence.start),
        Sentence(sentence.text[lead.end() :], sentence.start + lead.end()),
    )
    return subject.is_named_in(before) and not subject.is_named_in(after) and subject.since(after) is None


def opens_with_another(sentence: Sentence, category: str, reading: Reading) -> bool:
    """Whether the sentence opens with the kind and the name of another thing: `Rumah adat Bagas Godang berbentuk`."""
    if _opens_with_known(sentence, category, reading):
        return True
    size = reading.vocabulary.generic_length(sentence.text[:_LONGEST_LINE])
    if not size or not reading.wording.genus_comes_first or category not in reading.vocabulary.head_of(sentence.text):
        return False
    words = sentence.text.split(maxsplit=size + 2)[size:][:2]
    return len(words) > 1 and all(word[:1].isupper() and word.isalpha() for word in words)


def opens_within_another(item: Item, kinds: frozenset[str], reading: Reading) -> bool:
    """Whether the first words tell of the name as of a part of another thing: `Maga adalah lantai pada rumah adat X`."""
    first = next((block for block in item.blocks if block.kind in {"paragraph", "list-item"}), None)
    if first is None or not reading.wording.genus_comes_first:
        return False
    own = set(folded_words(item.name))
    for sentence in reading.sentences_of(first)[:_SENTENCES_READ]:
        words = sentence.text.split()
        for place in range(1, min(len(words), _WORDS_READ)):
            rest = " ".join(words[place : place + _KIND_WORDS])
            size = reading.vocabulary.generic_length(rest)
            named = words[place + size : place + size + 1] if size else []
            if named and named[0][:1].isupper() and kinds & reading.vocabulary.head_of(rest):
                name = [word for word in folded_words(named[0]) if word not in reading.wording.common]
                if name and not own & set(name) and not is_region(" ".join(name).title(), reading):
                    return True
    return False


def _opens_with_known(sentence: Sentence, category: str, reading: Reading) -> bool:
    """Whether it opens with a thing of the item's kind that the lexicon knows by name: `Keris bukan sekadar`."""
    vocabulary = reading.vocabulary
    words = folded_words(sentence.text[:_LONGEST_LINE])
    for size in range(vocabulary.starts.get(words[0], 0) if words else 0, 0, -1):
        term = tuple(words[:size])
        known = vocabulary.genera.get(term, frozenset()) | vocabulary.heads.get(term, frozenset())
        if category in known:
            of_kind = term[0] in vocabulary.generic or " ".join(term) in vocabulary.generic
            return not of_kind and reading.wording.demonstratives.isdisjoint(words[size:])
    return False


def defines_variant(sentence: Sentence, name: str, reading: Reading) -> bool:
    """Whether the sentence defines one form of the thing, whose name goes on after that of the thing: `X Ore-Ore adalah`."""
    if not reading.wording.genus_comes_first or not reading.wording.copula.search(sentence.text):
        return False
    found = read_definition(sentence, reading.wording, reading.vocabulary, name, known_only=True)
    if found is None:
        return False
    own = folded_words(name)[reading.vocabulary.generic_length(name) :]
    longer = folded_words(found.name)[reading.vocabulary.generic_length(found.name) :]
    more = " ".join(longer[len(own) :])
    if not own or longer[: len(own)] != own or not more or set(more.split()) & reading.wording.demonstratives:
        return False
    further = found.name.split()[-len(more.split()) :]
    return all(word[:1].isupper() for word in further) and not is_region(more, reading)
