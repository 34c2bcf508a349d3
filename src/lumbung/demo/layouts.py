"""The shapes of the demo's sites: each layout dresses the same page model in another kind of HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from lumbung.demo.furniture import (
    cards,
    definition_facts,
    document,
    figures,
    line_facts,
    linked_data,
    list_facts,
    listing,
    property_facts,
    references,
    table_facts,
)
from lumbung.demo.prose import RULE, block_html, blocks, inline, prose_html
from lumbung.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumbung.demo.pages import Page, Site


def blog(site: Site, page: Page) -> str:
    meta = f'<p class="meta">Ditulis oleh {escape(page.author)} · {page.published}</p>' if page.author else ""
    main = (
        f'<article class="post"><h1 class="entry-title">{escape(page.title)}</h1>{meta}'
        f'<div class="entry-content">{figures(page)}{prose_html(page.body)}{line_facts(page)}'
        f"{listing(site, page)}</div></article>"
    )
    side = '<aside class="sidebar"><h3>Arsip</h3><ul><li><a href="/">Semua tulisan</a></li></ul></aside>'
    top = f'<header><p><a href="/">{escape(site.title)}</a></p></header>'
    return document(site, page, f"{top}<main>{main}</main>{side}<footer><p>{escape(site.footer)}</p></footer>")


def government(site: Site, page: Page) -> str:
    crumbs = f'<div id="breadcrumb"><a href="/">Beranda</a> » {escape(page.title)}</div>'
    main = (
        f'<div id="konten"><h1>{escape(page.title)}</h1><div class="tanggal">{page.published}</div>'
        f"{table_facts(page)}<div class='isi'>{figures(page)}{prose_html(page.body)}</div>{listing(site, page)}</div>"
    )
    menu = (
        '<div id="menu"><ul><li><a href="/">Beranda</a></li><li><a href="/sitemap.xml">Peta situs</a></li></ul></div>'
    )
    foot = f'<div id="kaki">{escape(site.footer)}</div>'
    return document(site, page, f'<div id="kepala">{escape(site.title)}</div>{menu}{crumbs}{main}{foot}')


def museum(site: Site, page: Page) -> str:
    rights = f'<p class="hak">Lisensi teks: {escape(page.licence)}</p>' if page.licence else ""
    main = (
        '<main itemscope="itemscope" itemtype="https://schema.org/CreativeWork">'
        f'<h1 itemprop="name">{escape(page.title)}</h1>{figures(page)}'
        f'{definition_facts(page)}<section itemprop="description">{prose_html(page.body)}</section>'
        f"{references(page, 'Bacaan')}{cards(site, page)}{rights}</main>"
    )
    nav = f'<nav><a href="/">{escape(site.title)}</a> <a href="/">Koleksi</a></nav>'
    return document(site, page, f"{nav}{main}<footer>{escape(site.footer)}</footer>")


def journal(site: Site, page: Page) -> str:
    article: dict[str, object] = {
        "@type": "ScholarlyArticle",
        "headline": page.title,
        "author": page.author,
        "datePublished": page.published,
        "inLanguage": page.language,
    }
    tags = (
        f'<meta name="citation_title" content="{escape(page.title, quote=True)}" />'
        f'<meta name="citation_publication_date" content="{page.published}" />'
    )
    author = f'<p class="penulis">{escape(page.author)}</p>' if page.author else ""
    main = (
        f'<article><header><h1>{escape(page.title)}</h1>{author}</header><div class="article-body">'
        f"{prose_html(page.body)}{figures(page)}{table_facts(page, 'tabel', 'Tabel 1. Ringkasan')}"
        f"{references(page, 'Daftar pustaka')}</div>"
        f"{cards(site, page)}</article>"
    )
    top = f'<header class="jurnal"><a href="/">{escape(site.title)}</a></header>'
    extra = tags + (linked_data(article) if page.kind == "item" else "")
    return document(site, page, f"{top}<main>{main}</main><footer>{escape(site.footer)}</footer>", extra)


def recipe(site: Site, page: Page) -> str:
    extra = linked_data({"@type": "Recipe", "name": page.title, "author": page.author}) if page.kind == "item" else ""
    main = (
        f'<div class="resep" itemscope="itemscope" itemtype="https://schema.org/Recipe"><h1 itemprop="name">'
        f"{escape(page.title)}</h1>{list_facts(page)}{figures(page)}{prose_html(page.body)}{cards(site, page)}</div>"
    )
    return document(
        site,
        page,
        f'<div class="atas"><a href="/">{escape(site.title)}</a></div>{main}'
        f'<div class="bawah">{escape(site.footer)}</div>',
        extra,
    )


def catalogue(site: Site, page: Page) -> str:
    main = (
        f'<section itemscope="itemscope" itemtype="https://schema.org/Thing"><h1>{escape(page.title)}</h1>'
        f"{property_facts(page)}{prose_html(page.body)}{figures(page)}"
        f"{references(page, 'Rujukan')}{listing(site, page)}</section>"
    )
    return document(site, page, f'<p><a href="/">{escape(site.title)}</a></p>{main}<p>{escape(site.footer)}</p>')


def encyclopaedia(site: Site, page: Page) -> str:
    main = (
        f'<div id="content"><h1 id="firstHeading">{escape(page.title)}</h1>'
        f'<p id="siteSub">Dari {escape(site.title)}, ensiklopedia bebas</p>'
        f'<div id="bodyContent">{table_facts(page, "infobox", page.title)}{prose_html(page.body)}{listing(site, page)}'
        "</div></div>"
    )
    tools = '<div id="mw-navigation"><ul><li><a href="/">Halaman utama</a></li></ul></div>'
    return document(
        site,
        page,
        f"{main}{tools}<div id='footer'>{escape(site.footer)}</div>",
        '<meta name="generator" content="MediaWiki 1.43" />',
    )


def news(site: Site, page: Page) -> str:
    extra = linked_data({"@type": "NewsArticle", "headline": page.title, "datePublished": page.published})
    main = (
        f'<article><h1>{escape(page.title)}</h1><p class="waktu">{escape(page.author)} | {page.published} WIB</p>'
        f"{prose_html(page.body)}{listing(site, page)}<p>Baca juga: <a href='/'>berita terkini</a></p></article>"
    )
    return document(
        site, page, f"<header>{escape(site.title)}</header>{main}<footer>{escape(site.footer)}</footer>", extra
    )


def shop(site: Site, page: Page) -> str:
    main = (
        f'<div class="produk"><h1>{escape(page.title)}</h1>{figures(page)}{table_facts(page, "spesifikasi")}'
        f"{prose_html(page.body)}<form action='/keranjang' method='get'><button>Tambah ke keranjang</button></form>"
        f"{listing(site, page)}</div>"
    )
    return document(
        site,
        page,
        f"<header><b>{escape(site.title)}</b> · Gratis ongkir · Promo</header>{main}"
        f"<footer>{escape(site.footer)}</footer>",
    )


def forum(site: Site, page: Page) -> str:
    """A thread: posts are parted by `---`; a post's first line names its writer."""
    posts = []
    for part in page.body.strip().split(f"\n{RULE}\n"):
        writer, _, words = part.strip().partition("\n")
        inner = "".join(block_html(block) for block in blocks(words))
        posts.append(
            f'<div class="post"><div class="user">{inline(writer)}</div><div class="pesan">{inner}</div></div>'
        )
    main = f'<h1>{escape(page.title)}</h1><div class="utas">{"".join(posts)}</div>{listing(site, page)}'
    return document(
        site,
        page,
        f'<div class="kepala"><a href="/">{escape(site.title)}</a></div>{main}'
        f'<div class="kaki">{escape(site.footer)}</div>',
    )


