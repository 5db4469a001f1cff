"""Tries one fault: a process of its own runs the tests that reach it."""

from __future__ import annotations

import ast
import importlib.machinery
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

import pytest

from tools.mutants.sites import Mutant, mutated

PATIENCE = 10.0
"""A test may take so many times what it takes without the fault, and ten seconds more."""


@dataclass(frozen=True)
class Outcome:
    """What became of a fault."""

    mutant: Mutant
    verdict: str
    """``killed``, ``survived``, ``out of time``, or ``not reached``."""
    tests: int


def tried(mutant: Mutant, root: Path, tests: Sequence[str], seconds: float) -> Outcome:
    """Run the tests with the fault in place; they stop at the first that notices."""
    if not tests:
        return Outcome(mutant, "not reached", 0)
    child = os.fork()
    if child == 0:
        _run(mutant, root, tests, int(PATIENCE + PATIENCE * seconds))
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        ran_out = os.WTERMSIG(status) == signal.SIGALRM
        return Outcome(mutant, "out of time" if ran_out else "killed", len(tests))
    code = os.WEXITSTATUS(status)
    # Tests that cannot even be collected have noticed, too.
    verdict = "survived" if code == pytest.ExitCode.OK else "killed"
    return Outcome(mutant, verdict, len(tests))


def _run(mutant: Mutant, root: Path, tests: Sequence[str], seconds: int) -> None:
    signal.alarm(seconds)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    code: int = pytest.ExitCode.INTERNAL_ERROR
    try:
        put_in(root / mutant.path, mutated(mutant, root))
        os.environ["RATINGBOOK_CACHE"] = os.devnull
        code = pytest.main(
            [*tests, "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={root}"]
        )
    finally:
        os._exit(int(code))


def put_in(path: Path, tree: ast.Module) -> None:
    """Let Python import this in place of what the file holds."""
    loader = importlib.machinery.SourceFileLoader
    usual = loader.get_code
    exchanged: CodeType = compile(tree, str(path), "exec")

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        is_it = Path(self.get_filename(fullname)).resolve() == path.resolve()
        return exchanged if is_it else usual(self, fullname)

    setattr(loader, "get_code", get_code)  # noqa: B010  (mypy knows the method as final)
    assert not any(name.split(".")[0] == "ratingbook" for name in sys.modules), "too late"
