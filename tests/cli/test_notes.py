"""What a routine file brings: one finding at most that is about no fault in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from ratingbook.cli.report_page import page
from ratingbook.cli.screen import errors, print_findings, told_to
from ratingbook.desk.rated import check_file, rate_file
from ratingbook.desk.rows import as_dict
from ratingbook.formats.lists import looks_like_list
from ratingbook.formats.tools.notes import SHOWN_EACH, CountedNotes, Notes, Remark
from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.rules import registry

FOLDERS = {"trf": "fide", "go": "egf", "found": "fide"}
"""The samples, and by whose rules they are rated."""


def samples(reference: Path) -> list[tuple[Path, str]]:
    found = [
        (path, book)
        for folder, book in FOLDERS.items()
        for path in sorted((reference / "samples" / folder).iterdir())
        if path.name != "MANIFEST.csv" and looks_like_list(path) is None
    ]
    assert len(found) > 25
    return found


def test_every_real_file_brings_one_note_at_most(reference: Path) -> None:
    joined = 0
    for path, name in samples(reference):
        findings = check_file(path, registry.load(name)).findings
        told = list(findings.joined())
        notes = [each for each in told if each.parts or each.is_note]
        assert len(notes) <= 1, (path, notes)
        joined += bool(notes and notes[0].parts)
        # Nothing is lost by joining.
        alone = [part for each in told for part in each.parts or (each,)]
        assert sorted(alone, key=repr) == sorted(findings, key=repr)
        # One cause is one finding; only errors that are mended one by one are told so, capped.
        of_code = Counter((each.code, each.severity) for each in findings)
        for (code, severity), count in of_code.items():
            assert count <= (SHOWN_EACH + 1 if severity.refuses else 1), (path, code, count)
    assert joined > 10


def note(code: str, severity: Severity = Severity.INFO, *, assumed: bool = False) -> Finding:
    place = Place("event.trf", 3)
    return Finding(code, severity, f"It is {code}.", place, "Look.", assumed=assumed)


def test_what_is_no_fault_is_one_finding() -> None:
    games = note("fide.games-unknown", Severity.WARNING, assumed=True)
    findings = Findings([note("a.b"), note("c.d", Severity.WARNING), note("e.f"), games])
    # What numbers are made of stands before what may be wrong with a file.
    joined, grave = findings.joined()
    assert grave.code == "c.d"
    assert (joined.code, joined.severity) == ("fide.games-unknown", Severity.WARNING)
    assert joined.message == joined.title == "It is fide.games-unknown."
    assert [part.code for part in joined.parts] == ["fide.games-unknown", "a.b", "e.f"]
    assert joined.below == joined.parts[1:]
    # Where nothing was assumed, they are notes and no more.
    (notes,) = Findings([note("a.b"), note("e.f")]).joined()
    assert (notes.code, notes.severity) == ("report.notes", Severity.INFO)
    assert "It is e.f." in notes.message
    told = joined.as_dict()["parts"]
    assert isinstance(told, list)
    assert told[1]["where"] == {"file": "event.trf", "line": 3}


def test_several_things_assumed_are_one_finding() -> None:
    pool = replace(note("fide.pool-unknown", Severity.WARNING, assumed=True), first=True)
    games = note("fide.games-unknown", Severity.WARNING, assumed=True)
    fault = note("trf.points", Severity.WARNING)
    findings = Findings([note("a.b"), fault, games, pool])
    joined, other = findings.joined()
    assert other == fault
    # All that numbers hang on is in the message, and each part keeps its code.
    assert (joined.code, joined.count) == ("fide.pool-unknown", 1)
    assert joined.message == "It is fide.pool-unknown. It is fide.games-unknown."
    assert joined.title == "It is fide.pool-unknown."
    assert [part.code for part in joined.below] == ["fide.games-unknown", "a.b"]
    causes = {each["code"]: each["count"] for each in findings.causes()}
    assert causes == {"fide.pool-unknown": 1, "fide.games-unknown": 1, "trf.points": 1, "a.b": 1}


def test_who_wants_warnings_only_is_told_of_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    games = note("fide.games-unknown", Severity.WARNING, assumed=True)
    findings = Findings([note("a.b"), note("e.f"), games])
    with told_to(None, quiet=True):
        print_findings(findings.joined(), errors())
    told = capsys.readouterr().err
    assert "notes" not in told
    assert told.splitlines()[1].strip().startswith("event.trf, line 3: It is fide.games-unknown.")


def test_one_note_stays_as_it_is_and_files_are_apart() -> None:
    alone = Finding("a.b", Severity.INFO, "One.", Place("one.trf"))
    findings = Findings([alone, note("c.d"), note("e.f")])
    assert [each.code for each in findings.joined()] == ["a.b", "report.notes"]
    again = findings.joined().joined()
    assert list(again) == list(findings.joined())


def test_one_cause_is_counted_over_findings_and_within_them() -> None:
    """21 errors told one by one, and one finding of 79 more, are one cause with 100 cases."""
    remark = Remark("a.b", Severity.ERROR, "It is so", "Mend it.", each=True)
    notes, counted = Notes(), CountedNotes()
    for line in range(1, 101):
        notes.add(remark, f"case {line}", Place(line=line))
        counted.add(remark, f"case {line}", Place(line=line))
    places = [{"file": "event.trf", "line": line} for line in range(1, 6)]
    for told, many in ((notes.findings(), SHOWN_EACH + 1), (counted.findings(), 1)):
        document = told.in_file("event.trf").as_dict()
        assert len(document["findings"]) == many
        (cause,) = document["causes"]
        assert (cause["code"], cause["count"], cause["places"]) == ("a.b", 100, places)
        last = document["findings"][-1]
        assert last["count"] == 100 - many + 1
        assert last["places"][0]["line"] == many
    assert "count" not in notes.findings().in_file("x").as_dict()["findings"][0]


def test_what_is_asked_for_otherwise_is_another_cause() -> None:
    findings = Findings([note("a.b"), Finding("a.b", Severity.INFO, "One more.", remedy="Wait.")])
    assert [each["remedy"] for each in findings.causes()] == ["Look.", "Wait."]
    assert [each["count"] for each in findings.causes()] == [1, 1]
    assert findings.causes()[1]["places"] == []


def test_a_finding_about_several_players_counts_them(reference: Path) -> None:
    rated = rate_file(reference / "samples" / "trf" / "example1.trf", registry.load("fide"))
    (cause,) = [c for c in as_dict(rated)["causes"] if c["code"] == "fide.games-unknown"]
    (finding,) = [f for f in rated.rating.findings if f.code == "fide.games-unknown"]
    assert finding.message.startswith(f"{cause['count']} players")
    assert len(cause["places"]) == 5


def test_what_is_said_of_a_player_in_several_rounds_is_said_once() -> None:
    def unrated(player: str, number: int, line: int, file: str = "a.trf") -> Finding:
        where = Place(file, line, player=player, round=number)
        return Finding("a.b", Severity.ERROR, f"Player {player} has no rating.", where, "Say it.")

    findings = Findings(
        [unrated("7", 1, 3), unrated("8", 1, 4), unrated("7", 2, 9), unrated("7", 5, 9)]
    )
    seven, eight = findings.joined()
    assert seven.place == "a.trf, player 7, rounds 1, 2, 5"
    assert (seven.count, len(seven.places)) == (3, 3)
    assert eight.place == "a.trf, line 4, player 8, round 1"
    # Other words, other files and other players stay apart.
    other = Findings([unrated("7", 1, 3), unrated("7", 1, 3, "b.trf"), unrated("8", 1, 3)])
    assert len(other.joined()) == 3


def test_a_finding_of_many_notes_has_bounds() -> None:
    several = [Finding("a.b", Severity.INFO, f"{number} {'x' * 500}.") for number in range(50)]
    (joined,) = Findings(several).joined()
    assert len(joined.message) <= 2000
    assert len(joined.parts) == 50


@pytest.mark.parametrize("name", ["example1.trf"])
def test_programs_and_pages_are_told_the_same(reference: Path, name: str) -> None:
    book = registry.load("fide")
    rated = rate_file(reference / "samples" / "trf" / name, book)
    told = as_dict(rated)["findings"]
    assert "report.notes" not in {each["code"] for each in told}
    # By which edition, and by which K: one finding says both.
    (notes,) = [each for each in told if each.get("parts")]
    assert (notes["code"], notes["severity"]) == ("edition.before-first", "warning")
    (games,) = [part for part in notes["parts"] if part["code"] == "fide.games-unknown"]
    assert games["message"] in notes["message"]
    assert {"fide.lists", "fide.games-unknown"} <= {part["code"] for part in notes["parts"]}
    assert "fide.lists" not in {each["code"] for each in told}
    html = page([rated], book, None)
    assert html.count("<code>fide.games-unknown</code>") == 1
    assert html.count("<code>fide.lists</code>") == 1
