"""What a notice says to a person, in Indonesian and English; nothing of readers' names or contacts leaves by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lumbung.text.numerals import in_language

WORDS: dict[str, dict[str, str]] = {
    "review-waiting": {"id": "Antrean tinjauan menunggu: {review} entri.", "en": "{review} entries wait for review."},
    "request-waiting": {"id": "Permintaan menunggu orang kedua: {requests}.", "en": "{requests} requests wait for a second person."},
    "labels-late": {"id": "Sampel audit lama belum dibaca.", "en": "Audit samples have waited long for a reader."},
    "dead-letters": {"id": "Pekerjaan gagal: {dead_letters}.", "en": "{dead_letters} jobs failed for good."},
    "frontier-low": {"id": "Antrean alamat hampir habis: {frontier} tersisa.", "en": "The frontier is about to run dry: {frontier} left."},
    "breaker-open": {"id": "Layanan {subject} tidak menjawab: {reason}.", "en": "The service {subject} does not answer: {reason}."},
    "budget-near-cap": {"id": "Anggaran {subject} hampir mencapai batas.", "en": "The budget window {subject} is near its cap."},
    "demotion": {"id": "Kategori {subject} diturunkan otomatis.", "en": "The category {subject} was lowered by itself."},
    "matcher-better": {"id": "Pencocok yang dipelajari lebih baik daripada yang berlaku pada {labels} putusan; menunggu orang.", "en": "The learned matcher beats the one in force on {labels} verdicts; a person may adopt it."},
    "calibration-off": {"id": "Keyakinan meleset {ece} (batas {limit}); {labels} label cukup untuk kalibrasi ulang.", "en": "Confidences are off by {ece} (limit {limit}); {labels} labels suffice to recalibrate."},
    "takedown": {"id": "Permintaan penurunan untuk entri {title}.", "en": "Somebody asks to remove the entry {title}."},
    "takedown-due": {"id": "Permintaan penurunan mendekati batas waktunya: {takedowns}.", "en": "Requests for removal near their deadline: {takedowns}."},
    "budget-overrun": {"id": "Panggilan melampaui biaya yang dicadangkan pada tahap {stages}; peringatan terbuka: {alarms}.", "en": "Calls cost more than was reserved at {stages}; open alarms: {alarms}."},
    "correction": {"id": "Koreksi pembaca untuk entri {title}.", "en": "A reader corrects the entry {title}."},
    "human-corpus-changed": {"id": "Korpus manusia berubah tanpa penjelasan.", "en": "The human corpus changed unexplained."},
    "entries-alike": {"id": "Entri {title} dan {other_title} mungkin hal yang sama; menunggu orang.", "en": "The entries {title} and {other_title} may be the same; a person decides."},
    "scope-changed": {
        "id": "Ruang lingkup berubah; {candidates} calon yang sudah terbit dinilai menurut rumusan lama dan perlu ditinjau.",
        "en": "The scope changed; {candidates} published candidates were judged by the former wording and need a look.",
    },
    "tranche-barren": {"id": "Kelompok benih {subject} tidak lagi memberi hasil.", "en": "The tranche {subject} gives nothing any more."},
    "threshold-raised": {"id": "Ambang {subject} dinaikkan; {facts} fakta perlu ditinjau.", "en": "The threshold {subject} was raised; {facts} facts are to be reviewed."},
}  # fmt: skip
OTHER = {"id": "Perlu perhatian: {kind} {subject}.", "en": "Needs attention: {kind} {subject}."}


def figure(value: Any, language: str) -> str:
    """A share or a figure with the reader's decimal sign, and not more digits than anybody reads."""
    return in_language(f"{value:.3g}", language) if isinstance(value, float) else str(value)


def sentence(notice: Mapping[str, Any], language: str, told_reason: Callable[[str], str] = str) -> str:
    """`told_reason` puts what the machine stored as a reason into the reader's language."""
    template = WORDS.get(notice["kind"], OTHER)[language]
    known = {name: figure(value, language)[:300] for name, value in dict(notice["detail"]).items()}
    known = (
        {"title": notice["subject"], "other_title": known.get("other", "")}
        | known
        | {"kind": notice["kind"], "subject": notice["subject"]}
    )
    if "reason" in known:
        known["reason"] = told_reason(known["reason"]).rstrip(".")
    told = template
    for name, value in known.items():
        told = told.replace("{" + name + "}", value)
    return " ".join(told.split())