def archive(site: Site, page: Page) -> str:
    """A site of the late nineties: tables for layout, no classes, an old character set."""
    main = (
        f"<h1>{escape(page.title)}</h1>{table_facts(page)}{figures(page)}{prose_html(page.body)}{listing(site, page)}"
    )
    body = (
        f'<table width="100%"><tbody><tr><td width="160"><a href="/">{escape(site.title)}</a></td>'
        f"<td>{main}</td></tr></tbody></table><hr /><p>{escape(site.footer)}</p>"
    )
    return document(site, page, body)


def plain_page(site: Site, page: Page) -> str:
    body = (
        f"<h1>{escape(page.title)}</h1>{prose_html(page.body)}{list_facts(page)}{figures(page)}{listing(site, page)}"
        f"<hr /><p>{escape(site.footer)} <a href='/'>{escape(site.title)}</a></p>"
    )
    return document(site, page, body)


LAYOUTS: dict[str, Callable[[Site, Page], str]] = {
    "archive": archive,
    "blog": blog,
    "catalogue": catalogue,
    "encyclopaedia": encyclopaedia,
    "forum": forum,
    "government": government,
    "journal": journal,
    "museum": museum,
    "news": news,
    "plain": plain_page,
    "recipe": recipe,
    "shop": shop,
}


def page_html(site: Site, page: Page) -> str:
    layout = LAYOUTS.get(page.layout)
    if layout is None:
        raise ContractError(f"{page.url}: there is no layout {page.layout!r}")
    return layout(site, page)
