"""One of something is said as one, on pages and at a shell."""

from __future__ import annotations

import re

import pytest

from tests.office.officers import Officer
from tests.site.offices import publish_match
from tests.site.people import nobody


@pytest.fixture
def match(office):
    """An office in which :func:`~tests.site.offices.publish_match` was played."""
    publish_match(office)
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
