"""Many files on all cores: the same, in the same order."""

from __future__ import annotations

import json
import os

import pytest

from ratingbook.cli import cores
from ratingbook.cli.cores import made_of_each


def _with_process(item: int) -> tuple[int, int]:
    if item < 0:
        raise ValueError(f"{item} is below 0")
    return item * item, os.getpid()


def test_each_is_made_in_its_order(monkeypatch):
    monkeypatch.setattr(cores, "_cores", lambda: 2)
    made = list(made_of_each(_with_process, range(60)))
    assert [square for square, _ in made] == [item * item for item in range(60)]
    if hasattr(os, "fork"):
        assert os.getpid() not in {process for _, process in made}


@pytest.mark.parametrize(
    ("items", "count"), [(range(cores._LEAST - 1), 2), (range(cores._LEAST), 1)]
)
def test_few_items_and_one_core_are_done_here(monkeypatch, items, count):
    monkeypatch.setattr(cores, "_cores", lambda: count)
    assert {process for _, process in made_of_each(_with_process, items)} == {os.getpid()}


def test_what_goes_wrong_elsewhere_is_raised_here(monkeypatch):
    monkeypatch.setattr(cores, "_cores", lambda: 2)
    with pytest.raises(ValueError, match="-3 is below 0"):
        list(made_of_each(_with_process, [*range(60), -3]))


@pytest.mark.parametrize("format_", ["jsonl", "json"])
def test_many_reports_are_rated_as_few_are(run, tmp_path, monkeypatch, format_):
    """Refused ones, and ones with explanations, among them."""
    report = {
        "ratingbook": "report/1",
        "players": [{"id": "1", "standing": {"rating": 2000, "games": 50}}, {"id": "2"}],
        "games": [{"white": "1", "black": "2", "result": "1-0", "round": 1}],
    }
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(report))
    bad.write_text(json.dumps(report | {"players": []}))
    asked = ("--rulebook", "elo", "--explain", "1", "--format", format_)
    one_by_one = run("rate", good, bad, good, bad, good, bad, *asked)
    monkeypatch.setattr(cores, "_cores", lambda: 2)
    monkeypatch.setattr(cores, "_LEAST", 2)
    together = run("rate", good, bad, good, bad, good, bad, *asked)
    assert together.status == one_by_one.status == 1
    assert together.out == one_by_one.out
