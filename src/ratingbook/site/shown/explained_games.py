"""The games of an explanation: each with the numbers of its own steps, whatever it looks like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from django.utils.translation import gettext as _

from ratingbook.desk.account import Account
from ratingbook.desk.cross_table import Meeting
from ratingbook.engine.explain import Step
from ratingbook.model import Colour, Game, Place
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown.games import GameOf

_HALF = 48.0
"""Percent of a bar that the greatest change of a game takes."""


@dataclass(frozen=True)
class GameRow:
    """A game, or what was none, in its place."""

    event: str
    apart: str
    """What tells it apart from another one of the same event, round, colour and opponent."""
    round: int | None
    colour: str
    opponent: int | None
    name: str
    rating: float | None
    """With which the opponent counted, as far as the steps tell it."""
    rating_is: str
    """Empty: a rating; else one of the words of :func:`_kind_of`."""
    result: str
    handicap: int
    expected: float | None
    used: float | None
    """The opponent's rating to which the expected score belongs, where that is another one: rules
    that rate an event in several steps move the opponents' first."""
    change: float | None
    why_unrated: str
    bar: tuple[str, str] | None
    """Place and length of its bar in percent, as texts."""


@dataclass(frozen=True)
class Told:
    """The games of somebody as a line of a table has them, and the steps about them."""

    meetings: tuple[Meeting, ...]
    kinds: tuple[str, ...]
    """What the opponents' numbers are, as :func:`_kind_of` says it."""
    steps: tuple[Step, ...]
    """About the games of the meetings, and with what these are called on the page."""


def told_games(
    games: Sequence[GameOf],
    person: int,
    counted: Mapping[int | None, float | None],
    steps: Iterable[Step],
    ledger_number: Callable[[Game], int | None],
    names: Mapping[int, str],
    before_of: Mapping[int, float | None],
    begins: Mapping[int, float | None],
    *,
    by_game: bool,
) -> Told:
    """The games with the steps that are about them, both by what the ledger calls the games.

    ``counted`` has the rated ones, with the numbers that rules say the opponents counted with;
    ``before_of`` has the opponents' published ratings, ``begins`` what rules put in their place;
    ``by_game``: ratings move from game to game.
    """
    of_each: dict[int | None, list[Step]] = {}
    every = [(step, ledger_number(step.about) if step.about else None) for step in steps]
    for step, number in every:
        of_each.setdefault(number, []).append(step)
    played: dict[int | None, tuple[Game, str]] = {}
    meetings, kinds = [], list[str]()
    titles = _titles(games, person, names)
    for each, title in zip(games, titles, strict=True):
        colour = each.side_of(person) or Colour.BLACK
        other, half = each.met_by(person)
        own, known = of_each.get(each.ledger, ()), before_of.get(other)
        if each.handicap and colour is Colour.WHITE:
            own = _without_stones(own)
        rating = counted.get(each.ledger)
        replaced = before_of.get(each.replaced_by_opponent(person) or 0)
        is_another = rating is not None
        if rating is None:
            rating = _opponents_number(own, begins.get(other) if known is None else known)
            # What was not counted is the published rating, with more decimals or without.
            is_another = known is None or (by_game and rating != known)
        kind = ""
        if is_another and rating is not None:
            kind = _kind_of(rating, own, known, replaced)
        kinds.append("then" if by_game and kind else kind)
        game = replace(each.game(), place=Place(line=each.ledger))
        if colour is Colour.WHITE:
            game = replace(game, black_rating=rating)
        else:
            game = replace(game, white_rating=rating)
        played[each.ledger] = game, title
        meetings.append(
            Meeting(
                opponent=other, name=_called(other, names), round=each.round, colour=colour,
                half_points=half, status=game.status, handicap=each.handicap,
                rated=each.ledger in counted, game=game,
                substituted=person in (each.white_for, each.black_for),
            )
        )  # fmt: skip
    return Told(
        tuple(meetings),
        tuple(kinds),
        tuple(
            replace(step, about=played[number][0], game=played[number][1])
            if number in played else step
            for step, number in every
        ),
    )  # fmt: skip


def told_apart(games: Sequence[GameOf], person: int) -> list[str]:
    """What tells each game apart from those that look alike: its report, or its number."""
    alike: dict[object, list[GameOf]] = {}
    for each in games:
        alike.setdefault((each.named.name, *_look(each, person)), []).append(each)
    return [_apart(each, alike[each.named.name, *_look(each, person)]) for each in games]


def _look(game: GameOf, person: int) -> tuple[int | None, bool, int]:
    """What a game is called by, beside its event."""
    return game.round, game.side_of(person) is Colour.WHITE, game.met_by(person)[0]


