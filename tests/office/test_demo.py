"""The demonstration: invented people only, every file taken, all of it sound."""

from __future__ import annotations

import pytest

from ratingbook.office.acts import bundles, corrections, desk, doctor
from ratingbook.office.acts.requests import OPEN, PUBLISHED
from ratingbook.office.demo import play, world
from ratingbook.office.home import current
from ratingbook.office.store import models as m


def test_everybody_is_plainly_invented():
    words = {word.lower() for word in world._WORDS}
    for person in world.people():
        last, first = person.name.split(", ")
        assert first.lower() in words
        assert any(last.lower() == one + other for one in words for other in words)
    names = [person.name for person in world.people()]
    assert len(set(names)) == len(names)


def test_the_same_world_every_time():
    plan = world.PLANS[0]
    assert list(world.reports(plan, 2020)) == list(world.reports(plan, 2020))


@pytest.mark.slow
def test_two_years_go_through_the_real_intake(tmp_path, monkeypatch):
    monkeypatch.setattr(world, "YEARS", 2)
    done = play.play(tmp_path / "office")
    assert done.refused == []
    # The last two are at work: a revision after a correction, and a report with somebody to find.
    assert (done.reports, done.lists) == (40 + 1, 10 + 1)
    assert corrections.states_of() == {1: PUBLISHED, 2: OPEN}
    _, report = next(world.reports(world.PLANS[0], world.FIRST_YEAR + world.YEARS))
    (waits,) = desk.waiting(41)
    assert waits.candidates[0]["name"] == report.entries[0].name != waits.name
    assert done.formats == {"trf16", "trf26", "pgn", "document", "h9", "2c"}
    assert m.Person.objects.count() == len(world.people())
    assert not [each for each in doctor.examine(current()) if each.severity.refuses]
    replayed, _ = bundles.replay()
    assert len(replayed) == 11
    assert all(each.is_equal for each in replayed)
    for one in m.List.objects.all():
        assert one.rows > 0, one.pool.name
