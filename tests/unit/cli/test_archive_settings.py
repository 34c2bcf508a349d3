"""Where the archive is: one place, and no key where it could be shown."""

from __future__ import annotations

import pytest

from lumbung.config import load_settings
from lumbung.errors import SettingsError


def settings(tmp_path, **given):
    environment = {f"LUMBUNG_{name}": value for name, value in given.items()}
    return load_settings(environment={"LUMBUNG_DATA_DIR": str(tmp_path), **environment})[0]


def test_a_bucket_with_its_keys_is_taken_and_the_keys_are_masked(tmp_path):
    taken = settings(
        tmp_path,
        ARCHIVE_URL="s3://arsip/budaya",
        S3__ENDPOINT="http://localhost:9000",
        S3__ACCESS_KEY="penjaga",
        S3__SECRET_KEY="rahasia",
    )
    assert taken.archive_url == "s3://arsip/budaya"
    assert "penjaga" not in repr(taken)
    assert "rahasia" not in repr(taken)


@pytest.mark.parametrize(
    "given",
    [
        {"ARCHIVE_URL": "s3://penjaga:rahasia@arsip/budaya"},
        {"ARCHIVE_URL": "s3:///budaya"},
        {"ARCHIVE_URL": "file:///rahasia"},
        {"ARCHIVE_URL": "s3://arsip/x?key=rahasia"},
        {"ARCHIVE_URL": "s3://arsip", "ARCHIVE_DIR": "/srv/rahasia"},
        {"S3__ENDPOINT": "http://penjaga:rahasia@localhost"},
        {"S3__ENDPOINT": "localhost:9000"},
        {"S3__ACCESS_KEY": "rahasia"},
    ],
)
def test_what_is_wrong_is_told_without_being_repeated(tmp_path, given):
    with pytest.raises(SettingsError) as raised:
        settings(tmp_path, **given)
    assert "rahasia" not in str(raised.value)
    assert str(raised.value).endswith(("expects.", "them."))
