"""What corrections changed of what was published: one truth for pages, commands and mails."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from ratingbook.model.decimals import change_of
from ratingbook.office.acts import (
    asking,
    corrections,
    decisions,
    desk,
    effects,
    imports,
    lists,
    notices,
    people,
    reasons,
    receive,
    register,
    reports,
    runs,
    setup,
    undoing,
)
from ratingbook.office.acts.decisions import Deciding
from ratingbook.office.acts.masking import says_of
from ratingbook.office.acts.preview import Bench
from ratingbook.office.acts.published import history_of
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.logic.effects import Listing
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from tests.office.officers import add_colleagues
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write
from tests.office.test_corrections import publish
from tests.office.test_runs import opened

FEBRUARY, APRIL = date(2026, 2, 1), date(2026, 4, 1)


def revising(home, tina, tmp_path, rulebook):
    """An office with a pool that revises the lists that are reached, and who may ask and accept."""
    opened(home, tina, tmp_path, rulebook)
    setup.set_policies("standard", {"revise": "affected"}, "", tina)
    add_colleagues(tina)


@prepared
def office(home, tina, tmp_path):
    """Two events, each on a published list of its own."""
    revising(home, tina, tmp_path, "fide-2009")
    for number, (name, day, until) in enumerate(
        [("Winter Open", "2026-01-10", FEBRUARY), ("Spring Open", "2026-02-20", APRIL)]
    ):
        path = write(tmp_path, f"{number}.json", document(name, day, {("1", "2"): "1-0"}))
        receive.receive_all(home, [path], tina, receive.Options(another=True))
        publish(home, tina, until)
    return home


def hold(home, content, tina):
    """Ask for something and accept it; its number."""
    asked = corrections.ask(home, [content], "the sheet says so", replace(tina, actor="anna"))
    corrections.accept(home, asked.id, tina)
    return asked.id


def rating(pool: str, day: date, revision: int, person: int) -> float:
    one = m.List.objects.get(pool__name=pool, date=day, revision=revision)
    found = next(each["rating"] for each in lists.rows_of(one) if each["id"] == str(person))
    return float(found)


def listed(found: effects.Told) -> list[tuple[date, int]]:
    return [(each.date, each.revision) for each in found.revised]


@pytest.mark.parametrize("revise", ["none", "latest", "affected"])
def test_the_list_that_a_run_brings_again_has_the_day_of_the_rules(office, tina, revise):
    """A run up to a day between two lists brings the earlier one, whatever it revises."""
    setup.set_policies("standard", {"revise": revise}, "", tina)
    until = date(2026, 4, 20)
    publish(office, tina, until)
    days = [FEBRUARY, APRIL] if revise == "affected" else [APRIL]
    number = hold(office, asking.game(1, 1, "0-1"), tina)
    coming = effects.awaited(office, number).numbers
    publish(office, tina, until)
    told = effects.of_corrections(office, [number])[number]
    assert [each.date for each in told.revised] == days
    assert coming == told.numbers


def test_several_corrections_of_one_run_share_what_nobody_saw_apart(office, tina):
    """Only what was published before and after counts, and of whom it cannot be told apart."""
    of_spring = asking.game(2, 1, "1/2-1/2")
    late = hold(office, of_spring, tina)
    early = hold(office, asking.game(1, 1, "0-1"), tina)
    other = hold(office, asking.game(1, 2, "1-0"), tina)
    shown = Bench(office).preview([of_spring]).as_dict()
    assert shown["players"] == 0, "it holds already"
    for person in (1, 2, 3):
        notices.set_contact(f"person:{person}", f"p{person}@club.invalid", "each", tina)
    publish(office, tina)
    told = effects.of_corrections(office, [late, early, other])
    # The corrected game of spring is no cause of a list that was made before it was played.
    assert listed(told[late]) == [(APRIL, 2)]
    assert listed(told[early]) == listed(told[other]) == [(FEBRUARY, 2), (APRIL, 2)]
    was, now = (rating("standard", APRIL, revision, 1) for revision in (1, 2))
    for number in (late, early, other):
        mine = [x for x in told[number].numbers if x.person == 1][-1]
        assert (mine.was, mine.now, mine.corrections) == (was, now, (late, early, other))
    shown = register.entry(office, late)
    assert {each["day"] > str(FEBRUARY) for each in shown["changed"]} == {True}
    assert shown["reach"]["lists"] == ["standard@2026-04-01"]
    assert set(shown["reach"]["largest"]) == {"standard"}
    # Who had contacts is told once, of the number of before and of now.
    waiting = m.Notice.objects.filter(kind="changed").order_by("whose")
    assert [each.whose for each in waiting] == ["person:1", "person:2", "person:3"]
    for each, person in zip(waiting, (1, 2, 3), strict=True):
        assert each.said["before"] == rating("standard", APRIL, 1, person)
        assert each.said["after"] == rating("standard", APRIL, 2, person)
    assert waiting[0].said["corrections"] == [late, early, other]
    assert notices.send(office, tina)[0] == 3
    mails = "".join(each.read_text() for each in (office.folder / "mail").iterdir())
    assert "Corrections 1, 2, 3 changed your rating" in mails


def test_what_one_correction_takes_and_another_gives_back_changed_nobody(office, tina):
    """A number that nobody saw is no number that was published."""
    hold(office, asking.game(1, 1, "0-1"), tina)
    back = hold(office, asking.game(1, 1, "1-0"), tina)
    notices.set_contact("person:1", "p1@club.invalid", "each", tina)
    publish(office, tina)
    for number in (1, back):
        assert effects.of_corrections(office, [number])[number].figures.players == 0
        assert register.entry(office, number)["changed"] == []
    assert not m.Notice.objects.filter(kind="changed").exists()


def test_an_event_that_is_taken_out_changes_by_what_it_had_brought(office, tina):
    """Its rows are gone; who had them has the rating of before."""
    content = asking.event("2", "withdraw")
    shown = Bench(office).preview([content]).as_dict()
    before = {person: rating("standard", APRIL, 1, person) for person in range(1, 7)}
    number = hold(office, content, tina)
    awaited = effects.awaited(office, number)
    publish(office, tina)
    told = effects.of_corrections(office, [number])[number]
    assert told.figures == awaited.figures
    assert (told.figures.players, told.figures.batches) == (shown["players"], shown["batches"])
    gone = {each.person: each for each in told.numbers}
    for person, was in before.items():
        assert (gone[person].was, gone[person].now) == (was, rating("standard", APRIL, 2, person))
    assert told.figures.largest == shown["most"] > 0


@prepared
def two_pools(office, tina, tmp_path):
    """The same people also play quickly; there, nothing more is published."""
    setup.add_pool("rapid", "elo", tina, policies={"assume": "1700"})
    path = write(tmp_path, "r.json", document("Rapid Open", "2026-01-15", {("3", "4"): "1-0"}))
    receive.receive_all(office, [path], tina, receive.Options(another=True, pool="rapid"))
    made = runs.make(office, "rapid", FEBRUARY, tina)
    runs.approve(made.run.id, tina)
    runs.publish(office, made.run.id, tina)
    return office


def test_a_merge_that_is_undone_counts_where_it_was_published(two_pools, tina):
    """In the other pool nobody ever saw it, and persons are no more than there are."""
    office = two_pools
    people.merge(6, 5, "one person", tina)
    publish(office, tina)
    fact = m.Fact.objects.filter(kind="merge").latest("seq").seq
    content = asking.undo(fact)
    shown = Bench(office).preview([content]).as_dict()
    assert shown["pools"]["rapid"]["players"] == shown["pools"]["rapid"]["differences"]["players"]
    assert shown["pools"]["rapid"]["players"] == 0
    number = hold(office, content, tina)
    assert effects.awaited(office, number).figures.players == shown["players"]
    notices.set_contact("person:3", "p3@club.invalid", "each", tina)
    made = publish(office, tina)
    run = m.Publication.objects.get(fact=made.fact).run
    told = effects.of_corrections(office, [number])[number]
    assert {each.pool for each in told.numbers} == {run.pool_id}
    assert told.figures.players == shown["players"] <= 6

    assert told.figures.largest == shown["most"]
    assert shown["changed"] == run.report["players"]


def why(office, person):
    """What the last change of each of a person's numbers is told to come from."""
    pool = m.Pool.objects.get(name="standard")
    return register.since_first(office, pool, person)[-1]["why"]


