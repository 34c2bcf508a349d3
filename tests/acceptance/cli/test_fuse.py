"""`lumbung fuse` as a program on anybody's claims."""

from __future__ import annotations

import csv
import io
import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-c", "from lumbung.cli.app import main; main()", "fuse"]
HEADINGS = ["object", "attribute", "value", "probability", "sources", "independent_sources", "winner"]
PAGE = (
    "Tarian ini lahir di sebuah kampung nelayan, dibawakan sembilan perempuan pada malam purnama, dan diwariskan "
    "oleh para tetua kepada cucu mereka sampai hari ini"
)


def fuse(text: str, *arguments: str, code: int = 0) -> tuple[list[dict[str, str]], str]:
    done = subprocess.run(
        [*PROGRAM, "-", *arguments], input=text.encode(), capture_output=True, timeout=60, check=False
    )
    said = done.stderr.decode()
    assert done.returncode == code, said
    assert "Traceback" not in said
    return list(csv.DictReader(io.StringIO(done.stdout.decode()))), said


def believed(text: str, *arguments: str) -> dict[tuple[str, str], float]:
    rows, _ = fuse(text, *arguments)
    return {(row["object"], row["value"]): float(row["probability"]) for row in rows}


def test_the_default_credibilities_meet_the_thresholds() -> None:
    claims = (
        "source,object,attribute,value,source_type\n"
        "a,X,asal,Aceh,academic\nb,Y,asal,Bali,community\nc,Z,asal,Riau,community\nd,Z,asal,Riau,community\n"
    )
    found = believed(claims)
    assert found["X", "Aceh"] >= 0.85
    assert found["Y", "Bali"] < 0.85
    assert found["Z", "Riau"] < 0.97


def test_copies_count_once_and_the_switch_turns_that_off() -> None:
    claims = "source,object,attribute,value,text\ngood1,X,tahun,1910,\ngood2,X,tahun,1910,\n" + "".join(
        f'copy{n},X,tahun,1930,"{PAGE}"\n' for n in range(4)
    )
    on, _ = fuse(claims, "--single-valued", "tahun")
    assert [(row["value"], row["winner"], row["sources"], row["independent_sources"]) for row in on] == [
        ("1910", "1", "2", "2"),
        ("1930", "0", "4", "1"),
    ]
    off, _ = fuse(claims, "--single-valued", "tahun", "--kinship", "off")
    assert off[0]["value"] == "1930"
    assert list(off[0]) == HEADINGS


def test_pages_of_one_domain_are_one_witness_and_an_encyclopaedia_is_none() -> None:
    claims = (
        "source,object,attribute,value,source_type\n"
        "https://a.budaya.go.id/1,X,asal,Bali,official\nhttps://b.budaya.go.id/2,X,asal,Bali,official\n"
        "https://ensiklopedia.test/x,X,asal,Riau,encyclopaedia\n"
    )
    rows, _ = fuse(claims)
    assert (rows[0]["value"], rows[0]["independent_sources"]) == ("Bali", "1")
    assert (rows[1]["value"], float(rows[1]["probability"])) == ("Riau", 0.0)


def test_spellings_of_one_value_are_one_value() -> None:
    claims = "source,object,attribute,value\na,X,asal,Jawa Tengah\nb,X,asal,jawa tengah\nc,X,asal,Djawa Tengah\n"
    rows, _ = fuse(claims)
    assert [(row["sources"], row["winner"]) for row in rows] == [("3", "1")]


def test_values_compete_only_where_they_must() -> None:
    several = "source,object,attribute,value\na,X,bahan,kayu\na,X,bahan,kulit\nb,X,bahan,kayu\n"
    assert min(believed(several).values()) > 0.5
    assert sum(believed(several, "--single-valued", "bahan").values()) <= 1.000001


@pytest.mark.parametrize(
    ("text", "arguments", "sentence"),
    [
        ("", [], "is empty"),
        ("source,object,value\na,b,c\n", [], 'no column "attribute"'),
        ("source,object,attribute,value\na,b,c,\n", [], "row 1: value is empty"),
        ("source,object,attribute,value,source_type\na,b,c,d,royal\n", [], '"royal" is no source type'),
        ("source,object,attribute,value\na,b,c,d\n", ["--single-valued", "tahun"], 'no claim on the attribute "tahun"'),
        ("source,object,attribute,value\na,b,c,d\n", ["--kinship", "perhaps"], "perhaps"),
    ],
)
def test_bad_claims_get_one_sentence_and_exit_code_2(text: str, arguments: list[str], sentence: str) -> None:
    rows, said = fuse(text, *arguments, code=2)
    assert rows == []
    assert sentence in said


def test_a_claim_that_cannot_be_used_is_left_out_and_the_rest_goes_on() -> None:
    rows, said = fuse(
        "source,object,attribute,value,source_type\n"
        "a,batik,asal,Solo,\n,batik,asal,Solo,\nb,batik,asal,Solo,royal\nc,batik,asal,Solo,,,x\nd,batik,asal,Solo,official\n"
    )
    assert [(row["value"], row["sources"]) for row in rows] == [("Solo", "2")]
    assert "row 4: 7 values for 5 columns" in said
    assert "row 2: source is empty" in said
    assert '"royal" is no source type' in said


def test_very_many_sources_on_one_question_are_weighed() -> None:
    rows, _ = fuse("source,object,attribute,value\n" + "".join(f"s{n},X,tahun,{1900 + n % 40}\n" for n in range(4000)))
    assert len(rows) == 40
    assert {row["independent_sources"] for row in rows} == {"100"}


def test_a_value_too_long_to_be_one_is_left_out() -> None:
    rows, said = fuse("source,object,attribute,value\na,X,asal,Aceh\nb,X,asal," + "x" * 200_000 + "\n")
    assert [row["value"] for row in rows] == ["Aceh"]
    assert "a value of 200000 characters is no value" in said
