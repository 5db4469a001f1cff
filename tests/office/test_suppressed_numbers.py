"""Who had several numbers, dates or events is suppressed: all that was ever published stays."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from ratingbook.office import bundle
from ratingbook.office.acts import (
    ages,
    asking,
    bundles,
    corrections,
    doctor,
    imports,
    people,
    receive,
    runs,
    setup,
    undoing,
)
from ratingbook.office.acts.registry import Edit, edit
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.engine.rating import rate
from ratingbook.office.home import Home
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from tests.office.reports import document, write

APRIL, MAY = date(2026, 4, 1), date(2026, 5, 1)
ADULT, CHILD = 7, 8
BORN = {ADULT: "1966-07-08", CHILD: "2010-01-31"}
OTHERS = {1: 1710, 2: 1650, 3: 1805, 4: 1540, 5: 1580, 6: 1620}
# With US Chess both come in by their age, with FIDE it is K of the child.
BOOKS = ("fide-2024", "uscf-2025")


@dataclass
class Office:
    """An office in which an adult plays in events 1 and 3, and a child in event 2."""

    home: Home
    tina: Who
    folder: Path

    def publish(self, until: date = APRIL) -> m.Run:
        run = runs.make(self.home, "main", until, self.tina).run
        runs.approve(run.id, self.tina)
        runs.publish(self.home, run.id, self.tina)
        return run

    def correct(self, *said) -> None:
        asked = corrections.ask(self.home, list(said), "why", self.tina)
        corrections.accept(self.home, asked.id, self.tina)

    def event(self, name: str, day: str, *numbers: int) -> None:
        players = {str(each): ("", "m", "", str(each)) for each in numbers}
        said = document(name, day, {(str(a), str(b)): "1-0" if (a + b) % 3 else "0-1"
                                    for a in numbers for b in numbers}, players)  # fmt: skip
        said["players"] = [
            {"id": key, "name": f"Invented, P{key}", "ids": {"national": key}} for key in players
        ]
        path = write(self.folder, f"{name}.json", said)
        receive.receive(self.home, path, self.tina, receive.Options(pool="main", another=True))

    def numbers(self) -> dict[tuple[str, int, int], tuple[float | None, ...]]:
        """All that is published, by batch, person and turn."""
        found: dict[tuple[str, int, int], tuple[float | None, ...]] = {}
        for each in m.Change.objects.filter(run__publication__isnull=False).order_by("run"):
            at = (each.batch.key, each.person, each.turn)
            found[at] = (each.before, each.after, each.games, each.score, each.gone)
        return found

    def is_as_published(self) -> None:
        """Nothing is otherwise, of no publication: neither made again, nor in the next run."""
        done, findings = bundles.replay()
        assert [each.is_equal for each in done] == [True] * len(done)
        assert {each.code for each in findings} <= {"replay.stand-ins"}
        assert not doctor.examine(self.home).refused


@pytest.fixture(params=BOOKS)
def office(request, home, tina, tmp_path) -> Office:
    setup.add_pool("main", request.param, tina, {}, {"revise": "affected"})
    lines = [f'{key},{rating},40,"Invented, P{key}",' for key, rating in OTHERS.items()]
    rated = "1640,40" if request.param.startswith("fide") else ","
    lines += [f'{key},{rated},"Invented, P{key}",{born}' for key, born in BORN.items()]
    path = tmp_path / "opening.csv"
    path.write_text("\n".join(["id,rating,games,name,birth_date", *lines]) + "\n", "utf-8")
    imports.import_file(home, path, "national", tina, "main")
    one = Office(home, tina, tmp_path)
    one.event("A", "2026-01-10", ADULT, 1, 2, 3)
    one.event("B", "2026-02-10", CHILD, 4, 5, 6)
    one.event("C", "2026-03-10", ADULT, 4, 5, 2)
    one.publish()
    return one


def nothing_changes(office: Office, person: int, until: date = APRIL) -> None:
    before = office.numbers()
    suppress(office.home, person, "asked for it", office.tina)
    office.is_as_published()
    run = office.publish(until)
    assert run.report["players"] == run.report["rows"] == run.report["gone_rows"] == 0
    assert office.numbers() == before
    office.is_as_published()


@pytest.mark.parametrize("way", ["command", "correction"])
@pytest.mark.parametrize(("source", "target"), [(CHILD, ADULT), (ADULT, CHILD)])
def test_of_two_numbers_each_keeps_what_its_own_numbers_rest_on(office, source, target, way):
    if way == "command":
        people.merge(source, target, "one person", office.tina)
    else:
        office.correct(asking.merge(source, target))
    office.publish()
    nothing_changes(office, target)


@pytest.mark.parametrize("office", ["fide-2024"], indirect=True)
def test_the_list_can_still_be_verified(office, tmp_path):
    """Of FIDE alone: with US Chess an auditor alone verifies a list, suppressed or not."""
    office.correct(asking.merge(CHILD, ADULT))
    office.publish()
    suppress(office.home, ADULT, "asked for it", office.tina)
    bundles.write_bundle(office.home, m.List.objects.latest("id"), tmp_path / "b", office.tina)
    assert not list(bundle.verify(tmp_path / "b").findings)


@pytest.mark.parametrize("person", [ADULT, CHILD])
@pytest.mark.parametrize("is_published", [True, False])
def test_what_a_merge_that_is_taken_back_has_published_stays(office, person, is_published):
    office.correct(asking.merge(CHILD, ADULT))
    office.publish()
    office.correct(*corrections.taking_back(1))
    if is_published:
        office.publish()
        nothing_changes(office, person)
        return
    suppress(office.home, person, "asked for it", office.tina)
    office.is_as_published()
    first = m.Publication.objects.earliest("fact")
    was = {(x.batch.key, x.person): x.after for x in m.Change.objects.filter(run=first.run)}
    run = office.publish()
    again = {(x.batch.key, x.person): x.after for x in m.Change.objects.filter(run=run, gone=False)}
    assert again
    assert again.items() <= was.items()
    office.is_as_published()


def test_a_merge_that_is_undone_later_gives_what_was_before(office):
    was = office.numbers()
    fact, _ = people.merge(CHILD, ADULT, "one person", office.tina)
    office.publish()
    suppress(office.home, ADULT, "asked for it", office.tina)
    undoing.undo(fact, "two persons", office.tina)
    office.publish()
    office.is_as_published()
    now = office.numbers()
    assert {at: now[at] for at in was} == was


def test_the_numbers_of_an_event_that_is_taken_out_stay_what_they_were(office):
    was = office.numbers()
    office.correct(asking.event("2", "withdraw"))
    office.publish()
    nothing_changes(office, CHILD)
    office.correct(*corrections.taking_back(1))
    office.publish()
    assert office.numbers() == was
    office.is_as_published()


@pytest.mark.parametrize("born", ["1970-01-31", "2012-05-05"])
def test_what_was_published_by_a_date_of_before_stays(office, born):
    edit(CHILD, Edit(born=date.fromisoformat(born)), "a slip", office.tina)
    office.publish()
    nothing_changes(office, CHILD)
    private = m.PersonPrivate.objects.filter(person=CHILD).values_list("birth_date", flat=True)
    former = m.FormerBirth.objects.filter(person=CHILD).values_list("birth_date", flat=True)
    true = {date.fromisoformat(each) for each in (born, BORN[CHILD])}
    assert not true & {*private, *former}


def test_what_was_published_before_a_date_was_known_stays(office):
    office.event("D", "2026-03-20", 3, 6, 1)
    m.FormerBirth.objects.all().delete()
    edit(3, Edit(born=date(2011, 5, 5)), "passport", office.tina)
    office.publish()
    nothing_changes(office, 3)


def test_dates_of_before_that_somebody_changed_are_told(office):
    edit(CHILD, Edit(born=date(1970, 1, 31)), "a slip", office.tina)
    office.publish()
    suppress(office.home, CHILD, "asked for it", office.tina)
    assert m.FormerBirth.objects.update(birth_date=date(2011, 1, 1)) == 1
    assert "the birth dates of fact" in str(list(doctor.examine(office.home)))


def test_publications_that_the_next_one_goes_on_from_are_not_made_again(office, monkeypatch):
    """Their numbers are in the next one to the bit: what holds of that holds of them."""
    office.event("D", "2026-04-20", CHILD, 1, 2)
    office.publish(MAY)
    made = []

    def counted(fed, *said):
        made.append(len(fed.games))
        return rate(fed, *said)

    monkeypatch.setattr(ages, "rate", counted)
    nothing_changes(office, CHILD, MAY)
    assert len(set(made)) == 1


def test_what_cannot_be_made_again_holds_nobody_up(office, monkeypatch):
    """Where a rule book is no longer there, say: nobody knows what its numbers rested on."""

    def gone(*_):
        raise refuse("office.rulebook", "no rule book of this name is installed", "")

    monkeypatch.setattr(ages, "rate", gone)
    suppress(office.home, CHILD, "asked for it", office.tina)
    assert not m.PersonPrivate.objects.filter(person=CHILD).exists()
