"""Of a path that leads nowhere it is said what may be meant."""

from pathlib import Path

import pytest

from ratingbook.formats.tools.nearby import not_there


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("spring-open.trf", "spring-open-players.csv", "games.csv", "later.csv", ".hidden"):
        (tmp_path / name).touch()
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "Bunratty_masters_2011.tab").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("sprng-open.trf", "no file of this name; did you mean spring-open.trf?"),
        ("SPRING-OPEN.trf", "no file of this name; did you mean spring-open.trf?"),
        ("spring-open.csv", "no file of this name; did you mean spring-open.trf?"),
        ("game.csv", "no file of this name; did you mean games.csv?"),
        ("event", "no file of this name; did you mean events?"),
        ("event/x.trf", "no folder event; did you mean events?"),
        ("games/x.trf", "no folder games."),
        (
            "events/bunraty.trf",
            "no file of this name; did you mean events/Bunratty_masters_2011.tab?",
        ),
        ("hidden", "no file of this name."),
        ("xyz", "no file of this name."),
    ],
)
def test_what_may_be_meant(folder, typed, said):
    assert not_there(Path(typed)) == f"There is {said}"


def test_of_what_is_there_or_no_name_nothing_is_said(folder):
    assert not_there(Path("games.csv")) is None
    assert not_there(folder) is None
    assert not_there(Path("a\0b")) is None
