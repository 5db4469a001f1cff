"""Who is on no list makes no list differ."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from ratingbook.office.acts import asking, corrections, desk, effects, receive, runs, setup
from ratingbook.office.acts.preview import Bench
from ratingbook.office.store import models as m
from tests.office.reports import document, write

LIST = date(2026, 4, 1)
GONE = {
    "1": ("Alpha, Anna", "w", "1990-01-05", "701"), "2": ("Bravo, Ben", "m", "1985-03-07", "702"),
}  # fmt: skip
PLAYING = {
    "3": ("Charlie, Chris", "m", "1999-09-09", "703"),
    "4": ("Delta, Dora", "w", "2001-12-24", "704"),
}


@pytest.fixture
def office(home, tina, tmp_path):
    """Two who play Go, and two who did so once and are on no list any more."""
    setup.add_pool("go", "egf-2021", tina, {}, {"revise": "affected"})
    setup.add_actor("anna", ["player"], tina)
    for name, day, players, grade in (
        ("Old Open", "2022-01-10", GONE, "1d"), ("New Open", "2026-03-10", PLAYING, "2k"),
    ):  # fmt: skip
        said = document(name, day, {("1", "2"): "1-0", ("3", "4"): "1-0"}, players)
        for each in said["players"]:
            each["grade"] = grade
        path = write(tmp_path, f"{day}.json", said)
        received = receive.receive(home, path, tina, receive.Options(pool="go", another=True))
        if received.waiting and received.id is not None:
            desk.link_new(received.id, tina)
    publish(home, tina)
    return home


def publish(home, tina) -> None:
    run = runs.make(home, "go", LIST, tina).run
    runs.approve(run.id, tina)
    runs.publish(home, run.id, tina)


def test_a_correction_of_who_is_on_no_list_revises_none(office, tina):
    (one,) = m.List.objects.all()
    assert (one.rows, len(one.not_listed)) == (2, 2)
    content = asking.game(1, 1, "0-1")
    shown = Bench(office).preview([content]).as_dict()
    assert (shown["players"], shown["lists"]) == (2, [])
    asked = corrections.ask(office, [content], "the sheet says so", replace(tina, actor="anna"))
    corrections.accept(office, asked.id, tina)
    publish(office, tina)
    assert list(m.List.objects.values_list("revision", flat=True)) == [1]
    told = effects.of_corrections(office, [asked.id])[asked.id]
    assert told.figures.players == 2
    assert (told.on_lists, told.revised) == ((), ())
