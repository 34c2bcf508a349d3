from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.language import Identified, identify, languages
from lumbung.text.language_words import has_betawi_words, of_the_pair
from lumbung.text.ngrams import word_hash, word_ratio

# Sentences on traditions, written for this test: none of the training texts is about them.
SENTENCES = [
    (
        "ind",
        "Tari Saman adalah tarian tradisional suku Gayo di Aceh yang ditampilkan untuk merayakan peristiwa penting.",
    ),
    ("ind", "Candi Borobudur dibangun pada abad ke-8 oleh wangsa Syailendra dan terletak di Magelang, Jawa Tengah."),
    ("ind", "Wajang koelit jaitoe seboeah kesenian Djawa jang dimainkan oleh seorang dalang dengan diiringi gamelan."),
    (
        "zsm",
        "Wayang kulit ialah sejenis teater tradisional yang menggunakan prinsip cahaya dan dimainkan oleh tok dalang.",
    ),
    (
        "zsm",
        "Baju kurung merupakan pakaian tradisional masyarakat Melayu yang biasanya dipakai oleh kaum wanita di Malaysia.",
    ),
    ("jav", "Wayang kulit iku salah sijining kesenian tradhisional Jawa kang misuwur banget ing saindenging jagad."),
    (
        "jav",
        "Gamelan ikoe piranti moesik saka tanah Djawa kang digawe saka proenggoe oetawa wesi, lan ditaboeh bebarengan.",
    ),
    ("sun", "Angklung nyaéta alat musik tradisional Sunda anu dijieun tina awi, ditabeuh ku cara dieundeukkeun."),
    ("ban", "Legong inggih punika silih tunggil sesolahan sane kasub ring Bali, kasolahang antuk anak istri."),
    ("min", "Rumah gadang adolah rumah adat urang Minangkabau nan banyak basuo di Sumatera Barat."),
    ("mad", "Sapè kerrabhân èngghi panèka lomba balapan sapè sè asalla ḍâri Polo Madhurâ."),
    ("ace", "Seudati nakeuh saboh tarian nyang asai jih dari Acèh, nyang geumeunari lé ureueng agam."),
    ("bbc", "Ulos i ma sada abit na niulahon ni halak Batak, na dipangke di angka ulaon adat."),
    ("bjn", "Sasirangan tu kain adat urang Banjar di Kalimantan Selatan nang diulah lawan cara dijalujur."),
    ("bew", "Ondel-ondel entu boneka gede nyang suka diarak di Betawi kalo ada pesta ama hajatan orang kampung."),
    ("eng", "Batik is a technique of wax-resist dyeing applied to whole cloth that originated on Java."),
    ("nld", "De wajang is een Javaans poppenspel dat door een dalang wordt opgevoerd met begeleiding van een gamelan."),
    ("deu", "Das Wayang ist ein indonesisches Schattenspiel, das von einem Puppenspieler vorgeführt wird."),
    ("fra", "Le batik est une technique d'impression des étoffes pratiquée depuis des siècles à Java."),
    ("por", "O batik é uma técnica de tingimento em tecido artesanal que surgiu na ilha de Java."),
    ("jpn", "バティックはインドネシアのろうけつ染めの布地です。"),
    ("zho", "蠟染是印尼傳統的紡織工藝。"),
    ("ara", "الباتيك هو فن تقليدي في إندونيسيا يستخدم الشمع لصباغة الأقمشة."),
    ("zsm", "وايڠ كوليت اياله سجنيس تياتر تراديسيونل يڠ مڠݢوناكن چهاي دان بايڠ"),
]
OWN_SCRIPTS = [
    ("jav", "Java", "ꦮꦪꦁꦏꦸꦭꦶꦠ꧀ꦲꦶꦏꦸꦏꦱꦼꦤꦶꦪꦤ꧀ꦗꦮ"),
    ("ban", "Bali", "ᬮᬾᬕᭀᬂᬩᬮᬶ"),
    ("sun", "Sund", "ᮃᮀᮊᮣᮥᮀ ᮞᮥᮔ᮪ᮓ"),
    ("bug", "Bugi", "ᨄᨉᨙᨌᨙᨂᨗ ᨕᨗᨐᨕᨙ ᨒᨛᨄᨂᨙ"),
    ("bbc", "Batk", "ᯂᯬᯒᯘ᯲ ᯅᯖᯂ᯲"),
    ("btx", "Batk", "ᯂᯒᯭ"),
    ("rej", "Rjng", "ꤽꥍꤺꥏ"),
]
NO_LANGUAGE_OF_OURS = [
    "Kantele on suomalainen perinteinen kielisoitin, jota soitetaan näppäilemällä kieliä.",
    "Türk halk müziği Anadolu'nun çeşitli bölgelerinde söylenen geleneksel ezgilerden oluşur.",
    "Áo dài là trang phục truyền thống của Việt Nam dành cho cả nam và nữ giới.",
    "Ang tinikling ay isang katutubong sayaw ng mga Pilipino na gumagamit ng kawayan.",
    "Presenta documentos seleccionados del archivo nacional sobre danzas rituales de Filipinas.",
    "Polka to czeski taniec ludowy w metrum parzystym popularny w całej Europie.",
    "asdfkj qwoeiru zxcvm alskdjf qpwoeiru",
    "Москва столица России",
    "12345 67 89",
    "🎭🎭🎭",
    "",
    "Surabaya, Jakarta, Bandung, Medan, Makassar",
]


