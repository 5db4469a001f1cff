"""What is wrong with a report whatever the rule book: each code, its place and its remedy."""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ratingbook.engine import intake
from ratingbook.engine.intake import check_for, check_report, place_of
from ratingbook.engine.rate import rate
from ratingbook.model import (
    Entry,
    Event,
    Finding,
    FrozenSide,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    SectionHead,
    Severity,
    Standing,
)
from ratingbook.rules import registry
from ratingbook.rules.fide import fide_2009


def entry(player: str, rating: float | None = 1500, name: str = "") -> Entry:
    standing = None if rating is None else Standing(rating=rating, games=50)
    return Entry(player, name=name, standing=standing, place=Place(player=player, line=7))


def game(white: str, black: str | None, round_: int | None = 1, **more: Any) -> Game:
    made = Game(white, black, Result.WHITE_WINS, round=round_, place=Place(line=9))
    return replace(made, **more)


ENTRIES = tuple(entry(player) for player in "abc")
GAMES = (game("a", "b"), game("b", "c", 2), game("c", "a", 3))
SOUND = Report(Event(start=date(2010, 1, 8), end=date(2010, 1, 10)), ENTRIES, GAMES)
"""A report without a fault; each case below spoils one thing."""


class Case(NamedTuple):
    """A spoilt report, and what must be said of it."""

    code: str
    severity: Severity
    report: Report
    player: str | None
    round: int | None
    words: str


def games(*more: Game) -> Report:
    return replace(SOUND, games=(*GAMES, *more))


def entries(*more: Entry) -> Report:
    return replace(SOUND, entries=(*ENTRIES, *more))


ERROR, WARNING = Severity.ERROR, Severity.WARNING
BLACK_WINS, OPEN = Result.BLACK_WINS, Result.NONE

