from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from lumbung.model.profile import SourceType
from lumbung.profiles.loader import load_profile
from lumbung.text.place import Place

PROFILE = load_profile("pdbi")
ENTRIES_2018 = [1424, 2641, 30050, 1225, 1387, 570, 736, 543, 1063, 1545, 2544, 851, 543, 1775, 438]


def test_the_fifteen_elements_come_with_their_published_counts_as_targets():
    assert [category.target for category in PROFILE.categories.values()] == ENTRIES_2018
    assert [category.label for category in PROFILE.categories.values()][:2] == ["Alat Musik", "Cerita Rakyat"]


def test_there_are_38_provinces_and_514_regencies_and_cities_with_their_official_codes():
    levels = Counter(region.level for region in PROFILE.regions.values())
    assert levels["province"] == 38
    assert levels["regency"] + levels["city"] == 514
    for region in PROFILE.regions.values():
        if region.level in {"regency", "city"}:
            province = PROFILE.regions[region.province or ""]
            assert isinstance(province, Place)
            assert region.code.startswith(province.official + ".")


def test_every_people_and_cultural_region_has_a_source():
    own = [region for region in PROFILE.regions.values() if region.code.startswith("x-")]
    assert len(own) >= 150
    assert all(isinstance(region, Place) and region.source for region in own)


def test_former_names_lead_to_todays_regions():
    former = defaultdict(set)
    for region in PROFILE.regions.values():
        assert isinstance(region, Place)
        for name in region.former:
            former[name].add(region.code)
    for name in ("Djokjakarta", "Soerabaja", "Tjirebon", "Batavia", "Buitenzorg", "Borneo", "Celebes", "Fort de Kock"):
        assert former[name], name
    for name in ("Makasser", "Benkoelen", "Atjeh", "Soematra", "Preanger", "Menado", "Ujung Pandang", "Irian Jaya"):
        assert former[name], name


@pytest.mark.parametrize("language", ["ind", "zsm", "eng", "nld"])
def test_each_category_can_be_spoken_of_in_the_four_great_languages(language):
    roles = defaultdict(set)
    for term in PROFILE.lexicon:
        if term.language == language and term.category:
            roles[term.category].add(term.role)
    assert set(roles) == set(PROFILE.categories)
    assert all(found == {"head", "genus", "marker"} for found in roles.values())


@pytest.mark.parametrize("language", ["jav", "sun", "ban", "min"])
def test_regional_languages_bring_their_own_cultural_terms(language):
    categories = {term.category for term in PROFILE.lexicon if term.language == language and term.category}
    assert len(categories) >= 13


def test_each_category_has_attributes_of_its_own_beside_the_general_ones():
    for code in PROFILE.categories:
        own = [attribute for attribute in PROFILE.attributes.values() if code in attribute.categories]
        assert len(own) >= 3, code
    general = [attribute.code for attribute in PROFILE.attributes.values() if not attribute.categories]
    assert {"asal-daerah", "fungsi", "makna", "sejarah", "nama-lain", "waktu", "pelaku", "pencipta", "tahun"} <= set(
        general
    )


def test_one_official_source_passes_theta_and_two_community_sources_do_not_pass_theta_s():
    constants = PROFILE.constants

    def probability(*kinds: str) -> float:
        odds = float(str(constants["fusion.prior_odds"]))
        for kind in kinds:
            odds *= float(str(constants[f"fusion.ratio.{kind}"]))
        return odds / (1 + odds)

    theta, theta_s = float(str(constants["fusion.theta"])), float(str(constants["fusion.theta_sensitive"]))
    assert probability("official") >= theta
    assert probability("academic") >= theta
    assert probability("community") < theta
    assert probability("community", "community") < theta_s
    assert probability("encyclopaedia", "encyclopaedia") == 0.5


def test_every_source_type_has_rules():
    assert {rule.type for rule in PROFILE.sources} == set(SourceType)


def test_rituals_are_guarded_from_the_start():
    assert PROFILE.categories["ritual"].sensitive


def test_a_generic_word_is_never_a_name_of_a_region():
    names = {name.casefold() for region in PROFILE.regions.values() for name in (region.name, *region.aliases)}
    for category in PROFILE.categories.values():
        assert not names & {word.casefold() for word in category.generic_words}
