"""Every process of a test run must collect the same tests, so no case may come from the clock or from chance."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
DIFFERENT_EACH_TIME = frozenset(
    {
        "time",
        "time_ns",
        "monotonic",
        "perf_counter",
        "now",
        "utcnow",
        "today",
        "uuid4",
        "token_hex",
        "urandom",
        "getpid",
    }
)


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def fickle_cases(source: str) -> list[int]:
    """The lines on which a parametrised case is drawn from the clock or from chance."""
    decorators = [
        decorator
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and name_of(decorator) == "parametrize"
    ]
    return [
        call.lineno
        for decorator in decorators
        for call in ast.walk(decorator)
        if isinstance(call, ast.Call) and name_of(call) in DIFFERENT_EACH_TIME
    ]


def test_a_case_drawn_from_the_clock_is_seen():
    drawn = '@pytest.mark.parametrize("at", [\n    formatdate(time.time() + 900),\n])\ndef test_it(at): ...\n'
    assert fickle_cases(drawn) == [2]
    assert fickle_cases(drawn.replace("time.time()", "0")) == []


def test_no_case_is_drawn_from_the_clock_or_from_chance():
    found = {
        str(file.relative_to(TESTS)): lines
        for file in TESTS.rglob("test_*.py")
        if (lines := fickle_cases(file.read_text(encoding="utf-8")))
    }
    assert found == {}
