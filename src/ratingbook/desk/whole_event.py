"""What an event made of its players, where the rules rate game by game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow
from ratingbook.rules.book import RatedBy
from ratingbook.rules.series import BookOrSeries


def whole_events(rows: Sequence[RatedRow], book: BookOrSeries) -> Sequence[RatedRow]:
    """One row for each player and section, from before the first game to after the last."""
    if book.rated_by is not RatedBy.GAME:
        return rows
    of_player: dict[tuple[str, str | None], list[RatedRow]] = {}
    for each in rows:
        of_player.setdefault((each.row.id, each.row.section), []).append(each)
    return [_joined(own) for own in of_player.values()]


def _joined(rows: Sequence[RatedRow]) -> RatedRow:
    if len(rows) == 1:
        return rows[0]
    last = rows[-1].row
    expected = [each.row.expected for each in rows if each.row.expected is not None]
    row = replace(
        last,
        before=rows[0].row.before,
        games=sum(each.row.games for each in rows),
        score=sum(each.row.score for each in rows),
        expected=sum(expected) if len(expected) == len(rows) else None,
        history=tuple(side for each in rows for side in each.row.history),
    )
    return RatedRow(
        row,
        tuple(step for each in rows for step in _of_its_game(each.explanation)),
        tuple(dict.fromkeys(k for each in rows for k in each.coefficients)),
        tuple(game for each in rows for game in each.counted),
        frozenset().union(*(each.ran for each in rows)),
        tuple(number for each in rows for number in each.against),
    )


def _of_its_game(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps of one game, all of which are about it."""
    told = ((step.game, step.round, step.about) for step in steps if step.game)
    title, number, about = next(told, (None, None, None))
    for step in steps:
        yield replace(step, game=title, round=number, about=about, phase=1)
