"""What holds of every file, whatever is in it: answers, no exceptions, and nothing lost unsaid."""

from __future__ import annotations

import io
import math
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from ratingbook.engine.intake import check_report
from ratingbook.formats import Read, read_text
from ratingbook.formats.catalogue import TARGETS
from ratingbook.formats.convert import converted
from ratingbook.formats.format import Target
from ratingbook.formats.go.grade_table import read_grade_table
from ratingbook.formats.lists import check_list, looks_like_list, read_entries, read_list
from ratingbook.formats.lists.convert import LIST_TARGETS, convert_list
from ratingbook.formats.players import read_players
from ratingbook.formats.standings import read_standings
from ratingbook.formats.tools.notes import shortened
from ratingbook.model import Entry, Event, Finding, Findings, Game, GameStatus, Report
from tests.formats.corpus import Case, Sample
from tests.formats.helpers import assert_sound

_CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+")
_LONGEST = 4_000
"""Nobody reads a longer message."""
_AS_THE_FILE_SAYS = frozenset({"PGN", "CSV", "XLSX", "report document"})
"""Formats that say themselves what is rated; whether that is sound is checked later."""
_NOT_WRITTEN = "player.ids.local"
"""TRF: what is read so is not written, because it is no number of FIDE's."""


def check(case: Case) -> None:
    """Raises whatever is wrong with our answers to the file."""
    if case.kind == "list":
        check_rating_list(case)
        return
    if case.kind == "players":
        check_table_of_players(case)
        return
    reading = case.read()
    check_reading(reading)
    again = case.read()
    assert _told(again) == _told(reading), "two readings differ"
    if reading.report is not None and not reading.findings.refused:
        for key in case.targets:
            check_conversion(reading.report, TARGETS[key])


def _told(reading: Read) -> tuple[list[tuple[str, Any]], list[str]]:
    """All that is said, but not where: a folder has another name each time."""
    return list(_values("", reading.report)), [finding.code for finding in reading.findings]


def check_reading(reading: Read) -> None:
    """The findings can be used, and the report can be computed with."""
    check_findings(reading.findings)
    assert reading.report is not None or reading.findings.refused, "nothing, and no reason"
    if reading.report is None or reading.findings.refused:
        return
    for path, value in _values("", reading.report):
        assert not isinstance(value, float) or math.isfinite(value), f"{path} is {value}"
        assert not isinstance(value, str) or _is_text(value), f"{path} is {value!r}"
    if reading.format not in _AS_THE_FILE_SAYS:
        assert_sound(reading.report, reading.findings)
    elif reading.format != "report document":
        ids = [entry.id for entry in reading.report.entries]
        assert len(set(ids)) == len(ids), "an id twice"
        named = {p for g in reading.report.games for p in (g.white, g.black) if p}
        assert named <= set(ids), "a game of nobody"


def check_findings(findings: Iterable[Finding]) -> None:
    """Every finding says what is the matter, and what to do about it."""
    for finding in findings:
        assert _CODE.fullmatch(finding.code), f"the code {finding.code}"
        assert finding.message.strip(), f"{finding.code} has no message"
        assert finding.remedy.strip(), f"{finding.code} has no remedy"
        assert len(finding.message) < _LONGEST, f"the message of {finding.code} is very long"
        assert _is_text(finding.message), f"{finding.code} cannot be printed"
        line = finding.where.line
        assert line is None or line >= 1, f"{finding.code} is in line {line}"
        finding.as_dict()


