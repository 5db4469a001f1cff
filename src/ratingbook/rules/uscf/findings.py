"""What the US Chess editions notice about a section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ratingbook.model import (
    Colour,
    Entry,
    Findings,
    Game,
    Place,
    Standing,
    StandingStatus,
)
from ratingbook.model.sentences import Sentence, sentence, stated
from ratingbook.rules.book import knows_rating
from ratingbook.rules.bulk import NOT_GIVEN, day_number, score_of, status_of
from ratingbook.rules.time_words import is_by_mail
from ratingbook.rules.uscf.columns import NO_RATING, Decisions, Kind, Match, Parameters
from ratingbook.rules.uscf.floors import (
    HIGHEST_PEAK_FLOOR,
    LEVEL,
    MOST_PERSONAL_FLOOR,
    OLM_FLOOR,
    floor_on_record,
    has_established_games,
    peak_floor,
)
from ratingbook.rules.uscf.games import KINDS, YOUTH, flag_of, game_counts, is_updated, kind_of
from ratingbook.rules.uscf.initial import GAMES_OF_OTHER_SYSTEM, age_in_years
from ratingbook.rules.uscf.matches import MOST_DIFFERENCE, REDUCTION, past_match
from ratingbook.rules.uscf.standard import most_effective_games
from ratingbook.rules.uscf.storage import nearest
from ratingbook.rules.uscf.systems import (
    POOLS,
    QUICK,
    REGULAR,
    SystemRun,
    UscfBatch,
    is_dual,
    named_systems,
    parsed_pool,
    pool_of,
    standing_in,
    systems_by_time,
    systems_of_section,
)
from ratingbook.rules.wording import Notes, Notices, players_named

FIDE, CFC, NATIONAL = "fide", "cfc", "national"
FOREIGN = (FIDE, CFC, NATIONAL)
"""Keys of ``foreign`` that Step 1 reads; the last only reminds the office to decide."""

_STRONG = 2200.0
_LOW = 2 * MOST_PERSONAL_FLOOR
"""Below this rating the personal floor may come into play."""


NOTICES = Notices("""
uscf.perhaps-match  warning
    Only two players have games in this section; it is not rated as a match.
    Remedy: If it is one, give the event the kind "match": it has limits and no bonus.
uscf.unknown-pool  error
    The {what}'s pool {pool!r} is not a rating system of this edition.
    Remedy: It knows: {pools}, and dual: regular and quick.
uscf.correspondence  error
    The time control of the {what} is of correspondence chess: {check.control}; no system of this
    edition rates that.
    Remedy: Choose an edition of correspondence chess, such as iccf-2009; or correct the time
    control.
uscf.time-control  warning
    The time control {check.control!r} cannot be read; the {what} is rated as {check.pool}.
    Remedy: Write it as G/60;d5, 40/90,SD/30;d5 or G/90;+30.
uscf.pool-assumed  warning first assumed
    Neither pool nor time control is given; the {what} is rated as {check.pool}.
    Remedy: Give the {what}'s "time_control", or its "pool".
uscf.not-rated  error
    By its time control {check.control} the {what} is in no rating system.
    Remedy: Correct the time control, or name the pool: {pools}.
uscf.pool-contradicts  error
    The {what} is rated as {named}, as the report says; by its time control {check.control} it
    belongs to {fitting}.
    Remedy: Correct the pool or the time control.
uscf.dual-rated  info
    The {what} is dual rated{control}. Here its {check.pool} ratings are computed.
    Remedy: For the others send it with "pool": "{other}" and the {other} standings.
uscf.other-system  warning
    By {source} the section {name} does not count in the {run.pool} system, which is rated here; it
    is left out.
    Remedy: {remedy}
uscf.several-sections  info
    {who}: in several sections, which are rated one after the other in the order of their numbers,
    else of their names; each starts from the standing after the one before.
    Remedy: The last row of such a player holds the new standing.
uscf.dual-unknown  warning
    {who}: above 2200, K is lower in a dual-rated event, and the report gives no time control;
    taken as not dual rated.
    Remedy: Give the event's "time_control".
