"""`lumbung match` as a program on anybody's CSV."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-c", "from lumbung.cli.app import main; main()", "match"]
CULTURE = """id,nama,kategori,daerah,bahan
1,Tari Piring,tarian,Sumatera Barat,piring
2,Tarian Piring,tarian,Kab. Agam,piring
3,Wajang Koelit,seni pertunjukan,Jawa Tengah,kulit kerbau
4,wayang kulit,seni pertunjukan,Jawa Tengah,kulit kerbau
5,Batik Parang Rusak,motif kain,Yogyakarta,kapas
6,Batik Parang Kusumo,motif kain,Yogyakarta,sutra
7,Rendang,makanan minuman,Sumatera Barat,daging sapi
8,Tari Topeng,tarian,Cirebon,
9,Tari Topeng,tarian,Malang,
10,Angklung,alat musik,Jawa Barat,bambu
"""
ROLES = ["--id", "id", "--name", "nama", "--category", "kategori", "--region", "daerah", "--attribute", "bahan"]


def match(*arguments: object, code: int = 0, typed: bytes = b"") -> tuple[list[dict[str, str]], str]:
    done = subprocess.run([*PROGRAM, *map(str, arguments)], input=typed, capture_output=True, timeout=120, check=False)
    said = done.stderr.decode()
    assert done.returncode == code, said
    assert "Traceback" not in said
    return list(csv.DictReader(io.StringIO(done.stdout.decode()))), said


@pytest.fixture
def culture(tmp_path: Path) -> Path:
    path = tmp_path / "left.csv"
    path.write_text(CULTURE, encoding="utf-8")
    return path


def test_duplicates_are_found_and_named_things_kept_apart(culture: Path) -> None:
    rows, _ = match(culture, *ROLES)
    found = {(row["left_id"], row["right_id"]) for row in rows if row["match"] == "1"}
    assert found == {("1", "2"), ("3", "4")}
    assert all(list(row) == ["left_id", "right_id", "score", "match", "evidence"] for row in rows)


def test_the_evidence_says_of_every_column_how_far_the_two_agree(culture: Path) -> None:
    rows, _ = match(culture, *ROLES)
    evidence = json.loads(next(row for row in rows if row["left_id"] == "1")["evidence"])
    assert set(evidence) == {"name", "kategori", "daerah", "bahan"}
    assert evidence["daerah"]["agreement"] == "related"
    assert evidence["bahan"]["weight"] > 0


def test_asked_pairs_are_answered_in_their_order_however_unlike(culture: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("left_id,right_id\n7,10\n2,1\n5,6\n8,9\n", encoding="utf-8")
    rows, _ = match(culture, *ROLES, "--pairs", pairs)
    assert [(row["left_id"], row["right_id"]) for row in rows] == [("7", "10"), ("2", "1"), ("5", "6"), ("8", "9")]
    assert [row["match"] for row in rows] == ["0", "1", "0", "0"]


def test_two_files_are_linked_only_across(culture: Path, tmp_path: Path) -> None:
    right = tmp_path / "right.csv"
    right.write_text("id,nama,kategori,daerah,bahan\na,Tarian Piring,tarian,Sumatera Barat,piring\n", encoding="utf-8")
    rows, _ = match(culture, right, *ROLES)
    assert {row["right_id"] for row in rows} == {"a"}
    assert {row["left_id"] for row in rows if row["match"] == "1"} == {"1", "2"}


def test_labels_change_what_is_believed(culture: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("left_id,right_id,match\n8,9,1\n1,2,1\n3,4,1\n5,6,0\n7,10,0\n", encoding="utf-8")
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("left_id,right_id\n8,9\n", encoding="utf-8")
    before, _ = match(culture, *ROLES, "--pairs", pairs)
    after, _ = match(culture, *ROLES, "--pairs", pairs, "--labels", labels)
    assert float(after[0]["score"]) > float(before[0]["score"])


def test_the_threshold_is_the_callers_word(culture: Path) -> None:
    rows, _ = match(culture, *ROLES, "--threshold", "1")
    assert {row["match"] for row in rows} <= {"0"}


def test_it_reads_from_a_pipe_and_guesses_the_usual_headings(tmp_path: Path) -> None:
    typed = "\ufeffid;name;year\n1;Maria Garcia;1980\n2;Garcia Maria;1980\n3;John Smith;1975\n".encode()
    rows, _ = match("-", typed=typed)
    assert [(row["left_id"], row["right_id"]) for row in rows if row["match"] == "1"] == [("1", "2")]


def test_a_table_without_records_has_no_pairs(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("id,name\n", encoding="utf-8")
    assert match(empty) == ([], "0 pairs compared, 0 matches at threshold 0.500.\n")


@pytest.mark.parametrize(
    ("raw", "arguments", "sentence"),
    [
        (b"", [], "is empty"),
        (b"id,name\n1,\xff\xfe\n", [], "is not UTF-8 (line 2)"),
        (b"id,name\n1,a\x00\n", [], "NUL"),
        (b"id,name\n1,a,b,c\n", [], "row 1: 4 values for 2 columns"),
        (b'id,name\n1,"a\n', [], "not readable as CSV"),
        (b"id,id\n1,2\n", [], "twice"),
        (b"id,\n1,2\n", [], "has no heading"),
        (b"id,name\n1,a\n", ["--name", "nama"], 'has no column "nama"'),
        (b"kode2,name\n1,a\n", [], "name the id column with --id"),
        (b"id,name\n1,\n2,\n", [], "the columns to compare hold no values"),
        (b"id,name\n1,a\n", ["--threshold", "7"], "--threshold"),
        (b"id,name\n1,a\n", ["--pairs", "nowhere.csv"], "There is no file nowhere.csv"),
        (b"id,name\n1,a\n", ["--colour", "x"], "No such option"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(
    tmp_path: Path, raw: bytes, arguments: list[str], sentence: str
) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(raw)
    rows, said = match(path, *arguments, code=2)
    assert rows == []
    assert sentence in said


def test_every_asked_pair_is_answered_in_its_place_an_unknown_id_with_an_error(culture: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("left_id,right_id\n1,77\n2,1\n,1\n1,2\n", encoding="utf-8")
    rows, _ = match(culture, *ROLES, "--pairs", pairs)
    assert [(row["left_id"], row["right_id"]) for row in rows] == [("1", "77"), ("2", "1"), ("", "1"), ("1", "2")]
    assert ["error" in json.loads(row["evidence"]) for row in rows] == [True, False, True, False]
    assert rows[0]["score"] == rows[0]["match"] == ""


def test_records_and_labels_that_cannot_be_used_are_left_out_and_told(tmp_path: Path) -> None:
    path, labels = tmp_path / "records.csv", tmp_path / "labels.csv"
    path.write_text("id,name\n1,Tari Payung\n1,Tari Piring\n,Tari Saman\n2,Tari Payung\n3,a,b\n", encoding="utf-8")
    labels.write_text("left_id,right_id,match\n1,2,perhaps\n1,9,1\n", encoding="utf-8")
    rows, said = match(path, "--labels", labels)
    assert [(row["left_id"], row["right_id"]) for row in rows] == [("1", "2")]
    for why in ('the id "1" stands there twice', "no value in the id column", "3 values for 2 columns"):
        assert why in said
    assert 'match is 1 or 0, not "perhaps"' in said
    assert 'there is no record with the id "1" or "9"' in said


def test_a_table_as_spreadsheets_write_it_is_read_and_asked_pairs_are_answered(tmp_path: Path) -> None:
    table, asked = tmp_path / "odd.csv", tmp_path / "pairs.csv"
    table.write_bytes(b'\xef\xbb\xbfid;nama\r\n1;"Tari\nPiring"\r\n2;Tari Piring\r\n3;Tari Saman\r\n')
    asked.write_bytes(b"\xef\xbb\xbfleft_id;right_id\r\n1;2\r\n1;3\r\n")
    rows, _ = match(table, "--id", "id", "--name", "nama", "--pairs", asked)
    assert [row["match"] for row in rows] == ["1", "0"]
