"""What this edition notices about a period's report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from ratingbook.model import (
    Colour,
    Entry,
    Findings,
    Game,
    GameStatus,
    Place,
    Severity,
    StandingStatus,
)
from ratingbook.rules.book import Batch, Seat
from ratingbook.rules.bulk import NOT_GIVEN, day_number, score_of, status_of
from ratingbook.rules.iecg.columns import (
    NO_RATING,
    TRANSFERS,
    Parameters,
    Side,
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
from ratingbook.rules.wording import players_named

_WIN = 2

ORGANISATIONS = ("iccf", "fide", "national")
"""Keys of ``foreign`` that VII reads, in this order; the number of games is ``iccf_games`` …"""

TUTOR, TRANSFER, CLASS_M = "tutor_rating", "transfer", "class_m_winner"
DECISIONS = frozenset({TUTOR, TRANSFER, CLASS_M})
"""Keys of ``decisions`` that this edition reads."""


def check_numbers(batch: Batch, bounds: tuple[int, int], findings: Findings) -> None:
    """Ratings are whole numbers within bounds; what is decided has a value that is known."""
    low, high = bounds
    for entry in batch.entries:
        for what, number in _ratings_of(entry):
            if not _is_whole(number) or not low <= number <= high:
                findings.add(
                    Severity.ERROR,
                    "iecg.rating-not-whole",
                    f"Player {entry.id}: the {what} is {number}; a rating here is a whole number "
                    f"between {low} and {high}.",
                    entry.place,
                    "Give the rating of the list.",
                )
        _check_in_progress(entry, findings)
        _check_foreign_games(entry, findings)
        _check_decisions(entry, bounds, findings)


def _is_whole(number: object) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and number % 1 == 0


def _ratings_of(entry: Entry) -> Iterator[tuple[str, float]]:
    """Every rating that the report gives of a player, and what it is."""
    numbers: list[tuple[str, object]] = [(f"{key} rating", entry.foreign.get(key))
                                         for key in ORGANISATIONS]  # fmt: skip
    if entry.standing:
        numbers.append(("starting rating", entry.standing.extra.get("starting_rating")))
        numbers.append(("TER", entry.standing.extra.get("ter")))
    for what, value in numbers:
        if isinstance(value, int | float):
            yield what, value


def _check_in_progress(entry: Entry, findings: Findings) -> None:
    said = entry.standing.extra.get(IN_PROGRESS) if entry.standing else None
    if said is not None and day_in(said) is None:
        findings.add(
            Severity.ERROR,
            "iecg.in-progress",
            f"Player {entry.id}: {IN_PROGRESS} is {said!r}, which is no day.",
            entry.place,
            "Give the last day on which a game of the player was in progress, as YYYY-MM-DD.",
        )


def _check_foreign_games(entry: Entry, findings: Findings) -> None:
    for key in ORGANISATIONS:
        games = entry.foreign.get(f"{key}_games")
        if games is not None and (not _is_whole(games) or games < 0):
            findings.add(
                Severity.ERROR,
                "iecg.foreign-games",
                f"Player {entry.id}: {key}_games is {games}, which is no number of games.",
                entry.place,
                "Give the games that the rating rests on, or leave them out.",
            )


def _check_decisions(entry: Entry, bounds: tuple[int, int], findings: Findings) -> None:
    def is_rating(value: object) -> bool:
        return (
            isinstance(value, int | float) and _is_whole(value) and bounds[0] <= value <= bounds[1]
        )

    wrong = [
        key
        for key, is_good in (
            (TUTOR, is_rating),
            (TRANSFER, TRANSFERS.__contains__),
            (CLASS_M, lambda value: isinstance(value, bool)),
        )
        if entry.decisions.get(key) is not None and not is_good(entry.decisions[key])
    ]
    for key in wrong:
        findings.add(
            Severity.ERROR,
            "iecg.decision-value",
            f"Player {entry.id}: the decision {key} cannot be {entry.decisions[key]!r}.",
            entry.place,
            f"{TUTOR} is a rating in whole points, {TRANSFER} one of {', '.join(TRANSFERS)}, "
            f"{CLASS_M} true or false.",
        )


def check_entries(batch: Batch, seats: Sequence[Seat], p: Parameters, findings: Findings) -> None:
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
    if unknown:
        findings.add(
            Severity.WARNING,
            "iecg.games-unknown",
            f"{players_named(unknown)}: the number of rated games is not given; taken as "
            f"{p.games_unknown} and established, which settles k.",
            unknown[0].place,
            "Give the games with --players, or set games_unknown.",
        )
    new = [entry for entry in batch.entries if entry.standing is None and not entry.history]
    if new:
        findings.add(
            Severity.INFO,
            "iecg.new-players",
            f"{players_named(new)}: no standing; new, with a rating by section VII.",
            new[0].place,
            "Give the standing of the last list if there is one.",
        )


def _counting(seat: Seat, p: Parameters) -> Sequence[Side]:
    """The sides that the rating of the player rests on; none where he did not play."""
    if not seat.value.games:
        return ()
    all_count = rests_on_earlier_games(seat.entered.status, p)
    return [side for side in seat.sides if side.game >= 0 or all_count]


def _check_rating(
    entry: Entry, standing: Standing, own: Sequence[Side], findings: Findings
) -> None:
    if standing.ter == NO_RATING or (
        own and standing.status == Status.ESTABLISHED and standing.rating == NO_RATING
    ):
        findings.add(
            Severity.ERROR,
            "iecg.rating-missing",
            f"Player {entry.id} has {standing.games} games and no rating of the last list.",
            entry.place,
            "Give the rating, established or provisional, or leave out the standing of a new "
            "player.",
        )


def _check_status(entry: Entry, standing: Standing, p: Parameters, findings: Findings) -> None:
    known = entry.standing
    if known is None:
        return
    if known.status in (StandingStatus.UNRATED, StandingStatus.UNLISTED):
        findings.add(
            Severity.WARNING,
            "iecg.status-unknown",
            f"Player {entry.id} is {known.status}, which these rules do not know; the number of "
            "games decides.",
            entry.place,
            "Write established, provisional or starting.",
        )
    if standing.status == Status.PROVISIONAL and standing.games >= p.established_games:
        findings.add(
            Severity.WARNING,
            "iecg.status-contradicts",
            f"Player {entry.id} is provisional with {standing.games} games; from "
            f"{p.established_games} on a rating is established (III.1). It is used as given.",
            entry.place,
            "Correct the status or the games.",
        )
    starting = starting_given(known_in(entry), standing.status, standing.games, p)
    if standing.status == Status.PROVISIONAL and starting == NO_RATING:
        findings.add(
            Severity.WARNING,
            "iecg.starting-rating-missing",
            f"Player {entry.id} is provisional and has no starting rating, which is the TER before "
            f"{p.ter_games} games and the reference of the cut-off; {standing.starting} is used.",
            entry.place,
            'Add "starting_rating" to the standing.',
        )


def _check_history(entry: Entry, standing: Standing, p: Parameters, findings: Findings) -> None:
    """A provisional rating rests on all games so far."""
    if not rests_on_earlier_games(standing.status, p):
        return
    games, given = standing.games, len(entry.history) if standing.games else 0
    listed_without_games = (
        games == 0 and standing.status == Status.PROVISIONAL and standing.rating != NO_RATING
    )
    if given < games or listed_without_games:
        of = f"of {games} games" if games else "of the games that it rests on"
        findings.add(
            Severity.ERROR,
            "iecg.history-missing",
            f"Player {entry.id} has no established rating, and the history holds {given} {of}; "
            "the new rating rests on all of them.",
            entry.place,
            'Add the earlier games as "history": opponent (TER of then) and score of each, as the '
            "run before gave them.",
        )
    elif given > games:
        findings.add(
            Severity.ERROR,
            "iecg.history-contradicts",
            f"Player {entry.id} has {games} games and a history of {given}.",
            entry.place,
            "Correct the one that is wrong.",
        )


def _check_big_batch(entry: Entry, own: Sequence[Side], findings: Findings) -> None:
    score = sum(side.score for side in own)
    if passes_full_score(score, len(own)):
        findings.add(
            Severity.WARNING,
            "iecg.beyond-full-score",
            f"Player {entry.id}: {score / 2:g} of {len(own)} games. So near to a full score (or "
            "to none) D(p) · F of IV.1 passes the 400 that a full score earns; the rule is "
            "applied as it is written.",
            entry.place,
            "Look at the new rating before it is published (reading B14).",
        )


def _check_newcomer(entry: Entry, p: Parameters, findings: Findings) -> None:
    """What section VII had to take, to cap or to leave out."""
    unused = [key for key in entry.foreign if key.removesuffix("_games") not in ORGANISATIONS]
    if unused:
        findings.add(
            Severity.WARNING,
            "iecg.not-used",
            f'Player {entry.id}: {", ".join(unused)} of "foreign" is not used by these rules.',
            entry.place,
            f"They know {', '.join(ORGANISATIONS)}, each with _games.",
        )
    if entry.standing is not None:
        return
    for key in ORGANISATIONS:
        if entry.foreign.get(key) is not None and entry.foreign.get(f"{key}_games") is None:
            findings.add(
                Severity.INFO,
                "iecg.foreign-games-unknown",
                f"Player {entry.id}: the games of the {key} rating are not given; taken as enough "
                "(VII.1, VII.2).",
                entry.place,
                f'Add "{key}_games" to "foreign".',
            )
    estimate = entry.decisions.get(TUTOR)
    if isinstance(estimate, int | float) and estimate > p.tutor_maximum:
        findings.add(
            Severity.WARNING,
            "iecg.tutor-capped",
            f"Player {entry.id}: the tutor's estimate of {estimate:g} counts as "
            f"{p.tutor_maximum}, if it is used.",
            entry.place,
            "VII.3: it should not exceed that; set tutor_maximum otherwise.",
        )


def check_games(batch: Batch, seats: Sequence[Seat], p: Parameters, findings: Findings) -> None:
    """Games that are left out, that name another TER, or that the score table shows otherwise."""
    ters = {seat.player: seat.entered.ter for seat in seats}
    other_ter = [game for game in batch.games if _names_another_ter(game, ters)]
    if other_ter:
        findings.add(
            Severity.INFO,
            "iecg.ter-differs",
            f"Games that name another TER than the standing of the player: {len(other_ter)}; the "
            "game's is used against the opponent.",
            other_ter[0].place,
            "II.3: the TER is that of the day of the run, the same for all games of a player.",
        )
    withdrawn = [
        game for game in batch.games if game.status is GameStatus.WITHDRAWN and not game.rated_said
    ]
    if withdrawn and p.withdrawn == Withdrawn.UNRATED:
        findings.add(
            Severity.INFO,
            "iecg.withdrawn",
            f"Games of withdrawn players that are not rated: {len(withdrawn)}.",
            withdrawn[0].place,
            "Where the tournament secretary decided otherwise: rated: true on the game, or --set "
            "withdrawn=rated for all.",
        )
    silent = [game for game in batch.games if _lacks_table_win(game)]
    if silent:
        findings.add(
            Severity.INFO,
            "iecg.table-result",
            f"Adjudicated games that are no win in the score table: {len(silent)}; the rating "
            "is the same.",
            silent[0].place,
            'VIII.3: the table shows a win of the remaining player; give it as "table_result".',
        )
    old = [game for game in batch.games if is_of_old_scheme(_day(game.start), _day(game.end))]
    if old:
        findings.add(
            Severity.WARNING,
            "iecg.old-scheme",
            f"Games that belong to the old scheme and are not rated here: {len(old)}.",
            old[0].place,
            "IX.1: begun before 1 June 1996 and finished before 1 January 1997.",
        )


def _names_another_ter(game: Game, ters: Mapping[str, int]) -> bool:
    return any(
        (player := game.player(colour)) and game.rating(colour) not in (None, ters[player])
        for colour in Colour
    )


def _day(day: date | None) -> int:
    return NOT_GIVEN if day is None else day_number(day)


def _is_finished(game: Game) -> bool:
    return is_played(status_of(game)) and has_result(score_of(game, Colour.WHITE))


def _lacks_table_win(game: Game) -> bool:
    return (
        game.status is GameStatus.ADJUDICATED
        and _is_finished(game)
        and all(score_in_table(game, colour) != _WIN for colour in Colour)
    )


def tell_lists(batch: Batch, findings: Findings) -> None:
    """Which list the games are for, and whether they are of one period."""
    ends = [game.end for game in batch.games if game.end and _is_finished(game)]
    days = ends or [day for day in (batch.event.end or batch.event.start,) if day]
    if not days:
        return
    counted = [finished_under_scheme(day) if day < INAUGURATION else day for day in days]
    last = last_day_of(batch.event)
    period = period_of(last or max(counted))
    findings.add(
        Severity.INFO,
        "iecg.lists",
        f"Period {period.number} of {period.year}: list on {list_date(period)}, intermediate list "
        f"on {intermediate_list_date(period)}.",
    )
    late = [
        game
        for game in batch.games
        if last and _is_finished(game) and not is_of_this_period(_day(game.end), day_number(last))
    ]
    if late:
        findings.add(
            Severity.WARNING,
            "iecg.finished-later",
            f"Games finished after {last}, the end of the period, are left for the next list: "
            f"{len(late)} in all, the first between {late[0].white} and {late[0].black}.",
            late[0].place,
            "Send them again with the report of the next period.",
        )
    elif period_of(min(counted)) != period:
        findings.add(
            Severity.WARNING,
            "iecg.several-periods",
            f"The games were finished in several periods, from {min(days)} to {max(days)}; they "
            "are rated as one batch.",
            Place(),
            "Send one report for each period, with the standings of the list before it.",
        )
