"""Explanations: the derivation of a change as data and as text.

A step is one call of a tagged rule function.  Its numbers are shown in natural
units, which the annotations of the function give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import IntEnum
from functools import cache
from math import isnan
from typing import get_type_hints

from ratingbook.engine.titles import game_titles
from ratingbook.engine.trace import Call, Trace
from ratingbook.model import Game
from ratingbook.model.making import QuicklyMade
from ratingbook.model.sentences import Sentence, parts_of
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.bulk import EPOCH, NOT_GIVEN
from ratingbook.rules.paragraph import Role, RuleFault
from ratingbook.rules.units import Day, Ratio, Unit

_NO_DAY = NOT_GIVEN // 2
"""Days before this one are not given."""
_PARAMETERS = "p"
"""The argument with the parameters of the edition: they are no input of a step."""
_DECIMALS = 6
"""Digits after the point in texts; data keep all of them."""


@dataclass(frozen=True, slots=True)
class Step(metaclass=QuicklyMade):
    """One step of a derivation.

    ``inputs`` and ``value`` are in natural units (0.79, not 79 hundredths);
    ``game`` says which game the step is about; ``depth`` how far it is nested in
    the steps that follow.
    """

    paragraph: str
    rule: str
    inputs: Mapping[str, object]
    value: object
    text: str
    game: str | None
    round: int | None
    depth: int
    article: str = ""
    """Where the federation's own text has the paragraph, if the rule book says so."""
    phase: int = 0
    """0 before the rounds of the batch, then each round, then what follows."""
    role: Role | None = None
    """In which column of a table of games the value belongs, if in any."""
    about: Game | None = None
    """The game that the step is about, as it was reported: others may be called alike."""

    def as_dict(self) -> dict[str, object]:
        """The step as the commands print it in JSON."""
        data: dict[str, object] = {
            "paragraph": self.paragraph,
            "rule": self.rule,
            "inputs": dict(self.inputs),
            "value": self.value,
            "text": self.text,
        }
        if self.article:
            data["article"] = self.article
        if self.game:
            data["game"] = self.game
        return data


def steps_of(trace: Trace, batch: Batch, player: str, book: RuleBook) -> tuple[Step, ...]:
    """The steps of a trace, for a player.

    What goes without saying is left out, and what is no paragraph's.
    """
    if not trace.calls:
        return ()
    articles = {paragraph.number: paragraph.article for paragraph in book.text.paragraphs}
    said: set[tuple[object, ...]] = set()
    games = _Games(batch, player)
    rules = {id(call.rule): call.rule for call in trace.calls}
    numbers = {identity: rule.number(book.name) for identity, rule in rules.items()}
    return tuple(
        _step(call, batch, numbers[id(call.rule)], articles, games)
        for call in trace.calls
        if numbers[id(call.rule)] and not _goes_without_saying(call, said)
    )


def coefficients_of(trace: Trace, book: RuleBook) -> tuple[float, ...]:
    """Each K that a trace tells; one that another rule made of it takes its place."""
    said: set[tuple[object, ...]] = set()
    found: dict[float, None] = {}
    for call in trace.calls:
        rule = call.rule
        is_told = rule.role == "coefficient" and rule.number(book.name)
        if not is_told or _goes_without_saying(call, said):
            continue
        units = _units_of(rule.function)
        value, k = _natural(call.value, units.get("return")), call.arguments.get("k")
        if isinstance(value, int | float) and not isinstance(value, bool):
            was = _natural(k, units.get("k"))
            if isinstance(was, int | float):
                found.pop(was, None)
            found[value] = None
    return tuple(found)


class _Games:
    """The games of a player in a batch: what they are called, and what was reported of them."""

    def __init__(self, batch: Batch, player: str) -> None:
        self._batch, self._player = batch, player
        row = batch.rows.get(player)
        own = batch.games_of[row] if row is not None else ()
        titles = game_titles([batch.games[at] for at in own], player, self._names_in)
        self._told = {
            id(batch.games[at]): (title, batch.as_reported(at))
            for at, title in zip(own, titles, strict=True)
        }

    def told(self, game: Game) -> tuple[str, Game]:
        """The title of a game, and what was reported; a rule may be given a game of its own."""
        known = self._told.get(id(game))
        if known is None:
            known = game_titles([game], self._player, self._names_in)[0], game
            self._told[id(game)] = known
        return known

    def _names_in(self, game: Game) -> dict[str, str]:
        """What both players of a game are called."""
        both = (player for player in (game.white, game.black) if player)
        return {player: self._batch.entries[self._batch.rows[player]].name for player in both}


def _goes_without_saying(call: Call, said: set[tuple[object, ...]]) -> bool:
    """Whether the rule is silent about this value (0 is not False), or has said it already."""
    if call.rule.once:
        words = (call.rule.name, call.value, *call.arguments.values())
        if words in said:
            return True
        said.add(words)
    silent = call.rule.silent
    return silent is not None and type(call.value) is type(silent) and call.value == silent


