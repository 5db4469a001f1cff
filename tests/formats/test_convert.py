"""Every report goes into every format that is written, and every difference is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ratingbook.formats import read, read_bytes
from ratingbook.formats.catalogue import FORMATS, TARGETS
from ratingbook.formats.convert import converted
from ratingbook.formats.differences import differences
from ratingbook.formats.registry import target_of
from ratingbook.formats.tools.written import Written
from ratingbook.model import (
    Entry,
    Event,
    Game,
    GameStatus,
    Report,
    Result,
    SectionHead,
    Severity,
    Standing,
)

EXAMPLES = Path(__file__).parents[2] / "examples" / "reports"
NOT_CONVERTED = {
    # Two rows of one player in a round, which a TRF file has no room for.
    ("club-open-2c", "trf16"): "trf.collision",
    ("club-open-2c", "trf26"): "trf.collision",
}
"""Sample and format → the finding that says why the format cannot hold it at all."""


def samples(reference: Path) -> list[Path]:
    """All files in which there is a report that is not refused."""
    paths = [*(reference / "samples").rglob("*"), *EXAMPLES.iterdir()]
    return [p for p in sorted(paths) if not p.is_dir() or p.name.endswith("-2c")]


def report_of(path: Path) -> Report | None:
    reading = read(path)
    return None if reading.findings.refused else reading.report


@pytest.mark.parametrize("key", TARGETS)
def test_every_sample_is_written_or_refused_with_a_reason(reference: Path, key: str) -> None:
    written = 0
    for path in samples(reference):
        report = report_of(path)
        if report is None:
            continue
        files, findings = converted(report, TARGETS[key])
        refusing = {finding.code for finding in findings if finding.severity.refuses}
        expected = NOT_CONVERTED.get((path.name, key))
        assert refusing == ({expected} if expected else set()), (path.name, list(findings))
        assert bool(files) == (expected is None)
        assert all(finding.remedy for finding in findings)
        written += bool(files)
    assert written >= 20


def counted(report: Report) -> Counter[str]:
    """How often each field of the report says something: an independent look at the model."""
    found: Counter[str] = Counter()

    def look(path: str, value: Any) -> None:
        if is_dataclass(value) and not isinstance(value, type):
            for each in fields(value):
                if each.name not in ("place", "rated_said"):
                    inner = getattr(value, each.name)
                    if inner != each.default:
                        look(f"{path}.{each.name}".rstrip("_"), inner)
        elif isinstance(value, Mapping):
            for key, inner in value.items():
                look(f"{path}.{key}", inner)
        elif value not in (None, "", ()):
            found[path] += 1

    look("event", report.event)
    for head in report.section_heads:
        look("section", head)
    for entry in report.entries:
        look("player", replace(entry, id=""))
    for game in report.games:
        look("game", replace(game, white="", black=None, white_for=None, black_for=None))
    return found


@pytest.mark.parametrize("key", TARGETS)
def test_nothing_is_lost_in_silence(reference: Path, key: str) -> None:
    for path in samples(reference):
        report = report_of(path)
        if report is None or (path.name, key) in NOT_CONVERTED or TARGETS[key].suffix == "":
            continue
        files, findings = converted(report, TARGETS[key])
        again = read_bytes(files[""]).report
        assert again is not None
        told = " ".join(f.message for f in findings if f.code.startswith("convert."))
        before, after = counted(report), counted(again)
        for name in before | after:
            # The rank of a row is its place in the file; conversions do not tell of it.
            if name != "player.rank" and before[name] != after[name]:
                whole = f"{name.partition('.')[0]} ("
                is_told = f"{name} " in told or f"{name}, " in told or whole in told
                assert is_told, (path, name)


# What is told


def a_report(**event: Any) -> Report:
    players = (
        Entry("a", "Doe, Jo", club="Exampleton", standing=Standing(rating=1800)),
        Entry("b", "Roe, Ro", birth_date=date(1990, 1, 2)),
    )
    games = (Game("a", "b", Result.WHITE_WINS, round=1),)
    return Report(Event(name="Open", **event), players, games)


def told(before: Report, after: Report, ids: Mapping[str, str] | None = None) -> dict[str, str]:
    return {f.code: f.message for f in differences(before, after, ids or {}, "X")}


def test_equal_reports_have_no_losses() -> None:
    assert told(a_report(), a_report()) == {}


def test_a_field_that_is_gone_is_told_with_its_value() -> None:
    lost = replace(a_report(), entries=tuple(replace(e, club=None) for e in a_report().entries))
    assert told(a_report(), lost) == {
        "convert.lost": "X has no place for player.club (1): a Doe, Jo: Exampleton."
    }


def test_a_kind_of_ids_with_a_name_as_long_as_a_file_is_told_in_short() -> None:
    odd = replace(a_report(), entries=(replace(a_report().entries[0], ids={"x" * 9_999: "1"}),))
    lost = replace(odd, entries=(replace(odd.entries[0], ids={}),))
    (message,) = told(odd, lost).values()
    assert message.startswith("X has no place for player.ids.xxx")
    assert len(message) < 400


def test_a_player_and_a_game_that_are_gone_are_told() -> None:
    lost = replace(a_report(), entries=a_report().entries[:1], games=())
    messages = [f.message for f in differences(a_report(), lost, {}, "X")]
    assert messages == [
        "X has no place for player (1): b Roe, Ro.",
        "X has no place for game (1): round 1, a–b.",
    ]


def test_a_field_that_is_other_is_told_with_both_values() -> None:
    other = replace(
        a_report(),
        games=(replace(a_report().games[0], result=Result.DRAW, status=GameStatus.TIME),),
    )
    findings = list(differences(a_report(), other, {}, "X"))
    assert {(f.code, f.severity) for f in findings} == {
        ("convert.changed", Severity.WARNING),
        ("convert.added", Severity.INFO),
    }
    assert any("1-0 becomes 1/2-1/2" in f.message for f in findings)


def test_swapped_sides_are_no_lost_game() -> None:
    game = a_report().games[0]
    other = replace(
        a_report(), games=(replace(game, white="b", black="a", result=Result.BLACK_WINS),)
    )
    codes = [f.message.split(" (")[0] for f in differences(a_report(), other, {}, "X")]
    assert codes == [
        "game.white is not the same in X",
        "game.black is not the same in X",
        "game.result is not the same in X",
    ]


def test_renumbered_players_are_the_same_players() -> None:
    def renumbered(number: str) -> str:
        return {"a": "1", "b": "2"}[number]

    report = a_report()
    other = replace(
        report,
        entries=tuple(replace(e, id=renumbered(e.id)) for e in report.entries),
        games=tuple(replace(g, white="1", black="2") for g in report.games),
    )
    assert told(report, other, {"a": "1", "b": "2"}) == {
        "convert.renumbered": "X numbers the players itself: a is 1, b is 2."
    }


def test_sections_and_events_are_compared() -> None:
    before = replace(a_report(rounds=5), section_heads=(SectionHead("A", 1), SectionHead("B", 2)))
    after = replace(a_report(), section_heads=(SectionHead("A", 1, pool="quick"),))
    messages = {f.message for f in differences(before, after, {}, "X")}
    assert messages == {
        "X has no place for event.rounds (1): the event: 5.",
        "X has no place for section (1): section B.",
        "X says section.pool, which the file did not (1): section A: quick.",
    }


def test_what_its_own_reader_would_refuse_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    report = a_report()
    wrong = "ratingbook.formats.document.write.write_document"
    monkeypatch.setattr(wrong, lambda _: Written({"": b"{}"}))
    files, findings = converted(report, TARGETS["document"])
    assert files == {}
    assert [f.code for f in findings] == ["convert.refused"]


# Which format


def test_the_name_says_the_format_and_the_day_which_trf() -> None:
    def key(suffix: str, **event: Any) -> str | None:
        target = target_of(suffix, a_report(**event))
        return target.key if target else None

    assert key(".JSON") == "document"
    assert key(".h9") == "h9"
    assert key(".docx") is None
    assert key(".trf", end=date(2025, 8, 31)) == "trf16"
    assert key(".trf", start=date(2025, 9, 1)) == "trf26"
    assert key(".trf") == "trf26"


def test_every_target_is_a_format_that_is_read() -> None:
    assert {target.name for target in TARGETS.values()} <= set(FORMATS)
