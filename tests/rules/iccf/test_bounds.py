"""Numbers that no list has (reading A32): one way in a report, a list, a history, and the next."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from ratingbook.engine.history import rate_history
from ratingbook.engine.rate import rate
from ratingbook.formats.document.read import report_from
from ratingbook.formats.document.write import write_document
from ratingbook.model import Report
from ratingbook.rules.iccf import iccf_2009
from ratingbook.rules.listing import Member

Json = dict[str, Any]
DAY = "2011-01-10"

CASES = [
    # A newcomer of the level 300 loses all: Rc − 677 / 2, and the least number of a list is 1.
    (None, 0, 339, 12, 1),  # 339 − 338.5 = .5, half up
    (None, 0, 338, 12, 1),  # −.5, half up 0
    (None, 0, 337, 12, 1),  # −1.5, half up −1
    (None, 0, 340, 12, 2),
    # Established: k = 20 · 1, 10 above; W_e = .5.
    (1, 100, 1, 1, 1),
    (11, 100, 11, 1, 1),
    (10, 100, 10, 1, 1),
    (12, 100, 12, 1, 2),
]


def document(rating: int | None, games: int, opponent: int, lost: int) -> Json:
    standing = {} if rating is None else {"standing": {"rating": rating, "games": games}}
    return {
        "ratingbook": "report/1",
        "event": {"start": DAY, "end": DAY, "level": 300},
        "players": [
            {"id": "A", **standing},
            {"id": "B", "standing": {"rating": opponent, "games": 100}},
        ],
        "games": [
            {"round": number, "white": "A", "black": "B", "result": "0-1"}
            for number in range(1, lost + 1)
        ],
    }


def next_report(report: Report) -> Report:
    """The report of the next period with what was made of this one, written and read again."""
    rated = rate(report, iccf_2009)
    assert not rated.findings.refused, [str(finding) for finding in rated.findings]
    entries = tuple(
        replace(entry, standing=row.standing, history=row.history)
        for entry, row in zip(report.entries, (each.row for each in rated.rows), strict=True)
    )
    written = write_document(replace(report, entries=entries)).files[""]
    return report_from(json.loads(written))


@pytest.mark.parametrize(("rating", "games", "opponent", "lost", "after"), CASES)
def test_a_computed_number_is_one_of_a_list(
    rating: int | None, games: int, opponent: int, lost: int, after: int
) -> None:
    report = report_from(document(rating, games, opponent, lost))
    found = rate(report, iccf_2009, explain=("A",)).rows[0]
    assert (found.row.after, found.row.standing.rating) == (after, after)
    assert found.row.status == ("provisional" if rating is None else "established")
    assert found.explanation[-1].value == after
    # The next period, and the list, take the number that was written.
    following = next_report(report)
    again = rate(following, iccf_2009)
    assert not again.findings.refused, [str(finding) for finding in again.findings]
    assert again.rows[0].row.before == after
    listing = iccf_2009.listing([Member(following.entries[0])], date(2011, 4, 1))
    assert [row["rating"] for row in listing.rows] == [after]


@pytest.mark.parametrize(("rating", "games", "opponent", "lost", "after"), CASES)
def test_a_history_has_the_same_numbers(
    rating: int | None, games: int, opponent: int, lost: int, after: int
) -> None:
    two_periods = [DAY] * lost + ["2011-04-10"]
    found = rate_history(
        pa.table(
            {
                "date": [date.fromisoformat(day) for day in two_periods],
                "event": ["E"] * len(two_periods),
                "white": ["A"] * len(two_periods),
                "black": ["B"] * len(two_periods),
                "score": [0.0] * len(two_periods),
            }
        ),
        iccf_2009,
        players=pa.table(
            {
                "id": ["A", "B"],
                "rating": pa.array([rating, opponent], pa.float64()),
                "games": [games, 100],
            }
        ),
        events=pa.table({"event": ["E"], "level": [300.0]}),
        compiled=False,
    ).changes.to_pylist()
    rows = [row for row in found if row["player"] == "A"]
    assert rows[0]["after"] == after
    assert rows[1]["before"] == after


def test_no_list_goes_beyond_4000_either() -> None:
    both = {"rating": 4000, "games": 100}
    report = report_from(
        {
            "ratingbook": "report/1",
            "event": {"start": DAY, "end": DAY},
            "players": [{"id": "A", "standing": both}, {"id": "B", "standing": both}],
            "games": [{"white": "A", "black": "B", "result": "1-0"}],
        }
    )
    # 4000 + 10 · .5.
    assert rate(report, iccf_2009).rows[0].row.after == 4000
    assert not rate(next_report(report), iccf_2009).findings.refused
