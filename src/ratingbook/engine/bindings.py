"""What the names of the loops stand for, by what a rule book says of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, get_type_hints

from ratingbook.rules.book import RatedBy
from ratingbook.rules.bulk import NO_NUMBER, Bulk, Nothing, Turns
from ratingbook.rules.series import BookOrSeries

_REMEMBERED = 64
"""Of how many rule books the names are kept."""


class NoBulk(Exception):
    """A rule book that does not say all that the engine needs; the message tells what."""


def bulk_of(book: BookOrSeries) -> Bulk:
    """What the edition rates with; raises :class:`NoBulk`."""
    if book.bulk is None:
        raise NoBulk(
            f"The editions of {book.name} do not share what rates histories; rate each time with "
            "its own edition."
        )
    if book.rated_by is RatedBy.GAME and book.bulk.fold is None:
        raise NoBulk(f"{book.name} rates each game by itself, and so needs a fold.")
    says = book.bulk.kernel_at or book.bulk.round_at
    if len(book.bulk.kernels) > 1 and says is None:
        raise NoBulk(f"{book.name} has several kernels, and does not say which comes when.")
    return book.bulk


def names_of(bulk: Bulk, *, each_game: bool, for_reports: bool = False) -> dict[str, Any]:
    """The rule book's functions by the names of the loops, and what holds where it has none.

    Where a report is rated nothing is summed up on the way, so that an explanation shows
    all sides before what they come to.
    """
    return dict(_names_of(bulk, each_game, for_reports))


@lru_cache(_REMEMBERED)
def _names_of(bulk: Bulk, each_game: bool, for_reports: bool) -> Mapping[str, Any]:
    # Some of the functions are made here, which takes longer than to rate a player.
    fold, keeping, rules = bulk.fold, bulk.keeping, bulk.event_rules
    if keeping is not None and fold is not None and fold.resumed and not for_reports:
        keeping = None
    folds = fold is not None and (each_game or not for_reports)
    return {
        "standing_of": bulk.standing_of,
        "assumed": bulk.assumed or _as_known(bulk),
        "reformed": bulk.reformed or _no_reform,
        "told": bulk.pools.told if bulk.pools else _nothing_told,
        "listed": bulk.listed,
        "enter": bulk.enter,
        "counts": bulk.counts,
        "side_of": bulk.side_of,
        "kernel_of": _dispatch(bulk, for_reports=for_reports),
        "kernel_at": bulk.kernel_at or _first_only,
        "moved": bulk.moved or _not_moved,
        "round_at": bulk.round_at or _no_round,
        "wants": bulk.wants or _wants_nothing,
        "between": bulk.between or _as_entered,
        "HAS_REPEATS": bulk.round_at is not None,
        "HAS_BETWEEN": bulk.between is not None,
        "leave": bulk.leave,
        "outcome": bulk.outcome,
        "in_force": bulk.in_force or _no_number,
        "HAS_IN_FORCE": bulk.in_force is not None,
        "HAS_GRADES": "grade" in bulk.codes,
        "fold_applies": (fold.applies or _always) if fold and folds else _never,
        "fold_begin": fold.begin if fold else _no_tally,
        "fold_add": fold.add if fold else _same_tally,
        "fold_value": (fold.value or _tally_itself) if fold else _zeros_of(bulk.value),
        "fold_rare": (fold.needs_rare or _some) if fold and fold.rare else _none,
        "fold_changes_rare": (fold and fold.changes_rare) or _may_change,
        "HAS_FOLD": folds,
        "FOLDS_ALL": folds and fold is not None and fold.applies is None,
        "EACH_GAME": each_game,
        "keeps": keeping.keeps if keeping else _never,
        "chosen_sides": (keeping and keeping.chosen) or _no_side_kept,
        "CHOOSES": keeping is not None and keeping.chosen is not None,
        "kept_side": keeping.keep if keeping else _nothing_kept,
        "lasts": keeping.lasts if keeping else _never_lasts,
        "HAS_KEPT": keeping is not None,
        "carried_side": (keeping and keeping.side) or _zeros_of(bulk.side),
        "HAS_CARRIED": keeping is not None and keeping.side is not None,
        "recalled": (keeping and keeping.recall) or _same_standing,
        "HAS_RECALL": keeping is not None and keeping.recall is not None,
        "renewed": (keeping and keeping.renewed) or _as_kept,
        "HAS_RENEWAL": keeping is not None and keeping.renewed is not None,
        "COUNTS_MEETINGS": bulk.counts_meetings,
        "HAS_MARGINS": bulk.counts_margins,
        "HAS_EVENT_RULES": bulk.event_rules is not None,
        "event_wants": rules.wants if rules else _wants_no_games,
        "event_number": rules.number if rules else _same_number,
        "event_facts": rules.facts if rules else _same_facts,
        "event_half": rules.half if rules else _same_half,
        "HAS_MEMORY": bulk.remembers is not None and for_reports,
        "HAS_PREDICTED": False,
        "predicted": bulk.predicted or _nothing_predicted,
        "remembers": bulk.remembers or _nothing_remembered,
        "corrected": bulk.corrected or _as_it_stands,
        "no_decision": _no_decision(bulk),
        "rating_decided": _rating_decided(bulk),
    }


def _dispatch(bulk: Bulk, *, for_reports: bool) -> Callable[..., Any]:
    """One function that calls the kernel of a number.

    Beside a fold the kernels are for those to whom it does not apply; the others are not laid
    out in a history.
    """
    with_fold = for_reports or not bulk.kernels
    cases = "".join(
        f"    if number == {number}:\n        return kernel_{number}(entered, sides, p)\n"
        for number in range(1, len(bulk.kernels))
    )
    last = "    return kernel_0(entered, sides, p)\n" if bulk.kernels else ""
    names: dict[str, Any] = {f"kernel_{n}": function for n, function in enumerate(bulk.kernels)}
    summed = ""
    if with_fold and bulk.fold is not None:
        fold = bulk.fold
        names |= {"begin": fold.begin, "add": fold.add, "value": fold.value or _tally_itself}
        names |= {"applies": fold.applies or _always, "resumed": fold.resumed}
        before = "    if applies(entered, p):\n" if last else "    if True:\n"
        begun = "        tally = begin(entered, p)\n"
        if for_reports and fold.resumed is not None:
            begun = (
                "        carried = [side for side in sides if side.game < 0]\n"
                "        sides = [side for side in sides if side.game >= 0]\n"
                "        tally = resumed(entered, carried, len(sides), p)\n"
            )
        summed = (
            f"{before}{begun}"
            "        for side in sides:\n            tally = add(tally, entered, side, p)\n"
            "        return value(entered, tally, p)\n"
        )
    return made(f"def kernel_of(number, entered, sides, p):\n{summed}{cases}{last}", names)


def made(source: str, names: dict[str, Any]) -> Callable[..., Any]:
    """The function that a source defines over some names."""
    names = names | {"__name__": __name__}
    exec(compile(source, "<made>", "exec"), names)
    name = source.split("(", maxsplit=1)[0].removeprefix("def ")
    found: Callable[..., Any] = names[name]
    return found


def _zeros_of(row: type[Any]) -> Callable[..., Any]:
    """Stands for what an edition does not have: never called, but compiled for its type."""
    zeros = {bool: "False", float: "0.0"}
    hints = get_type_hints(row)
    values = ", ".join(zeros.get(hints[name], "0") for name in row._fields)
    return made(f"def zeros_of(one, other, p):\n    return row({values})\n", {"row": row})


def _no_decision(bulk: Bulk) -> Callable[..., Any]:
    nothing = ", ".join("NONE" for _ in bulk.decisions._fields)
    source = f"def no_decision():\n    return row({nothing})\n"
    return made(source, {"row": bulk.decisions, "NONE": NO_NUMBER})


def _rating_decided(bulk: Bulk) -> Callable[..., Any]:
    """The first of the decisions is the rating that the file of entries can set."""
    rest = "".join(", NONE" for _ in bulk.decisions._fields[1:])
    source = f"def rating_decided(rating):\n    return row(float(rating){rest})\n"
    return made(source, {"row": bulk.decisions, "NONE": NO_NUMBER})


def _as_known(bulk: Bulk) -> Callable[..., Any]:
    """Stands for an assumed standing where the edition assumes nothing."""
    source = "def assumed(known, rating, p):\n    return row(known, p)\n"
    return made(source, {"row": bulk.standing_of})


def _always(entered: Any, p: Any) -> bool:
    return True


def _some(p: Any) -> bool:
    return True


def _none(p: Any) -> bool:
    return False


def _may_change(tally: Any, side: Any, p: Any) -> bool:
    return True


def _tally_itself(entered: Any, tally: Any, p: Any) -> Any:
    return tally


def _first_only(facts: Any, turn: int, p: Any) -> int:
    return 0 if turn == 0 else -1


def _no_round(number: int, p: Any) -> Turns:
    return Turns(-1, 0, 0.0, False, False, False, False)


def _wants_nothing(value: Any) -> bool:
    return False


def _as_entered(entered: Any, value: Any) -> Any:
    return entered


def _not_moved(side: Any, value: Any) -> Any:
    return side


def _no_number(standing: Any, p: Any) -> int:
    return 0


def _nothing_told(standing: Any, others: Any, p: Any) -> Any:
    return standing


def _no_reform(standing: Any, p: Any) -> Any:
    return standing


def _never(standing: Any, p: Any) -> bool:
    return False


def _no_tally(entered: Any, p: Any) -> Nothing:
    return Nothing(0)


def _same_tally(tally: Any, entered: Any, side: Any, p: Any) -> Any:
    return tally


def _no_side_kept(sides: Any, entered: Any, left: Any, p: Any) -> list[bool]:
    return [False]


def _nothing_kept(side: Any, start: int, entered: Any, left: Any, p: Any) -> Nothing:
    return Nothing(0)


def _never_lasts(kept: Any, day: int, p: Any) -> bool:
    return False


def _same_standing(standing: Any, kept: Any, day: int, p: Any) -> Any:
    return standing


def _as_kept(kept: Any, entered: Any, left: Any, p: Any) -> Any:
    return kept


def _wants_no_games(facts: Any, p: Any) -> bool:
    return False


def _same_number(entered: Any, number: int, p: Any) -> int:
    return number


def _same_facts(facts: Any, games: Any, count: int, p: Any) -> Any:
    return facts


def _same_half(half: Any, own: Any, facts: Any, games: Any, index: int, p: Any) -> Any:
    return half


def _as_it_stands(standing: Any, decided: Any, p: Any) -> Any:
    return standing


def _nothing_predicted(entered: Any, side: Any, p: Any) -> float:
    return NO_NUMBER


def _nothing_remembered(standing: Any, number: int, p: Any) -> Any:
    return standing
