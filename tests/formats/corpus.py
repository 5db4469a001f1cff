"""Damaged files without end, each made anew from its number.

The files that are damaged are real ones, invented ones, and what the writers make of both.
"""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from ratingbook.formats import Reading, read, read_bytes
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
from tests.formats.mutations import Mutation, suited
from tests.formats.test_document import CONTRACT

EXAMPLES = Path(__file__).parents[2] / "examples" / "reports"
_LARGE = 20_000
"""Of larger files nothing is derived: a case should take a part of a second."""
_MOST_MUTATIONS = 4


@dataclass(frozen=True)
class Sample:
    """The files of a report, by name (a report of one file has the name ""), or a rating list."""

    name: str
    files: Mapping[str, bytes]
    is_list: bool = False

    def read(self) -> Reading:
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

    def __init__(self, reference: Path, seed: int, *, derived: bool = True) -> None:
        self._seed = seed
        self._originals = [*_found(reference / "samples"), *_found(EXAMPLES), _document()]
        self._derived = derived

    @cached_property
    def samples(self) -> Sequence[Sample]:
        """The files themselves, what our writers make of the small ones, and rating lists."""
        made = [each for original in self._originals for each in _written(original)]
        return (*self._originals, *(made if self._derived else ()), *_lists())

    @cached_property
    def _weights(self) -> list[float]:
        """Small files are tried more often: more cases in the time, and as many branches."""
        sizes = [sum(map(len, sample.files.values())) for sample in self.samples]
        return [
            (2 if sample in self._originals or sample.is_list else 1) / (1 + size / 4000)
            for sample, size in zip(self.samples, sizes, strict=True)
        ]

    def case(self, number: int) -> Case:
        """The damaged file of this number; always the same."""
        chance = Random(f"{self._seed}/{number}")
        (sample,) = chance.choices(self.samples, self._weights)
        name = chance.choice(list(sample.files))
        data = sample.files[name]
        mutations = []
        for _ in range(min(1 + int(chance.expovariate(1)), _MOST_MUTATIONS)):
            mutation: Mutation = chance.choice(suited(data))
            data = mutation(data, chance)
            mutations.append(mutation.__name__)
        return Case(
            sample.name,
            {**sample.files, name: data},
            sample.is_list,
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


def _written(sample: Sample) -> Iterator[Sample]:
    """What our writers make of a sample that is not large."""
    if sum(map(len, sample.files.values())) > _LARGE:
        return
    report = sample.read().report
    for key, target in TARGETS.items():
        files = target.writer()(report).files if isinstance(report, Report) else {}
        if files:
            yield Sample(f"{sample.name} as {key}", files)


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
    for name, file in files.items():
        yield Sample(name, {name: file.getvalue()}, is_list=True)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, file.getvalue())
        yield Sample(f"{name}.zip", {f"{name}.zip": packed.getvalue()}, is_list=True)
