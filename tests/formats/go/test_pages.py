"""The pages on Go formats name every finding of their format, and no other; examples are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ratingbook.formats.go.aga import read_aga
from ratingbook.formats.go.h9 import read_h9
from ratingbook.formats.go.tou import read_tou
from ratingbook.formats.tools.text import Decoded, decode
from ratingbook.model import Findings, Report

ROOT = Path(__file__).parents[3]
FORMATS = ROOT / "src" / "ratingbook" / "formats"
PAGES = ROOT / "docs" / "formats"
Reader = Callable[[Decoded], tuple[Report | None, Findings]]
SHARED = {"event", "game", "go", "player", "text", "xml"}


def codes_in_source() -> set[str]:
    text = "".join(path.read_text("utf-8") for path in FORMATS.rglob("*.py"))
    return set(re.findall(r'"([a-z0-9]+\.[a-z-]+)",', text))


@pytest.mark.parametrize("name", ["aga", "h9", "macmahon", "opengotha", "tou"])
def test_the_page_names_the_findings(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z0-9]+\.[a-z-]+)`", page))
    known = codes_in_source()
    own = {code for code in known if code.startswith(f"{name}.")}
    assert own
    assert own <= named <= known
    assert {code.partition(".")[0] for code in named} <= SHARED | {name}


@pytest.mark.parametrize(
    ("name", "reader"), [("aga", read_aga), ("h9", read_h9), ("tou", read_tou)]
)
def test_the_example_of_the_page_is_read(name: str, reader: Reader) -> None:
    page = (PAGES / f"{name}.md").read_text("utf-8")
    (example,) = re.findall(r"```text\n(.*?)```", page, re.S)
    report, findings = reader(decode(example.encode()))
    assert report is not None
    assert not findings.refused
    assert len(report.entries) == 2
    assert len(report.games) == 1
