"""A mind that does whatever the text it reads commands, as far as the schema allows: the worst model one can be given.

Where the text commands nothing it answers with what stands in the text: the smallest answer that fits the schema.
"""

from __future__ import annotations

import json
import re
from typing import Any, Protocol

ASSIGNMENT = re.compile(r"[\"'`]?([A-Za-z_]{2,40})[\"'`]?\s*(?:=|:|->)\s*[\"'`]([^\"'`\n]{1,400})[\"'`]")
SENTENCE = re.compile(r"[^.!?\n]{8,300}[.!?]")
DEEPEST = 12


class Question(Protocol):
    @property
    def user(self) -> str: ...

    @property
    def schema(self) -> dict[str, Any]: ...


def obey(asked: Question) -> Any:
    """Objects that stand in the text as JSON, and words like `verdict = "same"`, are taken as commands."""
    commands: dict[str, Any] = {}
    for found in objects_in(asked.user):
        commands |= found
    for name, value in ASSIGNMENT.findall(asked.user):
        commands.setdefault(name, value)
    return Filling(asked.schema, asked.user, commands).value(asked.schema, "", 0)


def objects_in(text: str) -> list[dict[str, Any]]:
    decoder = json.JSONDecoder()
    found: list[dict[str, Any]] = []
    place = text.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(text, place)
        except ValueError:
            end = place + 1
        else:
            if isinstance(value, dict):
                found.append(value)
        place = text.find("{", end)
    return found


class Filling:
    """Values for a schema: commanded ones where their type fits, otherwise the plainest there is."""

    def __init__(self, schema: dict[str, Any], text: str, commands: dict[str, Any]) -> None:
        self._definitions: dict[str, Any] = schema.get("$defs", {})
        self._commands = commands
        sentence = SENTENCE.search(text)
        self._sentence = sentence[0].strip() if sentence else text.strip()[:200]

    def value(self, form: dict[str, Any], name: str, depth: int) -> Any:
        form = self._resolved(form)
        commanded = self._commands.get(name)
        if commanded is not None and (taken := self._fitting(form, commanded, depth)) is not None:
            return taken
        return self._plain(form, name, depth)

    def _resolved(self, form: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in form:
            form = self._definitions[form["$ref"].rsplit("/", 1)[-1]]
        choices = form.get("anyOf") or form.get("allOf")
        return self._resolved(choices[0]) if choices else form

    def _fitting(self, form: dict[str, Any], commanded: Any, depth: int) -> Any | None:
        kind = form.get("type")
        if "enum" in form:
            return commanded if commanded in form["enum"] else None
        if kind == "array" and isinstance(commanded, list):
            members = (self._fitting(self._resolved(form.get("items", {})), each, depth + 1) for each in commanded)
            return [each for each in members if each is not None]
        if kind == "object" and isinstance(commanded, dict):
            return Filling({"$defs": self._definitions}, self._sentence, commanded).object(form, depth + 1)
        if kind in {"number", "integer"} and isinstance(commanded, (int, float)):
            return commanded
        if kind == "boolean" and isinstance(commanded, bool):
            return commanded
        return commanded if kind == "string" and isinstance(commanded, str) else None

    def object(self, form: dict[str, Any], depth: int) -> dict[str, Any]:
        wanted = form.get("properties", {})
        return {name: self.value(inner, name, depth + 1) for name, inner in wanted.items()}

    def _plain(self, form: dict[str, Any], name: str, depth: int) -> Any:
        kind = form.get("type")
        if "enum" in form:
            return form["enum"][0]
        if "const" in form:
            return form["const"]
        if kind == "object":
            return self.object(form, depth)
        if kind == "array":
            inner = self._resolved(form.get("items", {}))
            return [self.value(inner, "", depth + 1)] if inner.get("type") == "object" and depth < DEEPEST else []
        if kind in {"number", "integer"}:
            return form.get("maximum", 1)
        if kind == "boolean":
            return False
        return "" if kind != "string" else self._sentence[: form.get("maxLength", 300)]
