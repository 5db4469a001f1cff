"""The loops of one rule book: its record types, and its functions linked into them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ratingbook.engine.beside import can_work_beside
from ratingbook.engine.bindings import bulk_of, made, names_of
from ratingbook.engine.declared import functions_in, looked_at, results_of
from ratingbook.engine.history.records import (
    accessors,
    parted_accessors,
    reader,
    record_type,
    record_types,
)
from ratingbook.engine.link import Linker, can_keep, fingerprint, folder_of, has_compiled
from ratingbook.engine.loops import batches, tables
from ratingbook.rules.book import RatedBy
from ratingbook.rules.bulk import NO_NUMBER, Bulk, Nothing
from ratingbook.rules.series import BookOrSeries, Series

COMPILED_FROM = 20_000
"""Games from which compiling is worth its start."""


_LOOPS: tuple[Callable[..., Any], ...] = (
    tables.first_standings,
    batches.rate_batches,
    tables.reform_all,
    tables.tell_others,
    tables.final_table,
)


@dataclass(frozen=True, slots=True)
class Needs:
    """What of a history the loops have to look at: what they need not is not compiled."""

    events: bool = False
    """Whether rules look at all games of some event together."""
    status: bool = False
    """Whether the games say how they came to their results."""
    named: bool = False
    """Whether games name ratings in force themselves."""
    substitutes: bool = False
    """Whether somebody sits at the board in place of another: a game then has up to four halves."""
    decisions: bool = False
    """Whether the office decided something for players."""
    predictions: bool = False
    """Whether somebody asks what was expected of each game."""
    plain: bool = False
    """Whether all events have the numbers of the edition, so that none need be read of them."""

    @property
    def halves(self) -> int:
        """The most halves of a game."""
        return 4 if self.substitutes else 2


NO_NEEDS = Needs()


@dataclass(frozen=True)
class Program:
    """The linked loops of a rule book, compiled or in plain Python."""

    book: BookOrSeries
    compiled: bool
    needs: Needs = NO_NEEDS

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process, or into a file: what it is made of, as it links itself."""
        return {"book": self.book, "compiled": self.compiled, "needs": self.needs}

    def fitted(self, needs: Needs) -> Program:
        """The program for histories of such needs."""
        if needs == self.needs:
            return self
        if needs not in self._fitted:
            self._fitted[needs] = replace(self, needs=needs)
        return self._fitted[needs]

    @cached_property
    def plain(self) -> Program:
        """The same loops in plain Python."""
        return replace(self, compiled=False)

    def with_numbers(self, book: BookOrSeries) -> Program:
        """The program for the same edition with other numbers: nothing is linked again."""
        made = replace(self, book=book)
        made.__dict__["_linker"] = self._linker
        return made

    @cached_property
    def _fitted(self) -> dict[Needs, Program]:
        """Those that were asked for: each is linked, and its code loaded, once."""
        return {}

    @cached_property
    def rules(self) -> str:
        """A hash over the functions of the rules, which asking again need not make again."""
        return rules_key(self.book)

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

    @property
    def work(self) -> np.dtype[np.void]:
        """What a player has while a batch is worked on."""
        return self._working[0]

    @property
    def aside(self) -> np.dtype[np.void]:
        """What few players need of that."""
        return self._working[1]

    @cached_property
    def _working(self) -> tuple[np.dtype[np.void], np.dtype[np.void]]:
        """Two records: what every side of a sum reads and changes fits into few cache lines."""
        numbers = ["sides", "first", "end", "until", "grade", "met"]
        numbers += ["reached"] if self._remembers else []
        # What those have whose round is no sum, and what few sides of the others change.
        return record_types(
            {f"tally_{name}" for name in self._rare}
            | {f"own_{name}" for name in self._unread}.union(numbers),
            own=self.bulk.standing,
            tally=self._tally,
            folds=np.bool_,
            **dict.fromkeys(numbers, np.int32),
        )

    @cached_property
    def decided(self) -> np.dtype[np.void]:
        """What the office decided for a player, and the batch in which it was used."""
        return record_type(_=self.bulk.decisions, used=np.int64)

    @property
    def _remembers(self) -> bool:
        """Whether a number that a game names is remembered."""
        return self.needs.named and self.bulk.remembers is not None

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

    @cached_property
    def shared_with_events(self) -> frozenset[str]:
        """The parameters that events carry; none where they are others in the course of time."""
        if len(self.book.stages()) > 1:
            return frozenset()
        return frozenset(self.bulk.facts._fields) & frozenset(self.book.parameters._fields)

    @property
    def _known_facts(self) -> dict[str, Any]:
        """The facts that are the same of all events, so that nothing is asked about them."""
        rules, calendar = self.bulk.event_rules, self.bulk.calendar
        nothing = rules.finds if rules and not self.needs.events else ()
        defaults = self.bulk.facts._field_defaults
        of_reports = calendar.of_reports if calendar else ()
        return dict.fromkeys(nothing, 0) | {name: defaults[name] for name in of_reports}

    @property
    def _tally(self) -> type[Any]:
        return self.bulk.fold.tally if self.bulk.fold else Nothing

    @property
    def _rare(self) -> frozenset[str]:
        return self.bulk.fold.rare if self.bulk.fold else frozenset()

    @property
    def _unread(self) -> frozenset[str]:
        return self.bulk.fold.unread if self.bulk.fold else frozenset()

    @property
    def _kept(self) -> type[Any]:
        return self.bulk.keeping.kept if self.bulk.keeping else Nothing

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
    def tell_others(self) -> Callable[..., None]:
        """See :func:`.tables.tell_others`."""
        return self._linker.link(tables.tell_others)

    @cached_property
    def others(self) -> np.dtype[np.void]:
        """What a player is told of other pools."""
        return record_type(_=self._others)

    @property
    def _others(self) -> type[Any]:
        return self.bulk.pools.others if self.bulk.pools else Nothing

    @cached_property
    def final_table(self) -> Callable[..., None]:
        """See :func:`.tables.final_table`."""
        return self._linker.link(tables.final_table)

    @cached_property
    def key(self) -> str:
        """A hash over all code that the loops reach, compiled or not: equal ones, equal bits."""
        return fingerprint(_LOOPS, Program(self.book, compiled=False)._names)

    @cached_property
    def code_folder(self) -> Path:
        """Where the compiled code is kept."""
        # Numba knows of `_replace` from here on, and the cache of how it is compiled.
        from ratingbook.engine.history.replacing import replaced, replaced_type
        from ratingbook.engine.lending import MADE_BY

        return folder_of(fingerprint((*_LOOPS, replaced, replaced_type, *MADE_BY), self._names))

    @property
    def was_compiled(self) -> bool:
        """Whether any loop of this kind was compiled before, for whatever columns."""
        return has_compiled(self.code_folder)

    @property
    def can_compile_beside(self) -> bool:
        """Whether another process can compile the loops, and leave them for this one."""
        return self.compiled and can_work_beside() and can_keep(self.code_folder)

    @property
    def lock(self) -> Path:
        """What whoever compiles beside others holds."""
        folder = self.code_folder
        return folder.with_name(f"{folder.name}.lock")

    @cached_property
    def _linker(self) -> Linker:
        if self.compiled:
            return Linker(self._names, self.code_folder, results_of(self.bulk))
        return Linker(looked_at(self._names, self.bulk), None)

    @cached_property
    def _names(self) -> dict[str, Any]:
        """What the names of the loops stand for."""
        bulk = self.bulk
        whole = np.int64 if self.compiled else int
        names = names_of(bulk, each_game=self.book.rated_by is RatedBy.GAME)
        names |= {
            "HAS_EVENT_RULES": self.needs.events,
            "HAS_STATUS": self.needs.status,
            "HAS_PREDICTED": self.needs.predictions and bulk.predicted is not None,
            "HAS_NAMED": self.needs.named,
            "HAS_SUBSTITUTES": self.needs.substitutes,
            "HAS_MEMORY": self._remembers,
            "view": _rows_of(accessors(bulk.side, int)[0]),
            "other_of": _other_of,
            "set_meetings": _set_meetings if bulk.counts_meetings else _set_no_meetings,
        }
        for name, row, prefix in (
            ("standing", bulk.standing, ""),
            ("value", bulk.value, ""),
            ("side", bulk.side, ""),
            ("kept", self._kept, ""),
            ("known", bulk.known, ""),
            ("decided", bulk.decisions, ""),
            ("others", self._others, ""),
        ):
            names[f"load_{name}"], names[f"store_{name}"] = accessors(row, whole, prefix)
        names["load_entered"], names["store_entered"] = parted_accessors(
            bulk.standing, whole, "own", self._unread
        )
        names["load_tally"], names["store_tally"] = parted_accessors(
            self._tally, whole, "tally", self._rare, rare=True
        )
        shared = self.shared_with_events if self.needs.plain else frozenset[str]()
        names["load_facts"] = reader(bulk.facts, whole, shared, self._known_facts)
        names |= {"decided_for": names["load_decided"], "HAS_DECISIONS": self.needs.decisions}
        names |= _decisions(bulk, lasting=self.book.rated_by is RatedBy.SECTION)
        return names | _machine_names() if self.compiled else names


