"""CSV that is read in pieces side by side says what it says as a whole."""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ratingbook.engine.history.intake import csv_file, read_history

HEAD = "date,white,black,score,event"
NAMES = ["a", " b", "007", "7", '"d, e"', '"f ""g"""', "Müller", ""]
ROWS = st.builds(
    "2003-01-{:02},{},{},{},{}".format,
    st.integers(1, 28), st.sampled_from(NAMES), st.sampled_from(NAMES),
    st.sampled_from(["1", "0.5", "0", "", "*", "7"]), st.sampled_from(["x", "y", '"z"']),
)  # fmt: skip
BAD = st.sampled_from(["2003-01-01,a,b,1", "2003-01-01,a,b,1,x,1"])


def told(path: Path) -> tuple[Any, ...]:
    found, findings = read_history(path)
    games: dict[str, Any] = {}
    if found is not None:
        columns = vars(found.games).items()
        games = {name: values.tolist() for name, values in columns if values is not None}
        games |= {"players": found.players.to_pylist(), "events": found.event_ids.to_pylist()}
        games["left out"] = found.left_out.tolist()
    # What was found before a row that cannot be read is told as far as pieces were taken in; what
    # is told first is what was found in the first piece.
    bad = [each for each in findings if each.code == "history.csv"]
    return games, bad or sorted(findings, key=lambda each: each.message)


@given(
    rows=st.lists(st.one_of(ROWS, ROWS, ROWS, st.just("")), min_size=1, max_size=30),
    bad=st.one_of(st.none(), st.tuples(st.integers(0, 30), BAD)),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    closed=st.booleans(),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]),
    block=st.integers(len(HEAD) + 2, 200),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_pieces_say_what_the_whole_says(
    tmp_path: Path,
    rows: list[str],
    bad: tuple[int, str] | None,
    end: str,
    closed: bool,
    encoding: str,
    block: int,
):
    if bad is not None:
        rows.insert(*bad)
    path = tmp_path / "games.csv"
    path.write_bytes((end.join([HEAD, *rows]) + end * closed).encode(encoding))
    whole = told(path)
    with pytest.MonkeyPatch.context() as patch:
        # As many bytes as hold the names of the columns in any encoding.
        patch.setattr(csv_file, "_BLOCK", block)
        assert told(path) == whole
    if bad is not None:
        (wrong,) = whole[1]
        assert wrong.where.line == rows.index(bad[1]) + 2


QUOTED = st.sampled_from(["a", '"b"', 'c"', '"d', '"e""', '"f ""g"""', '"'])
TWO_IN_ONE = ['2003-01-01,a,c",1,"d', "2003-01-01,a,a,1,a"]
"""A quote that opens nothing, and one that is not closed: their number is even."""
LINES = st.lists(st.builds("2003-01-01,{},{},1,{}".format, QUOTED, QUOTED, QUOTED), min_size=1)


@given(
    lines=LINES, closed=st.booleans(), block=st.integers(len(HEAD) + 2, 200),
    end=st.sampled_from(["\n", "\r\n", "\r"]), encoding=st.sampled_from(["utf-8", "utf-16"]),
)  # fmt: skip
@example(lines=TWO_IN_ONE, closed=False, block=30, end="\n", encoding="utf-8")
@example(lines=TWO_IN_ONE, closed=False, block=200, end="\n", encoding="utf-8")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_line_ends_within_quotes_unnoticed(
    tmp_path: Path, lines: list[str], closed: bool, block: int, end: str, encoding: str
):
    """As Python's own reader counts the lines of its rows."""
    path = tmp_path / "games.csv"
    path.write_bytes((end.join([HEAD, *lines]) + end * closed).encode(encoding))
    with path.open(encoding=encoding, newline="") as file:
        rows = csv.reader(file)
        ends = [0, *(rows.line_num for _ in rows)]
    swallowed = any(after - before > 1 for before, after in pairwise(ends))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_file, "_BLOCK", block)
        _, findings = read_history(path)
    assert ("history.open-quote" in [each.code for each in findings]) == swallowed
