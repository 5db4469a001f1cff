"""``ratingbook … | head``: who has seen enough closes the pipe, and that is no error of ours."""

import subprocess
import sys
from pathlib import Path

import pytest

REPORT = Path(__file__).parents[2] / "examples" / "reports" / "spring-open.trf"


@pytest.mark.parametrize(
    "command",
    [
        ["rulebooks", "fide"],  # printed as tables
        ["convert", str(REPORT), "-", "--format", "csv"],  # bytes
        ["check", str(REPORT), "--format", "json"],
    ],
    ids=["table", "bytes", "json"],
)
def test_a_closed_pipe_is_no_error(command):
    main = "from ratingbook.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", main, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        # Closed before anything is written, so that the first write meets it.
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
