"""What the US Chess editions notice about a section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ratingbook.model import Entry, Findings, Game, Place, Severity, StandingStatus
from ratingbook.rules.uscf.batch import UscfBatch
from ratingbook.rules.uscf.columns import NO_RATING, Kind, Parameters
from ratingbook.rules.uscf.effective import most_effective_games
from ratingbook.rules.uscf.entries import (
    ADJUSTED,
    CASH_LIMIT,
    CASH_PRIZE,
    CFC,
    DECISIONS,
    FIDE,
    FLOOR,
    FOREIGN,
    INITIAL,
    NATIONAL,
    RATINGS,
    REDUCTION_GRANTED,
    decided,
    floor_on_record,
    foreign,
    number,
    other_system,
    past_matches,
    standing_in,
)
from ratingbook.rules.uscf.event import KINDS, YOUTH
from ratingbook.rules.uscf.floors import (
    HIGHEST_PEAK_FLOOR,
    LEVEL,
    MOST_PERSONAL_FLOOR,
    OLM_FLOOR,
    has_established_games,
    peak_floor,
)
from ratingbook.rules.uscf.games import FEDERATION, game_counts
from ratingbook.rules.uscf.initial import GAMES_OF_OTHER_SYSTEM, age_in_years
from ratingbook.rules.uscf.matches import MOST_DIFFERENCE, REDUCTION, past_match
from ratingbook.rules.uscf.sections import (
    DUAL,
    SystemRun,
    is_dual,
    named_systems,
    systems_by_time,
    systems_of_section,
)
from ratingbook.rules.uscf.storage import nearest
from ratingbook.rules.uscf.systems import (
    POOLS,
    QUICK,
    REGULAR,
    parsed_pool,
)

_STRONG = 2200.0
_LOW = 2 * MOST_PERSONAL_FLOOR
"""Below this rating the personal floor may come into play."""


class _Check:
    """One section with its findings."""

    def __init__(self, batch: UscfBatch, p: Parameters, bounds: tuple[int, int]) -> None:
        self.batch = batch
        self.p = p
        self.bounds = bounds
        self.findings = Findings()
        self.playing = {
            player
            for game in batch.games
            if game_counts(game)
            for player in (game.white, game.black)
            if player is not None
        }

    def add(
        self,
        severity: Severity,
        code: str,
        message: str,
        who: Entry | Sequence[Entry] | None = None,
        remedy: str = "",
    ) -> None:
        """Add a finding; ``who`` are the players that it is about."""
        first = who[0] if isinstance(who, Sequence) else who
        place = replace(first.place if first else Place(), section=self.batch.section)
        if first and place.player is None:
            place = replace(place, player=first.id)
        self.findings.add(severity, code, message, place, remedy)

    def rated(self, entry: Entry) -> bool:
        """Whether the player has a rating in the system that is rated."""
        return standing_in(entry, self.batch.pool).rating is not None

    def is_touched(self, entry: Entry) -> bool:
        """Whether the player's rating can change: he plays, and the event counts for him."""
        if entry.id not in self.playing:
            return False
        if self.batch.kind != Kind.FIDE:
            return True
        return self.rated(entry) if entry.federation is None else entry.federation == FEDERATION

    def touched(self) -> Iterator[Entry]:
        """All players whose rating can change."""
        return (entry for entry in self.batch.entries if self.is_touched(entry))


def check_batch(batch: UscfBatch, p: Parameters, bounds: tuple[int, int]) -> Findings:
    """All findings of a section."""
    check = _Check(batch, p, bounds)
    _check_system(check)
    if batch.run:
        _tell_left_out(check, batch.run)
        _tell_several_sections(check, batch.run)
    _check_kind(check)
    _check_numbers(check)
    if check.findings.refused:
        return check.findings
    _check_games_known(check)
    _check_results_known(check)
    _check_newcomers(check)
    _check_standings(check)
    _check_decisions(check)
    _tell_ratings_of_games(check)
    if batch.kind == Kind.EVENT and len(check.playing) == 2:
        check.add(
            Severity.WARNING,
            "uscf.perhaps-match",
            "Only two players have games in this section; it is not rated as a match.",
            remedy='If it is one, give the event the kind "match": it has limits and no bonus.',
        )
    if batch.kind == Kind.MATCH:
        _check_match(check)
    if batch.kind == Kind.FIDE:
        _check_fide_event(check)
    return check.findings


