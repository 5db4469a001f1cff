"""What this edition notices about a period's report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta

from ratingbook.model import Colour, Entry, Game, Place
from ratingbook.model.sentences import sentence
from ratingbook.rules.book import Batch, Seat, knows_rating
from ratingbook.rules.bulk import score_of, status_of
from ratingbook.rules.earlier import impossible_earlier, says_earlier
from ratingbook.rules.iccf.columns import NO_EXPECTATION, NO_RATING, Parameters
from ratingbook.rules.iccf.games import has_result, is_rated
from ratingbook.rules.iccf.levels import CATEGORIES, announced, normalised, tournament_level
from ratingbook.rules.iccf.lists import list_in_force, list_taking, registration_deadline
from ratingbook.rules.iccf.performance import percentage_score
from ratingbook.rules.units import Rating
from ratingbook.rules.wording import Notes, Notices

_DEFECT_GAMES = 34


NOTICES = Notices("""
iccf.rating-or-level  error
    {who}: a rating and no number of rated games, where others have one. A rating would be taken as
    fixed; if it is the level at which a new player starts (item 11), it must not.
    Remedy: New players: take the rating out, and give the category or level of the tournament in a
    column category or level. Others: give games with --players.
iccf.games-unknown  warning assumed
    {who}: the number of rated games is not given; taken as fixed, with the greatest k.
    Remedy: Give the games with --players.
iccf.history-missing  error
    Player {player} has {games} rated games, and the report brings {brought} of them; below
    {p.fixed_games} games a new rating is computed from all (item 15).
    Remedy: Give the earlier games: in a document as "history", in a table file as a second table
    below a line history, or as a file of --players; with the columns id, opponent, score and own.
iccf.earlier-games  error
    Player {player}: {score} points in {games} earlier games, against opponents of {opponents} in
    all: no such games can be.
    Remedy: Correct "earlier_score" and "earlier_opponents", or give the games as "history".
iccf.history-longer  warning
    Player {player} has {games} rated games, but the report brings {brought} earlier ones; all of
    them are used.
    Remedy: Correct the number of games, or the history.
iccf.history-own  warning
    The history of player {player} does not say the own rating at the beginning of each game;
    today's is taken, which limits the opponents (item 5).
    Remedy: Give "own" with each game of the history, in a table as a column own.
iccf.level  error
    The event's level is {said:g}, which is not a rating.
    Remedy: Give a level between {low} and {high}.
iccf.level-not-used  warning
    The event's level {said:g} is not used: item 11 gives {level} for the category {category}.
    Remedy: Leave the level or the category out.
iccf.one-level  warning
    The report holds games of {number} tournaments, and players without a published rating count
    with {level} in all of them.
    Remedy: Give the category or level of each tournament: in a table in a column category or level,
    in a report document under events.
iccf.category  warning
    Item 11 knows no category {category!r}.
    Remedy: It knows: {categories}.
iccf.no-level  error
    Player {player} has no published rating, and the report does not say what to assume (item 11).
    Remedy: {how}
iccf.list  info
    The results count for list {taking.name}, in force from {taking.valid_from} to
    {taking.valid_until}: reports from {taking.reports_from} to {taking.reports_until}, postal
    results registered until {deadline}.
iccf.reported-early  info
    Results reported before {taking.reports_from} belonged to an earlier list: {number} in all, the
    first between {one.white} and {one.black}. They are rated now.
    Remedy: Leave out what an earlier list has taken: `ratingbook rate --list {taking.valid_from}`
    rates the games of this list only.
iccf.reported-late  warning
    Results reported after {taking.reports_until} are left for the next list: {number} in all, the
    first between {first.white} and {first.black}, reported on {day} (list {later}).
    Remedy: Send them again with the report of the next period.
iccf.earlier-list  warning
    Games that began before {of_now.valid_from}, under an earlier list: {number} in all, the first
    between {first.white} and {first.black}, on {first.start}. Item 8 takes the ratings of that day;
    the report has those of now, and they are taken.
    Remedy: Rate such games as a history, which keeps the lists. Or give the ratings of then with
    the games: as white_rating and black_rating of a document, in a table beside the players of the
    games, if it has the ratings of now in a list of players.
