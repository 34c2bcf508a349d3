"""Settings, read once: flags, then LUMBUNG_* environment, then lumbung.toml, then defaults."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from platformdirs import user_config_path, user_data_path
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)

from lumbung.errors import SettingsError
from lumbung.model.addresses import (
    agent_name,
    database_address,
    existing_name,
    is_elsewhere,
    nats_addresses,
    network,
    separated,
    web_address,
)

PREFIX = "LUMBUNG_"
FILE_NAME = "lumbung.toml"
TEST_VARIABLES = frozenset({"LUMBUNG_FAILPOINTS", "LUMBUNG_TEST_FSYNC"})


WebAddress = Annotated[str, AfterValidator(web_address)]
DatabaseAddress = Annotated[SecretStr, AfterValidator(database_address)]
Folder = Annotated[Path, BeforeValidator(existing_name)]


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EndpointSettings(Section):
    """Where a model answers."""

    base_url: WebAddress | None = Field(
        default=None, description="Address of an OpenAI-compatible endpoint, e.g. http://localhost:11434/v1."
    )
    protocol: Literal["openai", "anthropic"] = Field(default="openai", description="The protocol the endpoint speaks.")
    model: str | None = Field(default=None, description="Name of the model.")
    api_key: SecretStr | None = Field(default=None, description="Key for the endpoint.")
    stronger_model: str | None = Field(
        default=None, description="Model asked only where the first one's answer fails its checks."
    )
    hosted: bool | None = Field(
        default=None,
        description="The endpoint is run by somebody else: sensitive text goes there only if the guardian allows it. "
        "Unset: all but addresses of this machine and of private networks.",
    )
    input_micros_per_million: int | None = Field(
        default=None,
        ge=0,
        description="Price of a million input tokens in micro-units, if the price list does not know the model.",
    )
    output_micros_per_million: int | None = Field(
        default=None, ge=0, description="Price of a million output tokens in micro-units."
    )
    stronger_input_micros_per_million: int | None = Field(
        default=None,
        ge=0,
        description="Price of a million input tokens of the stronger model, if the price list does not know it.",
    )
    stronger_output_micros_per_million: int | None = Field(
        default=None, ge=0, description="Price of a million output tokens of the stronger model."
    )

    @model_validator(mode="after")
    def whole_prices(self) -> Self:
        prices = self.model_dump(include={name for name in type(self).model_fields if name.endswith("_per_million")})
        if any((prices[name] is None) != (prices[name.replace("input", "output")] is None) for name in list(prices)):
            raise ValueError("the prices of input and output go together")
        return self


class LlmSettings(EndpointSettings):
    """The model that is asked first, and those that stand in for it; without any the lexical engine works alone."""

    fallback: dict[str, EndpointSettings] = Field(
        default={},
        description="Endpoints asked when the one before fails, in the order of their names: llm.fallback.1.base_url and so on.",
    )
    pages_at_once: int = Field(
        default=16,
        ge=1,
        le=1000,
        description="Most pages, and most questions of decide, that wait for the model at a time, in one process; "
        "how many do follows what arrives.",
    )
    extracts: bool = Field(
        default=True,
        description="The model reads pages itself; if not, the lexical engine does, and the model translates and judges.",
    )


class TranslationSettings(Section):
    """A service that puts what waits for a translator into the library's language; a model, if there is one, stands in."""

    base_url: WebAddress | None = Field(
        default=None, description="Address of a LibreTranslate-style service, e.g. http://localhost:5000."
    )
    api_key: SecretStr | None = Field(default=None, description="Key for the service.")
    hosted: bool | None = Field(
        default=None,
        description="The service is run by somebody else: sensitive text goes there only if the guardian allows it. "
        "Unset: all but addresses of this machine and of private networks.",
    )
    micros_per_million_characters: int = Field(
        default=0, ge=0, description="Price of a million characters in micro-units; zero for one of your own."
    )
    requests_at_once: int = Field(default=4, ge=1, le=100, description="Most passages at a time, by one process.")


def is_hosted(service: EndpointSettings | TranslationSettings) -> bool:
    return is_elsewhere(service.base_url) if service.hosted is None else service.hosted


class SearchSettings(Section):
    """A search service that proposes seeds to the curator; nothing is fetched from what it finds."""

    url: WebAddress | None = Field(
        default=None, description="Address asked with ?q=…&format=json, e.g. http://localhost:8080/search."
    )
    api_key: SecretStr | None = Field(default=None, description="Key, sent as a bearer token.")


class BudgetSettings(Section):
    """Caps of money in micro-units (a millionth of the currency), over sliding windows."""

    hour_micros: int = Field(default=500_000, ge=0, description="Cap of a sliding hour.")
    day_micros: int = Field(default=2_000_000, ge=0, description="Cap of a sliding day.")
    month_micros: int = Field(default=30_000_000, ge=0, description="Cap of sliding thirty days.")


