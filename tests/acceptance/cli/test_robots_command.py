from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path

LUMBUNG = Path(sys.executable).with_name("lumbung")


def test_robots_check_answers_every_line_in_order() -> None:
    robots = "User-agent: *\nCrawl-delay: 5\nDisallow: /x\n"
    lines = [
        {"robots": robots, "agent": "Lumbung", "url": "http://a.id/x/1"},
        {
            "robots_base64": base64.b64encode(robots.encode("utf-16")).decode(),
            "agent": "Lumbung",
            "url": "http://a.id/y",
        },
        {"robots": "", "agent": "", "url": ""},
        {"robots_base64": "***", "agent": "a", "url": "http://a.id/"},
        {"agent": "a", "url": "http://a.id/"},
        {"robots": "", "url": "http://a.id/"},
        {"robots": "", "agent": "a", "url": "http://["},
        {"robots": "", "agent": "a", "url": "mailto://x"},
        {"robots_base64": base64.b64encode(b"User-agent: *\nDisallow: /\xff\n").decode(), "agent": "a", "url": "/%FF"},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    done = subprocess.run([LUMBUNG, "robots", "check", "-"], input=text, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[0] == {"url": "http://a.id/x/1", "allowed": False, "rule": "Disallow: /x", "crawl_delay": 5.0}
    assert answers[1] == {"url": "http://a.id/y", "allowed": True, "rule": None, "crawl_delay": 5.0}
    assert answers[2]["allowed"] is True
    assert all("error" in answer for answer in answers[3:8])
    assert answers[8]["allowed"] is False
    assert len(answers) == len(lines)
