"""Patterns of text that are compiled when something is first looked for with them.

The readers have some two hundred, and a file needs a few: to compile them all took a tenth of
the time of a short command.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_USES = (
    "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer",
    "pattern", "flags", "groups", "groupindex",
)  # fmt: skip


class _AtFirstUse:
    """Stands for a compiled pattern; what that does is looked up once."""

    __slots__ = ("_flags", "_text", *_USES)

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        """What is asked for before the pattern is compiled: nothing else comes here."""
        if name not in _USES:
            raise AttributeError(name)
        compiled = re.compile(self._text, self._flags)
        for use in _USES:
            setattr(self, use, getattr(compiled, use))
        return getattr(compiled, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _AtFirstUse, (self._text, self._flags)


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern, with the methods of a compiled one, which is compiled at first use.

    The functions of ``re``, such as ``re.sub``, do not take it: it has their names itself.
    """
    return cast("re.Pattern[AnyStr]", _AtFirstUse(text, flags))
