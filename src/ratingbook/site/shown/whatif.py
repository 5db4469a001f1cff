"""What becomes of a rating: a form whose fields are what a rule book reads, and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext

from ratingbook.desk.planned import SCORES, BadGame, scored
from ratingbook.engine.intake.edition import check_validity
from ratingbook.model import Findings, Refused, Severity
from ratingbook.rules import registry
from ratingbook.site.shown.whatif_answer import Answered, Told, answered, told_of, wrong_field
from ratingbook.site.shown.whatif_fields import LONGEST, Choice, Field, event_fields, own_fields
from ratingbook.site.shown.whatif_games import GAMES, Columns, GameRow, columns_of, rows
from ratingbook.site.shown.whatif_known import (
    OF_POOL,
    book_of,
    books,
    known_player,
    left_out,
    listed_k,
    of_standing,
    usual,
)

_OF_ANOTHER_TIME = "edition.outside-validity"
"""The finding about a day that an edition was not made for; a pool goes by its edition all the
same, as long as the office has no other."""


@dataclass(frozen=True)
class WhatIf:
    """The form as it was filled in, and the answer to it."""

    rulebook: str
    edition: str
    books: tuple[Choice, ...]
    player: int | None
    name: str
    own: tuple[Field, ...]
    """What the rule book reads of the player."""
    event: tuple[Field, ...]
    """What it reads of the event."""
    columns: Columns
    rows: tuple[GameRow, ...]
    target: str
    answer: Answered | None
    findings: tuple[Told, ...]

    @property
    def reads_elsewhere(self) -> bool:
        """Whether other ratings count, or decisions of the office."""
        return any(each.is_elsewhere for each in self.own)

    @property
    def says_elsewhere(self) -> bool:
        """Whether one of them is said."""
        return any(each.is_elsewhere and each.value for each in self.own)


@dataclass(frozen=True)
class Expected:
    """What a player is expected to score in a game against another."""

    rulebook: str
    edition: str
    rating: float
    opponent: float
    expected: float | None
    """None: the rule book expects nothing of such a game."""
    notes: tuple[Told, ...] = ()
    """That the edition was not in force on that day."""


def expected(
    rulebook: str, rating: float, opponent: float, day: date | None = None, handicap: int = 0
) -> Expected:
    """By a rule book, or by that of a pool, as it was on a day, or is today.

    ``handicap`` are the stones that the opponent receives, who then is Black.
    """
    from ratingbook.desk.library import predict

    book, _ = book_of(rulebook)
    edition = book.edition(day or date.today())
    if handicap and not edition.handicaps:
        findings = Findings()
        findings.add(
            Severity.ERROR, "site.no-handicaps",
            gettext("{name} rates no games with handicap stones.").format(name=edition.name),
            remedy=gettext("Leave the handicap out."),
        )  # fmt: skip
        raise Refused(findings)
    try:
        value = predict(edition, rating, opponent, day, handicap=handicap)
    except ValueError:
        value = None
    odd = check_validity(edition, day, "event") if day is not None else ()
    notes = tuple(map(told_of, odd))
    return Expected(rulebook, edition.name, rating, opponent, value, notes)


def names_asked(page: WhatIf) -> frozenset[str]:
    """What may be asked of the rule book of a page."""
    games = (f"{part}{n}" for part in page.columns.letters for n in range(1, GAMES + 1))
    fields = (each.name for each in (*page.own, *page.event))
    return frozenset({"rulebook", "player", "target", *games, *fields})


def fields_of_all() -> dict[str, tuple[Field, list[str]]]:
    """What any rule book that is installed reads, with the names of those that do."""
    found: dict[str, tuple[Field, list[str]]] = {}
    for name in registry.names():
        book = registry.load(name).edition(None)
        for each in (*own_fields(book, {}), *event_fields(book, {})):
            found.setdefault(each.name, (each, []))[1].append(name)
    return found


def unknown_of(page: WhatIf, query: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """What is asked with words that nobody knows, each with those that there are.

    A form has its choices; a program may send anything.
    """
    known = {
        each.name: tuple(one.value for one in each.choices)
        for each in (*page.own, *page.event) if each.choices
    }  # fmt: skip
    games = [name for n in range(1, GAMES + 1) if query.get(name := f"r{n}", "").strip()]
    return {name: SCORES for name in games if scored(query[name]) is None} | {
        name: words for name, words in known.items()
        if (said := query.get(name, "").strip()) and said not in words
    }  # fmt: skip


def show(query: Mapping[str, str]) -> WhatIf:
    """The page of a query; nothing of it is kept."""
    person, known = known_player(query)
    name = query.get("rulebook", "") or (f"{OF_POOL}{known[0]}" if known else usual())
    book, decimals = book_of(name)
    edition = book.edition(None)
    standing = known[1] if known else None
    filled = of_standing(standing)
    if "rating" in query:
        # A box of a form that was sent without it is not ticked.
        filled = {k: v for k, v in filled.items() if edition.standing_fields.get(k) is not bool}
    said = {**filled, **{k: v.strip()[:LONGEST] for k, v in query.items()}}
    own, event = own_fields(edition, said), event_fields(edition, said)
    columns = columns_of(edition)
    games = rows(said, columns)
    answer, findings = None, Findings()
    told: tuple[Told, ...] = ()
    if any(row.opponent for row in games):
        try:
            pool = f"{OF_POOL}{known[0]}" if known else None
            listed = (
                listed_k(name, person, edition, filled, said) if person and name == pool else None
            )
            answer, findings = answered(edition, said, games, own, event, decimals, listed)
        except (BadGame, ValueError) as error:
            told = (wrong_field(error),)
    is_own = name.startswith(OF_POOL)
    if person and is_own and known is None and any(row.opponent for row in games):
        told += tuple(filter(None, [left_out(name, person)]))
    told += tuple(
        told_of(each) for each in findings if not (is_own and each.code == _OF_ANOTHER_TIME)
    )
    return WhatIf(
        rulebook=name,
        edition=edition.name,
        books=books(),
        player=person,
        name=known[2] if known else "",
        own=own,
        event=event,
        columns=columns,
        rows=games,
        target=said.get("target", ""),
        answer=answer,
        findings=told,
    )
