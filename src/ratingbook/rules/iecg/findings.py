"""What this edition notices about a period's report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from ratingbook.model import (
    Colour,
    Entry,
    Game,
    GameStatus,
    StandingStatus,
)
from ratingbook.model.sentences import sentence
from ratingbook.rules.book import Batch, Seat
from ratingbook.rules.bulk import day_number, score_of, status_of
from ratingbook.rules.earlier import impossible_earlier, says_earlier
from ratingbook.rules.iecg.columns import (
    NO_RATING,
    TRANSFERS,
    Parameters,
    Standing,
    Status,
    Withdrawn,
)
from ratingbook.rules.iecg.entries import games_are_unknown, starting_given
from ratingbook.rules.iecg.games import (
    has_result,
    is_of_old_scheme,
    is_of_this_period,
    is_played,
    score_in_table,
)
from ratingbook.rules.iecg.listing import IN_PROGRESS, day_in, known_in
from ratingbook.rules.iecg.lists import (
    INAUGURATION,
    finished_under_scheme,
    intermediate_list_date,
    last_day_of,
    list_date,
    period_of,
)
from ratingbook.rules.iecg.provisional import passes_full_score, rests_on_earlier_games
from ratingbook.rules.usual import Side
from ratingbook.rules.wording import Notes, Notices

_WIN = 2

ORGANISATIONS = ("iccf", "fide", "national")
"""Keys of ``foreign`` that VII reads, in this order; the number of games is ``iccf_games`` …"""

TUTOR, TRANSFER, CLASS_M = "tutor_rating", "transfer", "class_m_winner"
DECISIONS = frozenset({TUTOR, TRANSFER, CLASS_M})
"""Keys of ``decisions`` that this edition reads."""


NOTICES = Notices("""
iecg.rating-not-whole  error
    Player {player}: the {what} is {number}; a rating here is a whole number between {low} and
    {high}.
    Remedy: Give the rating of the list.
iecg.in-progress  error
    Player {player}: in_progress is {said!r}, which is not a day.
    Remedy: Give the last day on which a game of the player was in progress, as YYYY-MM-DD.
iecg.foreign-games  error
    Player {player}: {key}_games is {games}, which is not a number of games.
    Remedy: Give the games that the rating rests on, or leave them out.
iecg.decision-value  error
    Player {player}: the decision {key} cannot be {value!r}.
    Remedy: tutor_rating is a rating in whole points, transfer one of established,
    provisional, starting, class_m_winner true or false.
iecg.games-unknown  warning assumed
    {who}: the number of rated games is not given; taken as {p.games_unknown} and established,
    which settles k.
    Remedy: Give the games with --players, or set games_unknown.
iecg.new-players  info
    {who}: no standing; new, with a rating by section VII.
    Remedy: Give the standing of the last list if there is one.
iecg.rating-missing  error
    Player {player} has {standing.games} games and no rating of the last list.
    Remedy: Give the rating, established or provisional, or leave out the standing of a new player.
iecg.status-unknown  warning
    Player {player} is {known.status}, which these rules do not know; the number of games decides.
    Remedy: Write established, provisional or starting.
iecg.status-contradicts  warning
    Player {player} is provisional with {standing.games} games; from {p.established_games} on a
    rating is established (III.1). It is used as given.
    Remedy: Correct the status or the games.
iecg.starting-rating-missing  warning
    Player {player} is provisional and has no starting rating, which is the TER before
    {p.ter_games} games and the reference of the cut-off; {standing.starting} is used.
    Remedy: Add "starting_rating" to the standing.
iecg.history-missing  error
    Player {player} has no established rating, and the history holds {given} {of}; the new rating
    rests on all of them.
    Remedy: Add the earlier games as "history", as the run before gave them: opponent (TER of then)
    and score of each; in a table file as a second table below a line history, or as a file of
    --players, with the columns id, opponent and score.
