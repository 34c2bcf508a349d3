"""Which outside services the settings name, and whether they name them well enough to work with.

Light on purpose: commands ask before anything is started, and load what only a configured service needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from lumbung.archive.object_store import Bucket, ObjectStore
from lumbung.config import Settings
from lumbung.errors import SettingsError
from lumbung.providers.inference.endpoint import Endpoint
from lumbung.sections import EndpointSettings, is_hosted


def endpoints_of(settings: Settings) -> Iterator[Endpoint]:
    """The first one, then those that stand in for it, in the order of their names."""
    named = {"llm": settings.llm} | {
        f"llm.fallback.{name}": each for name, each in sorted(settings.llm.fallback.items())
    }
    for name, each in named.items():
        if each.base_url is not None and each.model is not None:
            yield endpoint_of(each)
        elif each.base_url is not None or each.model is not None:
            there, missing = ("base_url", "model") if each.model is None else ("model", "base_url")
            raise SettingsError(f"{name}.{there} is set and {name}.{missing} is not: give both, or neither.")


def endpoint_of(named: EndpointSettings) -> Endpoint:
    assert named.base_url is not None
    assert named.model is not None
    return Endpoint(
        named.base_url,
        named.model,
        named.protocol,
        named.api_key,
        named.stronger_model,
        is_hosted(named),
        named.input_micros_per_million,
        named.output_micros_per_million,
        named.stronger_input_micros_per_million,
        named.stronger_output_micros_per_million,
    )


def configured_providers(settings: Settings) -> list[tuple[str, str]]:
    """Capability and provider of all that the settings name, as breakers call them, in the order in which they are tried."""
    from lumbung.providers.json_service import JsonService
    from lumbung.providers.translation import MODEL

    found = [("inference", each.name) for each in endpoints_of(settings)]
    if settings.translation.base_url:
        found.append(("translation", JsonService(settings.translation.base_url).name))
    if found and found[0][0] == "inference":
        found.append(("translation", MODEL))
    if settings.search.url:
        found.append(("search", JsonService(settings.search.url).name))
    return found


def bucket_of(settings: Settings) -> Bucket | None:
    s3 = settings.s3
    if settings.archive_url is None:
        return None
    return Bucket(settings.archive_url, s3.endpoint, s3.region, s3.access_key, s3.secret_key)


def checked_models(settings: Settings) -> str | None:
    endpoints = list(endpoints_of(settings))
    if endpoints:
        from lumbung.providers.inference.prices import Prices

        for endpoint in endpoints:
            Prices().require(endpoint)
    return ", then ".join(endpoint.name for endpoint in endpoints) or None


def checked_recognition(settings: Settings) -> str | None:
    if not settings.ocr.program:
        return None
    from lumbung.providers.parser.recognition import find_recognition

    found = find_recognition(**dict(settings.ocr))
    return f"{found.version} reads {', '.join(found.languages)}" if found else None


def checked_library(settings: Settings) -> str | None:
    if not settings.library.mapping:
        return None
    from lumbung.providers.library.mapping import load_mapping

    return load_mapping(Path(settings.library.mapping)).name


def checked_mail(settings: Settings) -> str | None:
    mail = settings.mail
    if mail.server:
        from lumbung.providers.mail import SmtpMail

        SmtpMail(mail.server, mail.sender, mail.recipients, mail.security, mail.user, mail.password)
    return mail.server


def checked_archive(settings: Settings) -> str | None:
    bucket = bucket_of(settings)
    return ObjectStore(bucket, "warc").url if bucket else None


CHECKS: Mapping[str, Callable[[Settings], str | None]] = MappingProxyType(
    {
        "model": checked_models,
        "ocr": checked_recognition,
        "remote library": checked_library,
        "mail": checked_mail,
        "object storage": checked_archive,
    }
)
"""Each says what is there, None where the settings name none; SettingsError where they name it badly."""


def require_usable(settings: Settings) -> None:
    """What the work would stumble over is told before anything is started."""
    for check in CHECKS.values():
        check(settings)
