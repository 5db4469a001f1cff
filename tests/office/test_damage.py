"""Rows that somebody changed beside the ledger: the doctor tells each, and ends in no traceback."""

from __future__ import annotations

import threading
from datetime import date

import pytest
from django.db import OperationalError, connection, connections
from psycopg.errors import AdminShutdown, DataCorrupted, IndexCorrupted

from ratingbook.office.acts import (
    agreement,
    asking,
    bundles,
    corrections,
    decisions,
    doctor,
    imports,
    people,
    receive,
    registry,
    reports,
    setup,
    undoing,
)
from ratingbook.office.acts import desk as desk_acts
from ratingbook.office.acts.decisions import Deciding
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.home import current
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import ledger, triggers
from ratingbook.office.store.damage import is_damaged
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write
from tests.office.test_runs import publish


@prepared
def office(home, tina, tmp_path):
    """An office with some of everything that facts make rows of."""
    setup.add_actor("udo", ["officer"], tina)
    setup.add_pool("standard", "fide", tina, {}, {"approvals": "1"})
    setup.set_policies("standard", {"marks": "1800"}, "why", tina)
    path = tmp_path / "opening.csv"
    some = list(PLAYERS.values())[:4]
    rows = [f'{number},"{name}",1800,40,{born}' for name, _, born, number in some]
    path.write_text("\n".join(["id,name,rating,games,birth_date", *rows]))
    imports.import_file(home, path, "national", tina, "standard")
    receive.receive(home, write(tmp_path, "open.json", document()), tina)
    desk_acts.link_new(1, tina)
    people.add_person(NewPerson("Golf, Gina", date(1990, 1, 1)), "", tina)
    added = people.add_person(NewPerson("Hotel, Hans", date(1991, 1, 1)), "", tina)[0]
    registry.edit(added, registry.Edit(born=date(1992, 2, 2)), "a slip", tina)
    for kind, value in (("reset", "1850"), ("title", "FM")):
        said = Deciding(1, kind, value, "standard", "why", date(2026, 1, 1))
        decisions.decide(home, said, tina)
    decided = tmp_path / "decided.csv"
    decided.write_text("player,date,kind,value,reason\n702,2026-01-01,reset,1900,a form\n")
    decisions.import_decisions(home, decided, "national", "standard", "others", tina)
    publish(home, tina)
    content = asking.opening("standard", {3: {"rating": "1900"}, 4: None})
    asked = corrections.ask(home, [content], "so it was", tina)
    corrections.accept(home, asked.id, tina)
    publish(home, tina)
    assert list(doctor.examine(home)) == []
    return home


