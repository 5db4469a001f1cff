"""The parameters of an edition: what they mean, who sets them, and what changes them when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import IntEnum
from functools import cached_property
from typing import Generic, NamedTuple, Self, TypeVar

from ratingbook.model import BadArgument
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence
from ratingbook.rules.near import did_you_mean, near
from ratingbook.rules.usual import PARAMETER_DOCS

P = TypeVar("P", bound=NamedTuple)


class ParameterError(BadArgument):
    """A parameter that the edition does not have, or a value that it cannot take."""


def shown(value: object) -> object:
    """A parameter as people write it: enumerations by their lower-case name."""
    return value.name.lower() if isinstance(value, IntEnum) else value


_LARGEST = 10**6
"""No parameter is larger, unless an edition says so."""
_WHOLE = pattern(r"-?[0-9]{1,12}")
_DECIMAL = pattern(r"-?[0-9]{1,12}(\.[0-9]{1,24})?(e-?[0-9]{1,2})?")
"""Whatever Python writes of a float of such a size."""


def parsed(
    name: str, text: str, default: object, within: tuple[float, float] | None = None
) -> object:
    """The value of a parameter from its text, of the type of ``default``.

    Raises :class:`ParameterError` for anything that is not such a value, or a number not
    ``within`` its bounds: by default 0 to a million, or as far below 0 where the
    default is.
    """
    if isinstance(default, IntEnum):
        choices = {member.name.lower(): member for member in type(default)}
        if text.lower() in choices:
            return choices[text.lower()]
        said = sentence(
            "{name} is one of {all}, not {text!r}", name=name, all=", ".join(choices), text=text
        )
        if near(text, choices):
            guess = did_you_mean(text, choices)
            said = sentence("{said}; {guess}", said=said, guess=guess)
        raise ParameterError(said)
    if isinstance(default, bool):
        if text.lower() in ("true", "yes", "1"):
            return True
        if text.lower() in ("false", "no", "0"):
            return False
        raise ParameterError(
            sentence("{name} is true or false, not {text!r}", name=name, text=text)
        )
    whole = isinstance(default, int)
    if not (_WHOLE if whole else _DECIMAL).fullmatch(text):
        raise ParameterError(
            sentence(
                "{name} is a number such as {default}, not {text!r}",
                name=name, default=default, text=text,
            )
        )  # fmt: skip
    number = int(text) if whole else float(text)
    negative = isinstance(default, int | float) and default < 0
    least, greatest = within or (-_LARGEST if negative else 0, _LARGEST)
    if not least <= number <= greatest:
        raise ParameterError(
            sentence(
                "{name} lies between {least:,} and {greatest:,}, not at {text}",
                name=name, least=least, greatest=greatest, text=text,
            )
        )  # fmt: skip
    return number


@dataclass(frozen=True, slots=True)
class Amendment:
    """What changes within an edition: parameters from a day on.

    ``where`` names values of other parameters without which it does not hold: a pool.
    Without a day it holds as long as the edition does.
    """

    day: date | None
    changes: Mapping[str, object]
    text: str
    where: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings(Generic[P]):
    """The parameters of an edition, with all that can change them."""

    own: P
    """The numbers of the regulation."""
    docs: Mapping[str, str] = field(default_factory=dict)
    """What each parameter means; some mean the usual, see :data:`.usual.PARAMETER_DOCS`."""
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Least and greatest value of a parameter, where they are not those of :func:`.parsed`."""
    amendments: tuple[Amendment, ...] = ()
    """What changes within the edition, in the order of the days."""
    by_hand: Mapping[str, object] = field(default_factory=dict)
    """What somebody set, if only to what it is anyway."""

    def __post_init__(self) -> None:
        """Complete the meanings."""
        usual = {name: PARAMETER_DOCS[name] for name in self.own._fields if name in PARAMETER_DOCS}
        object.__setattr__(self, "docs", usual | dict(self.docs))

    @cached_property
    def parameters(self) -> P:
        """The parameters that hold: the edition's own, but for those set by hand."""
        return self.own._replace(**self.by_hand)

    @property
    def changed(self) -> dict[str, object]:
        """The parameters that differ from the edition's own, by name, as people write them."""
        own = self.own._asdict()
        return {
            name: shown(value)
            for name, value in self.parameters._asdict().items()
            if value != own[name]
        }

    @property
    def days(self) -> list[date]:
        """The days on which something changes, in their order."""
        return sorted({each.day for each in self.amendments if each.day is not None})

    def with_texts(self, name: str, texts: Mapping[str, str]) -> Self:
        """The same with parameters set by hand, given as text; ``name`` is the edition's.

        Raises :class:`ParameterError` for an unknown name or an impossible value.
        """
        values: dict[str, object] = {}
        for parameter, text in texts.items():
            if parameter not in self.own._fields:
                known = did_you_mean(parameter, self.own._fields, "it has")
                raise ParameterError(
                    sentence(
                        "{name} has no parameter {parameter!r}; {known}",
                        name=name, parameter=parameter, known=known,
                    )
                )  # fmt: skip
            value = getattr(self.parameters, parameter)
            values[parameter] = parsed(parameter, text, value, self.ranges.get(parameter))
        return replace(self, by_hand={**self.by_hand, **values})

    def with_own(self, changes: Mapping[str, object]) -> Self:
        """The same with other numbers that nobody sets: a report asks for them."""
        by_hand = {name: value for name, value in self.by_hand.items() if name not in changes}
        return replace(self, own=self.own._replace(**changes), by_hand=by_hand)

    def on(self, day: date | None) -> Self:
        """The same with the numbers of a day; None: those of the last days.

        What was set by hand stays as it was set.
        """
        held = self
        for amendment in self.amendments:
            if amendment.day is not None and day is not None and day < amendment.day:
                continue
            if all(getattr(held.parameters, n) == v for n, v in amendment.where.items()):
                held = replace(held, own=held.own._replace(**amendment.changes))
        return held
