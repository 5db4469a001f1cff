"""Numbers of queries: what is none, or out of all bounds, is told with the bounds."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

_WHOLE = re.compile(r"-?[0-9]{1,20}", re.ASCII)


def whole(least: int, most: int) -> Callable[[object], object]:
    """Reads a whole number between two bounds; JSON brings it as a number, a query as a text."""

    def read(value: object) -> object:
        text = str(value).strip()
        if isinstance(value, bool) or not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {_said(least)} to {_said(most)}")
        return int(text)

    return read


def between(least: float, most: float) -> Callable[[object], object]:
    """Reads any number between two bounds."""

    def read(value: object) -> object:
        try:
            number = float(str(value))
        except ValueError:
            number = None
        if number is not None and not math.isfinite(number):
            raise ValueError("a finite number")
        if number is None or not least <= number <= most:
            raise ValueError(f"a number from {_said(least)} to {_said(most)}")
        return number

    return read


def _said(bound: float) -> str:
    return f"{bound:.0f}".replace("-", "−")