CASES = (
    Case("report.no-players", ERROR, Report(SOUND.event, (), ()), None, None, "no player"),
    Case("report.no-games", WARNING, replace(SOUND, games=()), None, None, "no game"),
    Case("player.duplicate", ERROR, entries(entry("b")), "b", None, "id b"),
    Case(
        "player.birth-date",
        WARNING,
        entries(replace(entry("d"), birth_date=date(2010, 1, 9))),
        "d",
        None,
        "born 2010-01-09, after the event began (2010-01-08)",
    ),
    Case(
        "player.same-name",
        WARNING,
        entries(entry("d", name="Ada Ash"), entry("e", name="ADA ASH")),
        "d",
        None,
        "d, e",
    ),
    Case(
        "player.same-number",
        ERROR,
        entries(replace(entry("d"), ids={"fide": "1"}), replace(entry("e"), ids={"fide": "1"})),
        "e",
        None,
        "d, e",
    ),
    Case("player.rating-range", ERROR, entries(entry("d", 4001)), "d", None, "4001"),
    Case(
        "decision.unknown",
        WARNING,
        entries(replace(entry("d"), decisions={"base_ratign": 1500, "reason": "typing error"})),
        "d",
        None,
        "base_ratign",
    ),
    Case(
        "rating.not-whole",
        ERROR,
        entries(replace(entry("d"), standing=Standing(rating=1500.5, games=50))),
        "d",
        None,
        "1500.5",
    ),
    Case(
        "player.history-range",
        ERROR,
        entries(replace(entry("d"), history=(FrozenSide(opponent=4001, score=1),))),
        "d",
        None,
        "4001",
    ),
    Case(
        "event.time-control-read",
        Severity.WARNING,
        replace(SOUND, event=Event(start=date(2010, 3, 1), time_control="40/2, SD/1")),
        None,
        None,
        "40/120,SD/60",
    ),
    Case(
        "event.dates-reversed",
        ERROR,
        replace(SOUND, event=Event(start=date(2010, 3, 2), end=date(2010, 3, 1))),
        None,
        None,
        "2010-03-01",
    ),
    Case(
        "section.dates-reversed",
        ERROR,
        replace(
            SOUND,
            section_heads=(
                SectionHead("A", start=date(2010, 3, 2), end=date(2010, 3, 1)),
                SectionHead("B", start=date(2010, 3, 1), end=date(2010, 3, 1)),
            ),
        ),
        None,
        None,
        "section A ends on 2010-03-01",
    ),
    Case(
        "game.bye-with-opponent",
        WARNING,
        games(game("a", "b", 4, status=GameStatus.BYE)),
        "a",
        4,
        "names an opponent, b",
    ),
    Case(
        "game.repeated",
        WARNING,
        games(*[replace(game("a", "b"), round=None)] * 2),
        "a",
        None,
        "1 pairs",
    ),
    Case("game.rating-range", ERROR, games(game("a", "b", 4, black_rating=0)), "b", 4, "Black"),
    Case("game.unknown-player", ERROR, games(game("a", "x", 4)), "x", 4, "player x"),
    Case(
        "player.results-sum",
        WARNING,
        entries(replace(entry("d"), standing=Standing(rating=1500, games=5, wins=10, draws=3))),
        "d",
        None,
        "13 wins",
    ),
    Case(
        "player.no-rating",
        Severity.INFO,
        entries(replace(entry("d"), standing=Standing(games=40))),
        "d",
        None,
        "player d",
    ),
    Case(
        "game.dates-reversed",
        ERROR,
        games(game("a", "b", 4, start=date(2010, 1, 9), end=date(2010, 1, 8))),
        "a",
        4,
        "2010-01-08",
    ),
    Case(
        "game.outside-event",
        WARNING,
        games(game("a", "b", 4, start=date(2009, 12, 8))),
        "a",
        4,
        "of a and b of 2009-12-08",
    ),
    Case("game.two-in-round", WARNING, games(game("a", "c", 1)), "a", None, "b, c"),
    Case(
        "game.margin-of-other",
        WARNING,
        games(game("a", "b", 4, margin=-1)),
        "a",
        4,
        "1-0 and the margin -1",
    ),
    Case("game.handicap", ERROR, games(game("a", "b", 4, handicap=99)), "a", 4, "99 stones"),
    Case("game.handicap-unused", WARNING, games(game("a", "b", 4, handicap=9)), "a", 4, "handicap"),
    Case(
        "game.substitute-unused",
        WARNING,
        games(game("a", "b", 4, white_for="c")),
        "a",
        4,
        "substitutes",
    ),
    Case("game.substitute", ERROR, games(game("a", "b", 4, white_for="a")), "a", 4, "replaces"),
    Case("game.self", ERROR, games(game("a", "a", 4)), "a", 4, "himself"),
    Case("game.no-opponent", ERROR, games(game("a", None, 4)), "a", 4, "no opponent"),
    Case("game.duplicate", ERROR, games(game("a", "b")), "a", 1, "round 1"),
    Case(
        "game.contradiction", ERROR, games(game("a", "b", result=BLACK_WINS)), "a", 1, "contradict"
    ),
    Case("game.unfinished", WARNING, games(game("a", "c", 4, result=OPEN)), "a", 4, ": 1 in all"),
    Case(
        "edition.outside-validity",
        WARNING,
        replace(SOUND, event=Event(start=date(2011, 7, 1))),
        None,
        None,
        "2011-06-30",
    ),
)

EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=[case.code for case in CASES])


def findings(report: Report) -> list[Finding]:
    found = check_report(report)
    found.extend(check_for(report, fide_2009))
    return list(found)


def test_a_sound_report_has_no_finding() -> None:
    assert findings(SOUND) == []


@EVERY_CASE
def test_each_fault_is_told_once(case: Case) -> None:
    (finding,) = [each for each in findings(case.report) if each.code == case.code]
    assert (finding.code, finding.severity) == (case.code, case.severity)


@EVERY_CASE
def test_each_finding_says_where_and_what_to_do(case: Case) -> None:
    (finding,) = [each for each in findings(case.report) if each.code == case.code]
    assert (finding.where.player, finding.where.round) == (case.player, case.round)
    assert case.words in finding.message
    for sentence in (finding.message, finding.remedy):
        assert len(sentence.split()) > 2
        assert sentence.endswith(".")