def _check_system(check: _Check) -> None:
    """Which of the systems the section is rated in."""
    batch, p, event = check.batch, check.p, check.batch.event
    known = POOLS[: p.systems]
    for pool, what in ((event.pool, "event"), (batch.head.pool, "section")):
        if what == "event":
            unknown = (
                bool(pool)
                and batch.run is not None
                and parsed_pool(pool, p) is None
                and not is_dual(pool)
            )
        else:
            unknown = bool(pool) and named_systems(pool or "") is None
        if unknown:
            check.add(
                Severity.ERROR,
                "uscf.unknown-pool",
                f"The {what}'s pool {pool!r} is no rating system of this edition.",
                remedy=f"It knows: {', '.join(known)}, and {DUAL}: regular and quick.",
            )
    if check.findings.refused or (batch.run and not batch.run.rated):
        return
    named = batch.named or parsed_pool(event.pool, p)
    control, what = batch.time_control, "section" if batch.section else "event"
    fits = systems_by_time(control, p)
    if fits is None:
        if control:
            check.add(
                Severity.WARNING,
                "uscf.time-control",
                f"The time control {control!r} cannot be read; the {what} is rated as "
                f"{batch.pool}.",
                remedy="Write it as G/60;d5, 40/90,SD/30;d5 or G/90;+30.",
            )
        elif named is None:
            check.add(
                Severity.INFO,
                "uscf.pool-assumed",
                f"Neither pool nor time control is given; the {what} is rated as {batch.pool}.",
                remedy=f'Give the {what}\'s "time_control", or its "pool".',
            )
        if is_dual(batch.named):
            _tell_dual(check, what)
        else:
            _tell_reduced_k(check)
        return
    own = named_systems(named) if named else None
    if named is None and not fits:
        check.add(
            Severity.ERROR,
            "uscf.not-rated",
            f"By its time control {control} the {what} is in no rating system.",
            remedy=f"Correct the time control, or name the pool: {', '.join(known)}.",
        )
    elif own and not {*own} <= {*fits} and not own[0].startswith("online"):
        check.add(
            Severity.WARNING,
            "uscf.pool-contradicts",
            f"The {what} is rated as {named}, as the report says; by its time control "
            f"{control} it belongs to {' and '.join(fits) or 'no system'}.",
            remedy="Correct the pool or the time control.",
        )
    elif is_dual(batch.named) or {REGULAR, QUICK} <= {*fits}:
        _tell_dual(check, what)


def _tell_dual(check: _Check, what: str) -> None:
    batch = check.batch
    if batch.kind != Kind.EVENT:
        return
    other = QUICK if batch.pool == REGULAR else REGULAR
    control = f" ({batch.time_control})" if batch.time_control else ""
    check.add(
        Severity.INFO,
        "uscf.dual-rated",
        f"The {what} is dual rated{control}. Here its {batch.pool} ratings are computed.",
        remedy=f'For the others send it with "pool": "{other}" and the {other} standings.',
    )


def _tell_left_out(check: _Check, run: SystemRun) -> None:
    """Sections of another system than the one that is rated."""
    for section in run.left_out:
        systems = systems_of_section(section, check.batch.event, check.p) or ()
        source = (
            f"its system {section.head.pool}"
            if section.head.pool
            else f"its time control {section.head.time_control or check.batch.event.time_control}"
        )
        possible = [name for name in systems if name in POOLS[: check.p.systems]]
        remedy = (
            f'Send it as a report of its own (or with "pool": "{possible[0]}" in the event), with '
            f"the {possible[0]} standings."
            if possible
            else "This edition has no system for it; correct the pool or the time control, or "
            "choose another edition."
        )
        check.findings.add(
            Severity.WARNING,
            "uscf.other-system",
            f"By {source} the section {section.name or '(without a name)'} does not count in the "
            f"{run.pool} system, which is rated here; it is left out.",
            Place(section=section.name),
            remedy,
        )


