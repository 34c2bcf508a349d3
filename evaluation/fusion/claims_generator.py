"""Made-up claims of made-up sources, some of whom copy a bad one. Imports nothing of ours.

The model: every object has one true value among `values` possible ones. An independent source answers a share of the
objects (its coverage), rightly with its accuracy, otherwise with one of the wrong values at random. A bad source (accuracy
`bad`) is copied by `copiers`: each copies 80 % of its answers, word for word, lightly edited (one word in eight
replaced) or translated (every common word replaced by its counterpart, names and numbers kept), and adds a few of its
own. Each claim comes with a text of its own writing around the value.

`claims_an_object` sets how many claims an object has on average, copies aside.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

WORDS = [f"kata{n}" for n in range(900)]
NAMES = [f"Nama{n}" for n in range(400)]


@dataclass(frozen=True)
class World:
    objects: int = 400
    values: int = 6
    sources: int = 14
    accuracies: tuple[float, ...] = (0.95, 0.9, 0.85, 0.8, 0.7, 0.6)
    bad: float = 0.35
    copiers: int = 6
    manner: str = "verbatim"
    claims_an_object: float = 5.0
    texts: bool = True
    typed: bool = False
    slips: float = 0.0
    """The share of copied claims whose value is miswritten."""
    own_values: bool = False
    """Whether every object has values of its own."""


@dataclass(frozen=True)
class Made:
    source: str
    object: str
    value: str
    source_type: str
    text: str
    independent: bool


def _text(rng: random.Random, name: str, value: str) -> list[str]:
    """About forty words with a dozen names and numbers of the writer's own choice."""
    words = [name, rng.choice(WORDS), value]
    for _ in range(12):
        words += rng.sample(WORDS, rng.randint(1, 4))
        words.append(rng.choice([rng.choice(NAMES), str(rng.randint(2, 1990))]))
    return words


def _copied(rng: random.Random, text: str, manner: str) -> str:
    words = text.split()
    if manner == "edited":
        words = [rng.choice(WORDS) if word.startswith("kata") and rng.random() < 0.125 else word for word in words]
    if manner == "translated":
        words = [f"word{word[4:]}" if word.startswith("kata") else word for word in words]
    return " ".join(words)


def _type_of(accuracy: float) -> str:
    return next(
        name
        for name, least in (("academic", 0.93), ("official", 0.87), ("community", 0.75), ("unknown", 0))
        if accuracy >= least
    )


def make(world: World, seed: int) -> tuple[list[Made], dict[str, str], dict[str, float]]:
    """Claims, the truth, and each independent source's true accuracy."""
    rng = random.Random(seed)  # noqa: S311
    truth = {f"o{n}": f"v{rng.randrange(world.values)}" for n in range(world.objects)}
    if world.own_values:
        truth = {thing: f"{thing}{value}" for thing, value in truth.items()}
    accuracy = {f"s{n}": world.accuracies[n % len(world.accuracies)] for n in range(world.sources)}
    accuracy["bad"] = world.bad
    coverage = min(1.0, world.claims_an_object / len(accuracy))
    made: list[Made] = []

    def answer(source: str, thing: str, right: float) -> Made:
        value = truth[thing]
        if rng.random() >= right:
            stem = f"{thing}v" if world.own_values else "v"
            value = rng.choice([f"{stem}{n}" for n in range(world.values) if f"{stem}{n}" != value])
        text = " ".join(_text(rng, thing.capitalize(), value)) if world.texts else ""
        return Made(source, thing, value, _type_of(right) if world.typed else "", text, True)

    for source, right in accuracy.items():
        made += [answer(source, thing, right) for thing in truth if rng.random() < coverage]
    originals = [claim for claim in made if claim.source == "bad"]
    for number in range(world.copiers):
        copier = f"c{number}"
        for claim in originals:
            if rng.random() < 0.8:
                text = _copied(rng, claim.text, world.manner)
                value = claim.value
                if world.slips and rng.random() < world.slips:
                    value = f"{value}{rng.choice('xyz')}"
                made.append(Made(copier, claim.object, value, claim.source_type, text, False))
        for thing in rng.sample(sorted(truth), max(1, len(originals) // 10)):
            if not any(claim.source == copier and claim.object == thing for claim in made):
                made.append(answer(copier, thing, world.bad))
    rng.shuffle(made)
    return made, truth, accuracy
