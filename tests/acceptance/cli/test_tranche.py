from __future__ import annotations


def test_a_curator_proposes_chooses_and_injects_one_tranche_at_a_time(installation, tmp_path):
    installation.account("kur", "curator")
    installation.login("kur")
    first, second, bad = tmp_path / "tari-minang.csv", tmp_path / "ritual-bali.csv", tmp_path / "bad.csv"
    first.write_text(
        "url,category,region,cost,note\nhttps://a.example/1,tarian,ID-SB,2,museum\nhttps://a.example/1,tarian,ID-SB,1,\nnot a url,,,1,\n"
    )
    second.write_text("url,category,region,cost,note\nhttps://b.example/1,ritual,ID-BA,50,\n")
    bad.write_bytes(b"\xff\xfe\x00,=cmd()\n")
    report = installation.records("tranche", "add", str(first))[0]
    assert (report["seeds"], report["duplicates"], report["refused"]) == (1, 1, 1)
    installation.run("tranche", "add", str(second))
    installation.run("tranche", "add", str(bad), code=2)
    installation.run("tranche", "add", str(tmp_path / "none.csv"), code=2)
    choice = installation.records("tranche", "choose", "--budget", "10")[0]
    assert [step["tranche"] for step in choice["steps"]] == ["tari-minang"]
    assert choice["steps"][0]["cells"][0][:2] == ["tarian", "ID-SB"]
    assert "1 seeds added" in installation.run("tranche", "inject", "tari-minang", "--reason", "dances are few")
    installation.run("tranche", "inject", "ritual-bali", "--reason", "both", code=3)
    installation.run("tranche", "stop", "tari-minang", "--reason", "enough")
    installation.run("tranche", "inject", "ritual-bali", "--reason", "next")
    states = {row["name"]: row["state"] for row in installation.records("tranche", "list")}
    assert states == {"tari-minang": "stopped", "ritual-bali": "injected"}
    assert len(installation.records("tranche", "holes", "--limit", "3")) == 3
