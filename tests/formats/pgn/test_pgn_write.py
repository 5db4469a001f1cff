"""Reports written as PGN; all players are invented."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.formats import read
from ratingbook.formats.pgn import looks_like_pgn, read_pgn
from ratingbook.formats.pgn.write import write_pgn
from ratingbook.formats.tools.text import decode
from ratingbook.formats.tools.written import Written
from ratingbook.model import (
    Entry,
    Event,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
    Standing,
)
from tests.formats.helpers import codes, one

DAY = date(2011, 12, 3)
EVENT = Event(
    name="Club Open",
    place="Exampleton",
    federation="IRL",
    start=DAY,
    end=DAY,
    kind="swiss",
    time_control="90+30",
    rounds=5,
)
DOE = Entry("1", "Doe, Jo", standing=Standing(2100), title="FM", federation="IRL")
ROE = Entry("2", "Roe, Ro")


def report(*games: Game, entries: Sequence[Entry] = (DOE, ROE), event: Event = EVENT) -> Report:
    return Report(event, tuple(entries), games)


def game(white: str = "1", black: str | None = "2", /, **more: Any) -> Game:
    known = Game(white, black, Result.WHITE_WINS, round=1, start=DAY)
    return replace(known, **more)


def text_of(written: Written) -> str:
    return written.files[""].decode()


def read_again(written: Written) -> tuple[Report, Findings]:
    decoded = decode(written.files[""])
    assert looks_like_pgn(decoded.lines)
    again, findings = read_pgn(decoded)
    assert again is not None, list(findings)
    return again, findings


def plain(of: Report, ids: dict[str, str] | None = None) -> Report:
    """The report without places, with players called as ``ids`` say."""
    ids = ids or {}
    return replace(
        of,
        entries=tuple(replace(e, id=ids.get(e.id, e.id), place=Place()) for e in of.entries),
        games=tuple(
            replace(
                g,
                white=ids.get(g.white, g.white),
                black=ids.get(g.black or "", g.black),
                place=Place(),
            )
            for g in of.games
        ),
    )


def test_the_export_format():
    written = write_pgn(report(game(), game("2", "1", round=2, result=Result.DRAW)))
    assert list(written.findings) == []
    assert text_of(written) == (
        '[Event "Club Open"]\n[Site "Exampleton"]\n[Date "2011.12.03"]\n[Round "1"]\n'
        '[White "Doe, Jo"]\n[Black "Roe, Ro"]\n[Result "1-0"]\n'
        '[EventCountry "IRL"]\n[EventDate "2011.12.03"]\n[EventRounds "5"]\n'
        '[EventType "swiss"]\n[TimeControl "5400+30"]\n[WhiteElo "2100"]\n[WhiteFed "IRL"]\n'
        '[WhiteTitle "FM"]\n\n1-0\n\n'
        '[Event "Club Open"]\n[Site "Exampleton"]\n[Date "2011.12.03"]\n[Round "2"]\n'
        '[White "Roe, Ro"]\n[Black "Doe, Jo"]\n[Result "1/2-1/2"]\n'
        '[BlackElo "2100"]\n[BlackFed "IRL"]\n[BlackTitle "FM"]\n'
        '[EventCountry "IRL"]\n[EventDate "2011.12.03"]\n[EventRounds "5"]\n'
        '[EventType "swiss"]\n[TimeControl "5400+30"]\n\n1/2-1/2\n\n'
    )
    assert written.ids == {"1": "Doe, Jo", "2": "Roe, Ro"}
    again, _ = read_again(written)
    assert plain(again) == plain(
        report(game(), game("2", "1", round=2, result=Result.DRAW)), dict(written.ids)
    )


def test_an_event_of_which_nothing_is_known():
    bare = Game("1", "2")
    written = write_pgn(report(bare, event=Event(), entries=[Entry("1"), Entry("2")]))
    assert text_of(written) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n'
        '[White "(1)"]\n[Black "(2)"]\n[Result "*"]\n\n*\n\n'
    )
    one(written.findings, "pgn.name", Severity.WARNING)


def test_strings_are_escaped_and_hold_no_second_line():
    name = 'Doe "Jo" \\ [x]\n[Result "0-1"] {;%'
    written = write_pgn(report(game(), entries=[replace(DOE, name=name), ROE]))
    assert '[White "Doe \\"Jo\\" \\\\ [x] [Result \\"0-1\\"] {;%"]' in text_of(written)
    again, findings = read_again(written)
    assert again.entries[0].name == " ".join(name.split())
    assert again.games[0].result is Result.WHITE_WINS
    assert not findings.refused


@pytest.mark.parametrize(
    ("name", "encoding", "told"),
    [
        ("Doe, Jo", "ascii", False),
        ("Müller, José", "iso-8859-1", False),
        ("Łęcka, Jo", "utf-8", True),
        ("Ã©, these two letters would be one in UTF-8", "utf-8", True),
    ],
)
def test_the_encoding(name, encoding, told):
    written = write_pgn(report(game(), entries=[replace(DOE, name=name), ROE]))
    assert f'[White "{name}"]'.encode(encoding) in written.files[""]
    assert ("pgn.encoding" in codes(written.findings)) is told
    assert read_again(written)[0].entries[0].name == name


def test_long_texts_are_cut():
    written = write_pgn(report(game(), event=replace(EVENT, name="x" * 300)))
    one(written.findings, "pgn.cut", Severity.WARNING)
    assert f'[Event "{"x" * 255}"]' in text_of(written)


@pytest.mark.parametrize("status", GameStatus)
@pytest.mark.parametrize("result", Result)
def test_how_games_ended(status, result):
    if status is GameStatus.BYE:
        return
    rated = status not in (GameStatus.FORFEIT, GameStatus.CANCELLED)
    one_game = game(status=status, result=result, white_rated=rated, black_rated=rated)
    again, findings = read_again(write_pgn(report(one_game)))
    (read,) = again.games
    assert (read.status, read.result, read.white_rated) == (status, result, rated)
    assert not findings.refused


def test_byes_have_no_place():
    bye = game("2", None, status=GameStatus.BYE, white_rated=False, black_rated=False)
    written = write_pgn(report(game(), bye))
    assert text_of(written).count("[Event ") == 1
    assert list(written.findings) == []
    none = write_pgn(report(bye))
    assert none.files == {}
    one(none.findings, "pgn.no-games", Severity.ERROR)


@pytest.mark.parametrize("odd", [game("1", "1"), game("1", "9"), game("9", "2")])
def test_games_that_nobody_can_have_played(odd):
    written = write_pgn(report(game(), odd))
    one(written.findings, "pgn.left-out", Severity.ERROR)
    assert written.files == {}


# Players


def test_fide_ids_of_all_players_are_their_ids():
    entries = [
        replace(DOE, ids={"fide": "90000001"}),
        Entry("2", "Doe, Jo", ids={"fide": "090000002"}),
        Entry("3", ids={"fide": "90000003"}),
    ]
    written = write_pgn(report(game(), game("2", "3", round=2), entries=entries))
    assert list(written.findings) == []
    assert written.ids == {"1": "90000001", "2": "90000002", "3": "90000003"}
    again, findings = read_again(written)
    assert [(e.id, e.name) for e in again.entries] == [
        ("90000001", "Doe, Jo"),
        ("90000002", "Doe, Jo"),
        ("90000003", ""),
    ]
    assert not findings.refused


@pytest.mark.parametrize(
    ("names", "written_as"),
    [
        (("Doe, Jo", "Doe, Jo"), ("Doe, Jo (1)", "Doe, Jo (2)")),
        (("BYE", "Roe, Ro"), ("BYE (1)", "Roe, Ro")),
        (("?", "NN"), ("(1)", "(2)")),
        (("x" * 300, "x" * 299), ("x" * 242 + " (1)", "x" * 242 + " (2)")),
    ],
)
def test_names_that_do_not_tell_who_it_is(names, written_as):
    entries = [Entry(str(n), name) for n, name in enumerate(names, 1)]
    written = write_pgn(report(game(), entries=entries))
    one(written.findings, "pgn.name", Severity.WARNING)
    assert tuple(written.ids.values()) == written_as
    assert tuple(e.id for e in read_again(written)[0].entries) == written_as


def test_a_name_with_an_id_is_not_that_of_another():
    entries = [Entry("1", "Doe"), Entry("2", "Doe"), Entry("3", "Doe (1)")]
    written = write_pgn(report(game(), game("2", "3"), entries=entries))
    assert list(written.ids.values()) == ["Doe (1) 2", "Doe (2)", "Doe (1)"]


@pytest.mark.parametrize("ids", [("90000001", "90000001"), ("abc", "90000002"), ("", "90000002")])
def test_fide_ids_that_tell_nobody_apart(ids):
    entries = [replace(e, ids={"fide": i}) for e, i in zip((DOE, ROE), ids, strict=True)]
    written = write_pgn(report(game(), entries=entries))
    assert ("pgn.fide-id" in codes(written.findings)) is bool(ids[0])
    assert written.ids == {"1": "Doe, Jo", "2": "Roe, Ro"}
    assert len(read_again(written)[0].entries) == 2


@pytest.mark.parametrize(
    ("rating", "tag", "told"),
    [
        (2100, '[WhiteElo "2100"]', False),
        (2100.4, '[WhiteElo "2100"]', True),
        (2100.5, '[WhiteElo "2101"]', True),
        (0, None, True),
        (-5, None, True),
        (5, None, True),
        (9999.7, None, True),
        (float("nan"), None, True),
        (None, None, False),
    ],
)
def test_ratings(rating, tag, told):
    entries = [replace(DOE, standing=Standing(rating)), ROE]
    written = write_pgn(report(game(), entries=entries))
    assert re.findall(r"\[WhiteElo .*\]", text_of(written)) == ([tag] if tag else [])
    assert ("pgn.rating" in codes(written.findings)) is told
    read_again(written)


def test_ratings_of_single_games():
    games = (game(), game("2", "1", round=2, black_rating=2120.0))
    again, _ = read_again(write_pgn(report(*games)))
    assert again.entries[0].standing == Standing(2100)
    assert [g.black_rating for g in again.games] == [None, 2120]


@pytest.mark.parametrize(
    ("control", "told"), [("G/90;d5", True), ("40/120,SD/60;+30", False), ("", False)]
)
def test_time_controls(control, told):
    written = write_pgn(report(game(), event=replace(EVENT, time_control=control)))
    assert ("pgn.time-control" in codes(written.findings)) is told
    assert read_again(written)[0].event.time_control == (None if told else control or None)


def test_files_of_the_field_are_written_and_read_again(reference):
    """Reports that other programs made: every game of two players arrives."""
    files = [*(reference / "samples" / "trf").glob("*.t*")]
    assert len(files) > 10
    for path in files:
        first = read(path).report
        assert first is not None
        again, _ = read_again(write_pgn(first))
        assert len(again.games) == sum(g.black is not None for g in first.games), path.name


# Anything

WORDS = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters="?-:*()"),
    min_size=1,
    max_size=9,
)
NAMES = st.tuples(WORDS, WORDS).map(lambda words: f"{words[0]}, {words[1]}x")
DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))
CONTROLS = st.sampled_from([None, "90+30", "G/5", "40/120,SD/60", "40/90,SD/30;+30"])


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Reports of what the format can say: games of one or several events, nothing twice."""
    names = draw(st.lists(NAMES, min_size=2, max_size=6, unique_by=str.casefold))
    numbers = draw(
        st.lists(st.integers(1, 10**8), min_size=len(names), max_size=len(names), unique=True)
    )
    by_id: bool = draw(st.booleans())
    entries = [
        Entry(
            str(number) if by_id else name,
            name,
            federation=draw(st.sampled_from([None, "IRL", "USA"])),
            title=draw(st.sampled_from([None, "GM", "WFM"])),
            team=draw(st.none() | WORDS),
            ids={"fide": str(number)} if by_id else {},
            standing=draw(st.none() | st.integers(10, 9999).map(Standing)),
        )
        for name, number in zip(names, numbers, strict=True)
    ]
    several: bool = draw(st.booleans())
    games: list[Game] = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        order: list[Entry] = draw(st.permutations(entries))
        for white, black in zip(order[::2], order[1::2], strict=False):
            games.append(_game(draw, number, white, black, several))
    event = draw(_events())
    if len({g.event for g in games}) > 1:
        event = replace(event, name=None, start=None)
    else:
        games = [replace(g, event=None) for g in games]
    return Report(event, tuple(entries), tuple(games))


