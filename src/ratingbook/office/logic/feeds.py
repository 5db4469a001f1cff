"""Feeds of a register: Atom (RFC 4287) and JSON Feed 1.1, an entry for each fact."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree import ElementTree

_ATOM = "http://www.w3.org/2005/Atom"
_JSON = "https://jsonfeed.org/version/1.1"


@dataclass(frozen=True)
class Item:
    """What a feed tells of one fact; it never changes."""

    id: str
    """A URN."""
    at: datetime
    title: str
    text: str
    link: str
    """Where the whole correction stands, from the feed."""


def atom(title: str, urn: str, items: Sequence[Item]) -> str:
    """The feed as Atom, the newest first."""
    ElementTree.register_namespace("", _ATOM)
    root = ElementTree.Element(f"{{{_ATOM}}}feed")
    newest = max((each.at for each in items), default=datetime(1970, 1, 1, tzinfo=UTC))
    _put(root, "id", urn)
    _put(root, "title", title)
    _put(root, "updated", _time(newest))
    author = ElementTree.SubElement(root, f"{{{_ATOM}}}author")
    _put(author, "name", "the rating office")
    for each in _newest_first(items):
        entry = ElementTree.SubElement(root, f"{{{_ATOM}}}entry")
        _put(entry, "id", each.id)
        _put(entry, "title", each.title)
        _put(entry, "updated", _time(each.at))
        ElementTree.SubElement(entry, f"{{{_ATOM}}}link", href=each.link)
        _put(entry, "content", each.text).set("type", "text")
    return ElementTree.tostring(root, "unicode", xml_declaration=True) + "\n"


def _put(parent: ElementTree.Element, name: str, text: str) -> ElementTree.Element:
    made = ElementTree.SubElement(parent, f"{{{_ATOM}}}{name}")
    # XML 1.0 has no control characters, however they came into a reason.
    made.text = "".join(c for c in text if c >= " " or c in "\n\t")
    return made


def as_json(title: str, urn: str, items: Sequence[Item]) -> str:
    """The feed as JSON Feed, the newest first."""
    said = {
        "version": _JSON, "title": title, "description": urn,
        "items": [
            {
                "id": each.id, "url": each.link, "title": each.title, "content_text": each.text,
                "date_published": _time(each.at),
            }
            for each in _newest_first(items)
        ],
    }  # fmt: skip
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def _newest_first(items: Sequence[Item]) -> list[Item]:
    return sorted(items, key=lambda each: each.at, reverse=True)


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
