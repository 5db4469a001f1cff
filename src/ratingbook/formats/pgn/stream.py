"""PGN of any size: read line by line, so that the moves are never in memory together.

What is kept grows with the games, not with their moves: tags, each text once, and a digest.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from sys import intern
from typing import TextIO

from ratingbook.formats.pgn.read import report_of
from ratingbook.formats.pgn.scan import RawGame, Scanner
from ratingbook.formats.tools.encodings import named
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import MAX_LINE_LENGTH, Line, decode
from ratingbook.model import Finding, Findings, Place, Report, Severity
from ratingbook.model.sentences import sentence

LONG = Remark(
    "pgn.long-line",
    Severity.WARNING,
    f"Lines are longer than {MAX_LINE_LENGTH:,} characters; what follows in them was left out",
    "Write the moves in lines of usual length.",
)
TOO_MANY = Finding(
    "file.too-large",
    Severity.FATAL,
    sentence("The file has more than 40,000 games: a history, not a report."),
    remedy="Rate it with `ratingbook history`, or send one file for each event.",
)

_CHUNK = 1 << 20
_MOST_GAMES = 40_000
"""A process that holds so many takes less than 200 MB."""
_LEAST_GAME = 50
"""Bytes: none is shorter."""
_WHITE = b'\n[White "'


def has_too_many_games(path: Path) -> bool:
    """Whether a file has more games than a report: it is a history."""
    if path.stat().st_size < _MOST_GAMES * _LEAST_GAME:
        return False
    count, rest = 0, b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            data = rest + chunk
            count += data.count(_WHITE)
            rest = data[1 - len(_WHITE) :]
    return count > _MOST_GAMES


def read_large_pgn(path: Path) -> tuple[Report | None, Findings]:
    """The report of a file that is too large to be held in memory; None where it is refused."""
    findings = Findings()
    try:
        encoding = _encoding(path, findings)
        return answer(path, findings, lambda _, notes: _report(path, encoding, notes))
    except OSError as error:
        findings.add(
            Severity.FATAL,
            "file.unreadable",
            sentence("The file cannot be read: {why}.", why=error.strerror or error),
            remedy=sentence("Check the name, and that you may read it."),
        )
        return None, findings


def _encoding(path: Path, findings: Findings) -> str:
    """UTF-8 where the whole file is, or what was named, or what the first other letters say."""
    if told := named():
        return told
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError:
                decoded = decode(chunk)
                findings.extend(decoded.findings)
                return decoded.encoding
    return "utf-8-sig"


def _report(path: Path, encoding: str, notes: Notes) -> Report | Finding:
    scanner = Scanner(notes)
    with path.open(encoding=encoding, errors="replace", newline=None) as file:
        for line in _lines(file, notes):
            scanner.feed(line)
            if len(scanner.games) > _MOST_GAMES:
                return TOO_MANY
    return report_of([_small(game) for game in scanner.end()], notes)


def _lines(file: TextIO, notes: Notes) -> Iterator[Line]:
    """The lines, as far as they are not too long."""
    number, within = 0, False
    while text := file.readline(MAX_LINE_LENGTH):
        if within:
            within = not text.endswith("\n")
            continue
        number += 1
        if len(text) >= MAX_LINE_LENGTH and not text.endswith("\n"):
            within = True
            notes.add(LONG, sentence("line {number}", number=number), Place(line=number))
        yield Line(number, text.rstrip("\n").replace("\0", " "))


def _small(game: RawGame) -> RawGame:
    """The game with each text of a tag once in memory."""
    for name, value in game.tags.items():
        game.tags[name] = intern(value)
    return game