@EVERY_CASE
def test_errors_refuse_the_report_and_the_rest_does_not(case: Case) -> None:
    done = rate(case.report, fide_2009)
    assert case.code in {finding.code for finding in done.findings}
    assert done.findings.refused == (case.severity is ERROR)
    assert len(done.rows) == (0 if case.severity is ERROR else len(case.report.entries))


def test_ratings_of_games_and_histories_are_whole_too() -> None:
    for report in (
        games(game("a", "b", 4, white_rating=1500.5)),
        entries(replace(entry("d"), history=(FrozenSide(opponent=1500.5, score=1),))),
        entries(replace(entry("d"), history=(FrozenSide(opponent=1500, own=0.5, score=1),))),
    ):
        assert "rating.not-whole" in {finding.code for finding in findings(report)}


def test_every_code_of_the_package_has_a_case() -> None:
    """Codes stand in calls of ``add`` as the only constants with a point and no space."""
    codes = {
        node.value
        for path in Path(inspect.getfile(intake)).parent.glob("*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "add"
        for node in call.args[1:2]
        if isinstance(node, ast.Constant)
    }
    of_series = {"edition.chosen", "edition.no-date", "edition.before-first"}
    elsewhere = {"edition.other-game", "event.far-day"}  # test_same_game.py, test_far_days.py
    assert codes == {case.code for case in CASES} | {"edition.parameters"} | of_series | elsewhere


@pytest.mark.parametrize(
    ("event", "code", "severity", "says"),
    [
        (Event(start=date(2015, 3, 6), end=date(2015, 3, 8)), "edition.chosen", Severity.INFO,
         "fide-2014 is applied"),
        (Event(end=date(2024, 2, 27)), "edition.chosen", Severity.INFO, "fide-2022 is applied"),
        (Event(end=date(2024, 3, 1)), "edition.chosen", Severity.INFO, "fide-2024 is applied"),
        (Event(end=date(2005, 3, 8)), "edition.before-first", Severity.WARNING, "fide-2009"),
        (Event(), "edition.no-date", Severity.WARNING, "fide-2024"),
    ],
)  # fmt: skip
def test_the_edition_of_a_series_is_told(
    event: Event, code: str, severity: Severity, says: str
) -> None:
    series = registry.load("fide")
    report = replace(SOUND, event=event, games=(game("a", "b"),))
    findings = [f for f in rate(report, series).findings if f.code.startswith("edition.")]
    assert [(f.code, f.severity) for f in findings] == [(code, severity)]
    assert says in findings[0].message
    assert rate(report, series).book.name in findings[0].message


def test_other_parameters_are_told() -> None:
    book = fide_2009.with_parameters({"k_top": "12"})
    (finding,) = check_for(SOUND, book)
    assert (finding.code, finding.severity) == ("edition.parameters", Severity.INFO)
    assert "k_top = 12" in finding.message


@pytest.mark.parametrize(
    ("own", "opponent", "says"),
    [(4001, 1500, "own 4001 (1 in all)"), (1500, 4001, "opponent's 4001"), (0, 0, "2 in all")],
)
def test_the_history_names_the_number_that_is_out_of_range(
    own: float, opponent: float, says: str
) -> None:
    frozen = FrozenSide(opponent=opponent, score=1, own=own)
    (finding,) = findings(entries(replace(entry("d"), history=(frozen,))))
    assert finding.code == "player.history-range"
    assert says in finding.message


def test_more_stones_than_anybody_gives_matter_in_rated_games_only() -> None:
    unrated = game("a", "b", 4, handicap=13, white_rated=False, black_rated=False)
    assert "game.handicap" not in {finding.code for finding in findings(games(unrated))}


def test_a_report_with_several_faults_tells_them_all_the_gravest_first() -> None:
    report = replace(
        SOUND,
        entries=(*ENTRIES, entry("b"), entry("d", 9999)),
        games=(*GAMES, game("a", "x", 4), game("a", "c", 5, result=OPEN)),
    )
    found = findings(report)
    assert {finding.code for finding in found} == {
        "player.duplicate",
        "player.rating-range",
        "game.unknown-player",
        "game.unfinished",
    }
    assert [finding.severity for finding in found] == [ERROR, ERROR, ERROR, WARNING]


def test_births_after_the_event_are_told_before_other_warnings() -> None:
    late = [replace(entry(f"late{n}"), birth_date=date(2030, 1, 9)) for n in range(30)]
    report = entries(*late, replace(entry("d"), standing=Standing(rating=1500, games=5, wins=13)))
    told = [finding for finding in findings(report) if finding.severity is WARNING]
    births = [finding.code == "player.birth-date" for finding in told]
    assert births == sorted(births, reverse=True)
    assert set(births) == {True, False}
    assert sum(births) < len(late)
    assert "more players were born" in " ".join(finding.message for finding in told)


@pytest.mark.parametrize(
    "second",
    [
        # The same game with colours reversed and the result turned round: still the same game.
        game("b", "a", result=BLACK_WINS),
        game("a", "b"),
    ],
)
def test_a_game_twice_is_found_whatever_its_colours(second: Game) -> None:
    assert [finding.code for finding in findings(games(second))] == ["game.duplicate"]


@pytest.mark.parametrize(
    "second",
    [
        game("a", "b", 4),
        game("a", "b", None),
        game("a", "b", 1, section="B"),
        game("a", "b", 1, event="another"),
    ],
)
def test_a_second_game_of_a_pair_is_no_duplicate(second: Game) -> None:
    assert findings(games(second)) == []


def test_a_bye_needs_no_opponent() -> None:
    assert findings(games(game("a", None, 4, status=GameStatus.BYE))) == []


def test_a_substitute_s_player_must_be_known() -> None:
    (finding,) = check_report(games(game("a", "b", 4, white_for="x")))
    assert (finding.code, finding.where.player) == ("game.unknown-player", "x")


def test_players_of_one_name_are_told_apart_by_their_birth_dates() -> None:
    first, second = (
        replace(entry(player, name="Ada Ash"), birth_date=date(1990, 1, day))
        for player, day in (("d", 1), ("e", 2))
    )
    assert findings(entries(first, second)) == []


def test_several_open_games_are_one_finding() -> None:
    more = [game("a", "c", number, result=OPEN) for number in (4, 5, 6)]
    (finding,) = findings(games(*more))
    assert "3 in all" in finding.message


@pytest.mark.parametrize("rating", [fide_2009.rating_range[0], fide_2009.rating_range[1]])
def test_the_ends_of_the_range_are_within_it(rating: int) -> None:
    assert findings(entries(entry("d", rating))) == []


@pytest.mark.parametrize(
    ("day", "outside"),
    [
        (date(2009, 6, 30), True),
        (date(2009, 7, 1), False),
        (date(2011, 6, 30), False),
        (date(2011, 7, 1), True),
    ],
)
def test_validity_is_that_of_the_event_or_else_of_its_first_game(day: date, outside: bool) -> None:
    by_event = replace(SOUND, event=Event(start=day))
    by_games = replace(SOUND, event=Event(), games=(game("a", "b", start=day),))
    for report in (by_event, by_games):
        assert [f.code for f in findings(report)] == ["edition.outside-validity"] * outside


def test_the_place_of_a_game_keeps_what_the_reader_said() -> None:
    place = Place(file="f.trf", line=3, column=5, path="games[2]")
    made = replace(game("a", "b", 6, section="B"), place=place)
    assert place_of(made, "b") == Place("f.trf", 3, 5, "B", "b", 6, "games[2]")
    assert place_of(made).player == "a"


@pytest.mark.parametrize(
    ("result", "margins", "others"),
    [
        (Result.WHITE_WINS, (None, 0, 7), (-7,)),
        (Result.BLACK_WINS, (None, 0, -7), (7,)),
        (Result.DRAW, (None, 0), (-7, 7)),
        (Result.NONE, (None, 0, -7, 7), ()),
    ],
    ids=str,
)
def test_a_margin_goes_with_the_result(
    result: Result, margins: tuple[int | None, ...], others: tuple[int, ...]
):
    """A game may be won without a margin: by lot, or on time."""
    for margin in (*margins, *others):
        made = games(replace(game("a", "b", 4, margin=margin), result=result))
        codes = {finding.code for finding in check_report(made)}
        assert ("game.margin-of-other" in codes) == (margin in others)


def test_a_year_of_birth_is_looked_at_as_a_day_is() -> None:
    born = [replace(entry("d"), birth_year=year) for year in (2010, 2011)]
    told = [{each.code for each in check_report(entries(each))} for each in born]
    assert ["player.birth-date" in codes for codes in told] == [False, True]


@pytest.mark.parametrize("players", [1, 30])
def test_a_late_birth_is_told_before_other_warnings(players: int) -> None:
    """K and first ratings are made of it; a time control that was read may only be wrong."""
    born = [replace(entry(f"d{at}"), birth_year=2011) for at in range(players)]
    made = entries(*born)
    made = replace(made, event=replace(made.event, time_control="60/15"))
    codes = [each.code for each in check_report(made) if each.severity is WARNING]
    assert "event.time-control-read" in codes
    late = [code == "player.birth-date" for code in codes]
    assert any(late)
    assert late == sorted(late, reverse=True)


def test_two_rounds_with_the_same_colours_are_no_slip():
    both = games(*(replace(game("a", "b"), round=number) for number in (11, 12)))
    assert "game.repeated" not in {each.code for each in findings(both)}


def test_several_opponents_without_rounds_are_no_slip():
    """Only of one round can a player have two opponents too many."""
    several = [replace(game("a", each), round=None) for each in "bcd"]
    told = {each.code for each in findings(replace(SOUND, games=tuple(several)))}
    assert "game.two-in-round" not in told


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (["c"], "A player meets several opponents in one round; all games are rated: player a in"),
        (["c", "d"], "Players meet several opponents in one round; all games are rated: 2 cases,"),
    ],
)
def test_one_case_is_no_cases(seconds: list[str], said: str) -> None:
    more = [game("a", seconds[0], 1), *(game(each, "b", 1) for each in seconds[1:])]
    (told,) = [x for x in findings(games(*more)) if x.code == "game.two-in-round"]
    assert told.message.startswith(said)


