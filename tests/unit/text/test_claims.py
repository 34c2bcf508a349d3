from __future__ import annotations

import random

from lumbung.text.claims import SourceClaim, copy_clusters_of, fuse, value_keys


def prose(seed: int, count: int = 45) -> str:
    rng = random.Random(seed)
    return " ".join(f"kata{rng.randrange(2000)}" for _ in range(count))


def test_copied_texts_make_one_witness_of_that_page_alone() -> None:
    text = prose(1)
    claims = [SourceClaim("a", "q", "v", text=text), SourceClaim("b", "q", "v", text=text), SourceClaim("b", "p", "x")]
    clusters = copy_clusters_of(claims)
    assert clusters.of("a", "q") == clusters.of("b", "q")
    assert clusters.of("b", "p") == "b"
    fused = {each.value: each for each in fuse(claims, frozenset({"q", "p"}))}
    assert fused["v"].independent_sources == 1


def test_a_manner_of_speaking_common_to_all_is_no_copy() -> None:
    claims = [
        SourceClaim(
            source,
            f"o{n}",
            f"nilai{n}",
            text=f"Benda{n} berasal dari nilai{n} dan masih hidup hingga kini",
            about=f"Benda{n}",
        )
        for n in range(6)
        for source in ("a", "b", "c", "d")
    ]
    clusters = copy_clusters_of(claims)
    assert len({clusters.of(source, "o1") for source in "abcd"}) == 4


def test_who_answers_the_same_questions_alike_is_kin_without_any_text() -> None:
    rng = random.Random(3)
    claims = []
    for n in range(300):
        for source in ("s1", "s2", "s3", "s4"):
            if rng.random() < 0.25:
                claims.append(
                    SourceClaim(source, f"o{n}", "true" if rng.random() < 0.75 else f"wrong{rng.randrange(4)}")
                )
    claims += [SourceClaim("copy", c.question, c.value) for c in claims if c.source == "s1" and rng.random() < 0.8]
    clusters = copy_clusters_of(claims)
    assert clusters.of("copy", "o1") == clusters.of("s1", "o1")
    assert len({clusters.sources[s] for s in ("s1", "s2", "s3", "s4")}) == 4


def test_one_owner_is_one_witness() -> None:
    claims = [SourceClaim("a", "q", "v", owner="x.id"), SourceClaim("b", "q", "v", owner="x.id")]
    assert fuse(claims, frozenset({"q"}))[0].independent_sources == 1
    assert fuse(claims, frozenset({"q"}), kinship=False)[0].independent_sources == 2


def test_the_clusters_depend_on_the_claims_not_on_their_order() -> None:
    text = prose(5)
    claims = [
        SourceClaim(s, f"q{n}", "v", text=text if s in "ab" else prose(ord(s) + n)) for s in "abcd" for n in range(4)
    ]
    orders = [claims, claims[::-1], claims[5:] + claims[:5]]
    assert len({tuple(sorted(copy_clusters_of(order).sources.items())) for order in orders}) == 1


def test_a_source_without_a_say_shows_its_value_and_is_believed_by_nobody() -> None:
    fused = fuse([SourceClaim("wiki", "q", "v", ratio=0.0)], frozenset({"q"}))
    assert [(each.value, each.probability, each.independent_sources) for each in fused] == [("v", 0.0, 0)]


def test_values_are_keyed_by_the_kind_of_their_attribute() -> None:
    keys = value_keys(["berat", "berat", "asal", "asal"], ["1,5 kg", "1500 gram", "Jawa Tengah", "tengah djawa"])
    assert keys[0] == keys[1]
    assert keys[2] == keys[3]


def test_a_letter_or_two_are_not_folded_as_a_name_is() -> None:
    assert len(set(value_keys(["x"] * 4, ["v", "w", "V", "vw"]))) == 3


def test_copies_are_known_in_a_crowd_that_answers_the_same_questions() -> None:
    rng = random.Random(3)
    crowd = {f"s{n:03}": [rng.choice("abcdef") * 3 for _ in range(3)] for n in range(410)}
    kin = ("copy0", "copy1", "copy2", "s007")
    crowd |= dict.fromkeys(kin, crowd["s007"])
    claims = [
        SourceClaim(source, f"q{n}", value, text=prose(n) if source in kin else "")
        for source, told in crowd.items()
        for n, value in enumerate(told)
    ]
    clusters = copy_clusters_of(claims)
    assert len({clusters.of(source, "q0") for source in kin}) == 1
    assert len(set(clusters.sources.values())) > 300


def test_the_order_of_claims_with_two_texts_of_one_page_changes_nothing() -> None:
    told = "lahir di desa kecil ketika Ki Wasita mengajar murid dari Jember"
    other = "arsip Leiden menyebut nama Raden Panji beserta tanggal upacara besar itu"
    claims = [SourceClaim(s, "q", "v", 4.0, text) for s, text in (("a", told), ("a", other), ("b", told))]
    assert fuse(claims, frozenset("q")) == fuse(claims[::-1], frozenset("q"))
