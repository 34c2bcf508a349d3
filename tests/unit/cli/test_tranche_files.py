"""Seeds as curators write them: odd rows are told and left out, the others are read."""

from __future__ import annotations

import pytest

from lumbung.cli.tranche import read_seeds
from lumbung.errors import UsageError
from lumbung.model.profile import Seed


def test_a_bad_row_stops_no_other_and_a_note_may_run_over_lines(tmp_path, capsys):
    file = tmp_path / "seeds.csv"
    file.write_text(
        '\ufeffURL;Category;cost;note\nhttps://a.example/;tarian;2;"two\nlines\u2028of it"\nhttps://b.example/;;dear;\n;;1;no address\n'
        "https://c.example/;;;;;too many\nhttps://d.example/;;;\n",
        encoding="utf-8",
    )
    assert read_seeds(file) == [
        Seed("https://a.example/", "tarian", "", 2.0, "two\nlines\u2028of it"),
        Seed("https://d.example/", "", "", 1.0, ""),
    ]
    told = capsys.readouterr().err
    assert "3 rows are left out" in told
    for row, why in ((2, "'dear' is not a number"), (3, "no url"), (4, "values for 4 columns")):
        assert f"row {row}: " in told and why in told


@pytest.mark.parametrize("content", [b"", b"name\nx\n", b"\xff\xfeu\x00r\x00l\x00", b"url\n\xff\n", b'url\n"open\n'])
def test_a_file_that_is_no_list_of_seeds_is_refused_in_a_sentence(tmp_path, content):
    file = tmp_path / "seeds.csv"
    file.write_bytes(content)
    with pytest.raises(UsageError):
        read_seeds(file)
