from __future__ import annotations

import stat


def test_people_sign_in_act_in_their_own_name_and_lose_their_powers(installation):
    installation.account("ayu", "operator")
    installation.account("budi", "auditor")
    assert [row["login"] for row in installation.records("user", "list")] == ["ayu", "budi"]
    installation.run("user", "create", "ayu", "--without-password", code=2)
    installation.run("user", "create", "cici", "--password-stdin", typed="short", code=2)
    installation.run("user", "login", "budi", "--password-stdin", typed="not the password", code=3)
    installation.login("budi")
    token = installation.folder / "session"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    installation.run("user", "grant", "budi", "operator", "--reason", "more power", code=3)
    installation.run("user", "logout")
    assert not token.exists()
    installation.run("user", "grant", "budi", "curator", "--scope", "nothing", "--reason", "x", code=2)
    installation.run("user", "grant", "budi", "emperor", "--reason", "x", code=2)
    installation.run(
        "user", "grant", "budi", "curator", "--scope", "tarian", "--days", "30", "--reason", "knows dances"
    )
    grants = installation.records("user", "list")[1]["grants"]
    assert [(grant["role"], grant["scope"]) for grant in grants] == [("auditor", "*"), ("curator", "tarian")]
    installation.login("budi")
    installation.run("user", "logout")
    installation.run("user", "revoke", "budi", "auditor", "--reason", "left")
    installation.run("user", "erase", "budi", "--reason", "asked for it")
    assert len(installation.records("user", "list")) == 1


def test_a_session_that_is_over_is_said_and_not_replaced_by_the_operator_s_powers(installation):
    (installation.folder / "session").write_text("made up")
    installation.run("user", "create", "dewi", "--without-password", code=3)
    assert "session is over" in installation.said
    installation.run("user", "logout")


def test_what_was_done_is_told_to_programs_as_well(installation):
    installation.account("prog", "operator")
    assert installation.records("user", "logout") == [{"signed_in": False}]
    paused = installation.records("pause", "encode", "--reason", "upkeep")
    resumed = installation.records("resume", "encode", "--reason", "done")
    assert paused == [{"stage": "encode", "paused": True}]
    assert resumed == [{"stage": "encode", "paused": False, "acknowledged": []}]
    assert installation.records("dead-letters", "redrive", "--reason", "try again") == [{"sent": 0}]
    assert installation.records("migrate") == [{"applied": []}]
    installation.run("plan", "--measured", code=2)
    assert "Nothing was measured yet" in installation.said
    [granted] = installation.records("user", "grant", "prog", "curator", "--days", "1", "--reason", "a day")
    assert (granted["login"], granted["role"], granted["scope"]) == ("prog", "curator", "*")
    assert granted["until"]
