"""Corrections that go on the next list: a difference is added, and what was rated stays."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest

from ratingbook.office import bundle
from ratingbook.office.acts import (
    asking,
    bundles,
    corrections,
    doctor,
    effects,
    explain,
    lists,
    notices,
    receive,
    register,
    reports,
    runs,
    setup,
    snapshots,
)
from ratingbook.office.acts.calendar import calendar
from ratingbook.office.acts.preview import Bench
from ratingbook.office.logic.reach import OnNextList, Reach
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import document, write
from tests.office.test_runs import codes, opened

FEBRUARY, APRIL, JUNE = date(2026, 2, 1), date(2026, 4, 1), date(2026, 6, 1)
SPRING, SUMMER = "2026-02-20", "2026-05-10"


def publish(home, who, until):
    made = runs.make(home, "standard", until, who)
    runs.approve(made.run.id, who)
    return runs.publish(home, made.run.id, who)


def ratings(one):
    return {row["id"]: row["rating"] for row in lists.rows_of(one)}


def receive_event(home, tina, tmp_path, name, day):
    path = write(tmp_path, f"{day}.json", document(name, day, {("1", "2"): "1-0"}))
    # An event is over when its report comes.
    then = datetime.combine(date.fromisoformat(day), time(20), UTC)
    who = replace(tina, at=max(then, tina.now()))
    received, _ = receive.receive_all(home, [path], who, receive.Options(another=True))
    assert received[0].state == "ready"


@prepared
def office(home, tina, tmp_path):
    """Two events, each on a published list of its own; corrections go on the next list."""
    opened(home, tina, tmp_path, "fide-2009")
    setup.set_policies("standard", {"corrections": "next_list", "revise": "affected"}, "", tina)
    setup.add_actor("udo", ["officer"], tina)
    receive_event(home, tina, tmp_path, "Winter Open", "2026-01-10")
    publish(home, tina, FEBRUARY)
    receive_event(home, tina, tmp_path, "Spring Open", SPRING)
    publish(home, tina, APRIL)
    return home


def hold(home, contents, tina):
    asked = corrections.ask(home, contents, "the sheet says so", tina)
    return asked.id, corrections.accept(home, asked.id, replace(tina, actor="udo"))


def added(reach: Reach) -> OnNextList:
    """What it puts on the next list."""
    assert reach.made is not None
    return reach.made


def test_the_next_list_is_the_first_that_is_to_come_though_it_takes_no_event_any_more(office, tina):
    """Its calendar says so, too: a list that has closed for events is still to be published."""
    content = asking.game(1, 1, "0-1")
    for until, day in ((APRIL, date(2026, 5, 1)), (date(2026, 4, 30), date(2026, 5, 1))):
        publish(office, tina, until)
        (reach,) = Bench(office).preview([content]).reaches
        (pool,) = calendar(until)
        assert (added(reach).day, pool.next_list) == (day, day)
    hold(office, [content], tina)
    (new,) = publish(office, tina, date(2026, 5, 1)).lists
    came = {key: ratings(new)[key] - was for key, was in
            ratings(lists.list_named("standard@2026-04-01")).items()}  # fmt: skip
    assert {key: value for key, value in came.items() if value} == {"1": -15, "2": 15}


def test_a_difference_is_added_and_nothing_is_rated_again(office, tina, tmp_path):
    before = ratings(lists.list_named("standard@2026-04-01"))
    content = asking.game(1, 1, "0-1")
    reach = Bench(office).preview([content]).reaches[0]
    # By hand: K is 15, so a point less is 15 less, whatever was expected.
    assert added(reach).values == {1: -15.0, 2: 15.0}
    assert (reach.lists, reach.batches, reach.players) == ((), 0, 2)
    number, accepted = hold(office, [content], tina)
    assert accepted.holds
    old = {row.id: row.digest for row in m.List.objects.all()}
    # The day of the next list of the rule book is the first of May or of a later month.
    assert added(reach).day > APRIL
    done = publish(office, tina, added(reach).day)
    assert len(done.lists) == 1
    after = ratings(done.lists[0])
    assert {key: after[key] - before[key] for key in after if after[key] != before[key]} == {
        "1": -15, "2": 15,
    }  # fmt: skip
    assert {row.id: row.digest for row in m.List.objects.exclude(id=done.lists[0].id)} == old
    assert not m.Change.objects.filter(run=done.lists[0].run_id).exists()
    told = register.entry(office, number)
    assert told["state"] == "published"
    assert "put on the next list" in [each["what"] for each in told["facts"]]
    assert {(row["person"], row["now"] - row["was"]) for row in told["changed"]} == {
        (1, -15), (2, 15),
    }  # fmt: skip
    why = register.since_first(office, setup.pool_named("standard"), 1)
    assert [(each["added"], each["corrections"]) for each in why] == [(-15, [number])]
    found = explain.explain(office, 1, done.lists[0])
    assert [each.code for each in found.findings] == ["office.difference"]
    assert "−15 that correction 1 added" in next(iter(found.findings)).message
    assert not [each for each in doctor.examine(office) if each.severity.refuses]
    assert all(each.is_equal for each in bundles.replay()[0])
    bundles.write_bundle(office, done.lists[0], tmp_path / "bundle", tina)
    assert [each.code for each in bundle.verify(tmp_path / "bundle").findings] == []


def test_a_list_of_an_earlier_run_is_said_to_have_nothing_of_it(office, tina):
    _, accepted = hold(office, [asking.game(1, 1, "0-1")], tina)
    day = added(accepted.preview.reaches[0]).day
    publish(office, tina, day - timedelta(days=1))
    before = ratings(lists.list_named("standard@2026-04-01"))
    lists.make_list(office, "standard", day, tina)
    one = lists.list_named(f"standard@{day}")
    assert ratings(one) == before
    assert list(explain.explain(office, 1, one).findings) == []


def test_games_after_it_are_rated_with_the_difference(office, tina, tmp_path):
    """What a later event gives is what it gives to whoever had these ratings before."""
    hold(office, [asking.game(1, 1, "0-1")], tina)
    day = date(2026, 5, 1)
    publish(office, tina, day)
    listed = ratings(lists.list_named(f"standard@{day}"))
    receive_event(office, tina, tmp_path, "Summer Open", SUMMER)
    made = runs.make(office, "standard", JUNE, tina).run
    rows = m.Change.objects.filter(run=made).values_list("person", "before")
    assert {str(person): before for person, before in rows} == listed


def test_taking_it_back_is_another_difference(office, tina):
    number, _ = hold(office, [asking.game(1, 1, "0-1")], tina)
    published = ratings(lists.list_named("standard@2026-04-01"))
    back = corrections.taking_back(number)
    assert added(Bench(office).preview(back).reaches[0]).values == {1: 15.0, 2: -15.0}
    # The game is known as corrected: another result is measured by that.
    other = Bench(office).preview([asking.game(1, 1, "1/2-1/2")]).reaches[0]
    # Half of 15, of whole points.
    assert added(other).values[1] in (7, 8)
    assert added(other).values[2] in (-7, -8)
    with pytest.raises(OfficeRefused) as refused:
        asking.game(1, 1, "0-1")
    assert codes(refused) == ["office.as-it-is"]
    hold(office, back, tina)
    done = publish(office, tina, date(2026, 5, 1))
    assert ratings(done.lists[0]) == published


def test_what_is_no_difference_is_rated_again_and_says_so(office, tina, tmp_path):
    merged = Bench(office).preview([asking.merge(6, 5)]).reaches[0]
    assert merged.made is None
    assert merged.rated_again == "it is of more than the games of an event"
    # What went on the next list once is not rated again by another correction.
    hold(office, [asking.game(1, 1, "0-1")], tina)
    with pytest.raises(OfficeRefused) as refused:
        Bench(office).preview([asking.moved("1", date(2026, 1, 5))])
    assert codes(refused) == ["office.on-next-list"]
    # Nor by a new version of its report, whose sender is told.
    seq = ledger.head().seq
    said = document("Winter Open", "2026-01-10", {("3", "4"): "1-0"})
    received, _ = receive.receive_all(
        office, [write(tmp_path, "v2.json", said)], tina, receive.Options(version_of=1)
    )
    assert received[0].version == 2
    assert "office.on-next-list" in [each.code for each in received[0].findings]
    pool = setup.pool_named("standard").id
    assert snapshots.build(pool, ledger.head().seq).is_same(snapshots.build(pool, seq))


def test_what_is_not_rated_yet_is_rated_as_it_should_be(office, tina, tmp_path):
    receive_event(office, tina, tmp_path, "Summer Open", SUMMER)
    contents = [asking.game(3, 1, "0-1")]
    # Nothing of it is published: there is no difference to be put on a list, nor to be seen.
    assert Bench(office).preview(contents).reaches == ()
    hold(office, contents, tina)
    publish(office, tina, date(2026, 8, 1))
    assert not m.Decision.objects.filter(kind="difference").exists()
    assert m.Game.objects.get(section__version__report=3, number=1).half_points is not None


def test_what_is_held_does_not_come_in_by_a_correction(office, tina, tmp_path):
    receive_event(office, tina, tmp_path, "Summer Open", SUMMER)
    reports.put_aside("3", "hold", "waits", tina)
    pool, seq = setup.pool_named("standard").id, ledger.head().seq
    hold(office, [asking.game(3, 1, "0-1")], tina)
    made = snapshots.build(pool, ledger.head().seq)
    assert made.is_same(snapshots.build(pool, seq))


def test_it_is_shown_as_it_would_be_by_the_other_policy(office):
    content = [asking.game(1, 1, "0-1")]
    again = Bench(office, way="rerate").preview(content).reaches[0]
    assert again.made is None
    assert len(again.lists) == 2
    assert again.rated_again == ""


def test_what_is_kept_is_fed_by_the_cache_as_from_the_facts(office, tina):
    """Also once the event was taken out, which the snapshot of before does not know."""
    pool = setup.pool_named("standard").id
    for content in (asking.game(1, 1, "0-1"), asking.event("1", "withdraw")):
        _, accepted = hold(office, [content], tina)
        assert accepted.preview.reaches[0].made is not None
        upto = ledger.head().seq
        assert snapshots.fed_of(office, pool, upto).is_same(snapshots.build(pool, upto))
    done = publish(office, tina, date(2026, 5, 1))
    assert m.RunSection.objects.filter(run=done.lists[0].run_id, section=1).exists()
    assert not m.Change.objects.filter(run=done.lists[0].run_id).exists()
    assert all(each.is_equal for each in bundles.replay()[0])


def test_what_comes_with_one_list_is_told_of_together(office, tina):
    """Everywhere by the numbers of lists: what each would have made by itself nobody saw."""
    notices.set_contact("person:1", "p1@club.invalid", "each", tina)
    first, _ = hold(office, [asking.game(1, 1, "0-1")], tina)
    # From a loss to a draw.
    content = [asking.game(1, 1, "1/2-1/2")]
    shown = Bench(office).preview(content).reaches[0]
    second, accepted = hold(office, content, tina)
    assert added(accepted.preview.reaches[0]).day == date(2026, 5, 1)
    awaited = [effects.awaited(office, each).numbers for each in (first, second)]
    before = ratings(lists.list_named("standard@2026-04-01"))
    done = publish(office, tina, JUNE)
    after = ratings(done.lists[0])
    numbers = [(1, before["1"], after["1"]), (2, before["2"], after["2"])]
    told = effects.of_corrections(office, [first, second])
    for some in (shown.numbers, *awaited, told[first].numbers, told[second].numbers):
        assert [(each.person, each.was, each.now) for each in some] == numbers
    for each in (*awaited, told[first].numbers, told[second].numbers):
        assert {x.corrections for x in each} == {(first, second)}
    assert {(x.day, x.key) for x in told[first].numbers} == {(JUNE, f"list {JUNE}")}
    assert [each.date for each in told[second].lists] == [JUNE]
    largest = shown.report["largest"]
    assert {(int(x["player"]), x["before"], x["after"]) for x in largest} == set(numbers)
    [mail] = m.Notice.objects.filter(kind="changed")
    assert {key: mail.said[key] for key in ("day", "before", "after")} == {
        "day": str(JUNE), "before": before["1"], "after": after["1"],
    }  # fmt: skip
    why = register.since_first(office, setup.pool_named("standard"), 1)
    assert [(each["day"], each["corrections"]) for each in why] == [
        (str(JUNE), [first]), (str(JUNE), [second]),
    ]  # fmt: skip


@pytest.mark.parametrize("way", ["next_list", "rerate"])
def test_a_preview_has_what_is_accepted_beside_it(office, tina, way):
    """What comes out is not the published rating and the bare difference of one of them."""
    setup.set_policies("standard", {"corrections": way}, "", tina)
    first, _ = hold(office, [asking.game(1, 1, "0-1")], tina)
    publish(office, tina, date(2026, 5, 1))
    before = ratings(lists.list_named("standard@2026-05-01"))
    content = [asking.game(1, 1, "1/2-1/2")]
    hold(office, corrections.taking_back(first), tina)
    shown = Bench(office).preview(content).reaches[0]
    drawn, _ = hold(office, content, tina)
    back = Bench(office).preview(corrections.taking_back(drawn)).reaches[0]
    publish(office, tina, date(2026, 7, 1))
    after = ratings(lists.list_named("standard@2026-07-01"))
    said = {int(x["player"]): (x["before"], x["after"]) for x in shown.report["largest"]}
    lasts = {each.person: (each.was, each.now) for each in shown.numbers}
    for person in (1, 2):
        assert said[person] == lasts[person] == (before[str(person)], after[str(person)])
    # Without the draw it would be as when the first was taken back: a win.
    won = {int(x["player"]): x["after"] - x["before"] for x in back.report["largest"]}
    assert (won[1], won[2]) == pytest.approx((15, -15), abs=1)


def test_a_difference_that_is_taken_back_before_its_list_changes_nobody(office, tina):
    number, _ = hold(office, [asking.game(1, 1, "0-1")], tina)
    back, _ = hold(office, corrections.taking_back(number), tina)
    assert effects.awaited(office, number).numbers == effects.awaited(office, back).numbers == ()
    publish(office, tina, JUNE)
    told = effects.of_corrections(office, [number, back])
    assert [each.numbers for each in told.values()] == [(), ()]


def test_events_before_the_list_are_entered_with_the_difference(office, tina, tmp_path):
    """Then it is told by its own day: the list has what these events led to."""
    hold(office, [asking.game(1, 1, "0-1")], tina)
    receive_event(office, tina, tmp_path, "Summer Open", SUMMER)
    before = ratings(lists.list_named("standard@2026-04-01"))
    done = publish(office, tina, JUNE)
    told = effects.of_corrections(office, [1])[1]
    entered = dict(
        m.Change.objects.filter(run=done.lists[0].run_id).values_list("person", "before")
    )
    for each in told.numbers:
        assert (each.day, each.was, each.now) == (
            date(2026, 5, 1), before[str(each.person)], entered[each.person],
        )  # fmt: skip


def test_all_say_with_which_list_an_accepted_one_comes(office, tina):
    """A run that ends before does not bring it, whatever it publishes."""
    officer = Officer(office.folder)
    number, _ = hold(office, [asking.game(1, 1, "0-1")], tina)
    first = str(date(2026, 5, 1))
    for until in (None, date(2026, 4, 15)):
        if until:
            publish(office, tina, until)
        told = register.entry(office, number)
        assert (told["state"], told["next_list"]) == ("accepted", first)
        assert [row["day"] for row in told["changed"]] == [first, first]
        lines = officer.sees("preview", number)
        assert f"the first list from {first} on has it" in lines
        assert "No published number differs" not in lines
        assert f"the first list from {first} on has it" in officer.sees("register", number)
    publish(office, tina, JUNE)
    assert f"correction {number} is published" in officer.sees("preview", number)


def test_it_goes_on_a_list_after_it_is_accepted(office, tina):
    number, _ = hold(office, [asking.game(1, 1, "0-1")], tina)
    told = [each["what"] for each in register.entry(office, number)["facts"]]
    assert told == ["asked", "approved", "accepted", "put on the next list"]


def test_what_was_rated_again_meanwhile_is_told_with_it(office, tina):
    """Nobody saw the number between the two."""
    notices.set_contact("person:1", "p1@club.invalid", "each", tina)
    first, _ = hold(office, [asking.game(1, 1, "0-1")], tina)
    setup.set_policies("standard", {"corrections": "rerate", "revise": "none"}, "", tina)
    second, accepted = hold(office, [asking.game(2, 1, "0-1")], tina)
    assert accepted.preview.reaches[0].made is None
    before = ratings(lists.list_named("standard@2026-04-01"))
    after = ratings(publish(office, tina, JUNE).lists[0])
    for number in (first, second):
        told = effects.of_corrections(office, [number])[number].numbers
        last = {each.person: each for each in told}[1]
        assert (last.was, last.now, last.corrections) == (before["1"], after["1"], (first, second))
    [mail] = m.Notice.objects.filter(kind="changed")
    assert (mail.said["before"], mail.said["after"]) == (before["1"], after["1"])
    assert mail.said["corrections"] == [first, second]


def together(office, contents):
    """What corrections of one call put on the next list: they are rated with one another."""
    return added(Bench(office).preview(contents).reaches[0]).values


def sum_of(differences):
    found: dict[int, float] = {}
    for values in differences:
        for person, value in values.items():
            found[person] = found.get(person, 0) + value
    return {person: value for person, value in found.items() if value}


@pytest.mark.parametrize("is_published", [True, False], ids=["published", "accepted"])
def test_a_correction_is_measured_by_the_ones_before_it(office, tina, is_published):
    """K is 15: two draws that were losses are 15 less, and never twice the rounded half of it."""
    contents = [asking.game(1, number, "0-1") for number in (2, 3)]
    expected = together(office, contents)
    assert expected[1] == -15
    made = []
    for month, content in enumerate(contents, 5):
        _, accepted = hold(office, [content], tina)
        made.append(added(accepted.preview.reaches[0]).values)
        if is_published:
            publish(office, tina, date(2026, month, 1))
    assert sum_of(made) == expected


def test_so_it_is_with_one_of_another_event_of_the_period(office, tina, tmp_path):
    receive_event(office, tina, tmp_path, "Late Spring Open", "2026-05-09")
    receive_event(office, tina, tmp_path, "Summer Open", SUMMER)
    publish(office, tina, date(2026, 7, 1))
    lost = [asking.game(3, 2, "0-1"), asking.game(4, 2, "0-1")]
    out = asking.event("3", "withdraw")
    both, one = together(office, lost), together(office, [out, lost[1]])
    assert both[1] == -15
    made = []

    def correct(content):
        number, accepted = hold(office, content, tina)
        made.append(added(accepted.preview.reaches[0]).values)
        return number

    numbers = [correct([each]) for each in lost]
    assert sum_of(made) == both
    # Without the first event, what was corrected of it makes no difference any more.
    numbers.append(correct([out]))
    assert sum_of(made) == one
    for number in numbers[::-1]:
        correct(corrections.taking_back(number))
    assert sum_of(made) == {}


@pytest.mark.parametrize("is_let_in", [False, True], ids=["held", "let in"])
def test_a_new_version_that_stays_out_changes_no_difference(office, tina, tmp_path, is_let_in):
    """Nor one that an officer has let in: of the event the version stays that was rated."""
    first, second = asking.game(1, 2, "0-1"), asking.game(1, 3, "0-1")
    expected = together(office, [first, second])
    made = [added(hold(office, [first], tina)[1].preview.reaches[0]).values]
    said = document("Winter Open", "2026-01-10", {("1", "2"): "1-0", ("5", "6"): "1-0"})
    path = write(tmp_path, "v2.json", said)
    receive.receive_all(office, [path], tina, receive.Options(version_of=1))
    if is_let_in:
        reports.put_aside("1", "release", "it came", tina)
    second = asking.game(1, 3, "0-1")
    made.append(added(hold(office, [second], tina)[1].preview.reaches[0]).values)
    assert sum_of(made) == expected
