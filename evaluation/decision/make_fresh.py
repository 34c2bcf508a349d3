"""Writes fresh_situations.jsonl: other items and other shapes of library and candidate than situations.jsonl has.

Written before any program was run on it. As there, an outcome follows from how a situation was made.
Usage: python make_fresh.py OUT.jsonl
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from make_situations import ACADEMIC, COMMUNITY, OFFICIAL, Item, Record, again, first, human, item, said

ITEMS = (
    item(
        "Rawon",
        "Rawon Daging",
        "Rawun",
        "makanan-minuman",
        "ID-JI ID-SN",
        "Lodho",
        "bahan: daging sapi, kluwek, bawang merah = kluwek; bawang merah; daging sapi",
        "warna: hitam = berwarna hitam",
        "penyajian: dengan nasi dan taoge = disajikan dengan taoge dan nasi",
        "rasa: gurih = rasanya gurih",
    ),
    item(
        "Papeda",
        "Bubur Papeda",
        "Papida",
        "makanan-minuman",
        "ID-PA ID-JB",
        "Sinole",
        "bahan: tepung sagu = sagu",
        "penyajian: dengan ikan kuah kuning = bersama ikan kuah kuning",
        "cara-pembuatan: tepung disiram air panas sambil diaduk = menyiram tepung dengan air panas sambil mengaduknya",
        "rasa: tawar = tawar",
    ),
    item(
        "Tari Serimpi",
        "Srimpi",
        "Tari Serimpai",
        "tarian",
        "ID-YO ID-SN",
        "Tari Golek",
        "jumlah-pemain: 4 orang = empat orang",
        "iringan: gamelan = iringan gamelan",
        "pelaku: penari perempuan = para penari perempuan",
        "gerak: lambat dan halus = halus, lambat",
    ),
    item(
        "Tari Saman",
        "Saman Gayo",
        "Tari Samman",
        "tarian",
        "ID-AC ID-JI",
        "Tari Guel",
        "pelaku: penari laki-laki = para penari laki-laki",
        "gerak: tepuk tangan, tepuk dada = tepuk dada; tepuk tangan",
        "bahasa: Gayo = bahasa Gayo",
        "fungsi: dakwah, hiburan = hiburan; dakwah",
    ),
    item(
        "Tifa",
        "Tiwa",
        "Tiffa",
        "alat-musik",
        "ID-PA ID-JB",
        "Fuu",
        "bahan: kayu, kulit rusa = kulit rusa dan kayu",
        "cara-memainkan: dipukul = dengan dipukul",
        "golongan: membranofon = membranofon",
        "fungsi: mengiringi tarian = pengiring tarian",
    ),
    item(
        "Serune Kalee",
        "Serunai Aceh",
        "Serune Kali",
        "alat-musik",
        "ID-AC ID-JT",
        "Bangsi Alas",
        "bahan: kayu, kuningan = kuningan; kayu",
        "cara-memainkan: ditiup = dengan ditiup",
        "golongan: aerofon = aerofon",
        "fungsi: mengiringi tarian, menyambut tamu = penyambutan tamu; mengiringi tarian",
    ),
    item(
        "Timun Mas",
        "Timun Emas",
        "Timun Mos",
        "cerita-rakyat",
        "ID-JT ID-KB",
        "Cindelaras",
        "tokoh: Timun Mas, Mbok Srini, raksasa = raksasa; Mbok Srini; Timun Mas",
        "jenis-cerita: dongeng = dongeng",
        "amanat: berani menghadapi kesulitan = keberanian menghadapi kesulitan",
        "latar: hutan = di hutan",
    ),
    item(
        "Keong Mas",
        "Keong Emas",
        "Keong Mos",
        "cerita-rakyat",
        "ID-JI ID-SB",
        "Cindelaras",
        "tokoh: Candra Kirana, Inu Kertapati, Dewi Galuh = Dewi Galuh; Inu Kertapati; Candra Kirana",
        "jenis-cerita: cerita Panji = cerita Panji",
        "latar: Daha, Jenggala = Jenggala dan Daha",
        "bahasa: Jawa = bahasa Jawa",
    ),
    item(
        "Batik Mega Mendung",
        "Megamendung",
        "Batik Mega Mandung",
        "motif-kain",
        "ID-JB ID-SN",
        "Batik Paksi Naga Liman",
        "unsur-motif: awan = gambar awan",
        "warna: biru, putih, merah = merah; putih; biru",
        "makna: kesabaran, kesejukan = kesejukan dan kesabaran",
        "teknik: batik tulis = batik tulis",
    ),
    item(
        "Tenun Gringsing",
        "Geringsing",
        "Tenun Gringsang",
        "motif-kain",
        "ID-BA ID-KB",
        "Tenun Cepuk",
        "teknik: ikat ganda = tenun ikat ganda",
        "warna: merah, hitam, kuning = kuning; merah; hitam",
        "fungsi: upacara adat = untuk upacara adat",
        "bahan: benang kapas = kapas",
    ),
    item(
        "Egrang",
        "Jangkungan",
        "Egreng",
        "permainan-tradisional",
        "ID-YO ID-RI",
        "Gobak Sodor",
        "bahan: bambu = dari bambu",
        "pelaku: anak-anak = dimainkan anak-anak",
        "fungsi: hiburan, melatih keseimbangan = latihan keseimbangan; hiburan",
        "tempat-bermain: tanah lapang = di tanah lapang",
    ),
    item(
        "Kujang",
        "Kujang Sunda",
        "Kujing",
        "senjata-dan-alat-perang",
        "ID-JB ID-SN",
        "Bedog",
        "bahan: besi, baja = baja; besi",
        "bagian: papatuk, eluk, tadah = tadah; eluk; papatuk",
        "jenis-senjata: senjata tikam = senjata tikam",
        "makna: lambang kewibawaan = perlambang kewibawaan",
    ),
    item(
        "Baju Bodo",
        "Waju Tokko",
        "Baju Boda",
        "pakaian-tradisional",
        "ID-SN ID-JT",
        "Baju La'bu",
        "pemakai: perempuan = dipakai perempuan",
        "bahan: kain muslin = muslin",
        "fungsi: upacara adat, pernikahan = pernikahan; upacara adat",
        "warna: merah, hijau, ungu = ungu, merah, hijau",
    ),
    item(
        "Ludruk",
        "Ludruk Surabaya",
        "Ludrak",
        "seni-pertunjukan",
        "ID-JI ID-SB",
        "Kentrung",
        "pelaku: pemain laki-laki = para pemain laki-laki",
        "iringan: gamelan = gamelan",
        "bahasa: Jawa = bahasa Jawa",
        "fungsi: hiburan rakyat = menghibur rakyat",
    ),
)
OLD_LETTERS = (("j", "dj"), ("y", "j"), ("c", "tj"), ("u", "oe"), ("J", "Dj"), ("Y", "J"), ("C", "Tj"), ("U", "Oe"))


def in_old_spelling(name: str) -> str:
    places = dict(OLD_LETTERS)
    return "".join(places.get(letter, letter) for letter in name)


def prose(each: Item, count: int | None = None) -> str:
    told = [f"{attribute.replace('-', ' ')} {value}" for attribute, _, value in each.facts[:count]]
    return f"Orang di daerah ini mengenal {each.name}. Tentangnya orang bercerita: " + ", lalu ".join(told) + "."


def removed(each: Item) -> Record:
    return human(each, "Dihapus atas permintaan.", "tombstone") | {"title": each.alias}


def elsewhere(each: Item) -> Record:
    return human(each, f"{each.name} di daerah lain.") | {"regions": [each.other_region]}


def shapes(each: Item) -> dict[str, tuple[str, list[Record], list[Record], Record]]:
    """Kind: the expected outcome, human records, held candidates, the candidate."""
    full, other = first(each), again(each)
    alone = "review" if each.sacred else "net-new"
    blogs = [said(each, full[:2], source=COMMUNITY, n=4), said(each, full[2:], source=COMMUNITY, n=5)]
    spread = [
        said(each, full[:1], source=ACADEMIC, n=2),
        said(each, full[1:2], source=OFFICIAL, n=3),
        said(each, full[2:], source=COMMUNITY, n=4),
    ]
    sisters = [
        said(each, full[:2], name=each.sister, source=ACADEMIC, n=2),
        said(each, full[1:], name=f"{each.sister} Kuno", source=ACADEMIC, n=3),
    ]
    known = said(each, full[:2], aliases=(each.alias,), source=ACADEMIC, n=2)
    return {
        "sisters that share its facts are held": (alone, [], sisters, said(each, full)),
        "its facts are spread over three pages": ("skip", [], spread, said(each, other, n=6)),
        "a page knew a quarter of it": ("enrich", [], [said(each, full[:1], source=ACADEMIC, n=2)], said(each, other)),
        "people told a quarter of it in prose": (
            "review" if each.sacred else "supplement",
            [human(each, prose(each, 1))],
            [],
            said(each, full),
        ),
        "people told all of it in prose": ("skip", [human(each, prose(each))], [], said(each, full)),
        "people removed it under its other name": (
            "refused",
            [removed(each)],
            [],
            said(each, full, aliases=(each.alias,)),
        ),
        "a third blog repeats two": ("skip", [], blogs, said(each, other, source=COMMUNITY, n=6)),
        "a blog that people know nothing of": ("review", [], [], said(each, full[:2], source=COMMUNITY)),
        "people hold a namesake elsewhere": (alone, [elsewhere(each)], [], said(each, full)),
        "in old spelling, nothing new": (
            "skip",
            [],
            [said(each, full, source=ACADEMIC, n=2)],
            said(each, full[:2], name=in_old_spelling(each.name)),
        ),
        "under its other name, with more": ("enrich", [], [known], said(each, full[1:], name=each.alias)),
        "a mention without facts": ("skip", [], [known], said(each, [], source=COMMUNITY)),
    }


def main(out: Path) -> None:
    lines = [
        {
            "half": "fresh",
            "item": each.name,
            "kind": kind,
            "expected": expected,
            "humans": humans,
            "held": held,
            "candidate": candidate,
        }
        for each in ITEMS
        for kind, (expected, humans, held, candidate) in shapes(each).items()
    ]
    out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
