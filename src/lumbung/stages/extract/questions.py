"""What is asked about a piece of a page: instructions of our own, the page's words as data, and the form of the answer."""

from __future__ import annotations

from lumbung.model.candidate import PageText
from lumbung.model.profile import Profile
from lumbung.ports.inference import Prompt
from lumbung.stages.extract.answers import SaidItems, schema_for
from lumbung.stages.extract.focus import Focus
from lumbung.stages.extract.segments import Segment
from lumbung.stages.prompt_files import delimited, instructions
from lumbung.text.extraction.titles import clean_title
from lumbung.text.sensitive import Sensitivity

PACKAGE = "lumbung.stages.extract"
EXTRACT_VERSION = "6"
MOST_OUTPUT_TOKENS = 4096
LONGEST_TITLE = 200
LONGEST_CAPTION = 120
MOST_CAPTIONS = 30


class Questions:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.sensitivity = Sensitivity(profile)
        """By the list in force."""
        self._instructions: dict[tuple[Focus, bool], str] = {}
        self._schemas: dict[tuple[frozenset[str], bool], type[SaidItems]] = {}

    def about(self, page: PageText, segment: Segment, focus: Focus, subject: str = "") -> Prompt:
        text = segment.text(page)
        return Prompt(
            "extract",
            EXTRACT_VERSION,
            self.instructions(focus, pictured=has_captions(page)),
            "\n".join([*_head(page, segment, text), delimited("page", text)]),
            max_output_tokens=MOST_OUTPUT_TOKENS,
            subject=subject,
            sensitive=bool(self.sensitivity.reasons(page.title, None, text)),
        )

    def instructions(self, focus: Focus, *, pictured: bool = True) -> str:
        key = (focus, pictured)
        if key not in self._instructions:
            self._instructions[key] = instructions(
                PACKAGE,
                "extract",
                EXTRACT_VERSION,
                language=self._profile.language,
                attributes=", ".join(each.code for each in focus.attributes(self._profile)),
                pictures="\n" + instructions(PACKAGE, "extract-pictures", EXTRACT_VERSION) if pictured else "",
            )
        return self._instructions[key]

    def schema(self, focus: Focus, *, pictured: bool = True) -> type[SaidItems]:
        key = (focus.possible, pictured)
        if key not in self._schemas:
            self._schemas[key] = schema_for(focus.possible, pictured=pictured)
        return self._schemas[key]


def has_captions(page: PageText) -> bool:
    return any(media.caption for media in page.media)


def _head(page: PageText, segment: Segment, text: str) -> list[str]:
    """What a piece does not show itself: the page's title, and the captions of pictures."""
    is_named = clean_title(page.title).casefold() in text[:LONGEST_TITLE].casefold()
    said = [] if is_named else [f"Title: {page.title[:LONGEST_TITLE]}"]
    captions = _captions(page, segment, text)
    said += ["Pictures:", *captions] if captions else []
    return [delimited("about", "\n".join(said))] if said else []


def _captions(page: PageText, segment: Segment, text: str) -> list[str]:
    """Those that stand in the piece; those that stand nowhere in the text come with the first."""
    captions: list[str] = []
    for number, media in enumerate(page.media, 1):
        caption = media.caption
        is_here = caption in text if caption in page.text else segment.number == 0
        if caption and is_here and len(captions) < MOST_CAPTIONS:
            captions.append(f"{number}. {caption[:LONGEST_CAPTION]}")
    return captions
