"""The EGF rule book: how the functions of the paragraphs rate an event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from ratingbook.model import (
    Colour,
    Entry,
    Findings,
    Game,
    Report,
    StandingStatus,
)
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Round, Row, TwiceWritten, last_played, results_after
from ratingbook.rules.egf.batch import EgfBatch, game_counts
from ratingbook.rules.egf.change import event_reckoning, published_rating
from ratingbook.rules.egf.classes import FIRST_DAY, class_weight, is_of_our_time
from ratingbook.rules.egf.columns import (
    NO_GRADE,
    NO_RATING,
    GradeIndex,
    Parameters,
    Reckoning,
    Side,
    Standing,
)
from ratingbook.rules.egf.entry import entry_rating, reset_by_office
from ratingbook.rules.egf.event import (
    class_of_event,
    first_rating,
    has_classes,
    is_rated,
    left,
    received,
)
from ratingbook.rules.egf.findings import check_entries, tell_class
from ratingbook.rules.egf.grades import (
    grade_index,
    grade_name,
    initial_rating,
    rating_of_grade,
)
from ratingbook.rules.egf.listing import listing
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.units import FIXED_SCALE


class EgfRuleBook(TwiceWritten[EgfBatch, Standing, Side, Reckoning, Parameters]):
    """An edition of the EGF rating system."""

    def batches(self, report: Report) -> Iterator[EgfBatch]:
        """One batch: all games of an event are rated at the ratings of its start."""
        class_, counts = self._class_of(report)
        yield EgfBatch(
            report,
            None,
            report.entries,
            report.games,
            class_,
            class_weight(class_, self.parameters),
            counts,
        )

    def _class_of(self, report: Report) -> tuple[str, bool]:
        """Class of the event, and whether its games count at all."""
        recognised = is_of_our_time(report.event.start, FIRST_DAY)
        class_, counts = class_of_event(report.event, self.parameters)
        return class_, recognised and counts

    def standing(self, batch: EgfBatch, row: int) -> Standing:
        """The rating of the pool, or that of the declared grade; resets come with `enter`."""
        entry = batch.entries[row]
        reported = entry.standing or ReportedStanding()
        grade = grade_index(entry.grade)
        highest = _highest(reported)
        if reported.rating is None or not _is_known(entry):
            rating = float(NO_RATING)
            if grade != NO_GRADE:
                rating = first_rating(float(initial_rating(str(entry.grade))), self.parameters)
        else:
            nominal = NO_RATING if grade == NO_GRADE else float(rating_of_grade(str(entry.grade)))
            rating = entry_rating(float(reported.rating), nominal, grade, highest, self.parameters)
        decided = _decided(entry)
        if decided is not None and batch.games_of[row]:
            rating = reset_by_office(rating, decided)
        return Standing(rating, reported.games or 0, grade, highest)

    def enter(self, standing: Standing) -> Standing:
        """Everything is settled with the standing, which knows the declared grade."""
        return standing

    def sides(self, batch: EgfBatch, entered: Sequence[Standing], row: int) -> list[Side]:
        """The player's sides: games between players who have a rating or a grade."""
        if batch.games_of[row] and has_classes(self.parameters):
            class_weight(self._class_of(batch.report)[0], self.parameters)
        return [
            made for index in batch.games_of[row] for made in self._side(batch, entered, row, index)
        ]

    def _side(
        self, batch: EgfBatch, entered: Sequence[Standing], row: int, index: int
    ) -> Iterator[Side]:
        game = batch.games[index]
        colour = game.colour_of(batch.entries[row].id)
        if colour is None:
            return
        opponent, score = game.player(colour.other), game.result.half_points(colour)
        if not batch.counts or not game_counts(game) or not game.rated(colour):
            return
        if opponent is None or score is None:
            return
        other = batch.rows[opponent]
        own, theirs = (
            _at_start(game, colour, entered[row]),
            _at_start(game, colour.other, entered[other]),
        )
        if not is_rated(own, theirs):
            return
        stones = received(game.handicap)
        black = colour is Colour.BLACK
        yield Side(
            own=own,
            opponent=theirs,
            own_stones=stones if black else 0.0,
            opponent_stones=0.0 if black else stones,
            score=score,
            weight=batch.weight,
            other=other,
            game=index,
        )

    def rounds(self, batch: EgfBatch) -> Sequence[Round[Standing, Side, Reckoning, Parameters]]:
        """One round: all games at the ratings of the event's start."""
        del batch
        return (Round("event", event_reckoning),)

    def leave(self, entered: Standing, value: Reckoning) -> Standing:
        """The new rating, and the highest grade with which the player ever entered."""
        if entered.rating != NO_RATING:
            # For the explanation, which ends in it; the standing keeps the decimals.
            published_rating(value.value, self.parameters.decimals)
        return left(entered, value)

    def row(
        self, batch: EgfBatch, row: int, sides: Sequence[Side], value: Reckoning, left: Standing
    ) -> Row:
        """The player's row; the standing keeps the decimals that the list rounds away."""
        entry = batch.entries[row]
        reported = entry.standing or ReportedStanding()
        known = left.rating != NO_RATING
        rated = known and (value.games > 0 or reported.rating is not None)
        status = StandingStatus.ESTABLISHED if rated else StandingStatus.UNRATED
        if value.games == 0 and reported.rating is not None:
            left = left._replace(rating=float(reported.rating))
        return Row(
            id=entry.id,
            name=entry.name,
            section=batch.section,
            before=reported.rating,
            after=published_rating(left.rating, self.parameters.decimals) if rated else None,
            exact=left.rating if rated else None,
            games=value.games,
            score=value.score / 2,
            expected=value.expected / FIXED_SCALE if known else None,
            status=status,
            published=rated,
            standing=_new_standing(batch, reported, sides, left, rated, status),
        )

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list of a day, without those who have not played for long (paragraph 7)."""
        del office
        return listing(members, day, self.parameters)

    def check(self, batch: EgfBatch) -> Findings:
        """What an officer should know before this event is rated."""
        findings = Findings()
        low, high = self.rating_range
        unrated = {entry.id for entry in batch.entries if not _is_known(entry)}
        decided = [_decided(entry) for entry in batch.entries]
        check_entries(batch, unrated, decided, (max(low, self.parameters.floor), high), findings)
        tell_class(batch, has_classes(self.parameters), findings)
        return findings


def _is_known(entry: Entry) -> bool:
    """Whether the pool has a rating of the player."""
    standing = entry.standing
    return (
        standing is not None
        and standing.rating is not None
        and standing.status is not StandingStatus.UNRATED
    )


def _highest(reported: ReportedStanding) -> GradeIndex:
    highest = reported.extra.get("highest_grade")
    return grade_index(highest) if isinstance(highest, str) else NO_GRADE


def _decided(entry: Entry) -> float | None:
    decided = entry.decisions.get("reset_rating")
    if isinstance(decided, int | float) and not isinstance(decided, bool):
        return float(decided)
    return None


def _at_start(game: Game, colour: Colour, entered: Standing) -> float:
    """The rating at the start of the event: the standing's, unless the game names another."""
    named = game.rating(colour)
    return entered.rating if named is None else float(named)


def _new_standing(
    batch: EgfBatch,
    old: ReportedStanding,
    sides: Sequence[Side],
    left: Standing,
    rated: bool,
    status: StandingStatus,
) -> ReportedStanding:
    """The new standing as a report holds it."""
    wins, draws, losses = results_after(old, (side.score for side in sides))
    extra = dict(old.extra)
    if left.highest != NO_GRADE:
        extra["highest_grade"] = grade_name(left.highest)
    return ReportedStanding(
        rating=left.rating if rated else None,
        games=left.games,
        wins=wins,
        draws=draws,
        losses=losses,
        status=status,
        last_played=last_played(batch, old, len(sides)),
        extra=extra,
    )
