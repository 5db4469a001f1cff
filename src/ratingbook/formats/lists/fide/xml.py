"""FIDE's rating list as XML, streamed: it has a gigabyte and no declaration.

Document types and entities are refused; nesting, texts and tags have limits, so
that no file takes more memory than another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, BinaryIO

from ratingbook.formats.lists.fide import common
from ratingbook.formats.lists.fide.common import (
    POOL,
    POOLS,
    ROW,
    BadCell,
    FidePlayer,
    Rated,
    is_id,
    pool_of,
    rated_of,
)
from ratingbook.formats.lists.fide.fit import fitting
from ratingbook.formats.lists.fide.layout import Person, Tail, remember
from ratingbook.formats.lists.files import Source
from ratingbook.formats.lists.players import STANDARD, Rows
from ratingbook.formats.lists.refusal import refused
from ratingbook.formats.lists.text import pieces
from ratingbook.formats.tools.notes import CountedNotes, Remark
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import sentence

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

MALFORMED = Remark(
    "fide-list.xml",
    Severity.FATAL,
    "The list is no XML that is read",
    "Download it again from FIDE; do not edit it by hand.",
)
UNKNOWN = Remark(
    "fide-list.unknown",
    Severity.INFO,
    "Elements that are not known were left out",
    "Nothing to do.",
    shown=12,
)

_PIECE = 1 << 17
_MAX_DEPTH = 10
_MAX_TEXT = 10_000
_MAX_TOKEN = 1 << 18
"""The longest tag or comment, in bytes: until its end it is held in memory."""
_NO_XML = {0xFFFE: "?", 0xFFFF: "?"}
"""No XML may have these characters."""
_ROOT = "playerslist"
_PLAYER, _FIELD = 2, 3
"""How deep a player and his data lie."""
_PREFIXES = {STANDARD: "", "rapid": "rapid_", "blitz": "blitz_"}
_PERSON = ("fideid", "name", "country", "sex", "title", "w_title", "o_title", "foa_title")
_RATED = ("rating", "games", "k")
_POOL_TAGS = tuple(tuple(prefix + tag for tag in _RATED) for prefix in _PREFIXES.values())
_ABOUT = (*_PERSON[2:], "birthday", "flag")
"""What is said of many players in the same words."""
_KNOWN = frozenset((
    *_PERSON, *(prefix + tag for prefix in _PREFIXES.values() for tag in _RATED), "birthday",
    "flag",
))  # fmt: skip
_Fields = tuple[int, dict[str, str]]
"""The line of a player, and the texts of the elements in it."""
_About = tuple[Person, Tail]


def looks_like_fide_xml(head: str) -> bool:
    """Whether a list begins as FIDE's XML."""
    return head.lstrip().startswith("<") and "<playerslist" in head and "<player>" in head


def read_fide_xml(
    source: Source, notes: CountedNotes, wanted: Collection[str] | None = None
) -> Rows:
    """The players of a list, or those only whose numbers are asked for."""
    builder = _Builder(wanted, notes)
    reader = _Reader(source.name, notes)
    for line, fields in _parsed(source, builder, notes):
        try:
            player = reader.player(fields)
        except BadCell:
            notes.add(ROW, sentence("line {number}", number=line), Place(line=line))
        else:
            yield line, player


def _parsed(source: Source, builder: _Builder, notes: CountedNotes) -> Iterator[_Fields]:
    """The data of the players, as they come from the parser."""
    from xml.parsers.expat import ExpatError, errors

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    # Its guards stay; the elements come to the builder and not into a tree.
    # What it is given is UTF-8, whatever the file declares.
    guarded = DefusedXMLParser(
        encoding="utf-8", forbid_dtd=True, forbid_entities=True, forbid_external=True
    )
    parser: XMLParserType = guarded.parser
    builder.listen(parser)
    fed = 0
    try:
        for number, piece in enumerate(pieces(source.stream, notes, size=_PIECE)):
            data = (piece.lstrip() if number == 0 else piece).encode()
            parser.Parse(data, False)
            fed += len(data)
            if fed - parser.CurrentByteIndex > _MAX_TOKEN:
                raise refused(MALFORMED, sentence("a tag has no end"), builder.place())
            yield from builder.taken()
        parser.Parse(b"", True)
    except DefusedXmlException as error:
        message = f"it defines entities or refers to other files ({type(error).__name__})"
        raise refused(MALFORMED, message, builder.place()) from None
    except ExpatError as error:
        message = errors.messages.get(error.code, "it is not well-formed")
        raise refused(MALFORMED, message, builder.place()) from None
    yield from builder.taken()


