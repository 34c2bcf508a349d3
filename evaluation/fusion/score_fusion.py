"""Scores fusion on made-up worlds: right values that win, calibration, and majority vote beside it.

`rightly won` is over the objects where, with the true accuracies known and copies set aside, the right value's
log-odds exceed every wrong one's. Usage: python evaluation/fusion/score_fusion.py [--seeds N]
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

from claims_generator import Made, World, make

from lumbung.equations.calibration import expected_calibration_error
from lumbung.text.claims import SourceClaim, fuse

RATIOS = {"academic": 19.0, "official": 9.0, "community": 4.0, "unknown": 2.0}
WORLDS = {
    f"{copiers} copies, {manner}, {density} claims an object": World(
        copiers=copiers, manner=manner, claims_an_object=density
    )
    for copiers, manner in ((0, "verbatim"), (3, "edited"), (6, "verbatim"), (6, "translated"), (10, "edited"))
    for density in (1.5, 5.0)
}
WORLDS |= {
    f"{name}, no texts": replace(world, texts=False) for name, world in WORLDS.items() if world.manner == "verbatim"
}
WORLDS |= {f"{name}, typed": replace(world, typed=True) for name, world in WORLDS.items() if world.claims_an_object < 2}
for density in (1.5, 5.0):
    slips = World(copiers=10, manner="edited", slips=0.08, claims_an_object=density)
    WORLDS[f"10 copies, edited, with slips, {density} claims an object"] = slips
    for values in (3, 14):
        own = World(copiers=6, values=values, own_values=True, claims_an_object=density)
        WORLDS[f"6 copies, {values} values of its own an object, {density} claims an object"] = own


@dataclass(frozen=True)
class Score:
    rightly_won: float
    majority: float
    calibration_error: float
    objects: int


def _decided(made: list[Made], truth: dict[str, str], accuracy: dict[str, float], world: World) -> set[str]:
    """Objects whose right value the independent claims favour."""
    odds: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for claim in made:
        if claim.independent:
            a = accuracy.get(claim.source, world.bad)
            odds[claim.object][claim.value] += math.log(a * (world.values - 1) / (1 - a))
    decided = set()
    for thing, found in odds.items():
        right = found.get(truth[thing], -math.inf)
        if right > max([0.0, *(each for value, each in found.items() if value != truth[thing])]):
            decided.add(thing)
    return decided


def score(world: World, seeds: range, kinship: bool = True) -> Score:
    beliefs: list[float] = []
    outcomes: list[bool] = []
    won = voted = objects = 0
    for seed in seeds:
        made, truth, accuracy = make(world, seed)
        claims = [
            SourceClaim(c.source, c.object, c.value, RATIOS.get(c.source_type), c.text, about=c.object) for c in made
        ]
        fused = fuse(claims, frozenset(truth), kinship)
        beliefs += [each.probability for each in fused]
        outcomes += [each.value == truth[each.question] for each in fused]
        winners = {each.question: each.value for each in fused if each.winner}
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for claim in made:
            votes[claim.object][claim.value] += 1
        for thing in _decided(made, truth, accuracy, world):
            objects += 1
            won += winners[thing] == truth[thing]
            voted += min(votes[thing], key=lambda value, thing=thing: (-votes[thing][value], value)) == truth[thing]
    return Score(won / objects, voted / objects, expected_calibration_error(beliefs, outcomes), objects)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    for name, world in WORLDS.items():
        print(json.dumps({"world": name, **vars(score(world, range(parser.parse_args().seeds)))}))


if __name__ == "__main__":
    main()
