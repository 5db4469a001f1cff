"""Every format, every kind of id and every library's table give the same history."""

from __future__ import annotations

import io
import subprocess
import sys
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from pyarrow import csv as arrow_csv

from ratingbook.engine.history.intake import arrow_reader, read_history, sources, table_of
from ratingbook.engine.history.intake.rows import rows_of
from ratingbook.engine.loops.arrays import NO_MARGIN
from ratingbook.rules.bulk import NOT_GIVEN

FIRST = date(2003, 1, 1)
WHITE, BLACK = [10, 2, 30, 2], [2, 30, 10, 10]
SCORES = [1.0, 0.5, 0.0, 0.5]
EVENTS, ROUNDS = [7, 7, 9, 9], [1, 2, 1, 2]
DATES = [FIRST + timedelta(days=n) for n in range(4)]


def table(**changed):
    columns = {
        "date": pa.array(DATES),
        "white": pa.array(WHITE, pa.int32()),
        "black": pa.array(BLACK, pa.int32()),
        "score": pa.array(SCORES),
        "event": pa.array(EVENTS, pa.int32()),
        "round": pa.array(ROUNDS, pa.int16()),
    }
    columns |= changed
    return pa.table({name: values for name, values in columns.items() if values is not None})


def read(*arguments, **named):
    history, findings = read_history(*arguments, **named)
    assert [item for item in findings if item.severity.refuses] == []
    return history


def as_lists(history):
    games = {
        name: None if values is None else values.tolist()
        for name, values in vars(history.games).items()
    }
    ids = [history.players, history.event_ids, history.section_ids]
    tables = [
        None if one is None else one.to_pydict()
        for one in (history.standings, history.events, history.entries)
    ]
    return games, [(str(one.type), one.to_pylist()) for one in ids], tables


def expected(kind=None):
    if kind == "text":
        return (["10", "2", "30"], "string"), [0, 1, 2, 1], [1, 2, 0, 0]
    return ([2, 10, 30], "int64"), [1, 0, 2, 0], [0, 2, 1, 1]


def check(history, kind=None):
    (ids, id_type), white, black = expected(kind)
    games = history.games
    assert history.players.to_pylist() == ids
    assert str(history.players.type) == id_type
    assert games.white.tolist() == white
    assert games.black.tolist() == black
    assert games.score.tolist() == [2, 1, 0, 1]
    assert [date(1970, 1, 1) + timedelta(days=day) for day in games.day.tolist()] == DATES
    if games.event is not None:
        assert games.event.tolist() == [0, 0, 1, 1]
        assert games.round.tolist() == ROUNDS
    kinds = {name: values.dtype for name, values in vars(games).items() if values is not None}
    assert kinds.items() <= {
        "day": np.int32, "white": np.int32, "black": np.int32, "score": np.int8,
        "event": np.int32, "round": np.int16, "start": np.int32, "section": np.int32,
        "handicap": np.int8, "rated": np.uint8, "margin": np.int16, "neutral": np.uint8,
    }.items()  # fmt: skip


def write(folder, kind, games):
    path = folder / f"games.{kind}"
    if kind == "parquet":
        pq.write_table(games, path, row_group_size=3)
    elif kind == "arrow":
        with pa.ipc.new_file(path, games.schema) as writer:
            writer.write_table(games, max_chunksize=3)
    elif kind == "arrows":
        with pa.ipc.new_stream(path, games.schema) as writer:
            writer.write_table(games, max_chunksize=3)
    else:
        arrow_csv.write_csv(games, path)
    return path


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows", "csv"])
def test_every_format_gives_the_same_history(tmp_path, kind):
    check(read(write(tmp_path, kind, table())))


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows", "csv"])
def test_the_first_bytes_tell_the_format_not_the_name(tmp_path, kind):
    path = write(tmp_path, kind, table()).rename(tmp_path / "games.data")
    check(read(str(path)))


NUMBERS = [
    pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(),
    pa.uint64(), pa.float32(), pa.float64(), pa.decimal128(20, 0),
    pa.dictionary(pa.int8(), pa.int64()), pa.dictionary(pa.int32(), pa.float64()),
]  # fmt: skip
TEXTS = [
    pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(),
    pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.uint16(), pa.large_string()),
]  # fmt: skip