def test_an_event_that_was_aside_in_between_came_late(office, tina, tmp_path):
    """Not what was decided of it on the way is the reason, but what came of it."""
    path = write(tmp_path, "late.json", document("Late Open", "2026-03-10", {("1", "3"): "1-0"}))
    receive.receive_all(office, [path], tina, receive.Options(another=True))
    reports.put_aside("3", "hold", "who knows", tina)
    publish(office, tina)
    reports.put_aside("3", "release", "it was played", tina)
    publish(office, tina)
    assert why(office, 1) == ["report 3 came late: Late Open"]
    reports.put_aside("3", "withdraw", "olga says that it was not", tina)
    publish(office, tina)
    assert why(office, 1) == ["report 3 was taken out: Late Open"]


def test_whoever_was_merged_or_decided_of_is_named_by_the_name_of_today(office, tina):
    people.merge(6, 5, "anna says so", tina)
    publish(office, tina)
    said = "Foxtrot, Fay (6) and Echo, Emil (5) are one person"
    assert why(office, 1) == [said]
    fact = m.Fact.objects.filter(kind="merge").latest("seq").seq
    content = asking.undo(fact)
    apart = "Foxtrot, Fay (6) and Echo, Emil (5) are two persons"
    assert says_of([content]) == [apart]
    # Who is suppressed has no name, nor has whoever was said to be the same person.
    suppress(office, 6, "asked for it", tina)
    assert why(office, 1) == ["Player 6 and Player 5 are one person"]
    assert says_of([content]) == ["Player 6 (6) and Player 5 (5) are two persons"]
    undoing.undo(fact, "two after all", tina)
    publish(office, tina)
    assert why(office, 1) == ["Player 6 and Player 5 are two persons"]


