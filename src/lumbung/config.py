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
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)

from lumbung.errors import SettingsError
from lumbung.model.addresses import nats_addresses
from lumbung.sections import (
    BudgetSettings,
    CrawlSettings,
    DatabaseAddress,
    Folder,
    LibrarySettings,
    LlmSettings,
    MailSettings,
    OcrSettings,
    S3Settings,
    SearchSettings,
    Section,
    TranslationSettings,
    WebAddress,
    WebSettings,
)

PREFIX = "LUMBUNG_"
FILE_NAME = "lumbung.toml"
TEST_VARIABLES = frozenset({"LUMBUNG_FAILPOINTS", "LUMBUNG_TEST_FSYNC"})


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
    ocr: OcrSettings = OcrSettings()
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

    def serves_people(self) -> bool:
        """A machine that only works needs no other login than the machine's."""
        return self.embedded() or self.database_url is not None


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
            raise SettingsError(group_without_value(".".join(path)))
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
        try:
            return flat(tomllib.loads(file.read_text(encoding="utf-8")))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise SettingsError(f"{file} cannot be read: {error.strerror}; correct it or move it away.") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file} cannot be read: {error}; correct it or move it away.") from error
    return {}


def flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in tree.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return found


def group_without_value(name: str) -> str:
    return f"The setting {name} is a group of settings and takes no value of its own."


def told(error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(piece) for piece in first["loc"])
    fault = first["msg"].removeprefix("Value error, ")
    if not name:
        return f"The settings do not fit together: {fault}."
    if first["type"] in {"model_type", "dict_type"}:
        return group_without_value(name)
    if first["type"] == "extra_forbidden":
        return f"There is no setting {name}; `lumbung settings` lists them."
    return f"The setting {name} is wrong: {fault}; `lumbung settings` shows what each expects."
