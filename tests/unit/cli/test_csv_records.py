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


@pytest.mark.parametrize(
    "text",
    [
        "judul;isi, lengkap\nReog;Tari, topeng\n",
        '"judul";"isi, lengkap"\n"Reog";"Tari, topeng"\n',
        "sep=;\r\njudul;isi, lengkap\r\nReog;Tari, topeng\r\n",
        "\ufeffsep=\t\njudul\tisi, lengkap\nReog\tTari, topeng\n",
        "judul\tisi, lengkap\nReog\tTari, topeng\n",
        '"isi, lengkap",judul\n"Tari, topeng",Reog\n',
    ],
)
def test_the_separator_is_the_one_that_parts_the_headings_or_that_is_named_before_them(tmp_path, text):
    ((_, record),) = csv_records(table(tmp_path, text), ["title=judul", "text=isi, lengkap"])
    assert (record["title"], record["text"]) == ("Reog", "Tari, topeng")


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("latin-1", "not UTF-8 .line 2.; save it as UTF-8"),
        ("utf-16", "UTF-16; save it as UTF-8"),
        ("cp1252", "not UTF-8"),
    ],
)
def test_another_encoding_is_told_before_anything_starts(tmp_path, encoding, told):
    file = tmp_path / "korpus.csv"
    file.write_bytes("title,text\nOndé-ondé,Kué\n".encode(encoding))
    with pytest.raises(UsageError, match=told):
        csv_records(str(file), [])