def test_what_is_undone_is_told_by_what_it_was(office, tina):
    number = hold(office, asking.game(1, 1, "0-1"), tina)
    back = corrections.taking_back(number)
    assert says_of(back) == [f"correction {number} no longer holds"]


@pytest.mark.parametrize("way", ["rerate", "next_list"])
def test_what_was_taken_back_before_a_run_promises_nothing(office, tina, way):
    setup.set_policies("standard", {"corrections": way}, "", tina)
    for content in (asking.game(1, 1, "0-1"), asking.event("1", "withdraw")):
        number = hold(office, content, tina)
        assert register.entry(office, number)["reach"]["players"] > 0
        asked = corrections.ask(office, corrections.taking_back(number), "no", tina)
        corrections.accept(office, asked.id, tina)
        for each in (number, asked.id):
            told = register.entry(office, each)
            assert (told["state"], told["reach"]["players"], told["changed"]) == ("accepted", 0, [])


def test_what_was_done_and_undone_before_anybody_saw_it_is_no_reason(office, tina, tmp_path):
    path = write(tmp_path, "late.json", document("Late Open", "2026-03-10", {("1", "3"): "1-0"}))
    receive.receive_all(office, [path], tina, receive.Options(another=True))
    fact, _ = people.merge(6, 5, "one person", tina)
    undoing.undo(fact, "two after all", tina)
    publish(office, tina)
    here, base = (each.run for each in m.Publication.objects.order_by("-seq")[:2])
    assert [each.says for each in reasons.between([(here, base)])] == [
        "report 3 came late: Late Open"
    ]


MAY = date(2024, 5, 1)


@prepared
def reformed(home, tina, tmp_path):
    """Two events before FIDE changed all ratings on 1 March 2024, and one long after it.

    In between two others play, so that there is a list by the new rules.
    """
    opened(home, tina, tmp_path, "fide")
    setup.set_policies("standard", {"revise": "affected"}, "", tina)
    add_colleagues(tina)
    events = [("Old Open", "2023-06-10", date(2023, 7, 1), "123456"),
              ("Old Cup", "2023-10-10", date(2023, 11, 1), "123456"),
              ("Match", "2024-04-10", MAY, "34"),
              ("Winter Open", "2026-01-10", FEBRUARY, "123456")]  # fmt: skip
    for number, (name, day, until, who) in enumerate(events):
        people_ = {each: PLAYERS[each] for each in who}
        said = document(name, day, {("1", "6"): "1-0"}, people_)
        path = write(tmp_path, f"{number}.json", said)
        receive.receive_all(home, [path], tina, receive.Options(another=True))
        publish(home, tina, until)
    return home


