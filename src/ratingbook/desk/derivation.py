"""A derivation paragraph by paragraph, in the order in which they act, each with its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratingbook.desk.explained import in_order_of_rounds
from ratingbook.desk.language import ENGLISH, Language
from ratingbook.desk.written import clean, number, rating_number
from ratingbook.engine.explain import Step
from ratingbook.rules.book import RuleBook
from ratingbook.rules.text import Paragraph


@dataclass(frozen=True, slots=True)
class Applied:
    """A paragraph as it acted: about the player, and game by game."""

    number: str
    title: str
    article: str
    """Where the federation's own text has it; empty: the rule book knows no place."""
    url: str
    text: str
    """The paragraph in full."""
    said: tuple[str, ...]
    games: tuple[tuple[str, str], ...]
    """What it said about single games: which, and what."""
    result: str
    """What was decided, short enough for the end of a line; empty: the words say it."""


def paragraph_by_paragraph(
    steps: Sequence[Step],
    book: RuleBook,
    name_of_k: str = "K",
    language: Language = ENGLISH,
) -> tuple[Applied, ...]:
    """The steps by their paragraphs.

    A round of a batch begins anew: what repeats a paragraph with other numbers stands after it.
    """
    known = {each.number: each for each in book.text.paragraphs}
    groups: dict[tuple[int, str], list[Step]] = {}
    for step in in_order_of_rounds(steps):
        groups.setdefault((step.phase, step.paragraph), []).append(step)
    return tuple(
        _applied(known.get(paragraph, Paragraph(paragraph, "", "")), own, name_of_k, language)
        for (_, paragraph), own in groups.items()
    )


def _applied(
    paragraph: Paragraph,
    steps: Sequence[Step],
    name_of_k: str,
    language: Language,
) -> Applied:
    own = [step for step in steps if not step.game]
    of_games = [step for step in steps if step.game]
    return Applied(
        paragraph.number, language.gettext(paragraph.title), paragraph.article, paragraph.url,
        paragraph.text, tuple(clean(language.said(step.told)) for step in own),
        tuple((step.game or "", clean(language.said(step.text))) for step in of_games),
        language.figure(_result(own, of_games, name_of_k)),
    )  # fmt: skip


def _result(own: Sequence[Step], of_games: Sequence[Step], name_of_k: str) -> str:
    """The last number about the player; else the least and the greatest of the games."""
    numbers = [(step, value) for step in own if (value := _number(step)) is not None]
    if numbers:
        step, value = numbers[-1]
        coefficient = step.role == "coefficient"
        return f"{name_of_k} = {number(value)}" if coefficient else rating_number(value)
    values = [value for step in of_games if (value := _number(step)) is not None]
    if not values:
        return ""
    low, high = min(values), max(values)
    return number(low) if low == high else f"{number(low)} … {number(high)}"


def _number(step: Step) -> float | None:
    value = step.value
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
