"""What is wrong with a history is told, with the first place and a count, and never a traceback."""

from __future__ import annotations

import random
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv as arrow_csv

from ratingbook.engine.history.intake import read_history
from ratingbook.model import Severity

DAY = date(2003, 1, 1)
FATAL, ERROR, WARNING, INFO = Severity.FATAL, Severity.ERROR, Severity.WARNING, Severity.INFO


def table(rows=3, **changed):
    columns = {
        "date": [DAY] * rows,
        "white": [f"w{n}" for n in range(rows)],
        "black": [f"b{n}" for n in range(rows)],
        "score": [1.0] * rows,
    }
    columns |= changed
    return pa.table({name: values for name, values in columns.items() if values is not None})


def findings_of(*arguments, **named):
    """The findings; there is no history where one of them refuses it."""
    history, findings = read_history(*arguments, **named)
    assert (history is None) == findings.refused
    return list(findings)


def only(*arguments, **named):
    (finding,) = findings_of(*arguments, **named)
    return finding


def only_error(games):
    (finding,) = (item for item in findings_of(games) if item.severity.refuses)
    return finding


def test_the_table_has_no_findings():
    assert findings_of(table()) == []


BAD_ROWS = [
    ("history.no-value", {"white": ["a", None, None]}, "2 rows have no white, the first in row 2."),
    ("history.no-value", {"black": ["a", "b", " "]}, "A row has no black: row 3."),
    ("history.no-value", {"black": [1, None, float("nan")]}, "2 rows have no black"),
    ("history.no-value", {"black": [None] * 3}, "3 rows have no black, the first in row 1."),
    ("history.no-value", {"date": [DAY, None, DAY]}, "A row has no date: row 2."),
    ("history.no-value", {"date": [None] * 3}, "3 rows have no date"),
    ("history.no-value", {"event": [None, 7, 7]}, "A row has no event: row 1."),
    (
        "history.score",
        {"score": [1, 2, -1]},
        "2 scores are none of 1, 0.5 and 0, the first in row 2 (2)",
    ),
    ("history.score", {"score": [1, 0.25, 0.5]}, "row 2 (0.25)"),
    ("history.score", {"score": [0, 1, float("inf")]}, "row 3 (inf)"),
    ("history.score", {"score": [0, 1, 1e30]}, "row 3 (1e+30)"),
    (
        "history.score",
        {"score": ["1-0", "+", "2"]},
        "2 scores are none of 1, 0.5 and 0, the first in row 2 (“+”).",
    ),
    (
        "history.date",
        {"date": ["2003-01-01", "2003-02-30", "x" * 99]},
        "2 values of date cannot be dates from 1500 to 2200, the first in row 2 (“2003-02-30”).",
    ),
    ("history.date", {"date": ["2003-01-01", "01.02.2003", "2003-01-01"]}, "row 2 (“01.02.2003”)"),
    ("history.date", {"date": ["2003-01-01", "2003-01-01nonsense", "2003-01-01"]}, "row 2"),
    ("history.date", {"date": [DAY, date(1499, 12, 31), date(2201, 1, 1)]}, "2 values of date"),
    (
        "history.date",
        {"date": pa.array([0, 2**62, -(2**62)], pa.timestamp("s"))},
        "2 values of date",
    ),
    ("history.date", {"start": [DAY, date(1, 1, 1), None]}, "A value of start cannot be a date"),
    (
        "history.round",
        {"round": [1, -1, 30001]},
        "2 rounds are no whole numbers from 0 to 30000, the first in row 2 (-1).",
    ),
    ("history.round", {"round": [1, 1.5, float("inf")]}, "2 rounds"),
    ("history.round", {"round": ["1", "1a", "99999999999"]}, "2 rounds"),
    (
        "history.round",
        {"round": pa.array([1, 2**64 - 1, None], pa.uint64())},
        "row 2 (18446744073709551615)",
    ),
    (
        "history.handicap",
        {"handicap": [10, 0, 9]},
        "A handicap is no whole number from 0 to 9: row 1 (10).",
    ),
    ("history.rated", {"rated": ["both", "perhaps", None]}, "row 2 (“perhaps”)"),
    ("history.rated", {"rated": [1, 2, None]}, "row 2 (2)"),
    (
        "history.margin",
        {"margin": [1, 30_001, 0.5]},
        "2 margins are no whole numbers from −30000 to 30000, the first in row 2 (30001.0).",
    ),
    ("history.margin", {"margin": ["1", "two", ""]}, "row 2 (“two”)"),
    ("history.neutral", {"neutral": [1, 2, None]}, "row 2 (2)"),
    ("history.neutral", {"neutral": ["yes", "white", None]}, "row 2 (“white”)"),
    (
        "history.start",
        {"start": [DAY, date(2003, 1, 2), None]},
        "A game started after its date: row 2.",
    ),
    (
        "history.same-player",
        {"black": ["b0", "w1", "w2"]},
        "2 games have the same player on both sides, the first in row 2.",
    ),
]


