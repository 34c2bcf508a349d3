"""`lumbung plan` as a program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = [sys.executable, "-c", "from lumbung.cli.app import main; main()", "plan"]
FUNNEL = [
    "--filter",
    "lexicon:0.004:0.2",
    "--filter",
    "language:0.001:0.6",
    "--stage",
    "extract:0.8:0.5",
    "--stage",
    "decide:2.5:0.3",
]


def plan(*arguments: object, code: int = 0) -> tuple[str, str]:
    done = subprocess.run([*PROGRAM, *map(str, arguments)], capture_output=True, timeout=60, check=False)
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr
    return done.stdout.decode(), done.stderr.decode()


def report(*arguments: object) -> dict[str, Any]:
    return json.loads(plan(*arguments, "--json")[0])  # type: ignore[no-any-return]


def test_the_costs_the_order_and_the_entries_a_day() -> None:
    found = report(*FUNNEL, "--budget", 100)
    assert found["order"] == ["language", "lexicon"]
    c_in = 0.001 + 0.6 * (0.004 + 0.2 * (0.8 + 0.5 * 2.5))
    assert found["c_in"] == pytest.approx(c_in)
    assert found["c_pub"] == pytest.approx(c_in / (0.6 * 0.2 * 0.5 * 0.3))
    assert found["entries_per_day"] == pytest.approx(100 / found["c_pub"])
    assert found["limited_by"] == "budget"
    assert found["c_in_as_given"] > found["c_in"]
    assert found["entries_per_day_interval"] == pytest.approx([found["entries_per_day"]] * 2)


def test_politeness_bounds_the_pages_a_day() -> None:
    found = report(*FUNNEL, "--budget", 1e9, "--hosts", 10, "--delay", 5)
    assert found["pages_per_day"] == pytest.approx(2 * 86_400)
    assert found["limited_by"] == "pages"


def test_measured_figures_give_intervals(tmp_path: Path) -> None:
    table = tmp_path / "funnel.csv"
    table.write_text(
        "stage,cost,passed,seen,deviation,exchangeable\ngate,0.01,200,1000,0.002,yes\nextract,1,90,200,0.3,\n",
        encoding="utf-8",
    )
    found = report(table)
    low, high = found["c_pub_interval"]
    assert low < found["c_pub"] < high
    assert found["order"] == ["gate"]
    assert "entries_per_day_interval" not in found
    for bound in (("--budget", 10), ("--pages", 1000)):
        found = report(table, *bound)
        low, high = found["entries_per_day_interval"]
        assert low < found["entries_per_day"] < high
    assert "(95 %: " in plan(table, "--pages", 1000)[0].splitlines()[-1]


def test_a_funnel_that_lets_nothing_through_has_no_price_an_entry() -> None:
    assert report("--stage", "all:1:0", "--budget", 5)["c_pub"] is None
    assert "nothing is published" in plan("--stage", "all:1:0")[0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Give the funnel's costs"),
        (["--stage", "extract"], "is not NAME:COST:PASS"),
        (["--stage", "extract:dear:0.5"], '"dear" is not a number'),
        (["--stage", "extract:1:1.5"], "pass rate"),
        (["--stage", "extract:-1:0.5"], "cost"),
        (["nowhere.csv"], "There is no file"),
        (["--stage", "a:1:0.5", "--budget", "-3"], "--budget"),
        (["--stage", "a:1:0.5", "--budget", "inf"], "--budget"),
        (["--stage", "a:1:0.5:-3"], "fewer than no items"),
    ],
)
def test_bad_figures_get_one_sentence_and_exit_code_2(arguments: list[str], sentence: str) -> None:
    out, said = plan(*arguments, code=2)
    assert out == ""
    assert sentence in said


def test_a_measured_pass_rate_has_its_interval() -> None:
    [stage] = report("--stage", "extract:1:0.5:100")["stages"]
    assert stage["pass_rate_interval"] == pytest.approx([0.4038, 0.5962], abs=5e-3)
    assert stage["seen"] == 100
    assert report("--stage", "extract:1:0.5")["stages"][0]["pass_rate_interval"] is None