iecg.earlier-games  error
    Player {player}: {score} points in {games} earlier games, against opponents of {opponents} in
    all: no such games can be.
    Remedy: Correct "earlier_score" and "earlier_opponents", or give the games as "history".
iecg.history-contradicts  error
    Player {player} has {games} games and a history of {given}.
    Remedy: Correct the one that is wrong.
iecg.beyond-full-score  warning
    Player {player}: {points:g} of {number} games. So near to a full score (or to none) D(p) · F of
    IV.1 passes the 400 that a full score earns; the rule is applied as it is written.
    Remedy: Look at the new rating before it is published (reading B14).
iecg.not-used  warning
    Player {player}: {unused} of "foreign" is not used by these rules.
    Remedy: They know {organisations}, each with _games.
iecg.foreign-games-unknown  info
    Player {player}: the games of the {key} rating are not given; taken as enough (VII.1, VII.2).
    Remedy: Add "{key}_games" to "foreign".
iecg.tutor-capped  warning
    Player {player}: the tutor's estimate of {estimate:g} counts as {p.tutor_maximum}, if it is
    used.
    Remedy: VII.3: it should not exceed that; set tutor_maximum otherwise.
iecg.ter-differs  info
    Games that name another TER than the standing of the player: {count}; the game's is used
    against the opponent.
    Remedy: II.3: the TER is that of the day of the run, the same for all games of a player.
iecg.withdrawn  info
    Games of withdrawn players that are not rated: {count}.
    Remedy: Where the tournament secretary decided otherwise: rated: true on the game, or --set
    withdrawn=rated for all.
iecg.table-result  info
    Adjudicated games that are not a win in the score table: {count}; the rating is the same.
    Remedy: VIII.3: the table shows a win of the remaining player; give it as "table_result".
iecg.old-scheme  warning
    Games that belong to the old scheme and are not rated here: {count}.
    Remedy: IX.1: begun before 1 June 1996 and finished before 1 January 1997.
iecg.lists  info
    Period {period.number} of {period.year}: list on {listed}, intermediate list on {intermediate}.
iecg.finished-later  warning
    Games finished after {last}, the end of the period, are left for the next list: {count} in all,
    the first between {first.white} and {first.black}.
    Remedy: Send them again with the report of the next period.
iecg.several-periods  warning
    The games were finished in several periods, from {earliest} to {latest}; they are rated as one
    batch.
    Remedy: Send one report for each period, with the standings of the list before it.
