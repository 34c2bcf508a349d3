"""A model of pairs is fitted to verdicts, tried on others, and believed only if it wins."""

from __future__ import annotations

from random import Random

from lumbung.equations.pair_model import FEATURES, PairModel, features_of
from lumbung.equations.pair_training import LabelledPair, mcnemar, parts_of, trained, tried


def verdicts(count, told_by_region=1.0, seed=3):
    """Spellings of one name: of one region they are the same, of another they are not, as often as stated."""
    random, found = Random(seed), []
    for number in range(count):
        near = number % 2 == 0
        same = near if random.random() < told_by_region else not near
        evidence = {
            "terms": {"cosine": 0.5 + random.random() / 5, "attributes": 0.0, "name": 0.93},
            "agree": ["name (spelling)", "category", *(["region", "fungsi"] if near else [])],
            "differ": [] if near else ["region"],
        }
        found.append(LabelledPair((f"a{number}", f"b{number}"), same, "unsure", evidence))
    return found


def test_what_the_rule_wrote_down_becomes_numbers_and_an_agents_words_do_not():
    features = dict(zip(FEATURES, features_of(verdicts(1)[0].evidence), strict=True))
    assert (features["region"], features["other region"], features["facts that agree"]) == (1.0, 0.0, 1 / 3)
    assert features_of({"reason": "the agent says so"}) is None


def test_verdicts_that_the_evidence_explains_make_a_better_matcher():
    trial = tried(verdicts(120), None)
    assert trial.verdict == "better"
    assert (trial.right_now, trial.wrong) == (0, 0)
    assert trial.right_then > 100


def test_verdicts_that_nothing_explains_make_none():
    trial = tried(verdicts(120, told_by_region=0.5), None)
    assert trial.verdict == "no better"


def test_a_matcher_that_is_often_wrong_is_refused_however_much_it_settles():
    trial = tried(verdicts(400, told_by_region=0.92), None)
    assert trial.p_value < 0.05
    assert trial.wrong > 0.05 * trial.settled
    assert trial.verdict == "no better"


def test_few_verdicts_or_verdicts_of_one_kind_are_no_ground():
    assert tried(verdicts(40), None).verdict == "too few labels"
    assert tried([each for each in verdicts(200) if each.same], None).verdict == "too few labels"


def test_the_same_verdicts_do_not_beat_the_model_they_made():
    pairs = verdicts(120)
    assert tried(pairs, trained(pairs)).verdict == "no better"


def test_the_order_of_verdicts_changes_nothing():
    pairs = verdicts(120)
    mixed = Random(1).sample(pairs, len(pairs))
    assert (trained(mixed), tried(mixed, None)) == (trained(pairs), tried(pairs, None))


def test_pairs_that_share_a_record_are_held_out_together():
    chained = [LabelledPair((f"n{number}", f"n{number + 1}"), True, "unsure", {}) for number in range(30)]
    assert len(set(parts_of(chained))) == 1
    assert len(set(parts_of(verdicts(60)))) == 5


def test_the_paired_test_is_exact():
    assert (mcnemar(0, 5), mcnemar(0, 0), mcnemar(3, 3)) == (1 / 32, 1.0, 0.65625)
    assert mcnemar(0, 2000) < 1e-300
    assert mcnemar(2000, 0) == 1.0


def test_a_model_survives_its_row_and_one_with_other_features_is_not_used():
    model = trained(verdicts(120))
    assert PairModel.from_row(model.as_row() | {"figures": {}}) == model
    assert PairModel.from_row({"intercept": 0.0, "weights": {"other": 1.0}}) is None
    assert PairModel.from_row(None) is None


def test_where_it_is_not_sure_the_pair_stays_open():
    model = PairModel(0.0, (0.0,) * len(FEATURES))
    assert model.settled(verdicts(1)[0].evidence) == "unsure"
    assert model.settled({}) == "unsure"