def _tell_reduced_k(check: _Check) -> None:
    """Without a time control nobody knows whether K of strong players is reduced."""
    if not check.p.strong_k or check.batch.pool != REGULAR or check.batch.kind != Kind.EVENT:
        return
    strong = [
        entry for entry in check.touched() if (standing_in(entry, REGULAR).rating or 0.0) > _STRONG
    ]
    if strong:
        check.add(
            Severity.WARNING,
            "uscf.dual-unknown",
            f"{named(strong)}: above 2200, K is lower in a dual-rated event, and the report gives "
            "no time control; taken as not dual rated.",
            strong,
            'Give the event\'s "time_control".',
        )


def _check_numbers(check: _Check) -> None:
    """Numbers that the intake does not look at lie within bounds."""
    low, high = check.bounds
    for entry in check.batch.entries:
        for what, value in _ratings_of(entry):
            if value is not None and not low <= value <= high:
                check.add(
                    Severity.ERROR,
                    "uscf.rating-range",
                    f"Player {entry.id}: the {what} is {value:g}; a rating here lies between "
                    f"{low} and {high}.",
                    entry,
                    "Correct it, or leave it out.",
                )
        for name, decision in entry.decisions.items():
            if name in DECISIONS and not _is_decision(name, decision, check.bounds):
                check.add(
                    Severity.ERROR,
                    "uscf.decision-value",
                    f"Player {entry.id}: the decision {name} cannot be {decision!r}.",
                    entry,
                    f"{', '.join(RATINGS)} are ratings, {CASH_PRIZE} dollars, "
                    f"{REDUCTION_GRANTED} is true or false.",
                )


def _ratings_of(entry: Entry) -> Iterator[tuple[str, float | None]]:
    for key in FOREIGN:
        yield f"{key} rating", entry.foreign.get(key)
    for pool, standing in entry.pools.items():
        yield f"{pool} rating", standing.rating
    if entry.standing:
        for key in ("peak", "floor"):
            value = entry.standing.extra.get(key)
            yield key, value if isinstance(value, int | float) else None


def _is_decision(name: str, value: object, bounds: tuple[int, int]) -> bool:
    if value is None:
        return True
    if name == REDUCTION_GRANTED:
        return isinstance(value, bool)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return value > 0 if name == CASH_PRIZE else bounds[0] <= value <= bounds[1]


def _check_games_known(check: _Check) -> None:
    """N settles the formula and K."""
    unknown = []
    for entry in check.touched():
        known = standing_in(entry, check.batch.pool)
        if known.rating is None or known.games is not None:
            continue
        if known.status is StandingStatus.PROVISIONAL:
            check.add(
                Severity.ERROR,
                "uscf.games-missing",
                f"Player {entry.id} is provisional, and the report does not say on how many games "
                "the rating rests; formula and K hang on it.",
                entry,
                'Give "games" in the standing, or with --players.',
            )
        elif not _is_immaterial(known.status, float(known.rating), check.p):
            unknown.append(entry)
    if unknown:
        check.add(
            Severity.WARNING,
            "uscf.games-unknown",
            f"{named(unknown)}: the number of rated games is not given; taken as "
            f"{check.p.games_unknown}, established.",
            unknown,
            "Give the games with --players, or set games_unknown.",
        )


def _is_immaterial(status: StandingStatus | None, rating: float, p: Parameters) -> bool:
    """Whether an established player's number of games changes nothing: N' is N* anyway."""
    return (
        status is StandingStatus.ESTABLISHED
        and most_effective_games(rating, p) <= p.established_games
    )


