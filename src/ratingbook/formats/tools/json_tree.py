"""JSON of other programs: values by key, of which any may be missing or of another kind."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ratingbook.formats.document.read import parse_json
from ratingbook.formats.tools.characters import one_line
from ratingbook.model import Findings, Place

_LONGEST = 300


class Node:
    """An object of JSON; ``path`` says where it stands."""

    def __init__(self, value: Any, path: str = "") -> None:
        self._value: dict[str, Any] = value if isinstance(value, dict) else {}
        self.path = path

    @property
    def place(self) -> Place:
        """Where it stands, for findings."""
        return Place(path=self.path or None)

    def has(self, key: str) -> bool:
        """Whether there is anything under the key."""
        return key in self._value

    def text(self, key: str) -> str:
        """A text, or a number as text; empty where there is none."""
        value = self._value.get(key)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return ""
        return one_line(str(value))[:_LONGEST]

    def whole(self, key: str) -> int | None:
        """A whole number; None where there is none."""
        value = self._value.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return int(value) if math.isfinite(value) and value == int(value) else None

    def number(self, key: str) -> float | None:
        """A number; None where there is none."""
        value = self._value.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return float(value) if math.isfinite(value) else None

    def says(self, key: str) -> bool:
        """Whether the value is ``true``."""
        return self._value.get(key) is True

    def node(self, key: str) -> Node:
        """The object under the key; an empty one where there is none."""
        return Node(self._value.get(key), f"{self.path}.{key}".lstrip("."))

    def nodes(self, key: str) -> Iterator[Node]:
        """The objects of the list under the key."""
        for index, value in enumerate(self.items(key)):
            if isinstance(value, dict):
                yield Node(value, f"{self.path}.{key}[{index}]".lstrip("."))

    def items(self, key: str) -> list[Any]:
        """The list under the key; an empty one where there is none."""
        value = self._value.get(key)
        return value if isinstance(value, list) else []


def parsed(text: str) -> tuple[Node | None, Findings]:
    """The object that a JSON text is; None where the findings refuse it."""
    findings = Findings()
    data = parse_json(text, findings)
    return (None if findings.refused else Node(data)), findings