def ids_as(values, kind):
    if pa.types.is_dictionary(kind):
        return ids_as(values, kind.value_type).dictionary_encode().cast(kind)
    if kind in TEXTS:
        return pa.array([str(value) for value in values]).cast(kind)
    return pa.array(values).cast(kind)


@pytest.mark.parametrize("kind", [*NUMBERS, *TEXTS], ids=str)
@pytest.mark.parametrize("spread", [1, 100], ids=["narrow", "wide"])
def test_every_kind_of_id_gives_the_same_history(kind, spread, monkeypatch):
    if spread > 1:
        # Ids that lie too far apart for a table.
        monkeypatch.setattr("ratingbook.engine.history.intake.ids._SMALL_RANGE", 1)
        monkeypatch.setattr("ratingbook.engine.history.intake.ids._SPARSENESS", 1)
    history = read(table(white=ids_as(WHITE, kind), black=ids_as(BLACK, kind)))
    check(history, "text" if kind in TEXTS else None)


@pytest.mark.parametrize("offset", [-(2**31), -5, 0, 2**31, 10**12, 2**62])
@pytest.mark.parametrize("spread", [1, 10**6])
def test_whole_numbers_of_64_bits(offset, spread):
    white, black = ([offset + spread * n for n in side] for side in (WHITE, BLACK))
    history = read(table(white=pa.array(white, pa.int64()), black=pa.array(black, pa.int64())))
    assert history.players.to_pylist() == [offset + spread * n for n in (2, 10, 30)]
    assert history.games.white.tolist() == [1, 0, 2, 0]
    assert history.games.black.tolist() == [0, 2, 1, 1]


def test_ids_that_leave_32_bits_in_a_later_chunk():
    parts = [
        table(white=pa.array([n + 5 * 10**9 * n for n in side]), black=pa.array(BLACK, pa.int64()))
        for side in (WHITE, [3, 3, 3, 3])
    ]
    history = read([table(), *parts])
    ids = sorted({*WHITE, *(n + 5 * 10**9 * n for n in [*WHITE, 3])})
    assert history.players.to_pylist() == ids
    assert [ids[code] for code in history.games.white.tolist()] == [
        *WHITE, *(n + 5 * 10**9 * n for n in [*WHITE, 3, 3, 3, 3])
    ]  # fmt: skip


def test_whole_numbers_too_large_for_64_bits_are_texts(tmp_path):
    huge = 2**63 + 5
    in_memory = read(table(white=pa.array([huge] * 4, pa.uint64())))
    assert in_memory.players.to_pylist() == ["10", "2", "30", str(huge)]
    path = tmp_path / "games.csv"
    path.write_text(f"date,white,black,score\n2003-01-01,{10**30},2,1\n")
    assert read(path).players.to_pylist() == [str(10**30), "2"]


def test_texts_ascend_by_code_point():
    names = ["Zoë", "a", "é", "Z", "😀", "ﬀ"]
    games = table(
        date=pa.array([FIRST] * 3),
        white=pa.array(names[:3]),
        black=pa.array(names[3:]),
        score=pa.array([1, 1, 1]),
        event=None,
        round=None,
    )
    history = read(games)
    assert history.players.to_pylist() == sorted(names)


