"""Of many only the year of birth is known, as FIDE's lists say it: the rules are fed that."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.office import bundle
from ratingbook.office.acts import (
    bundles,
    desk,
    doctor,
    explain,
    forecast,
    imports,
    reasons,
    receive,
    register,
    registry,
    runs,
    setup,
)
from ratingbook.office.acts.lists import rows_of
from ratingbook.office.acts.published import head_run
from ratingbook.office.acts.registry import Edit, edit
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.acts.snapshots import fed_by_sections, fed_of
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.intake import Understood, understand
from ratingbook.office.store import models as m
from ratingbook.site.shown.desk import review
from tests.formats.lists.fide.test_txt import ONE_POOL
from tests.office.reports import write

FEBRUARY, MARCH = date(2026, 2, 1), date(2026, 3, 1)
ANNA, BEN = "4100001", "4100002"


def listed(number: str, name: str, rating: int, born: int) -> str:
    """A line of FIDE's list of one pool, in the columns of its header."""
    line = f"{number:15}{name:61}GER M".ljust(113)
    return f"{line}{rating:<6}{0:<5}{20:<3}{born:<6}".ljust(len(ONE_POOL))


FILES = {
    "fide.txt": "\n".join(
        [ONE_POOL, listed(ANNA, "Alpha, Anna", 1720, 2011), listed(BEN, "Bravo, Ben", 1750, 1980)]
    ),
    "years.csv": f'id,name,rating,games,birth_year\n{ANNA},"Alpha, Anna",1720,40,2011\n'
    f'{BEN},"Bravo, Ben",1750,40,1980\n',
    "dates.csv": f'id,name,rating,games,birth_date\n{ANNA},"Alpha, Anna",1720,40,2011\n'
    f'{BEN},"Bravo, Ben",1750,40,1980\n',
}  # fmt: skip


def report(**anna):
    said = {ANNA: {"name": "Alpha, Anna", **anna}, BEN: {"name": "Bravo, Ben"}}
    return {
        "ratingbook": "report/1",
        "event": {"name": "Cup", "start": "2026-01-10", "end": "2026-01-11"},
        "players": [
            {"id": each, "ids": {"fide": each}, **more} for each, more in said.items()
        ],
        "games": [{"round": 1, "white": ANNA, "black": BEN, "result": "1-0"}],
    }  # fmt: skip


def office_of(home, tina, tmp_path, name="fide.txt", rulebook="fide"):
    setup.add_pool("main", rulebook, tina)
    path = tmp_path / name
    path.write_text(FILES[name], "utf-8")
    imports.import_file(home, path, "fide", tina, "main")
    said = write(tmp_path, "cup.json", report())
    receive.receive(home, said, tina, receive.Options(pool="main"))
    return home


def publish(home, tina, until=FEBRUARY) -> m.List:
    run = runs.make(home, "main", until, tina).run
    runs.approve(run.id, tina, "")
    runs.publish(home, run.id, tina)
    return m.List.objects.latest("id")


@pytest.fixture(params=FILES)
def office(request, home, tina, tmp_path):
    return office_of(home, tina, tmp_path, request.param)


def anna() -> int:
    return m.ExternalId.objects.get(scheme="fide", value=ANNA, revoked_by=None).person_id


def after() -> dict[str, float | None]:
    number = m.ExternalId.objects.filter(scheme="fide").values_list("person", "value")
    called = dict(number)
    return {called[x.person]: x.after for x in m.Change.objects.all()}


@pytest.mark.parametrize("name", FILES)
def test_an_office_rates_by_it_as_a_report_is_rated(home, tina, tmp_path, name):
    publish(office_of(home, tina, tmp_path, name), tina)
    told = CliRunner().invoke(
        app, ["rate", str(tmp_path / "cup.json"), "--rulebook", "fide", "--players",
              str(tmp_path / name), "--format", "json"],
    )  # fmt: skip
    rated = {each["id"]: each["after"] for each in json.loads(told.stdout)["players"]}
    # 8.3.3: K = 40 until the end of the year of the 18th birthday; 40 × (1 − 0.46) = 21.6.
    assert rated[ANNA] == 1742
    assert after() == rated


def test_the_explanation_and_the_k_of_the_list_are_those_of_a_junior(office, tina):
    one = publish(office, tina)
    found = explain.explain(office, anna(), one)
    assert [x.value for x in found.rows[0].explanation if x.rule == "development_coefficient"] == [
        40
    ]
    assert not list(found.findings)
    assert {row["name"]: row["k"] for row in rows_of(one)} == {"Alpha, Anna": 40, "Bravo, Ben": 20}