uscf.rating-range  error
    {who}: the {what} is {value:g}; a rating here lies between {low} and {high}.
    Remedy: Correct it, or leave it out.
uscf.decision-value  error
    {who}: the decision {name} cannot be {decision!r}.
    Remedy: initial_rating, adjusted_rating, ceiling, money_floor, cash_limit are ratings,
    cash_prize dollars, floor_reduction is true or false.
uscf.games-missing  error
    {who} is provisional, and the report does not say on how many games the rating rests; formula
    and K hang on it.
    Remedy: Give "games" in the standing, or with --players.
uscf.games-unknown  warning assumed
    {who}: the number of rated games is not given; taken as {p.games_unknown}, established.
    Remedy: Give the games with --players, or set games_unknown.
uscf.results-unknown  warning
    {who}: provisional, and the wins, draws and losses so far are not given; taken as neither all
    wins nor all losses.
    Remedy: Give "wins", "draws" and "losses" in the standings, or with --players.
uscf.floor-unknown  info
    {who}: rated below 300, and not all of the wins, draws and events so far are given; the personal
    floor counts only what is known.
    Remedy: Give "wins", "draws" and "events" (with three rated games) in the standings.
uscf.no-birth-date  warning assumed
    {who}: unrated, without a birth date or a rating elsewhere; the initial rating is that of an
    unknown player.
    Remedy: Give the birth date (50 points a year), or "adult": true.
uscf.initial-rating  info
    {who}: unrated; the initial rating follows from Step 1.
    Remedy: Give a standing to those who have a rating in this system.
uscf.national-rating  info
    {who} has the national rating {rating:g}, and the office decided nothing; it is not used.
    Remedy: Decide: "decisions": {{"initial_rating": …, "reason": …}}.
uscf.decision-first  info
    {who}: the office's decision on the initial rating is taken, not the FIDE or CFC rating.
    Remedy: Remove the decision if the conversion should count.
uscf.pool-games-unknown  warning assumed
    {who}: the games of the rating in the other system are not given; taken as enough.
    Remedy: Give "games" there: from four on it is the initial rating.
uscf.no-date  error
    {who} is unrated; the initial rating follows from the age at the end of the event, and the
    report has no date.
    Remedy: Give the event's "end".
uscf.birth-date  warning
    {who} would be younger than {p.age_least:g} years; the initial rating is {p.age_below:g}.
    Remedy: Correct the birth date or the date of the event.
uscf.pool-twice  warning
    {who} has two {check.pool} ratings; that of the standing is used.
    Remedy: The standing is the one of the event's pool; leave "{check.pool}" out of "pools".
uscf.status-contradicts/unrated  warning
    {who} is unrated and has the rating {rating:g}, which is not used.
    Remedy: Correct the status, or leave the rating out.
uscf.status-contradicts/games  warning
    {who} is {known.status} with {known.games} games; the games decide.
    Remedy: A rating is established from {p.established_games} games on.
uscf.floor-range  {severity}
    {who} has a floor of {floor:g}; none is above {most:g}{but}.
    Remedy: Correct "floor", or the decision; give "olm": true to an Original Life Master.
uscf.floor-above-rating  {severity}
    {who} has the rating {rating:g} and a floor of {floor:g}{so}.
    Remedy: {remedy}
uscf.peak  warning
    {who} has the rating {rating:g} and a peak of {peak:g}, which is lower; the rating is
    taken as the peak.
    Remedy: Correct "rating" or "peak", the highest established rating.
uscf.below-floor  warning
    {who} has the rating {rating:g}, below the floor of {floor:g} that follows from the peak
    {peak:g}; a player with a game is lifted to it.
    Remedy: Correct "rating" or "peak".
uscf.kind  warning
    The kind {kind!r} is not known; rated like a Swiss.
    Remedy: It knows: {kinds}.
uscf.category  warning
    The category {category!r} of a FIDE event is not known and is not used.
    Remedy: It knows: youth.
