"""Damaged files of every format; ``make fuzz`` tries many more of them."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from ratingbook.formats import convert
from ratingbook.formats.catalogue import FORMATS
from ratingbook.formats.tools.written import Written
from ratingbook.model import Findings, Place, Report, Severity
from tests.formats.corpus import Case, Corpus
from tests.formats.mutations import (
    ARCHIVE,
    JOINED,
    TEXT,
    XML,
    Joining,
    Mutation,
    part_a_bomb,
    tree_changed,
)
from tests.formats.soundness import check, check_findings, check_reading

SEED = 0
BLOCKS, CASES = 8, 15
ALL = tuple(dict.fromkeys((*TEXT, *XML, *ARCHIVE, tree_changed)))


@pytest.fixture(scope="module")
def corpus(reference: Path) -> Corpus:
    return Corpus(reference, SEED)


@pytest.fixture
def report(corpus: Corpus) -> Report:
    report = named(corpus, "document").read().report
    assert report is not None
    return report


def named(corpus: Corpus, name: str) -> Case:
    """The sample of that name, not damaged."""
    (found,) = (sample for sample in corpus.samples if sample.name == name)
    return Case(found.name, found.files, found.kind, targets=("pgn",))


@pytest.mark.parametrize("block", range(BLOCKS))
def test_damaged_files_are_answered(corpus: Corpus, block: int) -> None:
    for number in range(block * CASES, (block + 1) * CASES):
        case = corpus.case(number)
        try:
            check(case)
        except Exception as error:
            error.add_note(str(case))
            raise


def test_a_case_is_always_the_same(corpus: Corpus, reference: Path) -> None:
    again = Corpus(reference, SEED)
    for number in range(40):
        assert again.case(number) == corpus.case(number)
    assert Corpus(reference, SEED + 1).case(0) != corpus.case(0)


def test_there_are_samples_of_every_format(corpus: Corpus) -> None:
    found = {sample.read().format for sample in corpus.samples if sample.kind == "report"}
    # Nobody may give away a real cross table of US Chess.
    assert found >= FORMATS.keys() - {"US Chess cross table"}
    assert {s.name for s in corpus.samples if s.kind == "list"} >= {"list.xml", "list.txt.zip"}


@pytest.mark.parametrize("mutation", ALL, ids=lambda mutation: mutation.__name__)
def test_a_mutation_does_something_and_the_same_each_time(mutation: Mutation) -> None:
    text = (
        b'<?xml version="1.0"?>\n<a b="12" c="3,4"/>\n' + "1;Doe, Jö;1-0\n2 Roe 0-1 \n".encode() * 9
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("list.txt", text)
        archive.writestr("xl/worksheets/sheet1.xml", text)
    data = packed.getvalue() if mutation in ARCHIVE else text
    if mutation is tree_changed:
        data = b'{"players": [{"id": "1"}, {"id": "2"}], "games": [{"white": "1"}]}'
    seeds = range(2 if mutation is part_a_bomb else 40)
    changed = [mutation(data, Random(seed)) for seed in seeds]
    assert changed != [data] * len(changed)
    assert changed == [mutation(data, Random(seed)) for seed in seeds]


@pytest.mark.parametrize("join", dict.fromkeys(JOINED), ids=lambda join: join.__name__)
def test_two_files_become_one_and_the_same_each_time(join: Joining) -> None:
    one, other = b"001    1 Ann\n001    2 Bert\n" * 5, b'[Event "x"]\n[White "Carl"]\n' * 5
    joined = [join(one, other, Random(seed)) for seed in range(20)]
    assert joined == [join(one, other, Random(seed)) for seed in range(20)]
    assert len({one, other, *joined}) > 3


def test_some_cases_are_of_two_formats(corpus: Corpus) -> None:
    said = " ".join(str(corpus.case(number)) for number in range(400))
    for join in JOINED:
        assert f"{join.__name__} " in said


def test_of_folders_some_have_the_files_of_two(reference: Path) -> None:
    folders = Corpus(reference, SEED)
    several = [sample for sample in folders.samples if len(sample.files) > 1]
    folders.__dict__["samples"] = several
    files = {sample.name: sample.files for sample in several}
    cases = [folders.case(number) for number in range(100)]
    joined = [case for case in cases if "the files of" in str(case)]
    assert joined
    assert all(case.files.keys() >= files[case.name].keys() for case in joined)


# What the checks would notice


def test_a_loss_that_is_not_told_is_noticed(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = named(corpus, "document")
    check(case)
    monkeypatch.setattr(convert, "differences", lambda *_: Findings())
    with pytest.raises(AssertionError, match="pgn does not tell"):
        check(case)


def test_a_file_that_is_not_read_again_is_noticed(
    corpus: Corpus, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "ratingbook.formats.pgn.write.write_pgn", lambda _: Written({"": b"Nothing"})
    )
    with pytest.raises(AssertionError, match="pgn is not read"):
        check(named(corpus, "document"))


@pytest.mark.parametrize(
    ("code", "message", "line", "remedy"),
    [
        ("Code", "Something.", 1, "Mend it."),
        ("a.b", "", 1, "Mend it."),
        ("a.b", "Something.", 1, ""),
        ("a.b", "Something.", 0, "Mend it."),
        ("a.b", "x" * 10_000, 1, "Mend it."),
        ("a.b", "\ud800", 1, "Mend it."),
    ],
)
def test_a_finding_of_no_use_is_noticed(code: str, message: str, line: int, remedy: str) -> None:
    findings = Findings()
    findings.add(Severity.INFO, code, message, Place(line=line), remedy)
    with pytest.raises(AssertionError):
        check_findings(findings)


def test_a_number_that_is_none_is_noticed(corpus: Corpus, report: Report) -> None:
    reading = named(corpus, "document").read()
    event = replace(report.event, level=float("nan"))
    check_reading(reading)
    with pytest.raises(AssertionError, match="level is nan"):
        check_reading(replace(reading, report=replace(report, event=event)))
