"""Formats of other packages: found, read, written, and no harm where they are wrong."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from ratingbook.cli import check, convert
from ratingbook.cli import formats as command
from ratingbook.formats import read, read_bytes, registry
from ratingbook.formats.catalogue import FORMATS
from ratingbook.formats.convert import converted
from ratingbook.formats.format import Certainty, Format, Source, loaded
from ratingbook.formats.tools.written import Written
from ratingbook.model import Entry, Event, Findings, Report, Severity
from tests.formats.helpers import one

ROOT = Path(__file__).parents[2]
CLUB = ROOT / "examples" / "club_format"
EVENING = CLUB / "evening.club"
Bring = Callable[..., Findings]


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bring]:
    """Makes distributions that bring formats, each a name with what its entry point says."""

    def brought(**packages: dict[str, str]) -> Findings:
        for package, points in packages.items():
            info = tmp_path / f"{package}-1.0.dist-info"
            info.mkdir()
            head = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
            (info / "METADATA").write_text(head)
            lines = "".join(f"{name} = {value}\n" for name, value in points.items())
            (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{lines}")
        registry.installed.cache_clear()
        return registry.installed()[1]

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(CLUB / "src"))
    yield brought
    monkeypatch.undo()
    registry.installed.cache_clear()


@pytest.fixture
def club(bring: Bring) -> None:
    """The example, as good as installed."""
    project = tomllib.loads((CLUB / "pyproject.toml").read_text("utf-8"))["project"]
    bring(**{project["name"].replace("-", "_"): project["entry-points"][registry.GROUP]})


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of somebody else's."""
    made = ModuleType("somebodys")
    monkeypatch.setitem(sys.modules, "somebodys", made)
    return made


def a_format(**more: object) -> Format:
    given = {"name": "theirs", "detector": "somebodys:is_it", "reader": "somebodys:read"}
    return Format(**{**given, **more})  # type: ignore[arg-type]


# Ours


@pytest.mark.parametrize("each", FORMATS.values(), ids=FORMATS)
def test_every_function_of_ours_is_there(each: Format) -> None:
    names = [each.detector, each.reader, *each.writers.values()]
    for name in (*names, *filter(None, [each.writer_for])):
        assert name.startswith("ratingbook.formats.")
        assert callable(loaded(name))


def test_who_reads_a_file_that_is_certainly_ours_asks_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ratingbook.formats.registry.installed", lambda: pytest.fail("asked"))
    reports = ROOT / "examples" / "reports"
    for name in ("spring-open.trf", "club-open-2c"):
        assert read(reports / name).report is not None
    assert read_bytes(b'{"ratingbook": "report/1", "players": [], "games": []}').report


# A package that brings one


@pytest.mark.usefixtures("club")
def test_a_format_of_another_package_is_read() -> None:
    reading = read(EVENING)
    assert (reading.format, reading.encoding) == ("club notes", "utf-8")
    assert reading.reason.startswith("the words Club evening and a day in the first line; ")
    assert reading.report is not None
    assert len(reading.report.games) == 3
    assert not len(reading.findings)


def test_without_the_package_it_is_not() -> None:
    one(read(EVENING).findings, "file.unknown-format", Severity.FATAL)


@pytest.mark.usefixtures("club")
def test_it_is_written_by_its_key_and_by_its_suffix(tmp_path: Path) -> None:
    report = read(EVENING).report
    assert report is not None
    files, findings = converted(report, registry.targets()["club"])
    assert files == {"": EVENING.read_bytes()}
    assert not len(findings)
    for out, key in (("one", "club"), ("two.club", None)):
        assert not convert.run(EVENING, tmp_path / out, key, force=False)
        assert (tmp_path / out).read_bytes() == EVENING.read_bytes()


@pytest.mark.usefixtures("club")
def test_it_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    command.show(as_json=True)
    told = json.loads(capsys.readouterr().out)["reports"][-1]
    assert told == {
        "name": "club notes",
        "game": None,
        "recognised_by": "the words Club evening and a day in the first line",
        "written_as": ["club"],
        "package": "club_format",
    }
    command.show(as_json=False)
    assert "club notes" in capsys.readouterr().out


@pytest.mark.usefixtures("club")
def test_a_file_that_is_no_format_names_it_among_those_that_are_read() -> None:
    found = one(read_bytes(b"Dear arbiter,\n").findings, "file.unknown-format", Severity.FATAL)
    assert "XLSX, club notes." in found.remedy


@pytest.mark.parametrize(
    ("source", "data", "given"),
    [
        (Source.JSON, b'{"site": "x"}', str),
        (Source.BYTES, b"PK\x03\x04 an archive", bytes),
        (Source.TEXT, b"player,rating\nDoe,1500\n", tuple),
    ],
)
def test_what_is_shown_to_a_detector(
    bring: Bring, module: ModuleType, source: Source, data: bytes, given: type
) -> None:
    seen: list[object] = []

    def is_it(shown: object) -> bool:
        seen.append(shown)
        return True

    report = Report(Event(), (Entry("1"),), ())
    vars(module).update(
        is_it=is_it, read=lambda _: (report, Findings()), FORMAT=a_format(source=source)
    )
    bring(theirs={"theirs": "somebodys:FORMAT"})
    assert read_bytes(data).format == "theirs"
    assert isinstance(seen[0], given)


def test_ours_come_before_theirs_with_a_sign_as_sure(bring: Bring, module: ModuleType) -> None:
    module.FORMAT = a_format(certainty=Certainty.LIKELY)  # type: ignore[attr-defined]
    bring(theirs={"theirs": "somebodys:FORMAT"})
    order = [each.name for each in registry.in_order()]
    assert order[-6:] == ["h9", "tou", "theirs", "CSV", "ODS, XLS", "XLSX"]


