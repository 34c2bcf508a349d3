from __future__ import annotations

import random
from itertools import permutations

import pytest

from lumbung.equations.calibration import expected_calibration_error
from lumbung.equations.fusion import Claim, FusedValue, fuse_several, fuse_single
from lumbung.errors import ContractError


def beliefs(fused: list[FusedValue]) -> dict[str, float]:
    return {each.value: each.probability for each in fused}


def test_a_lone_claim_has_the_odds_of_its_source_type() -> None:
    assert beliefs(fuse_single([Claim("a", "q", "v", 19.0)], {}))["v"] == pytest.approx(0.95)
    assert beliefs(fuse_several([Claim("a", "q", "v", 4.0)], {}))["v"] == pytest.approx(0.8)


def test_a_contradiction_divides_the_odds() -> None:
    found = beliefs(fuse_single([Claim("a", "q", "v", 19.0), Claim("b", "q", "w", 4.0)], {}))
    assert found["v"] / found["w"] == pytest.approx(19 / 4, rel=0.15)
    assert sum(found.values()) == pytest.approx(1.0)


def test_values_of_a_many_valued_attribute_do_not_compete() -> None:
    claims = [Claim("a", "q", "v", 9.0), Claim("b", "q", "w", 9.0)]
    assert beliefs(fuse_several(claims, {})) == pytest.approx({"v": 0.9, "w": 0.9})


def test_a_cluster_counts_once_with_its_least_credible_member() -> None:
    claims = [Claim("a", "q", "v", 19.0), Claim("b", "q", "v", 2.0)]
    together = {("a", "q"): "k", ("b", "q"): "k"}
    fused = fuse_several(claims, together)[0]
    assert fused.probability == pytest.approx(2 / 3)
    assert fused.independent_sources == 1
    assert fused.sources == ("a", "b")


def test_what_the_members_of_a_cluster_disagree_on_has_no_say() -> None:
    claims = [Claim("a", "q", "v", 9.0), Claim("b", "q", "w", 9.0), Claim("c", "q", "w", 4.0)]
    together = {("a", "q"): "k", ("b", "q"): "k"}
    found = {each.value: each for each in fuse_single(claims, together)}
    assert found["w"].winner
    assert (found["v"].independent_sources, found["w"].independent_sources) == (0, 1)


def test_a_slip_of_one_copy_does_not_silence_the_others() -> None:
    claims = [Claim("a", "q", "v", 9.0), Claim("b", "q", "v", 9.0), Claim("c", "q", "vv", 9.0)]
    found = {each.value: each for each in fuse_single(claims, {(source, "q"): "k" for source in "abc"})}
    assert found["v"].winner
    assert found["v"].probability > 0.8
    assert (found["v"].independent_sources, found["vv"].independent_sources) == (1, 0)


def test_the_order_of_claims_changes_no_bit() -> None:
    claims = [Claim("a", "q", "v", 9.0), Claim("b", "q", "w", 4.0), Claim("c", "q", "v"), Claim("d", "p", "x")]
    results = {
        tuple(sorted((f.question, f.value, f.probability) for f in fuse_single(o, {}))) for o in permutations(claims)
    }
    assert len(results) == 1


def test_accuracy_is_learned_from_others_and_the_better_source_wins() -> None:
    """`good` agrees with two others on thirty questions, `bad` never does; on the last question they differ."""
    claims = []
    for n in range(30):
        claims += [Claim(source, f"q{n}", f"true{n}") for source in ("good", "other", "third")]
        claims.append(Claim("bad", f"q{n}", f"false{n}"))
    claims += [Claim("good", "last", "right"), Claim("bad", "last", "wrong")]
    found = {f.value: f.probability for f in fuse_single(claims, {}) if f.question == "last"}
    assert found["right"] > 0.85


def test_a_copy_cluster_does_not_vouch_for_itself() -> None:
    """Six copies of one error against two honest sources, on many questions."""
    claims, together = [], {}
    for n in range(20):
        claims += [Claim(source, f"q{n}", f"true{n}") for source in ("h1", "h2")]
        for copy in range(6):
            claims.append(Claim(f"c{copy}", f"q{n}", f"false{n}"))
            together[f"c{copy}", f"q{n}"] = "copies"
    winners = [f.value for f in fuse_single(claims, together) if f.winner]
    assert all(value.startswith("true") for value in winners)
    naive = [f.value for f in fuse_single(claims, {}) if f.winner]
    assert all(value.startswith("false") for value in naive)


def test_the_order_of_many_claims_changes_no_bit() -> None:
    rng = random.Random(3)  # noqa: S311
    claims = [
        Claim(f"s{n % 7}", f"q{n % 40}", f"v{rng.randrange(n % 7 + 2)}", 4.0 if n % 7 == 3 else None)
        for n in range(200)
    ]
    results = set()
    for _ in range(4):
        rng.shuffle(claims)
        results.add(tuple(sorted((f.question, f.value, f.probability) for f in fuse_single(claims, {}))))
    assert len(results) == 1


def test_no_claims_give_no_values_and_a_bad_ratio_is_refused() -> None:
    assert fuse_single([], {}) == []
    assert fuse_several([], {}) == []
    with pytest.raises(ContractError):
        fuse_single([Claim("a", "q", "v", 0.0)], {})


def test_a_source_of_several_types_is_believed_as_the_least_credible_whatever_the_order() -> None:
    claims = [Claim("a", "q", "v", 19.0), Claim("a", "r", "v", 4.0), Claim("a", "s", "v", None)]
    for order in permutations(claims):
        assert [each.probability for each in fuse_several(order, {})] == pytest.approx([0.8, 0.8, 0.8])


def test_sparse_claims_do_not_talk_each_other_up() -> None:
    """Two answers and two voices a question: what sources make of each other comes back to them as an echo."""
    beliefs: list[float] = []
    outcomes: list[bool] = []
    for seed in range(8):
        rng = random.Random(seed)  # noqa: S311
        truth = {f"q{n}": rng.choice("ab") for n in range(300)}
        accuracy = {f"s{n}": rng.uniform(0.5, 0.8) for n in range(16)}
        claims = [
            Claim(source, question, right if rng.random() < accuracy[source] else "ab"[right == "a"])
            for question, right in truth.items()
            for source in rng.sample(sorted(accuracy), 2)
        ]
        fused = fuse_single(claims, {})
        beliefs += [each.probability for each in fused]
        outcomes += [each.value == truth[each.question] for each in fused]
    assert expected_calibration_error(beliefs, outcomes) < 0.03