def _machine_names() -> dict[str, Any]:
    """How compiled code counts, and reaches memory."""
    from ratingbook.engine.lending import prefetch, slice_of, sure

    return {
        "whole": np.int64,
        "code_of": np.int64,
        "place_of": np.uint64,
        "prefetch": prefetch,
        "sure": sure,
        "view": slice_of,
    }


def _decisions(bulk: Bulk, *, lasting: bool) -> dict[str, Any]:
    """How decisions are asked for, used and forgotten.

    Those that last for all of a report do so for the sections of an event.
    """
    fields = bulk.decisions._fields
    stays = bulk.lasting if lasting else frozenset[str]()
    some = " or ".join(f"record[{name!r}] == record[{name!r}]" for name in fields)
    used = [f"    record[{name!r}] = NONE\n" for name in fields if name not in stays]
    gone = [f"        record[{name!r}] = NONE\n" for name in fields]
    sources = {
        "is_decided": f"(decided, player):\n    record = decided[player]\n    return {some}\n",
        "use_up": "(decided, player, batch):\n    record = decided[player]\n"
        f"    record['used'] = {'batch + 1' if stays else 0}\n{''.join(used)}",
        "forget_decided": "(decided, player, batch, wholes):\n    record = decided[player]\n"
        "    before = record['used']\n"
        "    if before > 0 and wholes[before - 1] != wholes[batch]:\n"
        f"        record['used'] = 0\n{''.join(gone)}",
    }
    return {
        name: made(f"def {name}{source}", {"NONE": NO_NUMBER}) for name, source in sources.items()
    }


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


def rules_key(book: BookOrSeries) -> str:
    """A hash over all functions of a rule book, also those of its calendar."""
    editions = book.editions if isinstance(book, Series) else (book,)
    found = [function for edition in editions for function in functions_in(edition.bulk)]
    return fingerprint(found, {})
