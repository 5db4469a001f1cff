"""What a rule book expects of games, by its parameters: how likely it makes what happened."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from ratingbook.engine.history.api import History
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.predictions import Predictions, predict_history
from ratingbook.lab.compare import named
from ratingbook.lab.many import done
from ratingbook.lab.scores import log_losses
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.settings import ParameterError, parsed

Array = np.ndarray[Any, Any]
Values = tuple[float, ...]
"""Of the parameters that are looked for, in their order."""

_DIGITS = 5
"""Parameters are tried to so many digits of their range: a fit can be said, and repeated."""


@dataclass(frozen=True)
class Range:
    """A parameter that is looked for, and where."""

    name: str
    low: float
    high: float
    whole: bool
    """Whether it takes whole numbers only."""

    @property
    def width(self) -> float:
        """From one end to the other."""
        return self.high - self.low

    def at(self, share: float) -> float:
        """The value at a share of the range, to the digits that are tried."""
        found = round(self.low + self.width * min(1.0, max(0.0, share)), self.digits)
        return min(self.high, max(self.low, found))

    def text(self, value: float) -> str:
        """The value as :meth:`with_parameters` takes it."""
        if self.whole:
            return str(round(value))
        return f"{value:.{self.digits}f}".rstrip("0").rstrip(".") if self.digits else f"{value:.0f}"

    @property
    def digits(self) -> int:
        """Decimals that are tried."""
        return max(0, _DIGITS - 1 - int(np.floor(np.log10(self.width))))


def range_in(text: str, book: BookOrSeries) -> Range:
    """``k=10..40`` as a range of a parameter of the rule book.

    Raises :class:`ParameterError` for what is none.
    """
    parameter, _, ends = text.partition("=")
    parameter = parameter.strip()
    least, dots, greatest = ends.partition("..")
    own = book.parameters._asdict().get(parameter)
    if own is None:
        # The rule book says which it has.
        book.with_parameters({parameter: "0"})
    if isinstance(own, bool) or not isinstance(own, int | float) or hasattr(own, "name"):
        raise ParameterError(f"{parameter} is no number, which alone can be fitted")
    if not dots:
        raise ParameterError(f"say from where to where: {parameter}=LEAST..GREATEST, not {text!r}")
    settings = getattr(book, "settings", None)
    within = settings.ranges.get(parameter) if settings is not None else None
    low, high = (_number(parsed(parameter, e.strip(), own, within)) for e in (least, greatest))
    if low >= high:
        raise ParameterError(f"{parameter}: {least} is not below {greatest}")
    return Range(parameter, low, high, isinstance(own, int))


def _number(value: object) -> float:
    assert isinstance(value, int | float)
    return float(value)


@dataclass
class Likelihood:
    """What a rule book expects of the games, by its parameters; nothing is reckoned twice."""

    history: History
    book: BookOrSeries
    ranges: Sequence[Range]
    assume: float | None = None
    compiled: bool | None = None
    told: Callable[[int, Mapping[str, float], float], None] | None = None
    """Told the number of the evaluation, the parameters, and the mean loss of the fitted games."""
    fitted: Array = field(default_factory=lambda: np.empty(0, bool))
    """The games that are fitted."""
    first: Predictions | None = None
    """Whose loops all others use."""
    found: dict[Values, Array] = field(default_factory=dict)
    means: dict[Values, float] = field(default_factory=dict)
    """Mean losses that are known, those that others have reckoned too."""

    @property
    def score(self) -> Array:
        """White's, from 0 to 1."""
        shares: Array = self.history.given.games.score / 2.0
        return shares

    def texts(self, values: Values) -> dict[str, str]:
        """The parameters as text."""
        return {each.name: each.text(v) for each, v in zip(self.ranges, values, strict=True)}

    def expected(self, values: Values) -> Array:
        """White's expected scores; ½ where the rule book expects nothing of a game."""
        if values not in self.found:
            made = predict_history(
                self.history, self.book.with_parameters(self.texts(values)),
                assume=self.assume, compiled=self.compiled, like=self.first,
            )  # fmt: skip
            self.first = self.first or made
            self.found[values] = made.expected
            if self.told is not None and self.fitted.any():
                self._tell(values, self.loss(values))
        found = self.found[values]
        return np.where(np.isnan(found), 0.5, found)

    @property
    def evaluations(self) -> int:
        """How many sets of parameters were tried."""
        return len(self.means.keys() | self.found.keys())

    def _tell(self, values: Values, loss: float) -> None:
        if self.told is not None:
            names = (each.name for each in self.ranges)
            self.told(self.evaluations, dict(zip(names, values, strict=True)), loss)

    def losses(self, values: Values) -> Array:
        """The logarithmic loss of each fitted game."""
        return log_losses(self.expected(values)[self.fitted], self.score[self.fitted])

    def loss(self, values: Values) -> float:
        """Their mean."""
        if values not in self.means:
            self.means[values] = float(self.losses(values).mean())
        return self.means[values]

    def grid(self, count: int) -> list[Values]:
        """Each of so many values of each range with each of the others; whole numbers stay so."""
        over = [
            dict.fromkeys(
                float(round(each.at(n / (count - 1)))) if each.whole else each.at(n / (count - 1))
                for n in range(count)
            )
            for each in self.ranges
        ]
        return [*itertools.product(*over)]

    def sweep(
        self, rulebook: str, points: Sequence[Values], *, jobs: int = 1, master: str | None = None
    ) -> None:
        """Reckon the loss of many values, which then is known.

        ``rulebook`` is the name by which other processes find the rule book.  The numbers do not
        depend on ``jobs`` and ``master``, which are those of :func:`.many.done`.
        """
        asked = Asked(
            self.history.given,
            rulebook,
            tuple(self.ranges),
            self.assume,
            self.compiled,
            self.fitted,
        )
        open_ = [each for each in points if each not in self.means]
        for number, loss in done(_loss_of, asked, open_, jobs=jobs, master=master):
            values = open_[number]
            self.means[values] = loss
            self._tell(values, loss)

    def at(self, shares: Iterable[float]) -> float:
        """The loss at shares of the ranges; between whole numbers on the straight line."""
        corners: list[tuple[Values, float]] = [((), 1.0)]
        for each, share in zip(self.ranges, map(float, shares), strict=True):
            value = each.at(share)
            if each.whole:
                raw = each.low + each.width * min(1.0, max(0.0, share))
                below = float(np.floor(raw))
                ends = [(below, 1.0 - raw + below), (below + 1, raw - below)]
            else:
                ends = [(value, 1.0)]
            corners = [
                ((*values, end), part * weight)
                for (values, part), (end, weight) in itertools.product(corners, ends)
                if weight > 0
            ]
        return sum(part * self.loss(values) for values, part in corners)


@dataclass(frozen=True)
class Asked:
    """All that another process needs to know of a likelihood."""

    given: HistoryInput
    rulebook: str
    ranges: tuple[Range, ...]
    assume: float | None
    compiled: bool | None
    fitted: Array

    def __getstate__(self) -> dict[str, Any]:
        """What is sent: loops are made in each process."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def likelihood(self) -> Likelihood:
        """The same likelihood; its loops are made once in a process."""
        _, book = named(self.rulebook)
        made = Likelihood(History(self.given), book, self.ranges, self.assume, self.compiled)
        made.fitted = self.fitted
        return made


def _loss_of(asked: Asked, values: Values) -> float:
    likelihood = asked.likelihood
    loss = likelihood.loss(values)
    # The expected scores of many sets would fill the memory.
    likelihood.found.clear()
    return loss
