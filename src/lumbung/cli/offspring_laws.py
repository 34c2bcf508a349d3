"""The law of new links a page: observed in a file, or one of the usual distributions."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path

from lumbung.cli.csv_input import read_text
from lumbung.equations.branching import Offspring, mean_interval
from lumbung.equations.intervals import Interval
from lumbung.errors import ContractError, UsageError

LogMass = Callable[[int], float]

_TAIL = 1e-14
_LONGEST = 200_000
_ZIPF_END = 10_000
_LAWS = "poisson:M, geometric:M, binomial:N:P, negative-binomial:M:R, zipf:A[:MAX], fixed:K"

_MOST_NUMBERS = {"fixed": 1, "poisson": 1, "geometric": 1}


def read_law(spec: str) -> tuple[Offspring, Interval | None]:
    """A file of observations, with the interval of their mean, or a named law."""
    if spec == "-" or Path(spec).exists():
        return _observed(spec)
    name, *parts = spec.split(":")
    if not parts:
        raise UsageError(f"There is no file {spec}, and the laws are: {_LAWS}.")
    try:
        numbers = [float(part) for part in parts]
        law = _named(name.casefold(), numbers)
    except (ValueError, IndexError, OverflowError, ContractError) as error:
        raise UsageError(f'"{spec}" is no law of links a page; the laws are: {_LAWS}.') from error
    if law is None:
        raise UsageError(f'"{spec}" is no law of links a page; the laws are: {_LAWS}.')
    return law, None


def cut_of(spec: str) -> int | None:
    """Where a law that has no finite mean by itself ends, unless the person named an end."""
    found = re.fullmatch(r"zipf:([0-9.eE+-]+)", spec, re.IGNORECASE)
    return _ZIPF_END if found and float(found[1]) <= 2 else None


def _named(name: str, numbers: list[float]) -> Offspring | None:
    if any(not math.isfinite(number) or number < 0 for number in numbers) or len(numbers) > _MOST_NUMBERS.get(name, 2):
        return None
    first = numbers[0]
    if name == "fixed" and first.is_integer():
        return Offspring.of({int(first): 1.0})
    if name == "poisson" and first <= 10_000:
        return (
            Offspring.of(_mass(lambda k: k * math.log(first) - first - math.lgamma(k + 1), first)) if first else _none()
        )
    if name == "geometric" and first <= 10_000:
        p = 1 / (1 + first)
        return Offspring.of(_mass(lambda k: math.log(p) + k * math.log1p(-p), first)) if first else _none()
    if name == "negative-binomial" and first <= 10_000 and numbers[1] > 0:
        return Offspring.of(_mass(_negative_binomial(first, numbers[1]), first)) if first else _none()
    if name == "binomial" and first.is_integer() and first <= 10_000 and numbers[1] <= 1:
        return Offspring.of(_binomial(int(first), numbers[1]))
    if name == "zipf" and first > 0:
        longest = int(numbers[1]) if len(numbers) > 1 else _ZIPF_END
        return Offspring.of({k: (k + 1) ** -first for k in range(min(longest, _LONGEST) + 1)})
    return None


def _none() -> Offspring:
    return Offspring.of({0: 1.0})


def _binomial(n: int, p: float) -> dict[int, float]:
    if p in {0.0, 1.0}:
        return {n if p else 0: 1.0}
    ways = [math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(n + 1)]
    return {k: math.exp(way + k * math.log(p) + (n - k) * math.log1p(-p)) for k, way in enumerate(ways)}


def _negative_binomial(mean: float, size: float) -> LogMass:
    p = size / (size + mean)
    return lambda k: (
        math.lgamma(k + size) - math.lgamma(size) - math.lgamma(k + 1) + size * math.log(p) + k * math.log1p(-p)
    )


def _mass(log_mass: LogMass, mean: float) -> dict[int, float]:
    """Probabilities up to where the tail no longer matters."""
    weights: dict[int, float] = {}
    for k in range(_LONGEST):
        weight = math.exp(log_mass(k))
        weights[k] = weight
        if k > mean and weight < _TAIL:
            break
    return weights


def _whole(text: str) -> int:
    number = float(text)
    if not (number.is_integer() and 0 <= number < 1e9):
        raise ValueError(text)
    return int(number)


def _observed(path: str) -> tuple[Offspring, Interval]:
    text = read_text(path).strip()
    if not text:
        raise UsageError(f"{path} is empty; it needs one number of links a line.")
    counts: list[int] = []
    weights: dict[int, float] = {}
    if text.startswith("["):
        lines = _from_json(path, text)
    else:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines, start=1):
        cells = [cell.strip() for cell in line.replace(";", ",").replace("\t", ",").split(",")]
        try:
            count = _whole(cells[0])
            weight = float(cells[1]) if len(cells) > 1 else 1.0
            if not (math.isfinite(weight) and weight >= 0):
                raise ValueError(line)
        except ValueError as error:
            if number == 1 and _is_header(path, cells):
                continue
            raise UsageError(f'{path}, line {number}: "{line[:60]}" is not a number of links.') from error
        weights[count] = weights.get(count, 0.0) + weight
        counts += [count] * (int(weight) if weight.is_integer() and len(counts) + weight <= 1e6 else 0)
    try:
        law = Offspring.of(weights)
    except (ContractError, ValueError) as error:
        raise UsageError(f"{path} holds no observation; it needs one number of links a line.") from error
    return law, mean_interval(counts) if counts else Interval(law.mean, law.mean, law.mean)


def _is_header(path: str, cells: list[str]) -> bool:
    """Whether the first line names columns: any name of a single one, or count and frequency."""
    if any(character.isdigit() for cell in cells for character in cell):
        return False
    if len(cells) > 1 and [cell.lower() for cell in cells[:2]] != ["count", "frequency"]:
        raise UsageError(f"{path} needs the columns count,frequency; its columns are: {', '.join(cells)}.")
    return True


def _from_json(path: str, text: str) -> list[str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} begins like a JSON list and is none.") from error
    return [str(each) for each in found]


def tranche_sizes(spec: str, seeds: int) -> list[int]:
    """`3` is three tranches as large as the first; `300,200` are two of these sizes."""
    try:
        numbers = [_whole(part.strip()) for part in spec.split(",")]
    except ValueError as error:
        raise UsageError(f'--tranches is a number or sizes such as 300,200, not "{spec}".') from error
    if "," in spec:
        return [number for number in numbers if number > 0]
    if numbers[0] > 10_000:
        raise UsageError("At most 10000 tranches can be simulated.")
    return [seeds] * numbers[0]
