"""The ICCF rule book: how the functions of the items rate a period."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from ratingbook.model import (
    Colour,
    Entry,
    Findings,
    FrozenSide,
    Game,
    GameStatus,
    Place,
    Report,
    Severity,
    StandingStatus,
)
from ratingbook.model import Standing as ReportedStanding
from ratingbook.rules.book import Batch, Round, Row, RuleBook, last_played, results_after
from ratingbook.rules.iccf.change import expectation
from ratingbook.rules.iccf.columns import (
    NO_RATING,
    Parameters,
    Reckoning,
    Rule,
    Side,
    Standing,
)
from ratingbook.rules.iccf.levels import (
    CATEGORIES,
    assumed_rating,
    normalised,
    tournament_level,
)
from ratingbook.rules.iccf.listing import listing
from ratingbook.rules.iccf.lists import RatingList, list_taking, registration_deadline
from ratingbook.rules.iccf.performance import percentage_score
from ratingbook.rules.iccf.period import is_fixed_next, is_published, reckon, rounded, unchanged
from ratingbook.rules.iccf.substitutes import (
    counts_for_substitute,
    rating_for_opponent,
    substitutes_difference,
)
from ratingbook.rules.listing import Listing, Member
from ratingbook.rules.paragraph import paragraph
from ratingbook.rules.units import Ratio

_NEVER_RATED = (GameStatus.CANCELLED, GameStatus.BYE)
_DEFECT_GAMES = 34


@paragraph("7", "{game.status}, result {game.result}: not rated", silent=True)
def game_counts(game: Game) -> bool:
    """Item 7: a game with a result; what the tournament director registered (reading A26)."""
    return game.status not in _NEVER_RATED and game.result.half_points(Colour.WHITE) is not None


@paragraph("12", "reported after {last}, the last day for this list: next list", silent=True)
def is_in_time(game: Game, last: date | None) -> bool:
    """Item 12: only results reported in time are rated for this list."""
    day = reported_on(game)
    return day is None or last is None or day <= last


def reported_on(game: Game) -> date | None:
    """The day of the report; a server game is reported when it ends (reading A18)."""
    return game.reported or game.end


@dataclass(frozen=True)
class IccfBatch(Batch):
    """A period's report, with the list that takes it and the level of its tournament."""

    taken_by: RatingList | None = None
    """The list that takes the results; None where the report has no dates."""
    level: int | None = None
    """Item 11's assumed rating; None where it cannot be told."""
    standings: Mapping[str, Standing] = field(default_factory=dict)