class WebSettings(Section):
    host: str = Field(default="127.0.0.1", description="Address the web server listens on.")
    port: int = Field(default=8777, ge=0, le=65535, description="Port of the web server; 0 takes a free one.")
    public_url: WebAddress | None = Field(default=None, description="Address at which readers reach the library.")
    api_requests_per_minute: int = Field(
        default=6000, ge=0, description="Requests to the interface a minute and account; 0 for no limit."
    )
    open_requests_per_minute: int = Field(
        default=1200,
        ge=0,
        description="Requests to the interface a minute and address without an account; 0 for no limit. "
        "Readers' pages have none.",
    )


class CrawlSettings(Section):
    contact: str | None = Field(
        default=None, description="Address at which site owners reach you; needed before any public host is asked."
    )
    user_agent: Annotated[str, AfterValidator(agent_name)] = Field(
        default="LumbungBot/0.1", description="Name by which robots.txt may address the crawler."
    )
    requests_at_once: int = Field(default=32, ge=1, le=1000, description="Hosts asked at the same time by one process.")
    allow_private: Annotated[list[Annotated[str, AfterValidator(network)]], BeforeValidator(separated)] = Field(
        default=[],
        description="Private networks that may be fetched from, as ADDRESS/BITS; in the environment with commas between.",
    )


class LibrarySettings(Section):
    mapping: str | None = Field(
        default=None, description="Mapping file of a remote library; without one the embedded library is used."
    )
    token: SecretStr | None = Field(default=None, description="Token of the machine account at the remote library.")
    read_only: bool = Field(default=False, description="Look at the remote library, never write.")
    requests_at_once: int = Field(
        default=4, ge=1, le=100, description="Most requests to the remote library at a time, by one process."
    )
    licence: str | None = Field(
        default=None, description="Licence of the human corpus; required before it is shown to the public."
    )
    keep_contributors: bool = Field(
        default=False, description="Import contributors' names: only if the licence says so."
    )


class MailSettings(Section):
    """Mail to the people who run the library, about what needs one of them."""

    server: str | None = Field(default=None, description="SMTP server as host:port; without one no mail is sent.")
    security: Literal["starttls", "tls", "none"] = Field(
        default="starttls", description="How the connection is secured; none only for a server on this machine."
    )
    user: str | None = Field(default=None, description="Account at the mail server.")
    password: SecretStr | None = Field(default=None, description="Password of the account.")
    sender: str = Field(default="lumbung@localhost", description="Address that the mail comes from.")
    recipients: Annotated[list[str], BeforeValidator(separated)] = Field(
        default=[], description="Addresses that are told what needs a person; in the environment with commas between."
    )
    language: Literal["id", "en"] = Field(default="id", description="Language of the mail.")


class S3Settings(Section):
    """The S3-compatible server of `archive_url`; without keys, those of the machine's own role or AWS_* are taken."""

    endpoint: str | None = Field(
        default=None, description="Address of the server, e.g. https://minio.example:9000; Amazon's if unset."
    )
    region: str = Field(default="us-east-1", description="Region that requests are signed for.")
    access_key: SecretStr | None = Field(default=None, description="Name of the key.")
    secret_key: SecretStr | None = Field(default=None, description="The key itself.")

    @field_validator("endpoint")
    @classmethod
    def bare(cls, given: str | None) -> str | None:
        parts = urlsplit(given or "http://x")
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.query:
            raise ValueError("it must be http(s)://HOST[:PORT], without keys in it")
        return given

    @model_validator(mode="after")
    def whole_key(self) -> Self:
        if (self.access_key is None) != (self.secret_key is None):
            raise ValueError("access_key and secret_key go together")
        return self


