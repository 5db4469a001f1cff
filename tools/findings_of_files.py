"""How many findings files bring that are about no fault in them.

``python -m tools.findings_of_files FOLDER [--suffix sjson]`` checks every file below a folder,
with ``--rulebook`` for an edition, and counts by format the findings of information and warning,
as ``check`` prints them, of the reports that can be rated: how many files bring none, one, or
more, and which codes those are.  What is a fault in the file is for a person to say.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

import ratingbook as rb
from ratingbook.formats import read
from ratingbook.model import Severity

_MOST_BYTES = 8_000_000


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rulebook", help="count also what the edition has to say")
    parser.add_argument("--suffix", nargs="*", default=[])
    asked = parser.parse_args()
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    codes: dict[str, Counter[str]] = defaultdict(Counter)
    refused: Counter[str] = Counter()
    for path in sorted(asked.folder.rglob("*")):
        wanted = not asked.suffix or path.suffix.lower().lstrip(".") in asked.suffix
        if not path.is_file() or not wanted or path.stat().st_size > _MOST_BYTES:
            continue
        findings = rb.check(path, asked.rulebook)
        format_ = read(path).format or "?"
        if findings.refused:
            refused[format_] += 1
            continue
        told = {each.code for each in findings.joined() if each.severity in _LOOKED_AT}
        counts[format_][len(told)] += 1
        codes[format_].update(told)
    for name, found in sorted(counts.items()):
        files = ", ".join(f"{files} with {number}" for number, files in sorted(found.items()))
        print(f"{name}: {files}; refused {refused[name]}")
        for code, number in codes[name].most_common():
            print(f"    {number:5} {code}")
    return 0


_LOOKED_AT = (Severity.WARNING, Severity.INFO)

if __name__ == "__main__":
    sys.exit(main())
