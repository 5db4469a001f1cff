"""Halves that are not rated are told with reasons that the rule book has, and with no others."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

import ratingbook as rb
from ratingbook.engine.history.fit import tell_passed_over
from ratingbook.engine.passed_over import _REMEDIES, _WORDS
from ratingbook.model import Findings
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.not_rated import NotRated

GAMES = [
    {"date": "2024-01-10", "event": "A", "white": "a", "black": "b", "score": 1, "status": status}
    for status in ("played", "forfeit", "forfeit")
]
PLAYERS = [{"id": "a", "rating": 1500, "games": 30}, {"id": "b", "rating": 1600, "games": 30}]


def _told(name: str) -> str:
    rated = rb.history(GAMES, name, players=PLAYERS)
    (told,) = [each for each in rated.findings if each.code == "history.passed-over"]
    return f"{told.message} {told.remedy}"


@pytest.mark.parametrize("name", ["uscf", "egf-2021", "fide-2014", "elo"])
def test_forfeits_are_told_as_what_they_are(name: str) -> None:
    told = _told(name)
    assert told.startswith("4 halves of games are not rated")
    assert "(a game that was not played, such as a forfeit" in told


def test_where_unrated_opponents_count_nobody_is_told_to_give_ratings() -> None:
    told = _told("uscf")
    assert "without a rating," not in told
    assert "--players" not in told
    assert "too few" not in told
    assert "an opponent without a rating" in _told("fide-2014")


def test_a_rule_book_that_names_no_reason_is_given_none() -> None:
    silent = replace(cast(RuleBook, registry.load("elo")), not_rated=())
    findings = Findings()
    tell_passed_over(1, 1, silent, findings)
    (told,) = findings
    assert told.message == "1 half of a game is not rated: elo does not count such for the player."
    assert told.remedy == "Mostly there is nothing to do: so the rules want it."


def test_every_reason_has_words() -> None:
    assert _WORDS.keys() == {*NotRated}
    assert _REMEDIES.keys() <= _WORDS.keys()
