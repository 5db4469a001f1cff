"""What is noticed about the list of an event: standard, rapid or blitz."""

from __future__ import annotations

from ratingbook.model.sentences import sentence
from ratingbook.rules.fide.batch import FideBatch
from ratingbook.rules.fide.columns import NO_RATING, Parameters, Pool, Tempo, pool_named
from ratingbook.rules.fide.pools import PoolsOfEvent, is_admitted, pools_of
from ratingbook.rules.time_words import is_by_mail
from ratingbook.rules.units import Rating
from ratingbook.rules.wording import Notes, Notices

NOTICES = Notices("""
fide.pool/unknown  error
    There is no list {pool!r}; FIDE has {known}.
    Remedy: Correct the pool of the event.
fide.pool  error
    The event is {on}, and there is no such list in this edition; the first was that of July 2012,
    for events from January 2012 on.
    Remedy: Choose an edition from fide-2012 on, if the event is rated at all.
fide.correspondence  error
    The time control is of correspondence chess: {control}; FIDE rates games over the board.
    Remedy: Choose an edition of correspondence chess, such as iccf-2009; or correct the time
    control.
fide.time-control  warning
    The time control {control!r} is not understood; whether it is one of the {on} list was not
    checked.
    Remedy: Write it as 90+30, 15 min + 10 sec, or 40/90, 30 + 30 sec.
fide.pool-unknown  warning first assumed
    Nothing says whether the event is standard, rapid or blitz, and {why}: it is rated on the {on}
    list.
    Remedy: {say}
fide.pool-by-name  info
    By the name of the event it is rated on the {on} list.
    Remedy: {say}
fide.pool-by-time  info
    By its time control {control} ({minutes} minutes for 60 moves) the event is rated on the {on}
    list.
    Remedy: {say}
fide.pool-name  warning first
    The report says {said}, but the event's name says {named}; it is rated on the {on} list.
    Remedy: Give the time control, or correct the name or the type of the event.
fide.pools-mixed  {severity}
    Games of the event are of different lists by their time controls: {control}.
    Remedy: {correct}
fide.rate-of-play/too-fast  error
    {what}: too fast for any list of FIDE.
    Remedy: {correct}
fide.pool-contradicts  {severity}
    {what}, which is {timed}; the event is {on}, {source}.
    Remedy: {correct}
fide.rate-of-play/unequal  error
    By the time control {control} the players have unequal times; such games are not rated.
    Remedy: Leave out the games with unequal times.
fide.rate-of-play  warning
    {what}; {whose}such games are not rated on the {on} list. They are rated here nevertheless.
    Remedy: Check the time control, and leave out the games of the strong players.
""")
"""What is noticed, by its code."""

_SAY = sentence(
    "Say the list: as the type of the event (TRF: 092 … (Rapid); PGN: EventType), as its "
    '"pool", or with --set pool=rapid; or give the time control.'
)
_CORRECT = sentence(
    "Correct the time control, or the list; games of different lists need reports of their own."
)


def check_pool(batch: FideBatch, p: Parameters, by_hand: bool) -> Notes:
    """Whether the list is known, exists, and is that of the time control."""
    event = batch.event
    findings = Notes(
        NOTICES, batch, p, on=_name(p.pool), control=event.time_control, say=_SAY,
        correct=_CORRECT, severity="warning" if by_hand else "error",
    )  # fmt: skip
    if event.pool and pool_named(event.pool) is None:
        known = ", ".join(pool.name.lower() for pool in Pool)
        findings.tell("fide.pool/unknown", pool=event.pool, known=known)
        return findings
    if is_by_mail(event.time_control):
        findings.tell("fide.correspondence")
        return findings
    pools = pools_of(event, p)
    if pools.control is not None:
        _check_control(batch, pools, p, by_hand, findings)
    elif event.time_control and pools.found is not None:
        findings.tell("fide.time-control", control=event.time_control)
    if findings.refused:
        return findings
    if p.pool != Pool.STANDARD and p.tempo == Tempo.YEAR_2009:
        findings.tell("fide.pool")
    elif not by_hand:
        _tell_pool(batch, pools, p, findings)
    return findings


def _tell_pool(batch: FideBatch, pools: PoolsOfEvent, p: Parameters, findings: Notes) -> None:
    """By what the list is known, where the report does not say it itself."""
    control = batch.event.time_control
    if pools.found is None:
        why = sentence("no time control is given")
        if control:
            why = sentence("its time control {control!r} is not understood", control=control)
        findings.tell("fide.pool-unknown", why=why)
    elif pools.said is None and pools.named is not None and p.pool != Pool.STANDARD:
        findings.tell("fide.pool-by-name")
    elif pools.said is None and p.pool != Pool.STANDARD:
        findings.tell("fide.pool-by-time", minutes=pools.minutes)
    if pools.said is not None and pools.named not in (None, pools.said) and not pools.control:
        said, named = _name(pools.said), _name(pools.named)
        findings.tell("fide.pool-name", said=said, named=named)


def _check_control(
    batch: FideBatch, pools: PoolsOfEvent, p: Parameters, by_hand: bool, findings: Notes
) -> None:
    """Whether the games were long enough, or short enough, for the list."""
    if pools.mixed:
        findings.tell("fide.pools-mixed")
        return
    what = sentence(
        "The time control {control} gives {minutes} minutes for 60 moves",
        control=batch.event.time_control, minutes=pools.minutes,
    )  # fmt: skip
    highest = max(batch.numbers.values(), default=NO_RATING)
    if pools.timed is None:
        findings.tell("fide.rate-of-play/too-fast", what=what)
    elif pools.timed != p.pool:
        findings.tell(
            "fide.pool-contradicts",
            what=what,
            timed=_name(pools.timed),
            source=sentence("as was chosen")
            if by_hand
            else sentence("as the report or its name says"),
        )
    elif pools.control and pools.control.black and p.pool != Pool.STANDARD:
        findings.tell("fide.rate-of-play/unequal")
    elif not is_admitted(pools.minutes, highest, p):
        findings.tell("fide.rate-of-play", what=what, whose=_whose(highest, p))


def _name(pool: Pool | None) -> str:
    return "" if pool is None else pool.name.lower()


def _whose(highest: Rating, p: Parameters) -> str:
    """In standard chess the highest rating settles how long a game must last."""
    if p.pool != Pool.STANDARD or highest == NO_RATING:
        return ""
    return sentence("with a player rated {highest} ", highest=highest)
