"""What an edition cannot take of a history, or does not use, is told; nothing is in silence."""

from __future__ import annotations

from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from ratingbook.engine.history import History, HistoryRefused, fit, rate_history
from ratingbook.engine.history.fit import check_history, tell_passed_over, tell_unsettled
from ratingbook.engine.history.intake import read_history
from ratingbook.engine.history.plan import put_in_order
from ratingbook.model import Event, Findings, Severity
from ratingbook.rules import registry
from ratingbook.rules.egf import classes as egf
from ratingbook.rules.fide.bulk import FIDE_BULK
from ratingbook.rules.wording import counted

ERROR, WARNING = Severity.ERROR, Severity.WARNING
EVENTS = ("e1", "e2", "e3")


def games(day=date(2014, 3, 1), **more):
    return pa.table(
        {
            "date": [day] * 3,
            "white": ["a", "b", "c"],
            "black": ["b", "c", "a"],
            "score": [1.0, 0.5, 0.0],
            "event": list(EVENTS),
        }
        | more
    )


def events(**columns):
    return pa.table({"event": list(EVENTS), **columns})


def told(book, table=None, **beside):
    """What the check has to say about the files, by code."""
    given, found = read_history(games() if table is None else table, **beside)
    assert given is not None, list(found)
    findings = check_history(given, registry.load(book))
    usual = ("edition.outside-validity", "history.pool-assumed")
    return {each.code: each for each in findings if each.code not in usual}


def people(**columns):
    return pa.table({"id": ["a", "b"], **columns})


def test_a_rule_book_says_which_columns_of_the_players_it_reads():
    players = people(standard=[2000.0, None], joined=["2020-01-01", None], shoe_size=[44, 45])
    finding = told("fide-2014", players=players)["history.unknown-column"]
    assert finding.severity == WARNING
    assert "joined, shoe_size." in finding.message
    assert "standard" in finding.remedy
    other = told("iccf-2009", players=players)["history.unknown-column"]
    assert "standard, joined, shoe_size." in other.message


def test_values_of_its_own_columns_are_looked_at():
    wrong = told("fide-2014", players=people(standard=["2000", "many"]))["history.value"]
    assert (wrong.severity, "'many'" in wrong.message) == (ERROR, True)
    flag = told("fide-2014", players=people(reached_2300=["yes", "perhaps"]))["history.value"]
    assert "'perhaps'" in flag.message
    year = told("fide-2014", players=people(birth_year=[93, 93]))["history.value"]
    assert (year.severity, year.where.player) == (ERROR, "a")
    assert (year.message) == "2 values of birth_year are not understood, the first 93 of player a."
    assert "1800 to 2199" in year.remedy
    high = told("fide-2014", players=people(standard=[2000.0, 9999.0]))["history.rating-range"]
    assert "standard 9999" in high.message
    kind = told("uscf-2011", players=people(peak=[[1], [2]]))["history.column-type"]
    assert kind.severity == Severity.FATAL


def test_its_own_columns_of_text_are_texts():
    number = told("egf-2013", players=people(highest_grade=[3, None]))
    assert "history.highest-grade-unknown" in number
    wrong = told("egf-2013", players=people(highest_grade=[[1], None]))["history.column-type"]
    assert wrong.severity == Severity.FATAL
    assert not told("egf-2013", players=people(highest_grade=[" 3k ", ""]))


def test_columns_that_nobody_knows_may_stand_twice_and_differ(tmp_path):
    (tmp_path / "a.csv").write_text("id,rating,,,note\na,1500,,,7\n")
    (tmp_path / "b.csv").write_text("id,rating,,,note\nb,1600,,,left handed\n")
    given, findings = read_history(games(), players=tmp_path)
    assert given is not None
    assert [finding.code for finding in findings] == ["history.unknown-column"] * 2
    finding = told("fide-2009", players=tmp_path)["history.unknown-column"]
    assert "note." in finding.message


