"""Every command that a document tells the reader to type is one that the program takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.test_commands import every_command

ROOT = Path(__file__).parents[2]
FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"(?:^|(?<=[`|(/]))(?:\.venv/bin/)?lumbung ([a-z][^`|;&#>\n]*)", re.MULTILINE)
OPTION = re.compile(r"--?[a-z][a-z-]*")


def documents() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "docs").glob("**/*.md")]


def typed(text: str) -> Iterator[str]:
    """Commands in blocks, whose lines may be continued, and between backticks."""
    for part in (*FENCED.findall(text), *re.findall(r"`[^`\n]+`", FENCED.sub("", text))):
        yield from TYPED.findall(part.replace("\\\n", " "))


def unknown_in(command: str, known: dict[str, object]) -> str | None:
    name, *rest = command.split()
    while rest and f"{name} {rest[0]}" in known:
        name = f"{name} {rest.pop(0)}"
    if name not in known:
        return f"no command {name}"
    if getattr(known[name], "commands", None) and rest and not OPTION.fullmatch(rest[0]):
        return f"no command {name} {rest[0]}"
    taken = {option for each in known[name].params for option in (*each.opts, *each.secondary_opts)} | {"--help"}
    wrong = [word for word in rest if (found := OPTION.match(word)) and found[0] not in taken]
    return f"{name} takes no {wrong[0]}" if wrong else None


def test_every_command_in_the_documents_exists_with_its_options():
    known = dict(every_command())
    told = [(file, command) for file in documents() for command in typed(file.read_text(encoding="utf-8"))]
    assert len(told) > 200
    wrong = [f"{file.relative_to(ROOT)}: {why}" for file, command in told if (why := unknown_in(command, known))]
    assert wrong == []


def test_a_command_or_option_that_is_not_there_is_found():
    known = dict(every_command())
    assert unknown_in("harvest --until-dry --hosts a.example", known) is None
    assert unknown_in("harvests", known) == "no command harvests"
    assert unknown_in("library shelve", known) == "no command library shelve"
    assert unknown_in("harvest --until-wet", known) == "harvest takes no --until-wet"


def test_the_units_of_systemd_start_commands_that_exist_and_take_an_interrupt_for_an_end():
    units = {file.name: file.read_text(encoding="utf-8") for file in (ROOT / "deploy").glob("*.service")}
    assert set(units) == {"lumbung.service", "lumbung-worker@.service"}
    known = dict(every_command())
    for name, unit in units.items():
        [started] = re.findall(r"^ExecStart=/opt/lumbung/\.venv/bin/lumbung (.*)$", unit, re.MULTILINE)
        assert unknown_in(started, known) is None, name
        for line in ("SuccessExitStatus=130", "Restart=on-failure", "User=lumbung", "KillMode=mixed"):
            assert line in unit.splitlines(), name
