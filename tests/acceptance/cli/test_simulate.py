"""`lumbung simulate` as a program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

PROGRAM = [sys.executable, "-c", "from lumbung.cli.app import main; main()", "simulate"]


def simulate(*arguments: object, code: int = 0) -> tuple[str, str]:
    done = subprocess.run([*PROGRAM, *map(str, arguments)], capture_output=True, timeout=60, check=False)
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr
    return done.stdout.decode(), done.stderr.decode()


def report(*arguments: object) -> dict[str, Any]:
    return json.loads(simulate(*arguments, "--json", "--runs", 100)[0])  # type: ignore[no-any-return]


def test_a_subcritical_frontier_dies_and_tranches_prolong_it() -> None:
    found = report("--offspring", "poisson:0.9", "--seeds", 50, "--tranches", "50,50")
    assert found["m"] == pytest.approx(0.9)
    assert found["q"] == 1
    assert found["expected_pages"] == pytest.approx(500)
    assert found["without_reseeding"]["pages_mean"] == pytest.approx(500, rel=0.15)
    assert found["simulated"]["pages_mean"] == pytest.approx(1500, rel=0.15)
    assert found["simulated"]["tranches_used_mean"] == 2


def test_a_frontier_at_the_edge_dies_but_its_pages_have_no_end_to_expect() -> None:
    found = report("--offspring", "poisson:1", "--seeds", 3, "--generations", 20)
    assert (found["q"], found["expected_pages"]) == (1, None)


def test_a_page_with_one_link_each_never_dies() -> None:
    found = report("--offspring", "fixed:1", "--seeds", 3, "--generations", 20)
    assert (found["m"], found["q"], found["extinction_time"]["median"]) == (1, 0, None)
    assert found["expected_pages"] is None


def test_observed_counts_give_the_mean_with_its_interval(tmp_path: Path) -> None:
    counts = tmp_path / "links.txt"
    counts.write_text("links\n" + "0\n1\n2\n0\n" * 50, encoding="utf-8")
    found = report("--offspring", counts)
    assert found["m"] == pytest.approx(0.75)
    assert found["m_interval"][0] < 0.75 < found["m_interval"][1] < 1
    table = tmp_path / "table.csv"
    table.write_text("count,frequency\n0,100\n1,50\n2,50\n", encoding="utf-8")
    assert report("--offspring", table)["m"] == pytest.approx(0.75)


def test_the_same_seed_gives_the_same_runs() -> None:
    assert report("--offspring", "zipf:2.5", "--random-seed", 4) == report(
        "--offspring", "zipf:2.5", "--random-seed", 4
    )


def test_the_chart_is_well_formed(tmp_path: Path) -> None:
    chart = tmp_path / "frontier.svg"
    simulate("--offspring", "geometric:0.8", "--svg", chart, "--runs", 20)
    assert ET.parse(chart).getroot().tag.endswith("svg")


def test_people_read_sentences_not_json() -> None:
    told, _ = simulate("--runs", 20)
    assert "extinction probability, q" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--offspring", "nowhere.txt"], "There is no file nowhere.txt"),
        (["--offspring", "poisson:-1"], "is no law"),
        (["--offspring", "poisson:nan"], "is no law"),
        (["--offspring", "poisson:0.9:3"], "is no law"),
        (["--offspring", "gauss:1"], "is no law"),
        (["--tranches", "many"], "--tranches"),
        (["--seeds", "0"], "--seeds"),
        (["--svg", "/nowhere/chart.svg", "--runs", "2"], "cannot be written"),
    ],
)
def test_bad_questions_get_one_sentence_and_exit_code_2(arguments: list[str], sentence: str) -> None:
    out, said = simulate(*arguments, code=2)
    assert out == ""
    assert sentence in said


def test_a_bad_line_of_observations_is_named(tmp_path: Path) -> None:
    counts = tmp_path / "links.txt"
    counts.write_text("1\nmany\n", encoding="utf-8")
    assert "line 2" in simulate("--offspring", counts, code=2)[1]


def test_a_list_within_lists_without_end_is_told_in_one_sentence(tmp_path: Path) -> None:
    counts = tmp_path / "links.json"
    counts.write_text("[" * 100_000, encoding="utf-8")
    assert "begins like a JSON list" in simulate("--offspring", counts, code=2)[1]


def test_a_law_without_a_finite_mean_is_cut_and_says_so() -> None:
    told, said = simulate("--offspring", "zipf:0.5", "--runs", 20)
    assert "cut at 10000 links a page" in said
    assert "over 10^12 pages" in told
    assert max(map(len, told.splitlines())) < 160
    assert report("--offspring", "zipf:2.5")["cut_at"] is None


def test_a_binomial_law_of_many_links_is_a_law() -> None:
    found = report("--offspring", "binomial:5000:0.0002")
    assert found["m"] == pytest.approx(1)
    assert report("--offspring", "binomial:3:1")["q"] == 0


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [("a,b\n1,2\n", "its columns are: a, b."), ("-1\n2\n", 'line 1: "-1"'), ("1.5\n2\n", 'line 1: "1.5"')],
)
def test_other_columns_and_a_bad_first_line_are_not_taken_for_a_heading(
    tmp_path: Path, lines: str, sentence: str
) -> None:
    (tmp_path / "links.csv").write_text(lines)
    assert sentence in simulate("--offspring", tmp_path / "links.csv", code=2)[1]