class IccfRuleBook(RuleBook[IccfBatch, Standing, Side, Reckoning, Parameters]):
    """An edition of the ICCF rating rules."""

    def batches(self, report: Report) -> Iterator[IccfBatch]:
        """One batch: the report is (a part of) a rating period."""
        batch = IccfBatch(report, None, report.entries, report.games)
        standings = {
            entry.id: self.standing(batch, row) for row, entry in enumerate(report.entries)
        }
        yield IccfBatch(
            report,
            None,
            report.entries,
            report.games,
            _taking(report),
            _level(report, standings.values()),
            standings,
        )

    def standing(self, batch: IccfBatch, row: int) -> Standing:
        """The rating and the number of games of the last list."""
        reported = batch.entries[row].standing or ReportedStanding()
        if reported.rating is None or reported.status is StandingStatus.UNRATED:
            return Standing(NO_RATING, 0)
        games = self.parameters.fixed_games if reported.games is None else reported.games
        return Standing(int(reported.rating), games)

    def enter(self, standing: Standing) -> Standing:
        """Nothing is settled beforehand: levels belong to games."""
        return standing

    def sides(self, batch: IccfBatch, entered: Sequence[Standing], row: int) -> list[Side]:
        """The player's sides: all earlier ones while the rating is not fixed, then the period's."""
        entry = batch.entries[row]
        sides = []
        if entered[row].games < self.parameters.fixed_games:
            sides = [_carried(frozen, entered[row]) for frozen in entry.history]
        if any(self._assumes(batch, batch.games[n]) for n in batch.games_of[row]):
            _level(batch.report, batch.standings.values())
        for game_index in batch.games_of[row]:
            sides += self._side(batch, entry.id, game_index)
        return sides

    def _assumes(self, batch: IccfBatch, game: Game) -> bool:
        """Whether a player of the game counts with the tournament's level."""
        return any(
            batch.standings[player].rating == NO_RATING and game.rating(colour) is None
            for colour in Colour
            if (player := game.player(colour)) is not None
        )

    def _side(self, batch: IccfBatch, player: str, game_index: int) -> Iterator[Side]:
        """The player's side of one game, if the game counts for him (item 18)."""
        game = batch.games[game_index]
        if not game_counts(game) or not is_in_time(game, _last_day(batch)):
            return
        colour = _colour_of(game, player)
        score = game.result.half_points(colour)
        if not game.rated(colour) or score is None:
            return
        own = self._start_rating(batch, game, colour, player)
        opponent = self._opponent_rating(batch, game, colour)
        if own is None or opponent is None:
            return
        other = game.player(colour.other)
        side = Side(
            own=own,
            opponent=opponent,
            score=score,
            carried=False,
            other=-1 if other is None else batch.rows[other],
            game=game_index,
        )
        if self._counts_for(batch, game, colour, player, side):
            yield side

    def _counts_for(
        self, batch: IccfBatch, game: Game, colour: Colour, player: str, side: Side
    ) -> bool:
        """Item 18a: whether a game in which a substitute played counts for this player."""
        replaced = game.white_for if colour is Colour.WHITE else game.black_for
        if replaced is None:
            return True
        substitute = game.player(colour)
        theirs = self._start_rating(batch, game, colour, substitute)
        if theirs is None:
            return True
        expected = expectation(theirs, side.opponent, self.parameters)
        difference = substitutes_difference(side.score, expected)
        return counts_for_substitute(difference) == (player == substitute)

    def _start_rating(
        self, batch: IccfBatch, game: Game, colour: Colour, player: str | None
    ) -> int | None:
        """The rating of a player at the beginning of the game, or the assumed one (8, 11).

        What the game names is the rating of the player who sat at the board.
        """
        if player is None:
            return None
        named = game.rating(colour)
        if named is not None and player == game.player(colour):
            return int(named)
        rating = batch.standings[player].rating
        if rating != NO_RATING:
            return rating
        return None if batch.level is None else assumed_rating(player, batch.level)

    def _opponent_rating(self, batch: IccfBatch, game: Game, colour: Colour) -> int | None:
        """The rating that the opponent counts with: with a substitute the higher of two."""
        there = colour.other
        rating = self._start_rating(batch, game, there, game.player(there))
        replaced = game.white_for if there is Colour.WHITE else game.black_for
        if replaced is None or rating is None:
            return rating
        theirs = self._start_rating(batch, game, there, replaced)
        return None if theirs is None else rating_for_opponent(rating, theirs)

    def rounds(self, batch: IccfBatch) -> Sequence[Round[Standing, Side, Reckoning, Parameters]]:
        """One round: all ratings are frozen when the game begins."""
        del batch
        return (Round("period", reckon),)

    def leave(self, entered: Standing, value: Reckoning) -> Standing:
        """The rounded rating; a player without a game stays as he was."""
        if value.rule == Rule.UNCHANGED:
            if entered.rating != NO_RATING:
                unchanged(entered.rating)
            return entered
        games = entered.games + value.games
        is_published(games, self.parameters)
        is_fixed_next(games, self.parameters)
        rating = rounded(Ratio(value.numerator, value.denominator), self.parameters)
        return Standing(rating, games)

    def row(
        self,
        batch: IccfBatch,
        row: int,
        sides: Sequence[Side],
        value: Reckoning,
        left: Standing,
    ) -> Row:
        """The player's row; until the rating is fixed the sides stay needed."""
        entry = batch.entries[row]
        before = batch.standings[entry.id]
        rated = left.rating != NO_RATING
        status = self._status(left)
        return Row(
            id=entry.id,
            name=entry.name,
            section=batch.section,
            before=before.rating if before.rating != NO_RATING else None,
            after=left.rating if rated else None,
            exact=value.numerator / value.denominator if rated else None,
            games=value.games,
            score=value.score / 2,
            expected=value.expected / 100 if value.rule == Rule.ITEM_16 else None,
            status=status,
            published=is_published(left.games, self.parameters),
            standing=_reported(batch, entry, sides, left, status),
            history=self._history(batch, entry, sides, left),
        )

    def _status(self, left: Standing) -> StandingStatus:
        if left.rating == NO_RATING:
            return StandingStatus.UNRATED
        fixed = left.games >= self.parameters.fixed_games
        return StandingStatus.ESTABLISHED if fixed else StandingStatus.PROVISIONAL

    def _history(
        self, batch: IccfBatch, entry: Entry, sides: Sequence[Side], left: Standing
    ) -> tuple[FrozenSide, ...]:
        if left.games >= self.parameters.fixed_games:
            return ()
        new = tuple(
            FrozenSide(
                opponent=side.opponent,
                score=side.score / 2,
                own=side.own,
                start=batch.games[side.game].start,
                event=batch.games[side.game].event or batch.event.name,
            )
            for side in sides
            if not side.carried
        )
        return (*entry.history, *new)

    def listing(self, members: Sequence[Member], day: date, *, office: bool = False) -> Listing:
        """The list in force on a day; tournament offices see no other."""
        del office
        return listing(members, day, self.parameters)

    def check(self, batch: IccfBatch) -> Findings:
        """What the ratings commissioner should know before this report is rated."""
        findings = Findings()
        self._check_histories(batch, findings)
        self._check_levels(batch, findings)
        _check_dates(batch, findings)
        if not findings.refused:
            self._tell_defect(batch, findings)
        return findings

    def _check_histories(self, batch: IccfBatch, findings: Findings) -> None:
        """Item 15 needs every game of a player whose rating is not fixed."""
        silent = []
        for row, entry in enumerate(batch.entries):
            reported = entry.standing
            if reported is None or batch.standings[entry.id].rating == NO_RATING:
                continue
            if reported.games is None:
                silent.append(entry)
            elif reported.games < self.parameters.fixed_games and batch.games_of[row]:
                self._check_history(entry, reported.games, findings)
        if silent:
            findings.add(
                Severity.WARNING,
                "iccf.games-unknown",
                f"The number of rated games of {len(silent)} players is not given (the first: "
                f"{silent[0].id}); their ratings are taken as fixed, with the greatest k.",
                silent[0].place,
                "Give the games with --players.",
            )

    def _check_history(self, entry: Entry, games: int, findings: Findings) -> None:
        brought = len(entry.history)
        if brought < games:
            findings.add(
                Severity.ERROR,
                "iccf.history-missing",
                f"Player {entry.id} has {games} rated games, and the report brings {brought} of "
                f"them; below {self.parameters.fixed_games} games a new rating is computed from "
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

    def _check_levels(self, batch: IccfBatch, findings: Findings) -> None:
        """Item 11 must give a level wherever a player without a rating takes part."""
        announced = batch.event.level
        low, high = self.rating_range
        if announced is not None and not low <= announced <= high:
            findings.add(
                Severity.ERROR,
                "iccf.level",
                f"The event's level is {announced:g}, which is no rating.",
                remedy=f"Give a level between {low} and {high}.",
            )
        elif announced is not None and batch.level != _whole_level(announced):
            findings.add(
                Severity.WARNING,
                "iccf.level-not-used",
                f"The event's level {announced:g} is not used: item 11 gives {batch.level} for "
                f"the category {batch.event.category}.",
                remedy="Leave the level or the category out.",
            )
        events = {game.event for game in batch.games}
        assuming = [game for game in batch.games if self._assumes(batch, game)]
        if batch.level is not None and len(events) > 1 and assuming:
            findings.add(
                Severity.WARNING,
                "iccf.one-level",
                f"The report holds games of {len(events)} tournaments, and players without a "
                f"rating count with {batch.level} in all of them.",
                Place(player=assuming[0].white, round=assuming[0].round),
                "Give white_rating and black_rating with such games: the level of their own "
                "tournament.",
            )
        category = batch.event.category
        if (
            category
            and not assuming
            and announced is None
            and normalised(category) not in CATEGORIES
        ):
            findings.add(
                Severity.WARNING,
                "iccf.category",
                f"Item 11 knows no category {category!r}.",
                remedy=f"It knows: {', '.join(CATEGORIES)}.",
            )
        if batch.level is None:
            for game in batch.games:
                if game_counts(game):
                    self._check_level_of(batch, game, findings)

    def _check_level_of(self, batch: IccfBatch, game: Game, findings: Findings) -> None:
        for colour in Colour:
            replaced = game.white_for if colour is Colour.WHITE else game.black_for
            seated = game.player(colour) if game.rating(colour) is None else None
            for player in (seated, replaced):
                if player is not None and batch.standings[player].rating == NO_RATING:
                    findings.add(
                        Severity.ERROR,
                        "iccf.no-level",
                        f"Player {player} has no rating, and the report does not say what to "
                        "assume (item 11).",
                        Place(player=player, round=game.round, path=game.place.path),
                        f"Give the game's {colour}_rating, or the event's category or level.",
                    )

    def _tell_defect(self, batch: IccfBatch, findings: Findings) -> None:
        """Reading A8: near 0 and 100 % item 5 does not reward the better result."""
        entered = [batch.standings[entry.id] for entry in batch.entries]
        for row, entry in enumerate(batch.entries):
            sides = self.sides(batch, entered, row)
            value = reckon(entered[row], sides, self.parameters)
            if value.rule in (Rule.UNCHANGED, Rule.ITEM_16) or len(sides) < _DEFECT_GAMES:
                continue
            score = sum(side.score for side in sides)
            percentage = percentage_score(score, len(sides), self.parameters)
            if not 1 < percentage < 99:
                findings.add(
                    Severity.INFO,
                    "iccf.near-one",
                    f"Player {entry.id} scored {score / 2:g} of {len(sides)}: near 0 and 100 % "
                    "item 5 earns less for more (D · F is 351.9 at 99 % and 338.5 at 100 %). It "
                    "is applied as written.",
                    entry.place,
                    "Nothing is to be done; see reading A8.",
                )


def _level(report: Report, standings: Iterable[Standing]) -> int | None:
    """Item 11 for the event of the report."""
    announced = report.event.level
    return tournament_level(
        report.event.category,
        None if announced is None else _whole_level(announced),
        [s.rating for s in standings if s.rating != NO_RATING],
    )


def _whole_level(announced: float) -> int:
    """An announced level as a whole number, half up (reading A5)."""
    return math.floor(announced + 0.5)


def _taking(report: Report) -> RatingList | None:
    """The list that takes the report: by its end, else by its latest result."""
    days = [day for game in report.games if (day := reported_on(game))]
    day = report.event.end or max(days, default=None)
    return list_taking(day) if day else None


def _last_day(batch: IccfBatch) -> date | None:
    return batch.taken_by.reports_until if batch.taken_by else None


def _colour_of(game: Game, player: str) -> Colour:
    return Colour.WHITE if player in (game.white, game.white_for) else Colour.BLACK


def _carried(frozen: FrozenSide, entered: Standing) -> Side:
    own = entered.rating if frozen.own is None else int(frozen.own)
    return Side(own, int(frozen.opponent), int(2 * frozen.score), True, -1, -1)


def _reported(
    batch: IccfBatch, entry: Entry, sides: Sequence[Side], left: Standing, status: StandingStatus
) -> ReportedStanding:
    """The new standing as a report holds it."""
    old = entry.standing or ReportedStanding()
    new = [side.score for side in sides if not side.carried]

    wins, draws, losses = results_after(old, new)
    return ReportedStanding(
        rating=left.rating if left.rating != NO_RATING else None,
        games=left.games,
        wins=wins,
        draws=draws,
        losses=losses,
        status=status,
        last_played=last_played(batch, old, len(new)),
        extra=old.extra,
    )


def _check_dates(batch: IccfBatch, findings: Findings) -> None:
    """Items 12 and 13: which list takes the results, and which results come too late."""
    taking = batch.taken_by
    if taking is None:
        return
    findings.add(
        Severity.INFO,
        "iccf.list",
        f"The results count for list {taking.name}, in force from {taking.valid_from} to "
        f"{taking.valid_until}: reports from {taking.reports_from} to {taking.reports_until}, "
        f"postal results registered until {registration_deadline(taking)}.",
    )
    early = [
        game
        for game in batch.games
        if (day := reported_on(game)) is not None and day < taking.reports_from
    ]
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
    late = [g for g in batch.games if not is_in_time(g, taking.reports_until)]
    if late:
        first = late[0]
        day = reported_on(first) or taking.published
        findings.add(
            Severity.WARNING,
            "iccf.reported-late",
            f"Results reported after {taking.reports_until} are left for the next list: "
            f"{len(late)} in all, the first between {first.white} and {first.black}, reported on "
            f"{day} (list {list_taking(day).name}).",
            Place(player=first.white, round=first.round, path=first.place.path),
            "Send them again with the report of the next period.",
        )
