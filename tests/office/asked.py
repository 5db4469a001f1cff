"""An office with one event, of which corrections are asked for."""

from __future__ import annotations

from ratingbook.office.acts import corrections, receive, reports, states
from tests.office.reports import document, write
from tests.office.test_corrections import publish_one
from tests.office.test_runs import opened


def published_open(home, tina, tmp_path):
    """One published event, whose first game the first player won with White."""
    opened(home, tina, tmp_path, "fide-2009")
    path = write(tmp_path, "open.json", document(results={("1", "2"): "1-0"}))
    receive.receive(home, path, tina, receive.Options(pool="standard"))
    publish_one(home, tina)
    return home


def come_again(home, tina, path):
    """A new version of that event, which is let in if it is held."""
    options = receive.Options(version_of=1, pool="standard")
    got = receive.receive(home, path, tina, options)
    if got.state == states.HELD:
        reports.put_aside("1", "release", "the arbiter says so", tina)
    return got


def ask(home, tina, *contents):
    """Ask for something; the number of the request."""
    return corrections.ask(home, contents, "the sheet", tina).id


def hold(home, tina, *contents):
    """Ask for something and accept it; its number."""
    number = ask(home, tina, *contents)
    corrections.accept(home, number, tina)
    return number