uscf.not-used  warning
    {who}: {unused} of "foreign" is not used by these rules.
    Remedy: They know fide, cfc, national.
uscf.history-not-used  info
    {who}: {strange} sides of the history are not matches and are not used.
    Remedy: Only matches are kept, with "event" such as "match +20".
uscf.decision-not-used  warning
    {who} is {state}; the decision {useless} is not used.
    Remedy: initial_rating is for unrated players, adjusted_rating for rated ones.
uscf.cash-prize  error
    {who}: a floor by a cash prize needs the dollars and the limit of the section or prize.
    Remedy: Give both "cash_prize" and "cash_limit" (1800 for under 1800).
uscf.game-rating  warning
    Games that name ratings of their own: {number}. All games of a section are rated at the
    standings before the event.
    Remedy: Give the rating in the standing.
uscf.match-undated/earlier  warning
    {who}: an earlier match has no date; it counts in the limits of 180 days and of three years.
    Remedy: Give the last day of the match as "start".
uscf.match-undated  warning
    The match has no date; all earlier matches count in its limits.
    Remedy: Give the event's "end".
uscf.match-players  error
    A match is between two players; this section has {number}.
    Remedy: Give each match a section of its own, or another kind to the event.
uscf.match-not-established  error
    {who} has no established rating; a match is rated only between established players.
    Remedy: Leave the match out, or correct the standing.
uscf.match-difference  error
    The players of the match are {difference:g} points apart; at most 400 are allowed.
    Remedy: Such a match is not rated; leave it out, or correct the ratings.
uscf.nobody-updated  warning
    No player of this FIDE event is of the federation; nothing is rated.
    Remedy: Give the federation ("USA") or the standing of those who are.
uscf.no-fide-rating  warning
    Games against opponents without a FIDE rating are not rated: {number}.
    Remedy: Give "foreign": {{"fide": …}} to the opponent, or the rating in the game.
