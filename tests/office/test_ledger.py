"""The ledger: gapless, chained, kept by the database, and examined by the doctor."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from ratingbook.office.acts import doctor, people
from ratingbook.office.logic.chain import FIRST, canonical, commitment, fact_hash
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs, ledger, triggers
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import acting
from ratingbook.office.store.rows import put_rows


def codes(findings):
    return [each.code for each in findings]


def test_the_hash_of_a_fact_is_that_of_its_canonical_json():
    """By hand: SHA-256 of the hash before and of the JSON with sorted keys."""
    import hashlib

    fact = {
        "seq": 1, "kind": "k", "at": "t", "true_from": None, "true_to": None, "actor": "a",
        "origin": "o", "reason": "ü", "payload": {"b": 1, "a": 2}, "private_commit": None,
        "revokes": None, "subjects": [["person", "1"]], "evidence": [],
    }  # fmt: skip
    text = (
        '{"actor":"a","at":"t","evidence":[],"kind":"k","origin":"o","payload":{"a":2,"b":1},'
        '"private_commit":null,"reason":"ü","revokes":null,"seq":1,"subjects":[["person","1"]],'
        '"true_from":null,"true_to":null}'
    )
    assert fact_hash(FIRST, fact) == hashlib.sha256((FIRST + text).encode()).hexdigest()


def test_a_commitment_needs_the_salt():
    assert commitment("a", {"x": 1}) != commitment("b", {"x": 1})
    assert canonical(date(2026, 1, 2)) == b'"2026-01-02"'


def test_facts_are_numbered_without_gaps_and_chained(home, tina):
    with acting(tina) as act:
        first = act.fact("tried", ("person", 7), payload={"n": 1})
        second = act.fact("tried", payload={"n": 2})
    assert second == first + 1
    assert list(ledger.broken_links(ledger.facts_from())) == []

    def lose():
        with acting(tina) as act:
            act.fact("lost")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        lose()
    with acting(tina) as act:
        assert act.fact("after") == second + 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE office_fact SET reason = 'other' WHERE seq = 1",
        "DELETE FROM office_fact WHERE seq = 1",
        "DELETE FROM office_factsubject",
        "UPDATE office_person SET made_by = 9",
        "DELETE FROM office_personname",
    ],
)
def test_the_database_refuses_to_change_what_is_written(home, tina, statement):
    from ratingbook.office.acts.people import add_person
    from ratingbook.office.logic.newcomers import NewPerson

    add_person(NewPerson("Nobody, Nina"), "", tina)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("home", ["sqlite"], indirect=True)
def test_sqlite_does_not_let_replace_pass(home):
    """PostgreSQL has no REPLACE INTO."""
    import sqlite3

    # Another program's connection, without our pragmas.
    with sqlite3.connect(home.sqlite_file) as link:
        row = list(link.execute("SELECT * FROM office_fact WHERE seq = 1").fetchone())
        marks = ",".join("?" * len(row))
        with pytest.raises(sqlite3.DatabaseError, match="what is written is kept"):
            link.execute(f"REPLACE INTO office_fact VALUES ({marks})", row)
    link.close()


def test_many_rows_leave_the_triggers_as_they_were(home):
    columns = ("id", "made_by")
    assert triggers.present(connection) == triggers.wanted(connection.vendor)
    with transaction.atomic():
        put_rows("office_person", columns, [(number, 1) for number in range(1, 601)])
    # One that is there already keeps all of them out, and the triggers stay.
    with pytest.raises(IntegrityError), transaction.atomic():
        put_rows("office_person", columns, [(number, 1) for number in range(600, 1200)])
    assert triggers.present(connection) == triggers.wanted(connection.vendor)
    assert m.Person.objects.count() == 600
    if connection.vendor == "sqlite":
        with pytest.raises(DatabaseError), connection.cursor() as cursor:
            cursor.execute("REPLACE INTO office_person VALUES (1, 2)")


@pytest.mark.parametrize("home", ["sqlite"], indirect=True)
def test_the_database_is_asked_to_sync_every_transaction(home):
    """PostgreSQL does so of its own."""
    with connection.cursor() as cursor:
        found = {
            name: cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "recursive_triggers")
        }
    assert found == {"journal_mode": "wal", "synchronous": 2, "recursive_triggers": 1}


def test_what_is_revoked_is_revoked_once(home, tina):
    from ratingbook.office.acts.people import add_person, merge
    from ratingbook.office.logic.newcomers import NewPerson

    for name in ("One, Ona", "Two, Tom"):
        add_person(NewPerson(name), "", tina)
    fact, _ = merge(1, 2, "same", tina)
    m.PersonRelation.objects.filter(fact=fact).update(revoked_by=99)
    with pytest.raises(DatabaseError), transaction.atomic():
        m.PersonRelation.objects.filter(fact=fact).update(revoked_by=100)
    with pytest.raises(DatabaseError), transaction.atomic():
        m.PersonRelation.objects.filter(fact=fact).update(revoked_by=None)


def test_a_clock_that_was_set_back_is_told_and_reorders_nothing(home, tina):
    with acting(tina) as act:
        act.fact("late")
    early = replace(tina, at=tina.now() - timedelta(hours=3))
    with acting(early) as act:
        act.fact("early")
    assert codes(act.findings) == ["office.clock-back"]
    assert "10800 seconds" in next(iter(act.findings)).message
    times = list(m.Fact.objects.order_by("seq").values_list("at", flat=True))
    assert times == sorted(times)
    assert list(ledger.broken_links(ledger.facts_from())) == []


def test_what_was_known_on_a_day_is_asked_by_number(home, tina):
    with acting(tina) as act:
        before = act.fact("one")
    with acting(replace(tina, at=tina.now() + timedelta(days=3))) as act:
        after = act.fact("two")
    day = tina.now().date()
    assert ledger.known_at(day) == before
    assert ledger.known_at(day + timedelta(days=2)) == before
    assert ledger.known_at(day + timedelta(days=3)) == after == ledger.known_at(None)
    assert ledger.known_at(day - timedelta(days=1)) == 0


def test_three_writers_at_once_leave_no_gap(home, tina):
    failed = []

    def write():
        try:
            for _ in range(10):
                with acting(tina) as act:
                    act.fact("one of many")
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    before = ledger.head().seq
    threads = [threading.Thread(target=write) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert failed == []
    seqs = list(m.Fact.objects.order_by("seq").values_list("seq", flat=True))
    assert seqs == list(range(1, before + 31))
    assert list(ledger.broken_links(ledger.facts_from())) == []


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("office_entry", {"version_id": 9, "number": "1", "name": "Nobody, Nina", "printed": "{}"}),
        ("office_factsubject", {"fact_id": 999, "kind": "person", "subject": "1"}),
        ("office_listrow", {"list_id": 9, "place": 1, "person": 1, "printed": "[]"}),
        (
            "office_link",
            {"fact": 1, "entry_id": 9, "person_id": 9, "method": "id", "reasons": "[]"},
        ),
    ],
)
@pytest.mark.parametrize("many", [1, 200])
def test_rows_that_name_what_is_not_there_are_kept_out(home, table, row, many):
    place = "subject" if "subject" in row else "place" if "place" in row else "number"
    rows = [{**row, place: str(at)} if place in row else row for at in range(many)]
    if table == "office_link":
        rows = rows[:1]
    with pytest.raises(IntegrityError), transaction.atomic():
        put_rows(table, tuple(row), [tuple(each.values()) for each in rows])
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table} WHERE {next(iter(row))} >= 9")
        assert cursor.fetchone() == (0,)


def test_a_sound_office_is_told_so(home):
    assert codes(doctor.examine(home)) == []


def _without_triggers(statement, *values):
    """As somebody who owns the database can."""
    with connection.cursor() as cursor:
        for name in triggers.present(connection):
            if connection.vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER {name}")
            else:
                cursor.execute(f"DROP FUNCTION {name} CASCADE")
        cursor.execute(statement, values)
    triggers.make(connection)


def test_the_doctor_finds_a_changed_fact(home, tina):
    with acting(tina) as act:
        seq = act.fact("expected", payload={"name": "an event"}, reason="true")
    _without_triggers("UPDATE office_fact SET reason = %s WHERE seq = %s", "false", seq)
    found = doctor.examine(home)
    assert codes(found) == ["doctor.chain"]
    assert f"Fact {seq} " in next(iter(found)).message


def test_the_doctor_finds_facts_missing_at_the_end(home, tina):
    with acting(tina) as act:
        seq = act.fact("decision")
    _without_triggers("DELETE FROM office_fact WHERE seq = %s", seq)
    assert codes(doctor.examine(home)) == ["doctor.head"]


def test_the_doctor_finds_a_trigger_that_is_gone(home):
    name = sorted(triggers.present(connection))[0]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"DROP TRIGGER {name}")
        else:
            cursor.execute(f"DROP FUNCTION {name} CASCADE")
    assert codes(doctor.examine(home)) == ["doctor.triggers"]
    triggers.make(connection)
    assert codes(doctor.examine(home)) == []


def test_the_doctor_finds_a_damaged_file(home, tina):
    sha256 = blobs.keep(home, b"evidence")
    with acting(tina) as act:
        blobs.enter(sha256, 8, "text/plain")
        act.fact("tried", evidence=[sha256])
    blobs.path_of(home, sha256).write_bytes(b"EVIDENCE")
    assert codes(doctor.examine(home)) == ["doctor.files"]
    with pytest.raises(OfficeRefused) as refused:
        blobs.load(home, sha256)
    assert codes(refused.value.findings) == ["office.file-damaged"]


def test_migrations_go_back_and_forth(home):
    from django.core.management import call_command

    call_command("migrate", "office", "zero", verbosity=0)
    call_command("migrate", "office", verbosity=0)
    assert set(triggers.present(connection)) == set(triggers.wanted(connection.vendor))


def test_keys_of_names_outlast_their_migration_and_lie_by_letters(home, tina):
    from django.core.management import call_command

    with acting(tina) as act:
        people.make_persons(act, [NewPerson("Å Beispiel, Ida"), NewPerson("Zoo, Adam")])

    def said():
        return sorted(m.NameKey.objects.values_list("key", "person"))

    def order():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT collation_name FROM information_schema.columns "
                "WHERE table_name = 'office_namekey' AND column_name = 'key'"
            )
            return cursor.fetchone()[0]

    on_postgresql = connection.vendor == "postgresql"
    before = said()
    assert len(before) > 4
    assert not on_postgresql or order() == "C"
    for target in ("0005", "0006"):
        call_command("migrate", "office", target, verbosity=0)
        assert said() == before
    assert not on_postgresql or order() == "C"
    # A language's order has "aa" beside "a", and "B" after "a": ranges of beginnings would be torn.
    m.NameKey.objects.bulk_create(
        m.NameKey(key=key, person_id=1) for key in ("c:a b", "c:B", "c:ab", "c:aa", "c:\u00e5")
    )
    found = list(m.NameKey.objects.order_by("key").values_list("key", flat=True))
    assert found == sorted(found)


def test_the_migration_is_what_the_models_say(home):
    from django.core.management import call_command

    call_command("makemigrations", "office", check=True, dry_run=True, verbosity=0)


def test_who_is_not_known_may_nothing(home, tina):
    from ratingbook.office.acts import setup

    with pytest.raises(OfficeRefused) as refused:
        setup.add_pool("standard", "fide-2009", replace(tina, actor="udo"))
    assert codes(refused.value.findings) == ["office.actor"]
    setup.add_actor("udo", ["director"], tina)
    with pytest.raises(OfficeRefused) as refused:
        setup.add_pool("standard", "fide-2009", replace(tina, actor="udo"))
    assert codes(refused.value.findings) == ["office.permission"]


def test_what_is_hashed_is_written_as_json_writes_it():
    """The encoder that is made once says what one made anew says, and stays usable after faults."""
    anew = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    values: list[object] = [
        {"b": [1, 2.5, None, True], "a": {"ü": "\u2028\"\\\n", "1": -0.0}}, [], {}, "Ä",
        1e300, (1, "x"),
    ]  # fmt: skip
    for value in values:
        assert canonical(value) == anew.encode(value).encode()
    looped: list[object] = []
    looped.append({"a": object()})
    for _ in range(2):
        with pytest.raises(TypeError, match="no part of a fact"):
            canonical(looped)
    said = {"at": datetime(2024, 5, 1, 12, tzinfo=UTC), "day": date(2024, 5, 1)}
    assert canonical(said) == b'{"at":"2024-05-01T12:00:00.000000+00:00","day":"2024-05-01"}'


def test_the_head_knows_the_last_facts_of_kinds_of_which_there_are_few(home, tina):
    for name in ("Alpha, Anna", "Bravo, Ben"):
        people.add_person(NewPerson(name), "", tina)
    assert not any(map(ledger.is_any, ledger.FEW))
    merged, _ = people.merge(2, 1, "one person", tina)
    assert ledger.is_any("merge")
    assert not ledger.is_any("undone")
    assert ledger.last_of_few()["merge"] == m.Fact.objects.get(seq=merged).hash
    assert people.merges() == {2: 1}


def test_a_head_of_before_it_knew_them_asks_the_facts_until_the_next_one(home, tina):
    for name in ("Alpha, Anna", "Bravo, Ben", "Charlie, Cleo"):
        people.add_person(NewPerson(name), "", tina)
    people.merge(2, 1, "one person", tina)
    known = dict(ledger.last_of_few())
    for before in (None, {"merge": known["merge"]}):
        m.LedgerHead.objects.update(few=before)
        assert ledger.last_of_few() == known
    people.add_person(NewPerson("Delta, Dan"), "", tina)
    assert m.LedgerHead.objects.get().few == known


def test_the_doctor_tells_of_a_head_that_hides_a_fact(home, tina):
    for name in ("Alpha, Anna", "Bravo, Ben"):
        people.add_person(NewPerson(name), "", tina)
    people.merge(2, 1, "one person", tina)
    m.LedgerHead.objects.update(few=dict.fromkeys(ledger.FEW, ""))
    assert "doctor.few" in [each.code for each in doctor.examine(home)]
