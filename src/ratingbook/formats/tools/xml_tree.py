"""XML from strangers: a small tree with line numbers, and findings where it is refused.

Entities are never expanded and nothing outside of the file is read.  What a file
may cost is limited before it is spent: characters, elements and depth.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

MAX_CHARACTERS = 16_000_000
MAX_ELEMENTS = 500_000
MAX_DEPTH = 50
"""No tournament program writes more; a file that has more was not written by one."""
HEAD_LINES = 100
HEAD_CHARACTERS = 20_000

_DECLARED = pattern(r"""\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")


@dataclass(slots=True)
class Node:
    """An element; attributes and text as written, tags without name space."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Node] = field(default_factory=list)
    text: str = ""

    @property
    def place(self) -> Place:
        """Where the element begins."""
        return Place(line=self.line)

    def attribute(self, name: str) -> str:
        """An attribute without blanks around it; nothing where there is none."""
        return self.attributes.get(name, "").strip()

    def all(self, tag: str) -> list[Node]:
        """The children with that tag."""
        return [child for child in self.children if child.tag == tag]

    def child(self, tag: str) -> Node | None:
        """The first child with that tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def value(self, *tags: str) -> str:
        """The text of the first child with one of those tags that has any."""
        texts = (child.text for tag in tags for child in self.all(tag))
        return next((text for text in texts if text), "")

    def walk(self) -> Iterator[Node]:
        """The element and everything in it, in the order of the file."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def head(lines: Iterable[Line]) -> str:
    """The beginning of a file, enough to see what kind of XML it is; nothing for other files."""
    taken: list[str] = []
    for line in lines:
        taken.append(line.text[:HEAD_CHARACTERS])
        if len(taken) == 1 and line.text.strip() and not line.text.lstrip().startswith("<"):
            return ""
        if len(taken) >= HEAD_LINES:
            break
    text = "\n".join(taken)[:HEAD_CHARACTERS]
    return text if text.lstrip().startswith("<") else ""


class _TooLarge(Exception):
    """The file is larger than anything that is read."""


class _Builder:
    """Builds the tree from what the parser reports, and stops where it becomes too large."""

    def __init__(self, blank_lines: int) -> None:
        self.position: XMLParserType | None = None
        self._blank_lines = blank_lines
        self._count = 0
        self._root: Node | None = None
        self._open: list[tuple[Node, list[str]]] = []

    @property
    def line(self) -> int:
        """The line that is being read."""
        return self._blank_lines + (self.position.CurrentLineNumber if self.position else 1)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise _TooLarge(sentence("more than {most:,} elements", most=MAX_ELEMENTS))
        if len(self._open) >= MAX_DEPTH:
            raise _TooLarge(sentence("elements nested more than {most} deep", most=MAX_DEPTH))
        node = Node(tag.rpartition("}")[2], attributes, self.line)
        if self._open:
            self._open[-1][0].children.append(node)
        elif self._root is None:
            self._root = node
        self._open.append((node, []))

    def data(self, text: str) -> None:
        if self._open:
            self._open[-1][1].append(text)

    def end(self, _tag: str) -> None:
        node, texts = self._open.pop()
        node.text = "".join(texts).strip()

    def close(self) -> Node | None:
        return self._root


def parse(decoded: Decoded) -> tuple[Node | None, Findings]:
    """The root of a file; None where the findings refuse it."""
    from defusedxml import DefusedXmlException

    findings = Findings(decoded.findings)
    if findings.refused:
        return None, findings
    _check_encoding(decoded, findings)
    text = "\n".join(line.text for line in decoded.lines)
    builder = _Builder(text[: len(text) - len(text.lstrip())].count("\n"))
    try:
        if len(text) > MAX_CHARACTERS:
            raise _TooLarge(sentence("more than {most:,} characters", most=MAX_CHARACTERS))
        _feed(text, builder)
    except _TooLarge as error:
        findings.add(
            Severity.FATAL,
            "xml.too-large",
            sentence("The file has {error}.", error=error.args[0]),
            Place(line=builder.line),
            sentence("Send the file of one event as the tournament program saved it."),
        )
        return None, findings
    except DefusedXmlException as error:
        findings.add(
            Severity.FATAL,
            "xml.entities",
            sentence(
                "The file defines entities or refers to other files ({name}); such "
                "a file is not read.",
                name=type(error).__name__,
            ),
            Place(line=builder.line),
            sentence("Send the file as the tournament program saved it."),
        )
        return None, findings
    except SyntaxError as error:
        findings.add(
            Severity.FATAL,
            "xml.malformed",
            sentence(
                "The file is not well-formed XML: {partition}.",
                partition=str(error.msg).partition(":")[0],
            ),
            Place(line=builder.line),
            sentence(
                "Save the event again in the tournament program; do not edit the file by hand."
            ),
        )
        return None, findings
    return builder.close(), findings


def _feed(text: str, builder: _Builder) -> None:
    """Parse the text at once: piece by piece a long tag would be read again with every piece.

    Raises SyntaxError where it is no XML, DefusedXmlException where it holds what is forbidden.
    """
    from defusedxml.ElementTree import DefusedXMLParser

    parser = DefusedXMLParser(target=builder, forbid_entities=True, forbid_external=True)
    builder.position = parser.parser
    # White space before the declaration is an error that hardly matters.
    parser.feed(text.lstrip())
    parser.close()


def _check_encoding(decoded: Decoded, findings: Findings) -> None:
    """Note a declared encoding that is not the one in which the file was read."""
    first = decoded.lines[0].text if decoded.lines else ""
    match = _DECLARED.match(first)
    if match is None or all(line.text.isascii() for line in decoded.lines):
        return
    if _codec(match[1]) != _codec(decoded.encoding):
        findings.add(
            Severity.WARNING,
            "xml.encoding",
            sentence(
                "The file says that it is {match}, but it was read as {encoding}.",
                match=match[1],
                encoding=decoded.encoding,
            ),
            Place(line=1),
            sentence("Look at the names with accents; if they are wrong, save the file as UTF-8."),
        )


def _codec(name: str) -> str:
    """One name for an encoding, with and without the marks of its byte order."""
    try:
        name = codecs.lookup(name).name
    except LookupError:
        return name
    return re.sub(r"-(sig|le|be)$", "", name)