""")
"""What is noticed, by its code."""


def check_numbers(batch: Batch, bounds: tuple[int, int], findings: Notes) -> None:
    """Ratings are whole numbers within bounds; what is decided has a value that is known."""
    low, high = bounds
    for entry in batch.entries:
        for what, number in _ratings_of(entry):
            if not _is_whole(number) or not low <= number <= high:
                findings.tell(
                    "iecg.rating-not-whole", entry, what=what, number=number, low=low, high=high
                )
        _check_in_progress(entry, findings)
        games = entry.standing.games if entry.standing else 0
        if games and (wrong := impossible_earlier(entry, games, bounds)):
            findings.tell(
                "iecg.earlier-games", entry, score=wrong.score, games=wrong.games,
                opponents=wrong.opponents,
            )  # fmt: skip
        _check_foreign_games(entry, findings)
        _check_decisions(entry, bounds, findings)


def _is_whole(number: object) -> TypeGuard[float]:
    return isinstance(number, int | float) and not isinstance(number, bool) and number % 1 == 0


def _ratings_of(entry: Entry) -> Iterator[tuple[str, float]]:
    """Every rating that the report gives of a player, and what it is."""
    numbers: list[tuple[str, object]] = [(sentence("{key} rating", key=key), entry.foreign.get(key))
                                         for key in ORGANISATIONS]  # fmt: skip
    if entry.standing:
        numbers.append((sentence("starting rating"), entry.standing.extra.get("starting_rating")))
        numbers.append(("TER", entry.standing.extra.get("ter")))
    for what, value in numbers:
        if isinstance(value, int | float):
            yield what, value


def _check_in_progress(entry: Entry, findings: Notes) -> None:
    said = entry.standing.extra.get(IN_PROGRESS) if entry.standing else None
    if said is not None and day_in(said) is None:
        findings.tell("iecg.in-progress", entry, said=said)


def _check_foreign_games(entry: Entry, findings: Notes) -> None:
    for key in ORGANISATIONS:
        games = entry.foreign.get(f"{key}_games")
        if games is not None and (not _is_whole(games) or games < 0):
            findings.tell("iecg.foreign-games", entry, key=key, games=games)


def _check_decisions(entry: Entry, bounds: tuple[int, int], findings: Notes) -> None:
    tutor, transfer, won = (entry.decisions.get(key) for key in (TUTOR, TRANSFER, CLASS_M))
    good = {
        TUTOR: tutor is None or (_is_whole(tutor) and bounds[0] <= tutor <= bounds[1]),
        TRANSFER: transfer is None or transfer in TRANSFERS,
        CLASS_M: won is None or isinstance(won, bool),
    }
    for key in (key for key, is_good in good.items() if not is_good):
        findings.tell("iecg.decision-value", entry, key=key, value=entry.decisions[key])


def check_entries(batch: Batch, seats: Sequence[Seat], p: Parameters, findings: Notes) -> None:
    """What is missing or odd in the standings, as far as it can change a number."""
    for entry, seat in zip(batch.entries, seats, strict=True):
        standing: Standing = seat.entered
        own = _counting(seat, p)
        _check_rating(entry, standing, own, findings)
        _check_status(entry, standing, p, findings)
        if own and standing.status != Status.ESTABLISHED:
            _check_history(entry, standing, p, findings)
            _check_big_batch(entry, own, findings)
        _check_newcomer(entry, p, findings)
    unknown = [entry for entry in batch.entries if games_are_unknown(known_in(entry))]
    findings.tell("iecg.games-unknown", unknown)
    new = [entry for entry in batch.entries if entry.standing is None and not entry.history]
    findings.tell("iecg.new-players", new)


def _counting(seat: Seat, p: Parameters) -> Sequence[Side]:
    """The sides that the rating of the player rests on; none where he did not play."""
    if not seat.value.games:
        return ()
    all_count = rests_on_earlier_games(seat.entered.status, p)
    return [side for side in seat.sides if side.game >= 0 or all_count]


def _check_rating(entry: Entry, standing: Standing, own: Sequence[Side], findings: Notes) -> None:
    if standing.ter == NO_RATING or (
        own and standing.status == Status.ESTABLISHED and standing.rating == NO_RATING
    ):
        findings.tell("iecg.rating-missing", entry, standing=standing)


def _check_status(entry: Entry, standing: Standing, p: Parameters, findings: Notes) -> None:
    known = entry.standing
    if known is None:
        return
    if known.status in (StandingStatus.UNRATED, StandingStatus.UNLISTED):
        findings.tell("iecg.status-unknown", entry, known=known)
    if standing.status == Status.PROVISIONAL and standing.games >= p.established_games:
        findings.tell("iecg.status-contradicts", entry, standing=standing)
    starting = starting_given(known_in(entry), standing.status, standing.games, p)
    if standing.status == Status.PROVISIONAL and starting == NO_RATING:
        findings.tell("iecg.starting-rating-missing", entry, standing=standing)


def _check_history(entry: Entry, standing: Standing, p: Parameters, findings: Notes) -> None:
    """A provisional rating rests on all games so far."""
    if not rests_on_earlier_games(standing.status, p):
        return
    games, given = standing.games, len(entry.history) if standing.games else 0
    listed_without_games = (
        games == 0 and standing.status == Status.PROVISIONAL and standing.rating != NO_RATING
    )
    if listed_without_games or (given < games and not says_earlier(entry)):
        of = sentence("of the games that it rests on")
        if games:
            of = sentence("of {games} games", games=games)
        findings.tell("iecg.history-missing", entry, given=given, of=of)
    elif given > games:
        findings.tell("iecg.history-contradicts", entry, games=games, given=given)


def _check_big_batch(entry: Entry, own: Sequence[Side], findings: Notes) -> None:
    score = sum(side.score for side in own)
    if passes_full_score(score, len(own)):
        findings.tell("iecg.beyond-full-score", entry, points=score / 2, number=len(own))


def _check_newcomer(entry: Entry, p: Parameters, findings: Notes) -> None:
    """What section VII had to take, to cap or to leave out."""
    unused = [key for key in entry.foreign if key.removesuffix("_games") not in ORGANISATIONS]
    if unused:
        findings.tell(
            "iecg.not-used", entry, unused=", ".join(unused), organisations=", ".join(ORGANISATIONS)
        )
    if entry.standing is not None:
        return
    for key in ORGANISATIONS:
        if entry.foreign.get(key) is not None and entry.foreign.get(f"{key}_games") is None:
            findings.tell("iecg.foreign-games-unknown", entry, key=key)
    estimate = entry.decisions.get(TUTOR)
    if isinstance(estimate, int | float) and estimate > p.tutor_maximum:
        findings.tell("iecg.tutor-capped", entry, estimate=estimate)


def check_games(batch: Batch, seats: Sequence[Seat], p: Parameters, findings: Notes) -> None:
    """Games that are left out, that name another TER, or that the score table shows otherwise."""
    ters = {seat.player: seat.entered.ter for seat in seats}
    other_ter = [game for game in batch.games if _names_another_ter(game, ters)]
    findings.tell("iecg.ter-differs", other_ter)
    withdrawn = [
        game for game in batch.games if game.status is GameStatus.WITHDRAWN and not game.rated_said
    ]
    if withdrawn and p.withdrawn == Withdrawn.UNRATED:
        findings.tell("iecg.withdrawn", withdrawn)
    silent = [game for game in batch.games if _lacks_table_win(game)]
    findings.tell("iecg.table-result", silent)
    old = [
        game
        for game in batch.games
        if is_of_old_scheme(day_number(game.start), day_number(game.end))
    ]
    findings.tell("iecg.old-scheme", old)


def _names_another_ter(game: Game, ters: Mapping[str, int]) -> bool:
    return any(
        (player := game.player(colour)) and game.rating(colour) not in (None, ters[player])
        for colour in Colour
    )


def _is_finished(game: Game) -> bool:
    return is_played(status_of(game)) and has_result(score_of(game, Colour.WHITE))


def _lacks_table_win(game: Game) -> bool:
    return (
        game.status is GameStatus.ADJUDICATED
        and _is_finished(game)
        and all(score_in_table(game, colour) != _WIN for colour in Colour)
    )


def tell_lists(batch: Batch, findings: Notes) -> None:
    """Which list the games are for, and whether they are of one period."""
    ends = [game.end for game in batch.games if game.end and _is_finished(game)]
    days = ends or [day for day in (batch.event.end or batch.event.start,) if day]
    if not days:
        return
    counted = [finished_under_scheme(day) if day < INAUGURATION else day for day in days]
    last = last_day_of(batch.event)
    period = period_of(last or max(counted))
    findings.tell(
        "iecg.lists",
        period=period,
        listed=list_date(period),
        intermediate=intermediate_list_date(period),
    )
    late = [
        game
        for game in batch.games
        if last
        and _is_finished(game)
        and not is_of_this_period(day_number(game.end), day_number(last))
    ]
    if late:
        findings.tell("iecg.finished-later", late, last=last)
    elif period_of(min(counted)) != period:
        findings.tell("iecg.several-periods", earliest=min(days), latest=max(days))
