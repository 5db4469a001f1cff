"""What a column of a players file means is the same for all that read such a file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ratingbook as rb
from ratingbook.engine.history.keys import own_keys
from ratingbook.formats.document.schema import FIELDS
from ratingbook.rules import registry

GAMES = [("a", "b", 1), ("d", "c", 1), ("c", "a", 0.5), ("b", "d", 0.5)]
RATED = {"b": {"rating": 1800, "games": 60}, "c": {"rating": 1700, "games": 60}}
IECG = {"b": RATED["b"], "c": {"rating": 2300, "games": 60}}


@dataclass(frozen=True)
class Case:
    """The same said of two players in columns, and as the players of a report document."""

    rulebook: str
    columns: dict[str, dict[str, Any]]
    document: dict[str, dict[str, Any]]
    day: str = "2012-03-01"
    settings: dict[str, str] = field(default_factory=dict)
    pool: str | None = None
    rated: dict[str, dict[str, int]] = field(default_factory=lambda: RATED)


def decided(**said: Any) -> dict[str, Any]:
    return {"decisions": {**said, "reason": "x"}}


USCF = Case(
    "uscf-2011",
    {"a": {"fide": 2100}, "d": {"quick": 1500, "quick_games": 30}},
    {"a": {"foreign": {"fide": 2100}}, "d": {"pools": {"quick": {"rating": 1500, "games": 30}}}},
    pool="regular",
)
RAPID = Case(
    "fide", {"a": {"standard": 2100}, "b": {"standard": 2000}},
    {name: {"pools": {"standard": {"rating": rating}}} for name, rating in
     (("a", 2100), ("b", 2000))},
    day="2025-03-01", pool="rapid", rated={},
)  # fmt: skip
CASES = {
    "FIDE and quick": USCF,
    "CFC and an adult": Case(
        "uscf-2011", {"a": {"cfc": 2100}, "d": {"adult": True}},
        {"a": {"foreign": {"cfc": 2100}}, "d": {"adult": True}}, pool="regular",
    ),
    "regular, for a quick event": Case(
        "uscf-2011", {"a": {"regular": 2100, "regular_games": 40}, "d": {"fide": 1900}},
        {"a": {"pools": {"regular": {"rating": 2100, "games": 40}}},
         "d": {"foreign": {"fide": 1900}}}, pool="quick", rated={},
    ),
    "regular, for a regular event": Case(
        "uscf-2011", {"a": {"regular": 2100, "regular_games": 40}, "d": {"regular": 1900}},
        {"a": {"pools": {"regular": {"rating": 2100, "games": 40}}},
         "d": {"pools": {"regular": {"rating": 1900}}}}, pool="regular",
    ),
    "quick, in a system that was set": Case(
        "uscf-2011", {"a": {"quick": 2100, "quick_games": 40}},
        {"a": {"pools": {"quick": {"rating": 2100, "games": 40}}}}, settings={"pool": "regular"},
    ),
    "standard, for a rapid event": RAPID,
    "standard, in a list that was set": Case(
        "fide", RAPID.columns, RAPID.document, day="2025-03-01", settings={"pool": "rapid"},
        rated={},
    ),
    "standard, for a standard event": Case(
        "fide", RAPID.columns, RAPID.document, day="2025-03-01", pool="standard",
        rated={"c": RATED["c"]},
    ),
    "ICCF and FIDE": Case(
        "iecg-1999", {"a": {"iccf": 1580, "iccf_games": 30}, "d": {"fide": 2250, "fide_games": 8}},
        {"a": {"foreign": {"iccf": 1580, "iccf_games": 30}},
         "d": {"foreign": {"fide": 2250, "fide_games": 8}}}, day="2003-03-29", rated=IECG,
    ),
    "national and a tutor": Case(
        "iecg-1999", {"a": {"national": 1980, "national_games": 30}, "d": {"tutor_rating": 1500}},
        {"a": {"foreign": {"national": 1980, "national_games": 30}},
         "d": decided(tutor_rating=1500)}, day="2003-03-29", rated=IECG,
    ),
    "class M and a transfer": Case(
        "iecg-1999",
        {"a": {"class_m_winner": True},
         "d": {"rating": 2000, "games": 3, "transfer": "established"}},
        {"a": decided(class_m_winner=True),
         "d": {"standing": {"rating": 2000, "games": 3}, **decided(transfer="established")}},
        day="2003-03-29", rated=IECG,
    ),
}  # fmt: skip
READS = {
    "uscf-2011": {"fide", "cfc", "quick", "quick_games", "regular", "regular_games"},
    "iecg-1999": {"iccf", "iccf_games", "fide", "fide_games", "national", "national_games",
                  "tutor_rating", "transfer", "class_m_winner"},
    "fide": {"standard"},
}  # fmt: skip
"""What docs/files.md (“Ratings elsewhere”, “Decisions”) says beside the keys of a standing."""


class Files:
    def __init__(self, folder, case):
        self.folder, self.case = folder, case
        self.players = {
            "csv": self._csv(), "flat": self._flat(), "parquet": self._parquet(),
            "document": self._document(),
        }  # fmt: skip
        self.games = self._games()
        self.report = self._report()

    def _rows(self):
        said = self.case.columns
        return [{"id": name, **self.case.rated.get(name, {}), **said.get(name, {})}
                for name in ("a", "b", "c", "d")]  # fmt: skip

    def _csv(self):
        rows = self._rows()
        said = [name for row in rows for name in row]
        names = list(dict.fromkeys(["id", "rating", "games", *said]))
        cells = [",".join(str(row.get(name, "")).replace("True", "yes") for name in names)
                 for row in rows]  # fmt: skip
        path = self.folder / "p.csv"
        path.write_text("\n".join([",".join(names), *cells, ""]))
        return path

    def _flat(self):
        path = self.folder / "flat.json"
        path.write_text(json.dumps([{k: v for k, v in row.items() if v is not None}
                                    for row in self._rows()]))  # fmt: skip
        return path

    def _parquet(self):
        path = self.folder / "p.parquet"
        rows = self._rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        pq.write_table(pa.table({name: [row.get(name) for row in rows] for name in names}), path)
        return path

    def _document(self):
        rated = self.case.rated
        rows = [{"id": name, **({"standing": rated[name]} if name in rated else {}),
                 **self.case.document.get(name, {})} for name in ("a", "b", "c", "d")]  # fmt: skip
        path = self.folder / "players.json"
        path.write_text(json.dumps({"players": rows}))
        return path

    def _games(self):
        pool = self.case.pool
        path = self.folder / "g.csv"
        head = "date,event,white,black,score" + (",pool" if pool else "")
        rows = [f"{self.case.day},T,{white},{black},{score}" + (f",{pool}" if pool else "")
                for white, black, score in GAMES]  # fmt: skip
        path.write_text("\n".join([head, *rows, ""]))
        return path

    def _report(self):
        case, words = self.case, {1: "1-0", 0.5: "1/2-1/2"}
        event = {"name": "T", "start": case.day, "end": case.day}
        if case.pool:
            event["pool"] = case.pool
        path = self.folder / "r.json"
        path.write_text(json.dumps({
            "ratingbook": "report/1", "event": event,
            "players": [{"id": name} for name in ("a", "b", "c", "d")],
            "games": [{"white": white, "black": black, "result": words[score]}
                      for white, black, score in GAMES],
        }))  # fmt: skip
        return path

    def history(self, games, players, **more):
        case = self.case
        rated = rb.history(
            games, case.rulebook, players=self.players[players], settings=case.settings or None,
            progress=False, compiled=False, **more,
        )  # fmt: skip
        codes = {each.code for each in rated.findings}
        assert not codes & {"players.unknown-column", "history.unknown-column",
                            "report.unknown-key", "decision.no-reason"}  # fmt: skip
        return {
            (row.get("pool"), row["player"]): (row["rating"], row["games"], row["status"])
            for row in rated.ratings.to_pylist() if row.get("pool") in (None, case.pool)
        }  # fmt: skip

    def rate(self, players):
        case = self.case
        rated = rb.rate(
            self.report, case.rulebook, players=self.players[players], id="local",
            settings=case.settings or None,
        )  # fmt: skip
        codes = {each.code for each in rated.findings}
        assert not codes & {"players.unknown-column", "report.unknown-key", "decision.no-reason"}
        return {row["id"]: row["after"] for row in rated.players}


@pytest.fixture(params=CASES)
def files(request, tmp_path):
    return Files(tmp_path, CASES[request.param])


def test_a_history_of_games_of_reports_and_a_report_come_to_the_same(files):
    by_document = files.history(files.report, "document", id="local")
    assert {
        (road, players): numbers
        for road, games in (("games", files.games), ("report", files.report))
        for players in ("csv", "flat", "parquet", "document")
        if (numbers := files.history(games, players, id="local")) != by_document
    } == {}
    assert files.history(files.games, "csv") == by_document
    assert files.history(files.games, "parquet") == by_document
    one = files.rate("document")
    assert {each: files.rate(each) for each in ("csv", "flat", "parquet")} == dict.fromkeys(
        ("csv", "flat", "parquet"), one
    )
    assert one == {player: rating for (_, player), (rating, _, _) in by_document.items()}


@pytest.mark.parametrize("rulebook", READS)
def test_the_cases_have_all_that_a_rule_book_reads(rulebook):
    book = registry.load(rulebook)
    assert book.bulk is not None
    beside = {name for name in own_keys(book.bulk)
              if name not in FIELDS["player"] and name not in book.standing_fields}  # fmt: skip
    assert beside == READS[rulebook]
    cases = [case for case in CASES.values() if case.rulebook == rulebook]
    assert beside == {name for case in cases for row in case.columns.values() for name in row
                      if name not in ("rating", "games", "adult")}  # fmt: skip


def test_the_rows_of_pools_and_the_columns_of_others_are_the_same_to_all(tmp_path):
    """A rating that the row of another pool names is that of its own, unless that has one."""
    (tmp_path / "p.csv").write_text(
        "id,pool,rating,games,standard,reached_2400\n"
        "a,,2000,50,1234,\na,rapid,1900,40,,\nb,rapid,1950,40,2050,\nc,,,,2300,yes\nd,Standard,2100,60,,\n"
    )
    games = [("a", "b"), ("c", "d"), ("d", "a"), ("b", "c")]
    (tmp_path / "g.csv").write_text("date,event,white,black,score,pool\n" + "".join(
        f"2024-0{number}-1{place},{pool},{white},{black},1,{pool}\n"
        for number, pool in ((2, "standard"), (3, "rapid"))
        for place, (white, black) in enumerate(games)))  # fmt: skip
    told = [
        rb.history(
            tmp_path / "g.csv", "fide", players=tmp_path / "p.csv", id=kind, progress=False,
            compiled=False,
        ).ratings.to_pylist()
        for kind in (None, "local")
    ]  # fmt: skip
    rows = [sorted(each, key=lambda row: (row["pool"], row["player"])) for each in told]
    assert rows[0] == rows[1]
    assert {(row["pool"], row["player"]) for row in rows[0] if row["status"] == "established"} >= {
        ("standard", name) for name in "abcd"
    }


def test_a_what_if_reads_the_columns_too(tmp_path):
    """The estimate of a newcomer whom the players file knows elsewhere."""
    files = Files(tmp_path, CASES["ICCF and FIDE"])
    said = {
        name: rb.whatif(
            ["2300=1", "2300=0"], "iecg-1999", players=path, player="a", date="2003-03-29"
        )
        for name, path in files.players.items()
    }  # fmt: skip
    outcomes = {name: each["outcomes"] for name, each in said.items()}
    assert outcomes == dict.fromkeys(outcomes, outcomes["document"])
    unknown = rb.whatif(["2300=1", "2300=0"], "iecg-1999", date="2003-03-29")
    assert outcomes["document"] != unknown["outcomes"]