@pytest.mark.parametrize("reports_", [("4",), ("2", "4"), ("1",), ("1", "2"), ("1", "2", "4")])
def test_a_reform_between_two_batches_is_in_the_numbers_that_are_told(reformed, tina, reports_):
    """Who is not rated any more by an event has the number of the list, with the reform in it."""
    every = [rating_of(FEBRUARY, 1), rating_of(MAY, 1)]
    content = [asking.event(each, "withdraw") for each in reports_]
    shown = Bench(reformed).preview(content).as_dict()
    asked = corrections.ask(reformed, content, "not played", replace(tina, actor="anna"))
    corrections.accept(reformed, asked.id, tina)
    awaited = effects.awaited(reformed, asked.id)
    publish(reformed, tina, FEBRUARY)
    told = effects.of_corrections(reformed, [asked.id])[asked.id]

    assert told.figures.largest == shown["most"]
    lasts = {each.person: each for each in told.numbers if each.day == FEBRUARY}
    for person, was in every[0].items():
        now = rating_of(FEBRUARY, 2).get(person, was)
        if person in lasts:
            assert (lasts[person].was, lasts[person].now) == (was, now)
    for each in told.on_lists:
        newest = m.List.objects.filter(date=each.day).order_by("revision").last()
        assert newest is not None
        printed = [rating_of(each.day, revision)[each.person] for revision in (1, newest.revision)]
        assert [each.was, each.now] == printed
    if reports_ == ("4",):
        assert awaited.numbers == told.numbers


@prepared
def carried(home, tina, tmp_path):
    """Lists of before FIDE changed all ratings, with people who play later, or never."""
    opened(home, tina, tmp_path, "fide")
    setup.set_policies("standard", {"revise": "affected"}, "", tina)
    path = tmp_path / "more.csv"
    path.write_text('id,name,rating,games\n801,"Mike, Mia",1590,40\n802,"November, Noa",1580,40\n')
    imports.import_file(home, path, "national", tina, "standard")
    add_colleagues(tina)
    for number, (name, day, until, who) in enumerate(
        [("Old Open", "2023-06-10", date(2023, 7, 1), "1234"), ("Match", "2024-04-10", MAY, "56")]
    ):
        said = document(name, day, {}, {each: PLAYERS[each] for each in who})
        path = write(tmp_path, f"{number}.json", said)
        receive.receive_all(home, [path], tina, receive.Options(another=True))
        publish(home, tina, until)
    return home


def comes_in(who, tina):
    """Who comes in otherwise, and what is asked for that."""
    mia = m.PersonName.objects.get(text="Mike, Mia").person_id
    if who == "is somebody else":
        other, _ = people.add_person(NewPerson("Mike, Mia-Maria"), "", tina)
        return other, asking.merge(mia, other)
    person, value = (6, "1650") if who == "plays later" else (mia, "1610")
    return person, asking.opening("standard", {person: {"rating": value, "games": "40"}})


@pytest.mark.parametrize("who", ["plays later", "plays never", "is somebody else"])
def test_who_comes_in_otherwise_is_told_of_lists_before_a_reform(carried, tina, who):
    """They carry what somebody came in with, until the rules change it; marks are crossed there."""
    person, content = comes_in(who, tina)
    reach = Bench(carried).preview([content]).reaches[0]
    number = hold(carried, content, tina)
    awaited = effects.awaited(carried, number)
    publish(carried, tina, MAY)
    told = effects.of_corrections(carried, [number])[number]
    old = date(2023, 7, 1)
    assert old in [each.day for each in told.numbers if each.person == person]
    assert [replace(x, corrections=(number,)) for x in reach.numbers] == list(told.numbers)
    assert awaited.numbers == told.numbers
    assert reach.lists == tuple(each.date for each in told.revised)
    if who == "is somebody else":
        assert not reach.report["crossed_then"], "nobody had another rating before"
        return
    (crossed,) = [x for x in reach.report["crossed_then"] if x["person"] == person]
    was, now = rating("standard", old, 1, person), rating("standard", old, 2, person)
    assert (crossed["rating"], crossed["day"], crossed["mark"]) == ("listed", str(old), 1600.0)
    assert (crossed["was"], crossed["now"]) == (was, now)


