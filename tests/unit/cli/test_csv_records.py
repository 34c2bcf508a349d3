"""A human corpus as CSV, from whatever program wrote it."""

from __future__ import annotations

import pytest

from lumbung.cli.library import csv_records
from lumbung.errors import UsageError


def table(tmp_path, text):
    file = tmp_path / "korpus.csv"
    file.write_bytes(text.encode())
    return str(file)


def test_columns_are_named_by_people_and_a_bad_row_stops_no_other(tmp_path):
    text = '\ufeffJudul;Isi;Alias\r\nReog;"Isi; dua\r\nbaris";"Reyog; Reyok"\r\nPendek;saja\r\nPanjang;x;y;z\r\nTerakhir;ada;\r\n'
    records = list(csv_records(table(tmp_path, text), ["title=Judul", "text=Isi", "aliases=Alias"]))
    assert [number for number, _ in records] == [1, 2, 3, 4]
    assert records[0][1]["text"] == "Isi; dua\r\nbaris"
    assert records[1][1]["aliases"] == ""
    assert str(records[2][1]) == "4 values for 3 columns"
    assert records[3][1]["title"] == "Terakhir"


@pytest.mark.parametrize(
    ("mapping", "told"),
    [
        ([], "no column title"),
        (["title=name"], "no column text"),
        (["titel=name"], "no field titel"),
        (["title=nama"], 'no column "nama"'),
        (["title"], "field=column"),
    ],
)
def test_what_no_row_could_mend_is_told_before_anything_starts(tmp_path, mapping, told):
    with pytest.raises(UsageError, match=told):
        csv_records(table(tmp_path, "name,body\nx,y\n"), mapping)
