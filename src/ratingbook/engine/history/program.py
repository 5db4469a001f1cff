"""The loops of one rule book: its record types, and its functions linked into them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ratingbook.engine.history.link import Linker, fingerprint, folder_of
from ratingbook.engine.history.loops import batches, tables
from ratingbook.engine.history.records import accessors, fields_of, record_type
from ratingbook.rules.book import AnyRuleBook, Unit
from ratingbook.rules.bulk import Bulk, NoneKept, Turns

COMPILED_FROM = 20_000
"""Games from which compiling is worth its start."""


_LOOPS: tuple[Callable[..., Any], ...] = (
    tables.first_standings,
    batches.rate_batches,
    tables.reform_all,
    tables.final_table,
)


class NoBulk(Exception):
    """A rule book that rates reports only; the message says so."""


class NoTally(NamedTuple):
    """The tally of an edition without a fold."""

    nothing: int = 0


def bulk_of(book: AnyRuleBook) -> Bulk:
    """What the edition gives for histories; raises :class:`NoBulk`."""
    if book.bulk is None:
        raise NoBulk(f"{book.name} rates reports only; it does not say how columns are rated.")
    others = [each.name for each in book.editions if each.bulk is not book.bulk]
    if others:
        raise NoBulk(
            f"The editions of {book.name} do not share their functions ({', '.join(others)}); "
            "rate each time with its own."
        )
    if book.unit is Unit.GAME and book.bulk.fold is None:
        raise NoBulk(f"{book.name} rates each game by itself, and so needs a fold.")
    says = book.bulk.kernel_at or book.bulk.round_at
    if len(book.bulk.kernels) > 1 and says is None:
        raise NoBulk(f"{book.name} has several kernels, and does not say which comes when.")
    return book.bulk


@dataclass(frozen=True)
class Program:
    """The linked loops of a rule book, compiled or in plain Python."""

    book: AnyRuleBook
    compiled: bool

    @cached_property
    def bulk(self) -> Bulk:
        """The functions of the edition."""
        return bulk_of(self.book)

    @cached_property
    def standing(self) -> np.dtype[np.void]:
        """A stored standing."""
        return record_type(_=self.bulk.standing)

    @cached_property
    def known(self) -> np.dtype[np.void]:
        """What a players file says of a player."""
        return record_type(_=self.bulk.known)

    @cached_property
    def work(self) -> np.dtype[np.void]:
        """What a player has while a batch is worked on."""
        return record_type(
            own=self.bulk.standing,
            tally=self._tally,
            folds=np.bool_,
            sides=np.int32,
            first=np.int32,
            end=np.int32,
            until=np.int32,
            grade=np.int32,
        )

    @cached_property
    def value(self) -> np.dtype[np.void]:
        """What a round leaves of a player."""
        return record_type(_=self.bulk.value)

    @cached_property
    def side(self) -> np.dtype[np.void]:
        """A side."""
        return record_type(_=self.bulk.side)

    @cached_property
    def facts(self) -> np.dtype[np.void]:
        """The facts of an event."""
        return record_type(_=self.bulk.facts)

    @cached_property
    def kept(self) -> np.dtype[np.void]:
        """A kept side."""
        return record_type(_=self._kept)

    @property
    def _tally(self) -> type[Any]:
        return self.bulk.fold.tally if self.bulk.fold else NoTally

    @property
    def _kept(self) -> type[Any]:
        return self.bulk.keeping.kept if self.bulk.keeping else NoneKept

    @cached_property
    def first_standings(self) -> Callable[..., None]:
        """See :func:`.tables.first_standings`."""
        return self._linker.link(tables.first_standings)

    @cached_property
    def rate_batches(self) -> Callable[..., int]:
        """See :func:`.batches.rate_batches`."""
        return self._linker.link(batches.rate_batches)

    def constants(self, parameters: Any) -> Any:
        """Parameters for which :attr:`rate_batches` is compiled anew; plain Python takes any."""
        if not self.compiled:
            return parameters
        from ratingbook.engine.history.constants import Constants

        if parameters not in self._constants:
            self._constants[parameters] = Constants(parameters)
        return self._constants[parameters]

    @cached_property
    def _constants(self) -> dict[Any, Any]:
        return {}

    @cached_property
    def reform_all(self) -> Callable[..., None]:
        """See :func:`.tables.reform_all`."""
        return self._linker.link(tables.reform_all)

    @cached_property
    def final_table(self) -> Callable[..., None]:
        """See :func:`.tables.final_table`."""
        return self._linker.link(tables.final_table)

    @cached_property
    def key(self) -> str:
        """A hash over all code that the loops reach, compiled or not: equal ones, equal bits."""
        return fingerprint(_LOOPS, Program(self.book, compiled=False)._names)

    @cached_property
    def _folder(self) -> Path:
        """Where the compiled code is kept."""
        # Numba knows of `_replace` from here on, and the cache of how it is compiled.
        from ratingbook.engine.history.replacing import replaced, replaced_type

        return folder_of(fingerprint((*_LOOPS, replaced, replaced_type), self._names))

    @cached_property
    def _linker(self) -> Linker:
        return Linker(self._names, self._folder if self.compiled else None)

    @cached_property
    def _names(self) -> dict[str, Any]:
        """What the names of the loops stand for."""
        bulk, fold, keeping = self.bulk, self.bulk.fold, self.bulk.keeping
        whole = np.int64 if self.compiled else int
        names: dict[str, Any] = {
            "standing_of": bulk.standing_of,
            "assumed": bulk.assumed or _as_known(bulk),
            "reformed": bulk.reformed or _no_reform,
            "listed": bulk.listed,
            "enter": bulk.enter,
            "counts": bulk.counts,
            "side_of": bulk.side_of,
            "kernel_of": _dispatch(bulk.kernels),
            "kernel_at": bulk.kernel_at or _first_only,
            "moved": bulk.moved or _not_moved,
            "round_at": bulk.round_at or _no_round,
            "wants": bulk.wants or _wants_nothing,
            "between": bulk.between or _as_entered,
            "HAS_REPEATS": bulk.round_at is not None,
            "HAS_BETWEEN": bulk.between is not None,
            "leave": bulk.leave,
            "outcome": bulk.outcome,
            "in_force": bulk.in_force or _no_number,
            "HAS_IN_FORCE": bulk.in_force is not None,
            "fold_applies": fold.applies if fold else _never,
            "fold_begin": fold.begin if fold else _no_tally,
            "fold_add": fold.add if fold else _same_tally,
            "fold_value": fold.value if fold else _empty_value(bulk),
            "HAS_FOLD": fold is not None,
            "EACH_GAME": self.book.unit is Unit.GAME,
            "keeps": keeping.keeps if keeping else _never,
            "side_is_kept": keeping.counts if keeping else _no_side_kept,
            "kept_side": keeping.keep if keeping else _nothing_kept,
            "lasts": keeping.lasts if keeping else _never_lasts,
            "HAS_KEPT": keeping is not None,
            "carried_side": (keeping and keeping.side) or _empty_side(bulk),
            "HAS_CARRIED": keeping is not None and keeping.side is not None,
            "recalled": (keeping and keeping.recall) or _same_standing,
            "HAS_RECALL": keeping is not None and keeping.recall is not None,
            "COUNTS_MEETINGS": bulk.counts_meetings,
            "HAS_MARGINS": bulk.counts_margins,
            "view": _slice if self.compiled else _rows_of(accessors(bulk.side, int)[0]),
            "other_of": _other_of,
            "set_meetings": _set_meetings if bulk.counts_meetings else _set_no_meetings,
        }
        for name, row, prefix in (
            ("standing", bulk.standing, ""),
            ("entered", bulk.standing, "own"),
            ("tally", self._tally, "tally"),
            ("value", bulk.value, ""),
            ("side", bulk.side, ""),
            ("facts", bulk.facts, ""),
            ("kept", self._kept, ""),
            ("known", bulk.known, ""),
        ):
            names[f"load_{name}"], names[f"store_{name}"] = accessors(row, whole, prefix)
        return names | _machine_names() if self.compiled else names


def _machine_names() -> dict[str, Any]:
    """How compiled code counts, and reaches memory."""
    from ratingbook.engine.history.lending import lent, prefetch

    return {"whole": np.int64, "place_of": np.uint64, "lent": lent, "prefetch": prefetch}


def _dispatch(functions: tuple[Callable[..., Any], ...]) -> Callable[..., Any]:
    """One function that calls the kernel of a number."""
    cases = "".join(
        f"    if number == {number}:\n        return kernel_{number}(entered, sides, p)\n"
        for number in range(1, len(functions))
    )
    source = (
        "def kernel_of(number, entered, sides, p):\n"
        f"{cases}    return kernel_0(entered, sides, p)\n"
    )
    names: dict[str, Any] = {f"kernel_{n}": function for n, function in enumerate(functions)}
    names["__name__"] = __name__
    exec(compile(source, "<rounds>", "exec"), names)
    made: Callable[..., Any] = names["kernel_of"]
    return made


def _empty_value(bulk: Bulk) -> Callable[..., Any]:
    """Stands for the value of a fold: never called, but it has the value's type."""
    source = "def value(entered, tally, p):\n    return row(" + _zeros(bulk.value) + ")\n"
    return _made(source, "value", bulk.value)


