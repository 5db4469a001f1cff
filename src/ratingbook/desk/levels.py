"""Start levels: what a table says beside a player of whom the lists know nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ratingbook.desk.persons import named
from ratingbook.model import Colour, Entry, Findings, Game, Report, Severity, Standing
from ratingbook.rules.series import BookOrSeries

_SHOWN = 5


def with_start_levels(
    report: Report, listed: Collection[str], book: BookOrSeries
) -> tuple[Report, Findings]:
    """The report in which the rating of a player who is on no list is a level, not a standing.

    Only in editions where players without a rating count with a level: there a rating without
    a number of games would be fixed for good.  ``listed`` are those whom players files know.
    """
    findings = Findings()
    if book.edition(None).domain.unrated_count is None:
        return report, findings
    levels = {
        entry.id: entry.standing.rating
        for entry in report.entries
        if entry.id not in listed and _may_be_level(entry) and entry.standing
    }
    if not levels:
        return report, findings
    new = [entry for entry in report.entries if entry.id in levels]
    more = f" and {len(new) - _SHOWN} more" if len(new) > _SHOWN else ""
    findings.add(
        Severity.WARNING, "players.start-level",
        f"{', '.join(map(named, new[:_SHOWN]))}{more}: in no list and no players file; what the "
        "table says beside the name is taken as the level at which a new player starts.",
        new[0].place,
        "Whoever has a rating: give it with the number of games in a file of --players.",
    )  # fmt: skip
    entries = [replace(each, standing=None) if each.id in levels else each
               for each in report.entries]  # fmt: skip
    games = [_with_levels(game, levels) for game in report.games]
    return replace(report, entries=tuple(entries), games=tuple(games)), findings


def _may_be_level(entry: Entry) -> bool:
    """Whether a table gives a rating, and nothing that only a player with a standing has."""
    standing = entry.standing
    return (
        standing is not None
        and standing.rating is not None
        and entry.place.line is not None
        and standing == Standing(rating=standing.rating)
    )


def _with_levels(game: Game, levels: Mapping[str, float | None]) -> Game:
    white, black = (
        levels.get(game.player(colour) or "") if game.rating(colour) is None else None
        for colour in Colour
    )
    return replace(
        game,
        white_rating=game.white_rating if white is None else white,
        black_rating=game.black_rating if black is None else black,
    )