UNKNOWN = [
    ("fide-2009", "kind", ["swiss", "mach", "mach"], WARNING, "'mach' (2 events, the first is 'e2"),
    ("fide-2012", "pool", ["xx", None, None], ERROR, "'xx' (1 event, the first is 'e1')"),
    ("fide", "pool", ["rapid", "yy", "xx"], ERROR, "'yy', 'xx' (2 events, the first is 'e2')"),
    ("egf-2013", "class", ["A", "Q", None], WARNING, "'Q' (1 event, the first is 'e2')"),
    ("egf-2013", "kind", ["A", "internet", None], WARNING, "'A' (1 event"),
    ("iccf-2009", "category", ["olympiad", "olimpiad", None], WARNING, "'olimpiad' (1 event"),
    ("uscf-2013", "kind", ["fide", "match", "macth"], WARNING, "'macth' (1 event"),
    ("uscf-2013", "pool", ["dual", "quick", "quik"], ERROR, "'quik' (1 event"),
]  # fmt: skip


@pytest.mark.parametrize(("book", "column", "words", "severity", "says"), UNKNOWN)
def test_words_of_events_that_the_edition_does_not_know(book, column, words, severity, says):
    found = told(book, events=events(**{column: words}))
    (finding,) = found.values()
    assert finding.code == f"history.event-{column}"
    assert finding.severity == severity
    assert f"does not know the {column} {says}" in finding.message
    assert finding.where.path == f"events, column {column}"
    assert finding.remedy.startswith("It knows: ")


KNOWN = [
    ("fide-2009", {"kind": ["Swiss", " MATCH", "round_robin"], "pool": ["Standard", None, ""]}),
    ("fide-2009", {"class": ["Q"] * 3, "time_control": ["blitzz"] * 3, "category": ["open"] * 3}),
    ("egf-2013", {"class": ["a", "D ", None], "kind": ["Internet", "team", None]}),
    ("egf-1998", {"class": ["Q"] * 3}),
    ("iccf-2009", {"category": ["WC semifinals", "national", None]}),
    ("iccf-2009", {"category": ["our own"] * 3, "level": [2000.0] * 3}),
    ("uscf-2013", {"category": ["open", "youth", "anything"]}),
    ("uscf-2013", {"pool": ["online blitz", "Quick Chess", "regular"]}),
    ("iecg-1999", {"kind": ["mach"] * 3, "pool": ["xx"] * 3}),
]


@pytest.mark.parametrize(("book", "columns"), KNOWN)
def test_words_that_are_known_or_of_no_matter(book, columns):
    assert told(book, events=events(**columns)) == {}


def test_the_category_matters_in_fide_events_of_us_chess():
    found = told("uscf-2013", events=events(category=["open", "youth", "u12"], kind=["fide"] * 3))
    assert "'open', 'u12' (2 events, the first is 'e1')" in found["history.event-category"].message


def test_many_unknown_words_are_one_finding():
    count = 500
    numbers = [f"e{n:03d}" for n in range(count)]
    table = pa.table(
        {
            "date": [date(2014, 3, 1)] * count,
            "white": ["a"] * count,
            "black": ["b"] * count,
            "score": [1.0] * count,
            "event": numbers,
        }
    )
    words = pa.table({"event": numbers, "kind": [f"word {n}" for n in range(count)]})
    (finding,) = told("fide-2012", table, events=words).values()
    assert "'word 0', 'word 1', 'word 2' … (500 events, the first is 'e000')" in finding.message


def test_a_kind_in_any_letters_has_its_rules_and_its_class():
    """The words are the same for what is known and for what is done."""
    p = registry.load("fide-2012").parameters
    assert all(FIDE_BULK.facts_of(Event(kind=kind), p).is_match for kind in ("match", "MATCH"))
    assert not FIDE_BULK.facts_of(Event(kind="swiss"), p).is_match
    p = registry.load("egf-2013").parameters
    online = Event(kind="Internet", time_control="45 + 30s byo-yomi")
    assert egf.facts_of(online, p).weight == p.weight_d


def test_handicaps_that_are_not_rated():
    with_one = games(handicap=[0, 3, 0])
    finding = told("fide-2012", with_one)["history.handicap-unused"]
    assert (finding.severity, "; 1 game with one is rated as even" in finding.message) == (
        WARNING, True,
    )  # fmt: skip
    several = told("fide-2012", games(handicap=[0, 3, 2]))["history.handicap-unused"]
    assert "2 games with one are rated as even" in several.message
    assert told("egf-2013", with_one) == {}
    assert told("fide-2012", games(handicap=[0, 0, 0])) == {}


