"""The desk and what officers do to reports: what is let in, undone, and in which version."""

from __future__ import annotations

import pytest

from ratingbook.office.acts import receive, reports, setup
from tests.office.reports import document, write


@pytest.fixture
def standard(home, tina):
    setup.add_pool("standard", "fide-2009", tina, policies={"assume": "1500"})
    return home


def take(home, tina, path):
    (one,), _ = receive.receive_all(home, [path], tina)
    return one


def test_who_lets_in_what_was_refused_is_told_that_games_are_lost(standard, tina, tmp_path):
    said = document()
    said["games"][0]["white"] = "99"
    said["games"].append(dict(said["games"][1], result="0-1"))
    assert take(standard, tina, write(tmp_path, "open.json", said)).state == "refused"
    (told,) = reports.put_aside("1", "release", "the arbiter signs it", tina)
    assert (told.code, told.severity) == ("office.let-in", "warning")
    assert "player 99" in told.message
    assert "And 1 more" in told.message
    assert "ratingbook office games 1" in told.remedy


def test_what_was_only_held_is_let_in_without_a_word(standard, tina, tmp_path):
    take(standard, tina, write(tmp_path, "open.json", document()))
    reports.put_aside("1", "hold", "the arbiter asks for it", tina)
    assert not list(reports.put_aside("1", "release", "settled", tina))
