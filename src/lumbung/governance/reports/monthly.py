"""A month in a page that a director can read, in Indonesian or English; every figure from the tables."""

from __future__ import annotations

from typing import Any

from lumbung.governance.reports.agents import agent_share
from lumbung.governance.reports.objective import MONTH_SECONDS, Objective, objective_report
from lumbung.governance.reports.quality import agreement
from lumbung.model.profile import Profile
from lumbung.store import audits, governed, objective, reviews
from lumbung.store.database import Transaction

WORDS = {
    "id": {
        "title": "Laporan 30 hari",
        "gain": "Entri terbit: {entries}; fakta terbit: {facts}.",
        "cost": "Biaya: {spent:.2f}; per entri: {each}.",
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
        "cost": "Cost: {spent:.2f}; per entry: {each}.",
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


async def monthly_report(tx: Transaction, profile: Profile, language: str = "id") -> str:
    words = WORDS.get(language, WORDS["en"])
    report = await objective_report(tx, MONTH_SECONDS)
    values = await governed.values_now(tx)
    modes = [value for name, value in values.items() if name.startswith("mode.")]
    alpha = await agreement(tx)
    agents = await agent_share(tx)
    acts = [f"{row['verb']} {row['acts']}" for row in (await objective.human_work(tx, MONTH_SECONDS))[:8]]
    notices = [row["kind"] for row in await audits.notices(tx)]
    lines = [
        f"# {profile.library_title}: {words['title']}",
        "",
        words["gain"].format(entries=report.entries, facts=report.facts),
        words["cost"].format(spent=report.spent_micros / 1e6, each=cost_each(report, words)),
        words["precision"].format(**precision(report, words)),
        words["agreement"].format(alpha=words["unknown"] if alpha is None else f"{alpha:.2f}"),
        words["agents"].format(**agents.as_json(), without=percent(agents.without_any, words)),
        words["modes"].format(**{mode: modes.count(mode) for mode in ("full", "trickle", "shadow")}),
        words["waiting"].format(**await reviews.counts(tx)),
        words["improve"].format(acts=improvements_told(report, words)),
        words["people"].format(acts=", ".join(acts) or words["none"]),
        words["notices"].format(notices=", ".join(sorted(set(notices))) or words["none"]),
        "",
        f"## {words['category']}",
        "",
        *category_lines(report, profile, language),
    ]
    return "\n\n".join(line for line in lines if line) + "\n"


def improvements_told(report: Objective, words: dict[str, str]) -> str:
    told = [f"{words[each.code]} ({each.facts:.1f})" for each in report.improvements[:3]]
    return ", ".join(told) or words["none"]


def percent(share: float | None, words: dict[str, str]) -> str:
    return words["unknown"] if share is None else f"{share:.1%}"


def cost_each(report: Objective, words: dict[str, str]) -> str:
    each = report.cost_per_published_micros
    return words["unknown"] if each is None else f"{each / 1e6:.4f}"


def precision(report: Objective, words: dict[str, str]) -> dict[str, Any]:
    audit = report.precision
    known = percent(audit["precision"], words)
    return {
        "value": known,
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
