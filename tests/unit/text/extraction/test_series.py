"""Sections, rows and lines of one form: things side by side, each with a name and what is told of it."""

from __future__ import annotations

from tests.unit.text.extraction.pages import facts, read


def _told(html: str) -> dict[str, list[tuple[str, str]]]:
    return {item.name: facts(item) for item in read(html)}


def test_sections_whose_text_says_the_kind_and_leaves_out_the_name_are_of_their_headings() -> None:
    page = (
        "<h3>Klepon</h3><p>Kue ini terbuat dari tepung ketan dan gula merah, lalu digulingkan pada parutan kelapa.</p>"
        "<h3>Getuk</h3><p>Makanan yang terbuat dari singkong dan gula, lalu ditumbuk sampai halus.</p>"
        "<h3>Nagasari</h3><p>Kue ini terbuat dari tepung beras, santan, dan pisang.</p>"
    )
    told = _told(page)
    assert list(told) == ["Klepon", "Getuk", "Nagasari"]
    assert ("bahan", "singkong") in told["Getuk"]
    assert ("bahan", "pisang") in told["Nagasari"]
    assert not any(value == "pisang" for _, value in told["Klepon"])


def test_what_most_of_them_are_is_the_kind_of_one_that_does_not_say_its_own() -> None:
    page = (
        "<h2>Manuk Dadali</h2><p>Lagu ini diciptakan oleh Sambas Mangundikarta.</p>"
        "<h2>Ampar-Ampar Pisang</h2><p>Lagu ini berasal dari Kalimantan Selatan.</p>"
        "<h2>Gundul-Gundul Pacul</h2><p>Berasal dari Jawa Tengah dan melambangkan pemimpin yang mengemban amanah.</p>"
    )
    found = {item.name: item.category for item in read(page)}
    assert found["Gundul-Gundul Pacul"] == "musik-dan-lagu"


def test_what_stands_below_further_headings_is_of_the_thing_above_them() -> None:
    page = "".join(
        f"<h2>{name}</h2><h5>Lirik</h5><p>{name} di sini, {name} di sana</p><h5>Makna</h5>"
        f"<p>Lagu daerah dari {land} ini diciptakan oleh {maker}.</p>"
        for name, land, maker in (
            ("Manuk Dadali", "Jawa Barat", "Sambas Mangundikarta"),
            ("Gelang Sipaku Gelang", "Sumatera Barat", "Adi Karso"),
            ("Apuse", "Papua", "Tete Mandosir Sarumi"),
        )
    )
    told = _told(page)
    assert set(told) == {"Manuk Dadali", "Gelang Sipaku Gelang", "Apuse"}
    assert ("pencipta", "Sambas Mangundikarta") in told["Manuk Dadali"]
    assert not any("Mangundikarta" in value for name in ("Gelang Sipaku Gelang", "Apuse") for _, value in told[name])


def test_rows_without_headers_are_a_name_a_land_and_what_is_told() -> None:
    page = (
        "<table><tr><td>Serunai</td><td>Sumatera Barat</td><td>Alat musik ini dimainkan dengan cara ditiup.</td></tr>"
        "<tr><td>Rencong</td><td>Aceh</td><td>Senjata ini menjadi simbol keberanian masyarakat Aceh.</td></tr>"
        "<tr><td>Sasando</td><td>Nusa Tenggara Timur</td><td>Alat musik ini terbuat dari bambu dan daun lontar.</td></tr></table>"
    )
    told = _told(page)
    assert set(told) == {"Serunai", "Rencong", "Sasando"}
    assert ("asal-daerah", "Nusa Tenggara Timur") in told["Sasando"]
    assert ("bahan", "bambu") in told["Sasando"]


def test_lines_that_begin_with_a_name_and_a_dash_are_entries() -> None:
    page = (
        "<h1>What to Eat in Lombok</h1><p>Ayam Taliwang — A dish of grilled chicken with chili and garlic from Lombok.</p>"
        "<p>Beberuk Terong — A traditional Sasak salad made from eggplant and tomato.</p>"
        "<p>Nasi Balap Puyung — A rice dish with shredded chicken and soybeans from Lombok.</p>"
    )
    assert {"Beberuk Terong", "Nasi Balap Puyung"} <= set(_told(page))


def test_parts_of_one_thing_are_no_things_of_their_own() -> None:
    page = (
        "<h1>Rumah Gadang</h1><p>Rumah Gadang adalah rumah adat Minangkabau dari Sumatera Barat.</p>"
        "<h2>Gonjong</h2><p>Atap ini menjulang dan terbuat dari ijuk.</p>"
        "<h2>Anjung</h2><p>Ruangan ini lebih tinggi dari lantai lain.</p>"
        "<h2>Rangkiang</h2><p>Bangunan ini adalah lumbung padi di halaman.</p>"
    )
    assert list(_told(page)) == ["Rumah Gadang"]


def test_sections_that_tell_visitors_what_to_do_are_no_things() -> None:
    page = (
        "<h1>Berlibur ke Solo</h1><h2>Transportasi</h2><p>Kereta ini berangkat dari Yogyakarta setiap jam.</p>"
        "<h2>Penginapan</h2><p>Hotel ini terletak di Jalan Slamet Riyadi.</p>"
        "<h2>Belanja</h2><p>Pasar ini buka setiap hari dan menjual kain.</p>"
    )
    assert read(page) == []


def test_a_list_of_amounts_below_the_name_of_a_dish_is_its_recipe() -> None:
    page = (
        '<html lang="ms"><h1>Rendang Tok</h1><ul><li>Daging lembu (dipotong) 1 kg</li><li>Santan pekat 500 ml</li>'
        "<li>Kerisik kelapa 4 sudu besar</li><li>2 batang serai</li></ul><ol><li>Masukkan daging.</li></ol></html>"
    )
    told = _told(page)
    assert {value.casefold() for code, value in told["Rendang Tok"] if code == "bahan"} >= {
        "daging lembu",
        "santan pekat",
        "serai",
    }
