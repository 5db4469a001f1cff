"""What this edition notices about a period's report."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.model import Colour, Entry, Event, Findings, Game, GameStatus, Place, Severity
from ratingbook.rules.fide.batch import FideBatch, decided_rating
from ratingbook.rules.fide.columns import (
    NO_RATING,
    BelowFloor,
    Parameters,
    Pool,
)
from ratingbook.rules.fide.lists import list_in_force, list_taking
from ratingbook.rules.fide.round_robin import opponents_of_each
from ratingbook.rules.fide.titles import best_norm
from ratingbook.rules.wording import players_named


def check_standings(batch: FideBatch, p: Parameters, findings: Findings) -> None:
    """Whether there are ratings to compute from, and what had to be taken for granted."""
    low: list[Entry] = []
    silent: list[Entry] = []
    by_list: list[Entry] = []
    rated = 0
    for entry in batch.entries:
        reported = entry.standing
        if reported is None or reported.rating is None:
            continue
        rated += 1
        if reported.rating < p.floor and reported.status is None:
            low.append(entry)
        if reported.games is None:
            (by_list if reported.extra.get("k") is not None else silent).append(entry)
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
            Severity.WARNING,
            "fide.games-unknown",
            f"{players_named(silent)}: the number of rated games is not given; taken as "
            f"{p.games_unknown}, which settles K.",
            silent[0].place,
            "Give the games with --players, or a list of FIDE, which has K; or set games_unknown.",
        )
    if by_list:
        findings.add(
            Severity.INFO,
            "fide.k-of-list",
            f"{players_named(by_list)}: the number of rated games is not given; the K of the list "
            "says whether there are 30.",
            by_list[0].place,
            "Give the games with --players if you know them.",
        )


def check_decisions(batch: FideBatch, bounds: tuple[int, int], findings: Findings) -> None:
    """What the office decided for each entry is a rating."""
    low, high = bounds
    for entry in batch.entries:
        if entry.decisions.get("base_rating") is None:
            continue
        rating = decided_rating(entry)
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
    batch: FideBatch, counting: Sequence[Game], p: Parameters, findings: Findings
) -> None:
    """Games that are not rated as the report may mean them; ``counting`` are those that count."""
    unrated = {player for player, rating in batch.numbers.items() if rating == NO_RATING}
    for event in (event for event, facts in batch.facts.items() if facts.is_round_robin):
        players = {p for game in counting if game.event == event for p in (game.white, game.black)}
        if players & unrated and not opponents_of_each(batch.games_of_event(event)):
            findings.add(
                Severity.WARNING,
                "fide.rated-as-swiss",
                f"{event or 'The event'} is rated as a Swiss, without the games between "
                "unrated players: not everybody met everybody equally often, or nobody is "
                "rated.",
                remedy="Add the missing games, or give the event another kind.",
            )
    for game in batch.kept:
        for colour in Colour:
            _check_rating_of_game(game, colour, unrated, findings)
    for status in (GameStatus.ADJUDICATED, GameStatus.WITHDRAWN):
        games = [game for game in batch.kept if game.status is status]
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


def tell_months(batch: FideBatch, p: Parameters, findings: Findings) -> None:
    """That a long event is rated by months."""
    if batch.section is not None:
        months = ", ".join(str(event) for event in batch.events)
        findings.add(
            Severity.INFO,
            "fide.long-event",
            f"The event lasts more than {p.longest_event} days: its games of {months} are rated as "
            f"events of their own, for the {batch.section}.",
            remedy="Give the days of the games; set longest_event=0 to rate it as a whole.",
        )


def tell_left_out(batch: FideBatch, findings: Findings) -> None:
    """Games that come too late, or do not count in a match."""
    if not batch.event.rounds and any(facts.is_match for facts in batch.facts.values()):
        findings.add(
            Severity.WARNING,
            "fide.match-rounds",
            "The report of this match does not say how many games were planned, so it cannot be "
            "told when it was decided; games played after that would be rated too.",
            remedy="Give the event its `rounds`.",
        )
    late = batch.late
    other = [game for game in batch.left_out if game not in late]
    if late:
        day = max(game.reported for game in late if game.reported)
        findings.add(
            Severity.WARNING,
            "fide.late-report",
            f"{_games(late)} not rated: reported on {day}, after the third list after the end of "
            "the event had closed (5d).",
            late[0].place,
            "Nothing to do if that is so; else correct `reported`.",
        )
    if other:
        findings.add(
            Severity.WARNING,
            "fide.match",
            f"{_games(other)} not rated: an unrated player takes part in the match, or it was "
            "decided before (8c).",
            other[0].place,
            "Nothing to do if that is so; else correct the kind of the event, or its rounds.",
        )


def _games(games: Sequence[Game]) -> str:
    return "1 game is" if len(games) == 1 else f"{len(games)} games are"


def tell_other_lists(batch: FideBatch, findings: Findings) -> None:
    """That the events of a report belong to several lists, and are rated as one period."""
    official = batch.event.category == "official"
    lists = sorted({list_taking(game.end, official) for game in batch.kept if game.end})
    if batch.section is None and len(lists) > 1 and len(batch.events) > 1:
        findings.add(
            Severity.WARNING,
            "fide.several-lists",
            f"The events of this report count for the lists of {', '.join(map(str, lists))}; they "
            "are rated as one period.",
            remedy="Make a report for each list, with the ratings that the one before left.",
        )


def tell_norms(
    batch: FideBatch, counting: Sequence[Game], p: Parameters, findings: Findings
) -> None:
    """Performances that a title asks for; the rest of a norm is for the office to see."""
    if p.pool != Pool.STANDARD:
        return
    for entry in batch.entries:
        for event in batch.events:
            met, score = [], 0
            for game in counting:
                colour = game.colour_of(entry.id)
                opponent = game.player(colour.other) if colour and game.event == event else None
                if colour is None or opponent is None:
                    continue
                met.append(batch.numbers[opponent])
                score += game.result.half_points(colour) or 0
            norm = best_norm(met, score, entry.sex == "w", p)
            if norm is not None:
                findings.add(
                    Severity.INFO,
                    "fide.norm-performance",
                    f"{entry.name or entry.id}: {score / 2:g} of {len(met)} is a performance that "
                    f"a norm for {norm.title} asks for.",
                    entry.place,
                    "Titles and federations of the opponents decide too; look at B.01.",
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
