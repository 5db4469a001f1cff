"""What this edition notices about a period's report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from ratingbook.model import Colour, Entry, Event, Game, GameStatus, Place
from ratingbook.model.sentences import day_of, row_of, sentence, stated
from ratingbook.rules.book import by_event, span_of
from ratingbook.rules.bulk import NOT_GIVEN, day_number
from ratingbook.rules.fide.batch import FideBatch, decided_rating, is_counted
from ratingbook.rules.fide.bulk import coefficient
from ratingbook.rules.fide.columns import (
    NO_RATING,
    BelowFloor,
    Parameters,
    Pool,
)
from ratingbook.rules.fide.events import opponents_of_each
from ratingbook.rules.fide.lists import list_in_force, list_taking
from ratingbook.rules.fide.titles import best_norm
from ratingbook.rules.units import HalfPoints, Rating
from ratingbook.rules.wording import Notes, Notices, counted

NOTICES = Notices("""
fide.nobody-rated  warning
    No player has a rating, so there is nothing to compute from.
    Remedy: Give ratings in the report or with --players.
fide.below-floor  warning
    {who}: rating below the floor of {p.floor}, which the published list does not hold; {taken}.
    Remedy: Check that these are FIDE ratings; set below_floor=unrated to leave them out.
fide.games-unknown  warning assumed
    {who}: the number of rated games is not given; taken as {p.games_unknown}, which settles K.
    Remedy: Give the games with --players, or a list of FIDE, which has K; or set games_unknown.
fide.k-of-list  info
    {who}: the number of rated games is not given; the K of the list says whether there are 30.
    Remedy: Give the games with --players if you know them.
fide.k-not-taken  info
    {who}: the K that is given is another one than the rules make; it is looked at only of a rated
    player whose number of games nobody says.
    Remedy: Leave "games" out to go by it; else give a junior the year of birth, and who was once
    rated {p.top_rating} "reached_2400": true.
fide.base-rating  error
    The decision base_rating of player {player} is not a rating: {value!r}.
    Remedy: Give a whole number between {low} and {high}.
fide.rated-as-swiss  warning
    {event} is rated as a Swiss, without the games between unrated players: not everybody met
    everybody equally often, or nobody is rated.
    Remedy: Add the missing games, or give the event another kind.
fide.not-over-the-board  info
    Games that were {status} are not rated: {count} in all.
    Remedy: Only games finished over the board are rated.
fide.rating-without-standing  warning
    A game gives player {player} the rating {rating:g}, but the player is not on the list of this
    period; the player counts as unrated.
    Remedy: Give the player's standing.
fide.long-event  info
    The event lasts more than {p.longest_event} days: its games of {months} are rated as events of
    their own, for the {batch.section}.
    Remedy: Give the days of the games; set longest_event=0 to rate it as a whole.
fide.match-rounds  warning
    The report of this match does not say how many games were planned, so nobody can say when it
    was decided; games played after that would be rated too.
    Remedy: Give the event its `rounds`.
fide.late-report  warning
    {games} not rated: reported on {day}, after the third list after the end of the event had
    closed (5d).
    Remedy: Nothing to do if that is so; else correct `reported`.
fide.match  warning
    {games} not rated: an unrated player takes part in the match, or it was decided before (8c).
    Remedy: Nothing to do if that is so; else correct the kind of the event, or its rounds.
fide.several-lists  warning
    The events of this report count for the lists of {lists}; they are rated as one period.
    Remedy: Make a report for each list, with the ratings that the one before left.
fide.earlier-list  warning
    Events that started before {newest}, under an earlier list: {number} in all, the first {name}
    on {start}. They go by the ratings of that list (5); the report has one rating for each player,
    and it is taken.
    Remedy: Rate the events as a history, which keeps the lists; or make a report of those that
    started earlier, with the ratings of then.
