"""What a reader does not see never reaches the text."""

from __future__ import annotations

import pytest
from turbohtml import parse

from lumbung.text.markup.blocks import raw_blocks
from lumbung.text.markup.hidden import strip_hidden

SECRET = "RAHASIA"


def seen(html: str) -> str:
    document = parse(html)
    strip_hidden(document)
    return "\n".join(block.text for block in raw_blocks(document))


INLINE = [
    "display:none",
    "DISPLAY : NONE !important",
    "visibility:hidden",
    "visibility:collapse",
    "display:n\\6f ne",
    "d\\69splay:none",
    "position:absolute;left:calc(-1 * 9999px)",
    "position:absolute;left:calc(9999px * -1)",
    "translate:-9999px",
    "letter-spacing:-1em",
    "opacity:0",
    "opacity:0.01",
    "opacity: 0%",
    "filter:opacity(0)",
    "font-size:0",
    "font-size:1px",
    "font-size:0.01em",
    "font:0/0 a",
    "color:transparent",
    "color:rgba(0,0,0,0)",
    "color:#00000000",
    "-webkit-text-fill-color:transparent",
    "color:#fff",
    "color:white;background:white",
    "background-color:#123456;color:rgb(18,52,86)",
    "color:hsl(0,0%,100%)",
    "text-indent:-9999px",
    "position:absolute;left:-9999px",
    "position:fixed;top:-200em",
    "position:absolute;inset:-1000px auto auto auto",
    "margin-left:-5000px",
    "clip:rect(0,0,0,0);position:absolute",
    "clip: rect(1px 1px 1px 1px)",
    "clip-path:inset(100%)",
    "clip-path:circle(0)",
    "width:0;height:0;overflow:hidden",
    "max-height:0;overflow:hidden",
    "height:1px;width:1px;overflow:hidden",
    "transform:scale(0)",
    "transform:translateX(-9999px)",
    "transform:rotateY(90deg)",
    "position:absolute;z-index:-1",
    "content-visibility:hidden",
    "zoom:0",
    "--x:none;display:var(--x)",
    "display:var(--nowhere, none)",
    "font-size:calc(1px*0)",
    "font-size:calc(0 * 12px)",
    "mask-image:linear-gradient(transparent,transparent)",
    "position:absolute;right:200vw",
    "position:fixed;left:150%",
]


@pytest.mark.parametrize("style", INLINE)
@pytest.mark.parametrize("tag", ["span", "div", "p"])
def test_inline_style_hides(style: str, tag: str) -> None:
    assert SECRET not in seen(f'<p>Tari Piring.</p><{tag} style="{style}">{SECRET}</{tag}><p>Selesai.</p>')


@pytest.mark.parametrize("style", INLINE)
def test_a_rule_of_the_page_hides_as_inline_style_does(style: str) -> None:
    assert SECRET not in seen(f"<style>.a, .x1 {{{style}}}</style><p>Tari.</p><div class='b x1'><b>{SECRET}</b></div>")


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden>{}</p>",
        "<div aria-hidden='true'>{}</div>",
        "<template>{}</template>",
        "<noscript>{}</noscript>",
        "<!-- {} -->",
        "<script>{}</script>",
        "<style>{}</style>",
        "<iframe>{}</iframe>",
        "<object><p>{}</p></object>",
        "<svg><text>{}</text></svg>",
        "<canvas>{}</canvas>",
        "<datalist><option>{}</option></datalist>",
        "<select><option>{}</option></select>",
        "<textarea>{}</textarea>",
        "<dialog>{}</dialog>",
        "<video>{}</video>",
        "<font color=white>{}</font>",
        "<table bgcolor=red><tr><td><font color=#ff0000>{}</font></td></tr></table>",
        "<style>@media screen{{.q{{display:none}}}}</style><i class=q>{}</i>",
        "<style>@media (min-width:200px){{.q{{display:none}}}}</style><i class=q>{}</i>",
        "<style>@supports (display:grid){{.q{{opacity:0}}}}</style><i class=q>{}</i>",
        "<style>#k > .q em {{visibility:hidden}}</style><div id=k><p class=q><em>{}</em></p></div>",
        "<style>.q{{display:block}} .q{{display:none!important}} p.q{{display:block}}</style><p class=q>{}</p>",
        "<style>body{{background:#000}} .q{{color:#000}}</style><p class=q>{}</p>",
        "<style>/* */ .q /* x */ {{ display : none }}</style><p class=q>{}</p>",
        "<style>.q{{position:absolute}}</style><p class=q style='left:-4000px'>{}</p>",
        "<style>.k{{color:red;.q{{display:none}}}}</style><div class=k><p class=q>{}</p></div>",
        "<style>.q{{@media screen{{display:none}}}}</style><p class=q>{}</p>",
        "<style>.k, .l{{&.q{{display:none}}}}</style><p class='l q'>{}</p>",
        "<style>:is(.k, .q){{display:none}}</style><p class=q>{}</p>",
        "<style>:root{{--off:none}} .q{{display:var(--off)}}</style><p class=q>{}</p>",
        "<style><!-- .q{{display:none}} --></style><p class=q>{}</p>",
        "<style>.q{{display:none!important}}</style><p class=q style='display:block'>{}</p>",
        "<span class='visually-hidden'>{}</span>",
        "<p class='screen-reader-text'>{}</p>",
        "<div popover>{}</div>",
        "<div style='display:none'><div><div><p style='display:block'>{}</p></div></div></div>",
    ],
)
def test_markup_hides(html: str) -> None:
    assert SECRET not in seen("<p>Tari Piring adalah tarian.</p>" + html.format(SECRET))


@pytest.mark.parametrize(
    "html",
    [
        "<style>@media print{.q{display:none}}</style><p class=q>{}</p>",
        "<style>@media (max-width:600px){.q{display:none}}</style><p class=q>{}</p>",
        "<style>.q{display:none} p.q{display:block}</style><p class=q>{}</p>",
        "<style>.q:hover{display:none}</style><p class=q>{}</p>",
        "<style>.q::before{opacity:0}</style><p class=q>{}</p>",
        "<style>.k{.q{display:none}}</style><p class=q>{}</p>",
        "<style>.q{@media print{display:none}}</style><p class=q>{}</p>",
        "<style>:root{--on:block} .q{display:var(--on)}</style><p class=q>{}</p>",
        "<p style='position:absolute;left:50%;right:10%'>{}</p>",
        "<style>body{background:#111}.q{color:white}</style><p class=q>{}</p>",
        "<div style='background:url(hero.jpg)'><p style='color:#fff'>{}</p></div>",
        "<p style='color:red;font-size:14px;left:-2px;position:relative'>{}</p>",
        "<p style='font:12px/1.5 serif;line-height:1.4'>{}</p>",
        "<p style='overflow:hidden;height:120px'>{}</p>",
        "<p style='margin:-10px;text-indent:2em'>{}</p>",
        "<style>.q{display:none}</style><p class=q style='display:block'>{}</p>",
        "<p style='position:relative;left:calc(2 * 4px);letter-spacing:-.5px'>{}</p>",
        "<details><summary>x</summary>{}</details>",
        "<dialog open>{}</dialog>",
    ],
)
def test_what_is_shown_stays(html: str) -> None:
    assert SECRET in seen("<p>Tari Piring.</p>" + html.replace("{}", SECRET))