@pytest.mark.parametrize("is_published", [False, True], ids=("accepted", "published"))
def test_a_reform_comes_once_to_an_event_that_was_taken_out_and_let_in_again(
    reformed, tina, is_published
):
    """The event lies after the reform: its rows have the lift already."""
    out = hold(reformed, asking.event("4", "withdraw"), tina)
    if is_published:
        publish(reformed, tina, FEBRUARY)
    (back,) = corrections.taking_back(out)
    hold(reformed, back, tina)
    content = asking.game(4, 1, "0-1")
    shown = Bench(reformed).preview([content]).as_dict()["pools"]["standard"]["differences"]
    hold(reformed, content, tina)
    run = runs.make(reformed, "standard", FEBRUARY, tina).run
    was = {each["player"]: each for each in run.report["largest"]}
    assert {each["player"] for each in shown["largest"]} >= {"1", "2"}
    assert [was[each["player"]] for each in shown["largest"]] == shown["largest"]


def rating_of(day, revision):
    one = m.List.objects.filter(pool__name="standard", date=day, revision=revision).first()
    return {} if one is None else {int(x["id"]): x["rating"] for x in lists.rows_of(one)}


@prepared
def with_reports(office, tina, tmp_path):
    """Reports have come and no run has rated them: two late ones, and one of a later month."""
    lost = {("1", other): "0-1" for other in "23456"}
    events = [("Late Open", "2026-01-05", lost), ("Late Cup", "2026-03-10", {("2", "3"): "1-0"}),
              ("Summer Open", "2026-05-10", lost)]  # fmt: skip
    for name, day, results in events:
        path = write(tmp_path, f"{name}.json", document(name, day, results))
        after = replace(tina, at=datetime(2026, 5, 20, 9, tzinfo=UTC))
        received, _ = receive.receive_all(office, [path], after, receive.Options(another=True))
        assert received[0].state == "ready"
    return office


def own_of(some):
    return {(each.key, each.person): each.change for each in some}


def test_reports_that_wait_are_no_effect_of_a_correction(office, tina, tmp_path, request):
    """Neither before it is published nor after, and a page shows no number that rests on them."""
    content = asking.game(1, 1, "0-1")
    alone = own_of(Bench(office).preview([content]).reaches[0].numbers)
    assert max(map(abs, alone.values())) == 15
    request.getfixturevalue("with_reports")
    shown = Bench(office).preview([content])
    # Who is rated lower by them wins and loses otherwise afterwards.
    near = {at: pytest.approx(value, abs=3) for at, value in alone.items()}
    of_now = own_of(shown.reaches[0].numbers)
    assert {at: of_now.get(at, 0) for at in near} == near
    assert set(of_now) <= set(alone)
    assert max(abs(x["change"]) for x in shown.reaches[0].report["largest"]) < 18
    for person in (1, 2):
        notices.set_contact(f"person:{person}", f"p{person}@club.invalid", "each", tina)
    number = hold(office, content, tina)
    awaited = effects.awaited(office, number)
    previewed = [replace(each, corrections=(number,)) for each in shown.reaches[0].numbers]
    assert list(awaited.numbers) == previewed
    for each in awaited.numbers:
        # What is published, and that with the effect.
        assert each.change == change_of(each.was, each.now)
        assert not each.is_with_others
    # What takes it back before it is published changes nothing.
    back = Bench(office).preview(corrections.taking_back(number))
    assert back.as_dict()["players"] == back.as_dict()["changed"] == 0
    before = rating("standard", APRIL, 1, 1)
    publish(office, tina, date(2026, 6, 1))
    pool = m.Pool.objects.get(name="standard")
    told = effects.of_corrections(office, [number])[number]
    # A number that is published as it was before is none that was changed.
    assert own_of(told.numbers).items() <= of_now.items()
    assert all(each.was != each.now for each in told.numbers)
    assert told.figures.largest == awaited.figures.largest
    last = [each for each in told.numbers if each.person == 1][-1]
    assert (last.day, last.was, last.is_with_others) == (APRIL, before, True)
    assert last.now == rating("standard", APRIL, 2, 1) == history_of(pool, 1)[-2]["after"]
    on_list = {each.person: each for each in told.on_lists if each.day == APRIL}[1]
    assert (on_list.was, on_list.change) == (before, last.change)
    # Where a report brought a row, the number of before is the one that stood there.
    why_ = register.since_first(office, pool, 1)
    assert [(x["day"], x["was"], x["now"]) for x in why_ if x["day"] == str(APRIL)] == [
        (str(APRIL), before, last.now)
    ]
    for person in range(1, 7):
        for row in register.since_first(office, pool, person):
            assert row["was"] != row["now"]
            assert row["why"]
    said = m.Notice.objects.get(kind="changed", whose="person:1").said
    assert (said["before"], said["own"]) == (before, last.change)
    notices.send(office, tina)
    mails = "".join(each.read_text() for each in (office.folder / "mail").iterdir())
    assert last.change is not None
    assert f"What was corrected moved it by −{-last.change:.0f}; something else" in mails
    # Taken back on what is published it is what it did.
    shown = Bench(office).preview(corrections.taking_back(number))
    back_on = {(x.day, x.person): x.change for x in shown.reaches[0].numbers}
    assert back_on[APRIL, 1] == pytest.approx(-last.change, abs=1)