class Settings(Section):
    data_dir: Folder = Field(
        default_factory=lambda: user_data_path("lumbung"),
        description="Folder of the embedded engines, the archive and the locks.",
    )
    profile: str = Field(default="pdbi", description="Name of the profile, or the path of its folder.")
    database_url: DatabaseAddress | None = Field(
        default=None, description="PostgreSQL for people's login (web and human actions); embedded if unset."
    )
    database_machine_url: DatabaseAddress | None = Field(
        default=None, description="PostgreSQL for the machine's login (workers)."
    )
    database_owner_url: DatabaseAddress | None = Field(
        default=None, description="PostgreSQL for the owner's login (migrations only)."
    )
    nats_url: Annotated[SecretStr, AfterValidator(nats_addresses)] | None = Field(
        default=None, description="NATS server or cluster, comma-separated; embedded if unset."
    )
    nats_replicas: int = Field(default=1, ge=1, le=5, description="Copies of each stream in a cluster.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="How much is told on stderr."
    )
    log_json: bool = Field(default=False, description="Logs as JSON lines.")
    traces_url: WebAddress | None = Field(
        default=None,
        description="Collector of OpenTelemetry traces, OTLP over HTTP, e.g. http://localhost:4318/v1/traces; off if unset.",
    )
    archive_dir: Folder | None = Field(
        default=None, description="Folder of the WARC archive, shared by all machines; inside the data folder if unset."
    )
    archive_url: str | None = Field(
        default=None,
        description="Object storage that holds the archive in place of a folder, as s3://BUCKET/PREFIX; see s3.*.",
    )
    s3: S3Settings = S3Settings()
    llm: LlmSettings = LlmSettings()
    translation: TranslationSettings = TranslationSettings()
    search: SearchSettings = SearchSettings()
    budget: BudgetSettings = BudgetSettings()
    web: WebSettings = WebSettings()
    crawl: CrawlSettings = CrawlSettings()
    library: LibrarySettings = LibrarySettings()
    mail: MailSettings = MailSettings()

    @field_validator("archive_url")
    @classmethod
    def is_bucket(cls, given: str | None) -> str | None:
        parts = urlsplit(given or "s3://x")
        if parts.scheme != "s3" or not parts.hostname or parts.netloc != parts.hostname or parts.query:
            raise ValueError("it must be s3://BUCKET/PREFIX, without keys in it")
        return given

    @model_validator(mode="after")
    def one_archive(self) -> Self:
        if self.archive_url and self.archive_dir:
            raise ValueError("archive_dir and archive_url name two places for one archive; unset one of them")
        return self

    @model_validator(mode="after")
    def engines_together(self) -> Self:
        if self.nats_url is not None and self.embedded():
            raise ValueError(
                "nats_url names a server and no database_url does: give both, or neither for the embedded ones"
            )
        return self

    @property
    def archive_folder(self) -> Path:
        return self.archive_dir or self.data_dir / "archive"

    def embedded(self) -> bool:
        return self.database_url is None and self.database_machine_url is None


def listed_settings(model: BaseModel, prefix: str = "") -> list[tuple[str, Any, str]]:
    """Dotted name, value and description of every setting; those of named parts, such as fallback models, one by one."""
    rows: list[tuple[str, Any, str]] = []
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        inner = value.items() if isinstance(value, dict) else ()
        for key, each in inner:
            rows += listed_settings(each, f"{prefix}{name}.{key}.")
        if isinstance(value, BaseModel):
            rows += listed_settings(value, f"{prefix}{name}.")
        elif not inner:
            rows.append((prefix + name, value, field.description or ""))
    return rows


class Origins(dict[str, str]):
    """Where each setting came from, by its dotted name."""


def load_settings(
    flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None
) -> tuple[Settings, Origins]:
    """Settings and where each came from; an unknown or wrong one is told in a sentence."""
    environment = os.environ if environment is None else environment
    merged: dict[str, Any] = {}
    origins = Origins()
    for source, values in (
        (FILE_NAME, read_file(environment)),
        ("environment", read_environment(environment)),
        ("flag", {name: value for name, value in (flags or {}).items() if value is not None}),
    ):
        for name, value in values.items():
            put(merged, name, value)
            origins[name] = source
    try:
        return Settings.model_validate(merged), origins
    except ValidationError as error:
        raise SettingsError(told(error)) from None


def put(tree: dict[str, Any], dotted: str, value: Any) -> None:
    *path, last = dotted.split(".")
    for piece in path:
        tree = tree.setdefault(piece, {})
        if not isinstance(tree, dict):
            raise SettingsError(f"The setting {'.'.join(path)} is a group of settings and takes no value of its own.")
    tree[last] = value


def read_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """LUMBUNG_LLM__BASE_URL is llm.base_url; LUMBUNG_CONTACT is short for crawl.contact; an empty one is not set."""
    found: dict[str, Any] = {}
    for name, value in environment.items():
        if not name.startswith(PREFIX) or name in TEST_VARIABLES or not value:
            continue
        dotted = name.removeprefix(PREFIX).lower().replace("__", ".")
        found["crawl.contact" if dotted == "contact" else dotted] = value
    return found


def read_file(environment: Mapping[str, str]) -> dict[str, Any]:
    for folder in (Path(), user_config_path("lumbung"), Path(environment.get("LUMBUNG_DATA_DIR", "."))):
        file = folder / FILE_NAME
        if file.is_file():
            try:
                return flat(tomllib.loads(file.read_text(encoding="utf-8")))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
                raise SettingsError(f"{file} cannot be read: {error}; correct it or move it away.") from error
    return {}


def flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in tree.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return found


def told(error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(piece) for piece in first["loc"])
    fault = first["msg"].removeprefix("Value error, ")
    if not name:
        return f"The settings do not fit together: {fault}."
    if first["type"] == "extra_forbidden":
        return f"There is no setting {name}; `lumbung settings` lists them."
    return f"The setting {name} is wrong: {fault}; `lumbung settings` shows what each expects."
