"""What a model is sent beside sending it every page; tokens are characters divided by four."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import BaseModel
from pydantic_core import to_json

from benchmarks.extract.pages import SEVERAL, FetchedPage, long_pages, short_pages
from lumbung.profiles.loader import load_profile
from lumbung.stages.extract.focus import open_focus
from lumbung.stages.extract.llm import LlmExtractor
from lumbung.stages.extract.questions import Questions
from lumbung.text.extraction.lexical import extract
from lumbung.text.markup import read_page
from lumbung.text.region import Gazetteer

PROFILE = load_profile()
GAZETTEER = Gazetteer(PROFILE)
CHARACTERS_A_TOKEN = 4


@dataclass
class Sums:
    pages: int = 0
    items: int = 0
    html: int = 0
    text: int = 0
    sent: int = 0
    sent_text: int = 0
    questions: int = 0


def schema_characters(schema: type[BaseModel]) -> int:
    """As it goes over the wire: without blanks."""
    return len(to_json(schema.model_json_schema()))


class Sender:
    def __init__(self) -> None:
        self._extractor = LlmExtractor(None, PROFILE, GAZETTEER, "m")  # type: ignore[arg-type]

    def overhead(self) -> int:
        """Characters of the instructions and the schema for a page of which nothing is known."""
        questions, focus = Questions(PROFILE), open_focus(PROFILE)
        return len(questions.instructions(focus)) + schema_characters(questions.schema(focus))

    def count(self, fetched: FetchedPage, sums: Sums) -> None:
        """As files are read: without the gate of the crawl, which many of the other pages would not pass."""
        page = read_page(fetched.body, fetched.url)
        sums.pages += 1
        sums.items += fetched.is_item
        sums.html += len(fetched.body)
        sums.text += len(page.text)
        focus, pieces, _ = self._extractor.asked(page, extract(page, PROFILE, GAZETTEER))
        for piece in pieces:
            prompt, schema = self._extractor.question(page, piece, focus)
            sums.questions += 1
            sums.sent += len(prompt.instructions) + len(prompt.content) + schema_characters(schema)
            sums.sent_text += len(piece.text(page))


def summed(pages: Iterable[FetchedPage]) -> Sums:
    sender, sums = Sender(), Sums()
    for page in pages:
        sender.count(page, sums)
    return sums


def report(name: str, sums: Sums, overhead: int) -> None:
    told = sums.pages * overhead
    print(
        f"{name}: {sums.pages} pages, {sums.text / sums.pages:,.0f} characters of main text each, {sums.questions} questions"
    )
    for what, characters in (
        ("every page's HTML, with instructions", sums.html + told),
        ("every page's main text, with instructions", sums.text + told),
        ("every page's main text, bare", sums.text),
    ):
        tokens = characters / CHARACTERS_A_TOKEN
        print(
            f"  {what}: {tokens:,.0f} tokens, {tokens / sums.items:,.0f} an item page; sent: {sums.sent / characters:.3f}"
        )
    tokens = sums.sent / CHARACTERS_A_TOKEN
    print(
        f"  Lumbung: {tokens:,.0f} tokens, {tokens / sums.items:,.0f} an item page, {sums.sent_text / sums.sent:.2f} of them the page's"
    )


def measure_tokens() -> None:
    overhead = Sender().overhead()
    report("short pages", summed(short_pages()), overhead)
    report("long pages of one item", summed(long_pages()), overhead)
    report("long pages of several items", summed(long_pages(SEVERAL)), overhead)