def test_a_word_that_only_one_of_two_neighbours_writes_outweighs_several_that_lean_to_the_other():
    words = {word_hash("guni"): -90, word_hash("itu"): 25, word_hash("dapat"): 25, word_hash("melihat"): 30}
    table = sorted(words.items())
    hashes = np.array([word for word, _ in table], dtype=np.uint32)
    ratios = np.array([ratio for _, ratio in table], dtype=np.int8)
    assert word_ratio(" guni itu dapat melihat ", hashes, ratios) < word_ratio(" itu guni ", hashes, ratios) / 4
    assert word_ratio(" itu dapat melihat ", hashes, ratios) > 0
    assert word_ratio("  ", hashes, ratios) == 0


@pytest.mark.parametrize(("language", "text"), SENTENCES)
def test_a_sentence_is_in_its_language(language, text):
    found = identify(text)
    assert found.language == language
    assert 0.4 <= found.confidence <= 1


@pytest.mark.parametrize(("language", "script", "text"), OWN_SCRIPTS)
def test_a_text_in_its_own_script_is_in_the_language_of_that_script(language, script, text):
    found = identify(text)
    assert (found.language, found.script) == (language, script)


@pytest.mark.parametrize("text", NO_LANGUAGE_OF_OURS)
def test_what_is_in_none_of_the_languages_is_undetermined(text):
    found = identify(text)
    assert (found.language, found.confidence) == ("und", 0.0)


def test_a_long_text_is_judged_by_more_than_its_beginning():
    cited = "Batik is a technique of wax-resist dyeing. " * 40
    told = "Batik adalah kain bergambar yang dibuat dengan menorehkan malam pada kain itu. " * 400
    assert identify(cited + told).language == "ind"


def test_addresses_and_figures_do_not_count():
    noise = " https://example.org/the/quick/brown 2024 someone@example.org"
    text = "Rumah gadang adolah rumah adat urang Minangkabau nan banyak basuo di Sumatera Barat."
    assert identify(text + noise).language == "min"


def test_every_language_asked_for_can_be_answered():
    asked = (
        "ind zsm jav sun mad min ban bug mak ace bbc bjn bew nij mui rej tet eng nld deu fra por jpn zho ara sas ljp"
    )
    assert set(asked.split()) <= set(languages())


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.text(max_size=120))
def test_any_text_gets_an_answer(text):
    found = identify(text)
    assert isinstance(found, Identified)
    assert found.language in languages()
    assert 0 <= found.confidence <= 1


@pytest.mark.parametrize(
    "text",
    [
        "Tari Gambyong adalah tarian dari Surakarta.",
        "Kain tapis adalah kain tradisional dari Lampung yang ditenun dari benang kapas dan dihiasi sulaman benang emas.",
        "Hudoq adalah tarian topeng masyarakat Dayak Bahau dan Dayak Modang di Kalimantan Timur.",
        "Seblak adalah makanan khas Bandung, Jawa Barat, yang terbuat dari kerupuk basah yang dimasak dengan telur.",
        "TARI SAMAN ADALAH TARIAN DARI ACEH",
    ],
)
def test_indonesian_prose_about_culture_is_indonesian_whatever_names_stand_in_it(text: str) -> None:
    assert identify(text).language == "ind"


