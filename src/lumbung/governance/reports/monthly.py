"""A month in a page that a director can read, in Indonesian or English; every figure from the tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from string import Formatter
from typing import Any

from lumbung.governance.notices import sentence
from lumbung.governance.reports.agents import agent_share
from lumbung.governance.reports.objective import MONTH_SECONDS, Objective, objective_report
from lumbung.governance.reports.quality import agreement
from lumbung.model.profile import Profile
from lumbung.store import audits, governed, objective, reviews
from lumbung.store.database import Transaction
from lumbung.text.numerals import in_language, money

WORDS = {
    "id": {
        "title": "Laporan 30 hari",
        "gain": "Entri terbit: {entries}; fakta terbit: {facts}.",
        "cost": "Biaya: {spent}; per entri: {each}.",
        "precision": "Ketepatan hasil audit: {value} (batas {low:.1%} sampai {high:.1%}, {labels} label); syarat {p_min:.0%}.",
        "unknown": "belum diketahui",
        "agreement": "Kesepakatan pembaca (alfa): {alpha}.",
        "agents": "Diputus tanpa agen: {without}; pertanyaan per seribu: lingkup {scope:.1f}, kesamaan {same_item:.1f}, pembuktian {validation:.1f}.",
        "modes": "Kategori: {full} penuh, {trickle} bertahap, {shadow} bayangan.",
        "waiting": "Menunggu orang: {review} entri ditinjau, {unread_samples} sampel belum dibaca, {requests} permintaan.",
        "improve": "Yang paling memperbaiki: {acts}.",
        "raise-categories-out-of-shadow": "menaikkan kategori dari mode bayangan",
        "answer-requests": "menjawab permintaan kenaikan mode",
        "read-the-review-queue": "membaca antrean tinjauan",
        "label-samples": "memberi label pada sampel",
        "redrive-dead-letters": "menjalankan ulang pekerjaan yang gagal",
        "inject-a-tranche": "menanam sekelompok benih",
        "people": "Yang dikerjakan orang: {acts}.",
        "notices": "Pemberitahuan terbuka: {notices}.",
        "none": "tidak ada",
        "category": "Menurut kategori",
    },
    "en": {
        "title": "Report of 30 days",
        "gain": "Entries published: {entries}; facts published: {facts}.",
        "cost": "Cost: {spent}; per entry: {each}.",
        "precision": "Audited precision: {value} (between {low:.1%} and {high:.1%}, {labels} labels); required {p_min:.0%}.",
        "unknown": "not known yet",
        "agreement": "Agreement of readers (alpha): {alpha}.",
        "agents": "Decided without any agent: {without}; questions per thousand: scope {scope:.1f}, same item {same_item:.1f}, validation {validation:.1f}.",
        "modes": "Categories: {full} full, {trickle} trickle, {shadow} shadow.",
        "waiting": "Waiting for people: {review} entries in review, {unread_samples} unread samples, {requests} requests.",
        "improve": "What would improve it most: {acts}.",
        "raise-categories-out-of-shadow": "raising categories out of shadow",
        "answer-requests": "answering requests to raise a mode",
        "read-the-review-queue": "reading the review queue",
        "label-samples": "labelling samples",
        "redrive-dead-letters": "sending failed jobs again",
        "inject-a-tranche": "planting a tranche of seeds",
        "people": "What people did: {acts}.",
        "notices": "Open notices: {notices}.",
        "none": "none",
        "category": "By category",
    },
}


MOST_NOTICES = 5


@dataclass(frozen=True, slots=True)
class Teller:
    """How a report speaks to its reader: language, currency, and the word for a verb of the log."""

    language: str = "id"
    currency: str = "USD"
    verb: Callable[[str], str] = str

    def line(self, key: str, **values: Any) -> str:
        return _Localised(self.language).format(self.word(key), **values)

    def word(self, key: str) -> str:
        return WORDS.get(self.language, WORDS["en"])[key]

    def money(self, micros: float | None) -> str:
        return self.word("unknown") if micros is None else money(micros, self.currency, self.language)

    def figure(self, value: float | None, form: str) -> str:
        return self.word("unknown") if value is None else in_language(format(value, form), self.language)


class _Localised(Formatter):
    """Figures with the reader's decimal sign."""

    def __init__(self, language: str) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        written = str(super().format_field(value, format_spec))
        return in_language(written, self._language) if isinstance(value, float) else written


async def monthly_report(tx: Transaction, profile: Profile, teller: Teller = Teller()) -> str:  # noqa: B008 - frozen
    report = await objective_report(tx, MONTH_SECONDS)
    values = await governed.values_now(tx)
    modes = [value for name, value in values.items() if name.startswith("mode.")]
    agents = await agent_share(tx)
    without = teller.figure(agents.without_any, ".1%")
    line = teller.line
    lines = [
        f"# {profile.library_title}: {teller.word('title')}",
        line("gain", entries=report.entries, facts=report.facts),
        line("cost", spent=teller.money(report.spent_micros), each=teller.money(report.cost_per_published_micros)),
        line("precision", **precision(report, teller)),
        line("agreement", alpha=teller.figure(await agreement(tx), ".2f")),
        line("agents", **agents.as_json(), without=without),
        line("modes", **{mode: modes.count(mode) for mode in ("full", "trickle", "shadow")}),
        line("waiting", **await reviews.counts(tx)),
        line("improve", acts=improvements_told(report, teller)),
        line("people", acts=await work_told(tx, teller)),
        line("notices", notices=await notices_told(tx, teller)),
        f"## {teller.word('category')}",
    ]
    return "\n\n".join([*lines, "\n".join(category_lines(report, profile, teller.language))]) + "\n"


def improvements_told(report: Objective, teller: Teller) -> str:
    told = [f"{teller.word(each.code)} ({teller.figure(each.facts, '.1f')})" for each in report.improvements[:3]]
    return ", ".join(told) or teller.word("none")


async def work_told(tx: Transaction, teller: Teller) -> str:
    acts = (await objective.human_work(tx, MONTH_SECONDS))[:8]
    return ", ".join(f"{teller.verb(row['verb'])} {row['acts']}" for row in acts) or teller.word("none")


async def notices_told(tx: Transaction, teller: Teller) -> str:
    """The sentences that people see on the front page, each once."""
    told = dict.fromkeys(sentence(row, teller.language).rstrip(".") for row in await audits.notices(tx))
    return "; ".join(list(told)[:MOST_NOTICES]) or teller.word("none")


def precision(report: Objective, teller: Teller) -> dict[str, Any]:
    audit = report.precision
    return {
        "value": teller.figure(audit["precision"], ".1%"),
        "low": audit["low"],
        "high": audit["high"],
        "labels": audit["labels"],
        "p_min": report.p_min,
    }


def category_lines(report: Objective, profile: Profile, language: str) -> list[str]:
    found = []
    for code, row in sorted(report.by_category.items(), key=lambda each: (-each[1]["entries"], each[0])):
        category = profile.categories.get(code)
        label = code if category is None else category.label if language == "id" else category.label_en
        found.append(f"- {label}: {row['entries']} / {row['facts']}")
    return found
