"""Rating one event is done before one has looked up."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

SECONDS = 0.4
"""What a whole ``ratingbook rate`` of an event of some thirty players may take."""
RUNS = 5


def test_rating_one_event(reference: Path):
    """The best of five, for the machine may have other work to do."""
    report = reference / "samples" / "trf" / "bunratty_masters_2011.tab"
    ratingbook = Path(sys.executable).with_name("ratingbook")
    command = [str(ratingbook), "rate", str(report), "--rulebook", "fide-2009"]
    taken = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        taken.append(time.perf_counter() - begun)
        assert done.returncode == 0, done.stderr
        assert len(done.stdout.splitlines()) > 30
    assert min(taken) <= SECONDS, taken