def _game(draw: st.DrawFn, number: int, white: Entry, black: Entry, several: bool) -> Game:
    status: GameStatus = draw(st.sampled_from([s for s in GameStatus if s is not GameStatus.BYE]))
    rated = status not in (GameStatus.FORFEIT, GameStatus.CANCELLED)
    start = draw(st.none() | DAYS)
    return Game(
        white.id,
        black.id,
        draw(st.sampled_from(Result)),
        status,
        number,
        draw(st.none() | WORDS),
        draw(st.sampled_from(["Cup", "Open"])) if several else None,
        start=start,
        end=draw(st.none() | st.just(start)),
        white_rated=rated,
        black_rated=rated,
    )


@st.composite
def _events(draw: st.DrawFn) -> Event:
    return Event(
        name=draw(WORDS),
        place=draw(WORDS),
        federation=draw(st.sampled_from([None, "IRL"])),
        start=draw(DAYS),
        kind=draw(st.sampled_from([None, "swiss", "round_robin", "match", "team", "knockout"])),
        time_control=draw(CONTROLS),
        rounds=draw(st.none() | st.integers(1, 999)),
    )


def _id(entry: Entry) -> str:
    return entry.id


@settings(max_examples=150, deadline=None)
@given(reports())
def test_what_is_written_is_read_again(first):
    written = write_pgn(first)
    assert not written.findings.refused
    again, findings = read_again(written)
    assert not findings.refused
    played = {p for g in first.games for p in (g.white, g.black)}
    assert sorted(plain(again).entries, key=_id) == sorted(
        (e for e in first.entries if e.id in played), key=_id
    )
    assert again.games == tuple(
        replace(g, place=r.place) for g, r in zip(first.games, again.games, strict=True)
    )
    days = [g.end or g.start for g in first.games if g.end or g.start]
    several = len({g.event for g in first.games}) > 1
    end = None if several else max(filter(None, days), default=None)
    assert again.event == replace(first.event, end=end)
    assert plain(read_again(write_pgn(again))[0]) == plain(again)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text(st.characters(), max_size=20), min_size=1, max_size=4, unique=True),
    st.text(st.characters(), max_size=300),
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.none() | st.integers(0, 4),
            st.sampled_from(Result),
            st.sampled_from(GameStatus),
            st.none() | st.integers(-1, 10**9),
            st.none() | st.floats(),
        ),
        max_size=6,
    ),
)
def test_any_report_is_written_or_refused(ids, text, games):
    entries = [Entry(i, text[n : n + 30], ids={"fide": i}) for n, i in enumerate(ids)]
    played = [
        Game(
            ids[w % len(ids)],
            None if b is None else ids[b % len(ids)],
            result,
            status,
            number,
            text[:9],
            white_rating=rating,
        )
        for w, b, result, status, number, rating in games
    ]
    event = Event(text, text, text, kind=text, time_control=text, rounds=10**9)
    written = write_pgn(Report(event, tuple(entries), tuple(played)))
    assert bool(written.files) != written.findings.refused
    assert all(finding.message and finding.remedy for finding in written.findings)
    if written.files:
        again, _ = read_again(written)
        assert {e.id for e in again.entries} == set(written.ids.values())
