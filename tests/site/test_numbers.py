"""One of something is said as one, on pages and at a shell."""

from __future__ import annotations

import re
from datetime import date

import pytest

from ratingbook.office.acts import desk, receive, runs
from tests.office import reports
from tests.office.officers import Officer
from tests.site.offices import TINA
from tests.site.people import nobody


@pytest.fixture
def match(office):
    """Somebody new has won one game, which was published."""
    players = {"2": reports.PLAYERS["2"], "9": ("Golf, Zoe", "w", "1995-05-05", "909")}
    said = reports.document("Match", "2026-03-25", {("2", "9"): "0-1"}, players)
    path = reports.write(office.folder, "match.json", said)
    received = receive.receive(office, path, TINA, receive.Options(pool="club", another=True))
    assert received.id is not None
    desk.link_new(received.id, TINA)
    made = runs.make(office, "club", date(2026, 4, 2), TINA)
    runs.approve(made.run.id, TINA)
    runs.publish(office, made.run.id, TINA)
    return office


def text_of(path: str, language: str) -> str:
    page = nobody().get(path, headers={"accept-language": language}).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_pages_say_one_point_and_one_game(match):
    assert "1 point" in text_of("/events/4", "en")
    assert "1 points" not in text_of("/events/4", "en")
    assert "1 Punkt " in text_of("/events/4", "de")
    assert re.search(r"1 from 1 rated game\b", text_of("/players/7", "en"))
    assert re.search(r"1 (aus|von) 1 gewerteter Partie\b", text_of("/players/7", "de"))


def test_commands_say_one_game_and_one_person(match, tmp_path):
    officer = Officer(match.folder)
    path = tmp_path / "one.csv"
    path.write_text("id,name\n1,Somebody\n")
    told = officer.sees("import", path, "--register", "other", "--as", "tina")
    assert "1 new person, 0 known, 0 opening ratings" in told
    assert "2 players, 1 game." in " ".join(officer.sees("receipt", 4).split())
