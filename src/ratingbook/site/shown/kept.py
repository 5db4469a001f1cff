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


def by_ledger(derive: Callable[P, T]) -> Callable[P, T]:
    """The same, derived once for its arguments, the way of speaking, and the last fact.

    The function reads nothing but facts and what they made, and nobody changes what it gives.
    """

    @wraps(derive)
    def derived(*args: P.args, **named: P.kwargs) -> T:
        # The hash of the last fact tells offices apart, too.
        said = (args, tuple(sorted(named.items())))
        key = (derive.__qualname__, *way_of_speaking(), end_of_chain(), said)
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
