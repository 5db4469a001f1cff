"""Corrections as a table: each kind gives the facts that somebody would have written by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ratingbook.engine.history import History, HistoryRefused, rate_history

GAMES = """date,event,round,white,black,score
2010-01-05,Winter,1,ann,bob,1
2010-01-06,Winter,2,bob,cas,0.5
2010-01-07,Winter,3,cas,ann,
2010-03-02,Spring,1,ann,bob,0
2010-03-02,Spring,2,ann,bob,1
2010-03-03,Spring,3,cas,dan,1
2010-06-01,Summer,1,bob,dan,0.5
"""
PLAYERS = "id,rating,games\nann,2000,90\nbob,1900,80\ncas,1800,70\ndan,1700,60\n"
ENTRIES = "event,player,grade\nWinter,ann,\nSpring,cas,\n"


def history(tmp_path: Path, games: str = GAMES, players: str = PLAYERS) -> History:
    tmp_path.mkdir(exist_ok=True)
    files = {"games": games, "players": players, "entries": ENTRIES}
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
    return History.of(
        tmp_path / "games.csv", players=tmp_path / "players.csv", entries=tmp_path / "entries.csv"
    )


def corrected(tmp_path: Path, text: str) -> History:
    path = tmp_path / "corrections.csv"
    given = history(tmp_path)
    path.write_text(text)
    return given.corrected(path)


def told(tmp_path: Path, text: str) -> list[tuple[str, int | None]]:
    with pytest.raises(HistoryRefused) as refused:
        corrected(tmp_path, text)
    return [
        (each.code.removeprefix("correction."), each.where.line)
        for each in refused.value.findings
        if each.code.startswith("correction.")
    ]


def without(text: str, line: str) -> str:
    assert line in text
    return text.replace(line + "\n", "")


@pytest.mark.parametrize(
    ("corrections", "games", "players"),
    [
        (
            "event,round,white,black,score,reason\nWinter,1,ann,bob,0,the card says so\n",
            lambda: GAMES.replace("Winter,1,ann,bob,1", "Winter,1,ann,bob,0"),
            PLAYERS,
        ),
        (
            "event,round,white,black,score\nSpring,2,ann,bob,\n",
            lambda: without(GAMES, "2010-03-02,Spring,2,ann,bob,1"),
            PLAYERS,
        ),
        (
            "kind,event\nwithdraw,Winter\n",
            lambda: "".join(f"{line}\n" for line in GAMES.split() if "Winter" not in line),
            PLAYERS,
        ),
        (
            "kind,event,date\nmove,Summer,2010-02-01\n",
            lambda: GAMES.replace("2010-06-01", "2010-02-01"),
            PLAYERS,
        ),
        (
            "kind,player,into\nmerge,dan,ann\n",
            lambda: GAMES.replace("dan", "ann"),
            without(PLAYERS, "dan,1700,60"),
        ),
        (
            "kind,player,into\nmerge,dan,zoe\n",
            lambda: GAMES.replace("dan", "zoe"),
            PLAYERS.replace("dan", "zoe"),
        ),
        (
            "kind,event,player,into\nreplace,Summer,bob,cas\n",
            lambda: GAMES.replace("Summer,1,bob", "Summer,1,cas"),
            PLAYERS,
        ),
        (
            "kind,event,round,date,white,black,score\nadd,Autumn,1,2010-02-01,abe,dan,1/2\n",
            lambda: GAMES + "2010-02-01,Autumn,1,abe,dan,0.5\n",
            PLAYERS,
        ),
    ],
    ids=["score", "out", "withdraw", "move", "merge", "rename", "replace", "add"],
)
def test_the_facts_are_those_written_by_hand(
    tmp_path: Path, corrections: str, games: Callable[[], str], players: str
):
    made = corrected(tmp_path / "made", corrections)
    wanted = history(tmp_path / "wanted", games(), players)
    before = rate_history(history(tmp_path / "before"), "fide-2009", corrections=True)
    again = rate_history(wanted, "fide-2009")
    for found in (rate_history(made, "fide-2009"), before.correct(made)):
        assert found.ratings.equals(again.ratings)
        assert found.changes.equals(again.changes)


def test_what_names_no_game_or_several_is_told_with_its_line(tmp_path: Path):
    assert told(
        tmp_path,
        "event,round,white,black,score\n"
        "Winter,1,ann,cas,1\n"  # no such game
        "Spring,,ann,bob,1\n"  # two games
        "Winter,1,bob,ann,0\n"  # the sides turned
        "Winter,2,bob,cas,3\n"  # no score
        "Winter,3,cas,ann,1\n",  # still open: not among the games
    ) == [("no-game", 2), ("several", 3), ("no-game", 4), ("score", 5), ("no-game", 6)]


def test_what_stands_twice_is_told_with_its_line(tmp_path: Path):
    assert told(
        tmp_path,
        "kind,event,round,white,black,score\n"
        "score,Winter,1,ann,bob,0\n"
        ",Winter,1,ann,bob,0.5\n"
        "score,,,bob,cas,0\n"
        "score,Winter,2,bob,cas,1\n"
        "withdraw,Winter,,,,\n",
    ) == [("twice", 3), ("twice", 5), ("twice", 6)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("kind,event\nundo,Winter\n", [("kind", 2)]),
        ("kind,event\nmove,Winter\n", [("incomplete", 2)]),
        ("kind,event\nwithdraw,Autumn\n", [("no-event", 2)]),
        ("kind,event,date\nmove,Winter,soon\n", [("date", 2)]),
        ("kind,player,into\nmerge,ann,bob\n", [("same-player", 2)]),
        ("kind,player,into\nmerge,eve,bob\n", [("no-player", 2)]),
        ("kind,player,into\nmerge,ann,ann\n", [("same-player", 2)]),
        ("kind,section,date,white,black,score\nadd,A,2010-01-01,a,b,1\n", [("no-column", 2)]),
        ("event,round,white,black,score\n", [("none", None)]),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_told(
    tmp_path: Path, text: str, wanted: list[tuple[str, int | None]]
):
    assert told(tmp_path, text) == wanted


def test_a_table_of_corrections(tmp_path: Path):
    rows: list[dict[str, Any]] = [
        {"event": "Winter", "round": 1, "white": "ann", "black": "bob", "score": 0.5}
    ]
    given = history(tmp_path)
    now = given.corrected(pa.Table.from_pylist(rows))
    assert now.given.games.score.tolist()[0] == 1
    assert given.given.games.score.tolist()[0] == 2


def test_numbers_as_ids():
    games = pa.table(
        {
            "date": ["2010-01-05", "2010-03-05"], "event": [7, 8], "white": [10, 2],
            "black": [9, 10], "score": [1.0, 0.0],
        }
    )  # fmt: skip
    table = pa.table({"event": [7], "white": [10], "black": [9], "score": [0.0]})
    now = History.of(games).corrected(table)
    assert now.given.games.score.tolist() == [0, 0]
    merged = History.of(games).corrected(
        pa.table({"kind": ["merge"], "player": ["2"], "into": ["11"]})
    )
    assert merged.given.players.to_pylist() == [9, 10, 11]
    assert merged.given.games.white.tolist() == [1, 2]


RICH = """date,event,section,round,white,black,score,handicap,rated,margin,neutral,status,white_for
2010-01-05,Winter,A,1,ann,bob,1,0,both,3,no,played,
2010-01-06,Winter,A,2,bob,cas,0.5,2,white,0,yes,played,ann
"""


def test_a_game_that_is_added_says_no_more_than_a_row_with_empty_cells(tmp_path: Path):
    empty = "2010-02-01,Autumn,,,abe,dan,0.5,,,,,,\n"
    given = history(tmp_path, RICH)
    rows = [{"kind": "add", "event": "Autumn", "date": "2010-02-01",
             "white": "abe", "black": "dan", "score": "1/2"}]  # fmt: skip
    made = given.corrected(pa.Table.from_pylist(rows)).given
    wanted = history(tmp_path / "wanted", RICH + empty).given
    for name, column in vars(wanted.games).items():
        ours = getattr(made.games, name)
        if name in ("white", "black", "event", "section", "start"):
            continue
        assert (ours is None) == (column is None), name
        assert column is None or ours[-1] == column[-1], name
    for one in (made, wanted):
        assert one.games.section is not None
        assert one.games.event is not None
        assert one.section_ids[int(one.games.section[-1])].as_py() == ""
        assert one.event_ids[int(one.games.event[-1])].as_py() == "Autumn"


def test_no_sentence_gives_an_id_a_capital_letter(tmp_path: Path):
    """A sentence that began with an id told of somebody who is not in the file."""
    path = tmp_path / "corrections.csv"
    path.write_text("kind,player,into\nmerge,ann,bob\n")
    with pytest.raises(HistoryRefused) as refused:
        history(tmp_path).corrected(path)
    (finding,) = refused.value.findings
    assert finding.message == "There is a game with both ann and bob."