def test_a_format_that_is_only_written(bring: Bring, module: ModuleType) -> None:
    module.FORMAT = a_format(detector="", reader="", writers={"w": "somebodys:write"})  # type: ignore[attr-defined]
    module.write = lambda _: Written({"": b"something"})  # type: ignore[attr-defined]
    bring(theirs={"theirs": "somebodys:FORMAT"})
    files, findings = converted(Report(Event(), (), ()), registry.targets()["w"])
    assert files == {"": b"something"}
    one(findings, "convert.not-compared", Severity.WARNING)
    one(read_bytes(b"something").findings, "file.unknown-format", Severity.FATAL)


# One that is wrong


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("nobodys_module:FORMAT", "No module named 'nobodys_module'"),
        ("somebodys:NOTHING", "has no attribute 'NOTHING'"),
        ("somebodys:TEXT", "'a text' is not a Format"),
        ("somebodys:HALF", "both a detector and a reader"),
        ("somebodys:IDLE", "neither read nor written"),
        ("somebodys:GREEDY", "not everything"),
        ("somebodys:UNDECIDED", "writer_for must choose"),
        ("somebodys:NAMESAKE", "ratingbook has a format of the name 'TRF'"),
        ("somebodys:KEYSAKE", "--format pgn is another format"),
        ("somebodys:LISTSAKE", "--format iccf is another format"),
    ],
)
def test_what_is_wrong_with_one_is_told(
    bring: Bring,
    module: ModuleType,
    capsys: pytest.CaptureFixture[str],
    value: str,
    fault: str,
) -> None:
    made = {
        "TEXT": "a text",
        "HALF": a_format(detector=""),
        "IDLE": a_format(detector="", reader=""),
        "GREEDY": a_format(takes=("everything",)),
        "UNDECIDED": a_format(writers={"a": "somebodys:a", "b": "somebodys:b"}),
        "NAMESAKE": a_format(name="TRF"),
        "KEYSAKE": a_format(writers={"pgn": "somebodys:a"}),
        "LISTSAKE": a_format(writers={"iccf": "somebodys:a"}),
    }
    vars(module).update(made)
    told = one(bring(theirs={"broken": value}), "formats.not-loaded", Severity.WARNING)
    assert told.message.startswith("The format 'broken' of theirs cannot be used: ")
    assert fault in told.message
    assert registry.formats() == FORMATS
    # The commands say so, and read what is theirs to read.
    command.show(as_json=True)
    assert "cannot be used" in " ".join(capsys.readouterr().err.split())
    assert one(read_bytes(b"Dear arbiter,\n").findings, told.code, told.severity) == told
    table = read_bytes(b"White,Black,Result\nA,B,1-0\n")
    assert one(table.findings, told.code, told.severity) == told


def test_of_two_with_one_name_the_first_is_used(bring: Bring, module: ModuleType) -> None:
    module.FORMAT = a_format()  # type: ignore[attr-defined]
    told = one(
        bring(one={"a": "somebodys:FORMAT"}, two={"b": "somebodys:FORMAT"}),
        "formats.not-loaded",
        Severity.WARNING,
    )
    assert "The format 'b' of two cannot be used: one has a format of the name" in told.message
    assert registry.formats()["theirs"].package == "one"


def test_a_detector_that_fails_is_told_and_others_go_on(bring: Bring, module: ModuleType) -> None:
    module.is_it = lambda lines: lines[99]  # type: ignore[attr-defined]
    module.FORMAT = a_format()  # type: ignore[attr-defined]
    bring(theirs={"theirs": "somebodys:FORMAT"})
    reading = read_bytes(b"White,Black,Result\nA,B,1-0\n")
    assert reading.format == "CSV"
    assert reading.report is not None
    told = one(reading.findings, "formats.fault", Severity.WARNING)
    assert "somebodys:is_it, with which theirs brings theirs, ended in an error" in told.message


@pytest.mark.parametrize("answer", ["raises", None, (1, 2), "ab"])
def test_a_reader_that_fails_refuses_the_file(
    bring: Bring, module: ModuleType, answer: object
) -> None:
    def reader(_: object) -> object:
        if answer == "raises":
            raise KeyError("x")
        return answer

    vars(module).update(is_it=lambda _: True, read=reader, FORMAT=a_format())
    bring(theirs={"theirs": "somebodys:FORMAT"})
    reading = read_bytes(b"anything\n")
    assert reading.report is None
    one(reading.findings, "formats.fault", Severity.FATAL)


def test_a_writer_that_fails_writes_nothing(
    bring: Bring, module: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writers = {"a": "somebodys:write", "b": "somebodys:write"}
    choosing = a_format(writers=writers, writer_for="somebodys:choose", suffix=".their")
    vars(module).update(write=lambda _: None, choose=lambda _: "c", FORMAT=choosing)
    bring(theirs={"theirs": "somebodys:FORMAT"})
    files, findings = converted(Report(Event(), (), ()), registry.targets()["a"])
    assert files == {}
    one(findings, "formats.fault", Severity.FATAL)
    report = ROOT / "examples/reports/spring-open.trf"
    assert convert.run(report, tmp_path / "new.their", None, force=False)
    assert "named none of its writers" in " ".join(capsys.readouterr().err.split())
    assert not list(tmp_path.glob("new.*"))


def test_check_says_what_is_wrong(
    bring: Bring, module: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vars(module).update(is_it=lambda _: True, FORMAT=a_format())
    bring(theirs={"theirs": "somebodys:FORMAT"})
    path = tmp_path / "file"
    path.write_text("anything\n")
    assert check.run([path], None, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["format"] == "theirs"
    assert [finding["code"] for finding in told["findings"]] == ["formats.fault"]
