from __future__ import annotations


def sign(installation, risk, *points):
    checked = [argument for point in points for argument in ("--checked", point)]
    installation.run("mode", "sign", "2", risk, *checked, "--note", "looked at")


def test_a_category_is_raised_by_four_people_and_stopped_by_one(installation):
    for login, role in (
        ("kur", "curator"),
        ("pen", "approver"),
        ("aud", "auditor"),
        ("jaga", "guardian"),
        ("op", "operator"),
    ):
        installation.account(login, role)
    installation.run("mode", "ratify", "--consulted", "x", "--reason", "y", code=3)
    installation.login("pen")
    assert "version 2" in installation.run("mode", "set", "fusion.theta", "0.9", "--reason", "stricter")
    assert installation.records("mode", "set", "fusion.theta", "0.8", "--reason", "looser")[0]["request"] == 1
    installation.run("mode", "approve", "1", "--reason", "mine", code=3)
    installation.login("jaga")
    installation.run("mode", "ratify", "--consulted", "Sanggar A", "--reason", "met in May")
    installation.login("kur")
    installation.run("mode", "request", "tarian", "full", "--reason", "hurry", code=2)
    assert installation.records("mode", "request", "tarian", "trickle", "--reason", "ready") == [{"request": 2}]
    installation.login("jaga")
    sign(installation, "culture", "scope-fits", "sensitive-list-talked-over", "samples-respectful")
    installation.login("aud")
    sign(installation, "corpus", "machine-account-only", "human-corpus-unchanged", "error-rate-known", "undo-tried")
    installation.login("pen")
    installation.run("mode", "approve", "2", "--reason", "too early", code=3)
    assert "law" in installation.said
    sign(installation, "law", "terms-of-sources-read", "licences-checked", "contact-answers", "takedowns-handled")
    installation.run("mode", "approve", "2", "--reason", "all signed")
    shown = installation.records("mode", "show")[0]
    assert shown["categories"]["tarian"]["mode"] == "trickle"
    assert (shown["ratified"], shown["single_handed"]) == (True, False)
    installation.login("aud")
    assert "1 categories" in installation.run("mode", "stop", "--reason", "fire")
    assert installation.records("mode", "show")[0]["categories"]["tarian"]["mode"] == "shadow"
    assert installation.run("mode", "samples").splitlines()[0].startswith("id,kind,stage,subject")
    [figures] = installation.records("mode", "audit", "figures", "--margin", "0.01")
    assert figures["precision"]["*"]["labels"] == figures["plan"]["have"] == 0
    assert figures["plan"]["labels"] > 1800, "Eq. (23) at 95 % and a margin of one in a hundred"
    assert "a margin of 0.02 takes" in installation.run("mode", "audit", "figures")
    assert installation.run("mode", "report").startswith("# Perpustakaan Digital Budaya Indonesia")
    assert {row["name"] for row in installation.records("mode", "constants")} >= {"fusion.theta", "audit.p_min"}
    installation.run("user", "logout")
