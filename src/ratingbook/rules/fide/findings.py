"""What this edition notices about a period's report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ratingbook.model import Colour, Event, Findings, Game, GameStatus, Place, Severity
from ratingbook.rules.fide.columns import NO_RATING, BelowFloor, Parameters, Standing
from ratingbook.rules.fide.lists import list_in_force, list_taking
from ratingbook.rules.wording import players_named

if TYPE_CHECKING:
    from ratingbook.rules.fide.book import FideBatch


def check_standings(batch: FideBatch, p: Parameters, findings: Findings) -> None:
    """Whether there are ratings to compute from, and what had to be taken for granted."""
    low, silent, rated = [], [], 0
    for entry in batch.entries:
        reported = entry.standing
        if reported is None or reported.rating is None:
            continue
        rated += 1
        if reported.rating < p.floor and reported.status is None:
            low.append(entry)
        if reported.games is None:
            silent.append(entry)
    if not rated and batch.games:
        findings.add(
            Severity.WARNING,
            "fide.nobody-rated",
            "No player has a rating, so there is nothing to compute from.",
            batch.entries[0].place if batch.entries else Place(),
            "Give ratings in the report or with --players.",
        )
    if low:
        taken = (
            "their players count as unrated"
            if p.below_floor == BelowFloor.UNRATED
            else "they are used as given"
        )
        findings.add(
            Severity.WARNING,
            "fide.below-floor",
            f"{players_named(low)}: rating below the floor of {p.floor}, "
            f"which the published list does not hold; {taken}.",
            low[0].place,
            "Check that these are FIDE ratings; set below_floor=unrated to leave them out.",
        )
    if silent:
        findings.add(
            Severity.INFO,
            "fide.games-unknown",
            f"{players_named(silent)}: the number of rated games is not given; taken as "
            f"{p.games_unknown}, which settles K.",
            silent[0].place,
            "Give the games with --players, or set games_unknown.",
        )


def check_decisions(
    batch: FideBatch,
    decided: Sequence[int | None],
    bounds: tuple[int, int],
    findings: Findings,
) -> None:
    """What the office decided for each entry is a rating; None where it is no whole number."""
    low, high = bounds
    for entry, rating in zip(batch.entries, decided, strict=True):
        if entry.decisions.get("base_rating") is None:
            continue
        if rating is None or not low <= rating <= high:
            findings.add(
                Severity.ERROR,
                "fide.base-rating",
                f"The decision base_rating of player {entry.id} is no rating: "
                f"{entry.decisions['base_rating']!r}.",
                entry.place,
                f"Give a whole number between {low} and {high}.",
            )


def check_games(
    batch: FideBatch, entered: Sequence[Standing], counting: Sequence[Game], findings: Findings
) -> None:
    """Games that are not rated as the report may mean them; ``counting`` are those that count."""
    unrated = {
        entry.id
        for entry, standing in zip(batch.entries, entered, strict=True)
        if standing.rating == NO_RATING
    }
    for event in batch.events if batch.event.kind == "round_robin" else ():
        players = {p for game in counting if game.event == event for p in (game.white, game.black)}
        if players & unrated and event not in batch.round_robins:
            findings.add(
                Severity.WARNING,
                "fide.rated-as-swiss",
                f"{event or 'The event'} is rated as a Swiss, without the games between "
                "unrated players: not everybody met everybody equally often, or nobody is "
                "rated.",
                remedy="Add the missing games, or give the event another kind.",
            )
    for game in batch.games:
        for colour in Colour:
            _check_rating_of_game(game, colour, unrated, findings)
    for status in (GameStatus.ADJUDICATED, GameStatus.WITHDRAWN):
        games = [game for game in batch.games if game.status is status]
        if games:
            findings.add(
                Severity.INFO,
                "fide.not-over-the-board",
                f"Games that were {status} are not rated: {len(games)} in all.",
                games[0].place,
                "Only games finished over the board are rated.",
            )


def _check_rating_of_game(
    game: Game, colour: Colour, unrated: set[str], findings: Findings
) -> None:
    rating, player = game.rating(colour), game.player(colour)
    if rating is None or player is None:
        return
    place = Place(player=player, round=game.round, path=game.place.path)
    if player in unrated:
        findings.add(
            Severity.WARNING,
            "fide.rating-without-standing",
            f"A game gives player {player} the rating {rating:g}, but the player is not on "
            "the list of this period; the player counts as unrated.",
            place,
            "Give the player's standing.",
        )


def tell_lists(event: Event, findings: Findings) -> None:
    """Which list the ratings come from, and for which list the event counts."""
    if event.start and event.end:
        official = event.category == "official"
        findings.add(
            Severity.INFO,
            "fide.lists",
            f"The event starts on {event.start}: the ratings are those of the list of "
            f"{list_in_force(event.start)}; it ends on {event.end}: it counts for the list "
            f"of {list_taking(event.end, official)}.",
        )
