from __future__ import annotations

import pytest

from lumbung.model.profile import ValueKind
from lumbung.text.coverage import Said, covered, said_within, said_words
from lumbung.text.values import value_key


@pytest.mark.parametrize(
    ("kind", "value", "held", "told", "expected"),
    [
        (ValueKind.SET, "ikan; sagu", ["ikan, telur", "sagu"], "Bahan", True),
        (ValueKind.SET, "ikan; udang", ["ikan, telur"], "Bahan", False),
        (ValueKind.SET, "bahasa Sunda", ["Sunda"], "Bahasa", True),
        (ValueKind.DATE, "1945", ["17 Agustus 1945"], "Tahun", True),
        (ValueKind.DATE, "17 Agustus 1945", ["1945"], "Tahun", False),
        (ValueKind.PLACE, "Padang", ["Air Manis, Padang"], "Latar", True),
        (ValueKind.TEXT, "hormat kepada ibu", ["menghormati ibu kepada siapa pun"], "Amanat", True),
        (ValueKind.TEXT, "hormat kepada guru", ["menghormati ibu"], "Amanat", False),
        (ValueKind.NUMBER, "9 orang", ["10 orang"], "Jumlah", False),
        (ValueKind.TEXT, "apa saja", [], "Makna", False),
        (ValueKind.TEXT, "panjang 200 cm", ["panjang 2 meter, lebar 40 cm"], "Ukuran", True),
        (ValueKind.TEXT, "panjang 20 cm", ["panjang 2 meter, lebar 40 cm"], "Ukuran", False),
        (ValueKind.TEXT, "90 menit", ["satu setengah jam", "1,5 jam"], "Durasi", True),
        (ValueKind.TEXT, "dijelujur lalu dicelup", ["jelujur dan celup"], "Teknik", True),
        (ValueKind.TEXT, "dicelup tanpa dijelujur", ["jelujur dan celup"], "Teknik", False),
        (ValueKind.TEXT, "bersegi delapan", ["segi delapan berkubah"], "Struktur", True),
        (ValueKind.TEXT, "bulan kesepuluh", ["tanggal 20 bulan ke-10"], "Waktu", True),
        (ValueKind.TEXT, "bulan kesembilan", ["tanggal 20 bulan ke-10"], "Waktu", False),
        (ValueKind.TEXT, "bersegi enam", ["segi delapan berkubah"], "Struktur", False),
        (ValueKind.SET, "Joko Tarub, Nawangwulan", ["Jaka Tarub, Nawang Wulan, Nawangsih"], "Tokoh", True),
        (ValueKind.SET, "Joko Tingkir", ["Jaka Tarub, Nawang Wulan"], "Tokoh", False),
        (ValueKind.PERSON, "Raja Purnawarman", ["Purnawarman"], "Penguasa", True),
        (ValueKind.PERSON, "Raja Mulawarman", ["Purnawarman"], "Penguasa", False),
        (ValueKind.NUMBER, "enam sampai delapan orang", ["6-8 orang"], "Jumlah pemain", True),
        (ValueKind.SET, "asam pedas", ["asam, pedas"], "Rasa", True),
        (ValueKind.SET, "asam manis", ["asam, pedas"], "Rasa", False),
        (ValueKind.SET, "Bandung Bondowoso", ["Bandung Bandawasa"], "Tokoh", True),
        (ValueKind.TEXT, "tinggi sekitar 18 meter", ["tinggi 18 m"], "Ukuran", True),
        (ValueKind.TEXT, "ungkapan rasa syukur atas panen", ["bersyukur atas hasil panen padi"], "Tujuan", True),
        (ValueKind.TEXT, "tenun ikat", ["ikat"], "Teknik motif batik tenun ikat songket", True),
        (ValueKind.TEXT, "tenun songket", ["tenun ikat"], "Teknik motif batik tenun ikat songket", False),
        (ValueKind.SET, "Melayu Riau", ["Melayu"], "Bahasa lagu Soleram Riau", True),
        (ValueKind.SET, "Riau", ["Melayu"], "Bahasa lagu Soleram Riau", False),
        (ValueKind.TEXT, "panjang 90 cm", ["panjang 60 cm"], "Ukuran", False),
        (ValueKind.SET, "tiga utas dawai", ["3 dawai, kepala"], "Bagian", True),
        (ValueKind.SET, "empat utas dawai", ["3 dawai, kepala"], "Bagian", False),
        (ValueKind.SET, "bergaris-garis", ["garis"], "Unsur motif", True),
        (ValueKind.DATE, "700 Saka", ["778 M"], "Tahun", True),
        (ValueKind.DATE, "700 Saka", ["700 M"], "Tahun", False),
        (ValueKind.DATE, "abad kesembilan", ["tahun 856"], "Tahun", True),
        (ValueKind.DATE, "tahun 856", ["abad ke-9"], "Tahun", False),
        (ValueKind.NUMBER, "penarinya berjumlah ganjil", ["ganjil"], "Jumlah penari tari", True),
        (ValueKind.NUMBER, "penarinya berjumlah genap", ["ganjil"], "Jumlah penari tari", False),
        (ValueKind.TEXT, "panjang antara 27 sampai 29 sentimeter", ["27–29 cm"], "Ukuran", True),
        (ValueKind.TEXT, "panjang 27 cm", ["tinggi 27 cm"], "Ukuran", False),
        (ValueKind.SET, "tiga warna: putih, merah dan hitam", ["merah, hitam, putih"], "Warna", True),
        (ValueKind.SET, "tiga warna: putih, merah dan biru", ["merah, hitam, putih"], "Warna", False),
        (ValueKind.SET, "dua bersaudara, Calungga dan Calupat", ["Calungga, Calupat"], "Tokoh", False),
        (ValueKind.SET, "gerakan menganyam jala", ["menarik pukat, menganyam jala"], "Gerak", True),
        (ValueKind.SET, "bahasa Minang", ["Minang"], "Bahasa", True),
        (ValueKind.TEXT, "dilaksanakan tiga tahun sekali", ["setiap tiga tahun"], "Waktu pelaksanaan", True),
        (ValueKind.TEXT, "sekali dalam dua tahun", ["setiap tiga tahun"], "Waktu pelaksanaan", False),
        (
            ValueKind.SET,
            "pisang kepok yang dihaluskan, telur serta santan",
            ["pisang kepok, telur, santan"],
            "Bahan",
            True,
        ),
        (ValueKind.SET, "pisang raja yang dihaluskan", ["pisang kepok, telur, santan"], "Bahan", False),
        (ValueKind.SET, "gerakan menghentakkan kaki", ["hentakan kaki"], "Gerak", True),
        (ValueKind.SET, "ditulis pada daun lontar", ["daun lontar"], "Bahan", True),
        (ValueKind.SET, "ditulis pada kulit kayu", ["daun lontar"], "Bahan", False),
        (ValueKind.TEXT, "penari yang tidak menikah", ["penari"], "Syarat", False),
        (
            ValueKind.TEXT,
            "menepati janji yang telah diucapkan",
            ["janji yang diucapkan harus ditepati"],
            "Amanat",
            True,
        ),
        (ValueKind.PERSON, "Sri Susuhunan Paku Buwono IV", ["Pakubuwana IV"], "Pencipta", True),
        (ValueKind.PERSON, "Sri Susuhunan Paku Buwono V", ["Pakubuwana IV"], "Pencipta", False),
        (ValueKind.PLACE, "Payakumbuh, Sumatera Barat", ["Payakumbuh"], "Tempat Sumatera Barat", True),
        (ValueKind.PLACE, "Payakumbuh, Riau", ["Payakumbuh"], "Tempat Sumatera Barat", False),
        (ValueKind.PLACE, "Sumatera Barat", ["Payakumbuh"], "Tempat Sumatera Barat", False),
    ],
)
def test_a_value_is_covered_by_those_that_say_as_much(
    kind: ValueKind, value: str, held: list[str], told: str, expected: bool
) -> None:
    said, *known = (Said(value_key(each, kind), each) for each in (value, *held))
    assert covered(said, known, kind, told) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("9 orang", True),
        ("sembilan penari", True),
        ("7 orang", False),
        ("panjang selendang 200 cm", True),
        ("penari perempuan", True),
        ("penari laki-laki", False),
    ],
)
def test_a_human_text_holds_a_value_whose_words_and_numbers_stand_in_it(value: str, expected: bool) -> None:
    text = said_words(
        "Tari ini dibawakan sembilan orang perempuan. Penarinya memakai selendang yang panjangnya 2 meter."
    )
    assert said_within(value, text) is expected
