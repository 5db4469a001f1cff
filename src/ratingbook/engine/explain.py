"""Explanations: the derivation of a change as data and as text.

A step is one call of a tagged rule function.  Its numbers are shown in natural
units, which the annotations of the function give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from ratingbook.engine.natural import in_unit, reader_of, units_of, writer_of
from ratingbook.engine.titles import game_titles
from ratingbook.engine.trace import Call, Trace
from ratingbook.model import Game
from ratingbook.model.making import QuicklyMade
from ratingbook.model.sentences import Sentence, parts_of, row_of
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.paragraph import Role, RuleFault
from ratingbook.rules.units import Unit

_PARAMETERS = "p"
"""The argument with the parameters of the edition: they are no input of a step."""


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
    event: str = ""
    """The event that it is about, where the same is said of others of its batch."""

    @property
    def told(self) -> str:
        """The text, with the event before it where there are several."""
        return row_of([self.event, self.text], ": ") if self.event else self.text

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
        if self.event:
            data["event"] = self.event
        return data


def steps_of(trace: Trace, games: GamesTold, book: RuleBook) -> tuple[Step, ...]:
    """The steps of a trace, for the player of these games.

    What goes without saying is left out, and what is no paragraph's.  What a paragraph says of
    several events names each.
    """
    if not trace.calls:
        return ()
    articles = {paragraph.number: paragraph.article for paragraph in book.text.paragraphs}
    said: set[tuple[object, ...]] = set()
    numbers: dict[int, str] = {}
    # Several rules may ask the same of a game; it is answered once.
    answered: set[tuple[int, str, int, str]] = set()
    steps: list[Step] = []
    events: list[str | None] = []
    for call in trace.calls:
        rule = call.rule
        number = numbers.get(id(rule))
        if number is None:
            numbers[id(rule)] = number = rule.number(book.name)
        if number and not _goes_without_saying(call, said):
            step = _step(call, number, articles, games)
            if call.game is not None and step.game:
                words = (call.game, step.rule, step.phase, step.text)
                if words in answered:
                    continue
                answered.add(words)
            steps.append(step)
            events.append(None if step.game else games.event_of(call))
    return tuple(_with_events(steps, events))


def _with_events(steps: Sequence[Step], events: Sequence[str | None]) -> Iterator[Step]:
    """The steps, with the name of the event in what the same rule says of several."""
    every: dict[tuple[str, int], set[str | None]] = {}
    for step, event in zip(steps, events, strict=True):
        every.setdefault((step.rule, step.phase), set()).add(event)
    for step, event in zip(steps, events, strict=True):
        if event and len(every[step.rule, step.phase]) > 1 and event not in step.text:
            yield replace(step, event=event)
        else:
            yield step


def coefficients_of(trace: Trace, book: RuleBook) -> tuple[float, ...]:
    """Each K that a trace tells; one that another rule made of it takes its place."""
    said: set[tuple[object, ...]] = set()
    found: dict[float, None] = {}
    for call in trace.calls:
        rule = call.rule
        is_told = rule.role == "coefficient" and rule.number(book.name)
        if not is_told or _goes_without_saying(call, said):
            continue
        units = units_of(rule.function)
        value, k = in_unit(call.value, units.get("return")), call.arguments.get("k")
        if isinstance(value, int | float) and not isinstance(value, bool):
            was = in_unit(k, units.get("k"))
            if isinstance(was, int | float):
                found.pop(was, None)
            found[value] = None
    return tuple(found)


class GamesTold:
    """The games of a player in a batch: what they are called, and what was reported of them."""

    def __init__(self, batch: Batch, player: str, events: Mapping[int, str | None]) -> None:
        self.batch, self._player, self._events = batch, player, events
        row = batch.rows.get(player)
        own = batch.games_of[row] if row is not None else ()
        titles = game_titles([batch.games[at] for at in own], player, self._name_of)
        reported = batch.as_reported
        self._told = {
            id(batch.games[at]): (title, reported[at])
            for at, title in zip(own, titles, strict=True)
        }

    def told(self, game: Game) -> tuple[str, Game]:
        """The title of a game, and what was reported; a rule may be given a game of its own."""
        known = self._told.get(id(game))
        if known is None:
            known = game_titles([game], self._player, self._name_of)[0], game
            self._told[id(game)] = known
        return known

    def event_of(self, call: Call) -> str | None:
        """The event about which something was said; None: about none, or it has no name."""
        if call.event is not None:
            return self._events.get(call.event)
        return None if call.said_at is None else self.batch.games[call.said_at].event

    def _name_of(self, player: str) -> str:
        return self.batch.entries[self.batch.rows[player]].name


def begun_by(steps: Iterable[Step]) -> Step | None:
    """The last step that gives a rating to begin with to who has none; its value is a number."""
    found = None
    for step in steps:
        is_number = isinstance(step.value, int | float) and not isinstance(step.value, bool)
        if step.role == "begin" and is_number and "rating" not in step.inputs:
            found = step
    return found


def begun_with(steps: Iterable[Step]) -> float | None:
    """That rating."""
    step = begun_by(steps)
    return float(step.value) if step and isinstance(step.value, int | float) else None


def _goes_without_saying(call: Call, said: set[tuple[object, ...]]) -> bool:
    """Whether the rule is silent about this value (0 is not False), or has said it already."""
    rule, value = call.rule, call.value
    if rule.once:
        words = (rule.name, value, *call.arguments.values())
        if words in said:
            return True
        said.add(words)
    silent = rule.silent
    return silent is not None and type(value) is type(silent) and value == silent


def _step(call: Call, paragraph: str, articles: Mapping[str, str], games: GamesTold) -> Step:
    rule, arguments, batch = call.rule, call.arguments, games.batch
    known = _numbers_of(rule.function)
    # What is said once is not about the game in which it is said.
    game = None if call.game is None or rule.once else batch.games[call.game]
    inputs: dict[str, object] = {}
    for name, given in call.arguments.items():
        if name == _PARAMETERS:
            continue
        value, told = given, known.get(name, _BARE)
        if told.of_player and isinstance(given, int):
            # The id of the player whose number it is.
            value = batch.report.entries[given].id
            arguments = {**arguments, name: value}
        if isinstance(value, Game):
            game = value
            inputs |= {"status": value.status.value, "result": value.result.value}
            continue
        number = told.read(value)
        if number is not None:
            inputs[name] = number
    title, about = games.told(game) if game else (None, None)
    return Step(
        paragraph=paragraph,
        rule=rule.name,
        inputs=inputs,
        value=known.get("return", _BARE).read(call.value),
        text=_sentence(call, arguments),
        game=title,
        round=game.round if game else None,
        depth=call.depth,
        article=articles.get(paragraph, ""),
        phase=call.phase,
        role=rule.role,
        about=about,
    )


class _Number(NamedTuple):
    """How an argument, or the value, of a rule is told."""

    of_player: bool
    """Whether it is the number of a player."""
    read: Callable[[object], object]


_BARE = _Number(False, reader_of(None))


@cache
def _numbers_of(function: Callable[..., object]) -> dict[str, _Number]:
    """Of what has a unit, and of the value as ``return``: asked with each call of a rule."""
    return {
        name: _Number(unit is not None and unit.name == "player", reader_of(unit))
        for name, unit in units_of(function).items()
    }


def _sentence(call: Call, arguments: Mapping[str, object]) -> str:
    """The text of the rule with the numbers of this call."""
    rule, value = call.rule, call.value
    said = rule.otherwise if rule.otherwise and not value else rule.text
    template = said or rule.name.replace("_", " ") + ": {value}"
    words: dict[str, str] = {}
    try:
        for place, name, fields, how, write in _words_of(rule.function, template):
            word = value if name == "value" else arguments[name]
            if fields:
                words[place] = _of_field(word, fields, how)
            else:
                words[place] = write(word)
        return Sentence.of(template, words)
    except (LookupError, AttributeError, TypeError, ValueError) as error:
        raise RuleFault(
            f"the text of {rule.name} ({rule.place}) cannot be filled in: "
            f"{type(error).__name__}: {error}"
        ) from error


class _Word(NamedTuple):
    """What stands in a text: its place, the argument, which fields of fields of it, and how."""

    place: str
    name: str
    fields: tuple[str, ...]
    how: str
    write: Callable[[object], str]
    """What writes the argument itself."""


@cache
def _words_of(function: Callable[..., object], template: str) -> tuple[_Word, ...]:
    """The words that a text of a rule takes: what can be known of them before any call."""
    units, found = units_of(function), []
    for part in parts_of(template):
        if part.name is not None:
            name, *fields = part.name.split(".")
            write = writer_of(units.get("return" if name == "value" else name), part.how)
            found.append(_Word(part.place, name, tuple(fields), part.how, write))
    return tuple(found)


def _of_field(record: object, fields: tuple[str, ...], how: str) -> str:
    """A field of a record, or of a record in it, by its own unit."""
    unit: Unit | None = None
    for field in fields:
        kind: type = type(record)
        record, unit = getattr(record, field), units_of(kind).get(field)
    return writer_of(unit, how)(record)
