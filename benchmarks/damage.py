"""Damaged lists of FIDE beside sound ones: how fast they are checked, in how much memory.

``python -m benchmarks.damage [--megabytes 100] [--share 0.002] [--seed 1] [--turns 3]``

Of the lines a share is damaged at random: a byte is another one, the line is cut, or the flag is
one that FIDE does not have.  In XML a cut line ends the reading, so there lines are left whole but
in one file, which ends in the middle; it is cut from a list twice as long, for a short list takes
longer for each megabyte.  The players are made up.  Each list is checked in turns with the
others, and the least time counts.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.formats import measured
from benchmarks.lists import players
from ratingbook.formats.lists import write_fide_txt, write_fide_xml

CHECK = "from ratingbook.formats.lists import check_list\ncheck_list(path)"
ROW = {"txt": 155, "xml": 520}
"""About how many bytes a player takes."""
_SAFE = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,-?#\xe9\xf8"
"""Bytes that do not break the markup of XML."""


def sound(folder: Path, kind: str, megabytes: int) -> Path:
    """A list of about that size."""
    path = folder / f"sound{megabytes}.{kind}"
    with path.open("wb") as file:
        write = write_fide_txt if kind == "txt" else write_fide_xml
        write(players(megabytes * 1_000_000 // ROW[kind]), file)
    return path


def damaged(path: Path, longer: Path, share: float, seed: int) -> Iterator[tuple[str, Path]]:
    """What becomes of a list and of one twice as long, and what was done to it."""
    kind = path.suffix[1:]
    chance = random.Random(seed)
    spoilt = path.with_name(f"damaged.{kind}")
    with path.open("rb") as file, spoilt.open("wb") as out:
        # The header, and the beginning of XML, stay: a list without them is another matter.
        out.writelines(islice(file, 3))
        for line in file:
            out.write(_damage(line, kind, chance) if chance.random() < share else line)
    yield "damaged at random", spoilt
    cut = path.with_name(f"cut.{kind}")
    with longer.open("rb") as file, cut.open("wb") as out:
        out.write(file.read(longer.stat().st_size // 2 + 7))
    yield "cut in the middle", cut


def _damage(line: bytes, kind: str, chance: random.Random) -> bytes:
    text = line.rstrip(b"\r\n")
    end = line[len(text) :]
    if kind == "xml":
        head, _, rest = text.partition(b">")
        value, tag, tail = rest.partition(b"<")
        if not value or not tag:
            return line
        at = chance.randrange(len(value))
        value = value[:at] + bytes([chance.choice(_SAFE)]) + value[at + 1 :]
        return head + b">" + value + tag + tail + end
    how = chance.randrange(3)
    if how == 0 or not text:
        at = chance.randrange(max(len(text), 1))
        return text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :] + end
    if how == 1:
        return text[: chance.randrange(len(text))] + end
    return text.rstrip() + b" z9" + end


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--share", type=float, default=0.002)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=3)
    asked = parser.parse_args()
    print(f"{'list':6}{'':20}{'MB':>8}{'s CPU':>8}{'MB/s':>8}{'a MB':>8}{'memory MB':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in ROW:
            path = sound(Path(folder), kind, asked.megabytes)
            longer = sound(Path(folder), kind, 2 * asked.megabytes)
            made = dict([("sound", path), *damaged(path, longer, asked.share, asked.seed)])
            longer.unlink()
            turns = [{w: measured(CHECK, made[w]) for w in made} for _ in range(asked.turns)]
            best = {what: min(turn[what] for turn in turns) for what in made}
            usual = best["sound"][0] / path.stat().st_size
            for what, each in made.items():
                seconds, memory = best[what]
                size = each.stat().st_size
                line = f"{kind:6}{what:20}{size / 1e6:8.1f}{seconds:8.2f}"
                line += f"{size / 1e6 / seconds:8.1f}{seconds / size / usual:8.2f}"
                print(f"{line}{memory:11}", flush=True)
                each.unlink()


if __name__ == "__main__":
    main()
