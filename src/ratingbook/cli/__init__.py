"""The commands: ``ratingbook rate``, ``check``, ``rulebooks``."""

from __future__ import annotations

import atexit
import gc
import os

_MADE_BEFORE_A_LOOK = 250_000
"""About as many objects as the page of an event of 300 players is made of: hardly any of them are
in circles, so that to look through them lets go of nothing."""


def main() -> None:
    """Entry point of the installed command.

    What it loads stays until its end, and most of what a command makes, too: to look through
    all of that for what could be let go of takes a sixth of the time of a short command.
    """
    gc.disable()
    # At the end Python looks once more through all that is left, which goes with the process.
    atexit.register(gc.freeze)
    # NumPy asks for large pages, for which a system that has run for a while moves others first:
    # that took two thirds of reading a file of games, and made no loop faster.
    os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")
    from ratingbook.cli.app import main as run

    gc.freeze()
    gc.set_threshold(_MADE_BEFORE_A_LOOK, *gc.get_threshold()[1:])
    gc.enable()
    run()


__all__ = ["main"]
