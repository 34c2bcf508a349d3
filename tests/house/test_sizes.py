"""Functions up to 60 lines and modules up to 400; what is longer is listed with its reason, and the list only shrinks."""

from __future__ import annotations

import ast
import re
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "lumbung"
LONGEST_FUNCTION = 60
LONGEST_MODULE = 400
MOST_REMEMBERED = 32_768
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


def test_what_a_worker_remembers_of_names_is_bounded_however_long_it_lives():
    """A hundred thousand names remembered in ten ways take more room than all the rest of it."""
    remembered = [
        (str(file.relative_to(SOURCE)), int(size.replace("_", "")))
        for file in (SOURCE / "text").rglob("*.py")
        if "matching" not in file.parts  # the memory of one command, gone with it
        for size in re.findall(r"lru_cache\(maxsize=([\d_]+)\)", file.read_text(encoding="utf-8"))
    ]
    assert remembered
    assert [(file, size) for file, size in remembered if size > MOST_REMEMBERED] == []
