"""Rating regulations of game federations as exact, explained, executable rule books.

>>> import ratingbook as rb
>>> rated = rb.rate("open.trf", "fide-2009", players=["list.txt"])  # doctest: +SKIP
>>> rated.to_pandas()  # doctest: +SKIP
>>> print(rated.explain("Tamm"))  # doctest: +SKIP

Names and arguments are those of the commands.  What a name needs is loaded when it is used.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_LIBRARY = "ratingbook.desk.library"
__all__ = [
    "BadArgument", "Refused", "check", "explain", "history", "list", "predict", "rate", "read",
    "rulebook", "rulebooks", "whatif", "write",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """A function of the library, loaded when it is used (PEP 562)."""
    if name in __all__:
        return getattr(import_module(_LIBRARY), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> Any:
    """What a reader of the package finds."""
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