def _step(
    call: Call, batch: Batch, paragraph: str, articles: Mapping[str, str], games: _Games
) -> Step:
    units = _units_of(call.rule.function)
    # What is said once is not about the game in which it is said.
    game = None if call.game is None or call.rule.once else batch.games[call.game]
    inputs: dict[str, object] = {}
    arguments: dict[str, object] = {}
    for name, given in call.arguments.items():
        unit, value = units.get(name), given
        if unit is not None and unit.name == "player" and isinstance(given, int):
            # The id of the player whose number it is.
            value = batch.report.entries[given].id
        arguments[name] = value
        if isinstance(value, Game):
            game = value
            inputs |= {"status": value.status.value, "result": value.result.value}
        elif name != _PARAMETERS:
            number = _natural(value, unit)
            if number is not None:
                inputs[name] = number
    title, about = games.told(game) if game else (None, None)
    return Step(
        paragraph=paragraph,
        rule=call.rule.name,
        inputs=inputs,
        value=_natural(call.value, units.get("return")),
        text=_sentence(call, arguments, units),
        game=title,
        round=game.round if game else None,
        depth=call.depth,
        article=articles.get(paragraph, ""),
        phase=call.phase,
        role=call.rule.role,
        about=about,
    )


@cache
def hints_of(function: Callable[..., object]) -> dict[str, object]:
    """The annotations of a function or NamedTuple, with their units."""
    return get_type_hints(function, include_extras=True)


def unit_of(hint: object) -> Unit | None:
    """The unit that an annotation carries."""
    # Asked for each number that is told: `typing.get_origin` takes ten times as long.
    for extra in getattr(hint, "__metadata__", ()):
        if isinstance(extra, Unit):
            return extra
    return None


@cache
def _units_of(function: Callable[..., object]) -> dict[str, Unit | None]:
    """The units of a function or NamedTuple: they are asked for with each number of a step."""
    return {name: unit_of(hint) for name, hint in hints_of(function).items()}


def natural(value: object, hint: object = None) -> object:
    """A value of the rules in natural units, fit for JSON; None for what is no value."""
    return _natural(value, unit_of(hint))


def _natural(value: object, unit: Unit | None) -> object:
    # Nearly all of what is told is a number.
    if type(value) is int or type(value) is float:
        return _natural_number(value, unit)
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, int | float):
        return _natural_number(value, unit)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Ratio):
        return value.numerator / value.denominator
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        units = _units_of(type(value))
        return {
            name: _natural(part, units.get(name))
            for name, part in zip(value._fields, value, strict=True)
        }
    return None


def _natural_number(value: float, unit: Unit | None) -> object:
    if value == NOT_GIVEN or isnan(value):
        return None
    if unit is None:
        return value
    if unit is _DAY:
        # What is reckoned from a day that is not given is none either.
        return (EPOCH + timedelta(days=int(value))).isoformat() if value > _NO_DAY else None
    return unit.natural(value)


_DAY = unit_of(Day)
_PLAIN = Unit("")


def shown(value: object, unit: Unit | None, how: str = "") -> str:
    """A value as the sentence of a step has it, by its unit."""
    if isinstance(value, Ratio):
        value = Decimal(value.numerator) / value.denominator
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | Decimal) and not isinstance(value, IntEnum):
        unit = unit or _PLAIN
        if unit.words is not None:
            return str(_natural(value, unit) or "none")
        number: float | Decimal = value
        if isinstance(value, int) and value % unit.scale == 0:
            number = value // unit.scale
        elif unit.scale != 1:
            number = Decimal(value) / unit.scale
        if how in ("sum", "less"):
            taken = number < 0 if how == "sum" else number >= 0
            return f"{'−' if taken else '+'} {_digits(number)}"
        if value == NOT_GIVEN:
            return "none"
        if how:
            raise ValueError(f"the formats of a number are 'sum' and 'less', not {how!r}")
        sign = "−" if number < 0 else "+" if unit.signed and number > 0 else ""
        return sign + _digits(number)
    return str(_natural(value, None))


def _digits(number: float | Decimal) -> str:
    """The number without its sign, and with no needless digits."""
    if isinstance(number, int):
        return str(abs(number))
    text = f"{abs(number):.{_DECIMALS}f}"
    return text.rstrip("0").rstrip(".")


def _sentence(call: Call, arguments: Mapping[str, object], units: Mapping[str, Unit | None]) -> str:
    """The text of the rule with the numbers of this call."""
    said = call.rule.otherwise if call.rule.otherwise and not call.value else call.rule.text
    template = said or call.rule.name.replace("_", " ") + ": {value}"
    words: dict[str, str] = {}
    try:
        for place, name, fields, how in _places_of(template):
            if name == "value":
                value, unit = call.value, units.get("return")
            else:
                value, unit = arguments[name], units.get(name)
            for field in fields:
                record: type = type(value)
                value, unit = getattr(value, field), _units_of(record).get(field)
            words[place] = shown(value, unit, how)
        return Sentence.of(template, words)
    except (LookupError, AttributeError, TypeError, ValueError) as error:
        raise RuleFault(
            f"the text of {call.rule.name} ({call.rule.place}) cannot be filled in: "
            f"{type(error).__name__}: {error}"
        ) from error


@cache
def _places_of(template: str) -> tuple[tuple[str, str, tuple[str, ...], str], ...]:
    """What stands in a text: its place, the argument, which fields of fields of it, and how."""
    found = []
    for part in parts_of(template):
        if part.name is not None:
            name, *fields = part.name.split(".")
            found.append((part.place, name, tuple(fields), part.how))
    return tuple(found)
