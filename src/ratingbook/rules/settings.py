"""The parameters of an edition as people write them, and within which bounds."""

from __future__ import annotations

import re
from enum import IntEnum


class ParameterError(ValueError):
    """A parameter that the edition does not have, or a value that it cannot take."""


def shown(value: object) -> object:
    """A parameter as people write it: enumerations by their lower-case name."""
    return value.name.lower() if isinstance(value, IntEnum) else value


_LARGEST = 10**6
"""No parameter is larger, unless an edition says so."""
_WHOLE = re.compile(r"-?[0-9]{1,12}")
_DECIMAL = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,12})?")


def parsed(
    name: str, text: str, default: object, within: tuple[float, float] | None = None
) -> object:
    """The value of a parameter from its text, of the type of ``default``.

    Raises :class:`ParameterError` for what is no such value, or a number not
    ``within`` its bounds: by default 0 to a million, or as far below 0 where the
    default is.
    """
    if isinstance(default, IntEnum):
        choices = {member.name.lower(): member for member in type(default)}
        if text.lower() in choices:
            return choices[text.lower()]
        raise ParameterError(f"{name} is one of {', '.join(choices)}, not {text!r}")
    if isinstance(default, bool):
        if text.lower() in ("true", "yes", "1"):
            return True
        if text.lower() in ("false", "no", "0"):
            return False
        raise ParameterError(f"{name} is true or false, not {text!r}")
    whole = isinstance(default, int)
    if not (_WHOLE if whole else _DECIMAL).fullmatch(text):
        raise ParameterError(f"{name} is a number such as {default}, not {text!r}")
    number = int(text) if whole else float(text)
    negative = isinstance(default, int | float) and default < 0
    least, greatest = within or (-_LARGEST if negative else 0, _LARGEST)
    if not least <= number <= greatest:
        raise ParameterError(f"{name} lies between {least:,} and {greatest:,}, not at {text}")
    return number
