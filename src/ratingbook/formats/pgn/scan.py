"""From lines to games with their tags, past the moves.

Of the moves only a digest is kept, which tells whether there are any and whether
two games have the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from ratingbook.formats.pgn.tags import UNKNOWN
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.text import Line
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

QUOTES = Remark(
    "pgn.quotes",
    Severity.WARNING,
    "Values of tags have no quotation marks around them, or some inside without a backslash; they "
    "were read up to the bracket",
    'Write [White "Doe, Jo"], and \\" for a quotation mark inside.',
)
BAD_TAG = Remark(
    "pgn.tag",
    Severity.WARNING,
    "Tags were not understood and left out",
    'Write each tag as [Name "value"].',
    each=True,
)
TAG_TWICE = Remark(
    "pgn.tag-twice",
    Severity.WARNING,
    "A game has the same tag twice with different values; the first was used",
    "Delete the wrong one.",
)
NO_TAGS = Remark(
    "pgn.no-tags",
    Severity.WARNING,
    "Text outside of a game was left out",
    "If moves stand there without tags, add the tags of the game.",
)
OPEN_COMMENT = Remark(
    "pgn.comment",
    Severity.ERROR,
    "A comment is not closed; the games behind it were not read",
    "Close the comment with }.",
)
OPEN_VARIATION = Remark(
    "pgn.variation",
    Severity.WARNING,
    "A variation is not closed before the next game begins",
    "Look whether a game is cut off, and close the variation with ).",
)
SEVERAL_RESULTS = Remark(
    "pgn.results",
    Severity.WARNING,
    "There are several results among the moves of one game; the last was taken",
    "Look whether the tags of a game are missing.",
)

USED: Final = frozenset(
    """
    event site date round white black result eventdate eventtype eventrounds eventcountry section
    enddate mode timecontrol termination variant setup fen whiteelo blackelo whitetitle blacktitle
    whitefideid blackfideid whiteteam blackteam whitefed blackfed utcdate broadcastname studyname
    """.split()
)
"""The tags that are kept, in lower case."""
_NAME = r"[A-Za-z][A-Za-z0-9_]{0,59}"
_TAG = pattern(rf'\[\s*({_NAME})\s*"((?:[^"\\]|\\.)*)"\s*\]')
_LOOSE_TAG = pattern(rf'\[\s*({_NAME})\s*"(.*)"\s*\]\s*')
_BARE_TAG = pattern(rf'\[\s*({_NAME})\s++([^"\[\]]*)\]\s*')
_TAG_BEGINS = pattern(rf'\[\s*{_NAME}\s*"')
_BROKEN_TAG = pattern(rf"\[\s*+(?:{_NAME})?\s*+")
_BARE_NAMES = frozenset(
    "event site date round white black result whiteelo blackelo eventdate".split()
)
_SPECIAL = pattern(r"[{};()\[]")
_ESCAPED = pattern(r'\\(["\\])')
_RESULT = pattern(r"(?<!\S)(?:1-0|0-1|1/2-1/2|1/2|\*)(?!\S)")
_NO_MOVES = pattern(rf"{_RESULT.pattern}|(?<![0-9])[0-9]++\s*+\.++|\$[0-9]+|[!?+#\s]+")
_SAYS_ANYTHING = pattern(r"[\w*]")
_MOVE = pattern(r"[^\W0-9_]|0-0")
_MOST_LINES: Final = 5
"""Over how many lines one tag may go."""


@dataclass(frozen=True, slots=True)
class RawGame:
    """A game as the file has it: its tags in lower case, and what the moves tell."""

    line: int
    tags: dict[str, str]
    result: str
    """The result behind the moves; nothing if there is none."""
    moves: bytes
    """A digest of the moves; nothing if there are none."""

    def text(self, tag: str) -> str:
        """The value of a tag in one line; nothing if there is none."""
        return " ".join(self.tags.get(tag, "").split())

    def known(self, tag: str) -> str:
        """The same, but nothing where the value says that it is not known."""
        text = self.text(tag)
        return "" if text in (UNKNOWN, "-") else text

    @property
    def place(self) -> Place:
        """Where the game begins."""
        return Place(line=self.line)


def scan(lines: Iterable[Line], notes: Notes) -> list[RawGame]:
    """The games in the order of the file."""
    scanner = Scanner(notes)
    for line in lines:
        scanner.feed(line)
    return scanner.end()


@dataclass(slots=True)
class Scanner:
    """What was read of the current game, and in what the next line stands."""

    notes: Notes
    games: list[RawGame] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    line: int = 0
    """Where the current game begins."""
    number: int = 0
    """The current line."""
    comment: int = 0
    """The line in which the open comment begins; 0 if none is open."""
    variations: int = 0
    """How many variations are open."""
    blank: bool = False
    """Whether a blank line stands behind the last tag."""
    part: list[str] = field(default_factory=list)
    """The lines so far of a tag that goes over several."""

    def feed(self, line: Line) -> None:
        """Read one line."""
        self.number, text = line
        if self.comment:
            end = text.find("}")
            if end >= 0:
                self.comment = 0
                self._read(text, end + 1)
        elif text.startswith("%"):
            return
        elif self.part:
            self._continue_tag(text)
        elif not text.strip():
            self.blank = True
        else:
            self._read(text)

    def end(self) -> list[RawGame]:
        """All games, when there is no further line."""
        self._drop_part(self.number + 1)
        if self.comment:
            self.notes.add(
                OPEN_COMMENT,
                sentence("line {number}", number=self.comment),
                Place(line=self.comment),
            )
        self._close()
        return self.games

    def _read(self, text: str, at: int = 0) -> None:
        """Read tags and moves from ``at`` to the end of the line."""
        while at < len(text):
            if text[at].isspace():
                at += 1
            elif text[at] == "[":
                at = self._tag(text, at)
            else:
                at = self._movetext(text, at)

    # Tags

    def _tag(self, text: str, at: int) -> int:
        """Read the tag that begins at ``at``, and say where what follows it begins."""
        if match := _TAG.match(text, at):
            self._add(match[1], _ESCAPED.sub(r"\1", match[2]))
            return match.end()
        if match := _LOOSE_TAG.fullmatch(text, at) or self._bare_tag(text, at):
            self.notes.add(QUOTES, f"{match[1]} {match[2][:80]}", Place(line=self.number))
            self._add(match[1], _ESCAPED.sub(r"\1", match[2]))
        elif _TAG_BEGINS.match(text, at) or _BROKEN_TAG.fullmatch(text, at):
            self.part = [text[at:]]
        else:
            return at + 1
        return len(text)

    def _bare_tag(self, text: str, at: int) -> re.Match[str] | None:
        """A tag without quotation marks, if it is one of those that nearly every game has."""
        match = _BARE_TAG.fullmatch(text, at)
        return match if match and match[1].lower() in _BARE_NAMES else None

    def _continue_tag(self, text: str) -> None:
        together = " ".join([*self.part, text])
        if _TAG.match(together):
            self.part = []
            self._read(together)
        elif text.strip() and not text.lstrip().startswith("[") and len(self.part) < _MOST_LINES:
            self.part.append(text)
        else:
            self._drop_part(self.number)
            self.feed(Line(self.number, text))

    def _drop_part(self, behind: int) -> None:
        """Give up the tag whose lines end before the line ``behind``."""
        if self.part:
            line = behind - len(self.part)
            self.notes.add(BAD_TAG, self.part[0].strip()[:80], Place(line=line))
            self.part = []

    def _add(self, name: str, value: str) -> None:
        """A tag of this game, or the first of the next."""
        key = name.lower()
        again = key in self.tags and (self.blank or key == "event")
        if self.moves or self.variations or again:
            self._close()
        self.blank = False
        if key not in USED:
            return
        if not self.tags:
            self.line = self.number
        if self.tags.setdefault(key, value) != value:
            self.notes.add(TAG_TWICE, f"{name} {value[:80]}", Place(line=self.number))

    # Moves

    def _movetext(self, text: str, at: int) -> int:
        """Keep what belongs to the main line, and say where a tag begins behind it.

        Comments and variations are skipped.
        """
        while match := _SPECIAL.search(text, at):
            self._keep(text[at : match.start()])
            at = match.end()
            match match[0]:
                case "{":
                    at = text.find("}", at) + 1
                    if not at:
                        self.comment = self.number
                        return len(text)
                case ";":
                    return len(text)
                case "(":
                    self.variations += 1
                case ")":
                    self.variations = max(self.variations - 1, 0)
                case "[" if _TAG.match(text, match.start()):
                    return match.start()
        self._keep(text[at:])
        return len(text)

    def _keep(self, text: str) -> None:
        if not self.variations and _SAYS_ANYTHING.search(text):
            self.moves.append(text)

    # Games

    def _close(self) -> None:
        """Put the current game to the others."""
        if self.variations:
            self.notes.add(
                OPEN_VARIATION,
                sentence("line {number}", number=self.number),
                Place(line=self.number),
            )
        text = " ".join(self.moves)
        results = _RESULT.findall(text)
        moves = _NO_MOVES.sub("", text)
        if self.tags:
            place = Place(line=self.line)
            if len(results) > 1:
                self.notes.add(SEVERAL_RESULTS, ", ".join(results[:5]), place)
            digest = blake2b(moves.encode("utf-8", "replace"), digest_size=16).digest()
            self.games.append(
                RawGame(
                    self.line,
                    self.tags,
                    results[-1] if results else "",
                    digest if _MOVE.search(moves) else b"",
                )
            )
        elif text:
            self.notes.add(NO_TAGS, text.strip()[:60], Place(line=self.number))
        self.tags, self.moves, self.variations, self.blank = {}, [], 0, False
