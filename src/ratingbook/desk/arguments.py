"""The arguments of the library's functions, looked at before anything is done with them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ratingbook.desk.persons import ID_KINDS
from ratingbook.desk.plain import (
    A_NUMBER,
    Made,
    Wrong,
    day_of,
    number_of,
    plain,
    plain_entries,
    plain_report,
    whole_of,
)
from ratingbook.model import YEARS, BadArgument, Entry, Event, Report, can_be
from ratingbook.rules.near import did_you_mean

_P = ParamSpec("_P")
_R = TypeVar("_R")
_SHOWN = 60

Check = Callable[[Any], str | None]
"""What is wanted instead of a value; None: it is right."""


def _is_path(value: Any) -> bool:
    return isinstance(value, str | PathLike) and str(value).strip() != ""


def _path(value: Any) -> str | None:
    return None if _is_path(value) else "a path"


def _is_document(value: Any) -> bool:
    """Whether it is a report, or a report document as it comes out of JSON."""
    return isinstance(value, Report) or (isinstance(value, Mapping) and "ratingbook" in value)


def _report(value: Any) -> str | None:
    if _is_path(value) or _is_document(value):
        return None
    return "a path, a report, or a report document as a dictionary; rows of games are for history()"


def _reports(value: Any) -> str | None:
    if isinstance(value, list | tuple):
        return next((f"{said} (item {number})" for number, each in enumerate(value, 1)
                     if (said := _report(each))), None)  # fmt: skip
    return _report(value)


def _plan(value: Any) -> str | None:
    if _is_path(value) or _is_document(value):
        return None
    if isinstance(value, Sequence) and all(isinstance(each, str | PathLike) for each in value):
        return None
    return 'games as for the command (["2100=1", "2250=?"]), or a report'


def _paths(value: Any) -> str | None:
    if _is_path(value):
        return None
    several = isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    if several and isinstance(value, Sequence) and value and all(map(_is_path, value)):
        return None
    return "a path, or a list of paths"


def _players(value: Any) -> str | None:
    wanted = "a path, entries, or a list of them; for rows of players write a file of them"
    if _is_path(value):
        return None
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        return wanted
    if isinstance(value, list | tuple):
        for each in value:
            if isinstance(each, Mapping) or not (
                _is_path(each) or isinstance(each, Entry | list | tuple) or _is_lazy(each)
            ):
                return wanted
    return None


def _is_lazy(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)


def _book(value: Any) -> str | None:
    if (isinstance(value, str) and value.strip()) or hasattr(value, "standing_fields"):
        return None
    return "the name of a rule book, or one that was loaded; rulebooks() has the names"


def _mapping(wanted: str) -> Check:
    return lambda value: None if isinstance(value, Mapping) else wanted


def _text(wanted: str) -> Check:
    return lambda value: None if isinstance(value, str) and value.strip() else wanted


def _texts(value: Any) -> str | None:
    if isinstance(value, str):
        return None
    if isinstance(value, Iterable) and not isinstance(value, Mapping):
        several = [*value] if isinstance(value, Sequence | set | frozenset) else []
        if all(isinstance(each, str) for each in several):
            return None
    return "a player, a list of players, or 'all'"


def _id_kind(value: Any) -> str | None:
    if isinstance(value, str) and value in ID_KINDS:
        return None
    guess = did_you_mean(value, ID_KINDS, "there is") if isinstance(value, str) else ""
    return f"the kind of an id; {guess or 'there is ' + ', '.join(ID_KINDS)}"


def _day(value: Any) -> str | None:
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value)
        except ValueError:
            value = None
    day = day_of(value)
    if day is None:
        return "a day, as datetime.date or as “2026-05-31”"
    return None if can_be(day) else f"a day of the years {YEARS[0]} to {YEARS[1]}"


def _number(value: Any) -> str | None:
    return A_NUMBER if number_of(value) is None else None


def _count(value: Any) -> str | None:
    count = whole_of(value)
    return "a whole number from 0 on" if count is None or count < 0 else None


def _year(value: Any) -> str | None:
    year = whole_of(value)
    is_year = year is not None and YEARS[0] <= year <= YEARS[1]
    return None if is_year else f"a year from {YEARS[0]} to {YEARS[1]}"


def _cores(value: Any) -> str | None:
    count = 1 if value is None else whole_of(value)
    return "a whole number from 1 on, or None for all cores" if count is None or count < 1 else None


def _side(value: Any) -> str | None:
    if isinstance(value, Entry) or hasattr(value, "row") or number_of(value) is not None:
        return None
    return "a rating, an entry, or a player who was rated"


def _event(value: Any) -> str | None:
    return None if isinstance(value, Event) else "an Event"


_COLUMNS = _mapping('a dictionary of fields and columns: {"white": "home"}')
_CHECKS: Mapping[str, Check] = {
    "source": _report, "report": _report, "rulebook": _book, "name": _book,
    "settings": _mapping('a dictionary of parameters: {"games_unknown": 10}'),
    "columns": _COLUMNS, "players": _players, "id": _id_kind, "explain": _texts,
    "list": _day, "date": _day, "standings": _paths, "against": _path, "out": _path,
    "format": _text("the name of a format"), "pool": _text("the name of a pool"),
    "player": _text("a player's id, number, or the beginning of the name"),
    "grade": _text("a grade, such as 3k"), "rating": _number, "target": _number,
    "assume": _number, "games": _count, "birth_year": _year, "handicap": _count,
    "cores": _cores,
    "white": _side, "black": _side, "event": _event,
}  # fmt: skip
"""What each argument may be; one name means one thing in all functions."""


def _or_same(of: Made) -> Made:
    """What makes a value Python's own, where it is one of that kind."""

    def made(value: Any) -> Any:
        found = of(value)
        return value if found is None else found

    return made


