"""The office's ledger 1999 to 2011: 42,808 results of players in events."""

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

from icu_rating import icu_2012
from icu_rating.rules import game_change, rating_after, rounded_rating
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing
from ratingbook.rules.book import Row
from ratingbook.rules.units import SCORE_SCALE

RESULTS = {"1": Result.WHITE_WINS, "=": Result.DRAW, "0": Result.BLACK_WINS}
VERSION_0 = icu_2012.with_parameters({"version": "0"})

Ledger = dict[str, dict[str, dict[str, str]]]


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a file."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


@pytest.fixture(scope="session")
def ledger(reference: Path) -> Ledger:
    """What the ledger says, by event and player."""
    events: Ledger = defaultdict(dict)
    for row in rows_of(reference / "data" / "icu_ireland" / "player_events.csv"):
        events[row["tournament_id"]][row["icu_id"]] = row
    return events


def is_rated(row: Mapping[str, str]) -> bool:
    """Whether a row tells the change of a rated player; 0 stands for none."""
    return int(row["old_rating"]) != 0 and Decimal(row["expected_score"]) != 0


def test_every_change_is_k_times_score_less_expected_and_the_bonus(reference: Path) -> None:
    """In all 35,579 rated rows; a player stands twice in some events, so the rows are counted."""
    count, wrong = 0, []
    for row in rows_of(reference / "data" / "icu_ireland" / "player_events.csv"):
        if is_rated(row):
            score, expected = Decimal(row["score"]), Decimal(row["expected_score"])
            change = game_change(int(row["k_factor"]), int(2 * score), int(expected * SCORE_SCALE))
            new = rating_after(int(row["old_rating"]), change, int(row["bonus"]))
            count += 1
            if rounded_rating(new) != int(row["new_rating"]):
                wrong.append(row["row"])
    assert (count, wrong) == (35_579, [])


def entry_of(row: Mapping[str, str]) -> Entry:
    """A player of the ledger; one without an old rating counts with the performance told."""
    if int(row["old_rating"]):
        standing = Standing(rating=int(row["old_rating"]), games=100)
        decisions: dict[str, int | str] = {"k": int(row["k_factor"]), "reason": "the ledger"}
        return Entry(row["icu_id"], standing=standing, decisions=decisions)
    if int(row["performance_rating"]):
        rating = int(row["performance_rating"])
        return Entry(row["icu_id"], standing=Standing(rating=rating, extra={"foreign": True}))
    return Entry(row["icu_id"])


def games_of(rows: list[dict[str, str]], players: set[str]) -> Iterator[Game]:
    """The games among these players; a game told by one side only counts for that side only."""
    told = {(row["round"], row["icu_id"], row["opp_icu_id"]) for row in rows}
    done = set()
    for row in rows:
        number, white, black = row["round"], row["icu_id"], row["opp_icu_id"]
        both = (number, black, white) in told
        if row["result"] not in RESULTS or not {white, black} <= players:
            continue
        if (number, black, white) not in done:
            done.add((number, white, black))
            yield Game(white, black, RESULTS[row["result"]], round=int(number), black_rated=both)


class Compared(NamedTuple):
    """A player of an event whose games are told."""

    said: dict[str, str]
    row: Row
    opponents: list[dict[str, str]]

    @property
    def is_comparable(self) -> bool:
        """A rated player all of whose games can be joined."""
        return is_rated(self.said) and self.row.games == int(self.said["games"])

    @property
    def is_close(self) -> bool:
        """Whether the expected score is that of the ledger."""
        return abs((self.row.expected or 0) - float(self.said["expected_score"])) <= 0.002

    @property
    def met_what_is_not_told(self) -> bool:
        """Whether an opponent had no rating of before that is told, or a bonus of his own."""
        return any(int(each["old_rating"]) == 0 or int(each["bonus"]) for each in self.opponents)


def compared(reference: Path, ledger: Ledger) -> Iterator[Compared]:
    """All players of the seven events."""
    told: dict[str, list[dict[str, str]]] = defaultdict(list)
    for line in rows_of(reference / "data" / "icu_ireland" / "game_results_7_events.csv"):
        told[line["tournament_id"]].append(line)
    assert len(told) == 7
    for event, lines in told.items():
        players = ledger[event]
        entries = tuple(map(entry_of, players.values()))
        games = tuple(games_of(lines, {entry.id for entry in entries}))
        done = rate(Report(Event(), entries, games), VERSION_0)
        assert not done.findings.refused
        for row in (each.row for each in done.rows):
            met = {line["opp_icu_id"] for line in lines if line["icu_id"] == row.id}
            opponents = [players[player] for player in met if player in players]
            yield Compared(players[row.id], row, opponents)


def test_the_seven_events_whose_games_are_told(reference: Path, ledger: Ledger) -> None:
    """Expected scores and new ratings from the games, bonuses and the second phase included."""
    comparable = [each for each in compared(reference, ledger) if each.is_comparable]
    close = [each for each in comparable if each.is_close]
    assert (len(comparable), len(close)) == (301, 262)
    assert sum(int(each.said["new_rating"]) == each.row.after for each in close) == 260
    # The ledger does not tell the ratings and the earlier games of provisional players.
    assert all(each.met_what_is_not_told for each in comparable if not each.is_close)
