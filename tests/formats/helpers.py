"""What the tests of the readers share: findings by code, damaged files, sound answers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from hypothesis import strategies as st

from ratingbook.formats.tools.text import Decoded, decode
from ratingbook.model import Finding, Findings, GameStatus, Report, Severity

LATIN_9 = "iso-8859-15"
Edits = list[tuple[str, int, bytes]]
"""What is done to the bytes of a file one after the other: how, where, and with what."""


def reader_of(
    reader: Callable[[Decoded], tuple[Report | None, Findings]], legacy: str = "iso-8859-1"
) -> Callable[[bytes | str], tuple[Report, Findings]]:
    """A function that reads bytes or text in which there is a report."""

    def read(data: bytes | str) -> tuple[Report, Findings]:
        raw = data.encode() if isinstance(data, str) else data
        report, findings = reader(decode(raw, legacy=legacy))
        assert report is not None, list(findings)
        return report, findings

    return read


# Findings


def with_code(findings: Findings, code: str) -> list[Finding]:
    return [finding for finding in findings if finding.code == code]


def one(findings: Findings, code: str, severity: Severity) -> Finding:
    """The only finding with that code, which must say what to do."""
    (finding,) = with_code(findings, code)
    assert finding.severity is severity
    assert finding.message
    assert finding.remedy
    return finding


def codes(findings: Findings, *severities: Severity) -> dict[str, Severity]:
    """The codes with their severities, or those of ``severities`` only."""
    return {f.code: f.severity for f in findings if not severities or f.severity in severities}


def refusal(answer: tuple[object, Findings], code: str) -> Finding:
    """The finding for which there is no answer; no other refuses the file so."""
    content, findings = answer
    assert content is None
    assert [f.code for f in findings if f.severity is Severity.FATAL] == [code]
    return one(findings, code, Severity.FATAL)


# What a module brings along


def loaded_by(module: str) -> set[str]:
    """The modules that a process has loaded once it has imported ``module``."""
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


# Damaged files


def edits(*pieces: bytes, reach: int = 10_000, most: int = 12) -> st.SearchStrategy[Edits]:
    """Up to ``most`` edits within ``reach`` with any bytes, or with ``pieces`` of the format."""
    return st.lists(
        st.tuples(
            st.sampled_from(["delete", "insert", "replace", "line", "swap"]),
            st.integers(0, reach),
            st.binary(min_size=1, max_size=4) | st.sampled_from(pieces),
        ),
        min_size=1,
        max_size=most,
    )


def damaged(data: bytes, changes: Edits) -> bytes:
    """The bytes after the edits; ``line`` takes a line out, ``swap`` moves it."""
    for action, where, piece in changes:
        at = where % max(len(data), 1)
        if action in ("line", "swap"):
            lines = data.split(b"\n")
            row = where % len(lines)
            moved = lines.pop(row)
            if action == "swap":
                lines.insert(len(piece) * row // 2, moved)
            data = b"\n".join(lines)
        else:
            kept = at if action == "insert" else at + len(piece)
            data = data[:at] + (b"" if action == "delete" else piece) + data[kept:]
    return data


def assert_sound(report: Report | None, findings: Findings) -> None:
    """What holds of every answer of a reader."""
    assert report is not None or findings.refused
    assert all(finding.message and finding.remedy for finding in findings)
    if report is None:
        return
    ids = [entry.id for entry in report.entries]
    assert len(set(ids)) == len(ids)
    assert {p for g in report.games for p in (g.white, g.black) if p} <= set(ids)
    pairings = [
        (g.event, g.section, g.round, *sorted((g.white, g.black)))
        for g in report.games
        if g.black and g.round
    ]
    assert len(set(pairings)) == len(pairings)
    for game in report.games:
        assert game.white != game.black
        assert game.handicap >= 0
        assert game.status is GameStatus.PLAYED or not (game.white_rated or game.black_rated)


def assert_sound_go(report: Report | None, findings: Findings) -> None:
    """The same of a Go file, in which nobody has two games or byes in a round."""
    assert_sound(report, findings)
    games = report.games if report else ()
    seen = [(g.round, player) for g in games for player in (g.white, g.black) if player]
    assert len(set(seen)) == len(seen)
