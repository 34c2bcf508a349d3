"""Community labels and notices by reference (Local Contexts: TK, BC and cultural notices), and what each asks of display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lumbung.errors import UsageError

WITHHOLD_TEXT = "withhold-text"
BLUR_MEDIA = "blur-media"
DISPLAYS = (WITHHOLD_TEXT, BLUR_MEDIA)
LABEL_ADDRESS = "https://localcontexts.org/label/{name}/"
NOTICE_ADDRESS = "https://localcontexts.org/notice/{name}/"
MOST_LABELS = 20
LONGEST_TEXT = 1000
LONGEST_CODE = 60


@dataclass(frozen=True, slots=True)
class Label:
    code: str
    """Of the table below, or a community's own."""
    url: str
    """Where the label itself is explained; its wording there is the community's, not ours."""
    text: str
    """What readers of the entry are told, in Indonesian unless the community says otherwise."""
    community: str = ""
    """Whose label it is; by their own wish it may stay unnamed."""
    display: tuple[str, ...] = ()
    """withhold-text, blur-media, both or none."""


def _label(code: str, name: str, text: str, *display: str, address: str = LABEL_ADDRESS) -> tuple[str, Label]:
    return code, Label(code, address.format(name=name), text, "", tuple(display))


def _notice(code: str, name: str, text: str, *display: str) -> tuple[str, Label]:
    """What whoever keeps a collection says of it, as long as the community has set no label of its own."""
    return _label(code, name, text, *display, address=NOTICE_ADDRESS)


KNOWN: dict[str, Label] = dict(
    (
        _label("tk-a", "tk-attribution", "TK Atribusi: sebutkan komunitas asal pengetahuan ini."),
        _label("tk-cl", "tk-clan", "TK Marga: pengetahuan ini milik suatu marga.", BLUR_MEDIA),
        _label("tk-f", "tk-family", "TK Keluarga: pengetahuan ini milik suatu keluarga.", BLUR_MEDIA),
        _label("tk-mc", "tk-multiple-communities", "TK Banyak Komunitas: beberapa komunitas bertanggung jawab."),
        _label("tk-cv", "tk-community-voice", "TK Suara Komunitas: komunitas ingin turut bercerita."),
        _label("tk-cr", "tk-creative", "TK Kreatif: karya ini bersandar pada tradisi komunitas."),
        _label("tk-v", "tk-verified", "TK Terverifikasi: komunitas telah memeriksa penyajiannya."),
        _label("tk-nv", "tk-non-verified", "TK Belum Terverifikasi: komunitas belum memeriksa penyajiannya."),
        _label("tk-s", "tk-seasonal", "TK Musiman: hanya layak dibaca atau dilihat pada waktu tertentu.", BLUR_MEDIA),
        _label("tk-wg", "tk-women-general", "TK Perempuan (umum): menurut adat, untuk kaum perempuan.", BLUR_MEDIA),
        _label("tk-mg", "tk-men-general", "TK Laki-laki (umum): menurut adat, untuk kaum laki-laki.", BLUR_MEDIA),
        _label("tk-wr", "tk-women-restricted", "TK Perempuan (terbatas).", WITHHOLD_TEXT, BLUR_MEDIA),
        _label("tk-mr", "tk-men-restricted", "TK Laki-laki (terbatas).", WITHHOLD_TEXT, BLUR_MEDIA),
        _label("tk-cs", "tk-culturally-sensitive", "TK Peka: materi ini peka secara budaya.", BLUR_MEDIA),
        _label("tk-ss", "tk-secret-sacred", "TK Rahasia/Sakral: tidak untuk umum.", WITHHOLD_TEXT, BLUR_MEDIA),
        _label("tk-co", "tk-community-use-only", "TK Khusus Komunitas.", WITHHOLD_TEXT, BLUR_MEDIA),
        _label("tk-nc", "tk-non-commercial", "TK Nonkomersial: tidak untuk tujuan komersial."),
        _label("tk-oc", "tk-commercial", "TK Komersial: terbuka untuk tujuan komersial menurut aturan komunitas."),
        _label("tk-o", "tk-outreach", "TK Pendidikan: untuk pengajaran dan penyebaran pengetahuan."),
        _label("tk-cb", "tk-open-to-collaboration", "TK Terbuka untuk Kerja Sama."),
        _label("bc-p", "bc-provenance", "BC Asal-usul: komunitas asal data hayati ini perlu disebut."),
        _label("bc-mc", "bc-multiple-communities", "BC Banyak Komunitas: beberapa komunitas bertanggung jawab."),
        _label("bc-cl", "bc-clan", "BC Marga: data hayati ini milik suatu marga."),
        _label("bc-cv", "bc-consent-verified", "BC Persetujuan Terverifikasi."),
        _label("bc-cnv", "bc-consent-non-verified", "BC Persetujuan Belum Terverifikasi."),
        _label("bc-r", "bc-research-use", "BC Untuk Penelitian."),
        _label("bc-cb", "bc-open-to-collaboration", "BC Terbuka untuk Kerja Sama."),
        _label(
            "bc-oc",
            "bc-open-to-commercialization",
            "BC Komersial: terbuka untuk tujuan komersial menurut aturan komunitas.",
        ),
        _label("bc-o", "bc-outreach", "BC Pendidikan."),
        _label("bc-nc", "bc-non-commercial", "BC Nonkomersial."),
        _notice("notice-tk", "tk-notice", "Pemberitahuan TK: ada hak dan tanggung jawab adat."),
        _notice("notice-bc", "bc-notice", "Pemberitahuan BC: ada hak atas data hayati."),
        _notice(
            "notice-attribution-incomplete",
            "attribution-incomplete",
            "Atribusi belum lengkap: asal-usulnya sedang ditelusuri.",
        ),
        _notice(
            "notice-open-to-collaborate",
            "open-to-collaborate",
            "Terbuka bekerja sama: pengelola ingin merawat koleksi ini bersama komunitas asalnya.",
        ),
        _notice(
            "notice-authorization",
            "authorization",
            "Izin komunitas: pemakaiannya memerlukan persetujuan komunitas asal.",
        ),
        _notice("notice-belonging", "belonging", "Asal komunitas: warisan ini tetap terikat pada komunitas asalnya."),
        _notice("notice-caring", "caring", "Perawatan: komunitas asal meminta cara merawat yang tertentu."),
        _notice(
            "notice-gender-aware",
            "gender-aware",
            "Peka gender: komunitas asal membatasi akses menurut gender.",
            BLUR_MEDIA,
        ),
        _notice(
            "notice-leave-undisturbed",
            "leave-undisturbed",
            "Jangan diusik: komunitas asal meminta agar dibiarkan tenang.",
            BLUR_MEDIA,
        ),
        _notice("notice-safety", "safety", "Keselamatan: bendanya dapat membahayakan orang yang menanganinya."),
        _notice(
            "notice-viewing",
            "viewing",
            "Aturan melihat: komunitas asal mengatur bagaimana ini boleh dilihat.",
            BLUR_MEDIA,
        ),
        _notice(
            "notice-withholding",
            "withholding",
            "Tidak ditampilkan: pengelola menahannya demi komunitas asal.",
            WITHHOLD_TEXT,
            BLUR_MEDIA,
        ),
    )
)
"""The reference copies; each community may word its own, by `text` and `url`."""


