from __future__ import annotations

from pathlib import Path

import pytest

from lumbung.cli.csv_input import read_table


def test_rows_keep_the_number_they_have_in_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "claims.csv"
    file.write_text("source,value\na,1\nb,2,3\nc,\nd,4\n", encoding="utf-8")
    table = read_table(str(file), leaves_out=True)
    assert "1 row is left out: row 2" in capsys.readouterr().err
    left = table.without({table.column("source").index("c"): "value is empty"})
    assert "row 3: value is empty" in capsys.readouterr().err
    assert left.column("source") == ["a", "d"]