def test_who_is_no_junior_any_more_has_no_such_k(home, tina, tmp_path, monkeypatch):
    monkeypatch.setitem(FILES, "years.csv", FILES["years.csv"].replace("2011", "2007"))
    publish(office_of(home, tina, tmp_path, "years.csv"), tina)
    assert after()[ANNA] == 1731


def test_what_was_published_comes_out_again_and_the_bundle_says_no_year(office, tina, tmp_path):
    one = publish(office, tina)
    done, findings = bundles.replay()
    assert [each.is_equal for each in done] == [True]
    assert not list(findings)
    assert not doctor.examine(office).refused
    manifest = bundles.write_bundle(office, one, tmp_path / "public", tina)
    assert (manifest["birth_dates"], manifest["stand_ins"]) == (False, 1)
    players = pq.read_table(tmp_path / "public" / "players.parquet")
    assert "birth_year" not in players.column_names
    # The first date by which somebody is a junior in January 2026.
    assert set(players["birth_date"].to_pylist()) == {None, date(2008, 1, 1)}
    assert not list(bundle.verify(tmp_path / "public").findings)
    bundles.write_bundle(office, one, tmp_path / "auditor", tina, with_birth_dates=True)
    held = pq.read_table(tmp_path / "auditor" / "players.parquet")
    assert sorted(held["birth_year"].to_pylist()) == [1980, 2011]
    assert not list(bundle.verify(tmp_path / "auditor").findings)


def test_where_no_number_rests_on_it_the_bundle_says_nothing(home, tina, tmp_path):
    one = publish(office_of(home, tina, tmp_path, "years.csv", "fide-2009"), tina)
    manifest = bundles.write_bundle(home, one, tmp_path / "public", tina)
    assert (manifest["birth_dates"], manifest["stand_ins"]) == (False, 0)
    names = pq.read_schema(tmp_path / "public" / "players.parquet").names
    assert not {"birth_date", "birth_year"} & set(names)
    assert not list(bundle.verify(tmp_path / "public").findings)


def test_a_bundle_that_holds_years_and_does_not_say_so_is_told(home, tina, tmp_path):
    one = publish(office_of(home, tina, tmp_path), tina)
    out = tmp_path / "auditor"
    bundles.write_bundle(home, one, out, tina, with_birth_dates=True)
    said = json.loads((out / "manifest.json").read_text())
    for other in ({"birth_dates": False}, {"birth_dates": False, "stand_ins": 1}):
        (out / "manifest.json").write_text(json.dumps({**said, **other}))
        assert "verify.said" in {each.code for each in bundle.verify(out).findings}


def test_rules_that_ask_for_no_year_are_fed_none(home, tina, tmp_path):
    office = office_of(home, tina, tmp_path, "years.csv", "elo")
    run = runs.make(office, "main", FEBRUARY, tina)
    assert "history.column-ignored" not in {each.code for each in run.findings}
    assert not [each for each in run.findings if "birth" in str(each)]


def test_who_is_suppressed_leaves_all_numbers_as_they_are(office, tina):
    publish(office, tina)
    person = anna()
    suppress(office, person, "asked for it", tina)
    kept = m.PersonPrivate.objects.get(person=person)
    # As a date that stands in: the first year by which the numbers are the same.
    assert (kept.birth_date, kept.birth_year) == (None, 2008)
    publish(office, tina, MARCH)
    assert m.Change.objects.count() == 2
    done, findings = bundles.replay()
    assert [each.is_equal for each in done] == [True, True]
    assert not findings.refused
    assert not doctor.examine(office).refused
    m.PersonPrivate.objects.filter(person=person).update(birth_year=2001)
    assert "the birth dates of fact" in str(list(doctor.examine(office)))


def test_what_stands_in_for_a_year_is_shown_to_nobody(office, tina, tmp_path):
    publish(office, tina)
    person = anna()
    suppress(office, person, "asked for it", tina)
    assert registry.export(person, tina)["private"] == []
    said = {**report(), "players": [{"id": "1", "name": "Somebody", "birth_year": 2011},
                                    {"id": "2", "name": "Bravo, Ben", "ids": {"fide": BEN}}],
            "games": [{"round": 1, "white": "1", "black": "2", "result": "1-0"}]}  # fmt: skip
    path = write(tmp_path, "later.json", said)
    receive.receive(office, path, tina, receive.Options(pool="main", another=True))
    desk.link(2, "1", str(person), tina)
    found = review(2)
    assert found is not None
    assert {each["number"]: each["years"] for each in found.entries} == {"1": "", "2": ""}


def test_of_who_is_suppressed_no_year_stays_that_no_number_needs(home, tina, tmp_path):
    office = office_of(home, tina, tmp_path, "years.csv", "fide-2009")
    publish(office, tina)
    person = anna()
    suppress(office, person, "asked for it", tina)
    assert not m.PersonPrivate.objects.filter(person=person).exists()