def test_a_correction_is_told_by_what_held_when_it_took_effect(office, tina):
    """Something else of the game was accepted after it was asked for."""
    contents = [asking.game(1, 1, "1/2-1/2")]
    first = hold(office, asking.game(1, 1, "0-1"), tina)
    publish(office, tina)
    open_ = corrections.ask(office, contents, "a draw", replace(tina, actor="anna")).id
    # While it is open, it is beside what holds.
    assert register.entry(office, open_)["says"][0].endswith("½–½ instead of 0–1")
    corrections.accept(office, open_, tina)
    said = register.entry(office, open_)
    assert said["says"][0].endswith("½–½ instead of 0–1")
    assert said["contents"][0]["before"]["half"] == 0
    assert register.entry(office, first)["says"][0].endswith("0–1 instead of 1–0")
    publish(office, tina)
    assert "½–½ instead of 0–1" in why(office, 1)[0]
    # Once both no longer hold, what they were is told as before.
    for number in (open_, first):
        hold_back = corrections.ask(office, corrections.taking_back(number), "no", tina).id
        corrections.accept(office, hold_back, tina)
    assert register.entry(office, open_)["says"][0].endswith("½–½ instead of 0–1")


def test_what_a_new_version_did_is_told_beside_the_correction_of_the_same_run(
    office, tina, tmp_path
):
    """One run has a correction of one event and new versions of both."""
    number = hold(office, asking.game(1, 6, "1-0"), tina)
    won = {("1", "2"): "1-0", ("3", "4"): "0-1", ("3", "5"): "0-1"}
    for at, (name, day) in enumerate(
        (("Winter Open", "2026-01-10"), ("Spring Open", "2026-02-20"))
    ):
        path = write(tmp_path, f"again{at}.json", document(name, day, won))
        newer = receive.receive(office, path, tina)
        assert (newer.id, newer.version) == (at + 1, 2)
        reports.put_aside(str(at + 1), "release", "the sheet says so", tina)
    publish(office, tina, APRIL)
    pool = m.Pool.objects.get(name="standard")
    alone = {each.person: each for each in effects.of_corrections(office, [number])[number].numbers}
    for person, one in alone.items():
        assert one.is_with_others is (person == 3)
    seen = 0
    for row in register.since_first(office, pool, 3):
        if number in row["corrections"]:
            seen += 1
            assert row["why"][0].startswith(f"correction {number}:")
            winter = "report 1 was corrected by its version 2: Winter Open"
            assert any(each.startswith(winter) for each in row["why"])
    assert seen
    spring = "report 2 was corrected by its version 2: Spring Open"
    assert any(x.startswith(spring) for x in register.since_first(office, pool, 3)[-1]["why"])


def test_who_comes_in_with_another_rating_and_has_no_game_is_named(home, tina, tmp_path):
    """All lists have the rating, and no batch."""
    revising(home, tina, tmp_path, "fide-2009")
    path = tmp_path / "more.csv"
    path.write_text('id,name,rating\n801,"Mike, Mia",1700\n802,"November, Noa",1600\n')
    imports.import_file(home, path, "national", tina, "standard")
    said = document("Winter Open", "2026-01-10", {("1", "2"): "1-0"})
    receive.receive_all(home, [write(tmp_path, "0.json", said)], tina, receive.Options())
    for day in (FEBRUARY, APRIL):
        publish(home, tina, day)
    mia = m.PersonName.objects.get(text="Mike, Mia").person_id
    content = asking.opening("standard", {mia: {"rating": "1650"}})
    expected = [(mia, day, 1700, 1650, -50) for day in (FEBRUARY, APRIL)]

    def seen(every):
        return [(each.person, each.day, each.was, each.now, each.change) for each in every]

    shown = Bench(home).preview([content]).reaches[0]
    assert (seen(shown.numbers), shown.lists) == (expected, (FEBRUARY, APRIL))
    number = hold(home, content, tina)
    assert seen(effects.awaited(home, number).numbers) == expected
    publish(home, tina, APRIL)
    told = effects.of_corrections(home, [number])[number]
    assert seen(told.numbers) == expected
    assert [each.date for each in told.lists] == [FEBRUARY, APRIL]
    assert told.figures.players == 1