def _check_results_known(check: _Check) -> None:
    """All earlier games won, or lost: only the totals of results tell."""
    unknown = [
        entry
        for entry in check.touched()
        if (known := standing_in(entry, check.batch.pool)).rating is not None
        and known.games is not None
        and not has_established_games(known.games, check.p)
        and None in (known.wins, known.draws, known.losses)
    ]
    if unknown:
        check.add(
            Severity.WARNING,
            "uscf.results-unknown",
            f"{named(unknown)}: provisional, and the report does not give the wins, draws and "
            "losses so far; taken as neither all wins nor all losses.",
            unknown,
            'Give "wins", "draws" and "losses" in the standings, or with --players.',
        )
    low = [
        entry
        for entry in check.touched()
        if (known := standing_in(entry, check.batch.pool)).rating is not None
        and known.rating < _LOW
        and (None in (known.wins, known.draws) or "events" not in known.extra)
    ]
    if low:
        check.add(
            Severity.INFO,
            "uscf.floor-unknown",
            f"{named(low)}: rated below {_LOW}, and the report does not give all of wins, draws "
            "and events so far; the personal floor counts only what is known.",
            low,
            'Give "wins", "draws" and "events" (with three rated games) in the standings.',
        )


def _check_newcomers(check: _Check) -> None:
    """What Step 1 had to take for players without a rating in this system."""
    new = [entry for entry in check.touched() if not check.rated(entry)]
    for entry in new:
        _check_newcomer(check, entry)
    unknown = [entry for entry in new if _is_unknown(check, entry)]
    if unknown:
        check.add(
            Severity.WARNING,
            "uscf.no-birth-date",
            f"{named(unknown)}: unrated, without a birth date or a rating elsewhere; the initial "
            "rating is that of an unknown player.",
            unknown,
            'Give the birth date (50 points a year), or "adult": true.',
        )
    known = [entry for entry in new if entry not in unknown]
    if known:
        check.add(
            Severity.INFO,
            "uscf.initial-rating",
            f"{named(known)}: unrated; the initial rating follows from Step 1.",
            known,
            "Give a standing to those who have a rating in this system.",
        )


def _is_unknown(check: _Check, entry: Entry) -> bool:
    """Whether neither a rating elsewhere nor a birth date helps."""
    return (
        decided(entry, INITIAL) == 0.0
        and foreign(entry, FIDE) == 0.0
        and foreign(entry, CFC) == 0.0
        and _rating_of_other_system(check, entry) is None
        and entry.birth_date is None
        and not entry.adult
    )


def _rating_of_other_system(check: _Check, entry: Entry) -> float | None:
    other = other_system(entry, check.batch.pool)
    if other is None or (other.games is not None and other.games < GAMES_OF_OTHER_SYSTEM):
        return None
    return other.rating


def _check_newcomer(check: _Check, entry: Entry) -> None:
    batch, end = check.batch, check.batch.end
    if foreign(entry, NATIONAL) and decided(entry, INITIAL) == 0.0:
        check.add(
            Severity.INFO,
            "uscf.national-rating",
            f"Player {entry.id} has the national rating {foreign(entry, NATIONAL):g}, and the "
            "office decided nothing; it is not used.",
            entry,
            f'Decide: "decisions": {{"{INITIAL}": …, "reason": …}}.',
        )
    if decided(entry, INITIAL) and (foreign(entry, FIDE) or foreign(entry, CFC)):
        check.add(
            Severity.INFO,
            "uscf.decision-first",
            f"Player {entry.id}: the office's decision on the initial rating is taken, not the "
            "FIDE or CFC rating.",
            entry,
            "Remove the decision if the conversion should count.",
        )
    other = other_system(entry, batch.pool)
    if other is not None and other.games is None:
        check.add(
            Severity.WARNING,
            "uscf.pool-games-unknown",
            f"Player {entry.id}: the games of the rating in the other system are not given; "
            "taken as enough.",
            entry,
            'Give "games" there: from four on it is the initial rating.',
        )
    by_age = (
        entry.birth_date is not None
        and not decided(entry, INITIAL)
        and not foreign(entry, FIDE)
        and not foreign(entry, CFC)
        and _rating_of_other_system(check, entry) is None
    )
    if not by_age or entry.birth_date is None:
        return
    if end is None:
        check.add(
            Severity.ERROR,
            "uscf.no-date",
            f"Player {entry.id} is unrated; the initial rating follows from the age at the end of "
            "the event, and the report has no date.",
            entry,
            'Give the event\'s "end".',
        )
    elif age_in_years(entry.birth_date, end) < check.p.age_least:
        check.add(
            Severity.WARNING,
            "uscf.birth-date",
            f"Player {entry.id} would be younger than {check.p.age_least:g} years; the initial "
            f"rating is {check.p.age_below:g}.",
            entry,
            "Correct the birth date or the date of the event.",
        )


