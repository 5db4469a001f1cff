"""Work that a copy of the process does beside it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ratingbook.engine import beside
from ratingbook.engine.beside import Beside, can_work_beside


def until_over(work: Beside) -> None:
    while not work.is_over():
        time.sleep(0.01)


def test_a_copy_needs_a_processor_of_its_own(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    assert can_work_beside()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert not can_work_beside()


def test_where_a_process_cannot_be_copied_there_is_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.delattr(os, "fork")
    assert not can_work_beside()


def test_a_copy_does_the_work(tmp_path: Path):
    done = tmp_path / "done"

    def note() -> None:
        done.write_text(str(os.getpid()))

    until_over(Beside(note, tmp_path / "lock"))
    assert done.read_text() != str(os.getpid())


def test_a_copy_that_fails_is_over_and_says_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    def fail() -> None:
        raise ValueError("not told")

    until_over(Beside(fail, tmp_path / "lock"))
    assert capfd.readouterr() == ("", "")


def test_one_works_after_the_other(tmp_path: Path):
    told = tmp_path / "told"

    def tell(name: str) -> Callable[[], None]:
        def work() -> None:
            with told.open("a") as file:
                print(name, "begins", file=file, flush=True)
                time.sleep(0.2)
                print(name, "ends", file=file, flush=True)

        return work

    both = [Beside(tell(name), tmp_path / "lock") for name in "ab"]
    for each in both:
        until_over(each)
    first, second, third, fourth = (line.split() for line in told.read_text().splitlines())
    assert (first[0], third[0]) == (second[0], fourth[0])
    assert {first[0], third[0]} == {"a", "b"}


def test_who_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(beside, "PATIENCE", 0.0)
    assert Beside(lambda: time.sleep(1000), tmp_path / "lock").is_over()