@pytest.mark.parametrize(
    "title", ["Rendang", "Tari Saman", "Rumah Gadang", "Batik Parang", "Gamelan ageng Sekati", "yang"]
)
def test_a_title_of_a_few_words_names_no_language(title: str) -> None:
    assert identify(title) == Identified("und", "Latn", 0.0)


@pytest.mark.parametrize(
    "code",
    [
        "SELECT * FROM users WHERE id=1;",
        "import numpy as np\nfor i in range(10): print(i)",
        '{"name": "the house of the people", "type": "text"}',
        "<div class='a'><p>the</p></div>",
    ],
)
def test_programs_are_in_no_language(code: str) -> None:
    assert identify(code).language == "und"


def test_one_word_of_betawi_tells_it_from_indonesian():
    plain = "Agar tidak terlena dengan kehidupan yang membuat jejak langkah {} terhenti di tengah jalan."
    assert identify(plain.format("itu")).language == "ind"
    assert identify(plain.format("ntu")).language == "bew"


def test_javanese_in_arabic_letters_is_not_malay():
    assert identify("ايكي كتاب كڠ نراڠاكي بب صلاة لن وضوء ايڠ دينا ايكي").language == "jav"
    assert identify("اين اداله سبواه كتاب يڠ منرڠكن تنتڠ صلاة دان وضوء دڠن جلس").language == "zsm"


@pytest.mark.parametrize(
    "text",
    [
        "Tari Saman dari Kabupaten Gayo Lues, Aceh adalah tarian.",
        "Tari Gambyong berasal dari Surakarta, Jawa Tengah.",
        "Benteng Otanaha adalah benteng kuno di Kota Gorontalo.",
        "Ngaben adalah upacara pembakaran jenazah yang dilakukan umat Hindu di Bali.",
    ],
)
def test_a_definition_full_of_names_is_indonesian(text):
    assert identify(text).language == "ind"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "zsm",
            "Dari bentuk yang unik hingga bunyi yang merdu, alat muzik ini menjadi kebanggaan penduduk di hulu sungai.",
        ),
        ("zsm", "Badannya panjang dan berbentuk hampir empat segi serta diperbuat dari kayu yang ringan."),
        (
            "ind",
            "Rumah ini mempunyai enam pintu untuk jalan masuk serta keluar, empat untuk laki-laki dan dua untuk tamu.",
        ),
        (
            "ind",
            "Dari bentuk yang unik hingga bunyi yang merdu, alat musik ini menjadi kebanggaan penduduk di hulu sungai.",
        ),
    ],
)
def test_a_word_that_only_one_of_the_pair_writes_tells_them_apart(language: str, text: str) -> None:
    assert identify(text).language == language


def test_a_colour_makes_no_betawi() -> None:
    assert not has_betawi_words("didominasi warna cokelat tua, oranye, dan putih")
    assert has_betawi_words("warnenye merah")


@pytest.mark.parametrize(
    "text",
    [
        "Los niños juegan en la calle mientras llueve y su madre los mira desde la ventana.",
        "Els nens juguen al carrer mentre plou i la seva mare els mira des de la finestra.",
        "Die kinders speel buite terwyl dit reën en hulle ma kyk vir hulle deur die venster.",
        "بچه‌ها زیر باران در بیرون خانه بازی می‌کنند و مادرشان نگاه می‌کند",
        "كتابخانه اي كه در اين شهر ساخته شد از آن مردم است",
    ],
)
def test_a_neighbour_of_a_language_is_not_taken_for_it(text: str) -> None:
    assert identify(text).language == "und"


def test_a_list_of_names_is_in_no_language() -> None:
    assert identify("Surabaya, Semarang, Bandung, Medan, Makassar, Denpasar").language == "und"


def test_many_words_of_one_standard_outweigh_one_of_the_other() -> None:
    assert of_the_pair("bahawa syarikat itu ditubuhkan kerana undang-undang Jepang, iaitu sahaja") == "zsm"
    assert of_the_pair("kerana karena") is None
