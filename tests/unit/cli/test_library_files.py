from __future__ import annotations

from pathlib import Path

from lumbung.cli.library import csv_records, json_records
from lumbung.errors import LumbungError


def test_a_refused_line_is_named_by_its_place_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(b'\n{"title":"A","text":"a"}\n\n  \nnull\n')
    read = list(json_records(str(file)))
    assert [number for number, _ in read] == [2, 5]
    assert isinstance(read[1][1], LumbungError)


def test_rows_are_counted_without_the_headings(tmp_path: Path) -> None:
    file = tmp_path / "records.csv"
    file.write_text("nama,isi\nA,a\nB,b\n", encoding="utf-8")
    read = list(csv_records(str(file), ["title=nama", "text=isi"]))
    assert [(number, record["title"]) for number, record in read] == [(1, "A"), (2, "B")]
