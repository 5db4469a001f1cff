"""What a run or a correction changes, with the names of the persons beside their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ratingbook.office.acts.onward import Onward
from ratingbook.office.acts.people import names_of
from ratingbook.office.acts.preview import Preview

_ROWS = ("largest", "crossed", "crossed_then")
"""Keys of a report of differences under which each row is about one person."""
_GROUPS = ("firsts", "no_longer_rated", "merged")
"""Keys under which persons are counted, and the first of them named."""


def named(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report of differences in which each person has a name; who is suppressed has none.

    It is for who looks at it: no name goes into the ledger or into what is kept of a run.
    """
    return _named(report, names_of(_people(report)))


def preview_named(found: Preview) -> Preview:
    """The same of what corrections would change."""
    reaches = (replace(each, report=named(each.report)) for each in found.reaches)
    return replace(found, reaches=tuple(reaches))


def onward_named(found: Iterable[Onward]) -> tuple[Onward, ...]:
    """The same of what follows in other pools."""
    return tuple(
        each if each.report is None else replace(each, report=named(each.report)) for each in found
    )


def _people(report: Mapping[str, Any]) -> set[int]:
    found = {_person(row) for key in _ROWS for row in report.get(key, ())}
    found |= {int(each) for key in _GROUPS for each in _group(report, key)}
    return found | {int(each) for each in report.get("merged", {}).get("into", ())}


def _person(row: Mapping[str, Any]) -> int:
    return int(row["player"] if "player" in row else row["person"])


def _group(report: Mapping[str, Any], key: str) -> Sequence[str]:
    found: Sequence[str] = report.get(key, {}).get("players", ())
    return found


def _named(report: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    found = dict(report)
    for key in _ROWS:
        if key in report:
            found[key] = [{**row, "name": names.get(_person(row), "")} for row in report[key]]
    for key in _GROUPS:
        if key in report:
            called = [names.get(int(each), "") for each in _group(report, key)]
            found[key] = {**report[key], "names": called}
            if into := report[key].get("into"):
                found[key]["into_names"] = [names.get(int(each), "") for each in into]
    return found
