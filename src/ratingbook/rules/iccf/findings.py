"""What this edition notices about a period's report."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ratingbook.model import Colour, Entry, Findings, Game, Place, Severity, StandingStatus
from ratingbook.rules.book import Batch, Seat
from ratingbook.rules.bulk import score_of, status_of
from ratingbook.rules.iccf.columns import NO_EXPECTATION, NO_RATING, Parameters
from ratingbook.rules.iccf.games import has_result, is_rated
from ratingbook.rules.iccf.levels import CATEGORIES, announced, normalised, tournament_level
from ratingbook.rules.iccf.lists import list_taking, registration_deadline
from ratingbook.rules.iccf.performance import percentage_score
from ratingbook.rules.units import Rating
from ratingbook.rules.wording import players_named

_DEFECT_GAMES = 34


def rating_in(entry: Entry) -> Rating:
    """The rating that a report gives of a player, if any."""
    known = entry.standing
    if known is None or known.rating is None or known.status is StandingStatus.UNRATED:
        return NO_RATING
    return int(known.rating)


def check_histories(batch: Batch, p: Parameters, findings: Findings) -> None:
    """Item 15 needs every game of a player whose rating is not fixed."""
    silent = []
    for row, entry in enumerate(batch.entries):
        reported = entry.standing
        if reported is None or rating_in(entry) == NO_RATING:
            continue
        if reported.games is None:
            silent.append(entry)
        elif reported.games < p.fixed_games and batch.games_of[row]:
            _check_history(entry, reported.games, p, findings)
    others_known = any(
        entry.standing and entry.standing.rating is not None and entry.standing.games
        for entry in batch.entries
    )
    # A document says what a player's standing is; a rating in a row of games may be a level.
    doubtful = [e for e in silent if others_known and e.place.line is not None]
    if doubtful:
        findings.add(
            Severity.ERROR,
            "iccf.rating-or-level",
            f"{players_named(doubtful)}: a rating and no number of rated games, where others have "
            "one. A rating would be taken as fixed; if it is the level at which a new player "
            "starts (item 11), it must not.",
            doubtful[0].place,
            "New players: take the rating out, and give the category or level of the tournament "
            "in a column category or level. Others: give games with --players.",
        )
    fixed = [entry for entry in silent if entry not in doubtful]
    if fixed:
        findings.add(
            Severity.WARNING,
            "iccf.games-unknown",
            f"{players_named(fixed)}: the number of rated games is not given; taken as fixed, "
            "with the greatest k.",
            fixed[0].place,
            "Give the games with --players.",
        )


def _check_history(entry: Entry, games: int, p: Parameters, findings: Findings) -> None:
    brought = len(entry.history)
    if brought < games:
        findings.add(
            Severity.ERROR,
            "iccf.history-missing",
            f"Player {entry.id} has {games} rated games, and the report brings {brought} of "
            f"them; below {p.fixed_games} games a new rating is computed from "
            "all (item 15).",
            entry.place,
            'Give the earlier games as "history": opponent, score and own rating.',
        )
    elif brought > games:
        findings.add(
            Severity.WARNING,
            "iccf.history-longer",
            f"Player {entry.id} has {games} rated games, but the report brings {brought} "
            "earlier ones; all of them are used.",
            entry.place,
            "Correct the number of games, or the history.",
        )
    if any(frozen.own is None for frozen in entry.history):
        findings.add(
            Severity.WARNING,
            "iccf.history-own",
            f"The history of player {entry.id} does not say the own rating at the beginning "
            "of each game; today's is taken, which limits the opponents (item 5).",
            entry.place,
            'Give "own" with each game of the history.',
        )


def check_levels(batch: Batch, bounds: tuple[int, int], findings: Findings) -> None:
    """Item 11 must give a level wherever a player without a rating takes part."""
    unrated = {entry.id for entry in batch.entries if rating_in(entry) == NO_RATING}
    category, said = batch.event.category, batch.report.event.level
    level = tournament_level(category, announced(batch.event.level)).level
    low, high = bounds
    if said is not None and not low <= said <= high:
        findings.add(
            Severity.ERROR,
            "iccf.level",
            f"The event's level is {said:g}, which is no rating.",
            remedy=f"Give a level between {low} and {high}.",
        )
    elif said is not None and level != announced(said):
        findings.add(
            Severity.WARNING,
            "iccf.level-not-used",
            f"The event's level {said:g} is not used: item 11 gives {level} for "
            f"the category {category}.",
            remedy="Leave the level or the category out.",
        )
    described = {head.name for head in batch.report.event_heads}
    events = {game.event for game in batch.games}
    assuming = [
        game for game in batch.games if _assumes(game, unrated) and game.event not in described
    ]
    if level != NO_RATING and len(events) > 1 and assuming:
        findings.add(
            Severity.WARNING,
            "iccf.one-level",
            f"The report holds games of {len(events)} tournaments, and players without a "
            f"rating count with {level} in all of them.",
            Place(player=assuming[0].white, round=assuming[0].round),
            "Give the category or level of each tournament: in a table in a column category or "
            "level, in a report document under events.",
        )
    if category and not assuming and said is None and normalised(category) not in CATEGORIES:
        findings.add(
            Severity.WARNING,
            "iccf.category",
            f"Item 11 knows no category {category!r}.",
            remedy=f"It knows: {', '.join(CATEGORIES)}.",
        )
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


def _check_level_of(game: Game, unrated: Collection[str], findings: Findings) -> None:
    for colour in Colour:
        replaced = game.white_for if colour is Colour.WHITE else game.black_for
        seated = game.player(colour) if game.rating(colour) is None else None
        for player in (seated, replaced):
            if player in unrated:
                findings.add(
                    Severity.ERROR,
                    "iccf.no-level",
                    f"Player {player} has no rating, and the report does not say what to "
                    "assume (item 11).",
                    Place(player=player, round=game.round, path=game.place.path),
                    f"Give the game's {colour}_rating, or the event's category or level."
                    if game.place.line is None
                    else "Give the category or level of the game's tournament in a column "
                    "category or level, or above the table for all of them.",
                )


def check_dates(batch: Batch, findings: Findings) -> None:
    """Items 12 and 13: which list takes the results, and which results come too late.

    A server game is reported when it ends (reading A18).
    """
    dated = [(game, day) for game in batch.games if (day := game.reported or game.end)]
    end = batch.event.end or max((day for _, day in dated), default=None)
    if end is None:
        return
    taking = list_taking(end)
    findings.add(
        Severity.INFO,
        "iccf.list",
        f"The results count for list {taking.name}, in force from {taking.valid_from} to "
        f"{taking.valid_until}: reports from {taking.reports_from} to {taking.reports_until}, "
        f"postal results registered until {registration_deadline(taking)}.",
    )
    early = [game for game, day in dated if day < taking.reports_from]
    if early:
        findings.add(
            Severity.INFO,
            "iccf.reported-early",
            f"Results reported before {taking.reports_from} belonged to an earlier list: "
            f"{len(early)} in all, the first between {early[0].white} and {early[0].black}. They "
            "are rated now.",
            Place(player=early[0].white, round=early[0].round, path=early[0].place.path),
            "Leave out what an earlier list has taken.",
        )
    late = [(game, day) for game, day in dated if day > taking.reports_until]
    if late:
        first, day = late[0]
        findings.add(
            Severity.WARNING,
            "iccf.reported-late",
            f"Results reported after {taking.reports_until} are left for the next list: "
            f"{len(late)} in all, the first between {first.white} and {first.black}, reported on "
            f"{day} (list {list_taking(day).name}).",
            Place(player=first.white, round=first.round, path=first.place.path),
            "Send them again with the report of the next period.",
        )


def tell_defect(batch: Batch, seats: Sequence[Seat], p: Parameters, findings: Findings) -> None:
    """Reading A8: near 0 and 100 % item 5 does not reward the better result."""
    for seat in seats:
        by_item_5 = seat.value.games > 0 and seat.value.expected == NO_EXPECTATION
        if not by_item_5 or len(seat.sides) < _DEFECT_GAMES:
            continue
        score = sum(side.score for side in seat.sides)
        if not 1 < percentage_score(score, len(seat.sides), p) < 99:
            findings.add(
                Severity.INFO,
                "iccf.near-one",
                f"Player {seat.player} scored {score / 2:g} of {len(seat.sides)}: near 0 and "
                "100 % item 5 earns less for more (D · F is 351.9 at 99 % and 338.5 at 100 %). "
                "It is applied as written.",
                batch.entries[batch.rows[seat.player]].place,
                "Nothing is to be done; see reading A8.",
            )
