"""The demo journal's OAI-PMH 2.0 endpoint: Dublin Core records that link to its articles."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumbung.demo.pages import Page, Site

RECORDS_PER_ANSWER = 5
ANSWER_DATE = "2026-01-15T00:00:00Z"
"""Fixed, so that the demo world answers the same bytes at every run."""


def answer(site: Site, query: Mapping[str, str]) -> str:
    """The XML for one OAI-PMH request."""
    verb = query.get("verb", "")
    articles = site.item_pages()
    if verb == "Identify":
        body = _identify(site)
    elif verb == "ListMetadataFormats":
        body = _formats()
    elif verb in ("ListRecords", "ListIdentifiers"):
        body = _list(verb, articles, query)
    elif verb == "GetRecord":
        found = [page for page in articles if _identifier(page) == query.get("identifier")]
        body = f"<GetRecord>{_record(found[0])}</GetRecord>" if found else _error("idDoesNotExist", "no such record")
    else:
        body = _error("badVerb", "unknown or missing verb")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        f"<responseDate>{ANSWER_DATE}</responseDate><request>http://{site.host}/oai</request>{body}</OAI-PMH>\n"
    )


def _error(code: str, message: str) -> str:
    return f'<error code="{code}">{message}</error>'


def _identify(site: Site) -> str:
    return (
        f"<Identify><repositoryName>{escape(site.title)}</repositoryName><baseURL>http://{site.host}/oai</baseURL>"
        f"<protocolVersion>2.0</protocolVersion><adminEmail>redaksi@{site.host}</adminEmail>"
        f"<earliestDatestamp>2000-01-01</earliestDatestamp><deletedRecord>no</deletedRecord>"
        "<granularity>YYYY-MM-DD</granularity></Identify>"
    )


def _formats() -> str:
    return (
        "<ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix>"
        "<schema>http://www.openarchives.org/OAI/2.0/oai_dc.xsd</schema>"
        "<metadataNamespace>http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace>"
        "</metadataFormat></ListMetadataFormats>"
    )


def _list(verb: str, articles: list[Page], query: Mapping[str, str]) -> str:
    token = query.get("resumptionToken", "0")
    if not token.isdecimal() or int(token) >= max(1, len(articles)):
        return _error("badResumptionToken", "unknown token")
    start = int(token)
    shown = articles[start : start + RECORDS_PER_ANSWER]
    rows = "".join(_record(page) if verb == "ListRecords" else _header(page) for page in shown)
    after = start + RECORDS_PER_ANSWER
    resume = f"<resumptionToken>{after}</resumptionToken>" if after < len(articles) else ""
    return f"<{verb}>{rows}{resume}</{verb}>"


def _identifier(page: Page) -> str:
    return f"oai:{page.host}:{page.path.strip('/')}"


def _header(page: Page) -> str:
    stamp = page.published or "2000-01-01"
    return f"<header><identifier>{escape(_identifier(page))}</identifier><datestamp>{stamp}</datestamp></header>"


def _record(page: Page) -> str:
    return (
        f"<record>{_header(page)}<metadata>"
        '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escape(page.title)}</dc:title><dc:creator>{escape(page.author)}</dc:creator>"
        f"<dc:date>{page.published}</dc:date><dc:language>{page.language}</dc:language>"
        f"<dc:identifier>{escape(page.url)}</dc:identifier></oai_dc:dc></metadata></record>"
    )
