from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LUMBUNG = Path(sys.executable).with_name("lumbung")


def ask(verb: str, lines: list[str], source: str = "-") -> list[dict[str, Any]]:
    done = subprocess.run(
        [LUMBUNG, "url", verb, source], input="\n".join(lines).encode(), capture_output=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_parse_answers_every_line_in_order() -> None:
    answers = ask(
        "parse",
        [
            '{"input":"../b","base":"http://example.org/a/c"}',
            '{"input":"mailto:a@b"}',
            '{"input":"http://user:pw@EXAMPLE.org:80/?a#b","base":null}',
            '{"input":"x"}',
            '{"input":"x","base":"about:blank"}',
        ],
    )
    assert [(answer["input"], answer["href"]) for answer in answers] == [
        ("../b", "http://example.org/b"),
        ("mailto:a@b", None),
        ("http://user:pw@EXAMPLE.org:80/?a#b", "http://user:pw@example.org/?a#b"),
        ("x", None),
        ("x", None),
    ]
    assert [bool(answer["reason"]) for answer in answers] == [False, True, False, True, True]
    assert all(set(answer) == {"input", "href", "reason"} for answer in answers)


def test_a_bad_line_is_answered_and_the_rest_goes_on() -> None:
    bad = ["{", "[1]", '{"base":"x"}', '{"input":5}', '{"input":"a","base":3}', '{"input":NaN}', "\udcff"]
    done = subprocess.run(
        [LUMBUNG, "url", "normalize", "-"],
        input="\n".join([*bad, '{"input":"http://a.id"}']).encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(bad) + 1
    assert all("error" in answer for answer in answers[:-1])
    assert answers[-1] == {"input": "http://a.id", "url": "http://a.id/", "reason": None}


def test_lone_surrogates_are_read_as_the_standard_says_and_echoed_as_they_came() -> None:
    (answer,) = ask("parse", ['{"input":"http://example.org/\\ud800\\udfff-\\udfff"}'])
    assert answer["input"] == "http://example.org/\U000103ff-\udfff"
    assert answer["href"] == "http://example.org/%F0%90%8F%BF-%EF%BF%BD"


def test_normalize_of_its_own_answer_changes_nothing(tmp_path: Path) -> None:
    first = ask("normalize", ['{"input":"HTTP://Example.org:80/%7Ea/index.html?b=2&utm_source=x&a=1#top"}'])
    assert first[0]["url"] == "http://example.org/~a/?a=1&b=2"
    file = tmp_path / "urls.jsonl"
    file.write_text(json.dumps({"input": first[0]["url"]}))
    assert ask("normalize", [], str(file))[0]["url"] == first[0]["url"]


def test_a_missing_file_is_wrong_usage() -> None:
    done = subprocess.run([LUMBUNG, "url", "parse", "/no/such"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
