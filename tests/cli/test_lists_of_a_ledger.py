"""A ledger of years, rated one list at a time, has the numbers of its history."""

from __future__ import annotations

import json
from datetime import date

import pyarrow.parquet as pq
import pytest

HEAD = "Event;Category;White ID;White;Black ID;Black;Result;Start;End date\n"
LEDGER = HEAD + (
    "Nat;national;501;Ash, A;503;Cedar, C;1-0;2010-02-05;2010-02-10\n"
    "Nat;national;502;Birch, B;503;Cedar, C;1-0;2010-02-05;2010-04-10\n"
    "Nat;national;501;Ash, A;502;Birch, B;1-0;2010-02-05;2010-07-10\n"
)
OTHER = "Two;national;503;Cedar, C;504;Dale, D;1-0;2010-02-05;2010-02-12\n"
PLAYERS = (
    'id,name,rating,games\n501,"Ash, A",2300,100\n502,"Birch, B",1700,100\n504,"Dale, D",1900,90\n'
)
ICCF = ("--rulebook", "iccf-2009")


DAY = "2010-04-01"


@pytest.fixture
def rated(run, tmp_path):
    """A ledger rated with ``--list``."""

    def rate(ledger: str, *more: object, players: str = PLAYERS, status: int = 0):
        (tmp_path / "ledger.csv").write_text(ledger, "utf-8")
        (tmp_path / "players.csv").write_text(players, "utf-8")
        done = run("rate", tmp_path / "ledger.csv", *ICCF, "--players", tmp_path / "players.csv",
                   "--format", "json", *more)  # fmt: skip
        assert done.status == status, done.out
        return json.loads(done.out)

    return rate


@pytest.fixture
def after_in_history(run, rated, tmp_path):
    """The new ratings in the list of a day by a history of reports."""

    def after(*reports: str, players: str = PLAYERS, day: str = DAY):
        out = tmp_path / "history"
        (tmp_path / "players.csv").write_text(players, "utf-8")
        files = []
        for number, report in enumerate(reports):
            files.append(tmp_path / f"{number}.csv")
            files[-1].write_text(report, "utf-8")
        made = run("history", *files, *ICCF, "--id", "local",
                   "--players", tmp_path / "players.csv", "--out", out)  # fmt: skip
        assert made.status == 0, made.err
        changes = pq.read_table(out / "changes.parquet").to_pylist()
        return {
            each["player"]: each["after"]
            for each in changes
            if each["date"] == date.fromisoformat(day)
        }

    return after


def after_in(document):
    return {each["id"]: each["after"] for each in document["players"]}


def levels_of(document, player):
    (found,) = [each for each in document["players"] if each["id"] == player]
    return {step["text"] for step in found["explanation"] if "by the average" in step["text"]}


BEGINS = "the player has no published rating when the game begins: level {}, by the average"


def test_all_of_a_national_tournament_give_its_level(rated, after_in_history):
    """Item 11: 2300 and 1700 are 2000 on average, also where only one of them has played."""
    document = rated(LEDGER, "--list", DAY, "--explain", "503")
    assert levels_of(document, "503") == {BEGINS.format(2000)}
    assert after_in(document) == after_in_history(LEDGER)
    assert set(after_in(document)) == {"501", "503"}
    assert "502" not in json.dumps(document)


def test_each_national_tournament_has_its_own(rated, after_in_history):
    """Where all rows say national, too: of the second one only Dale has a rating."""
    document = rated(LEDGER + OTHER, "--list", DAY, "--explain", "503")
    assert levels_of(document, "503") == {BEGINS.format(2000), BEGINS.format(1900)}
    assert after_in(document) == after_in_history(LEDGER + OTHER)


def test_each_national_tournament_has_its_own_without_a_list(rated):
    document = rated(LEDGER + OTHER, "--explain", "503")
    assert levels_of(document, "503") == {BEGINS.format(2000), BEGINS.format(1900)}


def test_beside_tournaments_of_a_category(rated, after_in_history):
    """One who plays here in another tournament takes part in the national one all the same."""
    open_ = "Open;open class;502;Birch, B;504;Dale, D;1-0;2010-02-05;2010-02-12\n"
    document = rated(LEDGER + open_, "--list", DAY, "--explain", "503")
    assert levels_of(document, "503") == {BEGINS.format(2000)}
    assert after_in(document) == after_in_history(LEDGER + open_)


def test_who_they_are_must_be_known_of_those_beside_too(rated):
    players = PLAYERS.replace("Birch, B", "Elm, E")
    document = rated(LEDGER, "--list", DAY, players=players, status=1)
    assert "players.other-person" in {each["code"] for each in document["findings"]}


GAMES = "Event,Category,White ID,White,{0}Black ID,Black,{1}Result,Start,End date\n"
FIRST = "Cup,open class,511,Elm,{0}514,Fir,{1}1-0,2010-01-05,2010-01-20\n"
SECOND = "Cup,open class,514,Fir,{1}511,Elm,{0}1-0,2010-01-05,2010-04-10\n"
TWO = "id,name,rating,games\n511,Elm,1900,40\n514,Fir,1810,35\n"
NEXT = "2010-07-01"


def test_games_that_began_under_an_earlier_list_are_told(rated, after_in_history, tmp_path):
    """The way of the documentation, with each list as the players file of the next."""
    plain = "".join((GAMES, FIRST, SECOND)).format("", "")
    first = rated(plain, "--list", DAY, players=TWO)
    assert "iccf.earlier-list" not in json.dumps(first)
    april = after_in(first)
    (tmp_path / "april.json").write_text(json.dumps(first), "utf-8")
    second = rated(plain, "--players", tmp_path / "april.json", "--list", NEXT, players="id,name\n")
    (told,) = [each for each in second["findings"] if each["code"] == "iccf.earlier-list"]
    assert "1 in all" in told["message"]
    in_history = after_in_history(plain, players=TWO, day=NEXT)
    assert after_in(second) != in_history

    # With the ratings of then beside the games, and those of now in a list of players.
    players = f"Players\nid,name,rating,standing games\n511,Elm,{april['511']},41\n" + (
        f"514,Fir,{april['514']},36\n\nGames\n"
    )
    head = GAMES.format("White rating,", "Black rating,")
    third = rated(players + head + SECOND.format("1900,", "1810,"), "--list", NEXT)
    assert after_in(third) == in_history
    assert "iccf.earlier-list" not in json.dumps(third)
    same = SECOND.format(f"{april['511']},", f"{april['514']},")
    assert "iccf.earlier-list" not in json.dumps(rated(players + head + same, "--list", NEXT))
