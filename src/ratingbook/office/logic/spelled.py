"""Names in the bytes of files: in any order of their parts, any case, and the usual encodings."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import permutations
from typing import IO

from anyascii import anyascii

from ratingbook.office.logic.names import parts

_PIECE = 1 << 20
_OVERLAP = 512
"""Bytes that are looked at again with the next piece; even, for encodings of two bytes."""
_ENCODINGS = ("cp1252", "cp1250", "cp1251", "cp1257", "cp850")
_WIDE = ("utf-16-le", "utf-16-be")
_MOST_ORDERED = 4
"""Names of more parts are looked for in the order in which they are written, and turned round."""
_BESIDE = r"[ \t,.\-]{0,3}"
"""What stands between the parts of a name, on one line."""
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_APOSTROPHE = re.compile(r"(?<=[a-z])['`](?=[a-z])")
_MARKED = re.compile(r"(?<=[aou])e")


class Spelled:
    """What is looked for: names of persons, and numbers that stand for themselves."""

    def __init__(self, names: Collection[str], numbers: Iterable[str] = ()) -> None:
        self._parts = {found for each in names if len(found := parts(each)) > 1}
        whole = {each for each in names if len(parts(each)) <= 1 and each}
        self._whole = whole
        patterns = [rf"(?<![a-z])(?:{each})(?![a-z])" for each in self._patterns(names)]
        patterns += [rf"(?<![a-z0-9]){re.escape(_plain(each))}(?![a-z0-9])" for each in numbers]
        self._pattern = re.compile("|".join(patterns)) if patterns else None
        # A name of one part may be anybody's word: as it is written only.
        exact = [rf"(?<!\w){re.escape(each)}(?!\w)" for each in sorted(whole)]
        self._exact = re.compile("|".join(exact)) if exact else None

    def _patterns(self, names: Iterable[str]) -> Iterator[str]:
        for some in sorted(self._parts):
            if len(some) <= _MOST_ORDERED:
                for order in permutations(some):
                    yield _BESIDE.join(map(re.escape, order))
        for each in names:
            written = [word for word in re.split(r"[^a-z]+", _plain(each)) if word]
            for cut in range(len(written) if len(written) > _MOST_ORDERED else 0):
                yield _BESIDE.join(map(re.escape, written[cut:] + written[:cut]))

    def is_name(self, name: str) -> bool:
        """Whether a whole name is one of them."""
        return name in self._whole or parts(name) in self._parts

    def is_in(self, text: str) -> bool:
        """Whether one of them stands in a text."""
        if self._exact is not None and self._exact.search(text):
            return True
        return self._pattern is not None and self._pattern.search(_plain(text)) is not None

    def is_in_file(self, file: IO[bytes]) -> bool:
        """Whether one of them stands in the bytes of a file."""
        before = b""
        while piece := file.read(_PIECE):
            part = before + piece
            if any(self.is_in(text) for text in _texts(part)):
                return True
            before = part[-_OVERLAP:] if len(part) > _OVERLAP else part
        return False


def _texts(data: bytes) -> Iterator[str]:
    """The bytes as the texts that they can be."""
    if b"\0" in data:
        for encoding in _WIDE:
            yield data.decode(encoding, "ignore")
    text = data.decode("utf-8", "ignore")
    yield text
    # What is no UTF-8 is of one of the others; in each of them ASCII is the same.
    if len(text.encode()) < len(data):
        for encoding in _ENCODINGS:
            yield data.decode(encoding, "ignore")


def _plain(text: str) -> str:
    """In small Latin letters without marks, as the parts of names are."""
    if "\\u" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = text.translate({ord(each): _latin(each) for each in set(text) if ord(each) > 127})
    return _MARKED.sub("", _APOSTROPHE.sub("", text.lower()))


@lru_cache(maxsize=1 << 12)
def _latin(letter: str) -> str:
    return anyascii(letter)