fide.norm-performance  info
    Performances that a norm asks for: {performances}.
    Remedy: Titles and federations of the opponents decide too; look at B.01.
fide.lists  info
    The event starts on {event.start}: the ratings are those of the list of {in_force}; it ends on
    {event.end}: it counts for the list of {taken_by}, which adds up all events of its period and
    rounds once.
""")
"""What is noticed, by its code."""

_SHOWN = 10
"""How many performances are named."""


def check_standings(batch: FideBatch, p: Parameters, findings: Notes) -> None:
    """Whether there are ratings to compute from, and what had to be taken for granted."""
    rated = [(e, s) for e in batch.entries if (s := e.standing) and s.rating is not None]
    if not rated and batch.games:
        findings.tell("fide.nobody-rated", batch.entries[0].place if batch.entries else Place())
    low = [e for e, s in rated if (s.rating or 0) < p.floor and s.status is None]
    unrated = p.below_floor == BelowFloor.UNRATED
    taken = sentence("they are used as given")
    if unrated:
        taken = sentence("their players count as unrated")
    findings.tell("fide.below-floor", low, taken=taken)
    silent = [e for e, s in rated if s.games is None and s.extra.get("k") is None]
    by_list = [e for e, s in rated if s.games is None and s.extra.get("k") is not None]
    findings.tell("fide.games-unknown", silent)
    findings.tell("fide.k-of-list", by_list)


def check_k(batch: FideBatch, start: date | None, p: Parameters, findings: Notes) -> None:
    """Whether a K is said that is not looked at, and is not the one by which games are rated."""
    day = NOT_GIVEN if start is None else day_number(start)
    other = [
        entry for entry, standing in zip(batch.entries, batch.standings, strict=True)
        if (said := entry.standing) and said.extra.get("k") is not None
        and (said.rating is None or said.games is not None)
        and said.extra["k"] != coefficient(standing, day, p)
    ]  # fmt: skip
    findings.tell("fide.k-not-taken", other)


def check_decisions(batch: FideBatch, bounds: tuple[int, int], findings: Notes) -> None:
    """What the office decided for each entry is a rating."""
    low, high = bounds
    for entry in batch.entries:
        if entry.decisions.get("base_rating") is None:
            continue
        rating = decided_rating(entry)
        if rating is None or not low <= rating <= high:
            findings.tell(
                "fide.base-rating", entry, value=entry.decisions["base_rating"], low=low, high=high
            )


def check_games(batch: FideBatch, counting: Sequence[Game], p: Parameters, findings: Notes) -> None:
    """Games that are not rated as the report may mean them; ``counting`` are those that count."""
    unrated = {player for player, rating in batch.numbers.items() if rating == NO_RATING}
    of_event = by_event(counting)
    for event, own in batch.own_games.items():
        if not batch.facts[event].is_round_robin:
            continue
        players = {p for game in of_event.get(event, ()) for p in (game.white, game.black)}
        if players & unrated and not opponents_of_each(batch.beside(event), len(own)):
            findings.tell("fide.rated-as-swiss", event=event or sentence("The event"))
    for game in batch.kept:
        for player, rating in (game.white, game.white_rating), (game.black, game.black_rating):
            if rating is not None and player in unrated:
                place = Place(player=player, round=game.round, path=game.place.path)
                findings.tell("fide.rating-without-standing", place, player=player, rating=rating)
    for status in (GameStatus.ADJUDICATED, GameStatus.WITHDRAWN):
        games = [game for game in batch.kept if game.status is status]
        findings.tell("fide.not-over-the-board", games, status=stated(status.value))


def tell_months(batch: FideBatch, p: Parameters, findings: Notes) -> None:
    """That a long event is rated by months."""
    if batch.section is not None:
        months = ", ".join(str(event) for event in batch.own_games)
        findings.tell("fide.long-event", months=months)


def tell_left_out(batch: FideBatch, findings: Notes) -> None:
    """Games that come too late, or do not count in a match."""
    if not batch.event.rounds and any(facts.is_match for facts in batch.facts.values()):
        findings.tell("fide.match-rounds")
    late = batch.late
    too_late = {id(game) for game in late}
    other = [game for game in batch.left_out if id(game) not in too_late]
    if late:
        day = max(game.reported for game in late if game.reported)
        are_late = counted(len(late), "game is", "games are")
        findings.tell("fide.late-report", late, games=are_late, day=day)
    findings.tell("fide.match", other, games=counted(len(other), "game is", "games are"))


def tell_other_lists(batch: FideBatch, findings: Notes) -> None:
    """That the events of a report belong to several lists, and are rated as one period."""
    if batch.section is not None or len(batch.own_games) < 2:
        return
    official = batch.event.category == "official"
    ends = {game.end for game in batch.kept if game.end}
    lists = sorted({list_taking(end, official) for end in ends})
    if len(lists) > 1:
        findings.tell("fide.several-lists", lists=row_of(map(day_of, lists)))


def tell_earlier_lists(batch: FideBatch, findings: Notes) -> None:
    """That events of a report go by the ratings of several lists, of which it can have one."""
    if batch.section is not None or batch.copied or len(batch.own_games) < 2:
        return
    starts = {
        name: start
        for name, games in batch.own_games.items()
        if any(is_counted(game) and not _names_ratings(game) for game in games)
        and (start := span_of(batch.event, games, name)[0])
    }
    newest = max(map(list_in_force, starts.values()), default=None)
    earlier = [name for name, start in starts.items() if list_in_force(start) != newest]
    if earlier:
        first = min(earlier, key=starts.__getitem__)
        findings.tell(
            "fide.earlier-list", newest=newest, number=len(earlier),
            name=first or batch.event.name or sentence("the event"), start=starts[first],
        )  # fmt: skip


def _names_ratings(game: Game) -> bool:
    return game.white_rating is not None and game.black_rating is not None


def tell_norms(batch: FideBatch, counting: Sequence[Game], p: Parameters, findings: Notes) -> None:
    """Performances that a title asks for; the rest of a norm is for the office to see."""
    if p.pool != Pool.STANDARD:
        return
    met_by: dict[tuple[str, str | None], list[Rating]] = defaultdict(list)
    scores: dict[tuple[str, str | None], HalfPoints] = defaultdict(int)
    numbers = batch.numbers
    for game in counting:
        white, black, event = game.white, game.black, game.event
        if black is not None:
            met_by[white, event].append(numbers[black])
            met_by[black, event].append(numbers[white])
            scores[white, event] += game.result.half_points(Colour.WHITE) or 0
            scores[black, event] += game.result.half_points(Colour.BLACK) or 0
    told: list[tuple[Entry, str]] = []
    order = {event: turn for turn, event in enumerate(batch.own_games)}
    for player, event in sorted(met_by, key=lambda of: (batch.rows[of[0]], order[of[1]])):
        entry, met = batch.entries[batch.rows[player]], met_by[player, event]
        score = scores[player, event]
        norm = best_norm(met, score, entry.sex == "w", p)
        if norm is not None:
            name = entry.name or entry.id
            told.append((entry, f"{name}: {score / 2:g} of {len(met)}, {norm.title}"))
    if told:
        shown, more = "; ".join(text for _, text in told[:_SHOWN]), len(told) - _SHOWN
        if more > 0:
            shown = sentence("{examples} and {more} more", examples=shown, more=more)
        findings.tell("fide.norm-performance", told[0][0], performances=shown)


def tell_lists(event: Event, findings: Notes) -> None:
    """Which list the ratings come from, and for which list the event counts."""
    if event.start and event.end:
        official = event.category == "official"
        findings.tell(
            "fide.lists",
            event=event,
            in_force=list_in_force(event.start),
            taken_by=list_taking(event.end, official),
        )
