"""The football internationals as games of a history."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest

from benchmarks import football
from benchmarks.football import Match, games_of, read, summary, write

RESULTS = """\
date,home_team,away_team,home_score,away_score,tournament,city,country,neutral
1963-05-01,Ghana,Burma,2,1,Friendly,Accra,Ghana,FALSE
1990-05-01,Burma,Ghana,0,0,Friendly,Rangoon,Burma,FALSE
1988-02-01,Burma,Laos,1,1,Asian Cup,Doha,Qatar,TRUE
1988-02-08,Laos,Ghana,0,1,Asian Cup,Doha,Qatar,TRUE
1988-02-08,Myanmar,Peru,3,0,Asian Cup,Doha,Qatar,TRUE
1988-03-01,Laos,Peru,2,0,Asian Cup,Doha,Qatar,FALSE
1988-02-02,Peru,Ghana,2,0,World Cup qualification,Lima,Peru,FALSE
1988-02-06,Ghana,Peru,2,0,World Cup qualification,Accra,Ghana,FALSE
"""
FORMER_NAMES = "current,former,start_date,end_date\nMyanmar,Burma,1952-03-14,1989-01-01\n"
SHOOTOUTS = """\
date,home_team,away_team,winner,first_shooter
1988-02-01,Burma,Laos,Laos,
1988-02-06,Ghana,Peru,Peru,
1999-01-01,Ghana,Peru,Peru,
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A few matches, enough for every case."""
    for name, text in (
        (football.RESULTS, RESULTS),
        (football.FORMER_NAMES, FORMER_NAMES),
        (football.SHOOTOUTS, SHOOTOUTS),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def find(matches: tuple[Match, ...], day: str, home: str) -> Match:
    return next(m for m in matches if m.day == date.fromisoformat(day) and m.home == home)


def test_a_former_name_counts_in_its_dates(folder: Path) -> None:
    data = read(folder)
    assert find(data.matches, "1963-05-01", "Ghana").away == "Myanmar"
    assert find(data.matches, "1988-02-01", "Myanmar").away == "Laos"
    assert find(data.matches, "1990-05-01", "Burma").away == "Ghana"
    assert data.merged == ("Burma",)
    assert data.renamed == ("Myanmar",)


def test_a_shoot_out_changes_no_score(folder: Path) -> None:
    data = read(folder)
    assert find(data.matches, "1988-02-01", "Myanmar").score == "0.5"
    assert find(data.matches, "1988-02-06", "Ghana").score == "1"
    assert find(data.matches, "1988-02-08", "Laos").score == "0"
    assert (data.drawn_shootouts, data.won_shootouts, data.lost_shootouts) == (1, 1, 1)


def test_matches_of_a_tournament_within_a_week_are_one_event(folder: Path) -> None:
    events = [(g.event, g.round, g.match.home) for g in games_of(read(folder).matches)]
    assert events == [
        ("Friendly 1963-05-01: Ghana - Myanmar", 1, "Ghana"),
        ("World Cup qualification 1988-02-02: Peru - Ghana", 1, "Peru"),
        ("World Cup qualification 1988-02-06: Ghana - Peru", 1, "Ghana"),
        ("Asian Cup 1988", 1, "Myanmar"),
        ("Asian Cup 1988", 2, "Laos"),
        ("Asian Cup 1988", 2, "Myanmar"),
        ("Asian Cup 1988 (2)", 1, "Laos"),
        ("Friendly 1990-05-01: Burma - Ghana", 1, "Burma"),
    ]


def test_the_command_writes_the_columns(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "games.csv"
    monkeypatch.setattr(football, "DATA", folder)
    monkeypatch.setattr("sys.argv", ["football", str(out)])
    football.main()
    said = capsys.readouterr().out
    assert said.startswith("8 matches of 5 teams, 1963-05-01 to 1990-05-01")
    assert "2  (25.0%)" in said
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[3] == {
        "date": "1988-02-01",
        "event": "Asian Cup 1988",
        "round": "1",
        "white": "Myanmar",
        "black": "Laos",
        "score": "0.5",
    }


def test_without_the_data_it_says_where_they_belong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "games.csv"
    monkeypatch.setattr(football, "DATA", tmp_path)
    monkeypatch.setattr("sys.argv", ["football", str(out)])
    with pytest.raises(SystemExit) as stopped:
        football.main()
    assert stopped.value.code == 1
    assert "Set RATINGBOOK_REFERENCE" in capsys.readouterr().err
    assert not out.exists()


def test_all_internationals(reference: Path, tmp_path: Path) -> None:
    folder = reference / "data" / "football_intl"
    if not (folder / football.RESULTS).is_file():
        pytest.skip(f"no football results in {folder}")
    data = read(folder)
    games = games_of(data.matches)
    assert len(games) == len(data.matches) == 49_520
    assert round(sum(m.score == "0.5" for m in data.matches) / 49_520, 3) == 0.227
    assert round(sum(m.neutral for m in data.matches) / 49_520, 3) == 0.266
    # The file has current names throughout, so its list of former names finds none in it.
    assert data.merged == ()
    assert len(data.renamed) == 28
    cup = [g for g in games if g.event == "FIFA World Cup 2014"]
    assert len(cup) == 64
    assert (cup[0].match.day, cup[-1].match.day) == (date(2014, 6, 12), date(2014, 7, 13))
    days = [(g.event, g.match.day) for g in games]
    assert len(days) == len(games)
    write(tmp_path / "games.csv", games)
    assert "22.7%" in summary(data, games)
