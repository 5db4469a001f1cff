"""Converted and rated again: the same ratings, or what changes is said first and by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from ratingbook.engine.carried import books_for, ratings_changed
from ratingbook.engine.rate import rate
from ratingbook.formats import read_bytes
from ratingbook.formats.catalogue import FORMATS, TARGETS
from ratingbook.formats.convert import converted
from ratingbook.model import Findings, Report, Severity, Standing
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries
from tests.formats.corpus import Corpus, Sample
from tests.formats.go.test_h9_write import h9_reports
from tests.formats.helpers import one, with_code

_LARGEST = 12_000


def ratings(report: Report, book: BookOrSeries, ids: Mapping[str, str]) -> object:
    """Every new rating by player and section; None where the report is refused."""
    rating = rate(report, book)
    if rating.findings.refused:
        return None
    return {
        (ids.get(each.row.id, each.row.id), each.row.section): each.row.after
        for each in rating.rows
        if each.row.games
    }


def check_pair(report: Report, key: str, books: list[BookOrSeries]) -> bool:
    """Convert, rate both, and compare; whether a file was written."""
    target = TARGETS[key]
    files, findings = converted(
        report, target, lambda old, new, ids: ratings_changed(old, new, ids, books)
    )
    if not files:
        assert findings.refused
        return False
    again = Sample("", files).read().report
    assert again is not None
    ids = target.write(report).ids
    told = {finding.message.split(",")[0] for finding in with_code(findings, "convert.rated")}
    for book in books:
        before, after = ratings(report, book, ids), ratings(again, book, {})
        if before is None:
            continue
        assert (before == after) == (f"Rated with {book.name}" not in told), (key, before, after)
    if told:
        assert next(iter(findings)).code == "convert.rated"
    return True


@pytest.fixture(scope="module")
def samples(reference: Path) -> list[tuple[Sample, Report, list[BookOrSeries]]]:
    small = [
        sample
        for sample in Corpus(reference, 0)._originals
        if sum(map(len, sample.files.values())) < _LARGEST
    ]
    pairgoth = next(sample.read().report for sample in small if sample.name == "pairgoth")
    assert pairgoth is not None
    # Of these formats no original is small enough to be rated for every other one.
    small += [Sample(key, converted(pairgoth, TARGETS[key])[0]) for key in ("aga", "xlsx")]
    small.append(Sample("opengotha", {"": opengotha(60, 0)}))
    found = []
    for sample in small:
        reading = sample.read()
        if reading.report is not None and not reading.findings.refused:
            found.append((sample, reading.report, books_for(reading.report, reading.game)))
    return found


def test_every_reader_is_among_them(
    samples: list[tuple[Sample, Report, list[BookOrSeries]]],
) -> None:
    """What no reader can give a report of here is named."""
    found = {sample.read().format for sample, _, _ in samples}
    # Papi, Swiss-Manager's own file and some of Vega's are only named, and nobody may give away a
    # real cross table of US Chess.
    readers = {each.name for each in FORMATS.values() if each.reader}
    named = {"Papi", "Swiss-Manager, own file", "Vega, other files"}
    assert readers - found == {*named, "US Chess cross table"}


@pytest.mark.parametrize("key", TARGETS)
def test_all_samples_to_every_format(
    samples: list[tuple[Sample, Report, list[BookOrSeries]]], key: str
) -> None:
    written = sum(check_pair(report, key, books) for _, report, books in samples)
    assert written > 5


@pytest.mark.slow
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(h9_reports())
def test_invented_reports_to_every_format(report: Report) -> None:
    for key in TARGETS:
        check_pair(report, key, [registry.load("egf")])


PGN = """[Event "Nowhere"]
[Date "2024.01.{n:02}"]
[Round "{n}"]
[White "Ann"]
[Black "Bert"]
[Result "1-0"]
[WhiteElo "2000"]
[BlackElo "2000"]
[Termination "{how}"]

1. e4 e5 1-0