def test_players_who_are_born_after_they_played():
    """As in a report it comes first: K and first ratings hang on it."""
    players = pa.table(
        {"id": ["a", "b", "c"], "birth_date": [date(1990, 1, 1), None, date(2030, 5, 6)]}
    )
    finding = told("uscf-2013", players=players)["history.birth-date"]
    assert finding.severity == WARNING
    assert finding.first
    assert "Player c was born 2030-05-06" in finding.message
    assert "after a game of 2014-03-01 (1 such player)" in finding.message
    players = players.set_column(1, "birth_date", [[date(1990, 1, 1), None, date(2014, 3, 1)]])
    assert told("uscf-2013", players=players) == {}
    # Who has not played yet may be born late; who has, not before others play on.
    stranger = pa.table({"id": ["a", "z"], "birth_year": [1990, 2030]})
    assert "history.birth-date" not in told("fide-2014", players=stranger)
    years = pa.table({"id": ["a", "b", "c"], "birth_year": [2015, None, 2016]})
    days = [date(2014, 3, 1), date(2014, 3, 1), date(2017, 3, 1)]
    later = games(date=days, black=["b", "a", "b"])
    finding = told("fide-2014", later, players=years)["history.birth-date"]
    assert "Player a was born 2015, after a game of 2014-03-01 (1 such player)" in finding.message


@pytest.mark.parametrize(
    ("book", "low", "floor"),
    [("fide-2009", 1199, "1200"), ("fide-2024", 1399, "1400"), ("fide", 999, "1000"),
     ("egf-2013", 99.5, "100"), ("egf", 99.5, "100")],
)  # fmt: skip
def test_ratings_below_the_floor(book, low, floor):
    """As in a report: the floor of the edition in force when the history begins."""
    players = pa.table({"id": ["a", "b", "c"], "rating": [1500.0, float(low), None]})
    finding = told(book, players=players)["history.below-floor"]
    assert finding.severity == WARNING
    assert f"Player b has the rating {low:g} (1 such player), below the floor of {floor}" in (
        finding.message
    )
    known = players.append_column("status", pa.array([None, "established", None]))
    assert "history.below-floor" not in told(book, players=known)
    players = pa.table({"id": ["a", "b"], "rating": [1500.0, float(floor)]})
    assert told(book, players=players) == {}


@pytest.mark.parametrize("column", ["rating", "peak", "floor", "fide", "cfc", "quick", "regular"])
@pytest.mark.parametrize("wrong", [99.0, 3501.0])
def test_ratings_out_of_range(column, wrong):
    players = pa.table({"id": ["a", "b"], column: [1500.0, wrong]})
    finding = told("uscf-2013", players=players)["history.rating-range"]
    assert finding.severity == ERROR
    assert f"Player b has the {column} {wrong:g}" in finding.message


@pytest.mark.parametrize(
    "columns", [{"start": [date(2014, 3, 2)] * 3}, {"end": [date(2014, 2, 28)] * 3}]
)
def test_an_event_that_ends_before_it_starts_by_its_games_is_refused(columns):
    with pytest.raises(HistoryRefused) as refused:
        rate_history(games(), "uscf-2013", events=events(**columns), compiled=False)
    (finding,) = (each for each in refused.value.findings if each.severity.refuses)
    assert finding.code == "history.event-dates"
    assert "3 events end before" in finding.message


def test_years_of_birth_are_a_column_like_others_where_no_rule_asks_for_them():
    """One players file serves the pools of several federations."""
    years = pa.table({"id": ["a", "b"], "birth_year": [2010, 1980], "rating": [1800, 1700]})
    for name in ("egf-2021", "iccf-2009", "iecg-1999", "uscf-2025", "elo"):
        assert "birth_year" in told(name, players=years)["history.unknown-column"].message


def test_entries_of_strangers():
    entries = pa.table(
        {"event": ["e1", "e1", "e2"], "player": ["a", "zoe", "zoe"], "grade": ["1k", "2k", "3k"]}
    )
    finding = told("egf-2013", entries=entries)["history.entry-player"]
    assert finding.severity == WARNING
    assert "2 entries are of nobody" in finding.message
    assert "the first of 'zoe'" in finding.message
    players = pa.table({"id": ["zoe"], "grade": ["2k"]})
    assert told("egf-2013", entries=entries, players=players) == {}
    assert told("egf-2013", entries=entries.slice(0, 1)) == {}


