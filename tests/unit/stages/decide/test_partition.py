"""The item rule on its own: which nodes are one item, whatever their order."""

from __future__ import annotations

from itertools import islice, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.model.item import PairVerdict, pair
from lumbung.stages.decide.partition import partition


def verdicts(**pairs):
    """same_ab=.9 and so on: the two last letters are the nodes."""
    found = {}
    for name, score in pairs.items():
        verdict, nodes = name.split("_")
        found[pair(nodes[0], nodes[1])] = PairVerdict(score, verdict)
    return found


def groups(nodes, known):
    return {"".join(sorted(group)) for group in partition(frozenset(nodes), known).groups}


def test_links_join_and_strangers_stay_apart():
    assert groups("abcd", verdicts(same_ab=0.9, same_bc=0.85, unrelated_ad=0.1)) == {"abc", "d"}


def test_no_link_joins_across_a_different_verdict_and_the_stronger_link_wins():
    found = partition(frozenset("abc"), verdicts(same_ab=0.95, same_bc=0.85, different_ac=0.4))
    assert found.bridges == {"b"}
    assert set(found.groups) == {frozenset("a"), frozenset("c")}


def test_a_candidate_that_links_two_groups_goes_to_review_and_the_groups_stay_whole():
    known = verdicts(same_ab=0.9, same_cd=0.9, same_bx=0.85, same_cx=0.85, different_ad=0.3)
    found = partition(frozenset("abcdx"), known)
    assert found.bridges == {"x"}
    assert set(found.groups) == {frozenset("ab"), frozenset("cd")}


def test_a_human_record_never_goes_to_review():
    known = {
        ("h:1", "x"): PairVerdict(0.9, "same"),
        ("h:2", "x"): PairVerdict(0.9, "same"),
        ("h:1", "h:2"): PairVerdict(1.0, "different"),
    }
    found = partition(frozenset({"h:1", "h:2", "x"}), known)
    assert found.bridges == {"x"}
    assert set(found.groups) == {frozenset({"h:1"}), frozenset({"h:2"})}


def test_an_unsure_pair_between_groups_is_told():
    assert partition(frozenset("ab"), verdicts(unsure_ab=0.6)).unsure == {("a", "b")}
    assert not partition(frozenset("abc"), verdicts(unsure_ab=0.6, same_ac=0.9, same_bc=0.9)).unsure


@given(
    st.dictionaries(
        st.sampled_from([pair(a, b) for a in "abcde" for b in "abcde" if a < b]),
        st.tuples(st.sampled_from([0.8, 0.9, 1.0]), st.sampled_from(["same", "different", "unsure"])),
    )
)
@settings(max_examples=100, derandomize=True, deadline=None)
def test_the_partition_depends_on_the_set_alone_and_never_joins_what_is_different(drawn):
    known = {key: PairVerdict(*value) for key, value in drawn.items()}
    first = partition(frozenset("abcde"), known)
    for order in islice(permutations(known), 12):
        again = partition(frozenset("edcba"), {key: known[key] for key in order})
        assert set(again.groups) == set(first.groups)
        assert again.bridges == first.bridges
    for (a, b), verdict in known.items():
        if verdict.verdict == "different":
            assert not any(a in group and b in group for group in first.groups)
    assert frozenset("abcde") == first.bridges.union(*first.groups)