def _is_text(text: str) -> bool:
    """Whether it can be written to a file."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


# On the way to another format


def check_conversion(report: Report, target: Target) -> None:
    """Writing gives a file that our reader takes for that format, or a reason."""
    files, findings = converted(report, target)
    check_findings(findings)
    assert bool(files) != findings.refused, f"{target.key}: no files and no reason, or both"
    if check_report(report).refused:
        return
    unread = [f.message for f in findings if f.code == "convert.refused"]
    assert not unread, f"{target.key} is not read: {unread}"
    if not files:
        return
    again = Sample("", files).read()
    assert again.format == target.name, f"{target.key} is read as {again.format}"
    assert again.report is not None
    untold = list(_untold(report, again.report, target.write(report).ids, findings))
    assert not untold, f"{target.key} does not tell {untold[:5]}"
    check_settled(again.report, target)


def check_settled(report: Report, target: Target) -> None:
    """What was read from a file of ours is written as it is, at the latest the second time.

    A name that was cut may grow when it is read, by a blank behind a comma.
    """
    changed: list[str] = []
    for _ in range(2):
        files, findings = converted(report, target)
        assert files, f"{target.key} of its own file is refused: {[f.message for f in findings]}"
        changed = [
            finding.message
            for finding in findings
            if finding.code.startswith("convert.") and _NOT_WRITTEN not in finding.message
        ]
        again = Sample("", files).read().report
        if not changed or again is None:
            break
        report = again
    assert not changed, f"{target.key} of its own file: {changed[:5]}"


def _untold(
    before: Report, after: Report, ids: Mapping[str, str], findings: Findings
) -> Iterator[str]:
    """What differs between the models and is in no finding."""
    told = [f.message for f in findings if f.code.startswith("convert.")]
    old, new = _facts(before, ids), _facts(after, {})
    for what in sorted(old.keys() | new.keys()):
        if old[what] == new[what]:
            continue
        paths = what.split(".")
        names = [shortened(".".join(paths[:end])) for end in range(1, len(paths) + 1)]
        if not any(f"{name} (" in text or f" {name}," in text or f"{name} is not" in text
                   for name in names for text in told):  # fmt: skip
            yield f"{what}: {old[what] - new[what]} became {new[what] - old[what]}"[:300]


def _facts(report: Report, ids: Mapping[str, str]) -> defaultdict[str, Counter[Hashable]]:
    """Each field with whom it says something of, and what."""
    facts: defaultdict[str, Counter[Hashable]] = defaultdict(Counter)
    for path, value in _values("event", report.event):
        facts[path][value] += 1
    for head in report.section_heads:
        for path, value in _values("section", head):
            facts[path][head.name, value] += 1
    for entry in report.entries:
        for path, value in _values("player", entry):
            if path != "player.id":
                facts[path][ids.get(entry.id, entry.id), value] += 1
    for game in report.games:
        pair = frozenset(ids.get(p, p) for p in (game.white, game.black) if p)
        for path, value in _values("game", game):
            named = path in ("game.white", "game.black", "game.white_for", "game.black_for")
            facts[path][pair, ids.get(value, value) if named else value] += 1
    return facts


def _values(path: str, noun: Any) -> Iterator[tuple[str, Any]]:
    """Everything that is said, where; what makes no difference is left out."""
    if is_dataclass(noun) and not isinstance(noun, type):
        for field in fields(noun):
            value = getattr(noun, field.name)
            said = isinstance(noun, Game) and noun.status is not GameStatus.WITHDRAWN
            told_elsewhere = field.name in ("place", "rank") or (
                said and field.name == "rated_said"
            )
            if not told_elsewhere:
                yield from _values(f"{path}.{field.name.rstrip('_')}", value)
    elif isinstance(noun, Mapping):
        for key, value in noun.items():
            yield from _values(f"{path}.{key}", value)
    elif isinstance(noun, tuple) and noun and is_dataclass(noun[0]):
        for value in noun:
            yield from _values(path, value)
    elif noun is not None and noun not in ("", ()):
        # True and 1 are equal for Python.
        yield path, (bool, noun) if isinstance(noun, bool) else noun


# Rating lists


def check_rating_list(case: Case) -> None:
    """Whatever is asked of a list, in whatever state it is, there is an answer."""
    with tempfile.TemporaryDirectory() as folder:
        ((name, data),) = case.files.items()
        path = Path(folder) / name
        path.write_bytes(data)
        kind = looks_like_list(path)
        report = Report(Event(), (Entry("1003"), Entry("3", ids={"iccf": "2", "iecg": "72"})), ())
        players, findings = read_list(path, [report])
        check_findings(findings)
        assert (players is None) == findings.refused
        if players is not None:
            check_findings(players.of(report, "FIDE")[1])
        entries, more = read_entries(path)
        check_findings(more)
        checked, count = check_list(path)
        check_findings(checked)
        assert checked.refused or kind is not None, "checked, but of no kind"
        assert more.refused or len(entries) == count, f"{len(entries)} entries of {count}"
        for target in LIST_TARGETS.values():
            _check_list_conversion(path, target.key)


def _check_list_conversion(path: Path, key: str) -> None:
    file = io.BytesIO()
    findings = convert_list(path, file, LIST_TARGETS[key], lambda _: None)
    check_findings(findings)
    if findings.refused or key == "csv":
        return
    again = path.with_name("again.txt")
    again.write_bytes(file.getvalue())
    entries, more = read_entries(path)
    found, _ = read_entries(again)
    if not more.refused and not len(findings):
        ids = [entry.id for entry in entries]
        assert [entry.id for entry in found] == ids, f"{key} has other players"


def check_table_of_players(case: Case) -> None:
    """Whatever a table is taken for, there is an answer."""
    with tempfile.TemporaryDirectory() as folder:
        ((name, data),) = case.files.items()
        path = Path(folder) / name
        path.write_bytes(data)
        members, _, findings = read_standings(path)
        check_findings(findings)
        for member in members if not findings.refused else ():
            for field, value in _values("player", member.entry):
                assert not isinstance(value, float) or math.isfinite(value), f"{field} is {value}"
        text, _ = read_text(path)
    if text is not None:
        check_findings(read_players(text)[1])
        check_findings(read_grade_table(text, lambda grade: 1 if grade else None, range(1, 5))[1])
