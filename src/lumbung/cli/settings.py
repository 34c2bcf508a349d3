"""`lumbung settings`"""

from __future__ import annotations

from typing import Annotated

import typer
from pydantic import SecretStr

from lumbung.cli.lines import write_record
from lumbung.errors import SettingsError


def command(json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False) -> None:
    """Each setting, its value and where it came from; secrets are masked.

    Example: LUMBUNG_LLM__MODEL=qwen3 lumbung settings
    """
    from lumbung.config import Origins, Settings, listed_settings, load_settings

    fault = None
    try:
        settings, origins = load_settings()
    except SettingsError as error:
        # The complaint sends people here, to see what there is.
        fault, settings, origins = error, Settings(), Origins()
    for name, value, description in listed_settings(settings):
        shown = "********" if isinstance(value, SecretStr) else value or None if isinstance(value, dict) else value
        origin = origins.get(name, "default")
        if json:
            plain = str(shown) if shown is not None and not isinstance(shown, (int, float, list)) else shown
            write_record({"name": name, "value": plain, "origin": origin, "description": description})
        else:
            typer.echo(f"{name} = {shown}  ({origin})\n    {description}")
    if fault is not None:
        raise SettingsError(f"{fault} Until then these are the defaults.")