def test_a_day_that_is_said_later_takes_the_place_of_the_year(office, tina):
    person = anna()
    before = fed_of(office, m.Pool.objects.get().id, m.Fact.objects.latest("seq").seq)
    edit(person, Edit(born=date(2011, 5, 5)), "passport", tina)
    now = fed_of(office, m.Pool.objects.get().id, m.Fact.objects.latest("seq").seq)
    assert before.births[str(person)] == 2011
    assert now.births[str(person)] == date(2011, 5, 5)


@pytest.mark.parametrize(("said", "expected"), [({"birth_year": 2011}, 1742), ({}, 1731)])
def test_a_draft_is_rated_by_the_year_that_the_report_says(home, tina, tmp_path, said, expected):
    """And by no other: whoever knew the change would know what the office knows."""
    setup.add_pool("main", "fide", tina)
    path = tmp_path / "years.csv"
    path.write_text(FILES["years.csv"], "utf-8")
    imports.import_file(home, path, "fide", tina, "main")
    publish(home, tina, date(2026, 1, 1))
    pool = m.Pool.objects.get()
    found = understand(write(tmp_path, "x.json", report(**said)), rules_of(pool), None)
    assert isinstance(found, Understood)
    run = head_run(pool)
    assert run is not None
    known = dict(m.ExternalId.objects.filter(scheme="fide").values_list("value", "person"))
    made = forecast.forecast(home, run, pool, found, known, None)
    assert made[ANNA].after == expected


def test_what_was_published_before_years_were_fed_stays_what_it_is(
    home, tina, tmp_path, monkeypatch
):
    """A run keeps the digest of what it was fed; a new one has the numbers by the year."""
    office = office_of(home, tina, tmp_path)
    with monkeypatch.context() as before:
        before.setattr("ratingbook.office.acts.runs.fed_by_sections", _without_years)
        old = publish(office, tina)
    assert after()[ANNA] == 1731
    done, findings = bundles.replay()
    assert [each.is_equal for each in done] == [True]
    assert not list(findings)
    assert not list(explain.explain(office, anna(), old).findings)
    bundles.write_bundle(office, old, tmp_path / "auditor", tina, with_birth_dates=True)
    assert not list(bundle.verify(tmp_path / "auditor").findings)
    made = runs.make(office, "main", MARCH, tina)
    (told,) = [each for each in made.findings if each.code == "office.years-new"]
    assert "2011" not in told.message
    runs.discard(made.run.id, tina)
    publish(office, tina, MARCH)
    assert not [
        each for each in runs.make(office, "main", MARCH, tina).findings
        if each.code == "office.years-new"
    ]  # fmt: skip
    assert m.Change.objects.filter(person=anna()).latest("run").after == 1742
    assert all(each.is_equal for each in bundles.replay()[0])


def test_that_years_count_now_is_a_reason_and_names_nobody_to_others(
    home, tina, tmp_path, monkeypatch
):
    """No fact came between the runs; officers are told what counts now, and no year."""
    office = office_of(home, tina, tmp_path)
    with monkeypatch.context() as before:
        before.setattr("ratingbook.office.acts.runs.fed_by_sections", _without_years)
        publish(office, tina)
    publish(office, tina, MARCH)
    pool = m.Pool.objects.get()
    (changed,) = register.since_first(office, pool, anna())
    assert changed["why"] == ["the year of birth counts now where no date of birth is known"]
    here, base = (each.run for each in m.Publication.objects.order_by("-seq"))
    public = [x.says for x in reasons.between([(here, base)], person=anna())]
    assert public == ["what the office knows of a person was put right"]
    # A run that is fed the same has no such reason.
    edit(anna(), Edit(name="Alpha, Ann"), "a slip", tina)
    publish(office, tina, date(2026, 4, 1))
    here, base = (each.run for each in m.Publication.objects.order_by("-seq")[:2])
    assert reasons.between([(here, base)], for_officers=True) == ()


def test_years_that_moved_no_number_are_no_reason(home, tina, tmp_path, monkeypatch):
    """Of two adults, whom a late report moves."""
    monkeypatch.setitem(FILES, "years.csv", FILES["years.csv"].replace("2011", "1990"))
    office = office_of(home, tina, tmp_path, "years.csv")
    with monkeypatch.context() as before:
        before.setattr("ratingbook.office.acts.runs.fed_by_sections", _without_years)
        publish(office, tina)
    publish(office, tina, MARCH)
    here, base = (each.run for each in m.Publication.objects.order_by("-seq"))
    assert reasons.between([(here, base)], for_officers=True) == ()


def _without_years(*said):
    fed, numbers = fed_by_sections(*said)
    assert fed.players is not None
    return replace(fed, players=fed.players.drop_columns(["birth_year"])), numbers
