"""The nouns of a regulation: its paragraphs, open places, tables and examples."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from functools import cached_property, partial
from itertools import takewhile
from typing import Any, TypeAlias, cast, overload

from ratingbook.model import Entry, Event


class Performed(StrEnum):
    """Who performs a paragraph."""

    FUNCTION = "function"
    """A rule function computes it."""
    OFFICE = "office"
    """The rating office does it; ``by`` says how."""
    HISTORICAL = "historical"
    """It tells where a rule came from and defines nothing; ``by`` says why."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A numbered part of the regulation."""

    number: str
    title: str
    text: str
    performed: Performed = Performed.FUNCTION
    by: str = ""
    article: str = ""
    """Where the federation's own text has it, ``B.02 8.3.3``; empty: that is not known, or the
    number says it."""
    url: str = ""
    """The public address of that place."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An open place of the text, and the interpretation that we take."""

    id: str
    question: str
    taken: str
    why: str
    parameter: str | None = None


def paragraphs_in(text: str) -> tuple[Paragraph, ...]:
    """Paragraphs as one reads them: number, two spaces and title; then, indented, what it says.

    ``Office:`` or ``Historical:`` begins how, or why, where no function computes it;
    ``Article:`` where the federation's own text has it.
    """
    found = []
    for number, title, said in blocks(text, ("Office", "Historical", "Article")):
        who = next((each for each in Performed if each.value.capitalize() in said), None)
        by = said[who.value.capitalize()] if who else ""
        performed = who or Performed.FUNCTION
        article = said.get("Article", "")
        found.append(Paragraph(number, title, said[""], performed, by, article))
    return tuple(found)


def readings_in(text: str) -> tuple[Reading, ...]:
    """Readings as one reads them: name, two spaces and question; then, indented, the answer.

    ``Taken:`` begins what is taken, ``Why:`` the reason, ``Parameter:`` what sets it otherwise.
    """
    return tuple(
        Reading(
            name,
            " ".join(filter(None, (question, said.get("")))),
            said["Taken"],
            said["Why"],
            said.get("Parameter"),
        )
        for name, question, said in blocks(text, ("Taken", "Why", "Parameter"))
    )


def blocks(text: str, labels: Collection[str]) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Head and title of each block, and what its lines say by the label before them."""
    for block in re.split(r"\n(?=\S)", text.strip("\n")):
        heading, *lines = block.split("\n")
        said: dict[str, str] = {}
        label = ""
        for line in lines:
            word, colon, rest = line.strip().partition(": ")
            begins = bool(colon) and word in labels
            label = word if begins else label
            more = rest if begins else line.strip()
            said[label] = f"{said[label]} {more}" if label in said else more
        head, _, title = heading.partition("  ")
        yield head, title, said


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: a report document and what the source says comes out.

    ``expected`` maps a player to the new rating; ``source`` says whose numbers
    these are.
    """

    title: str
    document: Mapping[str, object]
    expected: Mapping[str, int | float | None]
    source: str


class Examples(Sequence[Example]):
    """Worked examples that are read when somebody looks at them: to rate takes none of them."""

    def __init__(self, read: Callable[[], Iterable[Example]]) -> None:
        self._read = read

    @cached_property
    def _all(self) -> tuple[Example, ...]:
        return tuple(self._read())

    @overload
    def __getitem__(self, at: int) -> Example: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Example, ...]: ...

    def __getitem__(self, at: int | slice) -> Example | tuple[Example, ...]:
        return self._all[at]

    def __len__(self) -> int:
        return len(self._all)


def examples_in(text: str, event: Mapping[str, object]) -> Examples:
    """Examples as one reads them: the title; then, indented, what is said of it.

    ``Event:`` what differs from ``event``, ``Players:`` and ``Games:`` as :func:`document_of` has
    them, ``New:`` players and their new ratings (none: no rating), ``By:`` the source.
    """
    return Examples(partial(_examples_in, text, event))


def _examples_in(text: str, event: Mapping[str, object]) -> Iterator[Example]:
    for title, _, said in blocks(text, EXAMPLE_LABELS):
        yield Example(title, document_of(said, event), new_ratings(said["New"]), said["By"])


EXAMPLE_LABELS = ("Event", "Players", "Games", "New", "By")


def new_ratings(text: str) -> dict[str, int | float | None]:
    """``A 1700; B none``: the new rating of each player."""
    new = (each.split() for each in text.split(";"))
    return {player: None if said == "none" else json.loads(said) for player, said in new}


def document_of(said: Mapping[str, str], event: Mapping[str, object]) -> dict[str, object]:
    """The report of an example, written short.

    Players are written ``A 1700 30 peak=1941 federation=USA foreign.fide=2100; B``: id, rating
    and games, and what else there is; what a player has not is of his standing.  Frozen sides are
    ``past=1700/1650/1``: own and opponent's rating, score, day and event.  Games are written
    ``A B 1-0, C D 0-1 status=forfeit``; with semicolons between them each is a round of its own.
    ``*3`` at the end of a side or a game stands for three of them.
    """
    import shlex

    of_event: dict[str, object] = {**event}
    for word in shlex.split(said.get("Event", "")):
        name, _, value = word.partition("=")
        of_event[name] = _value(value)
    players = [_player(shlex.split(each)) for each in said["Players"].split(";")]
    games: list[dict[str, object]] = []
    rounds = said.get("Games", "").split(";")
    for each in (game for of_round in rounds for game in of_round.split(",") if game.strip()):
        times, (white, black, result, *more) = _times(shlex.split(each))
        game: dict[str, object] = {"white": white, "black": black, "result": result}
        game |= {name: _value(value) for name, _, value in (word.partition("=") for word in more)}
        games += [{**game} for _ in range(times)]
    if len(rounds) > 1:
        games = [{"round": number, **game} for number, game in enumerate(games, 1)]
    return {"ratingbook": "report/1", "event": of_event, "players": players, "games": games}


