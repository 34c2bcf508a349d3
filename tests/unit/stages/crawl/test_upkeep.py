from __future__ import annotations

from lumbung.equations.priority import priority
from lumbung.stages.crawl.links import FEATURES, UNKNOWN_TOPIC, topic_of, weights_from
from lumbung.stages.crawl.upkeep import FIRST_PAGES, FULL_YIELD_PRIORITY, after_pages, belief_of, ranking_weights
from lumbung.text.gate import GateVerdict

GOVERNED = weights_from({f"crawl.priority.{name}": 1.0 for name in FEATURES})
START = belief_of(None, GOVERNED)


def features(**values):
    return dict.fromkeys(FEATURES, 0.0) | {"bias": 1.0} | values


def test_a_step_moves_the_prediction_towards_what_the_page_gave():
    page = features(link_context=0.5, url_tokens=0.3)
    before, after = (priority(belief.weights, page) for belief in (START, after_pages(START, [page], [1.0])))
    assert before < after < FULL_YIELD_PRIORITY
    assert priority(after_pages(START, [page], [0.0]).weights, page) < before


def test_what_is_learned_stays_on_the_scale_of_the_governed_weights():
    belief = START
    for number in range(3_000):
        belief = after_pages(belief, [features(link_context=0.6 * (number % 2))], [float(number % 2)])
    good, poor = (priority(belief.weights, features(link_context=value)) for value in (0.6, 0.0))
    assert abs(good - FULL_YIELD_PRIORITY) < 1.0
    assert abs(poor) < 1.0


def test_the_bias_and_what_is_policy_do_not_move_the_ranking():
    moved = after_pages(START, [features(denylist=1.0, depth=3.0)], [1.0]).weights
    assert moved["denylist"] == GOVERNED["denylist"]
    assert moved["depth"] > GOVERNED["depth"]
    ranking = ranking_weights(moved, {**GOVERNED, "depth": -0.3})
    assert ranking["bias"] == 0.0
    assert ranking["depth"] == -0.3
    assert set(ranking_weights({}, GOVERNED)) == set(FEATURES)


def test_links_of_pages_on_the_topic_rank_above_others():
    assert topic_of(GateVerdict(True, 0.6, ())) > UNKNOWN_TOPIC > topic_of(GateVerdict(False, 0.4, ()))
    assert topic_of(None) == UNKNOWN_TOPIC


def test_older_governed_rows_have_a_weight_for_a_newer_feature():
    assert weights_from({})["page_topic"] > 0.0
    assert weights_from({"crawl.priority.page_topic": 0.25})["page_topic"] == 0.25


def test_what_was_learned_is_taken_up_again_and_a_model_of_before_begins_anew():
    taught = after_pages(START, [features(link_context=0.5)], [1.0])
    kept = {"weights": dict(taught.weights), "firmness": dict(taught.firmness)}
    assert belief_of(kept, GOVERNED) == taught
    older = belief_of({"weights": {"depth": -3.0}, "firmness": None}, GOVERNED)
    assert older.weights == {**GOVERNED, "depth": -3.0}
    assert older.firmness["depth"] == {"depth": FIRST_PAGES}
