"""Whether a report that went through another format is still rated as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ratingbook.engine.rate import rate
from ratingbook.formats.differences import rated_differences
from ratingbook.model import Findings, Report, Severity
from ratingbook.rules import registry
from ratingbook.rules.series import BookOrSeries

_OF_REGISTERS = {"fide": "fide", "uscf": "uscf", "iccf": "iccf", "iecg": "iecg", "egd": "egf"}
"""Whose number a player has → the rule books that may rate the event."""
_OVER_THE_BOARD = {"fide", "uscf"}
"""Registers of chess whose players meet in one event, which each of them rates."""
_OF_GAMES = {"chess": "fide", "Go": "egf"}
_SHOWN = 40
"""How many players, and how many causes, are named."""


def books_for(report: Report, game: str | None) -> list[BookOrSeries]:
    """The rule books with which a report of this game is likely to be rated."""
    names = {_OF_GAMES[game]} if game in _OF_GAMES else set()
    is_open = not report.entries
    fides = registry.load("fide").standing_fields.keys()
    for entry in report.entries:
        known = {_OF_REGISTERS[each] for each in entry.ids if each in _OF_REGISTERS}
        names |= known | ({"egf"} if entry.grade else set())
        said = entry.standing.extra.keys() if entry.standing else ()
        is_open = is_open or not known or not fides.isdisjoint(said)
    if is_open and names <= _OVER_THE_BOARD:
        # Who has no number is anybody's: one guest with that of another register says nothing.
        names.add("fide")
    if game in _OF_GAMES:
        names -= {"fide", "uscf", "iccf", "iecg"} if game == "Go" else {"egf"}
    known = {*registry.names(), *registry.families()}
    found: list[BookOrSeries] = []
    for name in sorted(names):
        # A family of one edition is no series.
        editions = [each for each in registry.names() if each.startswith(f"{name}-")]
        if name in known:
            found.append(registry.load(name))
        elif editions:
            found.append(registry.load(editions[-1]))
    return found


def ratings_changed(
    before: Report, after: Report, ids: Mapping[str, str], books: Sequence[BookOrSeries]
) -> Findings:
    """A finding for each rule book whose ratings are others afterwards, with all causes by name."""
    findings = Findings()
    for book in books:
        old, new = _rated(before, book), _rated(after, book)
        if old is None:
            continue
        if new is None:
            what = "the new file cannot be rated"
        else:
            old = {
                (ids.get(player, player), section): row for (player, section), row in old.items()
            }
            others = sorted(
                {key[0] for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
            )
            if not others:
                continue
            what = f"{len(others)} players have other ratings: {_listed(others)}"
        causes = rated_differences(before, after, ids)
        findings.add(
            Severity.WARNING,
            "convert.rated",
            f"Rated with {book.name}, {what}. What changes: {_listed(causes) or 'nothing named'}.",
            remedy="Rate from the old file, or choose a format that has a place for all this.",
        )
    return findings


def _rated(
    report: Report, book: BookOrSeries
) -> dict[tuple[str, str | None], tuple[object, ...]] | None:
    """What becomes of each player in each section; None where the report is not rated."""
    rating = rate(report, book)
    if rating.findings.refused:
        return None
    return {
        (each.row.id, each.row.section): (each.row.after, each.row.games)
        for each in rating.rows
        if each.row.games
    }


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return "; ".join(texts[:_SHOWN]) + more