def _times(words: Sequence[str]) -> tuple[int, Sequence[str]]:
    """How many of something there are, and what it is."""
    *all_but, last = words
    return (int(last[1:]), all_but) if last.startswith("*") else (1, words)


def _player(words: Sequence[str]) -> dict[str, object]:
    player: dict[str, object] = {"id": words[0]}
    numbers = list(takewhile(str.isdecimal, words[1:]))
    if numbers:
        player["standing"] = {n: int(v) for n, v in zip(("rating", "games"), numbers, strict=False)}
    for word in words[1 + len(numbers) :]:
        name, _, value = word.partition("=")
        if name == "past":
            side, _, times = value.partition("*")
            sides = [_past(side.split("/"))] * int(times or 1)
            player["history"] = [*cast(list[object], player.get("history", ())), *sides]
            continue
        path = name.split(".")
        if len(path) == 1 and name not in Entry.__slots__:
            path = ["standing", name]
        into = player
        for step in path[:-1]:
            into = cast(dict[str, object], into.setdefault(step, {}))
        into[path[-1]] = _value(value)
    return player


def _past(parts: Sequence[str]) -> dict[str, object]:
    names = ("own", "opponent", "score", "start", "event")
    return {name: _value(part) for name, part in zip(names, parts, strict=False) if part}


def _value(text: str) -> object:
    """A number, true, false, or a word."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def games_of(rounds: str) -> list[dict[str, object]]:
    """The games of an example's document, written short: ``A B 1-0, C D 0-1; B A 1-0 forfeit``.

    White, Black, result, and the status of a game that was not played; a semicolon ends a
    round.
    """
    games: list[dict[str, object]] = []
    for number, round_ in enumerate(rounds.split(";"), 1):
        for game in round_.split(","):
            white, black, result, *status = game.split()
            said = {"round": number, "white": white, "black": black, "result": result}
            games.append({**said, "status": status[0] if status else "played"})
    return games


@dataclass(frozen=True, slots=True)
class Domain:
    """From what reports and histories the check suite draws when it tries an edition."""

    ratings: tuple[int, int]
    kinds: tuple[str | None, ...] = (None,)
    grades: tuple[str, ...] = ()
    handicaps: tuple[int, int] = (0, 0)
    classes: tuple[str | None, ...] = (None,)
    categories: tuple[str | None, ...] = (None,)
    history_below: int = 0
    """Rated players with fewer games bring all of them as history."""
    first_day: date | None = None
    """Around this day rules change that the columns of a history see; None: nothing does."""
    borders: tuple[int, ...] = ()
    """Ratings at which rules change: every other player of a history is near one of them."""
    decided: tuple[str, ...] = ()
    """Decisions of the office that give a rating, by their kinds."""
    keys: Mapping[str, tuple[bool | int | float | str | None, ...]] = field(default_factory=dict)
    """Keys of the edition's own in standings, and the values to draw; None: not given."""
    unrated_count: Callable[[Event, Any, Sequence[Any]], float | None] | None = None
    """By event, parameters and the ratings of those who take part: the number with which a player
    counts who was unrated when the game began; where it gives None, the game counts for neither.
    Without it such a player does not count as an opponent."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the regulation, for people who follow an explanation by hand."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


@dataclass(frozen=True)
class Regulation:
    """The text of an edition: where it comes from, when it holds, and what it says."""

    title: str
    federation: str
    source: str = ""
    valid_from: date | None = None
    """First day; None: from the beginning."""
    valid_until: date | None = None
    """Last day; None: still valid."""
    paragraphs: tuple[Paragraph, ...] = ()
    readings: tuple[Reading, ...] = ()
    tables: tuple[Table, ...] = ()
    examples: Sequence[Example] = ()
    url: str = ""
    """Address of the regulation, where it is public."""
    own_numbers: bool = False
    """Whether the numbers of the paragraphs are ours, not those of the regulation itself."""


Articles: TypeAlias = Mapping[str, Mapping[str, str]]
"""By the address of a text, empty where it is not public: the articles by our numbers."""


def articles_in(text: str) -> dict[str, dict[str, dict[str, str]]]:
    """Articles of each edition as one reads them: edition, two spaces and the address of a text.

    Then, indented, an article of the text and after a colon the numbers that we have for it.
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    for block in re.split(r"\n(?=\S)", text.strip("\n")):
        heading, *lines = block.split("\n")
        edition, _, url = heading.partition("  ")
        places = found.setdefault(edition, {}).setdefault(url, {})
        for line in lines:
            article, _, numbers = line.strip().rpartition(": ")
            places |= dict.fromkeys(numbers.split(), article)
    return found


def page_of(texts: Articles) -> str:
    """The page with the first of the texts."""
    return next(iter(texts), "").partition("#")[0]


def with_articles(paragraphs: tuple[Paragraph, ...], texts: Articles) -> tuple[Paragraph, ...]:
    """The paragraphs with their places in texts of the federation."""
    places = {
        number: (article, url)
        for url, articles in texts.items()
        for number, article in articles.items()
    }
    return tuple(
        replace(paragraph, article=article, url=url)
        for paragraph in paragraphs
        for article, url in [places.get(paragraph.number, (paragraph.article, paragraph.url))]
    )


def with_texts(
    paragraphs: tuple[Paragraph, ...], texts: Mapping[str, str]
) -> tuple[Paragraph, ...]:
    """The paragraphs with other texts, by number."""
    return tuple(
        replace(paragraph, text=texts.get(paragraph.number, paragraph.text))
        for paragraph in paragraphs
    )
