"""Ways in which files go wrong: by accident, in the hands of programs, and on purpose.

Each is a function of the bytes of a file and a source of chance; the same chance gives
the same bytes.  What does not fit a file leaves it as it is.
"""

from __future__ import annotations

import io
import json
import re
import warnings
import zipfile
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from random import Random
from typing import Any

Mutation = Callable[[bytes, Random], bytes]
Joining = Callable[[bytes, bytes, Random], bytes]
"""Of the bytes of two files."""

PIECES = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in (
        *("", " ", "0", "-1", "1", "9", "00", "4000", "99999", "-0", "+1", "1e5", "1e400", "nan"),
        *("inf", "9" * 25, "9" * 5000, "0.5", "1,5", "½", "²", "٣", "１２", "Ⅷ", "1_000", "0x10"),
        *("1-0", "0-1", "1/2-1/2", "*", "1", "=", "+", "-", "H", "F", "U", "Z", "D", "W", "L"),
        *("+--", "--+", "0-0", "bye", "w", "b", "s", "m", "f", "x", "X", "?", "!", "(1)", "/"),
        *("2023-02-30", "00/00/0000", "31.12.9999", "2024/1/1", "1.2.3", "9999-12-31", "????.??"),
        *("=HYPERLINK(1)", "@SUM(A1)", "'", '"', '""', "<", ">", "&", "&amp;", "&#0;", "&x;", "]"),
        *("{", "}", "[", "]", "(", ")", ";", ",", "\t", "|", "\\", "%", "#", "$", "\0", "\x1a"),
        *("\x0b", "\x0c", "\x85", "\u00a0", "\u2028", "\u202e", "\ufeff", "\ud800", "\U0001f600"),
        *("İ", "ß", "ŉ", "e\u0301", "Ł", "中", "a" * 300, "9d", "30k", "1p", "gm", "true", "null"),
    )
)
_NUMBER = re.compile(rb"[0-9]+")
_WORD = re.compile(rb"[^\s,;|<>\"=]+")
_ATTRIBUTE = re.compile(rb'\b(\w+)="([^"]*)"')
_QUOTED = re.compile(rb'"[^"\n]*"')
_DELIMITERS = (b",", b";", b"\t", b"|", b" ")
_LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha">%s]>' % b"".join(
    b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10 if n > 1 else b"&a;" * 10)
    for n in range(1, 10)
)
_OUTSIDE = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
_LARGEST_PART = 4 * 1024**2
"""A larger part was made a bomb already."""
_ENCODINGS = (
    "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "iso-8859-15", "cp437",
    "cp037", "utf-7", "cp1251", "koi8-r", "cp866", "cp1250", "cp1254", "gb18030", "shift-jis",
)  # fmt: skip


# Bytes


def _span(data: bytes, chance: Random, most: int = 40) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.randint(1, most))


