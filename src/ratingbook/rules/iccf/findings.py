"""What this edition notices about a period's report."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.model import Colour, Entry, Findings, Game, Place, Severity
from ratingbook.rules.iccf.batch import IccfBatch
from ratingbook.rules.iccf.columns import NO_RATING, Parameters, Rule, Side, Standing
from ratingbook.rules.iccf.games import is_in_time, reported_on
from ratingbook.rules.iccf.levels import CATEGORIES, normalised
from ratingbook.rules.iccf.lists import list_taking, registration_deadline
from ratingbook.rules.iccf.performance import percentage_score
from ratingbook.rules.iccf.period import reckon

_DEFECT_GAMES = 34


def check_histories(batch: IccfBatch, p: Parameters, findings: Findings) -> None:
    """Item 15 needs every game of a player whose rating is not fixed."""
    silent = []
    for row, entry in enumerate(batch.entries):
        reported = entry.standing
        if reported is None or batch.standings[entry.id].rating == NO_RATING:
            continue
        if reported.games is None:
            silent.append(entry)
        elif reported.games < p.fixed_games and batch.games_of[row]:
            _check_history(entry, reported.games, p, findings)
    if silent:
        findings.add(
            Severity.WARNING,
            "iccf.games-unknown",
            f"The number of rated games of {len(silent)} players is not given (the first: "
            f"{silent[0].id}); their ratings are taken as fixed, with the greatest k.",
            silent[0].place,
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


def check_levels(
    batch: IccfBatch, counting: Sequence[Game], bounds: tuple[int, int], findings: Findings
) -> None:
    """Item 11 must give a level wherever a player without a rating takes part.

    ``counting`` are the games that item 7 rates.
    """
    announced = batch.event.level
    low, high = bounds
    if announced is not None and not low <= announced <= high:
        findings.add(
            Severity.ERROR,
            "iccf.level",
            f"The event's level is {announced:g}, which is no rating.",
            remedy=f"Give a level between {low} and {high}.",
        )
    elif announced is not None and batch.level != batch.announced:
        findings.add(
            Severity.WARNING,
            "iccf.level-not-used",
            f"The event's level {announced:g} is not used: item 11 gives {batch.level} for "
            f"the category {batch.event.category}.",
            remedy="Leave the level or the category out.",
        )
    events = {game.event for game in batch.games}
    assuming = [game for game in batch.games if batch.assumes(game)]
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
    if category and not assuming and announced is None and normalised(category) not in CATEGORIES:
        findings.add(
            Severity.WARNING,
            "iccf.category",
            f"Item 11 knows no category {category!r}.",
            remedy=f"It knows: {', '.join(CATEGORIES)}.",
        )
    if batch.level is None:
        for game in counting:
            _check_level_of(batch, game, findings)


def _check_level_of(batch: IccfBatch, game: Game, findings: Findings) -> None:
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


def check_dates(batch: IccfBatch, findings: Findings) -> None:
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
    dated = [(game, day) for game in batch.games if (day := reported_on(game))]
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
    late = [(game, day) for game, day in dated if not is_in_time(game, taking.reports_until)]
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


def tell_defect(
    batch: IccfBatch,
    entered: Sequence[Standing],
    sides: Sequence[Sequence[Side]],
    p: Parameters,
    findings: Findings,
) -> None:
    """Reading A8: near 0 and 100 % item 5 does not reward the better result."""
    for entry, standing, own in zip(batch.entries, entered, sides, strict=True):
        value = reckon(standing, own, p)
        if value.rule in (Rule.UNCHANGED, Rule.ITEM_16) or len(own) < _DEFECT_GAMES:
            continue
        score = sum(side.score for side in own)
        percentage = percentage_score(score, len(own), p)
        if not 1 < percentage < 99:
            findings.add(
                Severity.INFO,
                "iccf.near-one",
                f"Player {entry.id} scored {score / 2:g} of {len(own)}: near 0 and 100 % "
                "item 5 earns less for more (D · F is 351.9 at 99 % and 338.5 at 100 %). It "
                "is applied as written.",
                entry.place,
                "Nothing is to be done; see reading A8.",
            )