"""


def converted_and_judged(data: bytes, key: str) -> tuple[Report, Report, Findings]:
    reading = read_bytes(data)
    assert reading.report is not None
    books = books_for(reading.report, reading.game)
    files, findings = converted(
        reading.report, TARGETS[key], lambda a, b, ids: ratings_changed(a, b, ids, books)
    )
    again = read_bytes(files[""]).report
    assert again is not None
    return reading.report, again, findings


def guests(**said: Any) -> Report:
    """Two players, of whom one has a number of US Chess."""
    one, other = ({"rating": 1665, **said}, {"rating": 1436}) if said else ({}, {})
    document = {
        "ratingbook": "report/1",
        "event": {"name": "Match", "start": "2024-03-01", "end": "2024-03-01"},
        "players": [
            {"id": "1", "name": "Ann", "ids": {"uscf": "22529129"}, "standing": one},
            {"id": "2", "name": "Bob", "birth_date": "1955-06-08", "standing": other},
        ],
        "games": [{"round": n, "white": "2", "black": "1", "result": "0-1"} for n in range(1, 5)],
    }
    report = read_bytes(json.dumps(document).encode(), registry.load("fide").standing_fields).report
    assert report is not None
    return report


@pytest.mark.parametrize("key", ["trf26", "pgn"])
def test_a_guest_with_a_number_of_another_register_makes_it_none_of_that_alone(key: str) -> None:
    """The K of who has reached 2400 is lost, and with it the new rating by FIDE."""
    report = guests(reached_2400=True)
    books = books_for(report, None)
    assert [book.name for book in books] == ["fide", "uscf"]
    _, findings = converted(
        report, TARGETS[key], lambda old, new, ids: ratings_changed(old, new, ids, books)
    )
    told = [finding.message for finding in with_code(findings, "convert.rated")]
    assert any(message.startswith("Rated with fide") for message in told)


def test_an_event_of_one_register_is_that_registers() -> None:
    report = guests()
    numbered = tuple(replace(each, ids={"uscf": each.id * 8}) for each in report.entries)
    own = replace(report, entries=numbered)
    assert [book.name for book in books_for(own, None)] == ["uscf"]
    reached = tuple(
        replace(each, standing=Standing(1500, extra={"reached_2400": True})) for each in numbered
    )
    both = [book.name for book in books_for(replace(own, entries=reached), None)]
    assert both == ["fide", "uscf"]
    graded = tuple(replace(each, grade="3k") for each in report.entries)
    assert "fide" not in {x.name for x in books_for(replace(report, entries=graded), None)}


@pytest.mark.parametrize("key", ["trf16", "trf26"])
def test_a_game_that_was_abandoned_stays_unrated(key: str) -> None:
    text = PGN.format(n=1, how="Normal") + PGN.format(n=2, how="Abandoned")
    before, after, findings = converted_and_judged(text.encode(), key)
    book = registry.load("fide-2022")
    games = [[each.row.games for each in rate(report, book).rows] for report in (before, after)]
    assert games == [[1, 1], [1, 1]]
    assert not with_code(findings, "convert.rated")


def opengotha(basic: int, fischer: int) -> bytes:
    players = "".join(
        f'<Player name="{n}" firstName="X" country="FR" egfPin="9900000{i}" rank="{r}" '
        f'rating="{2100 - 100 * i}" ratingOrigin="EGF" registeringStatus="FIN" grade="{r}" '
        f'participating="1"/>'
        for i, (n, r) in enumerate((("Ann", "1D"), ("Bert", "1K")))
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><Tournament dataVersion="201">'
        f"<Players>{players}</Players><Games>"
        '<Game blackPlayer="BERTX" handicap="0" knownColor="true" result="RESULT_WHITEWINS" '
        'roundNumber="1" tableNumber="1" whitePlayer="ANNX"/></Games>'
        "<TournamentParameterSet><GeneralParameterSet "
        f'basicTime="{basic}" beginDate="2024-01-06" complementaryTimeSystem="FISCHER" '
        f'fischerTime="{fischer}" endDate="2024-01-07" name="Nowhere" numberOfRounds="1" '
        'size="19"/></TournamentParameterSet></Tournament>'
    ).encode()


def test_the_class_that_follows_from_the_time_limit_is_written() -> None:
    """40 minutes and 20 seconds a move are class B (basic 30 with Fischer, adjusted 50)."""
    _, after, findings = converted_and_judged(opengotha(40, 20), "h9")
    assert after.event.class_ == "B"
    assert not with_code(findings, "convert.rated")


def test_an_event_that_is_too_fast_is_not_rated_afterwards_in_silence() -> None:
    """15 minutes and 15 seconds a move are no class; what h9 keeps of it is class C."""
    before, _, findings = converted_and_judged(opengotha(15, 15), "h9")
    assert not [row for row in rate(before, registry.load("egf")).rows if row.row.games]
    finding = one(findings, "convert.rated", Severity.WARNING)
    assert "time_control" in finding.message
    assert "99000000" in finding.message
    assert next(iter(findings)) is finding