def _plain_side(value: Any) -> Any:
    return plain(value) if isinstance(value, Entry) else _or_same(number_of)(value)


def _plain_event(value: Any) -> Any:
    return plain(value) if isinstance(value, Event) else value


_PLAIN: Mapping[str, Made] = {
    "source": plain_report, "report": plain_report, "players": plain_entries,
    "white": _plain_side, "black": _plain_side, "event": _plain_event,
    "date": _or_same(day_of), "list": _or_same(day_of), "rating": number_of, "target": number_of,
    "assume": number_of, "games": _or_same(whole_of), "birth_year": whole_of,
    "handicap": whole_of, "cores": whole_of,
}  # fmt: skip
"""What makes arguments with numbers and days of other libraries Python's own."""
REPORTS: Mapping[str, Check] = {"source": _reports}
PLAN: Mapping[str, Check] = {
    "source": _plan, "event": _mapping('a dictionary: {"kind": "swiss"}'),
    "standing": _mapping('a dictionary: {"peak": 2250}'),
}  # fmt: skip
OF_HISTORY: Mapping[str, Check] = {
    "games": lambda value: "paths of reports, or a table of games" if value is None else None,
    "assume": _number,
}
"""Its tables are looked at where they are read."""
RATED: Mapping[str, Check] = {
    "source": lambda value: None if hasattr(value, "explain") else _report(value),
}  # fmt: skip


def checked(function: Callable[_P, _R], own: Mapping[str, Check] | None = None) -> Callable[_P, _R]:
    """A function that raises :class:`BadArgument` for an argument that is none of its kind."""
    signature = inspect.signature(function)
    checks = {**_CHECKS, **(own or {})}

    @wraps(function)
    def called(*args: _P.args, **named: _P.kwargs) -> _R:
        try:
            given = signature.bind(*args, **named)
        except TypeError as error:
            raise BadArgument(f"{function.__name__}(): {error}") from None
        for name, value in given.arguments.items():
            if value is signature.parameters[name].default:
                continue
            wanted = checks[name](value) if name in checks else None
            if wanted is not None:
                raise _bad(function, name, value, wanted)
            if name in _PLAIN:
                try:
                    given.arguments[name] = _PLAIN[name](value)
                except Wrong as wrong:
                    path = name + wrong.path
                    raise _bad(function, path, wrong.value, wrong.wanted) from None
        return function(*given.args, **given.kwargs)

    return called


def _bad(function: Callable[..., Any], name: str, value: Any, wanted: str) -> BadArgument:
    return BadArgument(f"{function.__name__}(): {name} is {_shown(value)}, and must be {wanted}")


def _shown(value: Any) -> str:
    if isinstance(value, str | int | float | date | None):
        return repr(value) if len(repr(value)) <= _SHOWN else f"{repr(value)[:_SHOWN]}…"
    return f"a {type(value).__name__}"


def check_there(function: str, name: str, folder: Path) -> None:
    """Raises :class:`BadArgument` where a file is to go into a folder that is not there."""
    if not folder.is_dir():
        raise BadArgument(f"{function}(): {name} names a folder that is not there: {folder}")
