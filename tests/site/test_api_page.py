"""The examples of the page about the API are true: they are asked, and answered so."""

from __future__ import annotations

import re
import shlex
import socketserver
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from django.core.handlers.wsgi import WSGIHandler
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.office.acts import setup

pytest.importorskip("httpx")
PAGE = Path(__file__).parents[2] / "docs" / "site-api.md"
WRITTEN = "http://127.0.0.1:8000"


class Threads(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Silent(WSGIRequestHandler):
    def log_message(self, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def served(world) -> Iterator[str]:
    setup.open_office(world.folder)
    with make_server("127.0.0.1", 0, WSGIHandler(), Threads, Silent) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def examples() -> list[tuple[list[str], str]]:
    """Each command, and what stands below it."""
    text = PAGE.read_text("utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.M | re.S)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
    return [(shlex.split(part.partition("\n")[0]), part.partition("\n")[2]) for part in parts]


def asked(command: list[str], address: str) -> str:
    words = [word.replace(WRITTEN, address) for word in command]
    if words[:2] == ["curl", "-s"]:
        (url,) = words[2:]
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError as refused:
            return refused.read().decode()
    assert words[0] == "ratingbook"
    return CliRunner().invoke(app, words[1:]).stdout


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def test_the_examples_are_answered_as_the_page_says(served, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")
    every = examples()
    assert len(every) >= 6
    for command, said in every:
        assert lines(asked(command, served)) == lines(said), shlex.join(command)