def test_leading_zeros_of_a_csv_file_stay(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("date,white,black,score\n2003-01-01,007,7,1\n")
    assert read(path).players.to_pylist() == ["007", "7"]


def test_values_of_a_dictionary_that_no_game_has_are_no_players():
    side = pa.DictionaryArray.from_arrays(pa.array([1, 1]), pa.array(["x", "a", "y"]))
    other = pa.DictionaryArray.from_arrays(pa.array([2, 0]), pa.array(["b", "never", "c"]))
    games = pa.table({"date": [FIRST] * 2, "white": side, "black": other, "score": [1, 0]})
    history = read(games)
    assert history.players.to_pylist() == ["a", "b", "c"]
    assert history.games.black.tolist() == [2, 1]


def test_chunks_with_a_common_dictionary_and_with_their_own():
    side = pa.array(["b", "a", "b", "a"]).dictionary_encode()
    shared = table(white=pa.chunked_array([side.slice(0, 2), side.slice(2)]))
    own = pa.chunked_array(
        [pa.array(["b", "a"]).dictionary_encode(), pa.array(["b", "a"]).dictionary_encode()]
    )
    for games in (shared, table(white=own)):
        history = read(games.set_column(2, "black", pa.array(["z"] * 4)))
        assert history.players.to_pylist() == ["a", "b", "z"]
        assert history.games.white.tolist() == [1, 0, 1, 0]


LIBRARIES = {
    "pyarrow": lambda games: games,
    "reader": lambda games: games.to_reader(max_chunksize=3),
    "batch": lambda games: games.to_batches()[0],
    "polars": pl.from_arrow,
    "pandas": lambda games: games.to_pandas(),
    "pandas, odd index": lambda games: games.to_pandas().set_index(pd.Index(["x", "y", "z", "u"])),
    "sliced": lambda games: pa.concat_tables([games, games]).slice(4),
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "kind", [pa.int32(), pa.string(), pa.dictionary(pa.int32(), pa.string())], ids=str
)
def test_every_library_gives_the_same_history(library, kind):
    games = table(white=ids_as(WHITE, kind), black=ids_as(BLACK, kind))
    history, findings = read_history(LIBRARIES[library](games))
    assert len(findings) == 0
    check(history, None if kind == pa.int32() else "text")


def test_polars_categories_and_dates_of_pandas():
    frame = pl.DataFrame(table()).with_columns(
        pl.col("white", "black").cast(pl.String).cast(pl.Categorical)
    )
    check(read(frame), "text")
    frame = table().to_pandas()
    frame["date"] = pd.to_datetime(frame["date"])
    check(read(frame))
    frame["white"] = frame["white"].astype("string")
    frame["black"] = frame["black"].astype("category")
    assert read(frame).players.to_pylist() == ["10", "2", "30"]


def test_several_files_are_one_history_with_common_ids(tmp_path):
    first, second = table().slice(0, 2), table().slice(2)
    pq.write_table(first, tmp_path / "b.parquet")
    check(read([tmp_path / "b.parquet", second]))
    path = write(tmp_path, "csv", second)
    check(read([tmp_path / "b.parquet", path]))
    check(read((first, second)))


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path):
    folder = tmp_path / "games"
    (folder / "_temporary").mkdir(parents=True)
    pq.write_table(table().slice(0, 1), folder / "part-0.parquet")
    pq.write_table(table().slice(1, 1), folder / "part-1.parquet")
    arrow_csv.write_csv(table().slice(2), folder / "part-2.csv")
    for name in ("_SUCCESS", ".part-0.parquet.crc", "readme.md", "_temporary/part-3.parquet"):
        (folder / name).write_text("no games")
    history = read(folder)
    check(history)
    assert history.sources == tuple(
        str(folder / f"part-{n}.{end}") for n, end in enumerate(("parquet", "parquet", "csv"))
    )


def test_folders_may_hold_a_column_in_their_names(tmp_path):
    for event in (7, 9):
        folder = tmp_path / f"event={event}"
        folder.mkdir()
        part = table().filter(pc.equal(table()["event"], event)).drop_columns(["event"])
        pq.write_table(part, folder / "part.parquet")
    history = read(tmp_path)
    check(history)
    assert history.event_ids.to_pylist() == ["7", "9"]


def test_rows_of_a_parquet_file_come_in_many_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "CHUNK", 2)
    rows = 25
    games = pa.concat_tables([table()] * rows)
    path = tmp_path / "games.parquet"
    pq.write_table(games, path, row_group_size=7)
    history = read(path)
    assert history.games.white.tolist() == [1, 0, 2, 0] * rows
    texts = games.set_column(1, "white", games["white"].cast(pa.string()))
    texts = texts.set_column(2, "black", games["black"].cast(pa.string()))
    pq.write_table(texts, path, row_group_size=7)
    history = read(path)
    assert history.games.white.tolist() == [0, 1, 2, 1] * rows


