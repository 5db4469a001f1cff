"""What a report says of a player: the standing with which he comes to the period.

A standing that the report holds is taken over; a player without one is new
(section VII); the decisions ``transfer`` and ``class_m_winner`` bring a player
of the old scheme over (IX.5).
"""

from __future__ import annotations

from ratingbook.model import Entry, StandingStatus
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.iecg.columns import NO_RATING, Parameters, Standing, Status
from ratingbook.rules.iecg.entry_rating import (
    is_new_player,
    starting_told,
    status_by_games,
    tournament_entry_rating,
)
from ratingbook.rules.iecg.newcomers import (
    is_established_by_iccf,
    starting_by_default,
    starting_by_tutor,
    starting_from_elsewhere,
)
from ratingbook.rules.iecg.transfer import (
    is_established_by_class_m,
    is_replaced_by_iccf,
    keeps_old_games,
    old_rating_as_starting,
    stays_established,
    stays_provisional,
)

ORGANISATIONS = ("iccf", "fide", "national")
"""Keys of ``foreign`` that VII reads, in this order; the number of games is ``iccf_games`` …"""

TUTOR, TRANSFER, CLASS_M = "tutor_rating", "transfer", "class_m_winner"
DECISIONS = frozenset({TUTOR, TRANSFER, CLASS_M})
"""Keys of ``decisions`` that this edition reads."""

TRANSFERS = ("established", "provisional", "starting")
"""What a rating was under the old scheme."""

STATUSES = {
    StandingStatus.STARTING: Status.STARTING,
    StandingStatus.PROVISIONAL: Status.PROVISIONAL,
    StandingStatus.ESTABLISHED: Status.ESTABLISHED,
}


def standing_of(entry: Entry, p: Parameters) -> Standing:
    """The standing of the last list, or what section VII makes of a new player."""
    known = entry.standing or ReportedStanding()
    games = _games(entry, p)
    rating = _whole(known.rating)
    if is_new_player(rating, _whole(known.extra.get("starting_rating")) or _ter(entry), games):
        standing = new_player(entry, p)
    else:
        standing = _listed(entry, rating, games, p)
    return _transferred(entry, standing, p)


def with_ter(standing: Standing, p: Parameters) -> Standing:
    """The standing with the Tournament Entry Rating of III.7, where the report gives none."""
    if standing.ter != NO_RATING:
        return standing
    ter = tournament_entry_rating(
        standing.status, standing.games, standing.rating, standing.starting, p
    )
    return Standing(
        standing.rating,
        standing.games,
        standing.status,
        standing.starting,
        ter,
        standing.published,
    )


def _whole(number: object) -> int:
    """A rating of the report; NO_RATING where it holds none."""
    return int(number) if isinstance(number, int | float) else NO_RATING


def _ter(entry: Entry) -> int:
    return _whole(entry.standing.extra.get("ter")) if entry.standing else NO_RATING


def games_are_unknown(entry: Entry) -> bool:
    """Whether a rating comes without any word on the games that it rests on."""
    known = entry.standing
    return (
        known is not None
        and known.rating is not None
        and known.games is None
        and known.status not in (StandingStatus.STARTING, StandingStatus.PROVISIONAL)
        and "starting_rating" not in known.extra
        and not entry.history
    )


def _games(entry: Entry, p: Parameters) -> int:
    if games_are_unknown(entry):
        return p.games_unknown
    games = entry.standing.games if entry.standing else None
    return len(entry.history) if games is None else games


def _listed(entry: Entry, rating: int, games: int, p: Parameters) -> Standing:
    """The standing that the report holds."""
    named = entry.standing.status if entry.standing else None
    status = STATUSES[named] if named in STATUSES else status_by_games(games, p)
    if status == Status.ESTABLISHED:
        return Standing(rating, games, status, NO_RATING, _ter(entry), False)
    starting = known_starting(entry, status, games, p) or assumed_starting(entry, p)
    if status == Status.STARTING:
        rating = starting
    return Standing(rating, games, status, starting, _ter(entry), False)


def known_starting(entry: Entry, status: Status, games: int, p: Parameters) -> int:
    """The starting rating that the report gives; NO_RATING without any."""
    extra = entry.standing.extra if entry.standing else {}
    rating = _whole(entry.standing.rating) if entry.standing else NO_RATING
    return starting_told(
        _whole(extra.get("starting_rating")), rating, _ter(entry), status, games, p
    )


def assumed_starting(entry: Entry, p: Parameters) -> int:
    """What stands for a starting rating that the report does not give: a finding tells it."""
    frozen = next((_whole(side.own) for side in entry.history if side.own is not None), NO_RATING)
    rating = _whole(entry.standing.rating) if entry.standing else NO_RATING
    return frozen or rating or new_player(entry, p).rating


def new_player(entry: Entry, p: Parameters) -> Standing:
    """Section VII: established by ICCF, else with a starting rating."""
    iccf = _whole(entry.foreign.get("iccf"))
    if iccf != NO_RATING:
        games = _foreign_games(entry, "iccf", p.iccf_established_games)
        if is_established_by_iccf(iccf, games, p):
            return Standing(iccf, 0, Status.ESTABLISHED, NO_RATING, NO_RATING, False)
    starting = NO_RATING
    for key in ORGANISATIONS:
        rating = _whole(entry.foreign.get(key))
        if starting == NO_RATING and rating != NO_RATING:
            games = _foreign_games(entry, key, p.foreign_games)
            starting = starting_from_elsewhere(rating, games, p)
    estimate = _whole(entry.decisions.get(TUTOR))
    if starting == NO_RATING and estimate != NO_RATING:
        starting = starting_by_tutor(estimate, p)
    if starting == NO_RATING:
        starting = starting_by_default(p)
    return Standing(starting, 0, Status.STARTING, starting, NO_RATING, False)


def _foreign_games(entry: Entry, key: str, unknown: int) -> int:
    games = entry.foreign.get(f"{key}_games")
    return unknown if games is None else int(games)


def _transferred(entry: Entry, standing: Standing, p: Parameters) -> Standing:
    """IX.5: what a rating of the old scheme is under this one."""
    kind = entry.decisions.get(TRANSFER)
    rating, games = standing.rating, standing.games
    if kind == "established" and stays_established(games, p):
        standing = standing._replace(status=Status.ESTABLISHED)
    elif kind == "established":
        rating = old_rating_as_starting(rating)
        games = games if keeps_old_games(games) else 0
        standing = Standing(rating, games, Status.STARTING, rating, NO_RATING, False)
    elif kind == "provisional":
        stays = stays_provisional(games, p)
        status = Status.PROVISIONAL if stays else Status.ESTABLISHED
        standing = standing._replace(status=status)
    iccf = _whole(entry.foreign.get("iccf"))
    can_be_replaced = kind and standing.status == Status.STARTING and iccf != NO_RATING
    if can_be_replaced and is_replaced_by_iccf(standing.starting, iccf):
        standing = standing._replace(rating=iccf, status=Status.ESTABLISHED, ter=NO_RATING)
    if is_established_by_class_m(entry.decisions.get(CLASS_M) is True):
        standing = standing._replace(status=Status.ESTABLISHED, ter=NO_RATING)
    return standing
