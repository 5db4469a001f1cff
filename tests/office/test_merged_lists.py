"""Two who came in by a list and are one person: lists of before their first game have one, too."""

from __future__ import annotations

from datetime import date

from ratingbook.office.acts import imports, people, receive, runs, setup
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write

LISTS = (date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1))


def publish(home, tina, until):
    run = runs.make(home, "go", until, tina).run
    runs.approve(run.id, tina)
    runs.publish(home, run.id, tina)


@prepared
def office(home, tina, tmp_path):
    """Six players of Go, who come in by a file; two lists are of before their first games."""
    setup.add_pool("go", "egf-2021", tina, {}, {"revise": "affected"})
    path = tmp_path / "opening.csv"
    rows = [f'{number},"{name}",{1700 + 50 * at}'
            for at, (name, _, _, number) in enumerate(PLAYERS.values())]  # fmt: skip
    path.write_text("\n".join(["id,name,rating", *rows]))
    imports.import_file(home, path, "national", tina, "go")
    for day in LISTS[:2]:
        publish(home, tina, day)
    who = {key: PLAYERS[key] for key in "1234"}
    said = document("Open", "2026-02-10", {("1", "2"): "1-0"}, who)
    said["event"]["class"] = "A"
    receive.receive(home, write(tmp_path, "open.json", said), tina)
    publish(home, tina, LISTS[2])
    return home


def listed(day):
    """Who is on the newest revision of a list."""
    newest = m.List.objects.filter(date=day).order_by("revision").last()
    rows = m.ListRow.objects.filter(list=newest)
    return set(rows.values_list("person", flat=True))


def test_every_list_has_one_of_them(office, tina):
    assert [len(listed(day)) for day in LISTS] == [6, 6, 6]
    people.merge(6, 1, "one person", tina)
    publish(office, tina, LISTS[2])
    assert [listed(day) for day in LISTS] == [{1, 2, 3, 4, 5}] * 3


def test_and_both_when_they_are_two_again(office, tina):
    people.merge(6, 5, "one person", tina)
    publish(office, tina, LISTS[2])
    assert [listed(day) for day in LISTS] == [{1, 2, 3, 4, 5}] * 3
    from ratingbook.office.acts import undoing

    undoing.undo(m.Fact.objects.get(kind="merge").seq, "two persons", tina)
    publish(office, tina, LISTS[2])
    assert [listed(day) for day in LISTS] == [{1, 2, 3, 4, 5, 6}] * 3


def test_who_was_one_before_is_somebody_else_by_another_merge(office, tina):
    """The number that is named the second time came in with nothing of its own here."""
    made, _ = people.add_person(NewPerson("Golf, Gina", date(1990, 1, 1)), "", tina)
    people.merge(6, made, "one person", tina)
    publish(office, tina, LISTS[2])
    assert [listed(day) for day in LISTS] == [{1, 2, 3, 4, 5, made}] * 3
    people.merge(made, 5, "and the same", tina)
    publish(office, tina, LISTS[2])
    assert [listed(day) for day in LISTS] == [{1, 2, 3, 4, 5}] * 3
