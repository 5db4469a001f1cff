"""Where Numba keeps what it compiled of the loops: in the folder of the state of their code.

Numba itself takes the place of the source for a part of the name, so that each installation
of the same code compiles for itself.  Here the folder says all: whoever has the same code
finds what another installation of the user has compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache

from ratingbook.engine.sealed import adding


def keep_in(folder: Path, made: Any) -> None:
    """Let what is compiled of a function be kept in a folder of its code, and found there."""

    class Place:
        """The folder, whatever the source lies in."""

        def __init__(self, source: str) -> None:
            self._py_file = source
            """Numba names it in its warnings."""

        @classmethod
        def from_function(cls, function: Callable[..., Any], source: str) -> Place:
            """Numba asks so."""
            return cls(source)

        def ensure_cache_path(self) -> None:
            """It is there, and nobody else's."""

        def get_cache_path(self) -> str:
            """The folder."""
            return str(folder)

        def get_source_stamp(self) -> str:
            """The name of the folder is a hash over the source."""
            return folder.name

        def get_disambiguator(self) -> str:
            """Nothing: the loops have names of their own; lines move where no code does."""
            return "loop"

    class Naming(CompileResultCacheImpl):  # type: ignore[misc]  # Numba brings no types.
        _locator_classes = (Place,)

    class Cache(FunctionCache):  # type: ignore[misc]  # Numba brings no types.
        _impl_class = Naming

        def save_overload(self, sig: Any, data: Any) -> None:
            """Keep it, and seal it before anybody looks; on a full disk it is not kept."""
            with suppress(OSError), adding(folder):
                super().save_overload(sig, data)

    made._cache = Cache(made.py_func)
