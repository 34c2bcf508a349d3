"""CSS colours, as far as it takes to see that text has the colour of its ground."""

from __future__ import annotations

import re

Colour = tuple[int, int, int, float]

_NAMED: dict[str, tuple[int, int, int]] = {
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
    "floralwhite": (255, 250, 240),
    "mintcream": (245, 255, 250),
    "azure": (240, 255, 255),
    "aliceblue": (240, 248, 255),
    "honeydew": (240, 255, 240),
    "seashell": (255, 245, 238),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "navy": (0, 0, 128),
    "maroon": (128, 0, 0),
    "orange": (255, 165, 0),
}
WHITE: Colour = (255, 255, 255, 1.0)
_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^)]*)\)")
_HEX = re.compile(r"#([0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![0-9a-f])")
_WORD = re.compile(r"[a-z]+")
_NEAR = 24


def colour_in(value: str) -> Colour | None:
    """The first colour a declaration names; None when it names none that we know."""
    value = value.lower()
    if found := _HEX.search(value):
        return _from_hex(found[1])
    if found := _FUNCTION.search(value):
        return _from_function(found[1], found[2])
    for word in _WORD.findall(value):
        if word == "transparent":
            return (0, 0, 0, 0.0)
        if word in _NAMED:
            return (*_NAMED[word], 1.0)
    return None


def alike(text: Colour, ground: Colour) -> bool:
    return all(abs(a - b) <= _NEAR for a, b in zip(text[:3], ground[:3], strict=True))


def _from_hex(digits: str) -> Colour:
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    channels = [int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)]
    return (channels[0], channels[1], channels[2], channels[3] / 255 if len(channels) == 4 else 1.0)


def _from_function(kind: str, arguments: str) -> Colour | None:
    parts = [part for part in re.split(r"[\s,/]+", arguments.strip()) if part]
    try:
        numbers = [_number(part, 255 if kind == "rgb" and place < 3 else 1) for place, part in enumerate(parts)]
    except ValueError:
        return None
    if len(numbers) < 3:
        return None
    alpha = numbers[3] if len(numbers) > 3 else 1.0
    if kind == "rgb":
        return (int(numbers[0]), int(numbers[1]), int(numbers[2]), alpha)
    return (*_from_hsl(numbers[0], numbers[1], numbers[2]), alpha)


def _number(part: str, whole: int) -> float:
    if part.endswith("%"):
        return float(part[:-1]) / 100 * whole
    return float(part.removesuffix("deg"))


def _from_hsl(hue: float, saturation: float, lightness: float) -> tuple[int, int, int]:
    spread = saturation * min(lightness, 1 - lightness)

    def channel(offset: int) -> int:
        turn = (offset + hue / 30) % 12
        return round(255 * (lightness - spread * max(-1, min(turn - 3, 9 - turn, 1))))

    return channel(0), channel(8), channel(4)
