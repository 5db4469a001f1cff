"""Whose change is to be explained, and its steps as people read them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ratingbook.desk.persons import folded
from ratingbook.engine.explain import Step
from ratingbook.model import BadArgument, Entry, Report
from ratingbook.rules.wording import called, label


class NotOne(BadArgument, LookupError):
    """Nobody, or several players, are meant; the message says who might be."""


def player_meant(entries: Sequence[Entry], asked: str, *, least: int = 1) -> Entry:
    """The player with that id, number, name, or unique beginning of a name.

    A beginning has ``least`` letters, unless it is a whole word of the name.  Raises
    :class:`NotOne`.
    """
    text = folded(asked.strip())
    is_short = sum(map(str.isalnum, text)) < least
    tries: tuple[list[Entry], ...] = (
        [entry for entry in entries if entry.id == asked],
        [entry for entry in entries if asked in entry.ids.values()],
        [entry for entry in entries if text and folded(entry.name) == text],
        [entry for entry in entries if text and folded(entry.name).startswith(text)],
        [entry for entry in entries if text and _has_word(entry.name, text)],
    )
    for number, found in enumerate(tries):
        if is_short and number > 2 and found and not _is_word(found, text):
            known = "; ".join(called(entry) for entry in found[:5])
            raise NotOne(f"{asked!r} is too short to be meant for {known}: give the id or the name")
        if len(found) == 1:
            return found[0]
        if found:
            known = "; ".join(called(entry) for entry in found[:5])
            more = f" and {len(found) - 5} more" if len(found) > 5 else ""
            raise NotOne(f"{asked!r} may be {known}{more}: give the id")
    from difflib import get_close_matches

    names = {folded(entry.name): entry for entry in entries if entry.name}
    near = [names[name] for name in get_close_matches(text, names, n=3, cutoff=0.5)]
    ids = {entry.id: entry for entry in entries}
    near += [ids[each] for each in get_close_matches(asked, ids, n=2) if ids[each] not in near]
    guess = f"; did you mean {' or '.join(map(called, near))}?" if near else ""
    raise NotOne(f"there is no player {asked!r}{guess}")


def ids_asked(
    report: Report, asked: Collection[str] | None
) -> tuple[frozenset[str] | None, dict[str, str]]:
    """The ids of those asked for, None for all; and why others are not among them."""
    if asked is None:
        return None, {}
    ids, missing = set(), dict[str, str]()
    for each in asked:
        try:
            ids.add(player_meant(report.entries, each).id)
        except NotOne as error:
            missing[each] = str(error)
    return frozenset(ids), missing


def _has_word(name: str, text: str) -> bool:
    words = folded(name).replace(",", " ").split()
    return any(word.startswith(text) for word in words)


def _is_word(found: Sequence[Entry], text: str) -> bool:
    """Whether the one who was found has a name of which that is a whole word."""
    return len(found) == 1 and text in folded(found[0].name).replace(",", " ").split()


def with_names(steps: Sequence[Step], person: Callable[[str], Entry]) -> tuple[Step, ...]:
    """The steps of a history, whose games know ids only, with the opponents' names."""

    def named(step: Step) -> Step:
        before, word, opponent = (step.game or "").rpartition(" against ")
        if not word:
            return step
        return replace(step, game=f"{before}{word}{label(opponent, person(opponent).name)}")

    return tuple(map(named, steps))


def in_order_of_rounds(steps: Sequence[Step]) -> list[Step]:
    """The steps as people read them: each pass with its games in their order.

    What was settled of a game before the first pass (a forfeit, say) is told where
    that pass comes to the game.
    """
    before = [step for step in steps if step.phase == 0 and not step.game]
    settled = [step for step in steps if step.phase == 0 and step.game]
    ordered = before
    for phase in sorted({step.phase for step in steps} - {0}):
        own = [step for step in steps if step.phase == phase]
        ordered = ordered + _games_in_order([*settled, *own])
        settled = []
    return [*ordered, *settled]


def _games_in_order(steps: Sequence[Step]) -> list[Step]:
    """One pass: what comes before the games, the games by round, the rest."""
    about_games = [n for n, step in enumerate(steps) if step.game]
    if not about_games:
        return list(steps)
    first, last = about_games[0], about_games[-1]
    between = steps[first : last + 1]
    order = {step.game: n for n, step in reversed(list(enumerate(between)))}
    games = sorted(
        (step for step in between if step.game), key=lambda s: (s.round or 0, order[s.game])
    )
    return [*steps[:first], *(s for s in between if not s.game), *games, *steps[last + 1 :]]
