"""The process that knows the words and bears children, each of which answers questions on its wire within its limits."""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import replace
from typing import BinaryIO

from lumbung.errors import InputRefused
from lumbung.model.candidate import Candidate, PageText
from lumbung.profiles.loader import load_profile
from lumbung.providers.parser.recognition import die_with_parent
from lumbung.providers.parser.wire import ANSWER, BEAR, LENGTH, NUMBER, QUESTION, READY, REAP, WORDS, Answer, Question
from lumbung.text.extraction.lexical import extract
from lumbung.text.lexicon import Words
from lumbung.text.markup import read_any
from lumbung.text.markup.refusal import Unreadable
from lumbung.text.region import Gazetteer


class _Reader:
    """Keeps the profile and its gazetteer from page to page."""

    def __init__(self, profile: str, words: Words) -> None:
        self._profile = words.applied_to(load_profile(profile))
        self._gazetteer = Gazetteer(self._profile)

    def answer(self, question: Question, body: bytes) -> Answer:
        try:
            page = _read(question, body)
            return Answer(page, self._candidates(page) if question.extract else ())
        except InputRefused as refusal:
            return Answer(refused=refusal.reason)
        except MemoryError:
            return Answer(refused=Unreadable.MEMORY_LIMIT.value)
        except RecursionError:
            return Answer(refused=Unreadable.TOO_DEEP.value)
        except Exception:  # noqa: BLE001 - any page may break a library; the reason is recorded, the child replaced
            return Answer(refused=Unreadable.PARSER_CRASHED.value)

    def _candidates(self, page: PageText) -> tuple[Candidate, ...]:
        return tuple(extract(page, self._profile, self._gazetteer))


def _read(question: Question, body: bytes) -> PageText:
    recognition = question.recognition
    if recognition is None:
        return read_any(body, question.url, question.content_type)
    from lumbung.text.markup.scan import read_scan

    page = read_scan(body, recognition.most_pages, recognition.of)
    return replace(page, recognised_by=recognition.version)


def serve(source: BinaryIO, sink: BinaryIO, reader: _Reader) -> None:
    """Answers until the questions end."""
    while len(header := source.read(LENGTH.size)) == LENGTH.size:
        question_size, body_size = LENGTH.unpack(header)
        question = QUESTION.validate_json(source.read(question_size))
        answer = reader.answer(question, source.read(body_size))
        words = ANSWER.dump_json(answer)
        sink.write(LENGTH.pack(len(words), 0) + words)
        sink.flush()


def learn(control: socket.socket, profile: str) -> _Reader:
    """Hears which words are in force, and loads what reading loads, for all children and before any page's time runs."""
    with control.makefile("rb") as told:
        size, _ = LENGTH.unpack(told.read(LENGTH.size))
        reader = _Reader(profile, WORDS.validate_json(told.read(size)))
    reader.answer(Question("", "text/html", extract=True), b"<p>Tari Piring adalah tarian dari Minangkabau.</p>" * 40)
    return reader


def bear(wire: int, reader: _Reader) -> int:
    """The number of a child, a fork of this process, that answers at its end of the wire."""
    parent = os.getpid()
    number = os.fork()
    if number:
        os.close(wire)
        # By both, so that it stands by the time its number is told.
        with suppress(ProcessLookupError):
            os.setpgid(number, number)
        return number
    try:
        os.setpgid(0, 0)
        die_with_parent()
        if os.getppid() == parent:
            serve(os.fdopen(wire, "rb"), os.fdopen(os.dup(wire), "wb"), reader)
    finally:
        os._exit(0)


def main(memory_bytes: int, profile: str) -> None:
    # A parent that dies must not leave a hanging parser behind.
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    with socket.socket(fileno=os.dup(0)) as control, suppress(ConnectionError):
        reader = learn(control, profile)
        gc.freeze()
        control.sendall(READY)
        while True:
            order, wires, _, _ = socket.recv_fds(control, len(REAP) + NUMBER.size, 1)
            if not order:
                break
            if order == BEAR:
                number = bear(wires[0], reader)
            else:
                (number,) = NUMBER.unpack_from(order, len(REAP))
                os.waitpid(number, 0)
            control.sendall(NUMBER.pack(number))
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
