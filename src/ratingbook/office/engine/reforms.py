"""What the rules did to single ratings on the days on which they changed all of them once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ratingbook.engine.explain import Step
from ratingbook.model.sentences import sentence, stated

_AFTER_ALL = 1 << 30
"""The phase of what follows a batch."""


@dataclass(frozen=True)
class ByReform:
    """What the rules did to a rating on a day on which they changed all ratings once."""

    day: date
    edition: str
    paragraph: str
    text: str
    """What the rules say that they did."""
    before: float
    after: float

    @property
    def step(self) -> Step:
        """The last step of an explanation."""
        said = sentence(
            "On {day} the rules changed all ratings once ({what}): {before:.10g} became "
            "{after:.10g}",
            day=self.day, what=stated(self.text), before=self.before, after=self.after,
        )  # fmt: skip
        inputs = {"day": str(self.day), "before": self.before}
        return Step(
            self.paragraph, "reform", inputs, self.after, said, None, None, 0, phase=_AFTER_ALL
        )
