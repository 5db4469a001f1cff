"""The arguments of the library's functions, looked at before anything is done with them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import wraps
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ratingbook.desk.persons import ID_KINDS
from ratingbook.model import YEARS, BadArgument, Entry, Event, Report, can_be
from ratingbook.rules.near import did_you_mean

_P = ParamSpec("_P")
_R = TypeVar("_R")
_SHOWN = 60

Check = Callable[[Any], str | None]
"""What is wanted instead of a value; None: it is right."""


def _is_path(value: Any) -> bool:
    return isinstance(value, str | PathLike) and str(value).strip() != ""


def _is_number(value: Any) -> bool:
    from numbers import Real

    return isinstance(value, Real) and not isinstance(value, bool)


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
    if not isinstance(value, date):
        return "a day, as datetime.date or as “2026-05-31”"
    return None if can_be(value) else f"a day of the years {YEARS[0]} to {YEARS[1]}"


def _number(value: Any) -> str | None:
    return None if _is_number(value) and isfinite(value) else "a number"


def _count(value: Any) -> str | None:
    is_count = _is_number(value) and float(value).is_integer() and value >= 0
    return None if is_count else "a whole number from 0 on"


def _year(value: Any) -> str | None:
    is_year = _is_number(value) and float(value).is_integer() and YEARS[0] <= value <= YEARS[1]
    return None if is_year else f"a year from {YEARS[0]} to {YEARS[1]}"


def _cores(value: Any) -> str | None:
    is_count = value is None or (_is_number(value) and isinstance(value, int) and value >= 1)
    return None if is_count else "a whole number from 1 on, or None for all cores"


def _side(value: Any) -> str | None:
    if _is_number(value) or isinstance(value, Entry) or hasattr(value, "row"):
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
            given = signature.bind(*args, **named).arguments
        except TypeError as error:
            raise BadArgument(f"{function.__name__}(): {error}") from None
        for name, value in given.items():
            is_default = value is signature.parameters[name].default
            wanted = None if is_default or name not in checks else checks[name](value)
            if wanted is not None:
                raise BadArgument(
                    f"{function.__name__}(): {name} is {_shown(value)}, and must be {wanted}"
                )
        return function(*args, **named)

    return called


def _shown(value: Any) -> str:
    if isinstance(value, str | int | float | date | None):
        return repr(value) if len(repr(value)) <= _SHOWN else f"{repr(value)[:_SHOWN]}…"
    return f"a {type(value).__name__}"


def check_there(function: str, name: str, folder: Path) -> None:
    """Raises :class:`BadArgument` where a file is to go into a folder that is not there."""
    if not folder.is_dir():
        raise BadArgument(f"{function}(): {name} names a folder that is not there: {folder}")
