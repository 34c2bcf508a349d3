"""Which attribute a heading names, where it names the thing too: `Cara Bermain Gasing`, `Langkah permainan ini sebagai berikut:`."""

from __future__ import annotations

from lumbung.model.candidate import Block
from lumbung.model.profile import Attribute
from lumbung.text.extraction.category import folded_words
from lumbung.text.extraction.labels import attribute_of, is_label
from lumbung.text.extraction.reading import Reading

_LONGEST_LABEL = 40
_LONGEST_LINE = 90
_ENDS = ".!?;,"


def heads_a_part(block: Block, name: str, category: str, reading: Reading) -> bool:
    """Whether it is a heading, or a line such as `Bahan:` that stands for one."""
    if block.kind != "paragraph" or block.end - block.start > _LONGEST_LINE:
        return block.kind == "heading"
    text = reading.text[block.start : block.end].rstrip()
    if len(text) <= _LONGEST_LABEL and (text.endswith(":") or is_label(text, reading.profile)):
        return True
    return text[-1] not in _ENDS and topic_of(text, name, category, reading) is not None


def topic_of(text: str, name: str, category: str, reading: Reading) -> Attribute | None:
    """The attribute of the label with which the words begin, if all that follows it is the thing and how the text goes on."""
    if (whole := attribute_of(text, reading.profile, category)) is not None:
        return whole
    words = folded_words(reading.wording.checks.announcing.sub("", text))
    for size in range(len(words) - 1, 0, -1):
        label = " ".join(words[:size])
        found = attribute_of(label, reading.profile, category)
        if found is not None and category not in reading.vocabulary.head_of(label):
            return found if _is_the_thing(words[size:], name, category, reading) else None
    return None


def _is_the_thing(words: list[str], name: str, category: str, reading: Reading) -> bool:
    """Whether the words are its name, its kind, or point at it."""
    wording = reading.wording
    own = {*folded_words(name), *wording.demonstratives, *wording.common, *wording.checks.aspect_joints}
    rest = [word for word in words if word not in own]
    kinds = reading.vocabulary.starts
    return all(word in kinds and category in reading.vocabulary.head_of(word) for word in rest)
