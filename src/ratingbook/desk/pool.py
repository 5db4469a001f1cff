"""The folder that a history leaves: its facts, its rule book, its people and corrections.

``pool.json`` says what the ratings of the folder were made of, so that lists of any day,
corrections and explanations need nothing else.  It lies in the store of the run with the
ratings themselves: they change together, and what is read back is verified.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from ratingbook.desk.persons import persons_of, persons_text
from ratingbook.engine.columns import columns_beside
from ratingbook.engine.left import PERSONS, POOL, REGISTER, folder_of
from ratingbook.formats.columnar import open_columns
from ratingbook.formats.players import in_places
from ratingbook.model import Entry, Findings, Place, Refused, Severity, Standing
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries, pools_of
from ratingbook.rules.settings import ParameterError

if TYPE_CHECKING:
    from ratingbook.desk.facts import Facts
    from ratingbook.engine.history.api import History
    from ratingbook.engine.history.archive import Archived
    from ratingbook.engine.history.files import LeftBeside
    from ratingbook.engine.history.pooled import Rated
    from ratingbook.engine.store import Generation

CORRECTION_FIELDS = (
    "kind", "event", "section", "round", "date", "white", "black", "score", "player", "into",
    "reason",
)  # fmt: skip
_TABLES = ("games", "players", "events", "entries")
_VERSION = "pool/1"
_FACTS = "facts-"
"""How the tables begin that hold facts in a folder."""


class NoPool(Refused):
    """A folder that no history can be taken from; ``findings`` say why."""


@dataclass(frozen=True)
class Pool:
    """A history in its folder."""

    folder: Path
    book: BookOrSeries
    settings: Mapping[str, str]
    assume: float | None
    id_kind: str
    tables: Mapping[str, Any]
    """The facts: tables or paths."""
    corrections: tuple[Mapping[str, str], ...] = ()
    """The register: every correction since the reports came in."""
    persons: Mapping[str, Entry] | None = None

    @cached_property
    def given(self) -> History:
        """The facts as they came in; raises ``HistoryRefused``."""
        from ratingbook.engine.history.api import History

        beside: dict[str, Any] = {name: self.tables.get(name) for name in _TABLES[1:]}
        has_pools = pools_of(self.book) is not None
        return History.of(self.tables["games"], has_pools=has_pools, **beside)

    @cached_property
    def history(self) -> History:
        """The facts as corrections say; raises ``HistoryRefused``."""
        return self.with_corrections(self.corrections)

    def with_corrections(self, corrections: Sequence[Mapping[str, str]]) -> History:
        """The facts as these corrections say."""
        if not corrections:
            return self.given
        import pyarrow as pa

        rows = [
            {name: row.get(name, "") for name in CORRECTION_FIELDS}
            # What has no line of its own stands in the register, below its header.
            | ({"file": _in_words(row["file"]), "line": row["line"]} if "line" in row
               else {"file": REGISTER, "line": str(number)})
            for number, row in enumerate(corrections, 2)
        ]  # fmt: skip
        return self.given.corrected(pa.Table.from_pylist(rows), self._called)

    def person(self, player: str) -> Entry:
        """Who a player is."""
        return (self.persons or self._named).get(player, Entry(player))

    def _called(self, player: str) -> str:
        """How a finding calls a player: number and name."""
        name = self.person(player).name
        return player if name in ("", player) else f"{player} {name}"

    @cached_property
    def _named(self) -> Mapping[str, Entry]:
        """Who the players of tables are: what their players files say."""
        from ratingbook.desk.players import read_players_file

        table = self.tables.get("players")
        paths = [] if table is None else table if isinstance(table, list) else [table]
        entries = [entry for path in paths if isinstance(path, Path)
                   for entry in read_players_file(path, self.book)[0]]  # fmt: skip
        return {entry.id: replace(entry, standing=None) for entry in entries}

    def everybody(self) -> list[Entry]:
        """All players of the pool."""
        return [self.person(str(player)) for player in self.history.given.players.to_pylist()]

    def known_before(self) -> dict[str, Entry]:
        """What the players files, or first reports, say of everybody before the first game."""
        import pyarrow.parquet as pq

        table = self.tables.get("players")
        rows = pq.read_table(open_columns(table)).to_pylist() if _is_own(table) else []
        beside = columns_beside(self.book)
        found: dict[str, Entry] = {}
        for row in rows:
            rating, games = row.get("rating"), row.get("games")
            known = Standing(rating=rating, games=games or 0) if rating is not None else None
            pool = row.get("pool")
            if pool is not None and row["id"] in found:
                # A row for each other pool follows that of the usual one.
                others = {**found[row["id"]].pools, **({pool: known} if known else {})}
                found[row["id"]] = replace(found[row["id"]], pools=others)
                continue
            said = {name: row[name] for name in beside if row.get(name) is not None}
            entry = replace(
                self.person(row["id"]), grade=row.get("grade"), adult=row.get("adult"),
                standing=replace(known or Standing(), extra=said) if said else known,
            )  # fmt: skip
            found[row["id"]] = in_places(entry, beside)
        return found

    def rated(self, *, corrections: bool = False, progress: Any = None) -> Rated:
        """The history, rated, in all pools that it tells of."""
        from ratingbook.engine.history.pooled import rate_whole

        return rate_whole(
            self.history, self.book, assume=self.assume, corrections=corrections,
            progress=progress,
        )  # fmt: skip

    @cached_property
    def archived(self) -> Archived | None:
        """What the run has left to explain its changes by."""
        from ratingbook.engine.history.archive import archived_in
        from ratingbook.engine.history.folder import store_of

        return archived_in(store_of(self.folder), self.book, self.assume)


def pool_of(
    folder: Path,
    book: BookOrSeries,
    facts: Facts,
    *,
    settings: Mapping[str, str],
    assume: float | None,
) -> Pool:
    """A pool of facts that were gathered, not written yet."""
    return Pool(
        folder, book, settings, assume, facts.id_kind, facts.tables(), persons=facts.persons
    )


def left_beside(pool: Pool, *, copied: bool) -> LeftBeside:
    """What a run leaves beside its ratings: what they were made of.

    ``copied``: the facts themselves; else where they are.
    """
    made: dict[str, Any] = {}
    facts: dict[str, Any] = {}
    for name, table in pool.tables.items():
        if copied:
            facts[name] = f"{_FACTS}{name}"
            made[facts[name]] = table
        else:
            several = table if isinstance(table, list | tuple) else [table]
            facts[name] = [str(Path(path).resolve()) for path in several]
    if copied:
        made[PERSONS] = persons_text(pool.persons or {})
    if pool.corrections:
        made[REGISTER] = _register_text(pool.corrections)
    said = {
        "ratingbook": _VERSION,
        "rulebook": pool.book.name,
        "settings": dict(pool.settings),
        "assume": pool.assume,
        "id": pool.id_kind,
        "facts": facts,
    }
    made[POOL] = json.dumps(said, ensure_ascii=False, indent=1) + "\n"
    return made


def _register_text(rows: Sequence[Mapping[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, (*CORRECTION_FIELDS, "given", "file"), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: row.get(name, "") for name in writer.fieldnames} for row in rows)
    return text.getvalue()


def open_pool(path: Path) -> Pool:
    """The history of a folder; raises :class:`NoPool`."""
    from ratingbook.engine.history.folder import store_of
    from ratingbook.engine.store import Damaged

    folder = folder_of(path)
    findings = Findings()
    try:
        left = store_of(folder).current()
        if left is None or POOL not in left:
            raise ValueError("it does not say what it was made of")
        said = json.loads(left.text(POOL))
        if said.get("ratingbook") != _VERSION:
            raise ValueError(f"it is of {said.get('ratingbook')!r}, not of {_VERSION}")
        book = registry.load(said["rulebook"]).with_parameters(said["settings"])
        tables = {name: _placed(left, paths) for name, paths in said["facts"].items()}
        persons = persons_of(left.text(PERSONS)) if PERSONS in left else {}
        rows: tuple[Mapping[str, str], ...] = ()
        if REGISTER in left:
            rows = tuple(csv.DictReader(io.StringIO(left.text(REGISTER), newline="")))
        return Pool(
            folder, book, said["settings"], said["assume"], said["id"], tables, rows, persons
        )
    except (
        OSError, ValueError, KeyError, TypeError, AttributeError, ParameterError, Damaged,
        registry.UnknownRuleBook,
    ) as error:  # fmt: skip
        findings.add(
            Severity.FATAL, "history.folder", f"The folder of a history cannot be read: {error}.",
            Place(file=str(folder / POOL)), "Rate the history into the folder once more.",
        )  # fmt: skip
        raise NoPool(findings) from None


def _placed(left: Generation, facts: str | Sequence[str]) -> Path | list[Path]:
    """Where facts are; those inside the folder go by it, wherever it has been moved."""
    if isinstance(facts, str):
        return left.check(facts)
    found = [Path(path) for path in facts]
    return found[0] if len(found) == 1 else found


def _in_words(name: str) -> str:
    """The name of a file as a text; bytes that are none are shown by a mark."""
    return os.fsencode(name).decode(errors="replace")


def _is_own(table: Any) -> TypeGuard[Path]:
    """Whether facts lie in the folder, as those of reports do, rather than where they came from."""
    return isinstance(table, Path) and table.name.startswith(_FACTS)


def corrected_pool(
    pool: Pool, folder: Path, rows: Sequence[Mapping[str, str]], *, file: str, day: date
) -> Pool:
    """The pool with more corrections in its register, for another folder."""
    import pyarrow.parquet as pq

    told = [{**row, "given": day.isoformat(), "file": _in_words(file)} for row in rows]
    tables = {
        name: pq.read_table(open_columns(table)) if _is_own(table) else table
        for name, table in pool.tables.items()
    }
    return replace(pool, folder=folder, tables=tables, corrections=(*pool.corrections, *told))
