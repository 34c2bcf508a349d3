"""Every equation of the paper has a home, and every formula a caller. `--write` renews docs/explanation/equations.md."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from equations_table import EQUATIONS, Equation

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "lumbung"
PAGE = ROOT / "docs" / "explanation" / "equations.md"


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def imports_from(file: Path) -> set[tuple[str, str]]:
    """(module, name) couples that a file imports from our own package."""
    found = set()
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lumbung."):
            found |= {(node.module or "", alias.name) for alias in node.names}
    return found


@cache
def names_called(file: Path) -> set[str]:
    """Names that stand in the code beside their import: called, or handed on to be called."""
    nodes = ast.walk(tree_of(file))
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in nodes
        if isinstance(node, ast.Name | ast.Attribute)
    }


def imported_outside(*packages: str) -> set[tuple[str, str]]:
    files = [file for file in SOURCE.rglob("*.py") if not any(file.is_relative_to(SOURCE / each) for each in packages)]
    return set().union(*(imports_from(file) for file in files))


def called_outside(*packages: str) -> set[tuple[str, str]]:
    """(module, name) couples that a file not only imports."""
    files = [file for file in SOURCE.rglob("*.py") if not any(file.is_relative_to(SOURCE / each) for each in packages)]
    found = set()
    for file in files:
        used = names_called(file)
        found |= {(module, name) for module, name in imports_from(file) if name in used}
    return found


def module_of(home: str) -> str:
    return "lumbung." + home.removesuffix(".py").replace("/", ".")


def users_within(home: str, function: str) -> set[str]:
    """Functions and classes of the same module that call it."""
    tree = tree_of(SOURCE / home)
    return {
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and any(isinstance(each, ast.Name) and each.id == function for each in ast.walk(node))
    }


def definitions(home: str) -> dict[str, str]:
    """Public functions and classes of a module, with their docstrings and those of their methods."""
    tree = tree_of(SOURCE / home)
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {
        node.name: " ".join(ast.get_docstring(each) or "" for each in ast.walk(node) if isinstance(each, kinds))
        for node in tree.body
        if isinstance(node, kinds) and not node.name.startswith("_")
    }


def test_all_26_are_there_once() -> None:
    assert [each.number for each in EQUATIONS] == list(range(1, 27))


@pytest.mark.parametrize("equation", [e for e in EQUATIONS if e.kind == "formula"], ids=lambda e: str(e.number))
def test_a_formula_names_its_number_and_is_called_by_the_running_system(equation: Equation) -> None:
    docstring = (
        definitions(equation.home)[equation.function] + (SOURCE / equation.home).read_text(encoding="utf-8")[:200]
    )
    assert f"Eq. ({equation.number})" in docstring or re.search(rf"Eqs\. .*\({equation.number}\)", docstring)
    layer = equation.home.split("/")[0]
    # What only a command for people calls is not part of the running system.
    called = {name for module, name in called_outside(layer, "cli") if module == module_of(equation.home)}
    assert called & {equation.function, *users_within(equation.home, equation.function)}


@pytest.mark.parametrize("equation", [e for e in EQUATIONS if e.kind != "formula"], ids=lambda e: str(e.number))
def test_a_constraint_or_property_names_a_test_that_is_there(equation: Equation) -> None:
    path, _, name = equation.test.partition("::")
    assert equation.kind in {"constraint", "property"}
    assert re.search(rf"def {re.escape(name)}\(", (ROOT / path).read_text(encoding="utf-8"))
    for home in equation.home.split(", "):
        assert (SOURCE / home).exists()


def test_no_function_is_without_a_caller() -> None:
    called = {name for module, name in imported_outside("equations") if module.startswith("lumbung.equations")}
    inside = {name for file in (SOURCE / "equations").glob("*.py") for _, name in imports_from(file)}
    lonely = set()
    for file in (SOURCE / "equations").glob("*.py"):
        text = file.read_text(encoding="utf-8")
        for name in definitions(f"equations/{file.name}"):
            if name not in called | inside and len(re.findall(rf"\b{name}\b", text)) < 2:
                lonely.add(f"{file.stem}.{name}")
    assert lonely == set()


def page() -> str:
    lines = [
        "# The paper's equations and where they live",
        "",
        "Each is a *formula* (a pure function that the running system calls), a *constraint* (the schema or the runtime",
        "refuses what breaks it, and a test tries) or a *property* (a law tested on the running system). This page is",
        "written by `python tests/house/test_equations.py --write`; a test keeps it true.",
        "",
        "| Eq. | name | kind | home | where we depart from the paper |",
        "|---:|---|---|---|---|",
    ]
    for each in EQUATIONS:
        home = f"`{each.home}`" + (f", `{each.function}`" if each.function else "")
        tested = f"; tried by `{each.test.partition('::')[0]}`" if each.test else ""
        lines.append(f"| {each.number} | {each.name} | {each.kind} | {home}{tested} | {each.repair} |")
    return "\n".join(lines) + "\n"


def test_the_page_says_what_the_table_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


if __name__ == "__main__" and "--write" in sys.argv:
    PAGE.write_text(page(), encoding="utf-8")
