"""The games of the period on a list are of its own day, on whatever day its run ends."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import bundles, doctor, imports, lists, receive, runs, setup
from ratingbook.office.bundle import verify
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from tests.office.prepared import prepared
from tests.office.reports import document, write

PLAYERS = {
    "4100001": ("Alpha, Anna", 2010, "1980-01-01"),
    "4100002": ("Bravo, Ben", 1900, "1985-03-07"),
    "4100003": ("Charlie, Chris", 1950, "1984-03-07"),
}
FEBRUARY = date(2026, 2, 1)


@prepared
def standard(home, tina, tmp_path):
    """A pool of FIDE, and an event that is of the list of February."""
    setup.add_pool("standard", "fide-2024", tina)
    path = tmp_path / "players.csv"
    lines = ["id,name,rating,games,birth_date"]
    lines += [f'{n},"{name}",{rating},300,{born}' for n, (name, rating, born) in PLAYERS.items()]
    path.write_text("\n".join(lines), "utf-8")
    imports.import_file(home, path, "fide", tina, "standard")
    people = {n: (name, "m", born, n) for n, (name, _, born) in PLAYERS.items()}
    said = document("New Year", "2026-01-10", {("4100001", "4100002"): "1-0"}, people)
    for each in said["players"]:
        each["ids"] = {"fide": each["id"]}
    options = receive.Options(pool="standard")
    receive.receive_all(home, [write(tmp_path, "new.json", said)], tina, options)
    return home


def publish(home, tina, until: date) -> m.List:
    run = runs.make(home, "standard", until, tina).run
    runs.approve(run.id, tina, "")
    runs.publish(home, run.id, tina)
    return m.List.objects.latest("id")


def games_of(one: m.List) -> dict[str, object]:
    return {row["name"]: row.get("period_games") for row in lists.rows_of(one)}


PLAYED = {name: 2 for name, _, _ in PLAYERS.values()}
"""Everybody against everybody."""


def verified(home, one: m.List, tina, tmp_path) -> list[str]:
    out = tmp_path / f"{one.id}.zip"
    bundles.write_bundle(home, one, out, tina, with_birth_dates=True)
    return [each.code for each in verify(out).findings if each.code.startswith("verify.list")]


def test_a_run_that_ends_on_another_day_brings_the_games_of_its_list(standard, tina, tmp_path):
    one = publish(standard, tina, date(2026, 2, 15))
    assert (one.date, games_of(one)) == (FEBRUARY, PLAYED)
    assert not verified(standard, one, tina, tmp_path)
    assert not list(doctor.examine(standard))
    # Asked for on another day on which it is in force it is to the letter the same.
    for day in (FEBRUARY, date(2026, 2, 20)):
        again, findings = lists.make_list(standard, "standard", day, tina)
        assert (again.id, again.revision, games_of(again)) == (one.id, 1, PLAYED)
        assert [each.code for each in findings] == ["office.list-unchanged"]
    with pytest.raises(OfficeRefused) as refused:
        lists.make_list(standard, "standard", date(2026, 1, 31), tina)
    assert [each.code for each in refused.value.findings] == ["office.list-back"]


@pytest.mark.parametrize("later", [False, True])
def test_a_list_without_its_games_gets_a_right_revision(
    standard, tina, tmp_path, monkeypatch, later
):
    """So lists were made before; the doctor tells of the newest revision, and how to mend it."""
    with monkeypatch.context() as then:
        as_now = lists._changes_on
        then.setattr(lists, "_changes_on", lambda *given: as_now(*given).slice(0, 0))
        wrong = publish(standard, tina, date(2026, 2, 15))
    assert set(games_of(wrong).values()) == {None}
    assert verified(standard, wrong, tina, tmp_path) == ["verify.list"]
    if later:
        publish(standard, tina, date(2026, 3, 31))
    assert [each.code for each in doctor.examine(standard)] == ["doctor.games-of-list"]
    right, _ = lists.make_list(standard, "standard", FEBRUARY, tina)
    assert (right.date, right.revision, games_of(right)) == (FEBRUARY, 2, PLAYED)
    assert not verified(standard, right, tina, tmp_path)
    assert not list(doctor.examine(standard))
