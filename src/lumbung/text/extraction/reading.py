"""What every part of the extractor needs at hand while it reads one page."""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.model.candidate import PageText
from lumbung.model.profile import Profile
from lumbung.text.extraction.category import Vocabulary, vocabulary_of
from lumbung.text.extraction.wording import Wording
from lumbung.text.region import Gazetteer

_TRANSLATED_INTO = "ind"


@dataclass(frozen=True, slots=True)
class Reading:
    page: PageText
    profile: Profile
    gazetteer: Gazetteer
    vocabulary: Vocabulary
    wording: Wording

    @classmethod
    def of(cls, page: PageText, profile: Profile, gazetteer: Gazetteer, wording: Wording) -> Reading:
        return cls(page, profile, gazetteer, vocabulary_of(profile), wording)

    @property
    def text(self) -> str:
        return self.page.text

    def in_canonical_language(self, value: str) -> str | None:
        """A phrase as the library words it; None when that would take a translator."""
        if self.wording.is_canonical_for(self.profile.language):
            return value
        folded = self.wording.determiner.sub("", value.strip()).casefold()
        if self.profile.language == _TRANSLATED_INTO and folded in self.wording.translations:
            return self.wording.translations[folded]
        return value if self.vocabulary.is_native(folded, self.profile.language) else None
