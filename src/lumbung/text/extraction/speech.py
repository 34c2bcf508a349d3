"""What somebody is quoted as saying: the clause behind `X, ketua adat, mengatakan bahwa`."""

from __future__ import annotations

from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.wording import Wording

_FEWEST = 20


def said_by_somebody(sentence: Sentence, wording: Wording) -> Sentence:
    """The sentence without who says it; a sentence that says nothing further stays as it is."""
    said = wording.checks.saying.match(sentence.text)
    if said is None or len(sentence.text) - said.end() < _FEWEST:
        return sentence
    return Sentence(sentence.text[said.end() :], sentence.start + said.end())
