"""What this edition notices about a period's report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ratingbook.model import Colour, Event, Findings, Game, GameStatus, Place, Severity
from ratingbook.rules.book import by_event
from ratingbook.rules.fide.batch import FideBatch, decided_rating
from ratingbook.rules.fide.columns import (
    NO_RATING,
    BelowFloor,
    Parameters,
    Pool,
    Tempo,
    pool_named,
)
from ratingbook.rules.fide.lists import list_in_force, list_taking
from ratingbook.rules.fide.round_robin import opponents_of_each
from ratingbook.rules.fide.tempo import is_admitted, minutes_of_game
from ratingbook.rules.fide.titles import best_norm
from ratingbook.rules.time_control import parsed_time_control
from ratingbook.rules.units import Rating
from ratingbook.rules.wording import players_named


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
    counted = by_event(counting)
    for event, own in batch.own_games.items():
        if not batch.facts[event].is_round_robin:
            continue
        players = {p for game in counted.get(event, ()) for p in (game.white, game.black)}
        if players & unrated and not opponents_of_each(batch.beside(event), len(own)):
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
        months = ", ".join(str(event) for event in batch.own_games)
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
    too_late = {id(game) for game in late}
    other = [game for game in batch.left_out if id(game) not in too_late]
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


def check_pool(event: Event, p: Parameters, findings: Findings) -> None:
    """Whether the list that the report asks for exists."""
    if event.pool is None:
        return
    known = [pool.name.lower() for pool in Pool]
    pool = pool_named(event.pool)
    if pool is None:
        findings.add(
            Severity.ERROR,
            "fide.pool",
            f"There is no list {event.pool!r}; FIDE has {', '.join(known)}.",
            remedy="Correct the pool of the event.",
        )
    elif pool != Pool.STANDARD and p.tempo == Tempo.YEAR_2009:
        findings.add(
            Severity.ERROR,
            "fide.pool",
            f"There is no {pool.name.lower()} list in this edition; the first was that of July "
            "2012, for events from January 2012 on.",
            remedy="Choose an edition from fide-2012 on.",
        )


def tell_other_lists(batch: FideBatch, findings: Findings) -> None:
    """That the events of a report belong to several lists, and are rated as one period."""
    official = batch.event.category == "official"
    lists = sorted({list_taking(game.end, official) for game in batch.kept if game.end})
    if batch.section is None and len(lists) > 1 and len(batch.own_games) > 1:
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
    met_by: dict[tuple[str, str | None], list[Rating]] = {}
    scores: Counter[tuple[str, str | None]] = Counter()
    for game in counting:
        for colour in Colour:
            player, opponent = game.player(colour), game.player(colour.other)
            if player is not None and opponent is not None:
                met_by.setdefault((player, game.event), []).append(batch.numbers[opponent])
                scores[player, game.event] += game.result.half_points(colour) or 0
    order = {event: turn for turn, event in enumerate(batch.own_games)}
    for player, event in sorted(met_by, key=lambda of: (batch.rows[of[0]], order[of[1]])):
        entry, met = batch.entries[batch.rows[player]], met_by[player, event]
        score = scores[player, event]
        norm = best_norm(met, score, entry.sex == "w", p)
        if norm is not None:
            findings.add(
                Severity.INFO,
                "fide.norm-performance",
                f"{entry.name or entry.id}: {score / 2:g} of {len(met)} is a performance that a "
                f"norm for {norm.title} asks for.",
                entry.place,
                "Titles and federations of the opponents decide too; look at B.01.",
            )


def check_rate_of_play(batch: FideBatch, p: Parameters, findings: Findings) -> None:
    """Whether the games were long enough, or short enough, for the list."""
    event = batch.event
    control = parsed_time_control(event.time_control)
    if control is None:
        return
    highest = max(batch.numbers.values(), default=NO_RATING)
    minutes = minutes_of_game(control)
    if not is_admitted(minutes, highest, p):
        findings.add(
            Severity.WARNING,
            "fide.rate-of-play",
            f"The time control {event.time_control} gives {minutes} minutes for 60 moves; "
            f"{_whose(highest, p)}such games are not rated on the {p.pool.name.lower()} list. "
            "They are rated here nevertheless.",
            remedy="Check the time control, and the pool of the event.",
        )


def _whose(highest: Rating, p: Parameters) -> str:
    """In standard chess the highest rating settles how long a game must last."""
    if p.pool != Pool.STANDARD or highest == NO_RATING:
        return ""
    return f"with a player rated {highest} "


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