def changed(*statements):
    """Write beside the ledger, as whoever owns the database can."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for table in tables if connection.vendor == "postgresql" else ():
            cursor.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER USER')
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA foreign_keys = OFF")
            for name in triggers.present(connection):
                cursor.execute(f"DROP TRIGGER {name}")
        for each in statements:
            cursor.execute(each)
            assert cursor.rowcount > 0, each
        if connection.vendor == "postgresql":
            for table in tables:
                cursor.execute(f'ALTER TABLE "{table}" ENABLE TRIGGER USER')
        else:
            triggers.make(connection)
            cursor.execute("PRAGMA foreign_keys = ON")


DAMAGE = {
    "an opening": ("doctor.decision", "UPDATE office_decision SET value = '{\"rating\": 1950}' "
                   "WHERE person_id = 2 AND kind = 'opening'"),
    "an opening without a shape": (
        "doctor.decision", "UPDATE office_decision SET value = '1999' WHERE person_id = 1"),
    "a reset": ("doctor.decision", "UPDATE office_decision SET value = '{\"value\": 1700.0}' "
                "WHERE person_id = 1 AND kind = 'base_rating'"),
    "a decision of a file": (
        "doctor.decision", "UPDATE office_decision SET person_id = 3 WHERE person_id = 2 AND "
        "kind = 'base_rating'"),
    "a corrected opening": ("doctor.decision", "UPDATE office_decision SET value = "
                            "'{\"rating\": 2200}' WHERE person_id = 3 AND fact > 20"),
    "a decision gone": ("doctor.decision", "DELETE FROM office_decision WHERE person_id = 2"),
    "a title": ("doctor.decision", "UPDATE office_personattribute SET value = 'GM' "
                "WHERE key = 'title'"),
    "approvals gone": ("doctor.approval", "DELETE FROM office_approval"),
    "an approval": ("doctor.approval", "UPDATE office_approval SET actor = 'udo'"),
    "acceptances gone": ("doctor.approval", "DELETE FROM office_correctionapproval"),
    "a state": ("doctor.step", "UPDATE office_sectionstep SET state = 'held'"),
    "the end of a section": ("doctor.sections", "UPDATE office_section SET \"end\" = '2026-02-03'"),
    "an entry": ("doctor.sections", "UPDATE office_entry SET name = 'Zulu, Zoe' WHERE id = 1"),
    "a stable key": ("doctor.games", "UPDATE office_game SET stable_key = 'x' WHERE id = 1"),
    "the name of somebody imported": (
        "doctor.person", "UPDATE office_personname SET text = 'Zulu, Zoe' WHERE person_id = 1"),
    "the name of somebody of a report": (
        "doctor.person", "UPDATE office_personname SET text = 'Zulu, Zoe' WHERE person_id = 5"),
    "a name gone": ("doctor.person", "DELETE FROM office_personname WHERE person_id = 2"),
    "a number": ("doctor.person", "UPDATE office_externalid SET value = '9' WHERE person_id = 2"),
    "a birth date of an import": (
        "doctor.birth", "UPDATE office_personprivate SET birth_date = '2010-01-01', "
        "birth_year = 2010 WHERE person_id = 1"),
    "a birth date of an entry": (
        "doctor.birth", "UPDATE office_personprivate SET birth_date = '2011-01-01', "
        "birth_year = 2011 WHERE person_id = 5"),
    "a birth date that was told": (
        "doctor.birth", "UPDATE office_personprivate SET birth_date = '2012-01-01', "
        "birth_year = 2012 WHERE person_id = 7"),
    "a birth date that was edited": (
        "doctor.birth", "UPDATE office_personprivate SET birth_date = '2013-01-01', "
        "birth_year = 2013 WHERE person_id = 8"),
    "a line of a list": (
        "doctor.list", "UPDATE office_listrow SET printed = "
        "REPLACE(CAST(printed AS text), 'Bravo', 'Zulu')" + "{json} WHERE list_id = 1"),
    "the title of a list": ("doctor.list", "UPDATE office_list SET title = 'Other'"),
    "a policy": ("doctor.pool", "UPDATE office_pool SET policies = '{}'"),
    "roles": ("doctor.actor", "UPDATE office_actor SET roles = '[\"admin\"]' WHERE name = 'udo'"),
    "the key of an event": ("doctor.report", "UPDATE office_report SET event_key = 'other'"),
    "a published row gone": (
        "doctor.changes", "DELETE FROM office_change WHERE person = 2 AND run_id = 1"),
    "a fact without a shape": ("doctor.chain", "UPDATE office_fact SET payload = '7' "
                               "WHERE kind = 'decision'"),
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGE)
def test_the_doctor_tells_what_was_changed(office, what):
    code, statement = DAMAGE[what]
    as_json = "::jsonb" if connection.vendor == "postgresql" else ""
    changed(statement.replace("{json}", as_json))
    found = doctor.examine(office)
    assert code in {each.code for each in found}
    assert "doctor.triggers" not in {each.code for each in found}
    replayed, _ = bundles.replay()
    assert len(replayed) == 2


def test_rows_that_are_no_rows_end_in_findings(office):
    changed("UPDATE office_decision SET value = '1999' WHERE kind = 'opening'")
    assert {"doctor.decision", "doctor.damaged"} <= {x.code for x in doctor.examine(office)}
    replayed, findings = bundles.replay()
    assert [each.is_equal for each in replayed] == [False, False]
    assert {each.code for each in findings} == {"replay.damaged"}


def test_an_office_without_its_head_ends_in_findings(office):
    changed("DELETE FROM office_ledgerhead")
    assert "doctor.damaged" in {each.code for each in doctor.examine(office)}


def test_rules_that_are_not_installed_hinder_no_other_look(office):
    changed(
        "UPDATE office_pool SET rulebook = 'other-2001'",
        "UPDATE office_decision SET value = '{\"value\": 1700.0}' WHERE kind = 'base_rating'",
    )
    found = [each.code for each in doctor.examine(office)]
    assert {"office.rulebook", "doctor.pool", "doctor.decision"} <= set(found)
    assert found.count("office.rulebook") == 1


def test_what_was_edited_or_suppressed_rightly_is_sound(office, tina):
    registry.edit(1, registry.Edit(born=date(1980, 2, 2), name="Alpha, A."), "a slip", tina)
    assert list(doctor.examine(office)) == []
    suppress(office, 2, "asked for it", tina)
    assert not doctor.examine(office).refused


@prepared
def undone(office, tina):
    """The same, where much was taken back, said anew and suppressed."""
    asked = corrections.ask(office, [asking.game(1, 1, "0-1")], "a slip", tina)
    corrections.accept(office, asked.id, tina)
    back = corrections.ask(office, corrections.taking_back(asked.id), "none", tina)
    corrections.accept(office, back.id, tina)
    decided = decisions.decide(
        office, Deciding(1, "reset", "1700", "standard", "why", date(2026, 2, 1)), tina
    )
    undoing.undo(decided[0], "a slip", tina)
    people.merge(7, 8, "the same", tina)
    registry.edit(3, registry.Edit(name="Mike, Mia", attributes={"club": "A"}), "a slip", tina)
    registry.edit(3, registry.Edit(attributes={"club": "B"}, ids={"national": "9003"}), "", tina)
    suppress(office, 2, "asked for it", tina, with_files=True)
    setup.add_pool("other", "elo", tina)
    assert not doctor.examine(office).refused
    return office


BESIDE = {
    "a correction that holds again": (
        "revoked", "UPDATE office_gamefix SET revoked_by = NULL WHERE revoked_by IS NOT NULL"),
    "a correction that another fact takes back": (
        "revoked", "UPDATE office_gamefix SET revoked_by = revoked_by + 1"),
    "a decision that holds again": (
        "revoked", "UPDATE office_decision SET revoked_by = NULL WHERE revoked_by IS NOT NULL"),
    "two persons who were one": (
        "revoked", "UPDATE office_personrelation SET revoked_by = fact + 1"),
    "a name that holds no more": (
        "revoked", "UPDATE office_personname SET revoked_by = 30 WHERE person_id = 4"),
    "a name of before": (
        "revoked", "UPDATE office_personname SET revoked_by = NULL WHERE person_id = 3"),
    "a club of before": (
        "revoked", "UPDATE office_personattribute SET revoked_by = NULL WHERE value = 'A'"),
    "a number of before": (
        "revoked", "UPDATE office_externalid SET revoked_by = NULL WHERE person_id = 3"),
    "the name of somebody suppressed": (
        "revoked", "UPDATE office_personname SET revoked_by = NULL WHERE person_id = 2"),
    "a link": ("revoked", "UPDATE office_link SET revoked_by = fact + 1 WHERE id = 1"),
    "how somebody was found": ("link", "UPDATE office_link SET method = 'other' WHERE id = 1"),
    "a file that nobody suppressed": (
        "revoked", "UPDATE office_blob SET suppressed_by = 1 WHERE suppressed_by IS NULL"),
    "a file that was suppressed": (
        "revoked", "UPDATE office_blob SET suppressed_by = NULL WHERE suppressed_by IS NOT NULL"),
    "the pool of a published section": (
        "section-pool", "UPDATE office_section SET pool = 2 WHERE pool = 1"),
    "keys of a name": ("name-key", "DELETE FROM office_namekey WHERE person_id = 4"),
    "keys of nobody's name": (
        "name-key", "UPDATE office_namekey SET key = 'p:zzz:zzz' WHERE person_id = 4"),
    "keys of somebody suppressed": (
        "name-key", "UPDATE office_namekey SET person_id = 2 WHERE person_id = 4"),
    "the version of games": ("games", "UPDATE office_game SET version_id = 99"),
}  # fmt: skip


@pytest.mark.parametrize("what", BESIDE)
def test_the_doctor_compares_what_facts_take_back_with_the_rows(undone, what):
    code, statement = BESIDE[what]
    changed(statement)
    assert f"doctor.{code}" in {each.code for each in doctor.examine(undone)}


def test_the_doctor_sees_one_moment_while_others_go_on(office, tina, monkeypatch):
    """What somebody writes midway is in none of its looks, and nobody waits for it to end."""
    checks = agreement.checks

    def works():
        reports.put_aside("1", "hold", "meanwhile", tina)
        people.add_person(NewPerson("India, Igor", date(1990, 1, 1)), "", tina)
        connections.close_all()

    def meanwhile(home):
        found = checks(home)
        other = threading.Thread(target=works)
        other.start()
        other.join()
        return found

    before = ledger.head().seq
    with monkeypatch.context() as patched:
        patched.setattr(agreement, "checks", meanwhile)
        assert list(doctor.examine(office)) == []
    assert ledger.head().seq > before + 1
    assert list(doctor.examine(office)) == []


def test_a_look_that_fails_hinders_none_of_those_after_it(office, monkeypatch):
    def fails(_findings):
        with connection.cursor() as cursor:
            cursor.execute("SELECT nothing FROM nowhere")

    monkeypatch.setattr(doctor, "is_damaged", lambda _error: True)
    monkeypatch.setattr(doctor, "_chain", fails)
    changed("UPDATE office_approval SET actor = 'udo'")
    found = {each.code for each in doctor.examine(office)}
    assert found == {"doctor.database", "doctor.approval"}


@pytest.mark.parametrize("kind", [DataCorrupted, IndexCorrupted])
def test_damaged_pages_of_postgresql_are_told_from_what_passes(kind):
    def told(cause):
        error = OperationalError(str(cause))
        error.__cause__ = cause
        return is_damaged(error)

    assert told(kind("index is corrupted"))
    assert not told(AdminShutdown("the server is going away"))


@pytest.mark.parametrize("home", ["sqlite"], indirect=True)
def test_damaged_pages_are_told_while_all_else_is_looked_at(office):
    """Where an index is damaged, rows can be read for a long time before a query meets it.

    PostgreSQL says it as it reads.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT max(rootpage) FROM sqlite_schema WHERE tbl_name = 'office_game' "
            "AND type = 'index'"
        )
        (page,) = cursor.fetchone()
        cursor.execute("PRAGMA page_size")
        (size,) = cursor.fetchone()
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with current().sqlite_file.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    changed("UPDATE office_approval SET actor = 'udo'")
    found = doctor.examine(office)
    assert {"doctor.database", "doctor.approval"} <= {each.code for each in found}
