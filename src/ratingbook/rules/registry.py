"""The registry: which editions are installed.

Ours are in the catalogue (``ratingbook.rules.catalogue``); other packages register theirs by the
entry point group ``ratingbook.rulebooks``: name of the edition = object.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from ratingbook.model import BadArgument
from ratingbook.model.sentences import sentence
from ratingbook.rules.book import RuleBook
from ratingbook.rules.catalogue import EDITIONS
from ratingbook.rules.near import did_you_mean, near
from ratingbook.rules.series import BookOrSeries, Series, series_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "ratingbook.rulebooks"
EXAMPLES = {
    "glicko": "models",
    "glicko-2": "models",
    "icu-2012": "icu",
    "nowhere-2023": "tutorial",
    "plain-elo-2024": "plain_elo",
    "weng-lin": "models",
}
"""Rule books of the example packages, and the folder of each."""


class UnknownRuleBook(BadArgument, LookupError):
    """There is no installed edition of that name."""


def _others() -> dict[str, EntryPoint]:
    """The rule books of other packages.

    To look for entry points opens a file of each package that is installed, and a rule book is
    asked for several times a report: so they are looked for once, and anew where the path is
    another.
    """
    return {point.name: point for point in _looked_for(tuple(sys.path))}


@lru_cache(maxsize=4)
def _looked_for(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    # With what it needs this takes longer to load than a rule book.
    from importlib.metadata import entry_points

    return tuple(entry_points(group=GROUP))


def names() -> list[str]:
    """The names of all installed editions, sorted."""
    return sorted({*EDITIONS, *_others()})


def families() -> dict[str, list[str]]:
    """The names under which several editions are one series: what they begin with."""
    installed = names()
    found: dict[str, list[str]] = {}
    for name in installed:
        family, dash, year = name.rpartition("-")
        if dash and year.isdigit():
            found.setdefault(family, []).append(name)
    return {
        family: editions
        for family, editions in found.items()
        if family not in installed and len(editions) > 1
    }


def load(name: str) -> BookOrSeries:
    """The edition of that name, or the series of all editions whose names begin so.

    Where no name is written so, capitals do not matter.  Raises :class:`UnknownRuleBook`, with
    the nearest names, if there is none.
    """
    if name in EDITIONS:
        return edition(name)
    installed, several = names(), families()
    if name not in installed and name not in several:
        alike = [each for each in (*installed, *several) if each.lower() == name.lower()]
        name = alike[0] if len(alike) == 1 else name
    is_series = name not in installed and name in several
    return series(name) if is_series else edition(name)


def series(name: str) -> Series:
    """The series of that name, which is one of the :func:`families`."""
    return series_of(name, [edition(each) for each in families()[name]])


def editions() -> tuple[list[RuleBook], list[str]]:
    """All editions by name, and for each that cannot be loaded the reason."""
    found, missing = [], []
    for name in names():
        try:
            found.append(edition(name))
        except UnknownRuleBook as error:
            missing.append(str(error))
    missing += (
        f"the rule book {name!r} of {_whose(point)} is not used: ratingbook has one of that name"
        for name, point in _others().items() if name in EDITIONS
    )  # fmt: skip
    return found, missing


def package_of(file: str) -> str | None:
    """The package of rule books, none of ours, in which a source file stands."""
    for point in _others().values():
        top = point.module.partition(".")[0]
        where = getattr(sys.modules.get(top), "__path__", None)
        if where and any(file.startswith(each) for each in where):
            return top
    return None


def edition(name: str) -> RuleBook:
    """The edition of that name.

    Raises :class:`UnknownRuleBook`, with the nearest names, if there is none.
    """
    if name in EDITIONS:
        module, _, attribute = EDITIONS[name].partition(":")
        ours: RuleBook = getattr(import_module(module), attribute)
        return ours
    others = _others()
    if name not in others:
        every = sorted([*names(), *families()])
        meant = near(name, [*every, *EXAMPLES, *EXAMPLES.values()])
        here = [each for each in meant if each in every]
        # What is there is not offered beside the very package that was named.
        example = next((each for each in meant[:1] if each not in every), None)
        bare, _, settings = name.partition(":")
        if settings and bare in every:
            # So the lab calls a rule book with parameters.
            known = sentence(
                "{bare} is, and its parameters stand beside it: --rulebook {bare} {settings}",
                bare=bare, settings=" ".join(f"--set {each}" for each in settings.split(",")),
            )  # fmt: skip
        elif example:
            folder = EXAMPLES.get(example, example)
            if example == name.casefold():
                known = sentence(
                    "it is a package of its own in examples/{folder} of the sources", folder=folder
                )
            else:
                known = sentence(
                    "did you mean {example}? It is a package of its own in examples/{folder} of "
                    "the sources",
                    example=example, folder=folder,
                )  # fmt: skip
        else:
            known = did_you_mean(name, here or every)
        raise UnknownRuleBook(
            sentence("no rule book {name!r} is installed; {known}", name=name, known=known)
        )
    point = others[name]
    try:
        book = point.load()
    except Exception as error:
        # Whatever an unfinished package raises, the other rule books are there all the same.
        raise UnknownRuleBook(
            sentence(
                "the rule book {name!r} of {package} cannot be loaded: {kind}: {error}",
                name=name, package=_whose(point), kind=type(error).__name__, error=error,
            )
        ) from error  # fmt: skip
    if not isinstance(book, RuleBook):
        raise UnknownRuleBook(
            sentence(
                "the entry point {name!r} of {package} is no rule book: {book!r}",
                name=name, package=_whose(point), book=book,
            )
        )  # fmt: skip
    return book


def _whose(point: EntryPoint) -> str:
    """The package that an entry point is of; to find it out reads a file of the package."""
    if point.dist is None:
        return point.value
    return sentence("the package {name}", name=point.dist.name)