class _Builder:
    """Collects the data of players from what the parser reports."""

    def __init__(self, wanted: Collection[str] | None, notes: CountedNotes) -> None:
        self._wanted = wanted
        self._notes = notes
        self._parser: XMLParserType | None = None
        self._found: list[_Fields] = []
        self._texts: list[str] = []
        """The text of the element that was begun last."""

    def place(self) -> Place:
        """Where the parser is."""
        return Place(line=self._parser.CurrentLineNumber if self._parser else 1)

    def taken(self) -> list[_Fields]:
        """The players since the last time; texts are limited here."""
        if sum(map(len, self._texts)) > _MAX_TEXT:
            message = f"a text has more than {_MAX_TEXT:,} characters"
            raise refused(MALFORMED, message, self.place())
        found = self._found.copy()
        self._found.clear()
        return found

    def listen(self, parser: XMLParserType) -> None:
        """Take what ``parser`` reports.

        The functions share variables and not attributes: they run sixty times for each
        of two million players.
        """
        self._parser = parser
        wanted, found, texts, notes = self._wanted, self._found, self._texts, self._notes
        depth = line = 0
        fields: dict[str, str] = {}

        def start(tag: str, attributes: object) -> None:
            nonlocal depth, line, fields
            depth += 1
            if depth == _FIELD:
                texts.clear()
            elif depth == _PLAYER:
                fields = {}
                line = parser.CurrentLineNumber
            elif depth > _MAX_DEPTH:
                message = f"elements are nested more than {_MAX_DEPTH} deep"
                raise refused(MALFORMED, message, self.place())
            elif depth == 1 and tag != _ROOT:
                raise refused(
                    MALFORMED, sentence("it begins with <{tag}>", tag=tag[:50]), self.place()
                )

        def end(tag: str) -> None:
            nonlocal depth
            if depth == _FIELD:
                if tag in _KNOWN:
                    fields[tag] = "".join(texts)
                else:
                    notes.add(UNKNOWN, f"<{tag[:50]}>", self.place())
            elif depth == _PLAYER and (
                wanted is None or fields.get("fideid", "").strip() in wanted
            ):
                found.append((line, fields))
            depth -= 1

        parser.StartElementHandler = start
        # Blanks between elements come here too, and are cleared with the next one.
        parser.CharacterDataHandler = texts.append
        parser.EndElementHandler = end


class _Reader:
    """Reads the data of players; what is said of many is remembered."""

    def __init__(self, name: str, notes: CountedNotes) -> None:
        self._name = name
        self._notes = notes
        self._rated: dict[tuple[str, ...], Rated | None] = {}
        self._about: dict[tuple[str, ...], _About] = {}
        self._remarked = common.Remarked(notes)

    def player(self, fields: Mapping[str, str]) -> FidePlayer:
        """The player of these data; raises BadCell."""
        number = fields.get("fideid", "").strip()
        if not is_id(number):
            raise BadCell(number)
        key = tuple([fields.get(tag, "").strip() for tag in _ABOUT])
        if key not in self._about:
            remember(self._about, key, _about_of(key, self._remarked))
        person, tail = self._about[key]
        name = common.name_of(fields.get("name", ""))
        return FidePlayer._make((number, name, *person, *self._pools(fields), *tail))

    def _pools(self, fields: Mapping[str, str]) -> list[Rated | None]:
        """The player's place in each pool.

        A list of one pool may call the rating of any pool just so: its name says which.
        """
        found = []
        for tags in _POOL_TAGS:
            key = tuple([fields.get(tag, "").strip() for tag in tags])
            if key not in self._rated:
                remember(self._rated, key, rated_of(*key))
            found.append(self._rated[key])
        if "rating" in fields and not ("rapid_rating" in fields or "blitz_rating" in fields):
            pool = pool_of(self._name)
            if pool is None:
                self._notes.add(POOL, self._name, Place(line=1))
            elif pool != STANDARD:
                found[POOLS.index(pool)], found[0] = found[0], None
        return found


def _about_of(texts: tuple[str, ...], remarked: common.Remarked) -> _About:
    country, sex, title, women, others, arena, year, flag = texts
    person = Person(
        common.federation_of(country),
        common.sex_of(sex),
        common.title_of(title),
        common.title_of(women),
        common.other_titles_of(others),
        common.title_of(arena),
    )
    return person, Tail(common.birth_year_of(year), common.flags(flag, remarked))


def write_fide_xml(rows: Iterable[FidePlayer], file: BinaryIO, pool: str | None = None) -> Findings:
    """Write a list, player by player: the combined one, or that of one ``pool``.

    As in FIDE's own there is no declaration, and each element has a line.
    """
    notes = CountedNotes()
    file.write(f"<{_ROOT}>\n".encode())
    for player in fitting(rows, notes):
        lines = (
            f"<{tag}>{escape(text, quote=False)}</{tag}>\n" for tag, text in _texts(player, pool)
        )
        file.write(f"<player>\n{''.join(lines)}</player>\n".translate(_NO_XML).encode())
    file.write(f"</{_ROOT}>\n".encode())
    return notes.findings()


def _texts(player: FidePlayer, pool: str | None) -> Iterator[tuple[str, str]]:
    """The elements of a player in their order; a list of one pool calls them without it."""
    ratings = dict(zip(POOLS, (player.standard, player.rapid, player.blitz), strict=True))
    person = (
        player.id, player.name, player.federation, player.sex, player.title, player.women_title,
        player.other_titles, player.arena_title,
    )  # fmt: skip
    yield from zip(_PERSON, person, strict=True)
    for name in (pool,) if pool else POOLS:
        rated = ratings[name] or Rated(games=0, k=0)
        prefix = "" if pool else _PREFIXES[name]
        yield f"{prefix}rating", str(rated.rating or 0)
        yield f"{prefix}games", _shown(rated.games)
        yield f"{prefix}k", _shown(rated.k)
    yield "birthday", str(player.birth_year or 0)
    yield "flag", player.flag


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)
