"""The front door of the library: the commands as functions, of paths or objects.

``import ratingbook as rb`` has all of it.  What cannot be rated raises :class:`Refused`, and an
argument that is wrong :class:`BadArgument`, both with what to do.
"""

from __future__ import annotations

import builtins
import datetime
import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from ratingbook.desk.arguments import OF_HISTORY, PLAN, RATED, REPORTS, check_there, checked
from ratingbook.desk.cores import collected_seldom, made_of_each
from ratingbook.desk.explained import NotOne, ids_asked
from ratingbook.desk.persons import ID_KINDS
from ratingbook.desk.players import Players, read_players_files
from ratingbook.desk.rated import Rated, check_file, rate_file, rate_read
from ratingbook.desk.results import Explanation, RatedReport, RatingList, WhatIf
from ratingbook.engine.left import is_pool
from ratingbook.engine.rate import RatedRow
from ratingbook.formats import Read, read_bytes
from ratingbook.formats import read as read_file
from ratingbook.formats.document.keys import NO_KEYS
from ratingbook.formats.tools.full import NO_ROOM
from ratingbook.model import (
    BadArgument,
    Entry,
    Event,
    Findings,
    Game,
    Refused,
    Report,
    Result,
    Standing,
)
from ratingbook.rules import registry
from ratingbook.rules.near import did_you_mean
from ratingbook.rules.series import BookOrSeries

if TYPE_CHECKING:
    from ratingbook.engine.history.api import RatedHistory
    from ratingbook.engine.history.pooled import PooledHistory

__all__ = [
    "BadArgument", "Explanation", "RatedReport", "RatingList", "Refused", "check", "explain",
    "history", "list", "predict", "rate", "read", "rulebook", "rulebooks", "whatif", "write",
]  # fmt: skip

_OF_THE_DISK = NO_ROOM | {errno.EIO}
"""Faults in writing that are not of the name."""
PathOf: TypeAlias = str | PathLike[str]
Book: TypeAlias = str | BookOrSeries
Given: TypeAlias = PathOf | Report | Mapping[str, Any]
"""A report, the file that holds it, or a report document as a dictionary."""
PlayersGiven: TypeAlias = "PathOf | Iterable[Entry] | Sequence[PathOf | Iterable[Entry]] | None"


def rulebooks() -> builtins.list[str]:
    """The names of all editions, and of the series that they make."""
    return sorted([*registry.names(), *registry.families()])


@checked
def rulebook(name: Book, settings: Mapping[str, object] | None = None) -> BookOrSeries:
    """The edition, or series, of that name, with parameters set.

    Raises ``UnknownRuleBook``, with the nearest names, and ``ParameterError``.
    """
    book = registry.load(name) if isinstance(name, str) else name
    texts = {key: str(value) for key, value in (settings or {}).items()}
    return book.with_parameters(texts) if texts else book


@checked
def read(
    source: Given, rulebook: Book | None = None, *, columns: Mapping[str, str] | None = None
) -> Report:
    """The report in a file of any format that is read, or in a report document as a dictionary.

    ``rulebook`` names whose further keys of a standing are read; ``columns`` says which header
    of a table has a field.  Raises :class:`Refused`.
    """
    if isinstance(source, Report):
        return source
    found = _reading(source, None if rulebook is None else _book(rulebook), columns)
    if found.report is None or found.findings.refused:
        raise Refused(found.findings.in_file(str(_path_of(source))))
    return found.report


@checked
def write(
    report: Given, out: PathOf, *, format: str | None = None, force: bool = False
) -> Findings:
    """Write a report in the format that its new name says; the findings tell what it cannot hold.

    The first of them says if it is rated otherwise for that (``convert.rated``).

    Nothing that is there already is replaced, unless ``force``.  Raises :class:`Refused`.
    """
    from ratingbook.engine.carried import books_for, ratings_changed
    from ratingbook.formats.convert import converted
    from ratingbook.formats.registry import target_of, targets

    path, told = Path(out), read(report)
    target = targets().get(format) if format else target_of(path.suffix, told)
    if target is None:
        raise BadArgument(f"write(): name the format: {', '.join(targets())}")
    if os.path.exists(path) and not force:
        raise FileExistsError(f"{path} is there already; force=True replaces it")
    check_there("write", "out", path.parent)
    books = books_for(told, None)
    files, findings = converted(
        told, target, lambda old, new, ids: ratings_changed(old, new, ids, books)
    )
    if findings.refused:
        raise Refused(findings)
    try:
        for name, data in files.items():
            place = path / name if name else path
            if name:
                path.mkdir(exist_ok=True)
            place.write_bytes(data)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in _OF_THE_DISK:
            raise
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise BadArgument(f"write(): {path} cannot be written: {why}") from error
    return findings