def _check_standings(check: _Check) -> None:
    """Standings that contradict themselves, and what of them is not used."""
    for entry in check.batch.entries:
        known = standing_in(entry, check.batch.pool)
        if known.rating is None:
            if entry.standing and entry.standing.rating is not None:
                check.add(
                    Severity.WARNING,
                    "uscf.status-contradicts",
                    f"Player {entry.id} is unrated and has the rating "
                    f"{entry.standing.rating:g}, which is not used.",
                    entry,
                    "Correct the status, or leave the rating out.",
                )
            continue
        games = known.games
        if games is not None and known.status in (
            StandingStatus.ESTABLISHED,
            StandingStatus.PROVISIONAL,
        ):
            established = has_established_games(games, check.p)
            if established != (known.status is StandingStatus.ESTABLISHED):
                check.add(
                    Severity.WARNING,
                    "uscf.status-contradicts",
                    f"Player {entry.id} is {known.status} with {games} games; the games decide.",
                    entry,
                    f"A rating is established from {check.p.established_games} games on.",
                )
        own = check.batch.pool
        if entry.standing and own in entry.pools and entry.pools[own].rating != known.rating:
            check.add(
                Severity.WARNING,
                "uscf.pool-twice",
                f"Player {entry.id} has two {own} ratings; that of the standing is used.",
                entry,
                f'The standing is the one of the event\'s pool; leave "{own}" out of "pools".',
            )
    for entry in check.batch.entries:
        _check_floors(check, entry)
        _tell_unused(check, entry)


def _check_floors(check: _Check, entry: Entry) -> None:
    """Floors, peak and rating go together: a rating never falls below a floor (2.4)."""
    known = standing_in(entry, check.batch.pool)
    said, peak = number(known.extra.get("floor")), number(known.extra.get("peak"))
    floor = floor_on_record(entry, known)
    most = OLM_FLOOR if known.extra.get("olm") is True else HIGHEST_PEAK_FLOOR
    if floor > most:
        check.add(
            Severity.ERROR if floor > OLM_FLOOR else Severity.WARNING,
            "uscf.floor-range",
            f"Player {entry.id} has a floor of {floor:g}; none is above {most:g}"
            + (" but that of an Original Life Master." if most < OLM_FLOOR else "."),
            entry,
            'Correct "floor", or the decision; give "olm": true to an Original Life Master.',
        )
    if known.rating is None:
        return
    lowered = REDUCTION * sum(match.lowers_floor for match in past_matches(entry))
    rating = decided(entry, ADJUSTED) or float(known.rating)
    lift = floor - lowered - rating
    if floor != NO_RATING and lift > 0.0:
        of_decision = floor > said
        far = lift > LEVEL and not of_decision
        check.add(
            Severity.ERROR if far else Severity.WARNING,
            "uscf.floor-above-rating",
            f"Player {entry.id} has the rating {rating:g} and a floor of {floor - lowered:g}"
            + (", which no rated player is so far below." if far else "; it lifts the rating."),
            entry,
            "Correct the decision if that is not meant."
            if of_decision
            else 'Correct "rating" or "floor"; a floor that the office grants now is a decision '
            f"({FLOOR}).",
        )
    games = check.p.games_unknown if known.games is None else known.games
    if peak == NO_RATING or not has_established_games(games, check.p):
        return
    if peak < nearest(float(known.rating)):
        check.add(
            Severity.WARNING,
            "uscf.peak",
            f"Player {entry.id} has the rating {known.rating:g} and a peak of {peak:g}, which is "
            "lower; the rating is taken as the peak.",
            entry,
            'Correct "rating" or "peak", the highest established rating.',
        )
    elif rating < peak_floor(peak) - lowered:
        check.add(
            Severity.WARNING,
            "uscf.below-floor",
            f"Player {entry.id} has the rating {rating:g}, below the floor of "
            f"{peak_floor(peak) - lowered:g} that follows from the peak {peak:g}; a player with a "
            "game is lifted to it.",
            entry,
            'Correct "rating" or "peak".',
        )


