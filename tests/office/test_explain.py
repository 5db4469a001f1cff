"""What explanations say of lists: none is named that nobody can open."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import explain, receive, setup
from ratingbook.office.acts.published import head_run
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from tests.office.reports import document, write
from tests.office.test_corrections import publish_one
from tests.office.test_runs import opened, with_events


def of_lists(home, key: str) -> list[str]:
    """What the steps of a batch say of the list with which an event was rated."""
    run = head_run(m.Pool.objects.get(name="standard"))
    assert run is not None
    (row,) = explain.derived(home, run, 1, key)
    return [str(step.text) for step in row.explanation if step.rule == "list_in_force"]


def test_a_list_that_was_skipped_is_not_named_as_one(home, tina, tmp_path):
    """A run may rate several periods, and brings the list of its last day alone."""
    opened(home, tina, tmp_path, "fide-2024")
    for name, day in (("Winter Open", "2026-01-10"), ("Spring Open", "2026-03-20")):
        path = write(tmp_path, f"{day}.json", document(name, day, {("1", "2"): "1-0"}))
        receive.receive_all(home, [path], tina, receive.Options(another=True, pool="standard"))
        if name == "Winter Open":
            publish_one(home, tina, date(2026, 3, 1))
    publish_one(home, tina, date(2026, 5, 1))
    assert [str(x) for x in m.List.objects.order_by("date").values_list("date", flat=True)] == [
        "2026-03-01", "2026-05-01",
    ]  # fmt: skip
    # The last change is that of what was published; as known before, it is an older one.
    first = m.List.objects.order_by("date").values_list("fact", flat=True)[0]
    assert explain.explain_now(home, 1).key == "2026-04-01"
    assert explain.explain_now(home, 1, known=first).key == "2026-02-01"
    with pytest.raises(OfficeRefused, match="has no rated game"):
        explain.explain_now(home, 1, known=1)
    (winter,), (spring,) = (of_lists(home, key) for key in ("2026-02-01", "2026-04-01"))
    assert "as they stood on 2026-01-01, of which this office has published no list" in winter
    assert spring.endswith("ratings of the list of 2026-03-01")


@pytest.mark.parametrize(
    ("rulebook", "decimals"),
    [
        ("uscf-2011", 0),
        ("uscf-2014", 0),
        ("uscf-2025", 0),
        ("fide-2024", 0),
        ("elo", 0),
        ("elo", 1),
    ],
)
def test_explanations_come_to_what_is_published(home, tina, tmp_path, rulebook, decimals):
    """Also where a rule rounds by itself: that of 2011 away from the rating of before."""
    with_events(home, tina, tmp_path, rulebook)
    setup.set_policies("standard", {"decimals": str(decimals)}, "", tina)
    publish_one(home, tina, date(2026, 4, 1))
    assert m.Change.objects.count() > 6
    for person, key in m.Change.objects.values_list("person", "batch__key"):
        told = explain.explain_now(home, person, key=key)
        assert "office.explained-otherwise" not in {each.code for each in told.findings}, person