def test_a_player_of_the_last_game_is_no_stranger(monkeypatch):
    monkeypatch.setattr("ratingbook.engine.history.fit._BLOCK", 2)
    entries = pa.table({"event": ["e1"], "player": ["d"], "grade": ["1k"]})
    table = games(black=["b", "c", "d"])
    assert told("egf-2013", table, entries=entries) == {}


def test_games_that_lie_elsewhere_are_not_looked_at():
    entries = pa.table({"event": ["e1"], "player": ["zoe"], "grade": ["1k"]})
    given, _ = read_history(games(), entries=entries)
    assert given is not None
    span = np.array([16130, 16130], np.int32)
    assert not check_history(given, registry.load("egf-2013"), span)


def test_one_and_several():
    assert [counted(n, "game") for n in (0, 1, 2, 1200)] == [
        "0 games", "1 game", "2 games", "1,200 games",
    ]  # fmt: skip
    assert [counted(n, "batch", "batches") for n in (1, 2)] == ["1 batch", "2 batches"]


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (1, ("1 half of a game is not", "1 event is not", "Once a game stands")),
        (2, ("2 halves of games are not", "2 events are not", "2 times a game stands")),
    ],
)
def test_findings_count_in_the_right_number(count, says):
    findings, book = Findings(), registry.load("fide-2012")
    tell_passed_over(count, 1, book, findings)
    tell_unsettled((count, "e1"), book, findings)
    put_in_order(count, findings)
    told_by_code = {each.code: each.message for each in findings}
    codes = ("history.passed-over", "history.unsettled", "history.put-in-order")
    for code, beginning in zip(codes, says, strict=True):
        assert told_by_code[code].startswith(beginning)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_of_many_unknown_words_three_are_shown(count):
    words = ["Q", "R", "S", "T"][:count]
    players = pa.table({"id": ["a", "b", "c", "d"][:count], "highest_grade": words})
    finding = told("egf-2013", players=players)["history.highest-grade-unknown"]
    assert ("…" in finding.message) == (count > 3)
    assert [repr(word) in finding.message for word in words] == [n < 3 for n in range(count)]


def test_what_is_not_rated_without_a_level_is_told_unless_a_rating_is_assumed():
    """ICCF, reading A24: newcomers need the level of their event."""
    table = games(day=date(2010, 3, 1))
    told_of = []
    for assume in (None, 1800.0):
        rated = rate_history(table, "iccf-2009", assume=assume, compiled=False)
        told_of.append("without a level" in " ".join(each.message for each in rated.findings))
    assert told_of == [True, False]


def test_a_long_event_without_a_game_is_not_rated_by_months():
    table = games(day=date(2024, 3, 1))
    days = {"start": [date(2024, 2, 20)] * 4, "end": [date(2024, 3, 2)] * 3 + [date(2024, 12, 1)]}
    named = [*EVENTS, "e4"]
    for played, codes in ((3, False), (4, True)):
        rows = table
        if played == 4:
            last = games(day=date(2024, 11, 1)).slice(0, 1)
            last = last.set_column(4, "event", pa.array(["e4"]))
            rows = pa.concat_tables([table, last])
        said = pa.table({"event": named, **days})
        rated = rate_history(rows, "fide-2024", events=said, compiled=False)
        assert ("history.long-events" in {each.code for each in rated.findings}) == codes


def test_the_first_games_of_many_players_are_found_by_one_look_at_the_games(monkeypatch):
    monkeypatch.setattr(fit, "_BLOCK", 3)
    days = [date(2014, 1, 1 + number) for number in range(10)]
    pairs = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "a")] * 2
    games = pa.table({
        "date": days, "white": [one for one, _ in pairs], "black": [two for _, two in pairs],
        "score": [1.0] * 10,
    })  # fmt: skip
    given = History.of(games).given
    codes = {name: code for code, name in enumerate(given.players.to_pylist())}
    asked = np.array([codes[name] for name in "edcba"])
    assert fit._first_days(given, asked, days[-1]) == [days[3], days[2], days[1], days[0], days[0]]
