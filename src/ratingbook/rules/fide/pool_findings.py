"""What is noticed about the list of an event: standard, rapid or blitz."""

from __future__ import annotations

from ratingbook.model import Finding, Findings, Severity
from ratingbook.rules.fide.batch import FideBatch
from ratingbook.rules.fide.columns import NO_RATING, Parameters, Pool, Tempo, pool_named
from ratingbook.rules.fide.pools import PoolsOfEvent, pools_of
from ratingbook.rules.fide.tempo import is_admitted
from ratingbook.rules.units import Rating

_SAY = (
    "Say the list: as the type of the event (TRF: 092 … (Rapid); PGN: EventType), as its "
    '"pool", or with --set pool=rapid; or give the time control.'
)
_CORRECT = (
    "Correct the time control, or the list; games of different lists need reports of their own."
)


def check_pool(batch: FideBatch, p: Parameters, by_hand: bool, findings: Findings) -> None:
    """Whether the list is known, exists, and is that of the time control."""
    event = batch.event
    if event.pool and pool_named(event.pool) is None:
        known = ", ".join(pool.name.lower() for pool in Pool)
        findings.add(
            Severity.ERROR,
            "fide.pool",
            f"There is no list {event.pool!r}; FIDE has {known}.",
            remedy="Correct the pool of the event.",
        )
        return
    pools = pools_of(event, p)
    if pools.control is not None:
        _check_control(batch, pools, p, by_hand, findings)
    elif event.time_control and pools.found is not None:
        findings.add(
            Severity.WARNING,
            "fide.time-control",
            f"The time control {event.time_control!r} is not understood; whether it is one of the "
            f"{_name(p.pool)} list was not checked.",
            remedy="Write it as 90+30, 15 min + 10 sec, or 40/90, 30 + 30 sec.",
        )
    if findings.refused:
        return
    if p.pool != Pool.STANDARD and p.tempo == Tempo.YEAR_2009:
        findings.add(
            Severity.ERROR,
            "fide.pool",
            f"The event is {_name(p.pool)}, and there is no such list in this edition; the first "
            "was that of July 2012, for events from January 2012 on.",
            remedy="Choose an edition from fide-2012 on, if the event is rated at all.",
        )
    elif not by_hand:
        _tell_pool(batch, pools, p, findings)


def _tell_pool(batch: FideBatch, pools: PoolsOfEvent, p: Parameters, findings: Findings) -> None:
    """By what the list is known, where the report does not say it itself."""
    event = batch.event
    if pools.found is None:
        control = event.time_control
        why = (
            f"its time control {control!r} is not understood"
            if control
            else "no time control is given"
        )
        finding = Finding(
            "fide.pool-unknown",
            Severity.WARNING,
            f"Nothing says whether the event is standard, rapid or blitz, and {why}: it is rated "
            f"on the {_name(p.pool)} list.",
            remedy=_SAY,
            first=True,
        )
        findings.extend([finding])
    elif pools.said is None and pools.named is not None and p.pool != Pool.STANDARD:
        findings.add(
            Severity.INFO,
            "fide.pool-by-name",
            f"By the name of the event it is rated on the {_name(p.pool)} list.",
            remedy=_SAY,
        )
    elif pools.said is None and p.pool != Pool.STANDARD:
        findings.add(
            Severity.INFO,
            "fide.pool-by-time",
            f"By its time control {event.time_control} ({pools.minutes} minutes for 60 moves) the "
            f"event is rated on the {_name(p.pool)} list.",
            remedy=_SAY,
        )
    if pools.said is not None and pools.named not in (None, pools.said) and not pools.control:
        finding = Finding(
            "fide.pool-name",
            Severity.WARNING,
            f"The report says {_name(pools.said)}, but the event's name says "
            f"{_name(pools.named)}; it is rated on the {_name(p.pool)} list.",
            remedy="Give the time control, or correct the name or the type of the event.",
            first=True,
        )
        findings.extend([finding])


def _check_control(
    batch: FideBatch, pools: PoolsOfEvent, p: Parameters, by_hand: bool, findings: Findings
) -> None:
    """Whether the games were long enough, or short enough, for the list."""
    event = batch.event
    if pools.mixed:
        findings.add(
            Severity.WARNING if by_hand else Severity.ERROR,
            "fide.pools-mixed",
            f"Games of the event are of different lists by their time controls: "
            f"{event.time_control}.",
            remedy=_CORRECT,
        )
        return
    what = f"The time control {event.time_control} gives {pools.minutes} minutes for 60 moves"
    highest = max(batch.numbers.values(), default=NO_RATING)
    if pools.timed is None:
        findings.add(
            Severity.ERROR,
            "fide.rate-of-play",
            f"{what}: too fast for any list of FIDE.",
            remedy=_CORRECT,
        )
    elif pools.timed != p.pool:
        source = "as was set" if by_hand else "as the report or its name says"
        findings.add(
            Severity.WARNING if by_hand else Severity.ERROR,
            "fide.pool-contradicts",
            f"{what}, which is {_name(pools.timed)}; the event is {_name(p.pool)}, {source}.",
            remedy=_CORRECT,
        )
    elif pools.control and pools.control.black and p.pool != Pool.STANDARD:
        findings.add(
            Severity.ERROR,
            "fide.rate-of-play",
            f"By the time control {event.time_control} the players have unequal times; such games "
            "are not rated.",
            remedy="Leave out the games with unequal times.",
        )
    elif not is_admitted(pools.minutes, highest, p):
        findings.add(
            Severity.WARNING,
            "fide.rate-of-play",
            f"{what}; {_whose(highest, p)}such games are not rated on the {_name(p.pool)} list. "
            "They are rated here nevertheless.",
            remedy="Check the time control, and leave out the games of the strong players.",
        )


def _name(pool: Pool | None) -> str:
    return "" if pool is None else pool.name.lower()


def _whose(highest: Rating, p: Parameters) -> str:
    """In standard chess the highest rating settles how long a game must last."""
    if p.pool != Pool.STANDARD or highest == NO_RATING:
        return ""
    return f"with a player rated {highest} "
