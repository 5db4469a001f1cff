"""What editions answer of games and standings that nobody has."""

from __future__ import annotations

import pytest

from ratingbook.desk.askable import askable, askable_of_event
from ratingbook.model import Event
from ratingbook.rules import registry
from ratingbook.rules.asked import can_be_rated, counts_abroad, publishes
from ratingbook.rules.half import Status

BEYOND = {
    "elo": "",
    "fide": "",
    "egf": "adjudicated",
    "uscf": "withdrawn adjudicated",
    "iccf-2009": "forfeit withdrawn adjudicated",
    "iecg-1999": "forfeit withdrawn adjudicated",
}
"""What is rated beside games that were played, if only where a report says so."""


@pytest.mark.parametrize(("name", "beyond"), BEYOND.items())
def test_which_games_can_be_rated(name: str, beyond: str) -> None:
    book = registry.load(name)
    assert book.bulk is not None
    for stage in book.stages():
        found = {each for each in Status if can_be_rated(book.bulk, each, stage.parameters)}
        assert found >= {Status.PLAYED, Status.TIME}
    rated = {each for each in Status for stage in book.stages()
             if can_be_rated(book.bulk, each, stage.parameters)}  # fmt: skip
    more = {each.name.lower() for each in rated - {Status.PLAYED, Status.TIME}}
    assert more == set(beyond.split())


@pytest.mark.parametrize(
    ("name", "games", "is_published"),
    [("iccf-2009", 11, False), ("iccf-2009", 12, True), ("iecg-1999", 5, False),
     ("iecg-1999", 6, True), ("elo", 0, True)],
)  # fmt: skip
def test_from_how_many_games_a_rating_is_published(
    name: str, games: int, is_published: bool
) -> None:
    book = registry.load(name)
    assert book.bulk is not None
    p = book.edition(None).parameters
    assert publishes(book.bulk, 1800, games, p) is is_published


def test_only_events_of_fide_that_us_chess_rates_count_with_ratings_elsewhere() -> None:
    found = set()
    for name in registry.names():
        book = registry.load(name).edition(None)
        columns = [each.name for each in askable(book) if each.place == "foreign"]
        words = next((x.words for x in askable_of_event(book) if x.name == "kind"), ())
        for event in (Event(), *(Event(kind=kind) for kind in words)):
            one = counts_abroad(book.bulk, event, columns, book.parameters)
            found |= {(name.partition("-")[0], event.kind, one)} if one else set()
    assert found == {("uscf", "fide", "fide")}
