"""What the tree may not contain, and what its documents must tell."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from lumbung.cli.app import COMMANDS
from lumbung.config import Settings, listed_settings

ROOT = Path(__file__).parents[2]


def tracked():
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in listing.splitlines() if (ROOT / line).is_file()]


def test_requirement_files_name_no_host():
    for file in (ROOT / "requirements").glob("*"):
        assert "://" not in file.read_text(encoding="utf-8"), file


def test_no_registry_host_stands_in_the_tree():
    hosts = re.compile(r"pypi\.(org|python)|pythonhosted\.org|registry\.npmjs|deb\.debian\.org")
    here = Path(__file__)
    found = [
        file
        for file in tracked()
        if file != here
        and file.suffix in {".txt", ".toml", ".md", ".cfg", ".in", ".yml", ".json", ""}
        and hosts.search(file.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name):
    import importlib

    from lumbung.cli.app import module_of

    module = importlib.import_module(module_of(name))
    texts = (
        [module.command.__doc__]
        if hasattr(module, "command")
        else [command.callback.__doc__ for command in module.app.registered_commands]
    )
    assert texts
    for text in texts:
        assert text
        assert "Example" in text


def test_every_command_and_setting_is_documented():
    commands = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`lumbung {name}" not in commands] == []
    settings = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    assert [name for name, _, _ in listed_settings(Settings()) if f"`{name}`" not in settings] == []


def test_links_between_documents_lead_somewhere():
    broken = []
    for file in tracked():
        if file.suffix != ".md":
            continue
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8")):
            if "://" not in target and not target.startswith("mailto:") and not (file.parent / target).exists():
                broken.append(f"{file.relative_to(ROOT)} -> {target}")
    assert broken == []
