"""Damaged files without end, each made anew from its number.

The files that are damaged are real ones, invented ones, and what the writers make of both.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Literal

from ratingbook.formats import Read, read, read_bytes
from ratingbook.formats.catalogue import TARGETS
from ratingbook.formats.lists import (
    FidePlayer,
    IccfPlayer,
    IecgPlayer,
    Rated,
    write_fide_txt,
    write_fide_xml,
    write_iccf_list,
    write_iecg_list,
)
from ratingbook.model import Report
from tests.formats.document.test_document import CONTRACT
from tests.formats.foreign import FILES
from tests.formats.lists.test_go_lists import LISTS
from tests.formats.mutations import JOINED, Joining, Mutation, repacked, suited

Kind = Literal["report", "list", "players"]
"""A report, a rating list, or a table of players or of games by grade."""
EXAMPLES = Path(__file__).parents[2] / "examples" / "reports"
_LARGE = 20_000
"""Of larger files nothing is derived: a case should take a part of a second."""
_MOST_MUTATIONS = 4
_JOINED = 0.15
"""Of so many cases two samples, mostly of different formats, become one file."""
_MOMENT = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")


@dataclass(frozen=True)
class Sample:
    """The files of a report, by name (a report of one file has the name ""), or something else."""

    name: str
    files: Mapping[str, bytes]
    kind: Kind = "report"

    def read(self) -> Read:
        """What our readers make of it."""
        if list(self.files) == [""]:
            return read_bytes(self.files[""])
        with tempfile.TemporaryDirectory() as folder:
            for name, data in self.files.items():
                (Path(folder) / name).write_bytes(data)
            return read(Path(folder))


@dataclass(frozen=True)
class Case(Sample):
    """A damaged sample."""

    number: int = 0
    mutations: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    """Into which formats it is converted."""

    def __str__(self) -> str:
        return f"case {self.number}: {self.name} with {', '.join(self.mutations)}"


class Corpus:
    """The samples, and cases of them by number."""

    def __init__(self, reference: Path, seed: int) -> None:
        self._seed = seed
        foreign = [Sample(name, files) for name, files in FILES.items()]
        self._originals = [*_found(reference / "samples"), *_found(EXAMPLES), _document(), *foreign]
        self._tables = list(_players(reference))

    @cached_property
    def samples(self) -> Sequence[Sample]:
        """The files themselves, what our writers make of the small ones, and rating lists."""
        made = [each for original in self._originals for each in _written(original)]
        return (*self._originals, *made, *_lists(), *self._tables)

    @cached_property
    def _weights(self) -> list[float]:
        """Small files are tried more often: more cases in the time, and as many branches."""
        sizes = [sum(map(len, sample.files.values())) for sample in self.samples]
        return [
            (2 if sample in self._originals or sample.kind != "report" else 1) / (1 + size / 4000)
            for sample, size in zip(self.samples, sizes, strict=True)
        ]

    def case(self, number: int) -> Case:
        """The damaged file of this number; always the same."""
        chance = Random(f"{self._seed}/{number}")
        (sample,) = chance.choices(self.samples, self._weights)
        name = chance.choice(list(sample.files))
        files = dict(sample.files)
        data = files[name]
        mutations = []
        if chance.random() < _JOINED:
            if len(files) > 1 and chance.random() < 0.5:
                other = chance.choice([each for each in self.samples if len(each.files) > 1])
                files |= other.files
                mutations.append(f"the files of {other.name}")
            else:
                (other,) = chance.choices(self.samples, self._weights)
                join: Joining = chance.choice(JOINED)
                data = join(data, other.files[chance.choice(list(other.files))], chance)
                mutations.append(f"{join.__name__} {other.name}")
        for _ in range(min(1 + int(chance.expovariate(1)), _MOST_MUTATIONS) - len(mutations)):
            mutation: Mutation = chance.choice(suited(data))
            data = mutation(data, chance)
            mutations.append(mutation.__name__)
        return Case(
            sample.name,
            {**files, name: data},
            sample.kind,
            number,
            tuple(mutations),
            tuple(chance.sample(list(TARGETS), 2)),
        )


def _found(folder: Path) -> Iterator[Sample]:
    for path in sorted(folder.rglob("*")):
        if path.is_dir() and path.name.endswith("-2c"):
            yield Sample(path.name, {file.name: file.read_bytes() for file in path.iterdir()})
        elif path.is_file() and not path.parent.name.endswith("-2c"):
            yield Sample(path.name, {"": path.read_bytes()})


def _document() -> Sample:
    return Sample("document", {"": json.dumps(CONTRACT).encode()})


def _players(reference: Path) -> Iterator[Sample]:
    """Tables of players, and a table of games by grade."""
    grades = reference / "tables" / "egf_even_games_statistics.csv"
    for path in (*sorted(EXAMPLES.glob("*.csv")), grades):
        yield Sample(f"{path.name} as a table", {path.name: path.read_bytes()}, "players")
    players = json.dumps(CONTRACT["players"]).encode()
    yield Sample("players.json", {"players.json": players}, "players")


def _written(sample: Sample) -> Iterator[Sample]:
    """What our writers make of a sample that is not large."""
    if sum(map(len, sample.files.values())) > _LARGE:
        return
    report = sample.read().report
    for key, target in TARGETS.items():
        files = target.write(report).files if isinstance(report, Report) else {}
        if files:
            made = {name: repacked(data, _of_no_day) for name, data in files.items()}
            yield Sample(f"{sample.name} as {key}", made)


def _of_no_day(parts: dict[str, bytes]) -> None:
    """Workbooks say when they were made; a case is the same tomorrow."""
    core = "docProps/core.xml"
    parts[core] = _MOMENT.sub(b"2020-01-01T00:00:00Z", parts[core])


def _lists() -> Iterator[Sample]:
    """Rating lists of invented players, plain and zipped."""
    numbers = range(1, 9)
    fide = [
        FidePlayer(str(1000 + n), f"Nobody{n}, Player", "AUT", "MF"[n % 2], "GM" * (n % 3 == 0),
                   "", "IA" * (n % 2), "", Rated(1400 + n, n, 20), None, Rated(None, 0, 40),
                   1950 + n, "i" * (n % 2))
        for n in numbers
    ]  # fmt: skip
    iccf = [IccfPlayer(str(n), "AUT", "SIM", f"Nobody{n}", n, 2000 + n, "M") for n in numbers]
    iecg = [
        IecgPlayer(n, n, str(70 + n), f"Nobody{n}", "AUT", 2000 + n, 2001, 3, 1, 1, 1)
        for n in numbers
    ]
    files = {name: io.BytesIO() for name in ("list.txt", "list.xml", "iccf.csv", "iecg.csv")}
    write_fide_txt(fide, files["list.txt"])
    write_fide_xml(fide, files["list.xml"])
    write_iccf_list(iccf, files["iccf.csv"])
    write_iecg_list(iecg, files["iecg.csv"])
    for name, text in LISTS.items():
        files[f"{name.split()[0]}.txt"] = io.BytesIO(text.encode())
    for name, file in files.items():
        yield Sample(name, {name: file.getvalue()}, "list")
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo(name), file.getvalue(), zipfile.ZIP_DEFLATED)
        yield Sample(f"{name}.zip", {f"{name}.zip": packed.getvalue()}, "list")
