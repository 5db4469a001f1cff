"""An event that was moved, on days or between pools, stays so in later versions."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import asking, corrections, doctor, receive, reports, setup
from ratingbook.office.acts.amendments import days_moved, last_day_known, pools_now
from ratingbook.office.acts.preview import Bench
from ratingbook.office.acts.same_sections import FOLLOWS
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from tests.office.asked import ask, come_again, hold, published_open
from tests.office.prepared import prepared
from tests.office.reports import document, write
from tests.office.test_corrections import publish_one as publish

REPORTED, MOVED = date(2026, 1, 10), date(2026, 3, 20)


@prepared
def office(home, tina, tmp_path):
    return published_open(home, tina, tmp_path)


def again(office, tina, tmp_path, day=str(REPORTED), result="0-1"):
    """A new version, which is let in."""
    said = document(day=day, results={("1", "2"): result})
    got = come_again(office, tina, write(tmp_path, "again.json", said))
    return [each for each in got.findings if each.code == "office.moved-otherwise"]


def day_of(version):
    sections = list(m.Section.objects.filter(version__number=version).values_list("id", flat=True))
    return last_day_known(sections, ledger.head().seq)


def published():
    """On which days the numbers of the event are, in the newest run."""
    run = m.Publication.objects.latest("seq").run
    rows = m.Change.objects.filter(run=run, gone=False)
    return {each.day or each.batch.day for each in rows.select_related("batch")}


def test_a_move_holds_for_the_version_that_reports_the_same_days(office, tina, tmp_path):
    number = hold(office, tina, asking.moved("1", MOVED))
    publish(office, tina)
    days = published()
    assert again(office, tina, tmp_path) == []
    assert day_of(2) == MOVED
    with pytest.raises(OfficeRefused, match="The event ended on 2026-03-20"):
        asking.moved("1", MOVED)
    publish(office, tina)
    assert published() == days
    assert not doctor.examine(office)
    hold(office, tina, *corrections.taking_back(number))
    assert day_of(2) == REPORTED


def test_a_version_that_has_the_day_right_is_not_moved_once_more(office, tina, tmp_path):
    hold(office, tina, asking.moved("1", MOVED))
    assert again(office, tina, tmp_path, str(MOVED)) == []
    assert day_of(2) == MOVED


def test_a_version_with_a_third_day_is_told(office, tina, tmp_path):
    hold(office, tina, asking.moved("1", MOVED))
    (told,) = again(office, tina, tmp_path, "2026-02-14")
    assert told.message == (
        "A correction moved the event from 2026-01-10 to 2026-03-20, and this version says "
        "2026-02-14: it is rated by that."
    )
    assert day_of(2) == date(2026, 2, 14)


def test_what_was_asked_before_the_version_came_holds_for_it(office, tina, tmp_path):
    number = ask(office, tina, asking.moved("1", MOVED))
    again(office, tina, tmp_path)
    content = m.Correction.objects.get(id=number).contents
    seen = Bench(office).preview(content)
    corrections.accept(office, number, tina)
    assert day_of(2) == MOVED
    assert len(seen.rows)


@pytest.mark.parametrize("marked", [True, False])
def test_versions_of_before_stay_on_the_days_that_they_report(
    office, tina, tmp_path, monkeypatch, marked
):
    """Their runs were made so, and are made again as they were."""
    if not marked:
        monkeypatch.setattr("ratingbook.office.acts.entering.FOLLOWS", "otherwise")
    hold(office, tina, asking.moved("1", MOVED))
    again(office, tina, tmp_path)
    fact = m.ReportVersion.objects.get(number=2).fact
    assert (FOLLOWS in m.Fact.objects.get(seq=fact).payload) is marked
    section = m.Section.objects.get(version__number=2).id
    assert (section in days_moved(ledger.head().seq)) is marked


def test_an_event_is_taken_back_from_pool_to_pool_with_all_its_versions(office, tina, tmp_path):
    """It came into a second one, then into a third; the version came when it was there."""
    for name in ("second", "third"):
        setup.add_pool(name, "fide-2009", tina, policies={"assume": "1500"})
    pools = dict(m.Pool.objects.values_list("name", "id"))
    taken = []
    for left, came in (("standard", "second"), ("second", "third")):
        taken.append(hold(office, tina, asking.into_pool("1", came)))
        for name in (left, came):
            publish(office, tina, pool=name)
    path = write(tmp_path, "again.json", document(results={("1", "2"): "0-1"}))
    receive.receive(office, path, tina, receive.Options(version_of=1))
    reports.put_aside("1", "release", "the arbiter says so", tina)
    sections = list(m.Section.objects.order_by("id").values_list("id", flat=True))

    def where():
        return set(pools_now(sections, ledger.head().seq).values())

    publish(office, tina, pool="third")
    assert where() == {pools["third"]}
    for number, left, came in ((taken[1], "third", "second"), (taken[0], "second", "standard")):
        back = corrections.taking_back(number)
        shown = {x.pool: {row["was_games"] is None for row in x.rows.to_pylist()}
                 for x in Bench(office).preview(back).reaches}  # fmt: skip
        # In the one the rows go, in the other one they come.
        assert shown == {left: {False}, came: {True}}
        hold(office, tina, *back)
        assert where() == {pools[came]}
        for name in (left, came):
            publish(office, tina, pool=name)
    assert not doctor.examine(office)
