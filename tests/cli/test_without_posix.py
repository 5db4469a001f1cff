"""What of the command needs nothing that only POSIX has: all that Windows is to run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "examples" / "reports" / "spring-open.trf"
STANDINGS = ROOT / "examples" / "reports" / "correspondence-standings.csv"


def test_the_commands_of_files_work_without_posix(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text("date,white,black,score\n2024-01-05,Ann,Bob,1\n2024-01-06,Bob,Ann,0.5\n")
    out = tmp_path / "pool"
    calls = [
        f"rate '{REPORT}' --rulebook fide-2009 -o '{tmp_path / 'r.html'}'",
        f"check '{REPORT}' --rulebook fide-2009",
        "whatif --rulebook fide-2009 --rating 2000 --games 40 2100=1",
        f"convert '{REPORT}' '{tmp_path / 'r.csv'}'",
        f"list '{STANDINGS}' --rulebook iecg-1999 --date 1999-07-10",
        f"history '{games}' --rulebook elo --out '{out}'",
        f"history '{out}' --player Ann",
        f"list '{out}'",
        "rulebooks elo",
        "formats",
    ]
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("without_posix.py")],
        input="\n".join(calls), capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    answers = done.stdout.splitlines()
    assert [line[:2] for line in answers] == ["0 "] * len(calls), done.stdout
    assert "2010" in answers[2], answers[2]
    assert (tmp_path / "r.html").stat().st_size > 10_000
