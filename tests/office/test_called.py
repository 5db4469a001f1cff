"""Keys of the program are told by the names that users know, in the language of the reader."""

from __future__ import annotations

from typing import Any

import pytest

from ratingbook.desk.language import Language
from ratingbook.office.logic.called import setting, value_of_setting
from ratingbook.office.logic.corrections import in_words


class Marked(Language):
    """Shows what is looked up: a word with its context, a day, a number."""

    def gettext(self, message: str) -> str:
        """A word without a context."""
        return message if "{" in message else f"<{message}>"

    def pgettext(self, context: str, message: str) -> str:
        """A word with its context."""
        return f"<{message}: {context}>"

    def day(self, text: str) -> str:
        """A day."""
        return f"<{text}>"


OPENING: dict[str, Any] = {
    "kind": "opening", "pool": 1, "pool_name": "club",
    "values": {"1": {"rating": 1700.0, "status": "provisional", "last_played": "2026-01-05"}},
    "before": {"1": {"rating": 1621.0}},
}  # fmt: skip
DECIDED: dict[str, Any] = {
    "kind": "decision", "pool": 1, "pool_name": "club", "new": True,
    "said": [[1, "2024-05-01", "base_rating", 2200.0, "why"]],
}  # fmt: skip


def test_what_somebody_comes_in_with_is_told_in_words():
    said = in_words(OPENING, Marked())
    assert "<rating: of a standing> 1700, was 1621" in said
    assert "<status: of a standing> <provisional>, was <nothing>" in said
    assert "<last played: of a standing> <2026-01-05>, was <nothing>" in said


def test_a_decision_is_told_by_its_kind_and_day():
    said = in_words(DECIDED, Marked())
    assert "<base rating: kind of decision> 2200 of" in said
    assert "from <2024-05-01>" in said
    assert "base rating 2200 of" in in_words(DECIDED)
    undone = {"kind": "undo", "fact": 7, "decided": [[1, "base_rating"]], "of": "decision"}
    assert "<base rating: kind of decision> of" in in_words(undone, Marked())


def test_settings_are_told_by_name():
    said = {"kind": "parameters", "pool": 1, "pool_name": "club",
            "parameters": {"expectancy": "logistic", "k_top": None}}  # fmt: skip
    assert in_words(said) == (
        "the rules of the pool club: expected scores = logistic, K of top players = as usual"
    )
    assert "<expected scores: setting> = <logistic>" in in_words(said, Marked())


@pytest.mark.parametrize(
    ("value", "told"),
    [(None, "as usual"), (True, "yes"), (2.5, "2.5"), ("1400", "1400"), ("half_up", "half up")],
)
def test_values_of_settings(value, told):
    assert value_of_setting(value) == told


def test_a_setting_without_a_name_of_its_own_is_told_in_words():
    assert setting("season_return") == "season return"
