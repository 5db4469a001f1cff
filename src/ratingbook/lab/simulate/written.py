"""A simulated history as tables that ``ratingbook history`` and ``lab compare`` read."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.lab.simulate.run import Simulated


def games_table(made: Simulated) -> pa.Table:
    """The games: ``date``, ``start``, ``event``, ``round``, ``white``, ``black``, ``score``."""
    games, given = made.history.games, made.history
    return pa.table(
        {
            "date": pa.array(games.day).cast(pa.date32()),
            "start": pa.array(games.start).cast(pa.date32()),
            "event": given.event_ids.take(pa.array(games.event)),
            "round": pa.array(games.round),
            "white": given.players.take(pa.array(games.white)),
            "black": given.players.take(pa.array(games.black)),
            "score": pa.array(games.score / 2),
        }
    )


def players_table(made: Simulated) -> pa.Table:
    """What the rule book was told of everybody before the first game."""
    said = made.history.standings
    assert said is not None
    ids = made.history.players.take(said["player"].combine_chunks())
    return said.set_column(0, "id", ids)


def strengths_table(made: Simulated) -> pa.Table:
    """At the end of each year: the true ``strength`` of everybody, and the published ``rating``."""
    parts = []
    for year in range(made.world.years + 1):
        meet = year * made.world.meets
        rating = made.ratings[meet]
        parts.append(
            pa.table(
                {
                    "year": pa.array([year] * len(rating), pa.int16()),
                    "player": made.history.players,
                    "strength": pa.array(made.strength(meet)),
                    "rating": pa.array(rating, from_pandas=True),
                    "games": pa.array(made.played[meet]),
                }
            )
        )
    return pa.concat_tables(parts)


def write(made: Simulated, folder: Path) -> None:
    """Write the scenario and the tables into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scenario.toml").write_text(made.world.text(), "utf-8", newline="\n")
    for name, table in (
        ("games", games_table(made)),
        ("players", players_table(made)),
        ("strengths", strengths_table(made)),
    ):
        pq.write_table(table, folder / f"{name}.parquet")
