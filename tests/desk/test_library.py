"""``import ratingbook as rb``: the commands as functions, with the same numbers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ratingbook as rb
from ratingbook.model import Entry, Result, Standing
from ratingbook.rules import registry

SPRING = Path("examples/reports/spring-open.trf")
KNOWN = Path("examples/reports/spring-open-players.csv")


def test_a_report_has_the_numbers_of_the_command(run):
    rated = rb.rate(SPRING, "fide-2009", players=[KNOWN])
    printed = json.loads(
        run("rate", SPRING, "--rulebook", "fide-2009", "--players", KNOWN, "--format", "json").out
    )
    assert [row["after"] for row in rated.players] == [row["after"] for row in printed["players"]]
    # 2385 + 10 × (5 − 4.48): K is 10 for who has reached 2400.
    assert rated["Bravo"].row.after == 2390
    assert repr(rated) == "<Spring Open: 12 players rated by fide-2009>"


def test_objects_names_and_books_do_as_well():
    report = rb.read(str(SPRING))
    book = rb.rulebook("fide-2009", {"expectancy": "logistic"})
    entry = Entry("6", "Foxtrot, Fay", standing=Standing(games=61))
    rated = rb.rate(report, book, players=[entry])
    assert rated.book.non_default_parameters == {"expectancy": "logistic"}
    assert len(repr(report)) < 80
    assert "61 rated games" in str(rated.explain("foxt"))


def test_tables_and_notebooks():
    rated = rb.rate(SPRING, "fide-2009", players=KNOWN)
    frame = rated.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame.set_index("id").loc["6", "change"] == 13
    assert rated.to_polars().filter(pl.col("id") == "6")["after"].to_list() == [1998]
    assert rated.to_arrow().column_names == list(frame.columns)
    assert rated._repr_html_().startswith("<table>")


def test_what_is_refused_is_raised_with_its_findings(tmp_path):
    path = tmp_path / "nothing.trf"
    path.write_text("nothing\n")
    with pytest.raises(rb.Refused) as refused:
        rb.rate(path, "fide-2009")
    assert [each.code for each in refused.value.findings if each.severity.refuses]
    assert rb.check(path, "fide-2009").refused
    with pytest.raises(LookupError, match="no player"):
        rb.rate(SPRING, "fide-2009", explain="Nobody")


def test_a_report_is_written_and_read(tmp_path):
    out = tmp_path / "spring.csv"
    rb.write(SPRING, out)
    assert [e.name for e in rb.read(out).entries] == [e.name for e in rb.read(SPRING).entries]
    with pytest.raises(FileExistsError):
        rb.write(SPRING, out)


ROWS = [
    {"day": "2024-01-06", "home": "a", "away": "b", "points": 1.0},
    {"day": "2024-01-13", "home": "b", "away": "a", "points": 0.5},
]
NAMES = {"date": "day", "white": "home", "black": "away", "score": "points"}


@pytest.mark.parametrize(
    "games",
    [
        ROWS,
        {name: [row[name] for row in ROWS] for name in ROWS[0]},
        pl.DataFrame(ROWS),
        pl.DataFrame(ROWS).lazy(),
        pd.DataFrame(ROWS),
    ],
    ids=["rows", "lists", "polars", "lazy", "pandas"],
)
def test_games_in_any_shape_with_columns_of_any_name(games):
    rated = rb.history(games, "elo", columns=NAMES)
    assert rated.ratings["player"].to_pylist() == ["a", "b"]
    # 1510, then 20 × (0.5 − E) with E = 1 / (1 + 10^(−20/400)) = 0.528751.
    assert rated.to_pandas()["rating"].tolist() == pytest.approx([1509.42498, 1490.57502])
    changes = rated.changes.to_pylist()
    assert [str(row["date"]) for row in changes] == ["2024-01-06"] * 2 + ["2024-01-13"] * 2
    assert [row["game"] for row in changes] == [1, 1, 2, 2]


def test_what_is_no_table_is_said():
    with pytest.raises(TypeError, match="list of dictionaries"):
        rb.history(7, "elo")
    with pytest.raises(ValueError, match="no column 'heim'"):
        rb.history(ROWS, "elo", columns={"white": "heim"})


def test_reports_as_a_history_and_a_list(run, office):
    done = run(
        "history", office / "events", "--rulebook", "fide-2022", "--players",
        office / "players.csv", "--out", office / "pool",
    )  # fmt: skip
    assert done.status == 0
    rated = rb.history(office / "events", "fide-2022", players=[office / "players.csv"])
    listed = rb.list(office / "pool")
    now = dict(zip(listed.to_pandas()["id"], listed.to_pandas()["rating"], strict=True))
    assert (
        dict(zip(*(rated.ratings[n].to_pylist() for n in ("player", "rating")), strict=True)) == now
    )
    again = rb.history(office / "pool")
    assert again.ratings.equals(rated.ratings)
    assert again.changes.equals(rated.changes)
    with pytest.raises(rb.BadArgument, match="knows its rule book"):
        rb.history(office / "pool", "fide-2022")
    with pytest.raises(rb.BadArgument, match="rulebook is missing"):
        rb.history(office / "events")


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_library_that_is_missing_is_named_with_what_to_install(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    rated = rb.rate(SPRING, "fide-2009", players=KNOWN)
    history = rb.history([GAME], "elo")
    for each in (rated, history):
        with pytest.raises(ModuleNotFoundError, match=f"pip install {name}"):
            getattr(each, f"to_{name}")()


def test_an_expected_score():
    # Table 8.1.2: a difference of 100 expects 0.64; a game of Elo 1 / (1 + 10^(−100/400)).
    assert rb.predict("fide-2024", 2100, 2000, "2024-05-01") == 0.64
    assert rb.predict("elo", 1600, 1500) == pytest.approx(0.640065, abs=1e-6)
    home = rb.predict("elo", 1500, 1500, settings={"home": 100})
    assert home == pytest.approx(0.640065, abs=1e-6)


BOOKS = registry.names()
PAIRS = [(2100, 2000), (2000, 2100), (1500, 1900), (2700, 2000), (2000, 2700), (1800, 1800)]


STEPS = {
    "expected_by_beta", "expected_by_table", "expected_result", "expected_score",
    "winning_expectancy",
}  # fmt: skip
"""The paragraphs that expect a score; those of the older Go lists do so before ε is off."""


@pytest.mark.parametrize("name", BOOKS)
def test_an_expected_score_is_that_of_the_paragraph(name):
    """At the ratings given: nobody has moved by a game that is not played yet."""
    for own, other in PAIRS:
        expected = rb.predict(name, own, other)
        told = rb.whatif([f"{other}/100=1"], name, rating=own, games=100)["outcomes"][0]
        assert expected == told["expected"], (own, other)
        said = [each["value"] for each in told["explanation"] if each["rule"] in STEPS]
        if name not in ("egf-1998", "egf-2013"):
            assert said == [pytest.approx(expected, abs=1e-9)], (own, other)


@pytest.mark.parametrize("name", BOOKS)
def test_the_two_sides_expect_a_point(name):
    """But for ε of the Go lists, and for the cap of 400 that is lifted for the stronger alone."""
    epsilon = {"egf-1998": 0.014, "egf-2013": 0.016}.get(name, 0)
    for own, other in PAIRS:
        lifted = 0.07 if name == "fide-2024" and 2700 in (own, other) else 0
        total = rb.predict(name, own, other) + rb.predict(name, other, own)
        # Between equals neither side of the edition of 1998 is the stronger.
        less = 0 if name == "egf-1998" and own == other else epsilon
        assert total == pytest.approx(1 - less + lifted), (own, other)


@pytest.mark.parametrize("name", [name for name in BOOKS if name.startswith("uscf")])
def test_us_chess_expects_by_its_formula(name):
    for own, other in PAIRS:
        by_hand = 1 / (1 + 10 ** ((other - own) / 400))
        assert rb.predict(name, own, other) == pytest.approx(by_hand, abs=1e-9)


@pytest.mark.parametrize("name", ["fide", "fide-2024"])
def test_without_a_day_a_score_is_expected_today(name):
    """From October 2025 on nothing is capped for who has 2650."""
    assert rb.predict(name, 2700, 2000) == rb.predict(name, 2700, 2000, "2025-10-01") == 0.99
    assert rb.predict(name, 2700, 2000, "2025-09-30") == 0.92


def test_an_expected_score_of_players_who_were_rated():
    rated = rb.rate(SPRING, "fide-2009", players=[KNOWN])
    new = [rated[name].row.after for name in ("Bravo", "Foxtrot")]
    assert new == [2390, 1998]
    # Table 8.1(b): from 392 points on, a difference expects 0.92.
    assert rb.predict("fide-2009", rated["Bravo"], rated["Foxtrot"], "2010-05-01") == 0.92
    assert rb.predict("fide-2009", rated["Foxtrot"], 1998, "2010-05-01") == 0.5


def test_several_reports_are_rated_one_by_one():
    one = rb.rate(SPRING, "fide-2009", players=[KNOWN])
    several = rb.rate([SPRING, rb.read(SPRING)], "fide-2009", players=[KNOWN])
    assert [each.players for each in several] == [one.players] * 2
    with pytest.raises(rb.Refused):
        rb.rate([SPRING, "nothing.trf"], "fide-2009")


def test_a_history_in_a_notebook():
    shown = rb.history(ROWS, "elo", columns=NAMES)._repr_html_()
    assert shown.index("<td>a</td>") < shown.index("<td>b</td>")
    assert "1509" in shown
    assert "more rows" not in shown


def test_a_prompt_shows_one_line_of_each_thing():
    """Reports, ratings, players, findings, and the changes of a player in a history."""
    report = rb.read(SPRING)
    rated = rb.rate(report, "fide-2009", players=[KNOWN], explain="all")
    changed = rb.history(ROWS, "elo", columns=NAMES).explain("a")
    answer = rb.whatif(["2100=1", "2250=?"], "fide-2009", rating=2090, games=40)
    books = rb.rulebook("fide-2009"), rb.rulebook("fide")
    for each in (report, rated, rated["Bravo"], rb.check(SPRING), *changed, answer, *books):
        assert len(repr(each)) < 100
    assert answer._repr_html_().count("<tr>") == 4
    assert repr(rated["Bravo"]).startswith("<Bravo, Ben: 2385 → ")
    shown = {name for name in dir(rb) if not name.startswith("_")}
    assert shown >= {"rate", "read", "history", "whatif", "rulebook"}
    assert not shown & {"Any", "import_module", "TYPE_CHECKING"}


def test_columns_that_are_called_otherwise_can_be_named():
    with pytest.raises(rb.Refused, match=re.escape('columns={"date"')):
        rb.history(ROWS, "elo")


def test_of_whom_nothing_can_be_explained_is_a_wrong_argument():
    """Whoever calls catches what the package exports."""
    changed = rb.history(ROWS, "elo", columns=NAMES)
    asked: list[Any] = [("Nobody",), ("a", "1999-01-01"), ("a", 99)]
    for each in asked:
        with pytest.raises(rb.BadArgument, match=r"The history|Player"):
            changed.explain(*each)
    with pytest.raises(rb.BadArgument, match="no player 'Nobody'"):
        rb.rate(SPRING, "fide-2009", players=[KNOWN]).explain("Nobody")


def test_what_if():
    answer = rb.whatif(["2100=1", "2250=?"], "fide-2009", rating=2090, games=40)
    assert isinstance(answer["outcomes"], list)
    assert len(answer["outcomes"]) == 3
    report = rb.read(SPRING)
    opened = replace(report, games=tuple(
        replace(game, result=Result.NONE) if "6" in (game.white, game.black) and game.round == 1
        else game for game in report.games
    ))  # fmt: skip
    known = [KNOWN]
    answer = rb.whatif(opened, "fide-2009", players=known, player="Foxtrot")
    after = {each["after"] for each in answer["scores"]}
    assert rb.rate(report, "fide-2009", players=known)["Foxtrot"].row.after in after
    assert len(answer["scores"]) == 3
    with pytest.raises(ValueError, match="a game is OPPONENT=SCORE"):
        rb.whatif("2100=2", "fide-2009")
    wrong: Any = ["peak=2250"]
    with pytest.raises(rb.BadArgument, match=r"standing is .*must be a dictionary"):
        rb.whatif(["2100=1"], "uscf-2025", rating=2090, standing=wrong)
    with pytest.raises(rb.BadArgument, match=r"^a standing has .*peak.* with uscf-2025, not peek$"):
        rb.whatif(["2100=1"], "uscf-2025", rating=2090, standing={"peek": 2250})


def test_the_package_loads_nothing_before_it_is_used():
    program = "import sys, ratingbook as rb; dir(rb); print('typer' in sys.modules, "
    program += "'ratingbook.formats' in sys.modules)\n"
    program += f"rb.rate({str(SPRING)!r}, 'fide-2009'); print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.split() == ["False", "False", "False"]


WRONG: Any = rb
"""The library for who gives it what its types forbid."""
GAME = {"date": "2024-05-01", "white": "a", "black": "b", "score": 1}


@pytest.mark.parametrize(
    ("called", "words"),
    [
        (
            lambda: WRONG.rate([GAME], "fide"),
            r"rate\(\): source is .* rows of games are for history",
        ),
        (lambda: WRONG.rate(SPRING, "fied"), "no rule book 'fied' .* did you mean fide"),
        (lambda: WRONG.rate(SPRING, None), "rulebook is None, and must be the name of a rule book"),
        (lambda: WRONG.rate(SPRING), "missing a required argument: 'rulebook'"),
        (lambda: WRONG.rate(SPRING, "fide", settings=["x"]), "settings is a list"),
        (lambda: WRONG.rate(SPRING, "fide", players=[{"id": "1"}]), "players is a list"),
        (lambda: WRONG.rate(SPRING, "fide", columns=["x"]), "columns is a list"),
        (lambda: WRONG.rate(SPRING, "fide", explain=[5]), "explain is a list"),
        (lambda: WRONG.rate(SPRING, "fide", id="fied"), "did you mean fide"),
        (lambda: WRONG.rate(SPRING, "fide", list="2024-13-01"), "list is '2024-13-01', .* a day"),
        (lambda: WRONG.explain(SPRING, "Nobody", "fide"), "no player 'Nobody'"),
        (lambda: WRONG.read({}), "source is a dict"),
        (lambda: WRONG.check(5), "source is 5"),
        (lambda: WRONG.write(SPRING, "x.nix"), "name the format"),
        (lambda: WRONG.write(SPRING, "nowhere/x.csv"), "a folder that is not there"),
        (lambda: WRONG.list("nix"), "nix: There is no file of this name"),
        (lambda: WRONG.list([]), "standings is a list"),
        (lambda: WRONG.list(KNOWN, "fide-2009"), "give the day of the list"),
        (lambda: WRONG.history(None, "elo"), "games is None"),
        (lambda: WRONG.history([GAME, "x"], "elo"), "row 2 is a str"),
        (lambda: WRONG.history({"white": ["a"], "black": []}, "elo"), "white 1, black 0"),
        (
            lambda: WRONG.history({"white": [1, 2**63], "black": [3, 4]}, "elo"),
            "white, row 2: 9223372036854775808 is too large",
        ),
        (
            lambda: WRONG.history([GAME, {**GAME, "round": 1}, {**GAME, "round": "2"}], "elo"),
            "round, row 3: '2' is of the type str, and row 2 of the type int",
        ),
        (lambda: WRONG.history({1: ["a"]}, "elo"), "a column is called 1"),
        (lambda: WRONG.predict("fide", 2000, 1900, "9999-12-31"), "the years 1800 to 2199"),
        (lambda: WRONG.whatif(["1800=1"], "fide", rating=1800, games=-1), "games is -1"),
        (lambda: WRONG.whatif(["1800=1"], "fide", rating=1800, birth_year=3000), "birth_year is"),
        (lambda: WRONG.whatif(["1800=1"], "fide", rating=1800, target=float("nan")), "target is"),
        (lambda: WRONG.history([GAME], "elo", assume="x"), "assume is 'x'"),
        (lambda: WRONG.history([GAME], "elo", nix=1), "there is no option 'nix'"),
        (lambda: WRONG.predict("fide", 2000, 1900, "2024-13-01"), "date is '2024-13-01'"),
        (lambda: WRONG.predict("fide", "x", 1900), "white is 'x'"),
        (lambda: WRONG.whatif(["2100=1"], "fide", rating="x"), "rating is 'x'"),
        (lambda: WRONG.whatif(["2100=1"], "fide", birth_year=float("nan")), "birth_year is nan"),
        (lambda: WRONG.whatif(["2100=7"], "fide", rating=2000), "OPPONENT=SCORE"),
        (lambda: WRONG.rulebook("fide-2024", {"x": 1}), "no parameter 'x'"),
        (lambda: WRONG.rulebook(None), "name is None"),
    ],
)
def test_a_wrong_argument_says_which_and_what_is_wanted(called, words):
    with pytest.raises(rb.BadArgument, match=words):
        called()


@pytest.mark.parametrize(
    "days",
    [
        [np.datetime64("2024-01-05"), np.datetime64("2024-01-06T12:00")],
        [np.datetime64("2024-01-05"), date(2024, 1, 6)],
        [np.datetime64("2024-01-05T10:00:00.123456789"), pd.Timestamp("2024-01-06 09:00")],
        np.array(["2024-01-05", "2024-01-06"], "M8[D]"),
    ],
    ids=["times", "days", "small times", "an array"],
)
def test_days_of_numpy_are_days(days):
    scores = [Decimal("0.5"), 1.0]
    columns = {"date": days, "white": ["a", "b"], "black": ["b", "a"], "score": scores}
    usual = columns | {"date": ["2024-01-05", "2024-01-06"], "score": [0.5, 1.0]}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    wanted = WRONG.history(usual, "elo", progress=False).changes
    for games in (columns, rows):
        assert WRONG.history(games, "elo", progress=False).changes == wanted


def test_a_value_that_no_table_holds_is_told_with_its_row():
    games = [{**GAME, "round": 1}, {**GAME, "round": object()}]
    with pytest.raises(rb.BadArgument, match=r"round, row 2: .* of the type object"):
        WRONG.history(games, "elo")


@pytest.mark.parametrize("name", [f"{'x' * 300}.csv", "a\0.csv", "."], ids=["long", "null", "."])
def test_a_name_that_cannot_be_written_is_a_wrong_argument(tmp_path, name):
    with pytest.raises(rb.BadArgument, match=r"write\(\): .* cannot be written: \S"):
        rb.write(SPRING, f"{tmp_path}/{name}", format="csv", force=True)


@pytest.mark.parametrize("name", [f"{'x' * 300}.csv", "a\0.csv"], ids=["long", "null"])
@pytest.mark.parametrize(
    "called",
    [
        rb.read,
        lambda name: rb.rate(SPRING, "fide", players=name),
        lambda name: WRONG.history(name, "elo", progress=False),
        lambda name: WRONG.history([GAME], "elo", players=name, progress=False),
        lambda name: rb.list(name, "fide", "2024-05-01"),
    ],
    ids=["report", "players", "history", "players of a history", "list"],
)
def test_a_name_that_is_none_is_refused(called, name):
    with pytest.raises((rb.Refused, rb.BadArgument)):
        called(name)


POOLS = [
    {**GAME, "event": event, "pool": pool}
    for event, pool in (("E", "rapid"), ("F", "standard"), ("G", "rapid"))
]


@pytest.mark.parametrize("games", [[GAME], POOLS], ids=["one pool", "pools"])
@pytest.mark.parametrize(
    ("called", "words"),
    [
        (lambda h: h.correct("nofile.csv"), r"a History, such as history\.corrected.* a str is"),
        (lambda h: h.correct([1]), "a list is neither"),
        (lambda h: h.correct({}), "at least one game"),
        (lambda h: h.correct({5: 0.5}), "there is no row 5"),
        (lambda h: h.correct({0: 0.7}), "1, 0.5 or 0, not 0.7"),
        (lambda h: h.correct({0: "1"}), "1, 0.5 or 0, not '1'"),
        (lambda h: h.correct({0: [1]}), r"1, 0.5 or 0, not \[1\]"),
        (lambda h: h.correct({"0": 1}), "a row is a whole number, .* not '0'"),
        (lambda h: h.correct(), "say what is otherwise"),
        (lambda h: h.correct(settings=["x"]), "settings are a dictionary"),
        (lambda h: h.correct(assume="x"), "an assumed rating is a number, not 'x'"),
        (lambda h: h.history.corrected(5), "int is neither a path nor a table"),
        (lambda h: h.explain("a", "x"), "neither a day"),
    ],
)
def test_a_wrong_correction_is_a_wrong_argument(games, called, words):
    rated = WRONG.history(games, "fide", corrections=True, progress=False, assume=1500)
    with pytest.raises(rb.BadArgument, match=words):
        called(rated)
    with pytest.raises(rb.Refused, match="no file of this name"):
        rated.history.corrected("nofile.csv")


def test_rows_of_several_pools_are_corrected_by_their_numbers():
    rated = WRONG.history(POOLS, "fide", corrections=True, progress=False, assume=1500)
    other = [dict(each, score=0) if each["event"] == "F" else each for each in POOLS]
    again = WRONG.history(other, "fide", progress=False, assume=1500)
    corrected = rated.correct({1: 0})
    assert corrected.ratings == again.ratings
    assert corrected.preview["pool"].unique().to_pylist() == ["standard"]


def test_a_history_that_was_not_kept_for_corrections_says_so():
    with pytest.raises(rb.BadArgument, match="corrections=True"):
        WRONG.history([GAME], "elo", progress=False).correct({0: 0})


def test_who_is_asked_of_a_result_is_named_by_a_text():
    rated, one = rb.rate(SPRING, "fide-2009", players=[KNOWN]), cast("str", 1)
    for called in (lambda: rated.explain(one), lambda: rated[one], lambda: rb.explain(rated, one)):
        with pytest.raises(rb.BadArgument, match="player is 1, and must be a player's id, number"):
            called()


def _document() -> dict[str, Any]:
    return {
        "ratingbook": "report/1",
        "event": {"name": "Match", "start": date(2024, 3, 2), "end": "2024-03-02"},
        "players": [
            {"id": "1", "name": "Alpha", "standing": {"rating": 1700, "games": 30}},
            {"id": "2", "name": "Bravo", "standing": {"rating": 1650, "games": 30}},
        ],
        "games": [{"round": 1, "white": "1", "black": "2", "result": "1-0"}],
    }


def test_a_report_document_may_be_a_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(_document(), default=str))
    document, book = MappingProxyType(_document()), "fide-2024"
    assert rb.read(document) == rb.read(path)
    assert rb.rate(document, book).rows == rb.rate(path, book).rows
    both = rb.rate([document, path], book)
    assert both[0].rows == both[1].rows
    codes = [[each.code for each in rb.check(one, book)] for one in (document, path)]
    assert codes[0] == codes[1]
    assert [*rb.check(document)] == []
    assert str(rb.explain(document, "Alpha", book)) == str(rb.explain(path, "Alpha", book))


def test_a_dictionary_that_is_no_report_document_is_told() -> None:
    for call in (rb.read, lambda one: rb.rate(one, "fide-2024")):
        with pytest.raises(rb.BadArgument, match="report document as a dictionary"):
            call(GAME)
        with pytest.raises(rb.BadArgument, match="no JSON"):
            call({**_document(), "games": [object()]})
        with pytest.raises(rb.Refused, match="report/1"):
            call({**_document(), "ratingbook": "report/9"})
    assert rb.check({**_document(), "games": 1}).refused


@pytest.mark.parametrize("value", [1 / 3, 0.1 + 0.2, 1e-7, 2 / 3])
def test_a_parameter_is_any_float(value):
    book = rb.rulebook("elo", {"season_return": value})
    assert book.edition(None).parameters.season_return == value


def test_what_is_written_tells_first_that_it_is_rated_otherwise(tmp_path):
    known = [{"id": x, "name": x, "grade": "1d", "standing": {"rating": 2140}} for x in "ab"]
    games = [{"round": 1, "white": "a", "black": "b", "result": "1-0"}]
    said = {"ratingbook": "report/1", "event": {"name": "Cup", "class": "C", "end": "2024-05-01"},
            "players": known, "games": games}  # fmt: skip
    findings = rb.write(said, tmp_path / "cup.h9", format="h9")
    assert "convert.rated" in {each.code for each in findings}
