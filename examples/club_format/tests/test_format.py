"""The notes of an evening are read, written, and read again."""

from pathlib import Path

from club_format import CLUB_NOTES
from ratingbook.formats.tools.text import decode
from ratingbook.model import Report, Result

EVENING = (Path(__file__).parents[1] / "evening.club").read_bytes()


def read(data: bytes) -> tuple[Report, list[str]]:
    decoded = decode(data)
    assert CLUB_NOTES.recognises(decoded.lines)
    report, findings = CLUB_NOTES.read(decoded)
    assert report is not None
    return report, [finding.code for finding in findings]


def test_an_evening() -> None:
    report, codes = read(EVENING)
    assert codes == []
    assert [entry.name for entry in report.entries] == ["Mara Muster", "Otto Normal", "Rosa Roe"]
    assert [entry.standing and entry.standing.rating for entry in report.entries] == [
        1620, 1555, None,
    ]  # fmt: skip
    assert [(game.white, game.black, game.result) for game in report.games] == [
        ("1", "2", Result.WHITE_WINS),
        ("3", "1", Result.DRAW),
        ("2", "3", Result.BLACK_WINS),
    ]


def test_what_is_not_understood_is_told() -> None:
    assert read(EVENING + b"4-1 +\nrain\n")[1] == ["club-notes.number", "club-notes.line"]


def test_what_is_written_is_the_same() -> None:
    report, _ = read(EVENING)
    assert CLUB_NOTES.write("club_format.write:write_notes", report).files[""] == EVENING


def test_other_files_are_not_notes() -> None:
    assert not CLUB_NOTES.recognises(decode(b"Club evening of 2026\n").lines)
