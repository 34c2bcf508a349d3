from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

import pytest

from lumbung.errors import ProfileError
from lumbung.profiles.loader import load_profile, shipped_profiles


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the small profile, to be spoiled."""
    with resources.as_file(resources.files("lumbung.profiles") / "timor-leste") as source:
        return Path(shutil.copytree(source, tmp_path / "own"))


def change(folder: Path, name: str, old: str, new: str) -> int:
    """The line that was changed."""
    file = folder / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def refusal(folder: Path) -> str:
    load_profile.cache_clear()
    with pytest.raises(ProfileError) as caught:
        load_profile(str(folder))
    return str(caught.value)


def test_every_shipped_profile_fits_together():
    assert {"pdbi", "timor-leste"} <= set(shipped_profiles())
    for name in shipped_profiles():
        profile = load_profile(name)
        assert profile.name == name
        assert profile.categories
        assert profile.regions
        assert profile.lexicon
        assert profile.scope.strip()


def test_a_profile_of_ones_own_is_named_by_its_folder(folder: Path):
    load_profile.cache_clear()
    assert load_profile(str(folder)).regions["TL-DI"].name == "Dili"


def test_an_unknown_profile_is_refused_with_the_names_of_those_that_are_there():
    with pytest.raises(ProfileError, match=r"no profile atlantis.*pdbi.*profile\.toml"):
        load_profile("atlantis")


def test_a_name_that_no_file_system_takes_is_refused_too():
    with pytest.raises(ProfileError, match="no profile"):
        load_profile("a\0b")


def test_confusion_is_mutual_although_it_is_written_once():
    categories = load_profile("pdbi").categories
    for category in categories.values():
        for other in category.confusable:
            assert category.code in categories[other].confusable


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("attributes.csv", ",tais|uma-lulik|dansa,", ",tais|kapal,", "'kapal', which categories.toml does not have"),
        ("attributes.csv", "tinan,Tinan,Year,date", "tinan,Tinan,Year,moon", "kind is 'moon'; use one of date"),
        ("attributes.csv", "date,yes", "date,maybe", "write yes or no"),
        ("attributes.csv", "made of|feito de,things", "made of|feito de,cloth", "shape is 'cloth'; use one of"),
        ("attributes.csv", "tinan|year|ano", "tinan|meaning|ano", "already belongs to 'signifikadu'"),
        ("attributes.csv", "tinan,Tinan", "fatin,Tinan", "'fatin' was used before"),
        ("regions.csv", "TL-BA,TL-BA,Baucau,,province", "Baucau,TL-BA,Baucau,,province", "ISO 3166-2"),
        ("regions.csv", "Ermera,,province", "Ermera,,planet", "level is 'planet'"),
        ("regions.csv", "TL-VI,TL-VI,Viqueque", "TL-DI,TL-VI,Viqueque", "'TL-DI' was used before"),
        ("peoples.csv", "people,,TL-LA", "people,,TL-XX", "'TL-XX', which regions.csv does not have"),
        ("peoples.csv", "people,TL-BA,TL-BA|TL-VI", "people,TL-DI,TL-BA|TL-VI", "the column provinces does not have"),
        ("peoples.csv", "Glottolog fata1247", "", "source is empty"),
        ("peoples.csv", "x-fataluku", "Fataluku", "must begin with x-"),
        ("lexicon/tet.csv", "soru,tais,marker,1", "soru,kapal,marker,1", "'kapal', which categories.toml"),
        ("lexicon/tet.csv", "soru,tais,marker,1", "soru,tais,verb,1", "role is 'verb'"),
        ("lexicon/tet.csv", "soru,tais,marker,1", "soru,tais,marker,much", "weight is 'much'; write a number"),
        ("lexicon/tet.csv", "soru,tais,marker,1", "soru,tais,marker,-1", "not negative"),
        ("lexicon/tet.csv", "futus,tais,marker,1", "kabas,tais,marker,1", "stands here twice"),
        ("lexicon/tet.csv", "soru,tais,marker,1", "soru,tais,marker", "3 cells where the header has 4"),
        ("sources.csv", "official,suffix,gov.tl", "royal,suffix,gov.tl", "type is 'royal'"),
        ("sources.csv", "official,suffix,gov.tl", "official,suffix,Gov.tl", "lower case"),
        ("sources.csv", "official,suffix,gov.tl", "official,path,gov.tl", "must hold a /"),
        ("sensitive.csv", "hamulak,,liafuan", "hamulak,kapal,liafuan", "'kapal', which categories.toml"),
        ("sensitive.csv", ",words of spiritual power", ",", "reason_en is empty"),
        ("sensitive.csv", "liafuan ho forsa espirituál", "", "reason is empty"),
        ("sources.csv", ",government of Timor-Leste", ",", "reason_en is empty"),
        ("seeds/00-public-institutions.csv", ",Elements of", ",,Elements of", "7 cells where the header has 6"),
        (
            "seeds/00-public-institutions.csv",
            "Elementu Timor-Leste nian iha lista UNESCO; seidauk verifika",
            "",
            "note is",
        ),
        ("seeds/00-public-institutions.csv", "https://ich", "ich", "not a web address"),
        ("seeds/00-public-institutions.csv", "TL,,,1", "TL,kapal,,1", "'kapal', which categories.toml"),
        ("seeds/00-public-institutions.csv", "TL,,,1", "TL,,XX-1,1", "'XX-1', which regions.csv or peoples.csv"),
    ],
)
def test_a_line_that_does_not_fit_is_refused_with_file_line_and_remedy(folder, file, old, new, says):
    line = change(folder, file, old, new)
    message = refusal(folder)
    assert f"{file}, line {line}" in message
    assert says in message


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("profile.toml", '"fusion.theta" = 0.85', '"fusion.theta" = 1.85', "between 0.0 and 1.0"),
        ("profile.toml", '"fusion.theta" = 0.85', "", '"fusion.theta" is missing'),
        ("profile.toml", '"fusion.theta" = 0.85', '"fusion.theta" = "high"', "is 'high'; write a number"),
        ("profile.toml", '"fusion.theta" = 0.85', '"fusion.theta" = true', "write a number"),
        ("profile.toml", '"fusion.theta" = 0.85', "theta = 0.85", "dotted name"),
        ("profile.toml", "Asia/Dili", "Asia/Atlantis", "not known"),
        ("profile.toml", 'language = "tet"', 'language = "tetun"', "language"),
        ("profile.toml", 'version = "1"', "version = 1", "version"),
        ("profile.toml", 'version = "1"', "version = ", "not TOML"),
        ("categories.toml", 'code = "hahan"', 'code = "dansa"', "'dansa' stands there twice"),
        ("categories.toml", "target = 100", 'confusable = ["kapal"]', "'kapal', which is no other category"),
        ("categories.toml", "target = 100", "target = -1", "target"),
        ("categories.toml", "target = 100", "colour = 1", "colour"),
        ("attributes.csv", "code,label", "kode,label", "lacks code"),
        ("attributes.csv", "single,categories", "single,single", "categories"),
        ("attributes.csv", "fatin,Fatin", '"fatin,Fatin', "not CSV"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_by_name(folder, file, old, new, says):
    change(folder, file, old, new)
    message = refusal(folder)
    assert file in message
    assert says in message


@pytest.mark.parametrize(
    "name", ["categories.toml", "attributes.csv", "regions.csv", "peoples.csv", "scope.md", "scope.en.md"]
)
def test_a_missing_file_is_refused_by_name(folder, name):
    (folder / name).unlink()
    assert f"{name}: the profile has no such file" in refusal(folder)


def test_bytes_that_are_not_utf8_are_refused_by_place(folder):
    (folder / "sensitive.csv").write_bytes(b"term,category,reason,reason_en\nlulik\xff,,lulik,sacred\n")
    assert "sensitive.csv: not UTF-8 at byte 36" in refusal(folder)


def test_a_scope_that_says_nothing_in_one_language_is_refused(folder):
    (folder / "scope.en.md").write_text(" \n", encoding="utf-8")
    assert "scope.en.md: says nothing" in refusal(folder)


def test_one_reason_says_one_thing_in_english(folder):
    line = change(
        folder,
        "sensitive.csv",
        "sacred,,lulik ba komunidade,held sacred",
        "sacred,,lulik ba komunidade,not held sacred",
    )
    message = refusal(folder)
    assert f"sensitive.csv, line {line + 1}" in message or f"sensitive.csv, line {line}" in message
    assert "in English elsewhere" in message


def test_a_profile_without_seeds_is_whole(folder):
    shutil.rmtree(folder / "seeds")
    load_profile.cache_clear()
    assert load_profile(str(folder)).seeds == {}


def test_words_that_mean_the_same_are_read_if_the_profile_has_any(folder):
    assert load_profile(str(folder)).synonyms == {}
    (folder / "synonyms.csv").write_text("term,means\nBuluh,bambu\n", encoding="utf-8")
    load_profile.cache_clear()
    assert load_profile(str(folder)).synonyms == {"buluh": "bambu"}


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("buluh,bambu\nbuluh,betung\n", "line 3: term 'buluh' stands here twice"),
        ("buluh,bambu\naur,buluh\n", "aur means buluh, which is itself a term"),
        ("buluh,\n", "line 2"),
    ],
)
def test_meanings_that_lead_nowhere_or_in_two_directions_are_refused(folder, lines, says):
    (folder / "synonyms.csv").write_text(f"term,means\n{lines}", encoding="utf-8")
    assert says in refusal(folder)


def test_the_complaint_begins_with_the_profiles_name(folder):
    (folder / "scope.md").unlink()
    assert refusal(folder).startswith(f"Profile {folder}: ")


SENTENCES = """opening = "{title} maka {kind} husi {places}."
[kinds]
dansa = "dansa"
[attributes]
fatin = "Ema halo {title} iha {value}."
[category.dansa]
fatin = "Ema dansa iha {value}."
"""


def test_wording_of_ones_own_is_read_from_ones_own_folder(folder):
    (folder / "sentences.toml").write_text(SENTENCES, encoding="utf-8")
    sentences = load_profile(str(folder)).sentences
    assert sentences.template("dansa", "fatin") == "Ema dansa iha {value}."
    assert sentences.template("hahan", "fatin") == "Ema halo {title} iha {value}."
    assert sentences.labelled == "{label}: {value}."


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("opening", "beginning", "beginning is not known"),
        ('"{title} maka {kind} husi {places}."', "5", "opening is not of the form"),
        ("opening", "template", "template is not known"),
        ('"Ema dansa iha {value}."', "5", "category is not of the form"),
        ("opening", 'openers = "iha"\nopening', "openers is not of the form"),
        ('dansa = "dansa"', 'kapal = "kapal"', "no category 'kapal'"),
        ("category.dansa", "category.kapal", "no category 'kapal'"),
        ("fatin", "kapal", "no attribute 'kapal'"),
        ("opening", 'opening_tells = "kapal"\nopening', "no attribute 'kapal'"),
        ("iha {value}", "iha {where}", "put {value} into it"),
    ],
)
def test_wording_that_does_not_fit_is_refused(folder, old, new, says):
    (folder / "sentences.toml").write_text(SENTENCES.replace(old, new), encoding="utf-8")
    message = refusal(folder)
    assert "sentences.toml" in message
    assert says in message


TILES = "region,short,row,column,narrow_row,narrow_column\nTL-DI,Dili,1,2,1,1\nTL-BA,Baucau,1,3,1,2\n"


def test_a_map_of_ones_own_is_read_from_ones_own_folder(folder):
    (folder / "tiles.csv").write_text(TILES, encoding="utf-8")
    dili, baucau = load_profile(str(folder)).tiles
    assert (dili.region, dili.short, dili.wide, dili.narrow) == ("TL-DI", "Dili", (1, 2), (1, 1))
    assert baucau.wide == (1, 3)


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("TL-BA", "XX-1", 3, "'XX-1', which regions.csv"),
        ("TL-BA", "TL-DI", 3, "TL-DI stands here twice"),
        ("1,3,", "1,2,", 3, "(1, 2) stands here twice (wide)"),
        (",1,2\n", ",1,1\n", 3, "(1, 1) stands here twice (narrow)"),
        (",1,2\n", ",1,7\n", 3, "room for 6 columns"),
        ("1,3,", "1,0,", 3, "a whole number from 1"),
        ("1,3,", "1,b,", 3, "a whole number from 1"),
        ("Baucau", "Baucau-Vila", 3, "room for 9 letters"),
    ],
)
def test_a_tile_that_does_not_fit_is_refused(folder, old, new, line, says):
    (folder / "tiles.csv").write_text(TILES.replace(old, new), encoding="utf-8")
    message = refusal(folder)
    assert f"tiles.csv, line {line}" in message
    assert says in message