@pytest.mark.parametrize(("code", "changed", "says"), BAD_ROWS)
def test_bad_rows_are_told_once_with_the_first_and_a_count(code, changed, says):
    finding = only(table(**changed))
    assert (finding.code, finding.severity, finding.where.file) == (code, ERROR, "table of games")
    assert says in finding.message
    assert finding.remedy


def test_a_row_whose_date_is_wrong_does_not_start_after_it(tmp_path):
    path = tmp_path / "games.csv"
    rows = [",2014-01-05", "2014-99-01,2014-01-05", "2014-01-09,2014-99-01", "2014-01-09,"]
    path.write_text("date,start,white,black,score\n" + "".join(f"{row},a,b,1\n" for row in rows))
    found = {(item.code, item.where.line): item.message for item in findings_of(path)}
    assert found.keys() == {("history.no-value", 2), ("history.date", 3), ("history.date", 4)}
    assert found["history.no-value", 2].startswith("A row")
    assert found["history.date", 3].startswith("A value of date")
    path.write_text(path.read_text() + "2014-01-01,2014-01-05,a,b,1\n")
    assert ("history.start", 6) in {(item.code, item.where.line) for item in findings_of(path)}


def test_a_margin_of_the_other_winner_is_told():
    """A game without a margin may be won, by lot or after a draw; then nothing is told."""
    finding = only(table(score=[1, 0, 0.5], margin=[-3, 4, 0]))
    assert (finding.code, finding.severity) == ("history.margin-of-other", WARNING)
    assert "The margins and the scores of 2 games" in finding.message
    assert "row 3." in only(table(score=[1, 0, 0.5], margin=[3, -4, 1])).message
    assert not findings_of(table(score=[1, 0, 0.5], margin=[0, 0, None]))


def test_several_kinds_are_told_at_once():
    games = table(score=[7, 1, 1], date=[DAY, None, DAY], round=[1, 2, -3])
    assert {item.code for item in findings_of(games)} == {
        "history.score", "history.no-value", "history.round"
    }  # fmt: skip
    same = table(score=[7, 1, 1], black=["x", "y", "w2"])
    assert {item.code for item in findings_of(same)} == {"history.score", "history.same-player"}


def test_games_without_a_score_are_left_out_and_told(tmp_path):
    for scores in ([None, 1, float("nan"), 0], ["*", "1-0", "", "0-1"], [None, 1, None, 0]):
        # What is wrong with a game that was not played does not matter, and its players are none.
        games = table(4, score=pa.array(scores, from_pandas=False), date=[None, DAY, DAY, DAY])
        games = games.set_column(2, "black", pa.array(["w0", "b1", None, "b3"]))
        history, findings = read_history(games)
        (finding,) = findings
        assert history is not None
        assert (finding.code, finding.severity) == ("history.unfinished", WARNING)
        assert "2 games have no score; they are left out, the first in row 1." in finding.message
        assert history.players.to_pylist() == ["b1", "b3", "w1", "w3"]
        assert history.games.score.tolist() == [2, 0]
        assert len(history.games) == 2


