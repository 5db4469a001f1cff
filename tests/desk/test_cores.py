"""Many files on all cores: the same, in the same order."""

from __future__ import annotations

import gc
import json
import os
from typing import Any

import pytest

import ratingbook as rb
from ratingbook.desk import cores
from ratingbook.desk.cores import collected_seldom, made_of_each

REPORT = {
    "ratingbook": "report/1",
    "players": [{"id": "1", "standing": {"rating": 2000, "games": 50}}, {"id": "2"}],
    "games": [{"white": "1", "black": "2", "result": "1-0", "round": 1}],
}


def _with_process(item: int) -> tuple[int, int]:
    if item < 0:
        raise ValueError(f"{item} is below 0")
    return item * item, os.getpid()


def test_each_is_made_in_its_order(monkeypatch):
    monkeypatch.setattr(cores, "processors", lambda: 2)
    made = list(made_of_each(_with_process, range(60)))
    assert [square for square, _ in made] == [item * item for item in range(60)]
    if hasattr(os, "fork"):
        assert os.getpid() not in {process for _, process in made}


@pytest.mark.parametrize(
    ("items", "count"), [(range(cores._LEAST - 1), 2), (range(cores._LEAST), 1)]
)
def test_few_items_and_one_core_are_done_here(monkeypatch, items, count):
    monkeypatch.setattr(cores, "processors", lambda: count)
    assert {process for _, process in made_of_each(_with_process, items)} == {os.getpid()}


def test_what_goes_wrong_elsewhere_is_raised_here(monkeypatch):
    monkeypatch.setattr(cores, "processors", lambda: 2)
    with pytest.raises(ValueError, match="-3 is below 0"):
        list(made_of_each(_with_process, [*range(60), -3]))


@pytest.mark.parametrize("format_", ["jsonl", "json"])
def test_many_reports_are_rated_as_few_are(run, tmp_path, monkeypatch, format_):
    """Refused ones, and ones with explanations, among them."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(REPORT))
    bad.write_text(json.dumps(REPORT | {"players": []}))
    asked = ("--rulebook", "elo", "--explain", "1", "--format", format_)
    one_by_one = run("rate", good, bad, good, bad, good, bad, *asked)
    monkeypatch.setattr(cores, "processors", lambda: 2)
    monkeypatch.setattr(cores, "_LEAST", 2)
    together = run("rate", good, bad, good, bad, good, bad, *asked)
    assert together.status == one_by_one.status == 1
    assert together.out == one_by_one.out


def test_the_library_rates_on_several_cores_as_on_one(tmp_path, monkeypatch):
    """Its reports may be files or objects; the first that is refused is told."""
    monkeypatch.setattr(cores, "_LEAST", 2)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(REPORT))
    given = [path, rb.read(path), path, rb.read(path)]
    one_by_one = rb.rate(given, "elo", explain="1")
    together = rb.rate(given, "elo", explain="1", cores=2)
    assert [each.as_dict() for each in together] == [each.as_dict() for each in one_by_one]
    assert str(together[0].explain("2")) == str(one_by_one[0].explain("2"))
    path.write_text(json.dumps(REPORT | {"players": []}))
    with pytest.raises(rb.Refused) as refused:
        rb.rate(given, "elo", cores=2)
    assert refused.value.findings.refused
    wrong: Any
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(rb.BadArgument, match="cores"):
            rb.rate(given, "elo", cores=wrong)


def test_the_collector_is_left_as_it_was():
    before = gc.get_threshold()
    try:
        for own in ((700, 10, 10), (100_000, 5, 5), (0, 10, 10)):
            gc.set_threshold(*own)
            with pytest.raises(ValueError, match="invalid"), collected_seldom():
                int("not a number")
            assert gc.get_threshold() == own
    finally:
        gc.set_threshold(*before)