iccf.near-one  info
    Player {seat.player} scored {points:g} of {number}: near 0 and 100 % item 5 earns less for more
    (D · F is 351.9 at 99 % and 338.5 at 100 %). It is applied as written.
    Remedy: Nothing is to be done; see reading A8.
""")
"""What is noticed, by its code."""


def rating_in(entry: Entry) -> Rating:
    """The rating that a report gives of a player, if any."""
    known = entry.standing
    return int(known.rating or 0) if known and knows_rating(known) else NO_RATING


def in_force_in(entry: Entry) -> Rating:
    """The rating with which games begin that name no other (readings A14 and A15)."""
    is_unpublished = entry.standing is not None and entry.standing.extra.get("unpublished") is True
    return NO_RATING if is_unpublished else rating_in(entry)


def check_histories(batch: Batch, bounds: tuple[int, int], p: Parameters, findings: Notes) -> None:
    """Item 15 needs every game of a player whose rating is not fixed."""
    silent = []
    for row, entry in enumerate(batch.entries):
        reported = entry.standing
        if reported is None or rating_in(entry) == NO_RATING:
            continue
        if reported.games is None:
            silent.append(entry)
        elif reported.games < p.fixed_games and batch.games_of[row]:
            if wrong := impossible_earlier(entry, reported.games, bounds):
                findings.tell(
                    "iccf.earlier-games", entry, score=wrong.score, games=wrong.games,
                    opponents=wrong.opponents,
                )  # fmt: skip
            _check_history(entry, reported.games, findings)
    others_known = any(
        entry.standing and entry.standing.rating is not None and entry.standing.games
        for entry in batch.entries
    )
    # A document says what a player's standing is; a rating in a row of games may be a level.
    doubtful = [e for e in silent if others_known and e.place.line is not None]
    findings.tell("iccf.rating-or-level", doubtful)
    fixed = [entry for entry in silent if entry not in doubtful]
    findings.tell("iccf.games-unknown", fixed)


def _check_history(entry: Entry, games: int, findings: Notes) -> None:
    brought = len(entry.history)
    if brought < games and not says_earlier(entry):
        findings.tell("iccf.history-missing", entry, games=games, brought=brought)
    elif brought > games:
        findings.tell("iccf.history-longer", entry, games=games, brought=brought)
    if any(frozen.own is None for frozen in entry.history):
        findings.tell("iccf.history-own", entry)


def check_starts(batch: Batch, findings: Notes) -> None:
    """Item 8: the ratings of the day on which a game began, where only those of now are given."""
    end = _end_of(batch)
    if end is None:
        return
    of_now = list_in_force(list_taking(end).valid_from - timedelta(days=1))
    rated = {entry.id for entry in batch.entries if in_force_in(entry) != NO_RATING}
    earlier = [
        game for game in batch.games
        if game.start and game.start < of_now.valid_from and _takes_of_now(game, rated)
    ]  # fmt: skip
    if earlier:
        place = _place_in(earlier[0], earlier[0].white)
        findings.tell(
            "iccf.earlier-list", place, of_now=of_now, number=len(earlier), first=earlier[0]
        )


def _takes_of_now(game: Game, rated: Collection[str]) -> bool:
    """Whether a game counts, and with a rating that it does not name."""
    counts = is_rated(status_of(game)) and has_result(score_of(game, Colour.WHITE))
    return counts and any(game.player(c) in rated and game.rating(c) is None for c in Colour)


def check_levels(batch: Batch, bounds: tuple[int, int], findings: Notes) -> None:
    """Item 11 must give a level wherever a player without a published rating takes part."""
    unrated = {entry.id for entry in batch.entries if in_force_in(entry) == NO_RATING}
    category, said = batch.event.category, batch.report.event.level
    level = tournament_level(category, announced(batch.event.level)).level
    low, high = bounds
    if said is not None and not low <= said <= high:
        findings.tell("iccf.level", said=said, low=low, high=high)
    elif said is not None and level != announced(said):
        findings.tell("iccf.level-not-used", said=said, level=level, category=category)
    described = {head.name for head in batch.report.event_heads}
    events = {game.event for game in batch.games}
    assuming = [
        game for game in batch.games if _assumes(game, unrated) and game.event not in described
    ]
    if level != NO_RATING and len(events) > 1 and assuming:
        findings.tell(
            "iccf.one-level",
            Place(player=assuming[0].white, round=assuming[0].round),
            number=len(events),
            level=level,
        )
    if category and not assuming and said is None and normalised(category) not in CATEGORIES:
        findings.tell("iccf.category", category=category, categories=", ".join(CATEGORIES))
    for game in batch.games:
        counts = is_rated(status_of(game)) and has_result(score_of(game, Colour.WHITE))
        if counts and level_of_game(batch, game) == NO_RATING:
            _check_level_of(game, unrated, findings)


def level_of_game(batch: Batch, game: Game) -> int:
    """Item 11 for the tournament of a game; NO_RATING where nothing is said."""
    if game.event not in {head.name for head in batch.report.event_heads}:
        return tournament_level(batch.event.category, announced(batch.event.level)).level
    event = batch.report.event_called(game.event)
    return tournament_level(event.category, announced(event.level)).level


def _assumes(game: Game, unrated: Collection[str]) -> bool:
    """Whether a player of the game counts with the tournament's level."""
    return any(game.player(c) in unrated and game.rating(c) is None for c in Colour)