def outside(played: Game, event: Event, *heads: SectionHead) -> list[str]:
    """What is said of a game that is outside the days of its event."""
    report = Report(event, ENTRIES, (*GAMES, played), section_heads=heads)
    return [x.message for x in check_report(report) if x.code == "game.outside-event"]


@pytest.mark.parametrize(
    ("start", "end", "is_outside"),
    [
        (date(2010, 1, 7), None, True), (None, date(2010, 1, 7), True),
        (date(2010, 1, 11), None, True), (None, date(2010, 1, 11), True),
        (date(2010, 1, 8), None, False), (date(2010, 1, 10), None, False),
        # An adjourned game, and one that began before its event was announced.
        (date(2010, 1, 10), date(2010, 1, 12), False),
        (date(2009, 12, 1), date(2010, 1, 9), False), (None, None, False),
    ],
)  # fmt: skip
def test_a_game_is_outside_its_event_with_all_of_its_days(start, end, is_outside):
    played = game("a", "b", 4, start=start, end=end)
    assert bool(outside(played, SOUND.event)) is is_outside


def test_the_days_are_those_of_the_section_where_it_has_some():
    head = SectionHead("B", start=date(2010, 2, 1), end=date(2010, 2, 2))
    played = game("a", "b", 4, section="B", start=date(2010, 2, 1))
    assert outside(played, SOUND.event, head) == []
    assert outside(replace(played, start=date(2010, 1, 9)), SOUND.event, head)


def test_of_an_event_with_one_day_known_that_one_is_told():
    played = game("a", "b", 4, start=date(2010, 3, 1))
    assert "up to 2010-01-10" in outside(played, Event(end=date(2010, 1, 10)))[0]
    assert "from 2010-03-02 on" in outside(played, Event(start=date(2010, 3, 2)))[0]
    assert outside(played, Event()) == []
    # A period with the games of many events has days in common, not those of each of them.
    assert outside(replace(played, event="Cup"), Event(end=date(2010, 1, 10))) == []