def test_what_was_decided_of_others_is_no_reason_where_it_moved_nobody(office, tina, tmp_path):
    path = tmp_path / "more.csv"
    path.write_text('id,name,rating\n801,"Mike, Mia",1700\n802,"November, Noa",1600\n')
    imports.import_file(office, path, "national", tina, "standard")
    changed = document("Winter Open", "2026-01-10", {("1", "2"): "0-1"})
    receive.receive(office, write(tmp_path, "again.json", changed), tina)
    reports.put_aside("1", "release", "the sheet says so", tina)
    publish(office, tina, APRIL)
    assert why(office, 1) == [
        "report 1 was corrected by its version 2: Winter Open "
        "(the game Alpha, Anna – Bravo, Ben of round 1: result is 0–1, was 1–0)"
    ]
    for person in (1, 2):
        decisions.decide(office, Deciding(person, "opening", "2300", "standard", "of old"), tina)
    publish(office, tina, APRIL)
    assert "the office decided something of Bravo, Ben (2)" in why(office, 1)


@prepared
def mail(home, tina, tmp_path):
    """Rules that publish a rating after six games: everybody has five, one of them not rated."""
    setup.add_pool("standard", "iecg-1999", tina)
    add_colleagues(tina)
    said = document("Mail Cup", "2026-01-10", {("1", "2"): "1-0"})
    said["games"][0]["rated"] = False
    receive.receive_all(home, [write(tmp_path, "cup.json", said)], tina, receive.Options())
    desk.link_new(1, tina)
    publish(home, tina, date(2026, 3, 20))
    return home


def twice(name, day):
    """Everybody meets everybody twice: ten games, all drawn but one."""
    said = document(name, day, {("1", "2"): "1-0"})
    again = [{**each, "round": each["round"] + 5} for each in said["games"]]
    said["games"] += again
    return said


@prepared
def by_post(home, tina, tmp_path):
    """Two events by post, each on a list of its own that has everybody."""
    setup.add_pool("standard", "iecg-1999", tina, policies={"revise": "affected"})
    add_colleagues(tina)
    for at, (day, until) in enumerate(
        (("2026-01-10", date(2026, 3, 20)), ("2026-03-25", date(2026, 6, 20)))
    ):
        path = write(tmp_path, f"{at}.json", twice(f"Cup {at}", day))
        receive.receive_all(home, [path], tina, receive.Options())
        if not at:
            desk.link_new(1, tina)
        publish(home, tina, until)
    return home


def test_who_has_no_rated_game_yet_has_no_rating(by_post, tina):
    """The rules begin with 800; that is what they reckon with, and nobody ever published it."""
    content = asking.event("1", "withdraw")
    reach = Bench(by_post).preview([content]).reaches[0]
    number = hold(by_post, content, tina)
    awaited = effects.awaited(by_post, number)
    publish(by_post, tina, date(2026, 6, 20))
    told = effects.of_corrections(by_post, [number])[number]
    first = min(each.day for each in told.numbers)
    gone = [each for each in told.numbers if each.day == first]
    assert len(gone) == 6
    assert {(each.now, each.change) for each in gone} == {(None, None)}
    assert 800 not in {each.now for each in told.numbers}
    assert [replace(x, corrections=(number,)) for x in reach.numbers] == list(told.numbers)
    assert awaited.numbers == told.numbers


