"""Who is on no list makes no list differ."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ratingbook.office.acts import (
    asking,
    corrections,
    desk,
    effects,
    imports,
    receive,
    register,
    runs,
    setup,
)
from ratingbook.office.acts.preview import Bench
from ratingbook.office.logic.effects import Listing
from ratingbook.office.store import models as m
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import document, write

LIST = date(2026, 4, 1)
GONE = {
    "1": ("Alpha, Anna", "w", "1990-01-05", "701"), "2": ("Bravo, Ben", "m", "1985-03-07", "702"),
}  # fmt: skip
PLAYING = {
    "3": ("Charlie, Chris", "m", "1999-09-09", "703"),
    "4": ("Delta, Dora", "w", "2001-12-24", "704"),
}


@prepared
def office(home, tina, tmp_path):
    """Two who play Go, and two who did so once and are on no list any more."""
    setup.add_pool("go", "egf-2021", tina, {}, {"revise": "affected"})
    setup.add_actor("anna", ["player"], tina)
    for name, day, players, grade in (
        ("Old Open", "2022-01-10", GONE, "1d"), ("New Open", "2026-03-10", PLAYING, "2k"),
    ):  # fmt: skip
        results = {("1", "2"): "1-0", ("3", "4"): "1-0"}
        received_go(home, tina, tmp_path, document(name, day, results, players), grade)
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


def test_who_leaves_a_list_has_a_rating_still_and_who_comes_back_had_one(home, tina, tmp_path):
    """The list has no line of him: what holds of him after it is told, and that it is so."""
    setup.add_pool("go", "egf-2021", tina, {}, {"revise": "affected"})
    setup.add_actor("anna", ["player"], tina)
    for name, day, players in (
        ("Old Open", "2022-01-10", {**GONE, "3": PLAYING["3"]}),
        ("New Open", "2026-03-10", {"1": GONE["1"], **PLAYING}),
    ):
        received_go(home, tina, tmp_path, document(name, day, {("1", "3"): "1-0"}, players))
    publish(home, tina)
    left, back = (
        m.PersonName.objects.get(text=GONE[key][0], kind="main").person_id for key in "12"
    )
    content = asking.player(2, "1", back)
    asked = corrections.ask(home, [content], "the sheet says so", replace(tina, actor="anna"))
    corrections.accept(home, asked.id, tina)
    publish(home, tina)
    told = effects.of_corrections(home, [asked.id])[asked.id]
    of_list = {each.person: each for each in told.on_lists}
    after = {each.person: each for each in told.numbers if not each.is_on_list}
    assert of_list[left].listing is Listing.left
    assert of_list[left].now is not None
    assert (of_list[left].was, of_list[left].now) == (after[left].was, after[left].now)
    assert (of_list[back].was, of_list[back].now) == (after[back].was, after[back].now)
    assert of_list[back].listing is Listing.came
    assert of_list[left] in told.numbers, "it is told beside what the event left of him"
    pool = m.Pool.objects.get(name="go")
    rows = register.since_first(home, pool, left)
    assert rows[-1]["now"] == of_list[left].now
    assert rows[-1]["listing"] == "left"
    changed = register.entry(home, asked.id)["changed"]
    assert {(x["person"], x["listing"]) for x in changed} >= {(left, "left"), (back, "came")}
    officer = Officer(home.folder)
    seen = officer.sees("register", asked.id)
    assert "no rating any more" not in seen
    assert "not on this list any more" in " ".join(seen.split())
    why = officer.sees("why", left, "--pool", "go")
    assert "not on this" in why


def received_go(home, tina, tmp_path, said, grade="1d") -> None:
    """Everybody comes in with a grade, and as somebody new if the office does not know him."""
    for each in said["players"]:
        each["grade"] = grade
    path = write(tmp_path, f"{said['event']['start']}.json", said)
    received = receive.receive(home, path, tina, receive.Options(pool="go", another=True))
    if received.waiting and received.id is not None:
        desk.link_new(received.id, tina)


def test_who_fell_below_the_floor_is_printed_again_with_the_next_published_rating(
    home, tina, tmp_path
):
    """By hand: 1400 loses 10 by a game lost to 1400 (K = 20), and 1390 is below the floor.

    One game, won against 1900, is no first rating: at least five are needed (6b). So the list has
    the other two, as one that is made of the same games as a history has.
    """
    setup.add_pool("standard", "fide", tina)
    people = {
        "1": ("Alpha, Anna", "w", "1990-01-05", "701"),
        "2": ("Bravo, Ben", "m", "1985-03-07", "702"),
        "3": ("Charlie, Chris", "m", "1999-09-09", "703"),
    }
    ratings = {"1": 1900, "2": 1400, "3": 1400}
    known = [{"id": people[key][3], "name": people[key][0], "rating": rating, "games": 100}
             for key, rating in ratings.items()]  # fmt: skip
    imports.import_file(home, write(tmp_path, "known.json", known), "national", tina, "standard")
    for number, (day, other, result) in enumerate(
        (("2025-03-10", "3", "0-1"), ("2025-04-10", "1", "1-0"))
    ):
        players = {"2": people["2"], other: people[other]}
        results = {("2", other): result}
        said = document(f"Open {number}", day, results, players, time_control="90+30")
        path = write(tmp_path, f"{number}.json", said)
        receive.receive(home, path, tina, receive.Options("standard"))
    assert printed(home, tina, date(2025, 4, 1)) == {"1": 1900, "3": 1410}
    assert printed(home, tina, date(2025, 5, 1)) == {"1": 1900, "3": 1410}


def printed(home, tina, day: date) -> dict[str, float | None]:
    """The ratings of the list that a run brings, by the players' numbers in their reports."""
    run = runs.make(home, "standard", day, tina).run
    runs.approve(run.id, tina)
    runs.publish(home, run.id, tina)
    listed = m.ListRow.objects.filter(list__date=day).order_by("person")
    return {str(each.person): each.rating for each in listed}
