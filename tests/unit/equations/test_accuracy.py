from __future__ import annotations

import pytest

from lumbung.equations.accuracy import Judged, likelihoods, typed_means, untyped_means


def claims(source: str, right: int, wrong: int) -> list[Judged]:
    return [Judged(source, 0.97, 5.0)] * right + [Judged(source, 0.03, 5.0)] * wrong


def test_whom_nobody_has_judged_is_what_its_type_says() -> None:
    assert typed_means(likelihoods([], ["a"]), [0.95], 15.0).tolist() == pytest.approx([0.95])


def test_many_contradicted_claims_outweigh_a_type() -> None:
    (mean,) = typed_means(likelihoods(claims("a", 15, 35), ["a"]), [0.8], 15.0)
    assert 0.3 < mean < 0.5


def test_where_sources_differ_much_a_few_claims_tell_much() -> None:
    """The same ten claims, eight of them contradicted, beside sources that are alike and beside such that are not."""
    few = claims("few", 2, 8)
    alike = [each for n in range(12) for each in claims(f"s{n:02}", 28, 12)]
    apart = [each for n in range(12) for each in claims(f"s{n:02}", *((38, 2) if n % 2 else (12, 28)))]
    names = ["few", *(f"s{n:02}" for n in range(12))]
    among_alike, among_apart = (
        untyped_means(likelihoods(few + rest, names), [1.0] * 13, 0.7)[0] for rest in (alike, apart)
    )
    assert among_apart < among_alike - 0.05


def test_copies_of_one_source_do_not_make_the_others_like_it() -> None:
    judged = claims("bad", 12, 28) + claims("new", 1, 0) + [c for n in range(8) for c in claims(f"copy{n}", 12, 28)]
    names = ["bad", "new", *(f"copy{n}" for n in range(8))]
    found = likelihoods(judged, names)
    once = untyped_means(found, [1 / 9, 1.0, *[1 / 9] * 8], 0.8)[1]
    each = untyped_means(found, [1.0] * 10, 0.8)[1]
    assert once > each + 0.05
