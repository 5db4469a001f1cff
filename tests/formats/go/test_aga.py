"""AGA: the published example, every awkwardness of the format, and the way there and back."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ratingbook import formats
from ratingbook.formats.fide.trf.read import looks_like_trf
from ratingbook.formats.go.aga import looks_like_aga, read_aga, write_aga
from ratingbook.formats.go.h9 import looks_like_h9
from ratingbook.formats.go.tou import looks_like_tou
from ratingbook.formats.tools.text import decode
from ratingbook.formats.tools.written import Written
from ratingbook.formats.uschess.cross_table import looks_like_cross_table
from ratingbook.model import Entry, Event, Findings, Game, GameStatus, Report, Result, Severity
from tests.formats.go.reports import GRADES, NAMES, any_reports, bye, events, rounds_of, substance
from tests.formats.helpers import (
    LATIN_9,
    Edits,
    assert_sound,
    codes,
    damaged,
    edits,
    loaded_by,
    one,
    reader_of,
    refusal,
    with_code,
)

# The example of the American Go Association's page "Qualifications for Rated Games", with
# other players.
PUBLISHED = """\
TOURNEY Princeton Go Club Rated Games, Princeton, NJ, June 15-30, 2004
        start=6/15/2004
        finish=6/30/2004
        rules=AGA
PLAYERS
 489 Doe, Jo 4k
3199 Roe, Al     4k
GAMES
489 3199 b 0 7
3199 489 w 0 7
"""
# The words and tabs that OpenGotha writes.
OPENGOTHA = """\
Tourney\tOpen, Boston
\tstart=2020-03-06
\tfinish=2020-03-08
PLAYERS
489\tDoe, Jo\t4K
3199\tRoe, Al\t 1D
99999\tPoe, Xi\t12K

GAMES 1
3199\t489\tW\t4\t0

GAMES 2
489\t99999\tB\t0\t0

GAMES 3
3199\t489\t?\t0\t7


