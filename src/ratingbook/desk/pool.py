"""The folder that a history leaves: its facts, its rule book, its people and corrections.

``pool.json`` says what the ratings of the folder were made of, so that lists of any day,
corrections and explanations need nothing else.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ratingbook.desk.facts import Facts
from ratingbook.model import Entry, Findings, Place, Severity
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.settings import ParameterError

if TYPE_CHECKING:
    from ratingbook.engine.history.api import History, RatedHistory
    from ratingbook.engine.history.archive import Archived

MANIFEST = "pool.json"
CORRECTIONS = "corrections.csv"
CORRECTION_FIELDS = (
    "kind", "event", "section", "round", "date", "white", "black", "score", "player", "into",
    "reason",
)  # fmt: skip
_FACTS = "facts"
_TABLES = ("games", "players", "events", "entries")
_PERSON = ("name", "federation", "title", "sex", "birth_date", "birth_year")
_VERSION = "pool/1"


class NoPool(Exception):
    """A folder that no history can be taken from; ``findings`` say why."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        super().__init__("; ".join(each.message for each in findings))


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

        beside = {name: self.tables.get(name) for name in _TABLES[1:]}
        return History.of(self.tables["games"], **beside)

    @cached_property
    def history(self) -> History:
        """The facts as corrections say; raises ``HistoryRefused``."""
        return self.with_corrections(self.corrections)

    def with_corrections(self, corrections: Sequence[Mapping[str, str]]) -> History:
        """The facts as these corrections say."""
        if not corrections:
            return self.given
        import pyarrow as pa

        rows = [{name: row.get(name, "") for name in CORRECTION_FIELDS} for row in corrections]
        return self.given.corrected(pa.Table.from_pylist(rows))

    def person(self, player: str) -> Entry:
        """Who a player is."""
        return (self.persons or {}).get(player, Entry(player))

    def everybody(self) -> list[Entry]:
        """All players of the pool."""
        return [self.person(str(player)) for player in self.history.given.players.to_pylist()]

    def rated(self, *, corrections: bool = False, progress: Any = None) -> RatedHistory:
        """The history, rated."""
        from ratingbook.engine.history.api import rate_history

        return rate_history(
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


def is_pool(path: Path) -> bool:
    """Whether a path is a folder of a history, or the ratings in it."""
    return (folder_of(path) / MANIFEST).is_file()


def folder_of(path: Path) -> Path:
    """The folder of a history that is named by its ratings."""
    return path.parent if path.name == "ratings.parquet" else path


def save_pool(pool: Pool, *, copied: bool = True) -> None:
    """Write the facts beside the ratings; what was there before is replaced as a whole.

    ``copied``: the tables themselves; else where they are.
    """
    import pyarrow.parquet as pq

    folder = pool.folder
    folder.mkdir(parents=True, exist_ok=True)
    names: dict[str, Any] = {}
    if copied:
        beside = folder / f"{_FACTS}.new"
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir()
        for name, table in pool.tables.items():
            pq.write_table(table, beside / f"{name}.parquet")
            names[name] = f"{_FACTS}/{name}.parquet"
        _write_persons(beside / "persons.json", pool.persons or {})
        (folder / MANIFEST).unlink(missing_ok=True)
        shutil.rmtree(folder / _FACTS, ignore_errors=True)
        beside.rename(folder / _FACTS)
    else:
        shutil.rmtree(folder / _FACTS, ignore_errors=True)
        for name, paths in pool.tables.items():
            several = paths if isinstance(paths, list | tuple) else [paths]
            names[name] = [str(Path(path).resolve()) for path in several]
    _write_register(folder / CORRECTIONS, pool.corrections)
    manifest = {
        "ratingbook": _VERSION,
        "rulebook": pool.book.name,
        "settings": dict(pool.settings),
        "assume": pool.assume,
        "id": pool.id_kind,
        "facts": names,
    }
    beside_it = folder / f"{MANIFEST}.new"
    beside_it.write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", "utf-8")
    beside_it.replace(folder / MANIFEST)


def _write_persons(path: Path, persons: Mapping[str, Entry]) -> None:
    rows = [
        {"id": person}
        | {n: str(v) for n in _PERSON if (v := getattr(entry, n)) is not None and v != ""}
        | {"ids": dict(entry.ids)}
        for person, entry in sorted(persons.items())
    ]
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=0) + "\n", "utf-8")


def _read_persons(path: Path) -> dict[str, Entry]:
    if not path.is_file():
        return {}
    found = {}
    for row in json.loads(path.read_text("utf-8")):
        born, year = row.get("birth_date"), row.get("birth_year")
        found[row["id"]] = Entry(
            row["id"], row.get("name", ""), row.get("federation"), row.get("title"),
            row.get("sex"), date.fromisoformat(born) if born else None,
            int(year) if year else None, ids=row.get("ids", {}),
        )  # fmt: skip
    return found


def _write_register(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    if not rows:
        path.unlink(missing_ok=True)
        return
    text = io.StringIO()
    writer = csv.DictWriter(text, (*CORRECTION_FIELDS, "given", "file"), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: row.get(name, "") for name in writer.fieldnames} for row in rows)
    path.write_text(text.getvalue(), "utf-8")


def open_pool(path: Path) -> Pool:
    """The history of a folder; raises :class:`NoPool`."""
    folder = folder_of(path)
    findings = Findings()
    try:
        said = json.loads((folder / MANIFEST).read_text("utf-8"))
        if said.get("ratingbook") != _VERSION:
            raise ValueError(f"it is of {said.get('ratingbook')!r}, not of {_VERSION}")
        book = registry.load(said["rulebook"]).with_parameters(said["settings"])
        tables = {name: _placed(folder, paths) for name, paths in said["facts"].items()}
        persons = _read_persons(folder / _FACTS / "persons.json")
        register = folder / CORRECTIONS
        rows: tuple[Mapping[str, str], ...] = ()
        if register.is_file():
            with register.open(encoding="utf-8", newline="") as file:
                rows = tuple(csv.DictReader(file))
        return Pool(
            folder, book, said["settings"], said["assume"], said["id"], tables, rows, persons
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ParameterError) as error:
        what = str(error)
    except registry.UnknownRuleBook as error:
        what = str(error)
    findings.add(
        Severity.FATAL, "history.folder", f"The folder of a history cannot be read: {what}.",
        Place(file=str(folder / MANIFEST)), "Rate the history into the folder once more.",
    )  # fmt: skip
    raise NoPool(findings)


def _placed(folder: Path, paths: str | Sequence[str]) -> Path | list[Path]:
    """Paths of facts; those inside the folder go by it, wherever it has been moved."""
    if isinstance(paths, str):
        return folder / paths
    found = [Path(path) for path in paths]
    return found[0] if len(found) == 1 else found


def corrected_pool(
    pool: Pool, folder: Path, rows: Sequence[Mapping[str, str]], *, file: str, day: date
) -> Pool:
    """The pool with more corrections in its register, for another folder."""
    import pyarrow.parquet as pq

    told = [{**row, "given": day.isoformat(), "file": file} for row in rows]
    tables = {
        name: pq.read_table(table) if isinstance(table, Path) else table
        for name, table in pool.tables.items()
    }
    return replace(pool, folder=folder, tables=tables, corrections=(*pool.corrections, *told))