def read_label(given: str | Mapping[str, Any]) -> Label:
    """A code of the table, or an object with `code` and whatever of url, text, community and display differs from it."""
    stated: Mapping[str, Any] = {"code": given} if isinstance(given, str) else given
    code = _words(stated.get("code"), "code", LONGEST_CODE).casefold()
    known = KNOWN.get(code)
    if known is None and not (stated.get("url") and stated.get("text")):
        raise UsageError(f"There is no label {code!r}; name one of {', '.join(KNOWN)}, or give a url and a text.")
    url = _words(stated.get("url") or (known.url if known else ""), "url", 500)
    if not url.startswith(("https://", "http://")):
        raise UsageError("A label's url begins with https://.")
    display = stated.get("display", known.display if known else ())
    if isinstance(display, str) or any(each not in DISPLAYS for each in display):
        raise UsageError(f"A label's display is a list of {' and '.join(DISPLAYS)}.")
    return Label(
        code,
        url,
        _words(stated.get("text") or (known.text if known else ""), "text", LONGEST_TEXT),
        _words(stated.get("community") or "", "community", 200, needed=False),
        tuple(each for each in DISPLAYS if each in display),
    )


def _words(value: Any, field: str, longest: int, *, needed: bool = True) -> str:
    if not isinstance(value, str) or len(value) > longest or "\x00" in value or (needed and not value.strip()):
        raise UsageError(f"A label's {field} is a text of at most {longest} characters.")
    return " ".join(value.split())


def read_labels(given: Sequence[str | Mapping[str, Any]]) -> list[dict[str, Any]]:
    """As they are stored: one a code, in the order of their codes."""
    labels = {label.code: label for label in map(read_label, given)}
    if len(labels) > MOST_LABELS:
        raise UsageError(f"An entry has at most {MOST_LABELS} labels.")
    return [asdict(labels[code]) | {"display": list(labels[code].display)} for code in sorted(labels)]


def asks_for(labels: Sequence[Mapping[str, Any]], display: str) -> bool:
    return any(display in label.get("display", ()) for label in labels)
