"""Money, notices and texts that people write, as a reader of either language sees them."""

from __future__ import annotations

import pytest

from lumbung.config import load_settings
from lumbung.governance.notices import sentence
from lumbung.outside import configured_providers
from lumbung.text.numerals import money
from lumbung.web.error_words import told_in
from lumbung.web.language import Words
from lumbung.web.markdown import rendered
from lumbung.web.stored_words import consulted_in


@pytest.mark.parametrize(
    ("micros", "told"),
    [
        (0, "USD 0,00"),
        (12.34, "USD 0,000012"),
        (1_250, "USD 0,0013"),
        (51_000, "USD 0,051"),
        (500_000, "USD 0,50"),
        (30_000_000, "USD 30,00"),
        (1_234_567_890, "USD 1.234,57"),
    ],
)
def test_a_sum_names_its_currency_and_a_small_one_never_looks_like_none(micros, told):
    assert money(micros, "USD", "id").replace("\u00a0", " ") == told


def test_a_notice_has_the_readers_decimal_sign_the_entrys_title_and_its_reason():
    off = {"kind": "calibration-off", "subject": "", "detail": {"ece": 0.08349, "limit": 0.05, "labels": 400}}
    assert "meleset 0,0835 (batas 0,05); 400 label" in sentence(off, "id")
    assert "off by 0.0835 (limit 0.05)" in sentence(off, "en")
    asked = {"kind": "takedown", "subject": "c573", "detail": {"takedown": 1, "title": "Tari Kecak"}}
    assert sentence(asked, "id") == "Permintaan penurunan untuk entri Tari Kecak."
    assert "c573" in sentence(asked | {"detail": {"takedown": 1}}, "en")
    down = {
        "kind": "breaker-open",
        "subject": "model",
        "detail": {"reason": "a.example/m cannot be reached or broke off."},
    }
    assert sentence(down, "id", Words("id").told).endswith("a.example/m tidak dapat dicapai atau terputus.")


def test_a_scope_is_shown_as_it_is_meant_and_its_markup_stays_letters():
    shown = rendered(
        "# Ruang\n\n*Usulan.*\n\n1. **satu**\n\n<script>alert(1)</script> ![x](https://a.example/p.png) "
        "[klik](javascript:alert(1)) [baik](https://a.example/)\n\n<b onclick=x>tebal</b>"
    )
    assert "<h3>Ruang</h3>" in shown
    assert "<em>Usulan.</em>" in shown
    assert "<li><strong>satu</strong></li>" in shown.replace("\n", "")
    assert "&lt;script&gt;" in shown
    assert "<script" not in shown
    assert "<img" not in shown
    assert 'href="javascript' not in shown
    assert "<b " not in shown
    assert '<a href="https://a.example/">baik</a>' in shown


def test_codes_inside_a_refusal_are_told_in_words():
    assert (
        told_in("id", "Request 3 is signed for culture already.")
        == "Permintaan 3 sudah ditandatangani untuk Risiko budaya."
    )
    assert "Dari bayangan sebuah" in told_in(
        "id", "From shadow a category is raised one step; to lower it use `lumbung mode lower`."
    )
    assert told_in("id", "fusion.theta is changed by the role approver or auditor.").endswith("penyetuju atau auditor.")
    refused = "The learned matcher is refused: 0 verdicts with evidence are too few."
    assert told_in("id", refused).endswith("ditolak: 0 putusan yang berbukti terlalu sedikit.")


def test_the_demos_word_for_nobody_is_told_in_indonesian_and_names_stay_as_they_are():
    assert (
        consulted_in("id", {"consulted": ["nobody: this is a demo", "Sanggar Y"]})
        == "tidak siapa pun: ini demo, Sanggar Y"
    )
    assert consulted_in("id", None) == ""


def test_every_provider_that_the_settings_name_is_known_by_the_name_its_breaker_has():
    settings = load_settings()[0]
    assert configured_providers(settings) == []
    model = {"base_url": "http://m.example:8000/v1", "model": "gemma"}
    named = settings.model_copy(
        update={
            "llm": settings.llm.model_copy(update=model),
            "translation": settings.translation.model_copy(update={"base_url": "http://t.example"}),
            "search": settings.search.model_copy(update={"url": "http://s.example:8080/search"}),
        }
    )
    assert configured_providers(named) == [
        ("inference", "m.example:8000/gemma"),
        ("translation", "t.example"),
        ("translation", "model"),
        ("search", "s.example:8080"),
    ]
