"""What every function of the library raises for an argument that it cannot take."""

from __future__ import annotations


class BadArgument(ValueError, TypeError):
    """An argument of the library is wrong; the message says which, and what is wanted.

    A ``ValueError`` and a ``TypeError`` at once: whoever calls need not know which of them
    a wrong word, a wrong type or a misspelt name is.
    """