def test_rows_count_from_the_file_also_behind_games_that_are_left_out():
    games = table(4, score=[None, 1, None, 1], round=[0, 1, 1, -1])
    assert only_error(games).message.endswith("row 4 (-1).")
    games = table(4, score=[None, 1, None, 1], black=["x", "y", "z", "w3"])
    assert only_error(games).message.endswith("row 4.")


def test_the_first_row_is_found_in_later_chunks_and_files(tmp_path, monkeypatch):
    monkeypatch.setattr("ratingbook.engine.history.intake.sources.CHUNK", 2)
    pq.write_table(table(9), tmp_path / "1.parquet", row_group_size=4)
    bad = table(9, score=[1] * 7 + [3, 1], black=[*"abcdefgh", "w8"])
    pq.write_table(bad, tmp_path / "2.parquet", row_group_size=4)
    told = {item.code: item for item in findings_of(tmp_path)}
    assert told["history.score"].message.endswith("row 8 (3).")
    assert told["history.same-player"].message.endswith("row 9.")
    assert {item.where.file for item in told.values()} == {str(tmp_path / "2.parquet")}


def test_a_line_of_a_csv_file_counts_header_and_empty_lines(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("\n\ndate,white,black,score\n2003-01-01,a,b,1\n\n2003-01-01,a,b,7\n")
    finding = only(path)
    assert finding.message == "A score is none of 1, 0.5 and 0: line 6 (“7”)."
    assert (finding.where.file, finding.where.line) == (str(path), 6)


@pytest.mark.parametrize("name", ["date", "white", "black", "score"])
def test_a_missing_column(name):
    finding = only(table(**{name: None}))
    assert (finding.code, finding.severity) == ("history.missing-column", FATAL)
    assert finding.message.startswith(f"There is no column {name}; the columns are ")


def test_a_column_that_stands_twice(tmp_path):
    games = table()
    twice = games.append_column("white", games["white"])
    assert only(twice).code == "history.repeated-column"
    assert "column white" in only(twice).message
    path = tmp_path / "games.csv"
    path.write_text("date,white,black,score,white\n2003-01-01,a,b,1,c\n")
    assert only(path).code == "history.repeated-column"
    unknown = games.append_column("x", games["white"]).append_column("x", games["white"])
    assert only(unknown).code == "history.unknown-column"
    frame = pd.DataFrame(
        [[DAY, "a", "b", 1, "a"]], columns=["date", "white", "black", "score", "white"]
    )
    assert only(frame).code in ("history.repeated-column", "history.unreadable")


def test_unknown_columns_are_named_once(tmp_path):
    games = table(opening=["C42"] * 3, Round=[1] * 3)
    for given in (games, [games]):
        finding = only(given)
        assert (finding.code, finding.severity) == ("history.unknown-column", WARNING)
        assert "opening, Round." in finding.message
    path = tmp_path / "games.csv"
    path.write_text("date,white,black,score,\n2003-01-01,a,b,1,\n")
    assert "(without a name)" in only(path).message


def test_files_with_different_columns():
    finding = only([table(), table(event=["x"] * 3)])
    assert (finding.code, finding.severity) == ("history.columns-differ", ERROR)
    assert "column event" in finding.message


def test_a_file_of_something_else_among_files_of_games_is_told_once():
    players = pa.table({"id": ["a"], "rating": [1500], "event": ["e"]})
    finding = only([table(event=["x"] * 3, round=[1] * 3, start=[DAY] * 3), players])
    assert (finding.code, finding.severity) == ("history.missing-column", FATAL)
    assert "no column date and no column white" in finding.message
    assert finding.remedy.startswith("Take the table of players out")


def test_the_first_line_of_a_text_is_cut(tmp_path):
    path = tmp_path / "readme.txt"
    path.write_text("These are the games of the club " + "since the beginning " * 40)
    (finding, *_) = findings_of(path)
    assert finding.code == "history.missing-column"
    assert len(finding.message) < 200


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"white": [1.5, 2, 3]}, "column white holds values of type double and should hold ids"),
        ({"white": [1e300, 2, 3]}, "ids: texts or whole numbers"),
        ({"white": [True] * 3}, "type bool"),
        ({"white": [DAY] * 3}, "type date32"),
        ({"white": [["a"]] * 3}, "type list"),
        ({"white": [{"a": 1}] * 3}, "type struct"),
        ({"white": pa.array([True] * 3).dictionary_encode()}, "type bool"),
        ({"white": [b"\xff\xfe"] * 3}, "type binary"),
        ({"date": [20030101] * 3}, "should hold dates"),
        ({"score": [True] * 3}, "should hold scores"),
        ({"score": [DAY] * 3}, "should hold scores"),
        ({"round": [True] * 3}, "should hold whole numbers from 0 to 30000"),
        ({"rated": [0.5] * 3}, "should hold true and false"),
        ({"date": [b"\xff"] * 3}, "should hold text in UTF-8"),
    ],
)
def test_a_column_of_a_wrong_type(changed, says):
    finding = only(table(**changed))
    assert (finding.code, finding.severity) == ("history.column-type", FATAL)
    assert says in finding.message