def _check_kind(check: _Check) -> None:
    """A kind or a category of event that changes nothing may be a slip."""
    batch = check.batch
    kind = batch.head.kind or (batch.event.kind if batch.run else None)
    if kind and kind.casefold() not in KINDS:
        check.add(
            Severity.WARNING,
            "uscf.kind",
            f"The kind {kind!r} is not known; rated like a Swiss.",
            remedy=f"It knows: {', '.join(KINDS)}.",
        )
    category = batch.event.category
    if category and batch.kind == Kind.FIDE and category.casefold() != YOUTH:
        check.add(
            Severity.WARNING,
            "uscf.category",
            f"The category {category!r} of a FIDE event is not known and is not used.",
            remedy=f"It knows: {YOUTH}.",
        )


def _tell_unused(check: _Check, entry: Entry) -> None:
    unused = [key for key in entry.foreign if key not in FOREIGN]
    if unused:
        check.add(
            Severity.WARNING,
            "uscf.not-used",
            f'Player {entry.id}: {", ".join(unused)} of "foreign" is not used by these rules.',
            entry,
            f"They know {', '.join(FOREIGN)}.",
        )
    strange = [frozen for frozen in entry.history if past_match(frozen) is None]
    if strange:
        check.add(
            Severity.INFO,
            "uscf.history-not-used",
            f"Player {entry.id}: {len(strange)} sides of the history are no matches and are not "
            "used.",
            entry,
            'Only matches are kept, with "event" such as "match +20".',
        )
    if check.batch.kind == Kind.MATCH and any(
        match.day is None for frozen in entry.history if (match := past_match(frozen))
    ):
        check.add(
            Severity.WARNING,
            "uscf.match-undated",
            f"Player {entry.id}: an earlier match has no date; it counts in the limits of 180 "
            "days and of three years.",
            entry,
            'Give the last day of the match as "start".',
        )


def _check_decisions(check: _Check) -> None:
    """Decisions that are made for other players than this one."""
    for entry in check.batch.entries:
        useless = [ADJUSTED] if not check.rated(entry) else [INITIAL]
        for name in useless:
            if decided(entry, name):
                check.add(
                    Severity.WARNING,
                    "uscf.decision-not-used",
                    f"Player {entry.id} is {'rated' if check.rated(entry) else 'unrated'}; the "
                    f"decision {name} is not used.",
                    entry,
                    f"{INITIAL} is for unrated players, {ADJUSTED} for rated ones.",
                )
        if (decided(entry, CASH_PRIZE) > 0.0) != (decided(entry, CASH_LIMIT) > 0.0):
            check.add(
                Severity.ERROR,
                "uscf.cash-prize",
                f"Player {entry.id}: a floor by a cash prize needs the dollars and the limit of "
                "the section or prize.",
                entry,
                f'Give both "{CASH_PRIZE}" and "{CASH_LIMIT}" (1800 for under 1800).',
            )


def _tell_ratings_of_games(check: _Check) -> None:
    """Ratings that games name: only those of a FIDE event are used."""
    games = [
        game
        for game in check.batch.games
        if game.white_rating is not None or game.black_rating is not None
    ]
    if games and check.batch.kind != Kind.FIDE:
        check.findings.add(
            Severity.WARNING,
            "uscf.game-rating",
            f"Games that name ratings of their own: {len(games)}. All games of a section are rated "
            "at the standings of before the event.",
            _place(games[0], check.batch.section),
            "Give the rating in the standing.",
        )


