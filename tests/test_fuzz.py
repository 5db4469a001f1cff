"""``make fuzz`` notices what fails, cuts it down, and says how to see it again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.formats.corpus import Case
from tools import fuzz

CASE = Case("sample", {"": b"\n".join([b"good", b"a bad line", b"good"] * 20)}, number=7)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(fuzz, "FOLDER", tmp_path)
    return tmp_path


def checking(monkeypatch: pytest.MonkeyPatch, check: Callable[[Case], None]) -> None:
    monkeypatch.setattr(fuzz, "check", check)


def nothing_bad(case: Case) -> None:
    if b"bad" in case.files[""]:
        raise ValueError("this is bad")


def test_what_fails_is_cut_down_and_saved(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    checking(monkeypatch, nothing_bad)
    signature, details = fuzz.outcome(CASE)
    assert signature == "ValueError test_fuzz.py:nothing_bad"
    assert "this is bad" in details
    small = fuzz.shrunk(CASE, signature)
    assert small.files == {"": b"a bad line"}
    assert fuzz.outcome(small)[0] == signature
    saved = fuzz.save(small, signature, details, seed=3)
    assert saved.parent == folder
    assert (saved / "file").read_bytes() == b"a bad line"
    assert "--seed 3 --case 7" in (saved / "failure.txt").read_text()


def test_what_holds_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    checking(monkeypatch, lambda case: None)
    assert fuzz.outcome(CASE) == ("", "")


def test_what_never_ends_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(case: Case) -> None:
        while True:
            try:
                nothing_bad(case)
            except Exception:
                continue

    checking(monkeypatch, endless)
    monkeypatch.setattr(fuzz, "SECONDS", 0.1)
    assert fuzz.outcome(CASE)[0].startswith("TooSlow")
