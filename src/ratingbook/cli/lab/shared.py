"""What the commands of the lab share: what refuses, and how numbers are written."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from ratingbook import __version__
from ratingbook.cli.history import progress_bar
from ratingbook.cli.screen import errors, output, print_findings, write
from ratingbook.engine.history.api import HistoryRefused
from ratingbook.engine.history.predictions import PredictsNothing
from ratingbook.lab.bootstrap import Interval
from ratingbook.lab.compare import NothingToCompare
from ratingbook.model import Findings, Refused

_DIGITS = 4


class NotInstalled(RuntimeError):
    """A library of the extra ``lab`` is missing."""


def need(*libraries: str) -> None:
    """Raise :class:`NotInstalled` for a library of the extra that is not there."""
    for each in libraries:
        if find_spec(each) is None:
            raise NotInstalled(
                f'{each} is not installed. Install it: pip install "ratingbook[lab]".'
            )


def refused(work: Callable[[], None], *more: type[Exception]) -> bool:
    """Do it; True if the input was refused, which is told.  ``more`` are told as they are."""
    nothing: tuple[type[Exception], ...] = (
        PredictsNothing, NothingToCompare, NotInstalled, *more,
    )  # fmt: skip
    try:
        work()
    except (Refused, HistoryRefused) as told:
        print_findings(told.findings, errors())
    except nothing as told:
        errors().print(f"error: {told}", markup=False)
    else:
        return False
    return True


@contextmanager
def watched() -> Iterator[Callable[[str, int, int], None] | None]:
    """Progress for whoever watches; the name of the rule book is not shown."""
    with progress_bar() as told:
        yield None if told is None else lambda name, done, total: told(done, total)


def write_json(said: Mapping[str, Any]) -> None:
    """With the version; numbers that do not exist are null, as JSON has it."""
    write(json.dumps(_of_json({"ratingbook": __version__, **said}), indent=2, default=str))


def _of_json(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Findings):
        return value.causes()
    if isinstance(value, Mapping):
        return {key: _of_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_of_json(each) for each in value]
    return value


def say(sentence: str) -> None:
    """A line of plain text."""
    output().print(sentence, markup=False, highlight=False)


def number(value: float, digits: int = _DIGITS) -> str:
    """With a minus that is one."""
    return f"{value:.{digits}f}".replace("-", "−")


def between(found: Interval, digits: int = _DIGITS) -> str:
    """The two ends of an interval, if it has any."""
    if not found.is_known:
        return "unknown"
    return f"{number(found.low, digits)} to {number(found.high, digits)}"
