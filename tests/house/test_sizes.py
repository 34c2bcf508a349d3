"""Functions up to 60 lines and modules up to 400; what is longer is listed with its reason, and the list only shrinks."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "lumbung"
LONGEST_FUNCTION = 60
LONGEST_MODULE = 400
LISTED: dict[str, str] = {}


def modules():
    return sorted(SOURCE.rglob("*.py"))


def test_no_module_is_too_long():
    found = {str(file.relative_to(SOURCE)): file.read_text(encoding="utf-8").count("\n") for file in modules()}
    assert {name: lines for name, lines in found.items() if lines > LONGEST_MODULE and name not in LISTED} == {}


def test_no_function_is_too_long():
    found = {}
    for file in modules():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                name = f"{file.relative_to(SOURCE)}:{node.name}"
                found[name] = (node.end_lineno or node.lineno) - node.lineno + 1
    assert {name: lines for name, lines in found.items() if lines > LONGEST_FUNCTION and name not in LISTED} == {}


def test_the_list_of_exceptions_is_not_longer_than_needed():
    files = {str(file.relative_to(SOURCE)) for file in modules()}
    assert all(name.split(":")[0] in files for name in LISTED)
