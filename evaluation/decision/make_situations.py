"""Writes situations.jsonl: a library, a candidate, and what stage 4 should make of it. Imports nothing of ours.

Each item below is described by hand, with a second wording of every fact as another writer would put it. A situation
is made from an item by its kind; its outcome follows from how it was made, not from what any program says.
Usage: python make_situations.py OUT.jsonl
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Item:
    name: str
    alias: str
    spelling: str
    """The name with a slip that could as well make it another name."""
    category: str
    region: str
    other_region: str
    sister: str
    facts: tuple[tuple[str, str, str], ...]
    """Attribute, value, the same in other words."""
    sacred: bool = False


def item(name: str, alias: str, spelling: str, category: str, regions: str, sister: str, *facts: str) -> Item:
    region, other = regions.split()
    parts = (fact.split(" = ") for fact in facts)
    split = tuple((head.split(": ")[0], head.split(": ")[1], again) for head, again in parts)
    return Item(name, alias, spelling, category, region, other, sister, split, category == "ritual")


ITEMS = (
    item(
        "Tari Piring",
        "Tari Piriang",
        "Tari Pirin",
        "tarian",
        "ID-SB ID-JB",
        "Tari Payung",
        "iringan: talempong, saluang, gandang = saluang; gandang; talempong",
        "busana: baju kurung dan songket = songket, baju kurung",
        "fungsi: hiburan; penyambutan tamu = penyambutan tamu, hiburan",
        "makna: ungkapan syukur atas panen = mengungkapkan syukur atas panenan",
        "pelaku: penari laki-laki dan perempuan = penari perempuan, laki-laki",
    ),
    item(
        "Tari Gandrung",
        "Gandrung Banyuwangi",
        "Tari Gandrunk",
        "tarian",
        "35.10 ID-SB",
        "Tari Seblang",
        "iringan: biola, kendang, gong = gong; kendang; biola",
        "pelaku: penari perempuan = para penari perempuan",
        "waktu: malam hari = pada malam hari",
        "busana: omprok, selendang = selendang dan omprok",
        "fungsi: hiburan = untuk hiburan",
    ),
    item(
        "Rendang",
        "Randang",
        "Rendank",
        "makanan-minuman",
        "ID-SB ID-SN",
        "Gulai Cubadak",
        "bahan: daging sapi, santan, cabai, lengkuas = cabai; daging sapi; lengkuas; santan",
        "rasa: pedas, gurih = gurih dan pedas",
        "penyajian: disajikan dengan nasi = penyajian dengan nasi",
        "fungsi: hidangan hari raya = untuk hidangan hari raya",
        "cara-pembuatan: dimasak perlahan sampai kering = memasak perlahan sampai kering",
    ),
    item(
        "Gudeg",
        "Gudheg",
        "Gudek",
        "makanan-minuman",
        "ID-YO ID-SN",
        "Brongkos",
        "bahan: nangka muda, santan, gula aren = gula aren; nangka muda; santan",
        "rasa: manis = manis",
        "penyajian: dengan krecek dan telur = dengan telur dan krecek",
        "warna: cokelat = warna cokelat",
    ),
    item(
        "Pempek",
        "Empek-empek",
        "Pemprek",
        "makanan-minuman",
        "ID-SS ID-BA",
        "Tekwan",
        "bahan: ikan, sagu = sagu; ikan",
        "penyajian: dengan kuah cuko = disajikan dengan kuah cuko",
        "rasa: gurih, asam, pedas = pedas; asam; gurih",
        "varian: lenjer, kapal selam, adaan = adaan, kapal selam, lenjer",
    ),
    item(
        "Coto Makassar",
        "Coto Mangkasara",
        "Coto Makazar",
        "makanan-minuman",
        "ID-SN ID-SB",
        "Konro",
        "bahan: jeroan sapi, kacang tanah, rempah = kacang tanah; rempah; jeroan sapi",
        "penyajian: dengan ketupat = disajikan dengan ketupat",
        "rasa: gurih = gurih",
        "waktu: pagi dan siang hari = siang dan pagi hari",
    ),
    item(
        "Angklung",
        "Angkloeng",
        "Anglung",
        "alat-musik",
        "ID-JB ID-BA",
        "Calung",
        "bahan: bambu = dari bambu",
        "cara-memainkan: digoyangkan = dengan digoyangkan",
        "fungsi: upacara panen, hiburan = hiburan; upacara panen",
        "golongan: idiofon = idiofon",
        "laras: salendro, pelog = salendro dan pelog",
    ),
    item(
        "Sasando",
        "Sasandu",
        "Sasanto",
        "alat-musik",
        "ID-NT ID-SA",
        "Heo",
        "bahan: daun lontar, bambu = bambu, daun lontar",
        "cara-memainkan: dipetik dengan kedua tangan = memetik dengan kedua tangan",
        "golongan: kordofon = kordofon",
        "bagian: tabung, senar, haik = haik; senar; tabung",
    ),
    item(
        "Kolintang",
        "Kulintang",
        "Kolintank",
        "alat-musik",
        "ID-SA ID-JB",
        "Oli",
        "bahan: kayu telur, kayu wenuang = kayu wenuang; kayu telur",
        "cara-memainkan: dipukul = dengan dipukul",
        "golongan: idiofon = idiofon",
        "jumlah-pemain: 9 orang = sembilan orang",
    ),
    item(
        "Malin Kundang",
        "Si Malin Kundang",
        "Malin Kandang",
        "cerita-rakyat",
        "ID-SB ID-SN",
        "Anggun Nan Tongga",
        "tokoh: Malin Kundang, Mande Rubayah = Mande Rubayah; Malin Kundang",
        "amanat: hormat kepada ibu = menghormati ibu",
        "latar: Air Manis, Padang = Padang, Air Manis",
        "jenis-cerita: legenda = legenda",
    ),
    item(
        "Sangkuriang",
        "Sangkoeriang",
        "Sangkurian",
        "cerita-rakyat",
        "ID-JB ID-BA",
        "Lutung Kasarung",
        "tokoh: Sangkuriang, Dayang Sumbi, Tumang = Tumang; Dayang Sumbi; Sangkuriang",
        "latar: Tangkuban Parahu = Tangkuban Parahu",
        "jenis-cerita: legenda = legenda",
        "bahasa: Sunda = bahasa Sunda",
    ),
    item(
        "Batik Parang Rusak",
        "Parang Rusak",
        "Batik Parang Rusik",
        "motif-kain",
        "ID-YO ID-SN",
        "Batik Parang Kusumo",
        "makna: perjuangan melawan diri sendiri = berjuang melawan diri sendiri",
        "warna: cokelat, putih, hitam = hitam; putih; cokelat",
        "teknik: batik tulis = batik tulis",
        "pemakai: raja, keluarga keraton = keluarga keraton; raja",
    ),
    item(
        "Batik Kawung",
        "Kawoeng",
        "Batik Kawang",
        "motif-kain",
        "ID-YO ID-BA",
        "Batik Truntum",
        "unsur-motif: buah aren = buah aren",
        "warna: cokelat, putih = putih, cokelat",
        "makna: pengendalian diri = mengendalikan diri",
        "teknik: batik tulis, cap = cap dan batik tulis",
    ),
    item(
        "Rumah Gadang",
        "Rumah Bagonjong",
        "Rumah Gadank",
        "produk-arsitektur",
        "ID-SB ID-NT",
        "Surau Gadang",
        "struktur: atap bergonjong = atap yang bergonjong",
        "bahan: kayu, ijuk, bambu = bambu; ijuk; kayu",
        "fungsi: tempat tinggal, musyawarah = musyawarah dan tempat tinggal",
        "bagian: anjungan, bilik, labuah gajah = bilik; labuah gajah; anjungan",
    ),
    item(
        "Tongkonan",
        "Banua Tongkonan",
        "Tongkanan",
        "produk-arsitektur",
        "73.18 ID-SB",
        "Alang",
        "struktur: atap berbentuk perahu = atap yang bentuknya perahu",
        "bahan: kayu uru, bambu = bambu dan kayu uru",
        "suku: Toraja = orang Toraja",
        "fungsi: pusat kehidupan keluarga = sebagai pusat kehidupan keluarga",
    ),
    item(
        "Mandau",
        "Mandao",
        "Mandai",
        "senjata-dan-alat-perang",
        "ID-KT ID-AC",
        "Sumpit",
        "bahan: besi, kayu, tanduk rusa = tanduk rusa; besi; kayu",
        "suku: Dayak = orang Dayak",
        "jenis-senjata: parang = parang",
        "bagian: bilah, hulu, kumpang = kumpang; bilah; hulu",
    ),
    item(
        "Congklak",
        "Dakon",
        "Conglak",
        "permainan-tradisional",
        "ID-JT ID-SN",
        "Gatheng",
        "peralatan: papan berlubang, biji = biji; papan berlubang",
        "jumlah-pemain: 2 orang = dua orang",
        "fungsi: hiburan, belajar berhitung = belajar berhitung; hiburan",
        "pelaku: anak-anak = anak-anak",
    ),
    item(
        "Ampar-Ampar Pisang",
        "Ampar Ampar Pisang",
        "Ampar-Ampar Pisank",
        "musik-dan-lagu",
        "ID-KS ID-BA",
        "Paris Barantai",
        "bahasa: Banjar = bahasa Banjar",
        "pelaku: anak-anak = anak-anak",
        "fungsi: nyanyian bermain = nyanyian untuk bermain",
        "birama: 4/4 = 4/4",
    ),
    item(
        "Wayang Golek",
        "Wajang Golek",
        "Wayang Gulek",
        "seni-pertunjukan",
        "ID-JB ID-BA",
        "Wayang Cepak",
        "bahan: kayu = dari kayu",
        "iringan: gamelan salendro = gamelan salendro",
        "pelaku: dalang, pesinden, nayaga = nayaga; pesinden; dalang",
        "bahasa: Sunda = bahasa Sunda",
    ),
    item(
        "Sekaten",
        "Sekatenan",
        "Sekatan",
        "ritual",
        "ID-YO ID-SN",
        "Grebeg Maulud",
        "waktu: bulan Maulud = pada bulan Maulud",
        "iringan: gamelan sekati = gamelan sekati",
        "tempat-pelaksanaan: alun-alun utara = alun-alun utara",
        "tujuan: memperingati kelahiran Nabi = peringatan kelahiran Nabi",
    ),
)

Record = dict[str, Any]
OFFICIAL, ACADEMIC, COMMUNITY = (
    "https://budaya{n}.go.id/{n}",
    "https://u{n}.ac.id/{n}",
    "https://blog{n}.blogspot.com/{n}",
)


def said(
    each: Item,
    facts: list[tuple[str, str]],
    *,
    name: str = "",
    region: str | None = "",
    aliases: tuple[str, ...] = (),
    source: str = OFFICIAL,
    n: int = 1,
) -> Record:
    regions = [] if region is None else [region or each.region]
    return {
        "name": name or each.name,
        "aliases": list(aliases),
        "category": each.category,
        "regions": regions,
        "facts": facts,
        "url": source.format(n=n),
        "sensitive": each.sacred,
    }


def human(each: Item, text: str, status: str = "published") -> Record:
    return {
        "title": each.name,
        "aliases": [],
        "category": each.category,
        "regions": [each.region],
        "text": text,
        "status": status,
    }


def first(each: Item, count: int | None = None) -> list[tuple[str, str]]:
    return [(a, v) for a, v, _ in each.facts[:count]]


def again(each: Item, count: int | None = None) -> list[tuple[str, str]]:
    return [(a, v) for a, _, v in each.facts[:count]]


def parted(facts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Of the first fact that lists several things, all but the last."""
    for place, (attribute, value) in enumerate(facts):
        if ", " in value:
            return [*facts[:place], (attribute, value.rpartition(", ")[0]), *facts[place + 1 :]]
    return facts


