"""What became of each fault, kept from run to run: an interrupted one goes on."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.sites import Mutant


@dataclass(frozen=True)
class Outcome:
    """What became of a fault."""

    mutant: Mutant
    verdict: str
    """``killed``, ``survived``, ``out of time``, or ``not reached``."""
    tests: int
    """Tests that reach it and were run."""
    reaching: int
    """All that reach it."""
    seconds: float
    thorough: bool
    """Whether all was tried that can be."""

    @property
    def is_noticed(self) -> bool:
        """Whether some test fails for it."""
        return self.verdict in {"killed", "out of time"}


class Outcomes:
    """The outcomes in a file, one a line, each for a module as it stood."""

    def __init__(self, path: Path, root: Path) -> None:
        self._path = path
        self._root = root
        self._lock = threading.Lock()
        lines = path.read_text().splitlines() if path.exists() else []
        self._known = {read["fault"]: read for read in map(json.loads, lines)}

    def of(self, mutant: Mutant) -> Outcome | None:
        """What became of a fault last, if its module is still the same."""
        read = self._known.get(self._name(mutant))
        if read is None:
            return None
        names = ("verdict", "tests", "reaching", "seconds", "thorough")
        return Outcome(mutant, *(read[name] for name in names))

    def kept(self, outcome: Outcome) -> Outcome:
        """The outcome, once it is written down."""
        told = {
            "fault": self._name(outcome.mutant), "verdict": outcome.verdict,
            "tests": outcome.tests, "reaching": outcome.reaching, "seconds": outcome.seconds,
            "thorough": outcome.thorough,
        }  # fmt: skip
        with self._lock, self._path.open("a") as file:
            file.write(json.dumps(told) + "\n")
        return outcome

    def _name(self, mutant: Mutant) -> str:
        module = hashlib.sha256((self._root / mutant.path).read_bytes()).hexdigest()[:12]
        return f"{module} {mutant.node} {mutant.name}"