def _empty_side(bulk: Bulk) -> Callable[..., Any]:
    source = "def side(kept, entered, p):\n    return row(" + _zeros(bulk.side) + ")\n"
    return _made(source, "side", bulk.side)


def _zeros(row: type[Any]) -> str:
    return ", ".join(
        "False" if kind is np.bool_ else "0.0" if kind is np.float64 else "0"
        for kind in fields_of(row).values()
    )


def _made(source: str, name: str, row: Callable[..., Any]) -> Callable[..., Any]:
    names: dict[str, Any] = {"row": row, "__name__": __name__}
    exec(compile(source, f"<{name}>", "exec"), names)
    made: Callable[..., Any] = names[name]
    return made


def _first_only(facts: Any, turn: int, p: Any) -> int:
    return 0 if turn == 0 else -1


def _no_round(number: int, p: Any) -> Turns:
    return Turns(-1, 0, 0.0, False, False, False)


def _wants_nothing(value: Any) -> bool:
    return False


def _as_entered(entered: Any, value: Any) -> Any:
    return entered


def _as_known(bulk: Bulk) -> Callable[..., Any]:
    """Stands for an assumed standing where the edition assumes nothing."""
    source = "def assumed(known, rating, p):\n    return row(known, p)\n"
    return _made(source, "assumed", bulk.standing_of)