@pytest.mark.parametrize(
    "dates",
    [
        pa.array(DATES, pa.date64()),
        pa.array([datetime(day.year, day.month, day.day, 23, 59) for day in DATES]),
        *(pa.array(DATES).cast(pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")),
        pa.array([day.isoformat() for day in DATES]),
        pa.array([f" {day.isoformat()}T18:30:00Z" for day in DATES]),
        pa.array([f"{day:%Y%m%d}" for day in DATES]),
        pa.array([day.isoformat() for day in DATES]).dictionary_encode(),
        pa.array(DATES).dictionary_encode(),
        # Midnight in Paris is still the day before in UTC.
        pa.array(
            [datetime(d.year, d.month, d.day, tzinfo=timezone(timedelta(hours=1))) for d in DATES],
            pa.timestamp("us", "Europe/Paris"),
        ),
    ],
    ids=lambda array: f"{array.type} {array[0]}",
)
def test_every_kind_of_date(dates):
    check(read(table(date=dates)))


@pytest.mark.parametrize("kind", [pa.string(), pa.date32()], ids=str)
def test_the_day_0_is_a_day_like_any_other(kind):
    """Days count from 1970-01-01; its 0 is not what stands for no day."""
    days = pa.array([date(1969, 12, 31), date(1970, 1, 1), date(1970, 1, 2)]).cast(kind)
    games = pa.table({"date": days, "white": [1] * 3, "black": [2] * 3, "score": [1] * 3})
    assert read(games).games.day.tolist() == [-1, 0, 1]


def test_dates_before_1970():
    times = pa.array([datetime(1960, 5, 4, 1), datetime(1500, 1, 1)])
    games = pa.table({"date": times, "white": [1, 1], "black": [2, 2], "score": [1, 1]})
    days = [(day - date(1970, 1, 1)).days for day in (date(1960, 5, 4), date(1500, 1, 1))]
    assert read(games).games.day.tolist() == days


@pytest.mark.parametrize(
    "scores",
    [
        *(pa.array([1, 0.5, 0, 0.5]).cast(kind) for kind in (pa.float32(), pa.float16())),
        pa.array([Decimal(1), Decimal("0.5"), Decimal(0), Decimal("0.5")]),
        pa.array([1, 0.5, 0, 0.5]).dictionary_encode(),
        pa.array(["1", "0.5", "0", "1/2"]),
        pa.array(["1-0", "1/2-1/2", "0-1", "½"]),
        pa.array([" 1 - 0", "½-½", "0.0", "0,5"]),
        pa.array(["1.0", ".5", "0", "½"]).dictionary_encode(),
    ],
    ids=lambda array: f"{array.type} {array[0]}",
)
def test_every_way_to_write_a_score(scores):
    check(read(table(score=scores)))


def test_whole_scores():
    assert read(table(score=pa.array([1, 0, 0, 1]))).games.score.tolist() == [2, 0, 0, 2]


@pytest.mark.parametrize(
    ("rated", "bits"),
    [
        ([True, False, None, True], [7, 4, 3, 7]),
        (["both", "none", "white", "BLACK"], [7, 4, 5, 6]),
        (["true", "no", None, ""], [7, 4, 3, 3]),
        ([1, 0, None, 1], [7, 4, 3, 7]),
        (pa.nulls(4), [3, 3, 3, 3]),
    ],
    ids=str,
)
def test_rated_sides_and_whether_the_row_says_them(rated, bits):
    assert read(table(rated=rated)).games.rated.tolist() == bits


@pytest.mark.parametrize(
    "numbers",
    [
        [0, 9, None, 2],
        ["0", "9", None, "2"],
        ["", "9.0", None, " 2"],
        [0.0, 9.0, float("nan"), 2.0],
    ],
    ids=str,
)
def test_small_whole_numbers(numbers):
    games = read(table(handicap=numbers, round=numbers)).games
    assert games.handicap.tolist() == [0, 9, 0, 2]
    assert games.round.tolist() == [0, 9, 0, 2]


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.dictionary(pa.int32(), pa.string())], ids=["text", "dictionary"]
)
def test_what_a_row_does_not_say_is_not_what_the_first_row_says(kind):
    texts = pa.array(["7", None, "3", None]).cast(kind)
    rated = pa.array(["none", None, "white", None]).cast(kind)
    neutral = pa.array(["yes", None, "no", None]).cast(kind)
    games = read(
        table(
            score=[1, 1, 1, 0], handicap=texts, round=texts, margin=texts,
            rated=rated, neutral=neutral,
        )
    ).games  # fmt: skip
    assert games.handicap.tolist() == games.round.tolist() == [7, 0, 3, 0]
    assert games.margin.tolist() == [7, NO_MARGIN, 3, NO_MARGIN]
    assert games.rated.tolist() == [4, 3, 5, 3]
    assert games.neutral.tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize(
    "margins",
    [[14, 0, None, -3], [14.0, 0.0, float("nan"), -3.0], ["14", "+0", "", "-3"]],
    ids=["whole", "float", "text"],
)
def test_margins_are_those_of_white(margins):
    games = read(table(margin=margins)).games
    assert games.margin.tolist() == [14, 0, NO_MARGIN, -3]


