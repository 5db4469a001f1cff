"""What follows from the ledger alone is derived once: until the next fact it cannot be otherwise.

The pages of officers ask for much that is derived, such as candidates for an entry or what a
correction would change. All of it is a function of the facts, so whoever looks again needs one
query, for the end of the chain. Every process keeps its own.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from ratingbook.office.store import ledger
from ratingbook.site.languages import way_of_speaking

P = ParamSpec("P")
T = TypeVar("T")
_MOST = 128
_kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
_lock = threading.Lock()


def end_of_chain() -> str:
    """The hash of the last fact: another one tells that something is otherwise."""
    return str(ledger.head().hash)


def _derived_once(derive: Callable[P, T], state: Callable[[], object]) -> Callable[P, T]:
    """Kept while the state is the same: hashes of facts, which tell offices apart, too."""

    @wraps(derive)
    def derived(*args: P.args, **named: P.kwargs) -> T:
        said = (args, tuple(sorted(named.items())))
        key = (derive.__module__, derive.__qualname__, *way_of_speaking(), state(), said)
        with _lock:
            if key in _kept:
                _kept.move_to_end(key)
                found: T = _kept[key]
                return found
        made = derive(*args, **named)
        with _lock:
            _kept[key] = made
            while len(_kept) > _MOST:
                _kept.popitem(last=False)
        return made

    return derived


def by_ledger(derive: Callable[P, T]) -> Callable[P, T]:
    """The same, derived once for its arguments, the way of speaking, and the last fact.

    The function reads nothing but facts and what they made, and nobody changes what it gives.
    """
    return _derived_once(derive, end_of_chain)


def by_facts(*kinds: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """The same for what follows from facts of some of the few kinds alone.

    It outlasts all other facts, of which one comes with every report.
    """
    assert ledger.FEW.issuperset(kinds)

    def chosen(derive: Callable[P, T]) -> Callable[P, T]:
        return _derived_once(derive, lambda: tuple(ledger.last_of_few()[each] for each in kinds))

    return chosen
