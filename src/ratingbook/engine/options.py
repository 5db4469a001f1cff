"""What may be said of a history besides its games and its rule book.

Said here once, with what holds where nothing is said: the library and the cluster take it as
keywords, the command line makes its options of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from numbers import Real
from pathlib import Path
from typing import (
    Annotated,
    Any,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypedDict,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

from ratingbook.model import BadArgument
from ratingbook.model.sentences import sentence
from ratingbook.rules.series import BookOrSeries


@runtime_checkable
class ArrowStream(Protocol):
    """A table of pyarrow, Polars, pandas …: it has the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The columns as a capsule."""


Input: TypeAlias = str | os.PathLike[str] | ArrowStream
"""A file, a folder of files, or a table."""


@dataclass(frozen=True)
class Said:
    """What holds of an option that is not given, and how the command line has it."""

    default: Any = None
    help: str = ""
    """Empty: the command line has no such option, or says it in words of its own."""
    flags: tuple[str, ...] = ()
    """Its names on the command line; none: that of the keyword."""
    kind: Any = None
    """What the command line takes; None: what the keyword takes."""
    least: float | None = None


class Beside(TypedDict, total=False):
    """What is known besides the games: each a table, a file, or a folder of files.

    ``players`` has ``id`` and what is known of a player before the first game (``rating``,
    ``games``, ``birth_date``, ``grade`` …); ``events`` has ``event`` with ``start``, ``end``,
    ``kind``, ``class``, ``level``, ``time_control``, ``category``, ``pool``, ``rounds``;
    ``entries`` has ``event``, ``player``, ``grade``, ``rating``; ``decisions`` has ``player``,
    ``date``, ``kind``, ``value``: what the office decided, in force from that day on until a
    game of the player is rated.
    """

    players: Annotated[Input | None, Said()]
    events: Annotated[
        Input | None, Said(None, "Events: event, start, end, kind, class, level …", kind=Path)
    ]
    entries: Annotated[Input | None, Said(None, "Entries: event, player, grade.", kind=Path)]
    decisions: Annotated[
        Input | None,
        Said(None, "Decisions of the office: player, date, kind, value.", kind=Path),
    ]


class IntoFolder(TypedDict, total=False):
    """How a history is rated into a folder."""

    fresh: Annotated[bool, Said(False, "Begin anew, whatever the folder holds.", ("--fresh",))]
    seconds: Annotated[
        float,
        Said(
            10.0, "Seconds between checkpoints, from which a run goes on.", ("--checkpoint",),
            least=0,
        ),
    ]  # fmt: skip


class RunOptions(IntoFolder, total=False):
    """How a history is rated, and into a folder."""

    assume: Annotated[
        float | None,
        Said(None, "Rating of players whom the edition would leave unrated for ever."),
    ]
    changes: Annotated[
        bool, Said(True, "Whether to write changes.parquet.", ("--changes/--no-changes",))
    ]


class Option(NamedTuple):
    """One option of a record."""

    name: str
    kind: Any
    said: Said


@cache
def options_of(record: Any) -> Sequence[Option]:
    """The options of a record, in their order."""
    return [_option(*each) for each in get_type_hints(record, include_extras=True).items()]


def _option(name: str, hint: Any) -> Option:
    kind, said = hint, Said()
    if get_origin(hint) is Annotated:
        kind, said = get_args(hint)[:2]
    return Option(name, kind if said.kind is None else said.kind | None, said)


_Record = TypeVar("_Record", bound=Mapping[str, Any])


def filled(record: type[_Record], given: _Record) -> _Record:
    """All options of a record: as they are given, or what holds without.

    Raises :class:`BadArgument` for what is none of them.
    """
    options = {name: said.default for name, _, said in options_of(record)}
    for name in given:
        if name not in options:
            raise BadArgument(f"there is no option {name!r}, but {', '.join(options)}")
    return cast(_Record, options | {**given})


def part_of(record: type[_Record], given: Mapping[str, Any]) -> _Record:
    """What is given of the options of a record, of a larger one."""
    names = {option.name for option in options_of(record)}
    return cast(_Record, {name: value for name, value in given.items() if name in names})


class AssumptionError(BadArgument):
    """An assumed rating that the edition does not know."""


def check_assumption(assume: float | None, book: BookOrSeries) -> None:
    """Raises :class:`AssumptionError` for an assumed rating that the edition does not know."""
    given: Any = assume
    if given is not None and not isinstance(given, Real | Decimal):
        raise AssumptionError(
            sentence("an assumed rating is a number, not {value}", value=repr(given))
        )
    least, greatest = book.rating_range
    if assume is not None and not least <= assume <= greatest:
        raise AssumptionError(
            sentence(
                "an assumed rating lies between {least} and {greatest}, not at {assume:g}",
                least=least,
                greatest=greatest,
                assume=assume,
            )
        )