def _not_moved(side: Any, value: Any) -> Any:
    return side


def _no_number(standing: Any, p: Any) -> int:
    return 0


def _no_reform(standing: Any, p: Any) -> Any:
    return standing


def _never(standing: Any, p: Any) -> bool:
    return False


def _no_tally(entered: Any, p: Any) -> NoTally:
    return NoTally(0)


def _same_tally(tally: Any, entered: Any, side: Any, p: Any) -> Any:
    return tally


def _no_side_kept(sides: Any, index: int, entered: Any, left: Any, p: Any) -> bool:
    return False


def _nothing_kept(side: Any, start: int, entered: Any, left: Any, p: Any) -> NoneKept:
    return NoneKept(0)


def _never_lasts(kept: Any, day: int, p: Any) -> bool:
    return False


def _same_standing(standing: Any, kept: Any, day: int, p: Any) -> Any:
    return standing


def _slice(sides: Any, first: int, end: int) -> Any:
    return sides[first:end]


def _rows_of(load: Callable[..., Any]) -> Callable[..., Any]:
    """In plain Python kernels get NamedTuples, as they do when a report is rated."""

    def rows_of(sides: Any, first: int, end: int) -> list[Any]:
        return [load(sides, place) for place in range(first, end)]

    return rows_of


def _other_of(sides: Any, place: int) -> int:
    return int(sides[place]["other"])


def _set_meetings(sides: Any, place: int, meetings: int) -> None:
    sides[place]["meetings"] = meetings


def _set_no_meetings(sides: Any, place: int, meetings: int) -> None:
    del sides, place, meetings
