"""Every action that people can take has a place on the command line, so that nothing can be done in the console alone."""

from __future__ import annotations

import ast
from pathlib import Path

from lumbung.model.permission import PERMISSIONS

SOURCE = Path(__file__).parents[2] / "src" / "lumbung"
ACTIONS = (*(SOURCE / "governance" / "actions").glob("*.py"), *(SOURCE / "library" / "actions").glob("*.py"))
WITHIN_OTHERS = {
    "ask": "every request is made by the action that needs a second person",
    "carry_out_calibration": "through approve_request",
    "carry_out_constant": "through approve_request",
    "carry_out_matcher": "through approve_request",
    "carry_out_mode": "through approve_request",
    "carry_out_scope": "through approve_request",
    "carry_out_sensitive_list": "through approve_request",
    "carry_out_source_rules": "through approve_request",
    "demo_people": "through demo_governance",
    "restore_human": "through restore_line",
    "logged": "the log line of the others",
}


def actions() -> dict[str, str]:
    """Functions that take a transaction and whoever acts, by name, with their module."""
    found = {}
    for file in ACTIONS:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.AsyncFunctionDef) and not node.name.startswith("_"):
                names = [argument.arg for argument in node.args.args[:2]]
                if names == ["tx", "actor"]:
                    found[node.name] = file.stem
    return found


def names_in(folder: str) -> set[str]:
    return {
        node.id
        for file in (SOURCE / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name)
    }


def test_every_action_is_reachable_from_the_command_line():
    called = names_in("cli")
    assert {name: module for name, module in actions().items() if name not in called | set(WITHIN_OTHERS)} == {}


def test_whatever_the_web_does_the_command_line_does_through_the_same_function():
    web = names_in("web") & set(actions())
    assert web
    assert web - names_in("cli") - set(WITHIN_OTHERS) == set()


def test_the_exceptions_are_actions_that_exist():
    assert set(WITHIN_OTHERS) <= set(actions())


def test_every_verb_of_the_permission_table_is_asked_for_by_some_action():
    words = {
        node.value
        for file in (*ACTIONS, *(SOURCE / "governance" / "audit").glob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    composed = {"approve-item", "reject-item", "sign-culture", "sign-corpus", "sign-law"}
    assert set(PERMISSIONS) - words - composed == set()
