from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.names import name_key
from lumbung.text.spelling import modernise
from lumbung.text.stemming import root_words

OLD_AND_MODERN = [
    ("Wajang Koelit", "Wayang Kulit"), ("Wajang Kulit", "Wayang Kulit"), ("WAJANG KOELIT", "WAYANG KULIT"),
    ("Djaipongan", "Jaipongan"), ("Tjirebon", "Cirebon"), ("Soerabaja", "Surabaya"), ("Njonja", "Nyonya"),
    ("Njai Roro Kidoel", "Nyai Roro Kidul"), ("Radja Ampat", "Raja Ampat"), ("Banjoewangi", "Banyuwangi"),
    ("Tandjoeng Priok", "Tanjung Priok"), ("Padjadjaran", "Pajajaran"), ("Gending Sriwidjaja", "Gending Sriwijaya"),
    ("Sjair Siti Zoebaidah", "Syair Siti Zubaidah"), ("Hikajat Hang Toeah", "Hikayat Hang Tuah"), ("Atjeh", "Aceh"),
    ("Minjak Kelapa", "Minyak Kelapa"), ("Soto Ajam", "Soto Ayam"), ("Rudjak Tjingur", "Rujak Cingur"),
    ("Kebaja", "Kebaya"), ("Perajaan", "Perayaan"), ("Achir", "Akhir"), ("chendol", "cendol"), ("Kachang", "Kacang"),
    ("Babad Tanah Djawi", "Babad Tanah Jawi"), ("Bĕdåjå Ketawang", "Bĕdåyå Ketawang"), ("Djokjakarta", "Yogyakarta"),
    ("Kota Raja Soeka Djaja", "Kota Raya Suka Jaya"), ("bunji-bunjian", "bunyi-bunyian"),
]  # fmt: skip

MODERN = [
    "Wajan", "Jaipong", "Joged", "Tari Topeng Cirebon", "Raja", "Baju Kurung", "Batavia", "Masjid Raya", "Panjang Jimat",
    "Banjar", "Tari Rejang", "Nasi Jinggo", "Kaja", "Lajang", "Rujak", "Kujang", "Janger", "Panji Semirang", "Majapahit",
    "Cheng Ho", "Poetry", "Spekkoek", "Penjor", "Toraja", "Jathilan", "Tanjidor", "Wajik", "Bajo", "Kejawen",
]  # fmt: skip


@pytest.mark.parametrize(("old", "modern"), OLD_AND_MODERN)
def test_old_spelling_is_put_into_todays(old, modern):
    assert modernise(old) == modern


@pytest.mark.parametrize("name", MODERN)
def test_a_name_in_todays_spelling_is_left_alone(name):
    assert modernise(name) == name


def test_a_persons_old_spelling_does_not_bend_the_words_beside_it():
    assert modernise("Tari Jemuan Soekarno") == "Tari Jemuan Sukarno"


def test_most_dictionary_words_come_back_from_the_spelling_before_1947():
    old_letters = {"ny": "nj", "sy": "sj", "kh": "ch", "c": "tj", "j": "dj", "y": "j", "u": "oe"}
    words = sorted(word for word in root_words() if re.fullmatch("[a-z]{4,}", word))[::9]
    pairs = [(word, re.sub("ny|sy|kh|[cjyu]", lambda m: old_letters[m.group()], word)) for word in words]
    changed = [(word, old) for word, old in pairs if word != old]
    found = sum(name_key(word) == name_key(old) for word, old in changed)
    assert len(changed) > 1000
    assert found / len(changed) > 0.98


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.text(alphabet="abdeijnopstuchyk DJTNO'-", max_size=30))
def test_modernising_twice_is_modernising_once(name):
    assert modernise(modernise(name)) == modernise(name)


@pytest.mark.parametrize("name", ["Bañja", "Soeñjo", "ǹjai", "Ďjawa", "ťjandi", "Čhandi", "Öeloen"])
def test_a_letter_with_a_sign_in_a_digraph_is_no_fault(name: str) -> None:
    assert modernise(modernise(name)) == modernise(name)


@pytest.mark.parametrize(
    ("old", "modern"),
    [
        ("Pajakumbuh", "Payakumbuh"),
        ("Gianjar", "Gianyar"),
        ("Indramaju", "Indramayu"),
        ("Dajak Kenjah", "Dayak Kenyah"),
        ("Pagarujung", "Pagaruyung"),
        ("Ganjar", "Ganjar"),
        ("Banjar", "Banjar"),
    ],
)
def test_places_and_peoples_of_the_middle_spelling_are_known_without_further_evidence(old, modern):
    assert modernise(old) == modern


@pytest.mark.parametrize(
    "name",
    [
        "Tanggungjawab",
        "Pesuruhjaya",
        "Ketidakjelasan",
        "Pelajaran",
        "Rojak",
        "Bojong",
        "Mahjong",
        "RSJ",
        "DJ",
        "Projek",
        "Crusoe",
    ],
)
def test_what_only_looks_like_the_old_spelling_stays(name: str) -> None:
    assert modernise(name) == name