END
"""
FILE = "TOURNEY Open\nstart=3/6/2020\nfinish=3/8/2020\nPLAYERS\n12 Doe, Jo 3k\n34 Roe, Al 3k\n"

read = reader_of(read_aga, LATIN_9)


def games(*lines: str, heading: str = "GAMES 1") -> tuple[Report, Findings]:
    """What is read of these games of 12 and 34."""
    return read("\n".join([FILE + heading, *lines, ""]))


def player(line: str) -> tuple[Entry, Findings]:
    report, findings = read(FILE + line + "\nGAMES\n12 34 w 0 7\n")
    return report.entries[2], findings


# --- Whole files ------------------------------------------------------------------------------


def test_the_published_example() -> None:
    report, findings = read(PUBLISHED)
    event = report.event
    assert (event.name, event.place) == (
        "Princeton Go Club Rated Games",
        "Princeton, NJ, June 15-30, 2004",
    )
    assert (event.start, event.end) == (date(2004, 6, 15), date(2004, 6, 30))
    assert (event.komi, event.rounds) == (7.0, None)
    assert [(e.id, e.name, e.grade, e.ids) for e in report.entries] == [
        ("489", "Doe, Jo", "4k", {"aga": "489"}),
        ("3199", "Roe, Al", "4k", {"aga": "3199"}),
    ]
    assert [(g.white, g.black, g.result, g.handicap, g.round) for g in report.games] == [
        ("489", "3199", Result.BLACK_WINS, 0, None),
        ("3199", "489", Result.WHITE_WINS, 0, None),
    ]
    assert all(game.white_rated and game.black_rated for game in report.games)
    assert report.games[0].place.line == 9
    assert set(codes(findings)) == {"event.no-class"}


def test_what_opengotha_writes() -> None:
    report, findings = read(OPENGOTHA)
    assert (report.event.name, report.event.place) == ("Open", "Boston")
    assert (report.event.start, report.event.end) == (date(2020, 3, 6), date(2020, 3, 8))
    assert (report.event.rounds, report.event.komi) == (3, 7.0)
    assert [entry.grade for entry in report.entries] == ["4k", "1d", "12k"]
    assert [(g.round, g.white, g.black, g.result, g.handicap) for g in report.games] == [
        (1, "3199", "489", Result.WHITE_WINS, 4),
        # OpenGotha's handicap of 1 is no stone and no komi.
        (2, "489", "99999", Result.BLACK_WINS, 1),
        (3, "3199", "489", Result.NONE, 0),
    ]
    assert set(codes(findings)) == {"event.no-class", "aga.temporary"}


def test_the_file_is_recognised(tmp_path: Path) -> None:
    for text in (PUBLISHED, OPENGOTHA, "players:\n12 Doe, Jo 3k\nGames (w b winner handi komi)\n"):
        lines = decode(text.encode()).lines
        assert looks_like_aga(lines)
        others = (looks_like_h9, looks_like_tou, looks_like_trf, looks_like_cross_table)
        assert not any(looks_like(lines) for looks_like in others)


@pytest.mark.parametrize(
    "text",
    [
        "; EV[Open]\n  1 Doe Jo 3k DE Hamb 2+/w0\n",
        "012 Open\n042 2020/03/06\n",
        "PLAYERS\n1 Doe 2k\n",
        "TOURNEY Open\nGAMES\n1 2 w 0 7\n",
        "Players and games\nTourney of the tourneys\n",
        "Dear arbiter,\nall players and games follow.\n",
    ],
)
def test_other_files_are_not_taken_for_aga(text: str) -> None:
    assert not looks_like_aga(decode(text.encode()).lines)


def test_a_file_without_players_is_refused() -> None:
    refusal(read_aga(decode(b"TOURNEY Open\nPLAYERS\nGAMES\n")), "aga.no-players")


def test_a_report_without_games_is_named() -> None:
    one(read(FILE)[1], "aga.no-games", Severity.WARNING)


def test_text_around_the_report_is_named() -> None:
    report, findings = read(
        "Dear Jo,\n"
        + FILE.replace("start", "director=Xi\nstart")
        + "GAMES\n12 34 w 0 7\nEND\nBye!\n"
    )
    assert len(report.games) == 1
    message = one(findings, "aga.text", Severity.INFO).message
    assert all(text in message for text in ("Dear Jo,", "director=Xi", "Bye!"))


def test_comments() -> None:
    report, findings = games("12 34 w 0 7  # a walk-over?", "# 34 12 w 0 7")
    assert len(report.games) == 1
    assert set(codes(findings)) == {"event.no-class"}


def test_a_second_description_of_the_event() -> None:
    report, findings = read(FILE + "TOURNEY Other\nGAMES\n12 34 w 0 7\n")
    assert report.event.name == "Open"
    one(findings, "aga.repeated", Severity.INFO)


@pytest.mark.parametrize(
    ("start", "finish", "days"),
    [
        ("6/15/2004", "6/30/2004", (date(2004, 6, 15), date(2004, 6, 30))),
        ("2004-06-15", "2004-06-30", (date(2004, 6, 15), date(2004, 6, 30))),
        ("5/6/2004", "7/6/2004", (date(2004, 5, 6), date(2004, 7, 6))),
    ],
)
def test_dates(start: str, finish: str, days: tuple[date, date]) -> None:
    report, findings = read(FILE.replace("3/6/2020", start).replace("3/8/2020", finish))
    assert (report.event.start, report.event.end) == days
    assert not with_code(findings, "event.dates")


def test_dates_in_another_order_are_told() -> None:
    report, findings = read(FILE.replace("3/6/2020", "15/6/2004").replace("3/8/2020", "30/6/2004"))
    assert (report.event.start, report.event.end) == (date(2004, 6, 15), date(2004, 6, 30))
    one(findings, "event.dates", Severity.INFO)


def test_dates_that_go_back_or_are_missing() -> None:
    one(read(FILE.replace("3/8/2020", "3/1/2020"))[1], "event.dates", Severity.ERROR)
    one(read(FILE.replace("finish=3/8/2020\n", ""))[1], "event.no-dates", Severity.WARNING)


# --- Players ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "number", "name", "grade"),
    [
        ("56 Poe, Xi 3k", "56", "Poe, Xi", "3k"),
        ("0056\tPoe, Xi\t3K", "56", "Poe, Xi", "3k"),
        ("USA56 Poe, Xi 1d", "56", "Poe, Xi", "1d"),
        ("56 van der Poe,  Xi Al 1D", "56", "van der Poe, Xi Al", "1d"),
        ("56 Xi Poe 2p", "56", "Xi Poe", "2p"),
        ("56, Poe, Xi, 3k", "56", "Poe, Xi", "3k"),
        ("56 Poe 3k 4k", "56", "Poe 3k", "4k"),
    ],
)
def test_players(line: str, number: str, name: str, grade: str) -> None:
    entry, findings = player(line)
    assert (entry.id, entry.name, entry.grade) == (number, name, grade)
    assert entry.ids == {"aga": number}
    assert set(codes(findings)) == {"event.no-class"}


@pytest.mark.parametrize("number", ["99998", "90000", "123456", "TMP7", "0"])
def test_temporary_numbers(number: str) -> None:
    entry, findings = player(f"{number} Poe, Xi 3k")
    assert (entry.id, entry.ids) == (number, {})
    assert number in one(findings, "aga.temporary", Severity.INFO).message


@pytest.mark.parametrize(
    ("rating", "grade"), [("-3.5", "3k"), ("4.21", "4d"), ("+1.0", "1d"), ("-12.99", "12k")]
)
def test_ratings_in_place_of_ranks(rating: str, grade: str) -> None:
    entry, findings = player(f"56 Poe, Xi {rating}")
    assert (entry.name, entry.grade) == ("Poe, Xi", grade)
    one(findings, "aga.rank", Severity.INFO)


@pytest.mark.parametrize("rank", ["", "?", "35k", "-0.5", "12.0"])
def test_ranks_that_are_none(rank: str) -> None:
    entry, findings = player(f"56 Poe, Xi {rank}")
    assert (entry.name, entry.grade) == ("Poe, Xi", None)
    one(findings, "go.grade", Severity.WARNING)


def test_a_club_and_more_behind_the_rank() -> None:
    entry, findings = player("56 Poe, Xi 3k CLUB=MGA_2 b=1")
    assert (entry.club, entry.grade) == ("MGA 2", "3k")
    assert "b=1" in one(findings, "aga.unknown", Severity.INFO).message


def test_a_player_without_name() -> None:
    entry, findings = player("56 3k")
    assert (entry.name, entry.grade) == ("", "3k")
    one(findings, "go.name", Severity.WARNING)


@pytest.mark.parametrize("line", ["Poe, Xi 3k", "56", "1234567 Poe, Xi 3k", "x" * 3_000])
def test_a_line_that_is_no_player_refuses_the_report(line: str) -> None:
    _, findings = read(FILE + line + "\n")
    assert one(findings, "aga.player", Severity.ERROR).where.line == 7


def test_a_number_that_stands_twice_refuses_the_report() -> None:
    report, findings = read(FILE + "012 Poe, Xi 3k\n")
    assert len(report.entries) == 2
    one(findings, "player.duplicate", Severity.ERROR)


# --- Games ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "result", "handicap", "komi"),
    [
        ("12 34 w 0 7", Result.WHITE_WINS, 0, 7.0),
        ("12 34 B 0 7.5", Result.BLACK_WINS, 0, 7.5),
        ("12\t34\tWhite\t0\t5", Result.WHITE_WINS, 0, 5.0),
        ("12, 34, b, 3, 0", Result.BLACK_WINS, 3, None),
        ("12 34 b 2", Result.BLACK_WINS, 2, None),
        ("12 34 ? 0 7", Result.NONE, 0, 7.0),
        ("12 34 w 0 0", Result.WHITE_WINS, 1, None),
        ("12 34 w 1 0", Result.WHITE_WINS, 1, None),
        ("12 34 w 0 0.5", Result.WHITE_WINS, 1, None),
        ("12 34 w 1 7", Result.WHITE_WINS, 0, 7.0),
        ("12 34 w 1", Result.WHITE_WINS, 1, None),
    ],
)
def test_results_and_conditions(
    line: str, result: Result, handicap: int, komi: float | None
) -> None:
    report, findings = games(line)
    (game,) = report.games
    assert (game.white, game.black, game.round) == ("12", "34", 1)
    assert (game.result, game.handicap, report.event.komi) == (result, handicap, komi)
    assert set(codes(findings)) == {"event.no-class"}


@pytest.mark.parametrize("line", ["12 34 w 0 -5", "12 34 w 4 -20", "12 34 w 0 much"])
def test_other_komi_is_told(line: str) -> None:
    one(games(line)[1], "aga.komi", Severity.WARNING)


def test_the_komi_of_most_games_is_the_events() -> None:
    lines = ("12 34 w 0 7", "12 34 w 0 5", "34 12 w 0 7", "34 12 w 3 0")
    report, findings = games(*lines, heading="GAMES")
    assert report.event.komi == 7.0
    message = one(findings, "aga.komi", Severity.WARNING).message
    assert "1 games with 5, others with 7" in message


def test_games_without_handicap() -> None:
    report, findings = games("12 34 w")
    assert report.games[0].handicap == 0
    one(findings, "aga.handicap-missing", Severity.WARNING)


@pytest.mark.parametrize("stones", ["-1", "two", "1.5"])
def test_a_handicap_that_is_none_refuses_the_report(stones: str) -> None:
    one(games(f"12 34 w {stones} 0")[1], "game.handicap", Severity.ERROR)


@pytest.mark.parametrize("result", ["=", "1", "wb"])
def test_a_result_that_is_none_refuses_the_report(result: str) -> None:
    one(games(f"12 34 {result} 0 7")[1], "game.result", Severity.ERROR)


@pytest.mark.parametrize("line", ["12 34", "Doe Roe w 0 7", "12 w 0 7"])
def test_a_line_that_is_no_game_refuses_the_report(line: str) -> None:
    assert one(games(line)[1], "aga.game", Severity.ERROR).where.line == 8


def test_opponents_that_cannot_be() -> None:
    assert "56" in one(games("12 56 w 0 7")[1], "game.opponent", Severity.ERROR).message
    one(games("12 012 w 0 7")[1], "game.self", Severity.ERROR)


@pytest.mark.parametrize("heading", ["GAMES 2", "Games 2:", "games round 2", "GAMES 2 (w b)"])
def test_rounds(heading: str) -> None:
    report, _ = games("12 34 w 0 7", heading=heading)
    assert (report.games[0].round, report.event.rounds) == (2, 2)


def test_rounds_in_any_order() -> None:
    report, _ = read(FILE + "GAMES 2\n12 34 w 0 7\nGAMES\n34 12 b 0 7\nGAMES 1\n34 12 w 0 7\n")
    assert [game.round for game in report.games] == [1, 2, None]


def test_the_same_pairing_twice_in_a_round_refuses_the_report() -> None:
    report, findings = games("12 34 w 0 7", "34 12 b 0 7")
    assert len(report.games) == 1
    one(findings, "game.twice", Severity.ERROR)
    assert not games("12 34 w 0 7", "34 12 b 0 7", heading="GAMES")[1].refused


def test_numbers_that_are_no_rounds() -> None:
    report, findings = read(FILE + "56 Poe, Xi 3k\nGAMES 1\n12 34 w 0 7\n56 12 w 0 7\n")
    assert [game.round for game in report.games] == [None, None]
    assert "12 in round 1" in one(findings, "aga.rounds", Severity.WARNING).message


# --- Writing ----------------------------------------------------------------------------------

EVENT = Event("Open", "Boston", start=date(2020, 3, 6), end=date(2020, 3, 8), kind="swiss", komi=7)
DOE = Entry("12", name="Doe, Jo", grade="3k", ids={"aga": "12"})
ROE = Entry("b", name="Roe, Al", grade="1d")


def again(written: Written) -> tuple[Report, Findings]:
    """The report that is in the only file."""
    assert [*written.files] == [""]
    return read(written.files[""])


def write(*played: Game, entries: tuple[Entry, ...] = (DOE, ROE), **event: Any) -> Written:
    return write_aga(Report(replace(EVENT, **event), entries, played))


def win(number: int | None = 1, **more: Any) -> Game:
    return replace(Game("12", "b", Result.WHITE_WINS, round=number), **more)


def text(written: Written) -> str:
    return written.files[""].decode(LATIN_9)


def test_a_whole_file() -> None:
    written = write(win(), win(2, handicap=1, result=Result.NONE), win(2, white="b", black="12"))
    assert "GAMES 2" not in text(written)  # Two games of each in the second round.
    written = write(win(), win(2, handicap=1, result=Result.NONE), win(3, handicap=4))
    assert text(written).splitlines() == [
        "TOURNEY Open, Boston",
        "        start=3/6/2020",
        "        finish=3/8/2020",
        "PLAYERS",
        "    12 Doe, Jo 3k",
        " 99999 Roe, Al 1d",
        "GAMES 1",
        "    12  99999 w 0 7",
        "GAMES 2",
        "    12  99999 ? 0 0",
        "GAMES 3",
        "    12  99999 w 4 0",
        "END",
    ]
    assert written.ids == {"12": "12", "b": "99999"}
    assert codes(written.findings) == {
        "aga.no-number": Severity.WARNING,
        "aga.rules": Severity.INFO,
    }


@pytest.mark.parametrize("example", [PUBLISHED, OPENGOTHA])
def test_examples_come_back(example: str) -> None:
    report, _ = read(example)
    written = write_aga(report)
    assert all(old == new for old, new in written.ids.items())
    assert substance(again(written)[0]) == substance(report)


GO_SAMPLES = (
    "confucius2018_opengotha.xml",
    "hobby2015_macmahon_egd.txt",
    "ioct_2020_02_classD.h9",
    "juvisy2019.h9",
    "juvisy2019.tou",
    "macmahon39_synthetic.xml",
)


@pytest.mark.parametrize("name", GO_SAMPLES)
def test_every_sample_comes_back(reference: Path, name: str) -> None:
    """All of it but what the format has no place for, which is named here."""
    report = formats.read(reference / "samples" / "go" / name).report
    assert report is not None
    written = write_aga(report)
    back, findings = again(written)
    assert not findings.refused
    event = Event(
        name=report.event.name,
        place=report.event.place,
        start=report.event.start,
        end=report.event.end,
        kind="swiss",
        komi=float(int(report.event.komi or 7)),
        rounds=back.event.rounds,
    )
    entries = tuple(Entry(e.id, name=e.name, grade=e.grade) for e in report.entries)
    rated = tuple(game for game in report.games if game.black)
    assert substance(back) == substance(Report(event, entries, rated), written.ids)
    assert write_aga(back).files == written.files


@st.composite
def aga_reports(draw: st.DrawFn) -> Report:
    """Reports that the format can say whole."""
    numbers = draw(st.lists(st.integers(1, 89_999).map(str), max_size=4, unique=True))
    ids = [*numbers, *"abcde"[: draw(st.integers(0 if numbers else 1, 5))]]
    entries = tuple(
        Entry(
            player,
            name=draw(st.tuples(NAMES, NAMES).map(", ".join) | NAMES),
            grade=draw(GRADES),
            ids={"aga": player} if player in numbers else {},
        )
        for player in ids
    )
    played = [
        game for game in draw(rounds_of(ids)) if game.white_rated and game.result is not Result.DRAW
    ]
    if draw(st.booleans()):
        played = [replace(game, round=None) for game in played]
    has_even = any(game.handicap == 0 for game in played)
    event = replace(
        draw(events(st.sampled_from([5.0, 7.0]) if has_even else st.none())),
        rounds=max((game.round or 0 for game in played), default=0) or None,
    )
    return Report(event, entries, tuple(played))


@settings(deadline=None, max_examples=250, suppress_health_check=[HealthCheck.too_slow])
@given(aga_reports())
def test_what_is_written_is_read_as_it_was(report: Report) -> None:
    written = write_aga(report)
    assert looks_like_aga(decode(written.files[""]).lines)
    back, findings = again(written)
    assert not findings.refused
    assert substance(back) == substance(report, written.ids)
    assert write_aga(back).files == written.files


@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(any_reports())
def test_any_report_is_written_to_a_sound_file(report: Report) -> None:
    # An event that ends before it starts is refused where it is read, as it should be.
    start, end = report.event.start, report.event.end
    assume(start is None or end is None or start <= end)
    written = write_aga(report)
    assert all(finding.message and finding.remedy for finding in written.findings)
    back, findings = again(written)
    assert_sound(back, findings)
    assert not findings.refused
    assert {entry.id for entry in back.entries} == {written.ids[e.id] for e in report.entries}
    known = {entry.id for entry in report.entries}
    never = (GameStatus.FORFEIT, GameStatus.CANCELLED, GameStatus.BYE)
    rated = [
        game
        for game in report.games
        if {game.white, game.black} <= known
        and game.white != game.black
        and (game.white_rated or game.black_rated)
        and game.status not in never
        and game.result is not Result.DRAW
    ]
    assert len(back.games) == len(rated)


def test_own_numbers_and_temporary_ones() -> None:
    entries = (
        DOE,
        replace(ROE, id="x", ids={"aga": "12"}),  # Stands with Doe too.
        replace(ROE, id="489", ids={}),  # A place in another file, not a number of the AGA.
        replace(ROE, id="99999", ids={}),
        replace(ROE, id="y", ids={"aga": "97000"}),
    )
    written = write(entries=entries)
    assert written.ids == {
        "12": "12", "x": "99998", "489": "99997", "99999": "99999", "y": "99996",
    }  # fmt: skip
    assert "(3 in all)" in one(written.findings, "aga.no-number", Severity.WARNING).message


def test_more_players_than_temporary_numbers() -> None:
    entries = tuple(replace(ROE, id=f"p{n}") for n in range(10_002))
    written = write(entries=entries)
    assert [*written.ids.values()][-3:] == ["90000", "100000", "100001"]
    assert len(set(written.ids.values())) == 10_002


@pytest.mark.parametrize(
    "change",
    [
        {"result": Result.DRAW},
        {"status": GameStatus.FORFEIT, "white_rated": False, "black_rated": False},
        {"white_rated": False, "black_rated": False},
        {"status": GameStatus.CANCELLED},
        {"black": "nobody"},
    ],
)
def test_games_that_have_no_place(change: dict[str, Any]) -> None:
    written = write(win(**change))
    one(written.findings, "aga.left-out", Severity.WARNING)
    assert again(written)[0].games == ()


def test_byes_have_no_place() -> None:
    one(write(bye("12", 1, Result.DRAW)).findings, "aga.left-out", Severity.WARNING)


def test_a_game_that_is_rated_for_one_side() -> None:
    written = write(win(white_rated=False))
    one(written.findings, "go.one-side", Severity.WARNING)
    assert len(again(written)[0].games) == 1


@pytest.mark.parametrize(
    ("komi", "line", "code"),
    [
        (7.0, "w 0 7", None),
        (7.5, "w 0 7", "aga.half-point"),
        (5.5, "w 0 5", "aga.half-point"),
        (None, "w 0 7", "aga.no-komi"),
        (0.5, "w 0 7", "aga.no-komi"),
        (float("nan"), "w 0 7", "aga.no-komi"),
        (1e300, "w 0 7", "aga.no-komi"),
    ],
)
def test_the_komi_of_even_games(komi: float | None, line: str, code: str | None) -> None:
    written = write(win(), komi=komi)
    assert line in text(written)
    told = [each for each in codes(written.findings) if each in ("aga.half-point", "aga.no-komi")]
    assert told == ([code] if code else [])


@pytest.mark.parametrize(
    ("name", "back"),
    [
        ("Doe # Jo", "Doe Jo"),
        ("Doe,", "Doe"),
        (",Jo", "Jo"),
        ("Doe\nPLAYERS\n7 Poe, Xi 3k", "Doe PLAYERS 7 Poe, Xi 3k"),
        ("x" * 300, "x" * 120),
    ],
)
def test_names_that_would_be_misread_are_changed(name: str, back: str) -> None:
    written = write(win(), entries=(replace(DOE, name=name), ROE))
    assert again(written)[0].entry("12").name == back
    assert len(again(written)[0].entries) == 2


@pytest.mark.parametrize("name", ["Doe#, Jo", "Doe,", "x" * 300])
def test_changed_names_are_told(name: str) -> None:
    written = write(win(), entries=(replace(DOE, name=name), ROE))
    one(written.findings, "aga.name", Severity.WARNING)


def test_a_comma_in_the_events_name() -> None:
    written = write(win(), name="Open, Section A")
    one(written.findings, "aga.name", Severity.WARNING)
    event = again(written)[0].event
    assert (event.name, event.place) == ("Open; Section A", "Boston")


def test_what_a_player_may_lack() -> None:
    written = write(win(), entries=(replace(DOE, name="", grade=None), ROE))
    one(written.findings, "aga.grade", Severity.WARNING)
    one(written.findings, "go.name", Severity.WARNING)
    entry = again(written)[0].entry("12")
    assert (entry.name, entry.grade) == ("", None)


def test_what_the_event_may_lack() -> None:
    written = write_aga(Report(Event(), (DOE, ROE), (win(),)))
    message = one(written.findings, "aga.incomplete", Severity.WARNING).message
    assert "the start; the finish; the name" in message
    assert again(written)[0].event.name is None


def test_rounds_that_are_none() -> None:
    for played in ((win(), win()), (win(), win(10_000))):
        written = write(*played)
        one(written.findings, "aga.no-rounds", Severity.WARNING)
        report, findings = again(written)
        assert [game.round for game in report.games] == [None, None]
        assert not findings.refused


def test_a_hundred_stones() -> None:
    written = write(win(handicap=100))
    one(written.findings, "go.stones", Severity.WARNING)
    assert again(written)[0].games[0].handicap == 99


def test_letters_outside_of_latin_9() -> None:
    written = write(win(), entries=(replace(DOE, name="Doeł, Jo"), ROE))
    one(written.findings, "go.encoding", Severity.WARNING)
    assert again(written)[0].entry("12").name == "Doeł, Jo"


# --- Anything at all --------------------------------------------------------------------------


def test_the_import_is_light() -> None:
    assert not {"defusedxml", "typer", "rich", "numpy"} & loaded_by("ratingbook.formats.go.aga")


@pytest.mark.parametrize(
    "line",
    [
        "1 " + "a " * 45_000,
        "1 2 " + "," * 90_000,
        "GAMES " + " " * 90_000 + "x",
        "1" * 90_000,
        "PLAYERS\nx" + "\t" * 90_000 + "y",
    ],
)
def test_hostile_lines_are_read_in_no_time(line: str) -> None:
    lines = decode("\n".join([FILE, *[line] * 5, "GAMES", *[line] * 5]).encode())
    begun = time.process_time()
    looks_like_aga(lines.lines)
    read_aga(lines)
    assert time.process_time() - begun < 3


EDITS = edits(b" ", b"\n", b"GAMES 1", b"12", b"PLAYERS\n", b"#", b"?", b"=", b"END\n", most=8)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.sampled_from([PUBLISHED, OPENGOTHA]), changes=EDITS)
def test_damaged_files_are_read_or_refused(text: str, changes: Edits) -> None:
    decoded = decode(damaged(text.encode(), changes), legacy=LATIN_9)
    looks_like_aga(decoded.lines)
    assert_sound(*read_aga(decoded))


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["TOURNEY", "PLAYERS", "GAMES 1", "GAMES", "END", "12 Doe 3k", "34 Roe 1d"])
        | st.text("01234 wbkd?-.#,TMP=", max_size=25)
        | st.text(max_size=60),
        max_size=12,
    )
)
def test_any_lines_are_read_or_refused(lines: list[str]) -> None:
    assert_sound(*read_aga(decode("\n".join(lines).encode())))


TEMPLATE = """TOURNAMENT Sample Spring Open
    start=4/18/2026
    finish=4/19/2026
    location=Sampleville, MD
    rules=AGA

PLAYERS
12 Doe, Jo 3k
34 Roe, Al 3k

GAMES 1
WHITE BLACK WINNER HANDICAP KOMI
12 34 w 0 7
END
"""


def test_the_template_of_the_association() -> None:
    report, findings = read(TEMPLATE)
    event = report.event
    assert (event.name, event.place) == ("Sample Spring Open", "Sampleville, MD")
    assert (event.start, event.end) == (date(2026, 4, 18), date(2026, 4, 19))
    assert [(game.white, game.black) for game in report.games] == [("12", "34")]
    assert not findings.refused
    assert "aga.text" not in {finding.code for finding in findings}