def test_who_would_be_off_a_list_for_want_of_games_is_not_counted_on_it(home, tina, tmp_path):
    """Who plays a year before is rated, and stands on no list of now."""
    setup.add_pool("standard", "iecg-1999", tina, policies={"revise": "affected"})
    add_colleagues(tina)
    receive.receive_all(
        home, [write(tmp_path, "0.json", twice("Cup 0", "2024-11-10"))], tina, receive.Options()
    )
    desk.link_new(1, tina)
    publish(home, tina, date(2025, 1, 20))
    again = document("Match", "2026-03-10", {}, {key: PLAYERS[key] for key in "12"})
    path = write(tmp_path, "1.json", again)
    receive.receive_all(home, [path], tina, receive.Options())
    publish(home, tina, date(2026, 5, 20))
    new, _ = people.add_person(NewPerson("Golf, Gus"), "", tina)
    content = asking.player(1, "6", new)
    reach = Bench(home).preview([content]).reaches[0]
    number = hold(home, content, tina)
    publish(home, tina, date(2026, 5, 20))
    told = effects.of_corrections(home, [number])[number]
    assert [replace(x, corrections=(number,)) for x in reach.numbers] == list(told.numbers)
    assert {each.day for each in told.numbers if each.person == new} == {date(2025, 1, 4)}


def test_who_leaves_the_list_of_a_period_is_told_once(home, tina, tmp_path):
    """What the period leaves is the number of the list: it says that the line is gone, too."""
    setup.add_pool("standard", "iecg-1999", tina, policies={"revise": "affected"})
    add_colleagues(tina)
    untils = [date(2026, month, 20) for month in (1, 3, 5)]
    for at, (day, until) in enumerate(
        zip(("2025-11-10", "2026-01-10", "2026-03-20"), untils, strict=True)
    ):
        said = document(f"Cup {at}", day, {}) if at else twice("Cup 0", day)
        receive.receive_all(home, [write(tmp_path, f"{at}.json", said)], tina, receive.Options())
        if not at:
            desk.link_new(1, tina)
        publish(home, tina, until)
    content = asking.event("1", "withdraw")
    reach = Bench(home).preview([content]).reaches[0]
    number = hold(home, content, tina)
    awaited = effects.awaited(home, number)
    publish(home, tina, untils[-1])
    told = effects.of_corrections(home, [number])[number]
    every = [(each.day, each.person) for each in told.numbers]
    assert len(every) == len(set(every))
    assert len(awaited.numbers) == len(told.numbers)
    assert [replace(x, corrections=(number,)) for x in reach.numbers] == list(told.numbers)
    # Five games are too few for the second list, ten are enough for the third.
    left = {each.day for each in told.numbers if each.listing is Listing.left}
    assert left == {date(2026, 3, 7)}
    pool = m.Pool.objects.get(name="standard")
    whys = [x for x in register.since_first(home, pool, 1) if x["day"] == "2026-03-07"]
    assert [x["listing"] for x in whys] == ["left"]


def test_who_has_no_rated_game_at_all_any_more_has_no_rating(by_post, tina):
    content = [asking.event("1", "withdraw"), asking.event("2", "withdraw")]
    reach = Bench(by_post).preview(content).reaches[0]
    assert reach.numbers
    assert {each.now for each in reach.numbers} == {None}


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("is_corrected_first", [True, False])
def test_a_first_rating_that_a_report_has_a_part_in_is_told_with_it(
    mail, tina, tmp_path, rounds, is_corrected_first
):
    """Four games, one by the correction, and one or two by a report of the same run."""
    number = hold(mail, asking.game(1, 1, rated="both"), tina) if is_corrected_first else 0
    again = document("Match", "2026-03-10", players={key: PLAYERS[key] for key in "12"})
    again["games"] = [{**again["games"][0], "round": n} for n in range(1, rounds + 1)]
    receive.receive_all(mail, [write(tmp_path, "again.json", again)], tina, receive.Options())
    number = number or hold(mail, asking.game(1, 1, rated="both"), tina)
    notices.set_contact("person:1", "p1@club.invalid", "each", tina)
    publish(mail, tina, date(2026, 6, 20))
    told = effects.of_corrections(mail, [number])[number]
    anna = [each for each in told.numbers if each.person == 1]
    assert anna
    assert {(each.was, each.is_with_others) for each in anna} == {(None, True)}
    assert all(row["with_others"] for row in register.entry(mail, number)["changed"]
               if row["person"] in (1, 2))  # fmt: skip
    words = register.since_first(mail, m.Pool.objects.get(name="standard"), 1)[0]["why"]
    assert words[0].startswith(f"correction {number}:")
    assert words[1:] == ["report 2 brought games on which it rests, too: Match"]
    notices.send(mail, tina)
    mails = "".join(each.read_text() for each in (mail.folder / "mail").iterdir())
    assert "It rests on something else of the same run, too." in mails