def text_of(each: Item, count: int | None = None) -> str:
    return f"{each.name} dikenal luas. " + " ".join(f"Kata orang, {v}." for _, _, v in each.facts[:count])


def situations(each: Item) -> dict[str, tuple[str, list[Record], list[Record], Record]]:
    """Kind: the expected outcome, human records, held candidates, the candidate."""
    full, other = first(each), again(each)
    half = len(full) // 2
    held = said(each, full, source=ACADEMIC, n=2)
    some = said(each, full[:half], source=ACADEMIC, n=2)
    rest = said(each, full[half:], source=ACADEMIC, n=3)
    sister = said(each, full[:half], name=each.sister, source=ACADEMIC, n=2)
    namesake = said(
        each,
        [("sejarah", f"dikenal sejak lama di daerahnya sendiri sebagai {each.name}")],
        region=each.other_region,
        source=ACADEMIC,
        n=2,
    )
    review = "review" if each.sacred else None
    return {
        "nothing is held": (review or "net-new", [], [], said(each, full)),
        "a sister is held": (review or "net-new", [], [sister], said(each, full)),
        "a namesake elsewhere is held": (review or "net-new", [], [namesake], said(each, full)),
        "all is held": ("skip", [], [held], said(each, full)),
        "all is held in other words": ("skip", [], [held], said(each, other)),
        "a part of a list is held": ("skip", [], [held], said(each, parted(full))),
        "nothing is said": ("skip", [], [held], said(each, [])),
        "some is held": ("enrich", [], [some], said(each, full)),
        "some is held under another name": (
            "enrich",
            [],
            [some],
            said(each, other, name=each.alias, aliases=(each.name,)),
        ),
        "people hold a little": (review or "supplement", [human(each, text_of(each, 1))], [], said(each, full)),
        "people hold all": ("skip", [human(each, text_of(each))], [], said(each, full)),
        "people and the machine hold a part each": (
            "enrich",
            [human(each, text_of(each, 1))],
            [said(each, full[1:2], source=ACADEMIC, n=2)],
            said(each, full),
        ),
        "people and the machine hold all together": (
            "skip",
            [human(each, text_of(each, half))],
            [rest],
            said(each, other),
        ),
        "two in flight hold all together": ("skip", [], [some, rest], said(each, other)),
        "another spelling, place unknown": (
            "review",
            [],
            [held],
            said(each, [("sejarah", "pernah dicatat dalam sebuah laporan lama")], name=each.spelling, region=None),
        ),
        "between two namesakes": (
            "review",
            [],
            [held, namesake],
            said(each, [("sejarah", "pernah dicatat dalam sebuah laporan lama")], region=None),
        ),
        "one blog alone": ("review", [], [], said(each, full, source=COMMUNITY)),
        "people removed it": ("refused", [human(each, text_of(each, 1), "tombstone")], [], said(each, full)),
    }


def main(out: Path) -> None:
    by_kind: dict[str, list[Record]] = {}
    for each in ITEMS:
        for kind, (expected, humans, held, candidate) in situations(each).items():
            made = {"kind": kind, "expected": expected, "humans": humans, "held": held, "candidate": candidate}
            by_kind.setdefault(kind, []).append({"item": each.name, **made})
    lines = []
    for kind, made in sorted(by_kind.items()):
        made.sort(key=lambda each: sha256(f"{kind}/{each['item']}".encode()).hexdigest())
        lines += [{"half": ("development", "held-out")[n % 2], **each} for n, each in enumerate(made)]
    out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
