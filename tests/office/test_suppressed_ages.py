"""Who is suppressed leaves the numbers of all as they are, also where these rest on the age."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import bundles, doctor, imports, reasons, receive, registry, runs, setup
from ratingbook.office.acts.published import steps_of
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.store import models as m
from tests.office.reports import document, write
from tests.site.test_ages import FIRST, RATED

MARCH, APRIL = date(2026, 3, 1), date(2026, 4, 1)
BORN = date(2012, 11, 3)
CHILD = 9


def rate(home, tina, until):
    run = runs.make(home, "us", until, tina).run
    runs.approve(run.id, tina)
    runs.publish(home, run.id, tina)
    return run


def office_of(home, tina, tmp_path, edition: str, born: str, policies=None):
    """A chain of players that begins with a child, who with US Chess comes in with this event."""
    setup.add_pool("us", edition, tina, {}, policies or {})
    lines = [f'{key},{rating},30,"Invented, P{key}",' for key, rating in RATED.items()]
    opening = tmp_path / "opening.csv"
    # With FIDE nothing is made of an age but K, which a rating has.
    rated = "1500,30" if edition.startswith("fide") else ","
    lines.append(f'{CHILD},{rated},"Invented, Child",{born}')
    opening.write_text("\n".join(["id,rating,games,name,birth_date", *lines]) + "\n", "utf-8")
    imports.import_file(home, opening, "national", tina, "us")
    said = document("Chain", "2026-01-10")
    said["players"] = [
        {"id": key, "name": f"Invented, {key}", "ids": {"national": key}} for key in (*RATED, "9")
    ]
    said["games"] = [
        {"round": number, "white": white, "black": black, "result": result}
        for number, (white, black, result) in enumerate(FIRST, 1)
    ]
    path = write(tmp_path, "chain.json", said)
    receive.receive(home, path, tina, receive.Options(pool="us", another=True))
    rate(home, tina, MARCH)
    return home


@pytest.fixture(params=["uscf-2011", "uscf-2025", "fide-2024"])
def office(request, home, tina, tmp_path):
    return office_of(home, tina, tmp_path, request.param, str(BORN))


def child() -> int:
    return m.PersonPrivate.objects.get(birth_date=BORN).person_id


def test_no_published_number_is_another_one(office, tina):
    person = child()
    suppress(office, person, "asked for it", tina)
    run = rate(office, tina, APRIL)
    assert run.report["players"] == run.report["rows"] == run.report["gone_rows"] == 0
    assert not m.Change.objects.filter(run=run).exists()
    done, findings = bundles.replay()
    assert [each.is_equal for each in done] == [True, True]
    assert {each.code for each in findings} <= {"replay.stand-ins"}
    assert not doctor.examine(office).refused


def test_the_birth_date_is_gone_and_what_stands_in_for_it_says_no_more(office, tina):
    person = child()
    suppress(office, person, "asked for it", tina)
    (kept,) = m.PersonPrivate.objects.filter(person=person)
    assert kept.birth_date is not None
    assert kept.birth_date < BORN
    assert kept.birth_year is None
    assert registry.export(person, tina)["private"] == []


@pytest.mark.parametrize("born", ["2012-11-03", "2012-11-05", "2012-09-20"])
def test_two_whose_published_numbers_are_the_same_have_the_same_date(home, tina, tmp_path, born):
    office = office_of(home, tina, tmp_path, "uscf-2011", born)
    person = m.PersonPrivate.objects.get(birth_date=born).person_id
    suppress(office, person, "asked for it", tina)
    (first,) = m.PersonPrivate.objects.values_list("birth_date", flat=True)
    assert first == date(2012, 4, 3), "whoever has the numbers could reckon it"


def test_where_no_number_rests_on_the_age_nothing_is_kept(home, tina, tmp_path):
    """As in public bundles: a date would say what no number says."""
    office = office_of(home, tina, tmp_path, "elo", str(BORN), policies={"assume": "1500"})
    person = child()
    suppress(office, person, "asked for it", tina)
    assert not m.PersonPrivate.objects.filter(person=person).exists()


def test_who_needs_no_date_has_none(home, tina, tmp_path):
    office = office_of(home, tina, tmp_path, "fide-2024", "1990-05-05")
    person = m.PersonPrivate.objects.get(birth_date=date(1990, 5, 5)).person_id
    suppress(office, person, "asked for it", tina)
    assert not m.PersonPrivate.objects.filter(person=person).exists()


def test_a_date_that_somebody_changed_is_told(office, tina):
    suppress(office, child(), "asked for it", tina)
    m.PersonPrivate.objects.update(birth_date=date(2011, 1, 1))
    assert "the birth dates of fact" in str(list(doctor.examine(office)))


def test_dates_that_are_gone_since_before_are_a_reason(office, tina, monkeypatch):
    """Offices of before kept nothing: what comes of that is told, and why."""
    person = child()
    suppress(office, person, "asked for it", tina)
    m.PersonPrivate.objects.filter(person=person).delete()
    run = rate(office, tina, APRIL)
    steps = steps_of(run.pool_id, 1)
    assert reasons.between(steps) == ()
    is_changed = run.report["rows"] > 0
    done, findings = bundles.replay()
    assert [each.is_equal for each in done] == [not is_changed, True]
    assert findings.refused == is_changed, "what differs without a cause is refused"
    for module in (registry, reasons):
        monkeypatch.setattr(module, "STAND_INS", "kept by nobody")
    assert [each.says for each in reasons.between(steps)] == [
        f"the birth date of Player {person} is gone"
    ]
    _, findings = bundles.replay()
    assert not findings.refused