def insert_piece(data: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(PIECES) + data[at:]


def overwrite(data: bytes, chance: Random) -> bytes:
    """Something else of the same width, so that columns stay where they are."""
    piece = chance.choice(PIECES)
    at = chance.randrange(len(data) + 1)
    return data[:at] + piece + data[at + len(piece) :]


def any_bytes(data: bytes, chance: Random) -> bytes:
    start, end = _span(data, chance, 6)
    return data[:start] + chance.randbytes(chance.randint(0, 6)) + data[end:]


def cut_out(data: bytes, chance: Random) -> bytes:
    start, end = _span(data, chance, chance.choice((1, 40, 2000)))
    return data[:start] + data[end:]


def repeat(data: bytes, chance: Random) -> bytes:
    start, end = _span(data, chance, chance.choice((1, 40, 2000)))
    times = min(chance.choice((2, 3, 200)), 300_000 // max(end - start, 1))
    return data[:start] + data[start:end] * times + data[end:]


def truncate(data: bytes, chance: Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def beheaded(data: bytes, chance: Random) -> bytes:
    return data[chance.randrange(min(len(data), 500) + 1) :]


def very_long(data: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    length = chance.choice((1_000, 70_000, 150_000))
    return data[:at] + chance.choice((b"9", b"a", b" ", b"(", b'"', b"1 ")) * length + data[at:]


# Lines


def _lined(change: Callable[[list[bytes], Random], None]) -> Mutation:
    def mutation(data: bytes, chance: Random) -> bytes:
        lines = data.split(b"\n")
        change(lines, chance)
        return b"\n".join(lines)

    mutation.__name__ = change.__name__
    return mutation


@_lined
def line_away(lines: list[bytes], chance: Random) -> None:
    lines.pop(chance.randrange(len(lines)))


@_lined
def line_again(lines: list[bytes], chance: Random) -> None:
    line = chance.choice(lines)
    times = min(chance.choice((1, 1, 1, 400)), 200_000 // (len(line) + 1))
    at = chance.randrange(len(lines) + 1)
    lines[at:at] = [line] * times


@_lined
def line_moved(lines: list[bytes], chance: Random) -> None:
    line = lines.pop(chance.randrange(len(lines)))
    lines.insert(chance.randrange(len(lines) + 1), line)


@_lined
def lines_joined(lines: list[bytes], chance: Random) -> None:
    at = chance.randrange(len(lines))
    lines[at : at + 2] = [b"".join(lines[at : at + 2])]


@_lined
def line_shifted(lines: list[bytes], chance: Random) -> None:
    at = chance.randrange(len(lines))
    line = lines[at]
    where = chance.randrange(len(line) + 1)
    lines[at] = (
        line[:where] + b" " * chance.randint(1, 3) + line[where:]
        if chance.random() < 0.5
        else line[:where] + line[where + chance.randint(1, 3) :]
    )


@_lined
def columns_exchanged(lines: list[bytes], chance: Random) -> None:
    """The same columns of two lines: ranks, results or names of two players."""
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    start, end = _span(lines[one], chance, 20)
    first, second = lines[one], lines[other]
    lines[one] = first[:start] + second[start:end] + first[end:]
    lines[other] = second[:start] + first[start:end] + second[end:]


@_lined
def column_away(lines: list[bytes], chance: Random) -> None:
    start, end = _span(chance.choice(lines), chance, 10)
    lines[:] = [line[:start] + line[end:] for line in lines]


@_lined
def fields_exchanged(lines: list[bytes], chance: Random) -> None:
    """Two fields, in one line or in all of them."""
    mark = chance.choice(_DELIMITERS)
    one, other = chance.randrange(8), chance.randrange(8)
    only = chance.randrange(len(lines)) if chance.random() < 0.5 else None
    for index, line in enumerate(lines):
        cells = line.split(mark)
        if only in (None, index) and max(one, other) < len(cells):
            cells[one], cells[other] = cells[other], cells[one]
            lines[index] = mark.join(cells)


@_lined
def field_replaced(lines: list[bytes], chance: Random) -> None:
    mark = chance.choice(_DELIMITERS)
    at = chance.randrange(len(lines))
    cells = lines[at].split(mark)
    cells[chance.randrange(len(cells))] = chance.choice((chance.choice(PIECES), cells[0]))
    lines[at] = mark.join(cells)


def line_ends(data: bytes, chance: Random) -> bytes:
    end = chance.choice((b"\r\n", b"\r", b"\n\r", b"\x0b", b"\xe2\x80\xa8", b"\x85", b"\n\n"))
    return data.replace(b"\r\n", b"\n").replace(b"\n", end)


# Words and numbers


def _found(pattern: re.Pattern[bytes], data: bytes, chance: Random) -> re.Match[bytes] | None:
    """One of the matches behind some place."""
    start = chance.randrange(len(data) + 1)
    return pattern.search(data, start) or pattern.search(data)


def number_replaced(data: bytes, chance: Random) -> bytes:
    match = _found(_NUMBER, data, chance)
    if match is None:
        return data
    value = int(match[0][:18])
    width = len(match[0])
    near = value + chance.choice((-1, 1, 10, -100))
    new = chance.choice(
        (
            chance.choice(PIECES),
            str(near).encode(),
            str(near).rjust(width)[:width].encode(),
            str(chance.randrange(60)).rjust(width).encode(),
            b"0" * width,
        )
    )
    return data[: match.start()] + new + data[match.end() :]


def numbers_exchanged(data: bytes, chance: Random) -> bytes:
    one, other = _found(_NUMBER, data, chance), _found(_NUMBER, data, chance)
    if one is None or other is None or one.end() > other.start():
        return data
    between = data[one.end() : other.start()]
    return data[: one.start()] + other[0] + between + one[0] + data[other.end() :]


def number_everywhere(data: bytes, chance: Random) -> bytes:
    """One number by another, wherever it stands: ids change, or two become one."""
    one, other = _found(_NUMBER, data, chance), _found(_NUMBER, data, chance)
    if one is None or other is None:
        return data
    return re.sub(rb"\b%s\b" % one[0], other[0], data)


def word_replaced(data: bytes, chance: Random) -> bytes:
    match = _found(_WORD, data, chance)
    if match is None:
        return data
    other = _found(_WORD, data, chance)
    new = other[0] if other and chance.random() < 0.5 else chance.choice(PIECES)
    return data[: match.start()] + new + data[match.end() :]


def quoted_replaced(data: bytes, chance: Random) -> bytes:
    match = _found(_QUOTED, data, chance)
    if match is None:
        return data
    return data[: match.start()] + b'"%s"' % chance.choice(PIECES) + data[match.end() :]


def other_case(data: bytes, chance: Random) -> bytes:
    return chance.choice((bytes.upper, bytes.lower, bytes.swapcase))(data)


# Encodings


def recoded(data: bytes, chance: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(chance.choice(_ENCODINGS), "replace")


def marked(data: bytes, chance: Random) -> bytes:
    at = chance.choice((0, chance.randrange(len(data) + 1)))
    return data[:at] + chance.choice((BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)) + data[at:]


def recoded_twice(data: bytes, chance: Random) -> bytes:
    """UTF-8 that was taken for something else and saved as UTF-8 again."""
    return data.decode(chance.choice(("latin-1", "cp437"))).encode()


# XML and JSON, and whatever nests


def declared(data: bytes, chance: Random) -> bytes:
    """With a document type, and a reference to what it declares."""
    end = data.find(b"?>") + 2 if data.startswith(b"<?") else 0
    inside = _found(re.compile(rb'="'), data, chance)
    if inside:
        data = data[: inside.end()] + chance.choice((b"&a9;", b"&a;")) + data[inside.end() :]
    return data[:end] + chance.choice((_LAUGHS, _OUTSIDE)) + data[end:]


def attribute_changed(data: bytes, chance: Random) -> bytes:
    match = _found(_ATTRIBUTE, data, chance)
    other = _found(_ATTRIBUTE, data, chance)
    if match is None or other is None:
        return data
    piece = chance.choice(PIECES).replace(b"<", b"&lt;").replace(b"&", b"&amp;")
    new = chance.choice(
        (
            b"",
            other[0],
            b'%s="%s"' % (match[1], other[2]),
            b'%s="%s"' % (match[1], piece.replace(b'"', b"&quot;")),
            match[0] + b" " + match[0],
        )
    )
    return data[: match.start()] + new + data[match.end() :]


def nested(data: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    start, end = chance.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")"), (b"<a>", b"</a>")))
    depth = chance.choice((3, 1_000, 50_000))
    return data[:at] + start * depth + end * chance.choice((depth, 0)) + data[at:]


def tree_changed(data: bytes, chance: Random) -> bytes:
    """JSON with another value, key or kind of value somewhere."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return data
    for _ in range(chance.randint(1, 3)):
        places = list(_places(tree))
        if not places:
            return data
        noun, key = chance.choice(places)
        other, other_key = chance.choice(places)
        action = chance.randrange(5)
        if action == 0:
            del noun[key]
        elif action == 1:
            noun[key] = json.loads(json.dumps(other[other_key]))
        elif action == 2:
            text = chance.choice(PIECES).decode("utf-8", "surrogatepass")
            noun[key] = chance.choice(
                (text, None, True, False, 0, 1, -1, 0.5, 1e300, 10**30, [], {}, [None], {"": 0})
            )
        elif action == 3 and isinstance(noun, dict):
            noun[chance.choice(PIECES).decode("utf-8", "surrogatepass")] = noun[key]
        elif isinstance(noun, list):
            noun.insert(key, json.loads(json.dumps(noun[key])))
        else:
            noun[str(other_key)] = json.loads(json.dumps(other[other_key]))
    return json.dumps(tree, ensure_ascii=chance.random() < 0.9).encode("utf-8", "surrogatepass")


def _places(tree: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        noun = waiting.pop()
        keys = noun.keys() if isinstance(noun, dict) else range(len(noun))
        for key in list(keys):
            found.append((noun, key))
            if isinstance(noun[key], dict | list):
                waiting.append(noun[key])
    return found


# Archives


def _member(name: str) -> zipfile.ZipInfo:
    """A member of no day, so that an archive is the same each time."""
    return zipfile.ZipInfo(name)


def repacked(data: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """The archive with other parts; what is no archive stays as it is."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
    except Exception:
        return data
    if not parts or max(map(len, parts.values())) > _LARGEST_PART:
        return data
    change(parts)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(_member(name), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def part_changed(data: bytes, chance: Random) -> bytes:
    """A part of the archive damaged as a text, and packed again with all sums right."""

    def change(parts: dict[str, bytes]) -> None:
        sheets = [name for name in parts if "sheet" in name or "Strings" in name]
        name = chance.choice(sheets if sheets and chance.random() < 0.8 else list(parts))
        parts[name] = chance.choice(TEXT)(parts[name], chance)

    return repacked(data, change)


def part_away(data: bytes, chance: Random) -> bytes:
    def change(parts: dict[str, bytes]) -> None:
        del parts[chance.choice(list(parts))]

    return repacked(data, change)


def part_renamed(data: bytes, chance: Random) -> bytes:
    names = (
        "../../x.txt",
        "/x.xml",
        "X.TXT",
        "list.zip",
        "x\ud7ff.txt",
        "xl/worksheets/s.xml",
        " ",
    )

    def change(parts: dict[str, bytes]) -> None:
        name = chance.choice(list(parts))
        parts[chance.choice(names)] = parts.pop(name)

    return repacked(data, change)


def part_a_bomb(data: bytes, chance: Random) -> bytes:
    size = chance.choice((2 * 1024**2, 30 * 1024**2))

    def change(parts: dict[str, bytes]) -> None:
        name = chance.choice([*parts, "more.txt"])
        piece = chance.choice((b" ", b"<a/>", b"\n"))
        parts[name] = parts.get(name, b"")[:500] + piece * (size // len(piece))

    return repacked(data, change)


def part_twice(data: bytes, chance: Random) -> bytes:
    file = io.BytesIO(data)
    try:
        with warnings.catch_warnings(), zipfile.ZipFile(file, "a") as archive:
            warnings.simplefilter("ignore")
            name = chance.choice(archive.namelist())
            archive.writestr(_member(name), TEXT[0](archive.read(name), chance))
    except Exception:
        return data
    return file.getvalue()


def packed_again(data: bytes, chance: Random) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(chance.choice((1, 1, 2, 200))):
            suffix = chance.choice((".txt", ".zip", ".xml"))
            archive.writestr(_member(f"list{number}{suffix}"), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def directory_changed(data: bytes, chance: Random) -> bytes:
    """Sizes, flags, methods and offsets of an archive's directory, which its parts do not bear."""
    at = data.find(b"PK\x01\x02", chance.randrange(len(data) + 1))
    if chance.random() < 0.3 or at < 0:
        at = data.rfind(b"PK\x05\x06")
    if at < 0:
        return data
    where = at + chance.randint(4, 45)
    new = chance.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x01", b"\x63", chance.randbytes(2)))
    return data[:where] + new + data[where + len(new) :]


# Two files that become one


def followed_by(data: bytes, other: bytes, chance: Random) -> bytes:
    return data + chance.choice((b"", b"\n", b"\r\n\r\n", b"\x1a")) + other


def half_of_each(data: bytes, other: bytes, chance: Random) -> bytes:
    end = data.find(b"\n", chance.randrange(len(data) + 1)) + 1
    return data[:end] + other[other.find(b"\n", chance.randrange(len(other) + 1)) + 1 :]


def with_lines_of(data: bytes, other: bytes, chance: Random) -> bytes:
    lines, others = data.split(b"\n"), other.split(b"\n")
    start = chance.randrange(len(others))
    at = chance.randrange(len(lines) + 1)
    lines[at:at] = others[start : start + chance.choice((1, 5, 50))]
    return b"\n".join(lines)


def with_inside(data: bytes, other: bytes, chance: Random) -> bytes:
    """A piece of the other file at any place, as in a value or in a name."""
    start, end = _span(other, chance, chance.choice((10, 200, 2000)))
    at = chance.randrange(len(data) + 1)
    return data[:at] + other[start:end] + data[at:]


def packed_with(data: bytes, other: bytes, chance: Random) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for content in chance.sample((data, other), 2):
            suffix = chance.choice((".txt", ".trf", ".xml", ".pgn", ".csv"))
            name = f"{len(archive.namelist())}{suffix}"
            archive.writestr(_member(name), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


JOINED: tuple[Joining, ...] = (
    *(followed_by, half_of_each, with_lines_of, with_lines_of, with_inside, packed_with),
)
BYTES: tuple[Mutation, ...] = (insert_piece, overwrite, any_bytes, cut_out, repeat, truncate)
TEXT: tuple[Mutation, ...] = (
    *BYTES,
    *(beheaded, very_long, line_away, line_again, line_moved, lines_joined, line_shifted),
    *(columns_exchanged, column_away, fields_exchanged, field_replaced, line_ends),
    *(number_replaced, numbers_exchanged, number_everywhere, word_replaced, quoted_replaced),
    *(columns_exchanged, number_replaced, numbers_exchanged, number_everywhere, word_replaced),
    *(field_replaced, field_replaced, other_case, recoded, marked, recoded_twice, nested),
)
XML: tuple[Mutation, ...] = (declared, attribute_changed, attribute_changed, attribute_changed)
ARCHIVE: tuple[Mutation, ...] = (
    *(part_changed, part_changed, part_changed, part_changed, part_changed, part_away),
    *(part_renamed, part_a_bomb, part_twice, directory_changed, any_bytes, truncate, packed_again),
)


def suited(data: bytes) -> tuple[Mutation, ...]:
    """What is worth trying on a file that begins so."""
    start = data[:200].lstrip(b" \r\n\t\xef\xbb\xbf")
    if start.startswith(b"PK"):
        return ARCHIVE
    if start.startswith(b"<"):
        return TEXT + XML * 5
    if start.startswith((b"{", b"[{")):
        return TEXT + (tree_changed,) * 40
    if b"\0" in start:
        return (*BYTES, overwrite, overwrite, columns_exchanged, number_replaced)
    return TEXT
