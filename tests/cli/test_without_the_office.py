"""Of the wheel alone the commands of an office say what is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT = (
    "import sys; sys.modules['django'] = None; sys.argv[0] = 'ratingbook'; "
    "from ratingbook.cli import main; main()"
)


@pytest.mark.parametrize("command", ["demo", "reports", "doctor"])
def test_what_is_missing_is_said(tmp_path: Path, command: str):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, "office", command, "--home", str(tmp_path / "office")],
        capture_output=True, encoding="utf-8", check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    assert "office.not-installed" in done.stderr
    assert 'pip install "ratingbook[office]"' in done.stderr
    assert list(tmp_path.iterdir()) == []