@checked
def check(
    source: Given,
    rulebook: Book | None = None,
    *,
    settings: Mapping[str, object] | None = None,
    players: PlayersGiven = None,
    id: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Findings:
    """What is the matter with a report; with a rule book all that :func:`rate` would say."""
    book = None if rulebook is None else _book(rulebook, settings)
    if book is None and isinstance(source, str | PathLike):
        return check_file(Path(source), None, columns=columns).findings
    found = _reading(source, book, columns)
    if book is None:
        from ratingbook.engine.intake import check_report

        told = Findings(found.findings)
        if found.report is not None and not told.refused:
            told.extend(check_report(found.report, found.findings))
        return told
    known = _players(players, book, [found.report] if found.report else [], id, columns)
    return rate_read(found, _path_of(source), book, known).rating.findings


@overload
def rate(
    source: Given,
    rulebook: Book,
    *,
    settings: Mapping[str, object] | None = ...,
    players: PlayersGiven = ...,
    id: str | None = ...,
    explain: str | Sequence[str] = ...,
    list: datetime.date | str | None = ...,
    columns: Mapping[str, str] | None = ...,
    cores: int | None = ...,
) -> RatedReport: ...
@overload
def rate(
    source: builtins.list[Given] | tuple[Given, ...],
    rulebook: Book,
    *,
    settings: Mapping[str, object] | None = ...,
    players: PlayersGiven = ...,
    id: str | None = ...,
    explain: str | Sequence[str] = ...,
    list: datetime.date | str | None = ...,
    columns: Mapping[str, str] | None = ...,
    cores: int | None = ...,
) -> builtins.list[RatedReport]: ...
@partial(checked, own=REPORTS)
def rate(
    source: Given | builtins.list[Given] | tuple[Given, ...],
    rulebook: Book,
    *,
    settings: Mapping[str, object] | None = None,
    players: PlayersGiven = None,
    id: str | None = None,
    explain: str | Sequence[str] = (),
    list: datetime.date | str | None = None,
    columns: Mapping[str, str] | None = None,
    cores: int | None = 1,
) -> RatedReport | builtins.list[RatedReport]:
    """Rate a report, or several, each by itself.

    ``players`` are files, lists of federations or entries, what an earlier one says holds;
    ``id`` says what joins them with the report: a register (``fide``, ``egd`` …), ``local`` or
    ``name``.  ``list``: only the games that the rating list of that day takes.  ``explain`` names
    players, or ``all``; :meth:`.RatedReport.explain` can be asked
    later, too.  ``cores``: in how many processes many reports are rated; None: in as many as the
    command takes, one for each core.  Raises :class:`Refused` where the command exits with 1.
    """
    book = _book(rulebook, settings)
    several = source if isinstance(source, builtins.list | tuple) else [source]
    known = _players(players, book, _reports(several, book, columns), id, columns)
    asked = [explain] if isinstance(explain, str) else [*explain]
    whom, day = None if "all" in asked else frozenset(asked), _day(list)

    def one(each: Given) -> Rated:
        if isinstance(each, str | PathLike):
            return rate_file(Path(each), book, known, whom, columns, day)
        return rate_read(_reading(each, book, columns), _path_of(each), book, known, whom, day)

    with collected_seldom():
        rated = [_rated(each, asked) for each in made_of_each(one, several, cores)]
    return rated if several is source else rated[0]


def _reports(
    given: Iterable[Given], book: BookOrSeries, columns: Mapping[str, str] | None
) -> Iterator[Report]:
    """The reports as far as they can be read, for whoever looks at them before they are rated."""
    for each in given:
        found = _reading(each, book, columns).report
        if found is not None:
            yield found


def _rated(rated: Rated, asked: Sequence[str]) -> RatedReport:
    """What was rated, for the one who asked; raises :class:`Refused`."""
    if rated.rating.findings.refused or rated.report is None:
        raise Refused(rated.rating.findings)
    if rated.unknown:
        raise NotOne("; ".join(rated.unknown.values()))
    ids, _ = ids_asked(rated.report, None if "all" in asked else asked)
    everyone = {entry.id for entry in rated.report.entries}
    return RatedReport(rated, rated.report, everyone if ids is None else ids)


@partial(checked, own=RATED)
def explain(source: Given | RatedReport, player: str, *arguments: Any, **named: Any) -> Explanation:
    """The change of a player of a report, paragraph by paragraph; else as :func:`rate`."""
    rated = source if isinstance(source, RatedReport) else rate(source, *arguments, **named)
    return rated.explain(player)


@checked
def list(
    standings: PathOf | Sequence[PathOf],
    rulebook: Book | None = None,
    date: datetime.date | str | None = None,
    *,
    settings: Mapping[str, object] | None = None,
    office: bool = False,
    against: PathOf | None = None,
    pool: str | None = None,
    id: str | None = None,
) -> RatingList:
    """The rating list of a day from standings, or from the folder of a history.

    ``pool`` is one of those that the history was rated in together.
    """
    from ratingbook.desk.lists import list_of

    several = [standings] if isinstance(standings, str | PathLike) else [*standings]
    made = list_of(
        [Path(each) for each in several],
        None if rulebook is None else _book(rulebook),
        _day(date),
        settings={key: str(value) for key, value in (settings or {}).items()},
        office=office,
        against=None if against is None else Path(against),
        pool=pool,
        id_kind=_kind(id),
    )
    if made.listing is None or made.findings.refused:
        raise Refused(made.findings)
    return RatingList(made, made.listing)


@partial(checked, own=OF_HISTORY)
def history(
    games: Any,
    rulebook: Book | None = None,
    *,
    id: str | None = None,
    settings: Mapping[str, object] | None = None,
    columns: Mapping[str, str] | None = None,
    assume: float | None = None,
    compiled: bool | None = None,
    corrections: bool = False,
    progress: bool | Callable[[int, int], None] = True,
    **beside: Any,
) -> RatedHistory | PooledHistory:
    """Rate a history: of reports (files, folders, archives), or of a table of games.

    A table is a file of columns, a frame of pandas or Polars, lazy or not, a table of Arrow,
    a list of dictionaries, or a dictionary of lists.  ``columns`` says which of its columns has
    a field: ``{"white": "home", "black": "away"}``.  ``progress``: True tells when the rules
    have to be compiled, and from the first second on how far it is, in lines on the error
    output; a function is told the games rated, and all.  ``beside`` is what is known
    besides the games, as :class:`~ratingbook.engine.options.Beside` has it: ``players``,
    ``events``, ``entries``, ``decisions``.  A history whose events, or
    games, name several pools is rated in all of them.

    ``games`` may be a folder that the command has written, which knows its rule book,
    players and settings, and is given alone.
    """
    from ratingbook.desk.histories import read_history
    from ratingbook.desk.progress import Lines
    from ratingbook.engine.history.api import HistoryRefused
    from ratingbook.engine.history.pooled import rate_whole

    told = Lines(_tell) if progress is True else progress or None
    if isinstance(games, str | PathLike) and is_pool(Path(games)):
        if rulebook is not None or any((id, settings, columns, assume, beside)):
            raise BadArgument(
                f"history(): the folder {games} knows its rule book, players, events and settings: "
                "give it alone, or rate the reports anew to have others"
            )
        return _rated_pool(Path(games), corrections=corrections, progress=told)
    if rulebook is None:
        raise BadArgument("history(): rulebook is missing; only a folder of a history needs none")
    book = _book(rulebook, settings)
    try:
        given = read_history(games, book, id_kind=_kind(id), columns=columns, **beside)
        return rate_whole(
            given, book, assume=assume, compiled=compiled, corrections=corrections, progress=told,
            compiling=_tell_compiling if progress is True else None,
        )  # fmt: skip
    except HistoryRefused as refused:
        raise Refused(refused.findings) from None


def _rated_pool(
    folder: Path, *, corrections: bool, progress: Callable[[int, int], None] | None
) -> RatedHistory | PooledHistory:
    """The history of a folder as its register of corrections says; raises :class:`Refused`."""
    from ratingbook.desk.pool import NoPool, open_pool
    from ratingbook.engine.history.api import HistoryRefused

    try:
        return open_pool(folder).rated(corrections=corrections, progress=progress)
    except (NoPool, HistoryRefused) as refused:
        raise Refused(refused.findings) from None


def _tell_compiling(book: BookOrSeries) -> None:
    _tell(f"Compiling the rules of {book.name}, once: up to half a minute.")


def _tell(line: str) -> None:
    print(line, file=sys.stderr)


@checked
def predict(
    rulebook: Book,
    white: float | Entry | RatedRow,
    black: float | Entry | RatedRow,
    date: datetime.date | str | None = None,
    *,
    settings: Mapping[str, object] | None = None,
    handicap: int = 0,
    neutral: bool = False,
    event: Event | None = None,
) -> float:
    """White's expected score in a game on a day, without one today, by the rule book.

    The players are ratings, entries with all that is known of them, or players who were rated:
    ``rated["Tamm"]``, at their new ratings.  Expected is at these ratings: nobody's has moved.
    """
    book = _book(rulebook, settings)
    day = _day(date) or datetime.date.today()
    held = replace(event or Event(), start=day, end=day)
    sides = [_side("white", white), _side("black", black)]
    game = Game(sides[0].id, sides[1].id, Result.DRAW, round=1, handicap=handicap, neutral=neutral)
    report = Report(held, tuple(sides), (game,))
    # No result has a part in it: an opponent whom the rules move by the draw would be another.
    row = rate(report, book.for_report(report).estimating()).rows[0].row
    if row.expected is None:
        raise BadArgument(f"predict(): {book.name} expects no score of such a game")
    return row.expected


def _side(name: str, player: float | Entry | RatedRow) -> Entry:
    if isinstance(player, RatedRow):
        return Entry(name, standing=player.row.standing, history=player.row.history)
    if isinstance(player, Entry):
        return replace(player, id=name)
    return Entry(name, standing=Standing(player, games=100))


@partial(checked, own=PLAN)
def whatif(
    source: Given | Sequence[str],
    rulebook: Book,
    *,
    rating: float | None = None,
    games: int | None = None,
    grade: str | None = None,
    birth_year: int | None = None,
    standing: Mapping[str, object] | None = None,
    target: float | None = None,
    date: datetime.date | str | None = None,
    players: PlayersGiven = None,
    player: str | None = None,
    id: str | None = None,
    event: Mapping[str, str] | None = None,
    full_event: bool = False,
    settings: Mapping[str, object] | None = None,
    columns: Mapping[str, str] | None = None,
) -> WhatIf:
    """What becomes of a rating, as the command prints it in JSON.

    ``source`` are games, written as for the command (``["2100=1", "2250=?"]``), or a report in
    which ``player`` has open games.  ``standing`` says what else the rule book reads of one: the
    ``status``, the ``wins``, ``draws`` and ``losses`` so far, and the keys of its own.  Raises
    ``BadGame``, a ValueError, for a game that cannot be understood, and :class:`Refused`.
    """
    from ratingbook.desk.outcomes import as_dict
    from ratingbook.desk.whatif import Asker, asked, of_report

    book, day = _book(rulebook, settings), _day(date)
    if isinstance(source, Mapping):
        source = read(source, book)
    own = None if rating is None else float(rating)
    said = Asker(
        own,
        games,
        grade,
        birth_year,
        standing or {},
        player,
        _sources(players),
        _kind(id),
        columns=columns,
    )
    if isinstance(source, Report):
        answer = of_report(_as_read(source), Path("report"), book, said, day, explain=True)
    else:
        plan = [str(source)] if isinstance(source, str | PathLike) else [*source]
        answer = asked(
            plan, book, said, day=day, full_event=full_event, about=event or {}, explain=True,
        )  # fmt: skip
    if answer.findings.refused:
        raise Refused(answer.findings)
    answer.target = target
    return WhatIf(as_dict(answer))


def _book(name: Book, settings: Mapping[str, object] | None = None) -> BookOrSeries:
    return rulebook(name, settings)


def _day(day: datetime.date | str | None) -> datetime.date | None:
    return datetime.date.fromisoformat(day) if isinstance(day, str) else day


def _kind(id_kind: str | None) -> str | None:
    if id_kind is not None and id_kind not in ID_KINDS:
        guess = did_you_mean(id_kind, ID_KINDS, "there is")
        raise BadArgument(f"no id is called {id_kind!r}; {guess}")
    return id_kind


def _reading(given: Given, book: BookOrSeries | None, columns: Mapping[str, str] | None) -> Read:
    if isinstance(given, Report):
        return _as_read(given)
    fields = book.standing_fields if book else NO_KEYS
    if isinstance(given, Mapping):
        return read_bytes(_json_of(given), fields)
    return read_file(Path(given), fields, columns)


def _json_of(document: Mapping[str, Any]) -> bytes:
    """A report document as the text that a file of it holds, with its days as they are written."""
    try:
        return json.dumps(dict(document), default=_plain).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgument(f"the report document is no JSON: {error}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is none of its values")


def _path_of(given: Given) -> Path:
    """Where a report comes from, for whoever is told of it."""
    return Path(given) if isinstance(given, str | PathLike) else Path("report")


def _as_read(report: Report) -> Read:
    return Read(report, Findings(), "report")


def _as_list(players: Any) -> builtins.list[Any]:
    return [players] if isinstance(players, str | PathLike) else [*players]


def _players(
    given: PlayersGiven,
    book: BookOrSeries,
    reports: Iterable[Report],
    id_kind: str | None,
    columns: Mapping[str, str] | None,
) -> Players:
    if given is None:
        return Players(id_kind=_kind(id_kind))
    return read_players_files(_sources(given), book, reports, _kind(id_kind), columns)


def _sources(given: PlayersGiven) -> builtins.list[Path | Iterable[Entry]]:
    """Players files as paths, entries as they are."""
    several = [] if given is None else _as_list(given)
    if several and all(isinstance(each, Entry) for each in several):
        several = [several]
    return [Path(each) if isinstance(each, str | PathLike) else each for each in several]