@pytest.mark.parametrize(
    "grounds",
    [[True, False, None, True], [1, 0, None, 1], ["yes", "no", "", "TRUE"]],
    ids=["flags", "numbers", "words"],
)
def test_ground_is_neutral_where_the_row_says_so(grounds):
    assert read(table(neutral=grounds)).games.neutral.tolist() == [1, 0, 0, 1]


def test_a_game_without_a_start_started_on_its_date():
    games = read(table(start=[FIRST, None, FIRST, None])).games
    assert (games.day - games.start).tolist() == [0, 0, 2, 0]


def test_columns_that_the_file_lacks_are_none():
    games = read(table(event=None, round=None)).games
    assert [name for name, values in vars(games).items() if values is None] == [
        "start", "event", "section", "round", "handicap", "rated", "margin", "neutral",
        "status", "reported", "white_rating", "black_rating", "white_for", "black_for",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "named",
    [[1700, None, 1800.5, None], ["1700", "", "1800.5", None]],
    ids=["numbers", "texts"],
)
def test_games_name_ratings_or_none(named):
    games = read(table(white_rating=named, black_rating=pa.nulls(4))).games
    assert games.white_rating.tolist() == [1700, NOT_GIVEN, 1800.5, NOT_GIVEN]
    assert games.black_rating.tolist() == [NOT_GIVEN] * 4


@pytest.mark.parametrize("kind", ["table", "csv", "parquet"])
@pytest.mark.parametrize("ids", [str, int], ids=["texts", "numbers"])
def test_substitutes_name_whom_they_replace_or_nobody(tmp_path, ids, kind):
    stand_in = 77
    columns = {
        "white": pa.array([ids(each) for each in WHITE]),
        "black": pa.array([ids(each) for each in BLACK]),
        "white_for": pa.array([None, ids(stand_in), None, None]),
        "black_for": pa.nulls(4),
    }
    given = table(**columns)
    history = read(given if kind == "table" else write(tmp_path, kind, given))
    names = [str(each) for each in history.players.to_pylist()]
    assert sorted(names) == sorted({str(each) for each in [*WHITE, *BLACK, stand_in]})
    assert history.games.white_for.tolist() == [-1, names.index(str(stand_in)), -1, -1]
    assert history.games.black_for.tolist() == [-1, -1, -1, -1]


def test_nobody_is_replaced_by_who_sits_at_the_board():
    _, findings = read_history(table(white_for=pa.array([BLACK[0], None, None, None], pa.int32())))
    assert [(item.code, item.message) for item in findings if item.severity.refuses] == [
        (
            "history.substitute",
            "In a game a substitute replaces one of the two at the board: row 1.",
        )
    ]


def test_sections_may_have_no_name(tmp_path):
    for sections in (["B", None, "A", ""], pa.array(["B", None, "A", ""]).dictionary_encode()):
        history = read(table(section=sections))
        assert history.section_ids.to_pylist() == ["", "A", "B"]
        assert history.games.section.tolist() == [2, 0, 1, 0]
    history = read(table(section=[2, None, 1, None]))
    assert history.section_ids.to_pylist() == ["", "1", "2"]
    assert history.games.section.tolist() == [2, 0, 1, 0]
    history = read(write(tmp_path, "csv", table(section=[2, None, 1, None])))
    assert history.games.section.tolist() == [2, 0, 1, 0]


PLAYERS = {
    "id": [30, 99, 2],
    "rating": [1700.5, None, 1500],
    "games": [12, None, 3],
    "status": ["provisional", "unrated", None],
    "birth_date": [date(1990, 2, 3), None, None],
    "adult": [True, None, False],
    "grade": ["3k", None, "1d"],
    "name": ["Ann", "Bob", "Zoë"],
    "sex": ["w", "m", None],
}


