"""The settings by group: each says what it is for, what it takes and what it is without being set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)

from lumbung.model.addresses import (
    agent_name,
    database_address,
    existing_name,
    is_elsewhere,
    network,
    separated,
    web_address,
)

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
    currency: str = Field(
        default="USD",
        pattern="^[A-Z]{3}$",
        description="The currency that prices and caps are in, as people are told; the list of prices is in USD.",
    )


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
    requests_at_once: int = Field(
        default=32,
        ge=1,
        le=1000,
        description="Hosts asked at the same time by one process: so many that answer promptly, so many not yet met and so many slow ones, each apart; up to sixteen times as many connections wait for an answer.",
    )
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
        default=None, description="Licence of the human corpus: imported records that name none get it."
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


class OcrSettings(Section):
    """A program that reads letters from pictures of pages; without one, scans wait."""

    program: str | None = Field(
        default=None, description="Tesseract, by its name or path, for PDFs without text; they wait if unset."
    )
    languages: Annotated[list[str], BeforeValidator(separated)] = Field(
        default=[], description="Languages it may expect, in its own codes, comma-separated; all it knows if unset."
    )
    most_pages: int = Field(default=40, ge=1, le=120, description="Most pages of one PDF that are read this way.")
