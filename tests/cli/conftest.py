"""The command, run in this process or as it is installed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app


class Done(NamedTuple):
    """What became of a command."""

    status: int
    out: str
    err: str


def _done(status: int, out: str, err: str) -> Done:
    assert "Traceback" not in err, err
    assert status in (0, 1, 2)
    return Done(status, out, err)


@pytest.fixture(scope="session")
def run() -> Callable[..., Done]:
    """Run the command in this process."""

    def run_here(*arguments: object) -> Done:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return _done(result.exit_code, result.stdout, result.stderr)

    return run_here


@pytest.fixture(scope="session")
def command() -> Callable[..., Done]:
    """Run the installed command as a process of its own."""

    def run_process(*arguments: object) -> Done:
        done = subprocess.run(
            [Path(sys.executable).with_name("ratingbook"), *map(str, arguments)],
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
        return _done(done.returncode, done.stdout, done.stderr)

    return run_process