def test_players_events_and_entries(tmp_path):
    events = pa.table(
        {
            "event": [9, 7],
            "end": [DATES[3], DATES[1]],
            "start": [DATES[2], None],
            "class": ["B", "A"],
            "level": [2200, None],
            "pool": ["x", None],
        }
    )
    entries = pa.table({"event": [7, 9], "player": [2, 2], "grade": ["4k", "3k"]})
    players = pa.table(PLAYERS)
    history = read(table(), players=players, events=events, entries=entries)
    assert history.players.to_pylist() == [2, 10, 30, 99]
    assert history.standings.to_pydict() == {
        "player": [2, 3, 0],
        **{name: PLAYERS[name] for name in history.standings.column_names[1:]},
    }
    assert set(history.standings.column_names) - {"player"} == PLAYERS.keys() - {"id"}
    types = {field.name: str(field.type) for field in history.standings.schema}
    assert types == {
        "player": "int32", "rating": "double", "games": "int32", "birth_date": "date32[day]",
        "adult": "bool", **dict.fromkeys(("status", "grade", "name", "sex"), "large_string"),
    }  # fmt: skip
    assert history.events.to_pydict() == {
        "event": [1, 0], "start": [DATES[2], None], "end": [DATES[3], DATES[1]],
        "class": ["B", "A"], "level": [2200, None], "pool": ["x", None],
    }  # fmt: skip
    assert history.entries.to_pydict() == {"event": [0, 1], "player": [0, 0], "grade": ["4k", "3k"]}
    paths = {}
    for name, rows in (("players", players), ("events", events), ("entries", entries)):
        (tmp_path / name).mkdir()
        paths[name] = write(tmp_path / name, "csv", rows)
    assert as_lists(read(write(tmp_path, "csv", table()), **paths)) == as_lists(history)
    assert as_lists(read(table(), **paths)) == as_lists(history)
    assert history.sources == (
        "table of games",
        "table of players",
        "table of events",
        "table of entries",
    )


def test_a_players_file_in_several_pieces(tmp_path):
    pq.write_table(pa.table({"id": ["b"], "rating": [1700]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"id": ["a"], "games": [3]}), tmp_path / "2.parquet")
    games = table(white=["a"] * 4, black=["b"] * 4)
    assert read(games, players=tmp_path).standings.to_pydict() == {
        "player": [1, 0], "rating": [1700, None], "games": [None, 3]
    }  # fmt: skip


def test_a_column_of_numbers_here_and_of_texts_there_is_one_of_texts(tmp_path):
    """What only some rule books read has no type of its own."""
    peaks = {"b": pa.array([1700]), "a": pa.array(["1650?"]), "c": pa.nulls(1)}
    for number, (player, peak) in enumerate(peaks.items()):
        pq.write_table(pa.table({"id": [player], "peak": peak}), tmp_path / f"{number}.parquet")
    games = table(white=["a"] * 4, black=["b"] * 4)
    standings = read(games, players=tmp_path).standings.to_pydict()
    assert standings["peak"][:2] == ["1700", "1650?"]


@pytest.mark.parametrize("pools", [None, ["rapid", "rapid", "blitz", "blitz"]])
@pytest.mark.parametrize("has_pools", [False, True])
def test_time_controls_are_of_use_only_where_nothing_else_tells_the_pool(pools, has_pools):
    """Not beside a column of pools, nor where the edition has no pools."""
    of_pools = {} if pools is None else {"pool": pools}
    controls = {"time_control": ["15+10", "15+10", "90+30", "90+30"]}
    both = as_lists(read(table(**of_pools, **controls), has_pools=has_pools))
    without = as_lists(read(table(**of_pools), has_pools=has_pools))
    assert (both == without) == (pools is not None or not has_pools)


def test_players_with_an_id_only():
    assert read(table(), players=pa.table({"id": [2, 5]})).standings.to_pydict() == {
        "player": [0, 1]
    }


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_csv_of_every_kind(tmp_path, separator, end, encoding):
    lines = ["", "date,white, black ,score", '2003-01-01,"Zoë",b,1', "", "2003-01-02, b,Zoë ,½"]
    path = tmp_path / "games.csv"
    path.write_bytes((end.join(lines) + end).replace(",", separator).encode(encoding))
    history, findings = read_history(path)
    assert [item.code for item in findings] == (
        ["history.encoding"] if encoding == "cp1252" else []
    )
    assert history is not None
    assert history.players.to_pylist() == ["Zoë", "b"]
    assert history.games.white.tolist() == [0, 1]
    assert history.games.score.tolist() == [2, 1]


