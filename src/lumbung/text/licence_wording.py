"""How people write licences: abbreviations, spelled-out names in several languages, reservations and denials."""

from __future__ import annotations

import re

ADDRESS = re.compile(r"(?:https?:)?//[^\s<>\"'\\)\]]+|\b(?:www\.)?creativecommons\.org/[^\s<>\"'\\)\]]+", re.IGNORECASE)
ABBREVIATED = re.compile(
    r"(?:\bCC|\(CC\))[\s_-]{0,3}(?:(?P<before>\d\.\d)[\s_-]{1,3})?(?P<elements>BY(?:[\s_-]{0,3}(?:NC|ND|SA)\b)*)"
    r"(?:[\s_-]{0,3}v?\.?\s?(?P<version>\d\.\d)(?:[\s_-](?P<port>IGO|[A-Z]{2})\b)?)?(?!\w)",
    re.IGNORECASE,
)
BARE = re.compile(r"(?<![\w-])(BY(?:-(?:NC|ND|SA))*)[\s-]+(\d\.\d)\b")
ZERO = re.compile(r"\bCC[\s-]?(?:0|zero)(?:[\s-]*1\.0)?\b|creative commons zero", re.IGNORECASE)
MARK = re.compile(r"\bpublic domain mark(?: 1\.0)?\b|\bPDM 1\.0\b", re.IGNORECASE)
_SPDX_NAME = r"\(?[\w.+-]{2,60}\)?"
SPDX_EXPRESSION = re.compile(rf"\(?{_SPDX_NAME}(?:[ \t]+(?:AND|OR|WITH)[ \t]+\(?{_SPDX_NAME})*\)?")
SPDX_TAG = re.compile(rf"(?i:SPDX-License-Identifier):\s*({SPDX_EXPRESSION.pattern})")
GFDL = re.compile(
    r"\bGFDL(?:[\s-]*(\d\.\d))?|GNU (?:Free Documentation|FDL) Licen[sc]e(?:,?\s*(?:v\.?|version|versi|versie)?\s*(\d\.\d))?",
    re.IGNORECASE,
)
OR_LATER = re.compile(
    r"or (?:any )?later|atau (?:versi )?(?:yang )?(?:lebih baru|selanjutnya)|of (?:elke )?later", re.IGNORECASE
)
_NAMES_OF_BY = (
    r"attribution|atribusi|naamsvermelding|pengatribusian|pengiktirafan|namensnennung|attribuzione|reconocimiento|"
    r"atribución|atribuição|表示|署名|姓名標示"
)
_NAMES_OF_ELEMENTS = {
    "nc": r"non[\s-]*commercial|non[\s-]*komersial|nir[\s-]*laba|bukan[\s-]*komersial|niet[\s-]*commercieel|"
    r"nicht[\s-]*kommerziell|pas d['’]utilisation commerciale|no[\s-]*comercial|não[\s-]*comercial|non commerciale|"
    r"非営利|非商业性(?:使用)?|非商業性",
    "nd": r"no[\s-]*deriv(?:ative)?s?(?: works)?|tanpa[\s-]*turunan|tiada[\s-]*terbitan|geen[\s-]*afgeleide[\s-]*werken|"
    r"keine bearbeitung(?:en)?|pas de modification|sin[\s-]*obra[\s-]*derivada|sem[\s-]*derivações|non opere derivate|"
    r"改変禁止|禁止演绎|禁止改作",
    "sa": r"share[\s-]*alike|berbagi[\s-]*serupa|gelijk[\s-]*delen|perkongsian[\s-]*serupa|"
    r"weitergabe unter gleichen bedingungen|partage dans les mêmes conditions|compartir[\s-]*igual|"
    r"compartilha[\s-]*igual|condividi allo stesso modo|継承|相同方式(?:共享|分享)",
}
ELEMENTS = {element: re.compile(names, re.IGNORECASE) for element, names in _NAMES_OF_ELEMENTS.items()}
SPELLED = re.compile(
    rf"\b(?:{_NAMES_OF_BY})((?:[\s-]*(?:dan |and |en )?(?:{'|'.join(_NAMES_OF_ELEMENTS.values())}))*)"
    r"[\s,(]*(?:(?:license|licence|lisensi|lesen|version|versie|versi|creative\s*commons)[\s,]*){0,3}(\d\.\d)?",
    re.IGNORECASE,
)
CREATIVE = re.compile(r"creative\s*commons|クリエイティブ・?コモンズ|知识共享|創用|\bCC\b", re.IGNORECASE)
RESERVED = re.compile(
    r"all rights? (?:are )?reserved|hak cipta (?:ini )?(?:di)?(?:lindungi|terpelihara)|seluruh hak (?:cipta )?dilindungi|"
    r"semua hak (?:cipta )?(?:dilindungi|terpelihara)|alle rechten voorbehouden|hakcipta terpelihara|"
    r"alle rechte vorbehalten|todos los derechos reservados|todos os direitos reservados|"
    r"dilarang (?:keras )?(?:memperbanyak|menyalin|mengutip|mengcopy|meng-copy|menggandakan|menyebarluaskan|mengambil|mereproduksi|menggunakan)|"
    r"dilarang (?:keras )?(?:diperbanyak|disalin|dikutip|digandakan|disebarluaskan|diambil|digunakan|dipakai)|"
    r"reserves? all (?:its |their |the )?rights|behoudt zich alle rechten voor|"
    r"no part of this .{0,40}may be reproduced|niets uit deze uitgave|tous droits réservés|may not be reproduced|"
    r"do not (?:copy|reuse|reproduce)",
    re.IGNORECASE,
)
_NO_TRADE = "personal|private|non-?commercial|educational|research|study"
NOT_FOR_TRADE = re.compile(
    rf"(?:{_NO_TRADE})(?:(?:,|/|&|\s|\band\b|\bor\b){{1,4}}(?:{_NO_TRADE})){{0,3}} (?:use|purposes) only|"
    r"tidak (?:untuk )?(?:di)?(?:perjualbelikan|perdagangkan|komersialkan|jual)\b|dilarang (?:di|mem)perjualbelikan|"
    r"(?:no|not for|not be used for) commercial (?:use|purposes)|"
    r"hanya untuk (?:kepentingan|penggunaan|keperluan|tujuan) (?:non-?komersial|pribadi|pendidikan)|"
    r"(?:tidak|bukan|dilarang)[^.\n]{0,30}(?:kepentingan|penggunaan|keperluan|tujuan) komersial|"
    r"alleen voor (?:persoonlijk|niet-commercieel) gebruik|niet voor commercieel gebruik|geen commercieel gebruik",
    re.IGNORECASE,
)
WITHOUT_PICTURES = re.compile(
    r"(?:\bCC[ -]?(?:0|BY)\b|licen[sc]e|lisensi|lesen|licentie)[^;\n]{0,60}?"
    r"\b(?:but|except(?:ing)?(?: for)?|excluding|kecuali|tetapi|namun|behalve|maar)\b[^.;\n]{0,30}"
    r"\b(?:images?|photos?|photographs?|pictures|illustrations|gambar(?:nya)?|foto(?:nya)?|ilustrasi|afbeeldingen)\b",
    re.IGNORECASE,
)
"""What a page shows beside its words is left out of their licence."""
NO_CHANGES = re.compile(
    r"no (?:derivatives?|modifications?|alterations?) (?:are )?(?:allowed|permitted)|may not be (?:altered|modified)|"
    r"(?:tidak boleh|dilarang) (?:diubah|mengubah|memodifikasi)|mag niet worden (?:bewerkt|gewijzigd)",
    re.IGNORECASE,
)
DENIED_BEFORE = re.compile(
    r"(?:\bnot\b(?! only| otherwise)|\bno longer\b|\w+n['’]t\b|\bcannot\b|\btidak\b(?! hanya| (?:dinyatakan|disebutkan|ditentukan))|"
    r"\bbukan\b(?! hanya)|\bbelum\b|\bniet\b(?! anders| alleen)|\bgeen\b|\bnever\b|\btanpa\b|\bwithout\b|\bzonder\b|\bnor\b|"
    r"\binstead of\b|\brather than\b|\bunlike\b|\bused to be\b|\bpreviously\b|\bformerly\b|\bsebelumnya\b|\bdulunya\b|"
    r"\bvoorheen\b|\btiada\b|\btak\b|\bnicht\b)"
    r"(?:(?!\b(?:but|however|tetapi|tapi|namun|melainkan|maar|sondern|now|sekarang|kini)\b)[^.;\n]){0,60}$",
    re.IGNORECASE,
)
DENIED_AFTER = re.compile(
    r"[^.;\n]{0,40}?(?:\bnot (?:apply|valid|cover|include)|\bno longer\b|n['’]t (?:apply|cover)|tidak (?:lagi )?(?:berlaku|mencakup)|"
    r"tak (?:lagi )?berlaku|(?:geldt|gelden) niet|niet van toepassing|(?:has|have) (?:expired|been (?:withdrawn|revoked))|"
    r"(?:telah|sudah) (?:dicabut|berakhir))",
    re.IGNORECASE,
)
INFORMAL = re.compile(
    r"(?:boleh|dapat|bebas|silakan|silahkan)[^.\n]{0,60}(?:menyebut|mencantumkan|menyertakan)[^.\n]{0,20}sumber|free (?:to use|for (?:personal|non))|"
    r"royalty[\s-]*free|bebas (?:digunakan|dipakai)|with permission|atas izin|met toestemming|courtesy of|fair use",
    re.IGNORECASE,
)
PUBLIC_DOMAIN = re.compile(r"public domain|domain publik|ranah publik|domain awam|publiek domein", re.IGNORECASE)
SOFTWARE = (
    (re.compile(r"creative commons public domain dedication and certification", re.IGNORECASE), "CC-PDDC"),
    (re.compile(r"creative commons share[\s-]*alike 1\.0", re.IGNORECASE), "CC-SA-1.0"),
    (re.compile(r"\bLicence Art Libre 1\.2|\bFree Art Licen[sc]e 1\.2", re.IGNORECASE), "LAL-1.2"),
    (re.compile(r"\bLicence Art Libre 1\.3|\bFree Art Licen[sc]e 1\.3", re.IGNORECASE), "LAL-1.3"),
    (re.compile(r"\bMIT Licen[sc]e\b|\blisensi MIT\b", re.IGNORECASE), "MIT"),
    (re.compile(r"\bApache Licen[sc]e,?\s*(?:version\s*)?2\.0\b|\blisensi Apache 2\.0\b", re.IGNORECASE), "Apache-2.0"),
    (re.compile(r"\bODbL\b|Open Database Licen[sc]e", re.IGNORECASE), "ODbL-1.0"),
    (re.compile(r"\bOpen Government Licen[sc]e v?3\.0", re.IGNORECASE), "OGL-UK-3.0"),
)
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\u00a0\u202f\u2009\u2007\u3000", " "),
        **{chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)},
    }
)
_UNSEEN_INSIDE = re.compile(r"[\u00ad\u200b\u2060\ufeff]")


def plain(text: str) -> str:
    """One kind of dash and space, and nothing that cannot be seen inside a name."""
    return _UNSEEN_INSIDE.sub("", text).translate(_PLAIN)