def _check_match(check: _Check) -> None:
    """Section 4, rule 1, and what makes a match."""
    batch = check.batch
    if len(check.playing) > 2 or len(batch.entries) > 2:
        check.add(
            Severity.ERROR,
            "uscf.match-players",
            f"A match is between two players; this section has {len(batch.entries)}.",
            remedy="Give each match a section of its own, or another kind to the event.",
        )
        return
    ratings = []
    for entry in check.touched():
        known = standing_in(entry, batch.pool)
        games = check.p.games_unknown if known.games is None else known.games
        if known.rating is None or not has_established_games(games, check.p):
            check.add(
                Severity.ERROR,
                "uscf.match-not-established",
                f"Player {entry.id} has no established rating; a match is rated only between "
                "established players.",
                entry,
                "Leave the match out, or correct the standing.",
            )
        else:
            ratings.append(known.rating)
    if len(ratings) == 2 and abs(ratings[0] - ratings[1]) > MOST_DIFFERENCE:
        check.add(
            Severity.ERROR,
            "uscf.match-difference",
            f"The players of the match are {abs(ratings[0] - ratings[1]):g} points apart; at most "
            f"{MOST_DIFFERENCE:g} are allowed.",
            remedy="Such a match is not rated; leave it out, or correct the ratings.",
        )
    if batch.end is None:
        check.add(
            Severity.WARNING,
            "uscf.match-undated",
            "The match has no date; all earlier matches count in its limits.",
            remedy='Give the event\'s "end".',
        )


def _check_fide_event(check: _Check) -> None:
    """Section 3: opponents need a FIDE rating, and somebody must be updated."""
    batch = check.batch
    updated = {entry.id for entry in check.touched()}
    if not updated and batch.games:
        check.add(
            Severity.WARNING,
            "uscf.nobody-updated",
            "No player of this FIDE event is of the federation; nothing is rated.",
            remedy=f'Give the federation ("{FEDERATION}") or the standing of those who are.',
        )
    entries = {entry.id: entry for entry in batch.entries}
    lost = [
        game
        for game in batch.games
        if game_counts(game) and game.black is not None and _lacks_fide(game, updated, entries)
    ]
    if lost:
        check.findings.add(
            Severity.WARNING,
            "uscf.no-fide-rating",
            f"Games against opponents without a FIDE rating are not rated: {len(lost)}.",
            _place(lost[0], batch.section),
            'Give "foreign": {"fide": …} to the opponent, or the rating in the game.',
        )


def _lacks_fide(game: Game, updated: set[str], entries: dict[str, Entry]) -> bool:
    pairs = (
        (game.white, game.black, game.black_rating),
        (game.black, game.white, game.white_rating),
    )
    return any(
        player in updated
        and rating is None
        and opponent is not None
        and not foreign(entries[opponent], FIDE)
        for player, opponent, rating in pairs
    )


def _tell_several_sections(check: _Check, run: SystemRun) -> None:
    """Players who stand in several of the sections that are rated; told once."""
    count = Counter(entry.id for section in run.rated for entry in section.entries)
    several = [entry for entry in check.batch.report.entries if count[entry.id] > 1]
    if several:
        place = several[0].place
        check.findings.add(
            Severity.INFO,
            "uscf.several-sections",
            f"{named(several)}: in several sections, which are rated one after the other in the "
            "order of their numbers, else of their names; each starts from the standing after "
            "the one before.",
            replace(place, player=place.player or several[0].id),
            "The last row of such a player holds the new standing.",
        )


def _place(game: Game, section: str | None) -> Place:
    return replace(game.place, section=section)


def named(entries: Iterable[Entry]) -> str:
    """The first players of a list, and how many there are."""
    ids = [entry.id for entry in entries]
    if len(ids) == 1:
        return f"Player {ids[0]}"
    return f"{len(ids)} players ({', '.join(ids[:5])}{', …' if len(ids) > 5 else ''})"