def test_words_of_csv_that_mean_nothing_elsewhere_are_ids(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("date,white,black,score\n2003-01-01,NA,null,1\n2003-01-01,NaN,NULL,1\n")
    assert read(path).players.to_pylist() == ["NA", "NULL", "NaN", "null"]


def test_arrow_interface():
    assert table_of(pl.from_arrow(table())).num_rows == 4
    assert arrow_reader(table().to_batches()[0]).read_all() == table()
    with pytest.raises(TypeError, match="neither a path nor a table"):
        arrow_reader({"white": [1]})  # type: ignore[arg-type]  # what is refused
    with pytest.raises(TypeError, match="neither a path nor a table"):
        read_history(io.BytesIO())  # type: ignore[arg-type]  # what is refused


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_reading_a_file_loads_neither_pandas_nor_numba(tmp_path, kind):
    path = write(tmp_path, kind, table(section=["A", None, "A", "B"]))
    players = write(tmp_path, "arrow", pa.table(PLAYERS))
    program = f"""
import sys
from ratingbook.engine.history.intake import read_history
history, findings = read_history({str(path)!r}, players={str(players)!r})
assert history is not None, list(findings)
print(sorted({{"pandas", "numba", "polars"}} & sys.modules.keys()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("rest", [
    "T10:30", " 10:30:00", "T10:30:00.123456789Z", " 23:59:60+02:00", "T1030", "T00:00:00+0100",
    " 10:30:00 UTC", " 10:30 Europe/Rome", "T24:00:00",
])  # fmt: skip
def test_a_date_may_have_a_time(rest):
    said = read(table(date=[f"2003-01-0{n}{rest}" for n in (1, 2, 3, 4)]))
    assert as_lists(said) == as_lists(read(table()))


@pytest.mark.parametrize("rest", ["T25:30", "T10:61", "Tgarbage", "T1", "x", " 24:30", "T10:30:99"])
def test_a_time_that_is_none_is_told_with_its_row(rest):
    dates = [f"2003-01-0{n}" for n in (1, 2, 3, 4)]
    history, findings = read_history(table(date=[*dates[:3], dates[3] + rest]))
    assert history is None
    (found,) = findings
    assert found.code == "history.date"
    assert "row 4" in found.message


SAID = {
    "score": ["1-0", "1/2-1/2", "0,5", " ½ ", "*", "0.0"],
    "rated": ["yes", "FALSE", "white", "", "both", "none"],
    "status": ["Played", "", "forfeit", "played", "", "cancelled"],
    "round": ["1", "2.0", "", "4", "5", "6"],
    "margin": ["3", "", "-2", "0", "", "-1"],
    "neutral": ["true", "no", "1", "", "0", "yes"],
    "start": ["2003-01-01", None, "2003-01-02T10:00", "2003-01-03", None, "2003-01-01"],
    "white_rating": ["1800", "", "1.9e3", "2000.5", "", ""],
}


@pytest.mark.parametrize("is_text", [True, False])
def test_rows_say_what_columns_say(is_text):
    """A table that is rated beside reports is read as rows, and by itself as columns."""
    columns = {"date": [f"2003-01-0{n}" for n in range(1, 7)], "white": ["7"] * 6,
               "black": ["8"] * 6, **SAID}  # fmt: skip
    if not is_text:
        of_numbers = {
            "score": [1.0, 0.5, 0.5, 0.5, None, 0.0],
            "rated": [True, False, True, None, True, False],
            "round": pa.array([1, 2, None, 4, 5, 6], pa.int64()),
            "neutral": [True, False, True, None, False, True],
            "date": [date(2003, 1, n) for n in range(1, 7)],
            "white": pa.array([b"7"] * 6), "black": pa.array([b"8"] * 6),
            "start": [datetime(2003, 1, 1), None, datetime(2003, 1, 2, 10), datetime(2003, 1, 3),
                      None, datetime(2003, 1, 1)],
            "margin": [3, None, -2, 0, None, -1],
            "white_rating": [1800, None, 1900, 2000.5, None, None],
        }  # fmt: skip
        columns |= of_numbers
    given = pa.table(columns)
    want = as_lists(read(given))
    rows = [row for chunk in given.to_batches() for row in rows_of(chunk)]
    assert [row["white"] for row in rows] == ["7"] * 6
    assert rows[4]["score"] is None
    again = {name: [row[name] for row in rows] for name in columns}
    assert as_lists(read(pa.table(again))) == want