def test_a_wrong_type_does_not_hide_what_else_is_wrong():
    codes = [item.code for item in findings_of(table(date=[1, 2, 3], score=[1, 1, 9]))]
    assert codes == ["history.column-type", "history.score"]


def test_no_file(tmp_path):
    finding = only(tmp_path / "none.parquet")
    assert (finding.code, finding.severity) == ("history.no-file", FATAL)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"   \r\n", b"\xef\xbb\xbf"])
def test_an_empty_file(tmp_path, content):
    path = tmp_path / "games.csv"
    path.write_bytes(content)
    assert only(path).code == "history.empty"


@pytest.mark.parametrize("kind", ["parquet", "arrow", "csv", "memory"])
def test_a_table_without_rows(tmp_path, kind):
    games = table().slice(0, 0)
    path = tmp_path / "games"
    if kind == "parquet":
        pq.write_table(games, path)
    elif kind == "arrow":
        with pa.ipc.new_file(path, games.schema) as writer:
            writer.write_table(games)
    elif kind == "csv":
        path.write_text("date,white,black,score")
    finding = only(games if kind == "memory" else path)
    assert (finding.code, finding.severity) == ("history.empty", ERROR)


def test_a_folder_without_games(tmp_path):
    (tmp_path / "notes.md").write_text("x")
    assert only(tmp_path).code == "history.empty"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "a picture"),
        (b"PK\x03\x04" + bytes(100), "a spreadsheet"),
        (b"\x1f\x8b\x08" + bytes(100), "gzip"),
        (b"%PDF-1.7", "PDF"),
        (bytes(1000), "neither Parquet nor Arrow nor text"),
        (b"date,white\n\xff\x00\x01", "neither Parquet nor Arrow nor text"),
        (b"\xff\xfea\x00\x00\xd8", "neither Parquet nor Arrow nor text"),
    ],
)
def test_a_file_of_another_kind(tmp_path, content, says):
    path = tmp_path / "games.parquet"
    path.write_bytes(content)
    finding = only(path)
    assert (finding.code, finding.severity) == ("history.format", FATAL)
    assert says in finding.message


