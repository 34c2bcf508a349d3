"""Where a licence stands."""

from __future__ import annotations

import pytest

from lumbung.text.licence_names import address_of_licence, of_address


@pytest.mark.parametrize(
    ("licence", "address"),
    [
        ("CC-BY-SA-3.0-IGO", "https://creativecommons.org/licenses/by-sa/3.0/igo/"),
        ("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("CC-PDM-1.0", "https://creativecommons.org/publicdomain/mark/1.0/"),
        ("MIT", "https://spdx.org/licenses/MIT.html"),
        ("CC-PDDC", "https://spdx.org/licenses/CC-PDDC.html"),
    ],
)
def test_the_address_of_a_licence_leads_back_to_it(licence, address):
    assert address_of_licence(licence) == address
    assert of_address(address)[0] == licence


def test_what_is_no_licence_has_no_address():
    assert address_of_licence("Milik Desa") == ""
