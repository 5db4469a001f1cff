"""From the bytes of a list to its text, piece by piece: nothing is held that is not needed.

FIDE's lists are ASCII.  What others make of them is UTF-8, or Windows-1252, or one
line in this and one in that: bytes that are not UTF-8 are read as Windows-1252.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import replace

from ratingbook.formats.lists.files import Stream
from ratingbook.formats.lists.refusal import refused
from ratingbook.formats.tools.encodings import LOOK, USUAL, Guess, guessed, label
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.model import Place, Severity
from ratingbook.model.sentences import sentence

PIECE = 1 << 20
"""Bytes that are read at once."""
MAX_LINE = 10_000
"""The longest line, in characters: those of FIDE's lists have 162."""

ENCODING = Remark(
    "list.encoding",
    Severity.INFO,
    "Bytes that are not UTF-8 were read as Windows-1252",
    LOOK,
)
BY_LETTERS = replace(
    ENCODING,
    what="The list is not UTF-8, and was read in the encoding that its letters speak for",
)
CONTROL = Remark(
    "list.control",
    Severity.WARNING,
    "Control characters were read as blanks",
    "Something may have been lost when the list was copied; download it again.",
)
BINARY = Remark(
    "list.binary",
    Severity.FATAL,
    "The file is no text",
    "Download the list again, as TXT or XML; save a list of your own as UTF-8.",
)
LINE = Remark(
    "list.line-too-long",
    Severity.FATAL,
    "A line is longer than that of any list",
    "Look whether the line ends were lost when the list was copied.",
)

_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\r")) + b"\x7f"
_BLANKED = bytes.maketrans(_CONTROLS, b" " * len(_CONTROLS))
_DOS_END = b"\x1a"
"""With which programs of DOS ended a file."""
_MARKS_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_AS_LEGACY = "ratingbook-windows-1252"
_HEAD = 8192
_SHOWN = 20


def head(stream: Stream) -> str:
    """The beginning of a list, enough to see what it is."""
    data = stream.read(_HEAD).removeprefix(codecs.BOM_UTF8)
    return data.decode("utf-8", errors="replace")


def pieces(stream: Stream, notes: CountedNotes, *, size: int = PIECE) -> Iterator[str]:
    """The text of a list in pieces, without control characters."""
    decoder: codecs.IncrementalDecoder = codecs.getincrementaldecoder("utf-8")(errors=_AS_LEGACY)
    legacy = _Legacy(notes)
    first = undecided = True
    while True:
        data = stream.read(size)
        data = data.rstrip(_DOS_END)
        if first:
            if data.startswith(_MARKS_16):
                raise refused(BINARY, sentence("it is UTF-16"))
            data = data.removeprefix(codecs.BOM_UTF8)
            first = False
        if undecided and not data.isascii():
            # The letters of many lists begin far behind their first line.
            undecided = False
            guess = _by_letters(data)
            if guess and guess.encoding != USUAL:
                decoder = codecs.getincrementaldecoder(guess.encoding)(errors="replace")
                notes.add(_doubted(BY_LETTERS, guess), _said(guess))
            elif guess:
                legacy = _Legacy(notes, guess)
        if b"\0" in data:
            raise refused(BINARY, sentence("it has null characters"))
        if len(data.translate(None, _CONTROLS)) != len(data):
            notes.add(CONTROL, sentence("such as tabulators of a printer"))
            data = data.translate(_BLANKED)
        text = legacy.decoded(decoder, data)
        if text:
            yield text
        if not data:
            return


def _by_letters(start: bytes) -> Guess | None:
    """The encoding that the first letters of a list speak for; None where they are UTF-8."""
    try:
        # A character may be cut off at the end.
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return guessed(start)
    return None


def _doubted(remark: Remark, guess: Guess) -> Remark:
    """The remark as grave as the guess is doubtful."""
    return replace(remark, severity=guess.severity, first=not guess.sure)


def _said(guess: Guess) -> str:
    read_as = guess.with_example(label(guess.encoding))
    if guess.sure or not guess.other:
        return read_as
    return sentence(
        "{encoding}; it may also be {other}", encoding=read_as, other=label(guess.other)
    )


class _Legacy:
    """What of a list is not UTF-8, while the decoder reads it."""

    def __init__(self, notes: CountedNotes, guess: Guess | None = None) -> None:
        self._notes = notes
        self._guess = guess if guess and not guess.sure else None
        self._letters = ""
        self._end = 0

    def decoded(self, decoder: codecs.IncrementalDecoder, data: bytes) -> str:
        """The text of the next bytes, of which there are none at the end."""
        before = _LEGACY.set(self)
        try:
            return decoder.decode(data, final=not data)
        finally:
            _LEGACY.reset(before)
            self._tell()

    def letters(self, data: bytes, start: int, end: int) -> str:
        """Bytes in Windows-1252; neighbours are told together."""
        if start != self._end:
            self._tell()
        letters = data[start:end].decode("cp1252", errors="replace")
        if len(self._letters) < _SHOWN:
            self._letters += letters
        self._end = end
        return letters

    def _tell(self) -> None:
        if self._letters and self._guess:
            # What else it may be is the same for all of them.
            self._notes.add(_doubted(ENCODING, self._guess), _said(self._guess))
        elif self._letters:
            self._notes.add(ENCODING, self._letters[:_SHOWN])
        self._letters = ""


_LEGACY: ContextVar[_Legacy] = ContextVar("_LEGACY")


def _as_legacy(error: UnicodeError) -> tuple[str, int]:
    """To look for such bytes in the text afterwards takes longer than to read it."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _LEGACY.get().letters(error.object, error.start, error.end), error.end


codecs.register_error(_AS_LEGACY, _as_legacy)


class Lines:
    """The lines of a list in blocks, each with the number of its first line."""

    def __init__(self, stream: Stream, notes: CountedNotes) -> None:
        self._stream = stream
        self._notes = notes
        self.unterminated = False
        """Whether the last line of the file, which is known at the end, has no line end."""

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        number, rest = 1, ""
        for piece in pieces(self._stream, self._notes):
            text = rest + piece
            held = "\r" if text.endswith("\r") else ""
            if "\r" in text:
                text = text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
            *block, rest = text.split("\n")
            _check_length(block, number)
            if block:
                yield number, block
                number += len(block)
            rest += held
            if len(rest) > MAX_LINE:
                raise refused(LINE, sentence("line {number}", number=number), Place(line=number))
        last = rest.removesuffix("\r")
        if last:
            self.unterminated = rest == last
            yield number, [last]


def _check_length(block: list[str], number: int) -> None:
    longest = max(block, key=len, default="")
    if len(longest) > MAX_LINE:
        line = number + block.index(longest)
        raise refused(
            LINE,
            sentence("line {line} has {n:,} characters", line=line, n=len(longest)),
            Place(line=line),
        )