def _place_in(game: Game, player: str | None) -> Place:
    return Place(player=player, round=game.round, path=game.place.path)


def _check_level_of(game: Game, unrated: Collection[str], findings: Notes) -> None:
    for colour in Colour:
        replaced = game.white_for if colour is Colour.WHITE else game.black_for
        seated = game.player(colour) if game.rating(colour) is None else None
        for player in (seated, replaced):
            if player in unrated:
                findings.tell(
                    "iccf.no-level",
                    _place_in(game, player),
                    player=player,
                    how=sentence(
                        "Give the game's {colour}_rating, or the event's category or level.",
                        colour=colour,
                    )
                    if game.place.line is None
                    else sentence(
                        "Give the category or level of the game's tournament in a column "
                        "category or level, or above the table for all of them."
                    ),
                )


def check_dates(batch: Batch, findings: Notes) -> None:
    """Items 12 and 13: which list takes the results, and which results come too late.

    A server game is reported when it ends (reading A18).
    """
    dated, end = _dated(batch), _end_of(batch)
    if end is None:
        return
    taking = list_taking(end)
    findings.tell("iccf.list", taking=taking, deadline=registration_deadline(taking))
    early = [game for game, day in dated if day < taking.reports_from]
    if early:
        place = _place_in(early[0], early[0].white)
        findings.tell("iccf.reported-early", place, taking=taking, number=len(early), one=early[0])
    late = [(game, day) for game, day in dated if day > taking.reports_until]
    if late:
        first, day = late[0]
        findings.tell(
            "iccf.reported-late",
            _place_in(first, first.white),
            taking=taking,
            number=len(late),
            first=first,
            day=day,
            later=list_taking(day).name,
        )


def _dated(batch: Batch) -> list[tuple[Game, date]]:
    return [(game, day) for game in batch.games if (day := game.reported or game.end)]


def _end_of(batch: Batch) -> date | None:
    """The last day of the period, as far as its list is concerned."""
    return batch.event.end or max((day for _, day in _dated(batch)), default=None)


def tell_defect(batch: Batch, seats: Sequence[Seat], p: Parameters, findings: Notes) -> None:
    """Reading A8: near 0 and 100 % item 5 does not reward the better result."""
    for seat in seats:
        by_item_5 = seat.value.games > 0 and seat.value.expected == NO_EXPECTATION
        if not by_item_5 or len(seat.sides) < _DEFECT_GAMES:
            continue
        score = sum(side.score for side in seat.sides)
        if not 1 < percentage_score(score, len(seat.sides), p) < 99:
            findings.tell(
                "iccf.near-one",
                batch.entries[batch.rows[seat.player]].place,
                seat=seat,
                points=score / 2,
                number=len(seat.sides),
            )
