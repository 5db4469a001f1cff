"""What an edition assumes of the one who asks is told, in words to him."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from ratingbook.desk.outcomes import as_dict
from ratingbook.desk.planned import ME, planned
from ratingbook.desk.whatif import Asker, of_games, player_of
from ratingbook.model import Event, Finding, Findings, Place, Severity
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.settings import Settings
from tests.engine.toys import TOY, Value, play, rounds_of, toy_of


class Parameters(NamedTuple):
    age: int = 20


class Noting(RuleBook):
    """It tells of whom it does not know the age."""

    def check(self, batch: Batch) -> Findings:
        findings = Findings()
        for entry in batch.entries:
            findings.add(
                Severity.INFO,
                "toy.age",
                f"Player {entry.id} has no year of birth, comes without an age and is an adult.",
                entry.place,
            )
        return findings


NOTING = toy_of(
    replace(TOY, **rounds_of([play(lambda own, sides, p: Value(own.rating, len(sides)))])),
    Settings(Parameters()),
    made=Noting,
)


def test_what_is_assumed_of_the_asker_is_told() -> None:
    entry, _ = player_of(Asker(1500.0), NOTING)
    games = [planned("1600=1", 1, NOTING), planned("1700=0", 2, NOTING)]
    answer = of_games(NOTING, entry, games, Event(), explain=False)
    findings: Any = as_dict(answer)["findings"]
    (told,) = findings
    assert told["message"] == "You have no year of birth, comes without an age and is an adult."
    assert ME not in str(told["where"])


@pytest.mark.parametrize(
    ("place", "title"),
    [
        (Place(), "2 notes, none of them on a fault"),
        (Place("a.trf"), "2 notes, none of them on a fault of the file"),
    ],
)
def test_notes_name_a_file_where_there_is_one(place: Place, title: str) -> None:
    parts = tuple(Finding(f"toy.{n}", Severity.INFO, "So.", place) for n in range(2))
    assert Finding("notes", Severity.INFO, "", place, parts=parts).title == title