""")
"""What is noticed, by its code."""


@dataclass(frozen=True)
class _Player:
    """A player of the section, by what the report says."""

    entry: Entry
    known: Standing
    """In the system that is rated."""
    other: Standing | None
    """In the other one that Step 1 looks at."""
    said: Decisions
    matches: Sequence[Match]
    """The matches that the history keeps."""
    touched: bool
    """Whether the rating can change: the player has a game, and the event counts for him."""

    @property
    def rating(self) -> float:
        """The rating, or NO_RATING."""
        return float(self.known.rating or NO_RATING)

    def games(self, p: Parameters) -> int:
        """The rated games, or those that are taken where the report does not say."""
        return p.games_unknown if self.known.games is None else self.known.games

    def number(self, name: str) -> float:
        """A rating elsewhere or a number of the standing; NO_RATING for anything else."""
        value = self.entry.foreign.get(name) or self.known.extra.get(name)
        return float(value) if isinstance(value, int | float) else NO_RATING

    @property
    def counting_other(self) -> float | None:
        """The rating in the other system, if it rests on enough games."""
        other = self.other
        if other is None or (other.games is not None and other.games < GAMES_OF_OTHER_SYSTEM):
            return None
        return other.rating

    @property
    def is_new_by_age(self) -> bool:
        """Whether neither a decision nor a rating elsewhere settles the initial rating."""
        said = self.said.initial_rating > 0.0 or self.number(FIDE) or self.number(CFC)
        return not said and self.counting_other is None


class _Check(Notes):
    """One section with its findings."""

    def __init__(self, batch: UscfBatch, p: Parameters, bounds: tuple[int, int]) -> None:
        super().__init__(
            NOTICES, batch, p, check=self, low=bounds[0], high=bounds[1],
            pools=", ".join(POOLS[: p.systems]), kinds=", ".join(KINDS),
        )  # fmt: skip
        self.batch, self.p, self.bounds = batch, p, bounds
        self.event, self.control = batch.event, batch.event.time_control
        self.pool, self.kind = POOLS[p.pool], kind_of(batch.event.kind)
        self.named = pool_of(batch.head, batch.report.event)
        self.playing = {
            player
            for game in batch.games
            if _counts(game)
            for player in (game.white, game.black)
            if player is not None
        }
        self.players = [self._player(entry) for entry in batch.entries]
        self.touched = [player for player in self.players if player.touched]

    def _player(self, entry: Entry) -> _Player:
        known = standing_in(entry, self.pool)
        other = entry.pools.get({REGULAR: QUICK, QUICK: REGULAR}.get(self.pool, ""))
        is_rated = known.rating is not None
        return _Player(
            entry,
            known,
            other if knows_rating(other) else None,
            _decided(entry),
            [match for frozen in entry.history if (match := past_match(frozen)) is not None],
            entry.id in self.playing
            and (self.kind != Kind.FIDE or is_updated(flag_of(entry.federation), is_rated)),
        )

    def place_of(self, about: Entry | Game | Place | None) -> Place:
        """Everything is about the section."""
        if isinstance(about, Entry):
            return self.batch.place_of(about)
        if isinstance(about, Place):
            return about
        return replace(about.place if about else Place(), section=self.batch.section)


def _decided(entry: Entry) -> Decisions:
    """The decisions that are numbers."""
    return Decisions(
        **{
            name: float(value)
            for name, value in entry.decisions.items()
            if name in Decisions._fields
            and isinstance(value, int | float)
            and not isinstance(value, bool)
        }
    )


def _counts(game: Game) -> bool:
    """Whether a game is rated, as far as its result says."""
    return game_counts(status_of(game), score_of(game, Colour.WHITE))


def check_batch(batch: UscfBatch, p: Parameters, bounds: tuple[int, int]) -> Findings:
    """All findings of a section."""
    check = _Check(batch, p, bounds)
    _check_system(check)
    if batch.run:
        _tell_left_out(check, batch.run)
        _tell_several_sections(check, batch.run)
    _check_kind(check)
    _check_numbers(check)
    if check.refused or (batch.run and not batch.run.rated):
        return check
    _check_games_known(check)
    _check_results_known(check)
    _check_newcomers(check)
    _check_standings(check)
    for player in check.players:
        _check_floors(check, player)
        _tell_unused(check, player)
    for player in check.players:
        _check_decisions(check, player)
    _tell_ratings_of_games(check)
    if check.kind == Kind.EVENT and len(check.playing) == 2:
        check.tell("uscf.perhaps-match")
    if check.kind == Kind.MATCH:
        _check_match(check)
    if check.kind == Kind.FIDE:
        _check_fide_event(check)
    return check


def _check_system(check: _Check) -> None:
    """Which of the systems the section is rated in."""
    batch, p = check.batch, check.p
    of_event, of_section = batch.report.event.pool, batch.head.pool
    unknown = {
        "event": batch.run and not parsed_pool(of_event, p) and not is_dual(of_event),
        "section": named_systems(of_section or "") is None,
    }
    for what, pool in (("event", of_event), ("section", of_section)):
        if pool and unknown[what]:
            check.tell("uscf.unknown-pool", what=stated(what), pool=pool)
    if check.refused or (batch.run and not batch.run.rated):
        return
    named = check.named or parsed_pool(of_event, p)
    what = sentence("section") if batch.section else sentence("event")
    fits = systems_by_time(check.control, p)
    own = named_systems(named) if named else None
    if fits is None and is_by_mail(check.control):
        check.tell("uscf.correspondence", what=what)
    elif fits is None and check.control:
        check.tell("uscf.time-control", what=what)
    elif fits is None and named is None:
        check.tell("uscf.pool-assumed", what=what)
    if named is None and fits == ():
        check.tell("uscf.not-rated", what=what)
    elif fits is not None and own and not {*own} <= {*fits} and not own[0].startswith("online"):
        check.tell(
            "uscf.pool-contradicts",
            what=what,
            named=named,
            fitting=" and ".join(fits) or sentence("no system"),
        )
    elif is_dual(check.named) or {REGULAR, QUICK} <= {*(fits or ())}:
        _tell_dual(check, what)
    elif fits is None:
        _tell_reduced_k(check)


def _tell_dual(check: _Check, what: Sentence) -> None:
    if check.kind != Kind.EVENT:
        return
    other = QUICK if check.pool == REGULAR else REGULAR
    control = f" ({check.control})" if check.control else ""
    check.tell("uscf.dual-rated", what=what, control=control, other=other)


def _tell_left_out(check: _Check, run: SystemRun) -> None:
    """Sections of another system than the one that is rated."""
    event = check.batch.report.event
    for section in run.left_out:
        systems = systems_of_section(section, event, check.p) or ()
        control = section.head.time_control or event.time_control
        pool = section.head.pool
        source = sentence("its time control {control}", control=control)
        if pool:
            source = sentence("its system {pool}", pool=pool)
        possible = [name for name in systems if name in POOLS[: check.p.systems]]
        remedy = sentence(
            "This edition has no system for it; correct the pool or the time control, or "
            "choose another edition."
        )
        if possible:
            remedy = sentence(
                'Send it as a report of its own (or with "pool": "{system}" in the event), with '
                "the {system} standings.",
                system=possible[0],
            )
        check.tell(
            "uscf.other-system",
            Place(section=section.name),
            source=source,
            name=section.name or sentence("(without a name)"),
            run=run,
            remedy=remedy,
        )


def _tell_reduced_k(check: _Check) -> None:
    """Without a time control nobody knows whether K of strong players is reduced."""
    if not check.p.strong_k or check.pool != REGULAR or check.kind != Kind.EVENT:
        return
    strong = [player.entry for player in check.touched if player.rating > _STRONG]
    check.tell("uscf.dual-unknown", strong)


def _check_numbers(check: _Check) -> None:
    """Numbers that the intake does not look at lie within bounds."""
    low, high = check.bounds
    for player in check.players:
        for what, value in _ratings_of(player.entry):
            if isinstance(value, int | float) and not low <= value <= high:
                check.tell("uscf.rating-range", player.entry, what=what, value=value)
        for name, decision in player.entry.decisions.items():
            if name in Decisions._fields and not _is_decision(name, decision, check.bounds):
                check.tell("uscf.decision-value", player.entry, name=name, decision=decision)


def _ratings_of(entry: Entry) -> Iterator[tuple[str, object]]:
    for key in FOREIGN:
        yield sentence("{key} rating", key=key), entry.foreign.get(key)
    for pool, standing in entry.pools.items():
        yield sentence("{key} rating", key=pool), standing.rating
    if entry.standing:
        for key in ("peak", "floor"):
            yield stated(key), entry.standing.extra.get(key)


def _is_decision(name: str, value: object, bounds: tuple[int, int]) -> bool:
    if value is None:
        return True
    if name == "floor_reduction":
        return isinstance(value, bool)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return value > 0 if name == "cash_prize" else bounds[0] <= value <= bounds[1]


def _check_games_known(check: _Check) -> None:
    """N settles the formula and K."""
    unknown = []
    for player in check.touched:
        if not player.rating or player.known.games is not None:
            continue
        if player.known.status is StandingStatus.PROVISIONAL:
            check.tell("uscf.games-missing", player.entry)
        elif not _is_immaterial(player.known.status, player.rating, check.p):
            unknown.append(player.entry)
    check.tell("uscf.games-unknown", unknown)


def _is_immaterial(status: StandingStatus | None, rating: float, p: Parameters) -> bool:
    """Whether an established player's number of games changes nothing: N' is N* anyway."""
    return (
        status is StandingStatus.ESTABLISHED
        and most_effective_games(rating, p) <= p.established_games
    )


def _check_results_known(check: _Check) -> None:
    """All earlier games won, or lost: only the totals of results tell."""
    unknown, low = [], []
    for player in check.touched:
        known, p = player.known, check.p
        silent = None in (known.wins, known.draws)
        is_provisional = known.games is not None and not has_established_games(known.games, p)
        if player.rating and is_provisional and (silent or known.losses is None):
            unknown.append(player.entry)
        if 0 < player.rating < _LOW and (silent or "events" not in known.extra):
            low.append(player.entry)
    check.tell("uscf.results-unknown", unknown)
    check.tell("uscf.floor-unknown", low)


def _check_newcomers(check: _Check) -> None:
    """What Step 1 had to take for players without a rating in this system."""
    new = [player for player in check.touched if not player.rating]
    for player in new:
        _check_newcomer(check, player)
    unknown: list[Entry] = []
    known: list[Entry] = []
    for player in new:
        silent = player.entry.birth_date is None and not player.entry.adult
        (unknown if player.is_new_by_age and silent else known).append(player.entry)
    check.tell("uscf.no-birth-date", unknown)
    check.tell("uscf.initial-rating", known)


def _check_newcomer(check: _Check, player: _Player) -> None:
    end, birth = check.batch.end, player.entry.birth_date
    is_decided = player.said.initial_rating > 0.0
    if player.number(NATIONAL) and not is_decided:
        check.tell("uscf.national-rating", player.entry, rating=player.number(NATIONAL))
    if is_decided and (player.number(FIDE) or player.number(CFC)):
        check.tell("uscf.decision-first", player.entry)
    if player.other is not None and player.other.games is None:
        check.tell("uscf.pool-games-unknown", player.entry)
    if birth is None or not player.is_new_by_age:
        return
    if end is None:
        check.tell("uscf.no-date", player.entry)
    elif age_in_years(day_number(birth), day_number(end)) < check.p.age_least:
        check.tell("uscf.birth-date", player.entry)


def _check_standings(check: _Check) -> None:
    """Standings that contradict themselves, and what of them is not used."""
    for player in check.players:
        known, said = player.known, player.entry.standing
        own = player.entry.pools.get(check.pool)
        established = has_established_games(known.games or 0, check.p)
        if not player.rating:
            if said and said.rating is not None:
                check.tell("uscf.status-contradicts/unrated", player.entry, rating=said.rating)
            continue
        if (
            known.games is not None
            and known.status in (StandingStatus.ESTABLISHED, StandingStatus.PROVISIONAL)
            and established != (known.status is StandingStatus.ESTABLISHED)
        ):
            check.tell("uscf.status-contradicts/games", player.entry, known=known)
        if said and own and own.rating != known.rating:
            check.tell("uscf.pool-twice", player.entry)


def _check_floors(check: _Check, player: _Player) -> None:
    """Floors, peak and rating go together: a rating never falls below a floor (2.4)."""
    said, peak = player.number("floor"), player.number("peak")
    floor = floor_on_record(said, player.said)
    most = OLM_FLOOR if player.known.extra.get("olm") is True else HIGHEST_PEAK_FLOOR
    if floor > most:
        check.tell(
            "uscf.floor-range",
            player.entry,
            severity="error" if floor > OLM_FLOOR else "warning",
            floor=floor,
            most=most,
            but=sentence(" but that of an Original Life Master") if most < OLM_FLOOR else "",
        )
    if not player.rating:
        return
    lowered = REDUCTION * sum(match.lowers_floor for match in player.matches)
    adjusted = player.said.adjusted_rating
    rating = adjusted if adjusted > 0.0 else player.rating
    if floor != NO_RATING and floor - lowered > rating:
        of_decision = floor > said
        far = floor - lowered > rating + LEVEL and not of_decision
        check.tell(
            "uscf.floor-above-rating",
            player.entry,
            severity="error" if far else "warning",
            rating=rating,
            floor=floor - lowered,
            so=sentence(", which no rated player is so far below")
            if far
            else sentence("; it lifts the rating"),
            remedy=sentence("Correct the decision if that is not meant.")
            if of_decision
            else sentence(
                'Correct "rating" or "floor"; a floor that the office grants now is a decision '
                "(money_floor)."
            ),
        )
    if peak == NO_RATING or not has_established_games(player.games(check.p), check.p):
        return
    if peak < nearest(player.rating):
        check.tell("uscf.peak", player.entry, rating=player.rating, peak=peak)
    elif rating < peak_floor(peak) - lowered:
        check.tell(
            "uscf.below-floor",
            player.entry,
            rating=rating,
            floor=peak_floor(peak) - lowered,
            peak=peak,
        )


def _check_kind(check: _Check) -> None:
    """A kind or a category of event that changes nothing may be a slip."""
    batch, category = check.batch, check.event.category
    kind = batch.head.kind or (check.event.kind if batch.run else None)
    if kind and kind.casefold() not in KINDS:
        check.tell("uscf.kind", kind=kind)
    if category and check.kind == Kind.FIDE and category.casefold() != YOUTH:
        check.tell("uscf.category", category=category)


def _tell_unused(check: _Check, player: _Player) -> None:
    if unused := [key for key in player.entry.foreign if key not in FOREIGN]:
        check.tell("uscf.not-used", player.entry, unused=", ".join(unused))
    if strange := len(player.entry.history) - len(player.matches):
        check.tell("uscf.history-not-used", player.entry, strange=strange)
    if check.kind == Kind.MATCH and any(match.day == NOT_GIVEN for match in player.matches):
        check.tell("uscf.match-undated/earlier", player.entry)


def _check_decisions(check: _Check, player: _Player) -> None:
    """Decisions that are made for other players than this one."""
    useless = "initial_rating" if player.rating else "adjusted_rating"
    if getattr(player.said, useless) > 0.0:
        check.tell(
            "uscf.decision-not-used",
            player.entry,
            state=sentence("rated") if player.rating else sentence("unrated"),
            useless=useless,
        )
    if (player.said.cash_prize > 0.0) != (player.said.cash_limit > 0.0):
        check.tell("uscf.cash-prize", player.entry)


def _tell_ratings_of_games(check: _Check) -> None:
    """Ratings that games name: only those of a FIDE event are used."""
    games = [
        game
        for game in check.batch.games
        if game.white_rating is not None or game.black_rating is not None
    ]
    if games and check.kind != Kind.FIDE:
        check.tell("uscf.game-rating", games[0], number=len(games))


def _check_match(check: _Check) -> None:
    """Section 4, rule 1, and what makes a match."""
    if len(check.playing) > 2 or len(check.players) > 2:
        check.tell("uscf.match-players", number=len(check.players))
        return
    ratings = []
    for player in check.touched:
        if player.rating and has_established_games(player.games(check.p), check.p):
            ratings.append(player.rating)
            continue
        check.tell("uscf.match-not-established", player.entry)
    difference = max(ratings, default=0) - min(ratings, default=0)
    if len(ratings) == 2 and difference > MOST_DIFFERENCE:
        check.tell("uscf.match-difference", difference=difference)
    if check.batch.end is None:
        check.tell("uscf.match-undated")


def _check_fide_event(check: _Check) -> None:
    """Section 3: opponents need a FIDE rating, and somebody must be updated."""
    if not check.touched and check.batch.games:
        check.tell("uscf.nobody-updated")
    updated = {player.entry.id for player in check.touched}
    without = {player.entry.id for player in check.players if not player.number(FIDE)}
    lost = [
        game
        for game in check.batch.games
        if _counts(game)
        and (
            (game.white in updated and game.black in without and game.black_rating is None)
            or (game.black in updated and game.white in without and game.white_rating is None)
        )
    ]
    if lost:
        check.tell("uscf.no-fide-rating", lost[0], number=len(lost))


def _tell_several_sections(check: _Check, run: SystemRun) -> None:
    """Players who are in several of the sections that are rated; reported once."""
    count = Counter(entry.id for section in run.rated for entry in section.entries)
    several = [entry for entry in check.batch.report.entries if count[entry.id] > 1]
    if several:
        place = replace(several[0].place, player=several[0].place.player or several[0].id)
        check.tell("uscf.several-sections", place, who=players_named(several))