def test_the_end_of_a_file_is_missing(tmp_path):
    for name in ("games.parquet", "games.arrow"):
        path = tmp_path / name
        if name == "games.parquet":
            pq.write_table(table(), path)
        else:
            with pa.ipc.new_file(path, table().schema) as writer:
                writer.write_table(table())
        content = path.read_bytes()
        for size in (len(content) - 1, len(content) // 2, 8):
            path.write_bytes(content[:size])
            finding = only(path)
            assert (finding.code, finding.severity) == ("history.cut-off", FATAL)


def test_a_damaged_file(tmp_path):
    path = tmp_path / "games.parquet"
    path.write_bytes(b"PAR1" + bytes(100) + b"PAR1")
    assert only(path).code == "history.unreadable"
    path.write_bytes(b"\xff\xff\xff\xff" + bytes(100))
    assert only(path).code in ("history.unreadable", "history.format")


def test_a_row_with_too_many_values(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("date,white,black,score\n2003-01-01,a,b,1\n2003-01-01,a,b,1,5\n")
    finding = only(path)
    assert (finding.code, finding.severity, finding.where.line) == ("history.csv", FATAL, 3)
    assert "5 values below 4 names of columns" in finding.message


def test_a_long_row_is_told_by_its_first_80_letters(tmp_path):
    path = tmp_path / "games.csv"
    row = "2003-01-01," + ",".join(f"{number:04}" for number in range(40))
    path.write_text(f"date,white,black,score\n{row}\n")
    assert only(path).message.endswith(f": {row[:80]}.")


def test_a_file_that_is_not_utf_8(tmp_path):
    path = tmp_path / "games.csv"
    path.write_bytes(
        "date,white,black,score\n2003-01-01,a,b,1\n2003-01-01,Zoé,b,1\n".encode("cp1252")
    )
    finding = only(path)
    assert (finding.code, finding.severity, finding.where.line) == ("history.encoding", INFO, 3)
    path.write_bytes("date,white,black,score\n2003-01-01,Agnès,b,1\n".encode("cp1252"))
    finding = only(path)
    assert (finding.severity, finding.first) == (WARNING, True)
    assert "such as Agnès; it may also be cp1250" in finding.message
    path.write_bytes(b"date,white,black,score\n2003-01-01,a\x81\xe9,b,1\n")
    assert only(path).code == "history.encoding"


@pytest.mark.parametrize("place", [60_000, -1])
def test_a_byte_that_is_no_letter_anywhere_in_a_long_file(tmp_path, place):
    """More than is read at a time: the byte stands in one of the later parts only."""
    path = tmp_path / "games.csv"
    rows = [b"2003-01-01,\xe9ric,b,1\n"] * 100_000
    rows[place] = b"2003-01-01,a\x81,b,1\n"
    path.write_bytes(b"date,white,black,score\n" + b"".join(rows))
    history, _ = read_history(path)
    assert history is not None
    assert history.players.to_pylist() == ["a\x81", "b", "éric"]


def test_ids_that_are_numbers_here_and_texts_there():
    games = table(white=[2, 10, 2], black=[10, 3, 3])
    finding = only(games, players=pa.table({"id": ["10", "2"]}))
    assert (finding.code, finding.severity) == ("history.mixed-ids", INFO)
    history, _ = read_history(games, players=pa.table({"id": ["10", "2"]}))
    assert history is not None
    assert history.players.to_pylist() == ["10", "2", "3"]
    assert history.games.white.tolist() == [1, 0, 1]
    assert history.standings is not None
    assert history.standings["player"].to_pylist() == [0, 1]
    sections = table(section=[1, None, 2])
    assert findings_of(sections) == []


@pytest.mark.parametrize(
    ("role", "rows", "code", "says"),
    [
        (
            "players",
            {"id": ["w0", "w1", "w0"]},
            "history.repeated-player",
            "A row is about a player who stands above already: row 3.",
        ),
        (
            "events",
            {"event": ["x", "x", "x"]},
            "history.repeated-event",
            "2 rows are about events that stand above already, the first in row 2.",
        ),
        (
            "entries",
            {"event": ["x", "x"], "player": ["w0", "w0"]},
            "history.repeated-entry",
            "row 2",
        ),
        ("players", {"id": ["w0", None], "rating": [1, 2]}, "history.no-value", "row 2"),
        (
            "players",
            {"id": ["w0"], "rating": ["strong"]},
            "history.value",
            "A value of rating is not understood: row 1 (“strong”).",
        ),
        ("players", {"id": ["w0"], "rating": [1e10]}, "history.value", "rating"),
        ("players", {"id": ["w0"], "games": [-1]}, "history.value", "games"),
        ("players", {"id": ["w0"], "wins": [1.5]}, "history.value", "wins"),
        ("players", {"id": ["w0"], "adult": ["white"]}, "history.value", "adult"),
        ("players", {"id": ["w0"], "adult": ["maybe"]}, "history.value", "adult"),
        ("players", {"id": ["w0"], "status": ["strong"]}, "history.value", "status"),
        ("players", {"id": ["w0"], "sex": ["x"]}, "history.value", "sex"),
        (
            "players",
            {"id": ["w0"], "birth_date": ["1990"]},
            "history.date",
            "A value of birth_date cannot be a date",
        ),
        (
            "events",
            {"event": ["x"], "end": ["2003-13-01"]},
            "history.date",
            "A value of end cannot be a date",
        ),
        (
            "events",
            {"event": ["x"], "start": ["2003-01-02"], "end": ["2003-01-01"]},
            "history.event-dates",
            "An event ends before it starts: row 1.",
        ),
    ],
)
def test_bad_rows_of_the_other_tables(tmp_path, role, rows, code, says):
    games = table(event=["x"] * 3)
    finding = only(games, **{role: pa.table(rows)})
    assert (finding.code, finding.severity) == (code, ERROR)
    assert finding.where.file == f"table of {role}"
    assert says in finding.message
    path = tmp_path / "rows.csv"
    arrow_csv.write_csv(pa.table(rows), path)
    assert only(games, **{role: path}).code == code


@pytest.mark.parametrize(
    ("role", "rows", "code"),
    [
        ("players", {"rating": [1]}, "history.missing-column"),
        ("events", {"end": [DAY]}, "history.missing-column"),
        ("entries", {"event": ["x"]}, "history.missing-column"),
        ("players", {"id": ["w0"], "rating": [DAY]}, "history.column-type"),
        ("players", {"id": [1.5]}, "history.column-type"),
        ("players", {"id": ["w0"], "grade": [[1]]}, "history.column-type"),
        ("players", {"id": ["w0"], "birth_date": [1990]}, "history.column-type"),
    ],
)
def test_other_tables_of_a_wrong_shape(role, rows, code):
    finding = only(table(event=["x"] * 3), **{role: pa.table(rows)})
    assert (finding.code, finding.severity) == (code, FATAL)


def test_tables_of_somebody_else():
    games = table(event=["x"] * 3)
    for rows in ({"players": {"id": ["q"]}}, {"events": {"event": ["q"]}}):
        ((role, columns),) = rows.items()
        finding = only(games, **{role: pa.table(columns)})
        assert (finding.code, finding.severity) == ("history.no-match", WARNING)
        assert finding.where.file == f"table of {role}"


@pytest.mark.parametrize("role", ["events", "entries"])
def test_events_of_games_that_have_none(role):
    rows = pa.table({"event": ["x"], "player": ["w0"]} if role == "entries" else {"event": ["x"]})
    finding = only(table(), **{role: rows})
    assert (finding.code, finding.severity) == ("history.unused-file", WARNING)
    history, _ = read_history(table(), **{role: rows})
    assert history is not None
    assert getattr(history, role) is None
    assert len(history.event_ids) == 0


def test_other_tables_that_cannot_be_read(tmp_path):
    path = tmp_path / "players.parquet"
    path.write_bytes(b"PAR1")
    assert only(table(), players=path).code == "history.cut-off"
    path.write_text("id,rating\n")
    assert findings_of(table(), players=path) == []
    frame = pd.DataFrame({"id": ["a", 1, DAY]})
    assert only(table(), players=frame).code == "history.unreadable"


def test_a_table_that_its_library_cannot_export():
    frame = pl.DataFrame({"white": [object()]})
    assert only(frame).code in ("history.unreadable", "history.missing-column")


def damaged(content, chance):
    """``content`` cut, changed or lengthened somewhere."""
    content = bytearray(content)
    kind = chance.randrange(3)
    if kind == 0:
        return bytes(content[: chance.randrange(len(content))])
    for _ in range(chance.choice((1, 1, 3, 30))):
        content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content if kind == 1 else content + bytes(content[:50]))


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows", "csv"])
@pytest.mark.parametrize("ids", ["texts", "dictionary"])
def test_damaged_files_are_told_or_read_but_never_fail(tmp_path, kind, ids):
    path = tmp_path / "games"
    games = table(20, event=list(range(20)), rated=[True, None] * 10)
    if ids == "dictionary":
        games = games.set_column(1, "white", games["white"].dictionary_encode())
    if kind == "csv":
        arrow_csv.write_csv(games, path)
    elif kind == "parquet":
        pq.write_table(games, path, row_group_size=7)
    else:
        new = pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream
        with new(path, games.schema) as writer:
            writer.write_table(games, max_chunksize=7)
    content = path.read_bytes()
    chance = random.Random(1)
    for _ in range(150):
        path.write_bytes(damaged(content, chance))
        findings_of(path)


def test_random_tables_never_fail():
    chance = random.Random(2)
    kinds = [
        lambda n: [chance.choice(["a", "b", None, "", "7", "½", "2003-01-01"]) for _ in range(n)],
        lambda n: [chance.choice([1, 0, None, 2**40, -5]) for _ in range(n)],
        lambda n: [chance.choice([1.0, 0.5, None, float("nan"), float("inf")]) for _ in range(n)],
        lambda n: [chance.choice([DAY, None]) for _ in range(n)],
        lambda n: [chance.choice([True, None]) for _ in range(n)],
        lambda n: pa.array([chance.choice(["x", None]) for _ in range(n)]).dictionary_encode(),
        lambda n: pa.array(np.arange(n), pa.duration("s")),
    ]
    names = [
        "date",
        "white",
        "black",
        "score",
        "event",
        "round",
        "handicap",
        "rated",
        "start",
        "section",
        "margin",
        "neutral",
    ]
    for _ in range(400):
        n = chance.randrange(4)
        games = pa.table({name: chance.choice(kinds)(n) for name in names})
        rows = {
            name: chance.choice(kinds)(n)
            for name in ("id", "rating", "grade", "adult", "status", "birth_date", "games")
        }
        findings_of(games, players=pa.table(rows))


def test_a_table_says_of_dates_that_they_are_none_and_of_numbers_that_they_are_not_understood():
    for named in ({"birth_date": ["soon"]}, {"rating": ["abc"]}):
        (name,) = named
        found = only(table(), players=pa.table({"id": ["w0"], **named}))
        assert found.code == ("history.date" if name == "birth_date" else "history.value")


def test_a_letter_that_cp1252_lacks_is_found_wherever_it_stands(tmp_path):
    """Such a byte in the first of many blocks, and none in the last."""
    rows = [f"2003-01-{1 + n % 28:02},Zoé {n},Agnès{n % 7},1" for n in range(60_000)]
    rows[3] = "2003-01-04,Bj\x81rn,Agnès,1"
    path = tmp_path / "games.csv"
    path.write_bytes("\n".join(["date,white,black,score", *rows, ""]).encode("latin-1"))
    assert path.stat().st_size > 1 << 20
    history, _ = read_history(path)
    assert history is not None
    assert len(history.games.score) == len(rows)
    assert "Bj\x81rn" in history.players.to_pylist()


@pytest.mark.parametrize("column", ["name", "note", "rating", "birth_year"])
def test_files_of_a_table_may_have_a_column_in_two_types(tmp_path, column):
    folder = tmp_path / "players"
    folder.mkdir()
    for number, value in enumerate([[1950], ["1960"], pa.nulls(1)]):
        named = {"id": [f"w{number}"], column: value}
        pq.write_table(pa.table(named), folder / f"{number}.parquet")
    history, findings = read_history(table(), players=folder)
    assert history is not None, list(findings)
    assert not findings.refused
    if column == "rating":
        assert history.standings is not None
        assert history.standings["rating"].to_pylist() == [1950.0, 1960.0, None]