def _apart(game: GameOf, alike: Sequence[GameOf]) -> str:
    """Its report among several, and its number among several of that report."""
    reports = Counter(each.named.report for each in alike)
    said = [_("report {n}").format(n=game.named.report)] if len(reports) > 1 else []
    if reports[game.named.report] > 1:
        said.append(_("game {n} of the report").format(n=game.number))
    return ", ".join(said)


def _titles(games: Sequence[GameOf], person: int, names: Mapping[int, str]) -> list[str]:
    """What steps call the games: by the round alone where that is enough."""
    looks = Counter(_look(each, person) for each in games)
    found = []
    for each, apart in zip(games, told_apart(games, person), strict=True):
        is_alike = looks[_look(each, person)] > 1
        parts = [each.named.name] if is_alike or each.round is None else []
        parts += [_("round {n}").format(n=each.round)] if each.round is not None else []
        where = ", ".join([*parts, apart] if apart else parts)
        said = _("{where}, white against {name}"), _("{where}, black against {name}")
        name = _called(each.met_by(person)[0], names)
        is_black = each.side_of(person) is not Colour.WHITE
        found.append(said[is_black].format(where=where, name=name))
    return found


def _called(person: int, names: Mapping[int, str]) -> str:
    return names.get(person, _("Player {n}").format(n=person))


def _opponents_number(steps: Iterable[Step], before: float | None) -> float | None:
    """The opponent's rating with which the rules reckoned a game; the last one counts."""
    found = before
    for step in steps:
        said = step.inputs.get("opponent", step.inputs.get("listed"))
        if isinstance(said, Mapping):
            said = said.get("rating")
        if _is_number(said):
            found = float(said)
    return found


def _without_stones(steps: Iterable[Step]) -> list[Step]:
    """The steps with the opponent's rating as it is, which stones have raised for one game."""
    bare: dict[float, float] = {}
    found = []
    for step in steps:
        rating, said = step.inputs.get("rating"), step.inputs.get("opponent")
        if "handicap" in step.inputs and _is_number(step.value) and _is_number(rating):
            bare[step.value] = rating
        own = bare.get(said["rating"]) if isinstance(said, Mapping) and "rating" in said else None
        inputs = {**step.inputs, "opponent": own}
        found.append(step if own is None else replace(step, inputs=inputs))
    return found


def _kind_of(
    counted: float, steps: Iterable[Step], published: float | None, replaced: float | None
) -> str:
    """What a number with which an opponent counted is that is not the published rating.

    ``limited``: the rules moved it nearer to the player's own; ``replaced``: the rating of whom the
    opponent replaced as a substitute; ``level``: of the tournament; ``stand-in``: anything else
    that they put in the place of a rating.  Where ratings move from game to game it is ``then``.
    """
    is_level = False
    for step in steps:
        said = step.inputs.get("opponent")
        if step.role == "opponent" and _is_number(said) and said != step.value:
            return "limited"
        is_level |= step.role == "level" and step.inputs.get("who", "opponent") == "opponent"
    if counted == published:
        return ""
    if counted == replaced:
        return "replaced"
    return "level" if is_level else "stand-in"


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _used(steps: Iterable[Step]) -> dict[Game | None, float]:
    """By game the opponent's rating with which the last expected score was reckoned."""
    found: dict[Game | None, float] = {}
    for step in steps:
        side = step.inputs.get("side")
        said = side.get("opponent") if isinstance(side, Mapping) else None
        if step.role == "expected" and step.about and isinstance(said, int | float):
            found[step.about] = float(said)
    return found


def rows_of(
    account: Account, games: Sequence[GameOf], person: int, told: Told, decimals: int
) -> tuple[GameRow, ...]:
    """The games of an account, in which they stand in the same order."""
    most = max((abs(each.change or 0) for each in account.games), default=0)
    used, aparts = _used(told.steps), told_apart(games, person)
    found = []
    for each, of, apart, kind in zip(account.games, games, aparts, told.kinds, strict=True):
        meeting = each.meeting
        other = used.get(meeting.game) if each.expected is not None else None
        if other is not None and rounded_one(other, decimals) == each.rating:
            other = None
        wide = _HALF * abs(each.change or 0) / most if most else 0
        found.append(
            GameRow(
                event=of.named.name, apart=apart, round=meeting.round,
                colour=meeting.colour.value, opponent=meeting.opponent, name=meeting.name,
                rating=each.rating, rating_is=kind, result=meeting.sign("1", "½", "0", "–"),
                handicap=meeting.handicap, expected=each.expected, used=other, change=each.change,
                why_unrated=each.not_rated(SPOKEN),
                bar=(f"{50 if (each.change or 0) > 0 else 50 - wide:.1f}", f"{wide:.1f}")
                if each.change else None,
            )
        )  # fmt: skip
    return tuple(found)
