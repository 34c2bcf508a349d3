"""A fixed set of pages on loopback: up to 25 hosts, each with an index and three pages about well-known items.

The server hands out item pages only as the harness permits, so that there is work in hand whenever a fault comes.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from aiohttp import web

ITEMS = (
    ("Tari Piring", "tarian", "Minangkabau", "Sumatera Barat", "piring dan lilin"),
    ("Tari Saman", "tarian", "Gayo", "Aceh", "gerak tangan dan nyanyian"),
    ("Rendang", "makanan", "Minangkabau", "Sumatera Barat", "daging sapi, santan dan cabai"),
    ("Gudeg", "makanan", "Jawa", "Daerah Istimewa Yogyakarta", "nangka muda dan santan"),
    ("Pempek", "makanan", "Palembang", "Sumatera Selatan", "ikan dan sagu"),
    ("Angklung", "alat musik", "Sunda", "Jawa Barat", "bambu"),
    ("Sasando", "alat musik", "Rote", "Nusa Tenggara Timur", "bambu dan daun lontar"),
    ("Batik Mega Mendung", "motif kain", "Cirebon", "Jawa Barat", "kain katun dan malam"),
    ("Ulos", "kain tenun", "Batak", "Sumatera Utara", "benang kapas"),
    ("Songket Palembang", "kain tenun", "Palembang", "Sumatera Selatan", "benang emas dan sutra"),
    ("Rumah Gadang", "rumah adat", "Minangkabau", "Sumatera Barat", "kayu dan ijuk"),
    ("Tongkonan", "rumah adat", "Toraja", "Sulawesi Selatan", "kayu dan bambu"),
    ("Keris", "senjata tradisional", "Jawa", "Jawa Tengah", "besi dan pamor"),
    ("Mandau", "senjata tradisional", "Dayak", "Kalimantan Tengah", "besi dan kayu"),
    ("Rencong", "senjata tradisional", "Aceh", "Aceh", "besi dan gading"),
    ("Congklak", "permainan tradisional", "Jawa", "Jawa Tengah", "papan kayu dan biji-bijian"),
    ("Egrang", "permainan tradisional", "Jawa", "Jawa Timur", "bambu"),
    ("Kolintang", "alat musik", "Minahasa", "Sulawesi Utara", "kayu"),
    ("Reog Ponorogo", "seni pertunjukan", "Ponorogo", "Jawa Timur", "topeng dan bulu merak"),
    ("Wayang Kulit", "seni pertunjukan", "Jawa", "Jawa Tengah", "kulit kerbau"),
    ("Tari Kecak", "tarian", "Bali", "Bali", "suara para penari"),
    ("Papeda", "makanan", "Maluku", "Maluku", "sagu"),
    ("Soto Banjar", "makanan", "Banjar", "Kalimantan Selatan", "ayam dan rempah"),
    ("Gamelan", "alat musik", "Jawa", "Jawa Tengah", "perunggu"),
    ("Tifa", "alat musik", "Papua", "Papua", "kayu dan kulit rusa"),
)
PAGES_A_HOST = 3
LONGEST_HOLD_SECONDS = 15.0
"""Below what the fetcher waits for an answer."""
STEPS = (0, 7, 13)
SENTENCES = (
    (
        "{name} adalah {kind} tradisional masyarakat {people} dari {place}. {name} dibuat dari {material}. "
        "Warisan budaya ini diwariskan turun-temurun dan masih dijaga oleh masyarakat adat setempat."
    ),
    (
        "Di {place} orang {people} mengenal {name}. {name} merupakan {kind} tradisional yang berasal dari {place}. "
        "Bahan: {material}. Para perajin dan seniman daerah mengajarkannya kepada anak-anak di sanggar."
    ),
    (
        "{name} ialah {kind} khas {people}, {place}, yang hadir dalam upacara adat dan perayaan desa. "
        "Menurut para tetua, bahannya {material}. Pemerintah daerah mencatatnya sebagai warisan budaya takbenda."
    ),
)


def host_names(number: int) -> list[str]:
    return [f"desa-{each:02}.example" for each in range(number)]


def item_of(host: int, place: int, number_of_hosts: int) -> int:
    """Each item stands on three hosts, each time in other words."""
    return (host + STEPS[place]) % number_of_hosts


def index_page(host: int, number_of_hosts: int) -> str:
    links = "".join(
        f'<li><a href="/budaya/{place}">{ITEMS[item_of(host, place, number_of_hosts)][0]}: warisan budaya</a></li>'
        for place in range(PAGES_A_HOST)
    )
    return document("Daftar warisan budaya", f"<p>Warisan budaya dan tradisi yang dicatat di sini.</p><ul>{links}</ul>")


def item_page(host: int, place: int, number_of_hosts: int) -> str:
    name, kind, people, region, material = ITEMS[item_of(host, place, number_of_hosts)]
    text = SENTENCES[place].format(name=name, kind=kind, people=people, place=region, material=material)
    rows = f"<tr><th>Asal</th><td>{region}</td></tr><tr><th>Bahan</th><td>{material}</td></tr>"
    note = f"Catatan ini ditulis oleh perpustakaan desa nomor {host + 1} untuk warganya, dari buku kegiatan sanggar."
    return document(name, f"<p>{text}</p><table>{rows}</table><p>{note}</p>")


def document(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="id"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><article><h1>{title}</h1>{body}</article></body></html>"
    )


def human_records() -> list[dict[str, object]]:
    """What people wrote before the machine came: some of the items, in their own words."""
    return [
        {
            "title": name,
            "text": f"{name} dikenal orang {people} di {region}. Kami menulis ini dari cerita orang tua kami.",
            "remote_id": f"manusia-{number}",
        }
        for number, (name, _, people, region, _) in enumerate(ITEMS)
        if number % 6 == 0
    ]


class PageServer:
    """Item pages wait for a permit; everything else is answered at once."""

    def __init__(self, number_of_hosts: int, address: str = "127.0.0.1") -> None:
        self._address = address
        self._hosts = host_names(number_of_hosts)
        self._permits = asyncio.Semaphore(0)
        self._open = False
        self._runner: web.AppRunner | None = None
        self._number = {host: number for number, host in enumerate(self._hosts)}
        self.port = 0
        self.served = 0

    async def start(self) -> None:
        application = web.Application()
        application.router.add_get("/{path:.*}", self._answer)
        self._runner = web.AppRunner(application, access_log=None, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, self._address, 0, shutdown_timeout=0.2).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        if self._runner:
            await self._runner.cleanup()

    def permit(self, pages: int) -> None:
        for _ in range(pages):
            self._permits.release()

    def open(self) -> None:
        """No page waits any more."""
        self._open = True
        self.permit(10_000)

    def hosts_lines(self) -> str:
        return "".join(f"{host} {self._address}:{self.port}\n" for host in self._hosts)

    async def _answer(self, request: web.Request) -> web.Response:
        number = self._number.get(request.headers.get("Host", "").partition(":")[0])
        if number is None:
            return web.Response(status=421)
        if request.path == "/":
            return web.Response(text=index_page(number, len(self._hosts)), content_type="text/html")
        place = request.path.removeprefix("/budaya/")
        if not place.isdigit() or int(place) >= PAGES_A_HOST:
            return web.Response(status=404)
        if not self._open:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._permits.acquire(), LONGEST_HOLD_SECONDS)
        self.served += 1
        return web.Response(text=item_page(number, int(place), len(self._hosts)), content_type="text/html")
