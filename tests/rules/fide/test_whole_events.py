"""What an event as a whole says, in a report and in a history: 5d, 6g, 8c.

The worked examples of the editions, whose numbers are by hand or from the handbook, as columns.
"""

from __future__ import annotations

from datetime import date
from itertools import permutations
from typing import Any

import pyarrow as pa
import pytest

from ratingbook.engine.history import rate_history
from ratingbook.rules import registry
from ratingbook.rules.text import Example

GAMES = pa.schema(
    [
        ("event", pa.string()),
        ("date", pa.date32()),
        ("start", pa.date32()),
        ("white", pa.string()),
        ("black", pa.string()),
        ("round", pa.int32()),
        ("score", pa.float64()),
        ("reported", pa.date32()),
        ("status", pa.string()),
    ]
)
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
WHOLE = (
    "Unrated players in a round robin",
    "A match that is decided",
    "A report that comes too late",
    "An event of more than 30 days",
)
CASES = [
    (name, example)
    for name in registry.names()
    if name.startswith("fide-")
    for example in registry.edition(name).text.examples
    if example.title in WHOLE
]


def day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def as_history(example: Example) -> tuple[pa.Table, pa.Table, pa.Table]:
    """The games, players and events of an example."""
    document: Any = example.document
    event = document["event"]
    games = [
        {
            "event": "e",
            "date": day(game.get("end") or event["end"]),
            "start": day(event["start"]),
            "white": game["white"],
            "black": game["black"],
            "round": game.get("round", 0),
            "score": SCORES[game["result"]],
            "reported": day(game.get("reported")),
            "status": game.get("status"),
        }
        for game in document["games"]
    ]
    standings = [player.get("standing", {}) for player in document["players"]]
    players = pa.table(
        {
            "id": [player["id"] for player in document["players"]],
            "rating": pa.array([each.get("rating") for each in standings], pa.float64()),
            "games": pa.array([each.get("games") for each in standings], pa.int32()),
        }
    )
    events = pa.table(
        {
            "event": ["e"],
            "kind": pa.array([event.get("kind")], pa.string()),
            "rounds": pa.array([event.get("rounds")], pa.int32()),
            "end": [day(event["end"])],
        }
    )
    return pa.Table.from_pylist(games, GAMES), players, events


def rated(name: str, example: Example, *, compiled: bool) -> dict[str, Any]:
    """The ratings after the history, by player."""
    games, players, events = as_history(example)
    done = rate_history(
        games, registry.edition(name), players=players, events=events, compiled=compiled
    )
    return dict(
        zip(done.ratings["player"].to_pylist(), done.ratings["rating"].to_pylist(), strict=True)
    )


@pytest.mark.parametrize(("name", "example"), CASES, ids=[f"{n}: {e.title}" for n, e in CASES])
def test_a_history_gives_the_numbers_of_the_example(name: str, example: Example) -> None:
    found = rated(name, example, compiled=False)
    for player, expected in example.expected.items():
        assert found[player] == expected


def test_every_rule_of_whole_events_has_an_example() -> None:
    assert {example.title for _, example in CASES} == set(WHOLE)


def test_a_forfeit_is_not_rated_but_counts_for_its_match() -> None:
    # 2½ points of four games decide a match; the forfeit makes them after three games.
    games = [
        {"event": "e", "date": date(2015, 5, 2 + n), "start": date(2015, 5, 2), "white": "A",
         "black": "B", "round": n, "score": score, "reported": None, "status": status}
        for n, (score, status) in enumerate(
            [(1.0, "forfeit"), (1.0, None), (0.5, None), (0.0, None)]
        )
    ]  # fmt: skip
    done = rate_history(
        pa.Table.from_pylist(games, GAMES),
        registry.edition("fide-2014"),
        players=pa.table({"id": ["A", "B"], "rating": [2000.0, 2000.0], "games": [50, 50]}),
        events=pa.table({"event": ["e"], "kind": ["match"], "rounds": [4]}),
        compiled=False,
    )
    # Two games are rated, 1½ points: 20 × (1½ − 1).
    assert [(row["games"], row["after"]) for row in done.changes.to_pylist()] == [
        (2, 2010.0),
        (2, 1990.0),
    ]


@pytest.mark.parametrize("sections", [[""] * 4, ["b", "b", "a", "a"]], ids=["rounds", "sections"])
def test_a_match_is_decided_in_the_order_of_its_rounds_however_its_games_stand(
    sections: list[str],
) -> None:
    # By rounds 1, 1, ½, 0: decided after the third game, of which 2½ points are rated.
    # With the stage a before b it is ½, 0, 1, 1: 2½ points only with the last game.
    after = 2020 if sections[0] == sections[2] else 2010
    rows = [
        {"event": "e", "date": date(2015, 5, 9), "start": date(2015, 5, 2), "white": "A",
         "black": "B", "section": section, "round": number, "score": score}
        for section, number, score in zip(sections, (1, 2, 3, 4), (1.0, 1.0, 0.5, 0.0), strict=True)
    ]  # fmt: skip
    other = {**rows[0], "event": "f", "white": "C", "black": "D", "score": 0.5}
    for order in list(permutations(rows))[::6]:
        done = rate_history(
            pa.Table.from_pylist([*order[:2], other, *order[2:]]),
            registry.edition("fide-2014"),
            players=pa.table({"id": list("ABCD"), "rating": [2000.0] * 4, "games": [50] * 4}),
            events=pa.table({"event": ["e"], "kind": ["match"], "rounds": [4]}),
            compiled=False,
        )
        assert done.ratings["rating"].to_pylist() == [after, 4000 - after, 2000, 2000], order
