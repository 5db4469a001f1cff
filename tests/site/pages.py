"""What holds for every page: few queries, few bytes."""

from __future__ import annotations

from pathlib import Path

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratingbook.office.acts import setup
from ratingbook.office.home import Home
from tests.site import offices

QUERIES, BYTES = 12, 150_000

FIRST = 6
"""Queries more of the first look in a server that has just begun: what few have, as merges,
corrected games and hidden names, and what a published run was fed, is read once."""


def page_of(client: Client, url: str, status: int = 200, more: int = 0) -> str:
    """The text of a page, which needed few queries, is not large, and has no odd characters."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(url)
    assert answer.status_code == status, answer.content[:500]
    assert len(queries) <= QUERIES + more, [each["sql"] for each in queries]
    assert len(answer.content) < BYTES
    text = answer.content.decode()
    assert "\N{REPLACEMENT CHARACTER}" not in text, (
        "of a character of ours or of an invented report"
    )
    return as_read(text)


def as_read(text: str) -> str:
    """A page without the characters that only keep a line from ending there."""
    return text.replace("\N{WORD JOINER}", "")


def copied(home: Home, folder: Path) -> tuple[Home, Client]:
    """A copy of an office, to write into, and somebody who looks at it."""
    offices.copied(home, folder / "copy")
    opened = setup.open_office(folder / "copy")
    return opened, Client(headers={"host": "localhost"})
