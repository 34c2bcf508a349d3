"""A local site over many virtual hosts: pages of about 18 KB, a fixed number of links on each, most of them repeated.

python site.py PORT HOSTS PAGES LINKS
"""

from __future__ import annotations

import asyncio
import random
import sys
from typing import ClassVar

TOPICS = [
    "tari",
    "batik",
    "wayang",
    "gamelan",
    "angklung",
    "upacara",
    "adat",
    "rumah",
    "gadang",
    "songket",
    "tenun",
    "ukir",
    "naskah",
    "kuno",
    "lontar",
    "prasasti",
    "permainan",
    "rakyat",
    "cerita",
    "dongeng",
    "makanan",
    "khas",
    "sate",
    "rendang",
    "keris",
    "tombak",
    "jamu",
    "ramuan",
    "motif",
    "kain",
    "budaya",
    "daerah",
]
PLAIN = [
    "yang",
    "dan",
    "di",
    "ini",
    "itu",
    "dengan",
    "untuk",
    "pada",
    "dari",
    "oleh",
    "adalah",
    "sebuah",
    "masyarakat",
    "desa",
    "orang",
    "tua",
    "muda",
    "sejak",
    "dahulu",
    "kini",
    "masih",
    "sering",
    "biasanya",
    "terbuat",
    "dipakai",
    "dimainkan",
    "ketika",
    "hari",
    "besar",
    "panen",
    "pernikahan",
    "karena",
    "agar",
    "setelah",
    "sebelum",
    "tempat",
    "waktu",
    "jalan",
    "sungai",
    "air",
    "tanah",
    "kayu",
    "batu",
    "anak",
    "ibu",
    "bapak",
    "nama",
    "kata",
    "suara",
    "tangan",
    "kaki",
    "mata",
    "warna",
    "panjang",
    "lebar",
    "tinggi",
    "rendah",
    "baik",
    "buruk",
    "baru",
    "lama",
    "banyak",
    "sedikit",
    "semua",
    "setiap",
    "juga",
    "lagi",
    "sudah",
    "belum",
    "akan",
    "dapat",
    "harus",
    "ingin",
    "tahu",
]
PLACES = ["jawa", "bali", "sumatra", "sulawesi", "aceh", "minangkabau", "toraja", "bugis", "dayak", "madura"]


def page_html(port: int, hosts: int, pages: int, links: int, host: int, number: int) -> bytes:
    draw = random.Random(host * 1_000_003 + number)  # noqa: S311 - the same pages at every run

    def word() -> str:
        chance = draw.random()
        return draw.choice(TOPICS if chance < 0.05 else PLACES if chance < 0.07 else PLAIN)

    paragraphs = ["<p>" + " ".join(word() for _ in range(95)) + ".</p>" for _ in range(26)]
    anchors = []
    for place in range(links):
        if place < links // 4:
            target = f"/halaman/{place}"
        elif draw.random() < 0.9:
            target = f"/halaman/{draw.randrange(pages)}"
        else:
            target = f"http://h{draw.randrange(hosts)}.example:{port}/halaman/{draw.randrange(pages)}"
        anchors.append(f'<li><a href="{target}">{draw.choice(TOPICS)} {draw.choice(PLAIN)}</a></li>')
    title = f"{draw.choice(TOPICS)} {number}"
    return (
        f'<!DOCTYPE html><html lang="id"><head><meta charset="utf-8"><title>{title}</title></head><body>'
        f"<nav><ul>{''.join(anchors)}</ul></nav><main><h1>{title}</h1>{''.join(paragraphs)}</main></body></html>"
    ).encode()


class Site(asyncio.Protocol):
    """A server as bare as can be, so that it does not take the machine from those who are measured."""

    bodies: ClassVar[dict[tuple[str, str], bytes]] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.pending = b""

    def data_received(self, data: bytes) -> None:
        self.pending += data
        while b"\r\n\r\n" in self.pending:
            head, _, self.pending = self.pending.partition(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            path = lines[0].split(" ")[1]
            host = next((line[5:].strip() for line in lines if line.lower().startswith("host:")), "").partition(":")[0]
            self.transport.write(self.answer(host, path))

    def answer(self, host: str, path: str) -> bytes:
        status, body, kind = "200 OK", self.bodies.get((host, path)), "text/html; charset=utf-8"
        if path == "/robots.txt":
            body, kind = b"User-agent: *\nDisallow: /tertutup/\n", "text/plain"
        if body is None:
            status, body = "404 Not Found", b"<html><title>404</title><p>tidak ditemukan</p></html>"
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: keep-alive\r\n\r\n"
        return head.encode() + body


async def main(port: int, hosts: int, pages: int, links: int) -> None:
    per_host = pages // hosts
    for host in range(hosts):
        for number in range(per_host):
            Site.bodies[f"h{host}.example", f"/halaman/{number}"] = page_html(
                port, hosts, per_host, links, host, number
            )
    server = await asyncio.get_running_loop().create_server(Site, "127.0.0.1", port, backlog=1000)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:5])))
