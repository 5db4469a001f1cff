"""The commands of the office, as an officer gives them."""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import sqlite3
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.office.refused import not_written
from ratingbook.office.store import ledger, triggers
from tests.office.officers import Officer, begun
from tests.office.reports import document, write
from tools.postgresql import new_database

EXAMPLES = Path(__file__).parents[2] / "examples" / "reports"


def test_from_an_empty_folder_to_a_list_that_is_verified_elsewhere(officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009",
                 "--policy", "assume=1500")  # fmt: skip
    said = document("Paper Open", "2010-04-03")
    for player in said["players"]:
        player["ids"] = {}
    said["players"][0] |= {"name": "Anna Alpha", "federation": "AUT"}
    table = tmp_path / "games.csv"
    table.write_text(
        "Round,White,Black,Result,Event,Date\n"
        '1,"Bravo, Ben","Mike, Mia",1-0,Club Night,2010-04-10\n'
        '2,"Mike, Mia","Charlie, Chris",1/2,Club Night,2010-04-10\n'
    )
    files = [EXAMPLES / "spring-open.trf", write(tmp_path, "paper.json", said), table]
    received = officer.does("receive", *files)["reports"]
    assert [each["id"] for each in received] == [1, 2, 3]
    again = officer.does("receive", files[0])["reports"][0]
    assert (again["id"], again["new"]) == (1, False)
    assert len(officer.does("link", 1, "all", "new")["persons"]) == 12
    waiting = officer.does("desk")["waiting"]
    anna = next(each for each in waiting if each["name"] == "Anna Alpha")
    assert anna["candidates"][0]["name"] == "Alpha, Anna"
    assert anna["candidates"][0]["reasons"][0] == "name 100"
    for each in waiting:
        best = each["candidates"][0] if each["candidates"] else None
        person = best["person"] if best and best["score"] > 95 else "new"
        officer.does("link", each["report"], each["entry"], person)
    assert officer.does("desk")["waiting"] == []
    assert {each["state"] for each in officer.does("reports")["reports"]} == {"ready"}
    made = officer.does("run", "--pool", "standard", "--until", "2010-07-01")
    assert made["differences"]["players"] == made["changed"] > 12
    assert officer.does("show", made["run"])["state"] == "checked"
    officer.does("publish", made["run"], status=1)
    officer.does("approve", made["run"])
    done = officer.does("publish", made["run"])
    number = done["list"]
    assert [each["list"] for each in officer.does("lists")["lists"]] == [number]
    listed = officer.does("list", number)
    assert listed["players"][0]["name"]
    assert listed["players"][0]["rating"] >= listed["players"][-1]["rating"]
    assert "Alpha, Anna" in officer.sees("list", number)
    assert "Person  Name" in officer.sees("list", "standard@2010-07-01")
    for name, begins in (("l.html", b"<!doctype"), ("l.xlsx", b"PK"), ("l.txt", b"FIDE rating")):
        assert officer.sees("list", number, "-o", tmp_path / name) == ""
        assert (tmp_path / name).read_bytes()[: len(begins)].lower() == begins.lower()
    made = ("list", "--make", "2010-07-01", "--pool", "standard")
    assert "-o: x.html" in officer.sees(*made, "-o", tmp_path / "x.html", status=2)
    explained = officer.does("explain", 1, "--list", number)["players"][0]
    history = officer.does("person", "history", 1, "--pool", "standard")["changes"]
    assert explained["after"] == history[-1]["after"]
    bundle = tmp_path / "bundle.zip"
    officer.does("bundle", number, bundle)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.move(bundle, elsewhere / "b.zip")
    result = CliRunner().invoke(app, ["verify", str(elsewhere / "b.zip"), "--format", "json"])
    assert (result.exit_code, json.loads(result.stdout)["equal"]) == (0, True)
    # What another one has signed, or nobody, is not compared, and so it does not differ.
    result = CliRunner().invoke(app, ["verify", str(elsewhere / "b.zip"), "--key", "00" * 32])
    assert result.exit_code == 1
    assert "refused; the numbers were not compared" in result.output
    assert "differs" not in result.output
    assert officer.does("replay")["publications"][0]["is_equal"]
    assert officer.does("doctor")["sound"]
    (job,) = officer.does("jobs")["jobs"]
    assert job["state"] == "done"
    assert all(isinstance(line, str) and "attempt" in line for line in job["log"])


def test_a_run_that_takes_rows_away_says_so(officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    officer.does("receive", EXAMPLES / "spring-open.trf")
    officer.does("link", 1, "all", "new")
    officer.does("run", "--pool", "standard", "--until", "2010-05-01")
    assert "in this run no more" not in officer.sees("show", 1)
    officer.does("approve", 1)
    officer.does("publish", 1)
    officer.does("hold", 1, "--reason", "look")
    made = officer.does("run", "--pool", "standard", "--until", "2010-05-01")
    gone = made["differences"]["gone_rows"]
    assert gone > 1
    said = " ".join(officer.sees("show", made["run"]).split())
    assert f"{gone} published rows are in this run no more" in said


def test_a_backup_is_restored_and_equal(officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    officer.does("receive", EXAMPLES / "spring-open.trf")
    officer.does("link", 1, "all", "new")
    officer.does("run", "--pool", "standard", "--until", "2010-05-01")
    officer.does("approve", 1)
    officer.does("publish", 1)
    before = officer.does("digest")["digest"]
    said = officer.does("backup", tmp_path / "b.tar")
    assert said["digest"] == before
    other = Officer(tmp_path / "other")
    restored = other.does("restore", tmp_path / "b.tar")
    assert restored["digest"] == before
    assert other.does("replay")["publications"][0]["is_equal"]
    # And it goes on from there.
    other.does("list", "--make", "2010-09-01", "--pool", "standard")
    other.does("person", "add", "Zulu, Zoe")
    assert other.does("doctor")["sound"]
    assert officer.does("digest")["digest"] == before


def test_an_office_whose_tables_are_of_an_older_version_says_what_is_to_do(officer, tmp_path):
    officer.does("lists")
    if connection.vendor == "sqlite":
        # What they name is away for a moment while SQLite changes a table.
        with connection.cursor() as cursor:
            for name in triggers.present(connection):
                cursor.execute(f"DROP TRIGGER {name}")
    call_command("migrate", "office", "0013", verbosity=0)
    for command in (("digest",), ("replay",), ("backup", tmp_path / "b.tar")):
        (told,) = officer.does(*command, status=1)["findings"]
        assert told["code"] == "office.migrations", command
        assert "`ratingbook office migrate`" in told["remedy"]
    officer.does("migrate")
    assert officer.does("lists")["lists"] == []


def test_a_damaged_backup_is_refused(officer, tmp_path):
    (tmp_path / "b.tar").write_bytes(b"no backup")
    refused = Officer(tmp_path / "other").does("restore", tmp_path / "b.tar", status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.backup"]
    with tarfile.open(tmp_path / "other.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("letter.txt"))
    for name in ("b.tar", "other.tar"):
        refused = Officer(tmp_path / "other").does("restore", tmp_path / name, status=1)
        said = [each["message"] for each in refused["findings"]]
        assert said == ["It is no backup of an office."]
        assert not (tmp_path / "other").exists()


def rewritten(old, new, changed):
    """An archive whose parts are changed; None leaves one out."""
    with tarfile.open(old) as archive, tarfile.open(new, "w") as into:
        for each in archive.getmembers():
            part = archive.extractfile(each)
            assert part is not None
            data = changed(each.name, part.read())
            each.size = len(data)
            into.addfile(each, io.BytesIO(data))
    return new


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("rows/Contact.jsonl", b"emil@", b"evil@"),
        ("rows/EntryPrivate.jsonl", b"19", b"18"),
        ("rows/PersonPrivate.jsonl", b"19", b"18"),
        ("rows/Actor.jsonl", b"tina", b"tine"),
        ("backup.json", b'"seq": ', b'"seq": 9'),
    ],
)
def test_a_backup_in_which_a_byte_is_another_leaves_nothing(
    officer, tmp_path, part, old, new, empty_database
):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    path = write(tmp_path, "open.json", document())
    officer.does("receive", path)
    officer.does("link", 1, "all", "new")
    from ratingbook.office.store.models import Contact

    Contact.objects.create(whose="person:5", address="emil@example.org", wants="each", token="x")
    officer.does("backup", tmp_path / "good.tar")

    def changed(name, data):
        assert name != part or old in data, data
        return data.replace(old, new, 1) if name == part else data

    bad = rewritten(tmp_path / "good.tar", tmp_path / "bad.tar", changed)
    other = Officer(tmp_path / "other")
    database = ("--database", empty_database) if empty_database else ()
    refused = other.does("restore", bad, *database, status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.backup"]
    assert f"{part} is damaged" in refused["findings"][0]["message"]
    assert not (tmp_path / "other").exists()
    restored = other.does("restore", tmp_path / "good.tar", *database)
    assert (restored["compared"], restored["findings"]) == (True, [])


def test_a_backup_that_lacks_a_file_leaves_nothing(officer, tmp_path, empty_database):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("receive", write(tmp_path, "open.json", document()))
    officer.does("backup", tmp_path / "good.tar")
    with (
        tarfile.open(tmp_path / "good.tar") as archive,
        tarfile.open(tmp_path / "bad.tar", "w") as into,
    ):
        names = [each for each in archive.getnames() if each.startswith("files/")]
        for each in archive.getmembers():
            if each.name != names[-1]:
                into.addfile(each, archive.extractfile(each))
    database = ("--database", empty_database) if empty_database else ()
    other = Officer(tmp_path / "other")
    refused = other.does("restore", tmp_path / "bad.tar", *database, status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.backup"]
    assert f"{names[-1]} is not in it" in refused["findings"][0]["message"]
    assert not (tmp_path / "other").exists()
    assert other.does("restore", tmp_path / "good.tar", *database)["findings"] == []


def test_a_backup_of_before_is_restored_and_says_that_it_is_one(officer, tmp_path):
    officer.does("backup", tmp_path / "good.tar")

    def changed(name, data):
        if name != "backup.json":
            return data
        return json.dumps({k: v for k, v in json.loads(data).items() if k != "sha256"}).encode()

    old = rewritten(tmp_path / "good.tar", tmp_path / "old.tar", changed)
    restored = Officer(tmp_path / "other").does("restore", old)
    assert [each["code"] for each in restored["findings"]] == ["office.backup-older"]


LATER = ("FormerBirth", "Needed", "Substitution")
"""Tables that backups of last month do not have."""


def told_otherwise(change):
    """The list of a backup's tables and hashes, changed."""

    def changed(name, data):
        if name != "backup.json":
            return data
        said = json.loads(data)
        change(said)
        return json.dumps(said).encode()

    return changed


def test_a_backup_of_before_a_table_came_is_restored(officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("receive", write(tmp_path, "open.json", document()))
    before = officer.does("digest")["digest"]
    officer.does("backup", tmp_path / "good.tar")

    def older(said):
        for name in LATER:
            del said["rows"][name], said["sha256"][name]

    rewritten(tmp_path / "good.tar", tmp_path / "told.tar", told_otherwise(older))
    with (
        tarfile.open(tmp_path / "told.tar") as archive,
        tarfile.open(tmp_path / "old.tar", "w") as into,
    ):
        for each in archive.getmembers():
            if each.name not in {f"rows/{name}.jsonl" for name in LATER}:
                into.addfile(each, archive.extractfile(each))
    other = Officer(tmp_path / "other")
    assert other.does("restore", tmp_path / "old.tar")["digest"] == before
    assert other.does("doctor")["findings"] == []


CAME = {
    2: ("Contact", "Correction", "CorrectionApproval", "CorrectionStep", "GameFix", "Notice",
        "Reached", "SectionFix", "Sending", "SendingStep"),
    3: ("Actor.person",), 4: ("Webhook", "Delivery"), 7: ("Fact.salt",), 9: ("Substitution",),
    10: ("FormerBirth",), 11: ("Needed",), 12: ("LedgerHead.few",), 13: ("Change.day",),
    15: ("Run.told_id",),
}  # fmt: skip
"""By the migration that brought them the tables, and the columns, of an office."""


def as_before(good, old, migration, lost=()):
    """A backup as a program wrote it that knew no more than a migration, and no hashes."""
    gone = {each for number, some in CAME.items() if number >= migration for each in some}
    columns = dict(each.split(".") for each in gone if "." in each)
    with tarfile.open(good) as archive, tarfile.open(old, "w") as into:
        for each in archive.getmembers():
            table = each.name.removeprefix("rows/").removesuffix(".jsonl")
            is_beside = table != each.name and "." in table
            if table in gone or table in lost or is_beside:
                continue
            file = archive.extractfile(each)
            assert file is not None
            data = file.read()
            if each.name == "backup.json":
                said = json.loads(data)
                data = json.dumps({k: said[k] for k in ("ratingbook", "seq", "hash")}).encode()
            elif table in columns:
                rows = [json.loads(line) for line in data.splitlines()]
                for row in rows:
                    del row[columns[table]]
                data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
            each.size = len(data)
            into.addfile(each, io.BytesIO(data))
    return old


def test_a_backup_of_before_any_migration_is_restored(tmp_path, monkeypatch):
    # A fact without a salt is hashed as it was before there were any.
    monkeypatch.setattr(ledger, "new_salt", lambda: None)
    officer = Officer(begun(tmp_path / "office", ""))
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    officer.does("receive", write(tmp_path, "open.json", document()))
    officer.does("link", 1, "all", "new")
    officer.does("run", "--pool", "standard", "--until", "2026-05-01")
    before = officer.does("digest")["digest"]
    officer.does("backup", tmp_path / "good.tar")
    for migration in CAME:
        old = as_before(tmp_path / "good.tar", tmp_path / f"{migration}.tar", migration)
        other = Officer(tmp_path / f"of-{migration}")
        restored = other.does("restore", old)
        assert restored["digest"] == before, migration
        assert [each["code"] for each in restored["findings"]] == ["office.backup-older"]
        assert other.does("doctor")["findings"] == []


@pytest.mark.parametrize(
    ("migration", "lost"), [(16, "Needed"), (12, "Game"), (9, "Delivery"), (4, "Notice")]
)
def test_a_table_that_was_there_when_a_backup_was_made_is_missed(
    officer, tmp_path, migration, lost
):
    officer.does("backup", tmp_path / "good.tar")
    bad = as_before(tmp_path / "good.tar", tmp_path / "bad.tar", migration, {lost})
    refused = Officer(tmp_path / "other").does("restore", bad, status=1)
    assert f"rows/{lost}.jsonl is not in it" in refused["findings"][0]["message"]
    assert not (tmp_path / "other").exists()


def test_a_backup_of_a_later_version_is_called_that(officer, tmp_path):
    officer.does("backup", tmp_path / "good.tar")
    newer = told_otherwise(lambda said: said["rows"].update(Moon=0))
    bad = rewritten(tmp_path / "good.tar", tmp_path / "new.tar", newer)
    refused = Officer(tmp_path / "other").does("restore", bad, status=1)
    (found,) = refused["findings"]
    assert "it has Moon, which this version does not know" in found["message"]
    assert not (tmp_path / "other").exists()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def empty_database(request):
    """What --database says of a database without tables."""
    if request.param == "sqlite":
        return ""
    server = request.getfixturevalue("server")
    return server.format(new_database(server))


@pytest.mark.parametrize("share", [0.02, 0.4, 0.7])
def test_a_backup_that_is_cut_off_leaves_nothing(officer, tmp_path, share, empty_database):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("receive", EXAMPLES / "spring-open.trf")
    before = officer.does("digest")["digest"]
    officer.does("backup", tmp_path / "good.tar")
    data = (tmp_path / "good.tar").read_bytes()
    (tmp_path / "cut.tar").write_bytes(data[: int(len(data) * share)])
    other = Officer(tmp_path / "some" / "other")
    database = ("--database", empty_database) if empty_database else ()
    refused = other.does("restore", tmp_path / "cut.tar", *database, status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.backup"]
    assert not (tmp_path / "some").exists()
    assert other.does("restore", tmp_path / "good.tar", *database)["digest"] == before


def test_what_is_said_of_a_policy_is_shown(officer):
    officer.does("pool", "add", "standard", "--rulebook", "fide")
    told = officer.does("pool", "policy", "standard", "approvals=5")
    assert [each["code"] for each in told["findings"]] == ["office.too-few"]


@pytest.mark.parametrize(
    "command",
    ["desk", "lists", "lists --pool standard", "reports", "reports --state held", "jobs",
     "calendar", "people", "people Nobody", "corrections", "register", "notices", "outbox", "inbox",
     "replay", "user list", "webhook list", "webhook log", "audit nothing"],
)  # fmt: skip
def test_that_there_is_nothing_is_said(officer, command):
    """Else nobody knows whether the command did anything; programs read empty lists."""
    (said,) = officer.sees(*command.split()).splitlines()
    assert said.endswith(".")
    said = officer.does(*command.split())
    assert [] in [value for key, value in said.items() if key != "findings"]


def test_a_policy_names_what_there_is(officer):
    officer.does("pool", "add", "standard", "--rulebook", "fide")
    for form in ("xxx", "TRF", ""):
        said = ("pool", "policy", "standard", f"sends=fide:{form}:30")
        (told,) = officer.does(*said, status=1)["findings"]
        assert told["code"] == "office.policy"
        assert "trf16" in told["message"]
    officer.does("pool", "policy", "standard", "sends=fide:trf16:30, egf:h9:14")
    told = officer.does("pool", "policy", "standard", "approvals=99")
    assert [each["code"] for each in told["findings"]] == ["office.too-few"]


def test_a_refused_restore_leaves_a_folder_as_it_was(officer, tmp_path):
    officer.does("backup", tmp_path / "good.tar")
    (tmp_path / "cut.tar").write_bytes((tmp_path / "good.tar").read_bytes()[:20000])
    other = Officer(tmp_path / "other")
    other.folder.mkdir()
    (other.folder / "notes.txt").write_text("mine")
    other.does("restore", tmp_path / "cut.tar", status=1)
    assert [each.name for each in other.folder.iterdir()] == ["notes.txt"]
    refused = officer.does("restore", tmp_path / "good.tar", status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.exists"]
    assert officer.does("doctor")["sound"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", "Alpha, Anna", "--list", 1),
        ("person", "show", "Alpha, Anna"),
        ("decide", "Alpha, Anna", "reset", 1700, "--pool", "standard"),
        ("merge", 1, "Alpha, Anna"),
        ("correct", "--entry", 1, "--player", "Alpha, Anna"),
        ("correct", "--merge", 1, "Alpha, Anna"),
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:2])),
)
def test_who_types_a_name_is_told_where_its_number_is_found(officer, arguments):
    told = " ".join(officer.sees(*arguments, status=2).split())
    assert "is no person's number" in told
    assert "`ratingbook office people 'Alpha, Anna'` has it" in told


@pytest.mark.parametrize("arguments", [("receipt",), ("link", 1, 1), ("undo",), ("show",)])
def test_a_number_larger_than_any_is_refused(officer, arguments):
    command, *more = arguments
    told = " ".join(officer.sees(command, "9" * 20, *more, status=2).split())
    assert "larger than any number of an office" in told


def test_a_guess_ends_as_a_question(officer):
    (told,) = officer.does("pool", "add", "x", "--rulebook", "fide-2010", status=1)["findings"]
    assert told["message"].endswith("?")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("run", "--pool", "blitz"), "office.no-pool"),
        (("show", 9), "office.no-run"),
        (("reports", "--state", "lost"), "office.no-state"),
        (("list", "9", "--make", "x"), None),
        (("pool", "add", "x", "--rulebook", "fida"), "office.rulebook"),
        (("pool", "add", "x", "--rulebook", "fide-2009", "--policy", "colour=red"),
         "office.policy"),
        (("pool", "add", "x", "--rulebook", "fide-2009", "--policy", "approvals=0"),
         "office.policy"),
        (("pool", "add", "x", "--rulebook", "fide-2009", "--policy", "correction_approvals=0"),
         "office.policy"),
        (("pool", "add", "", "--rulebook", "fide-2009"), "office.name"),
        *(
            (("pool", "add", "x", "--rulebook", "fide-2009", "--policy", each), "office.policy")
            for each in ("decimals=7", "correction_days=99999999999", "marks=nan", "assume=inf")
        ),
        (("desk", "--as", "tina"), None),
        (("link", 1, 1, "new"), "office.no-report"),
        (("merge", 1, 2), "office.no-person"),
        (("hold", "1", "--reason", "x"), "office.no-report"),
        (("actor", "add", "udo", "--role", "king"), "office.role"),
        (("job", "cancel", 7), "office.no-job"),
        (("receive", "/nowhere/open.trf"), "office.file"),
        (("undo", 1, "--reason", "x"), "office.undo"),
        (("init",), "office.exists"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else str(value),
)  # fmt: skip
def test_what_is_refused_says_why_and_what_to_do(officer, arguments, code):
    if code is None:
        result = CliRunner().invoke(app, ["office", *map(str, arguments)])
        assert result.exit_code == 2
        return
    refused = officer.does(*arguments, status=1)
    finding = refused["findings"][0]
    assert finding["code"] == code
    assert finding["remedy"]


def test_a_folder_without_an_office_is_told(tmp_path):
    refused = Officer(tmp_path).does("reports", status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.no-office"]


@pytest.mark.parametrize(("said", "actor"), [((), "zed"), (("--as", "tina"), "tina")])
def test_who_makes_an_office_is_said_as_everywhere(tmp_path, monkeypatch, said, actor):
    monkeypatch.setenv("RATINGBOOK_ACTOR", "zed")
    office = Officer(tmp_path / "office")
    assert office.does("init", *said)["actor"] == actor
    known = {each["name"] for each in office.does("actor", "list")["actors"]}
    assert known == {"system", actor}


@pytest.mark.parametrize("officer", ["sqlite"], indirect=True)
def test_a_database_that_is_gone_is_told(officer):
    """Of a server that is away another test tells: this one goes on for others."""
    import os

    for each in officer.folder.glob("office.sqlite3*"):
        os.unlink(each)
    refused = officer.does("reports", status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.tables"]


def test_a_refused_init_leaves_a_folder_as_it_was(tmp_path):
    office = Officer(tmp_path / "federations" / "office")
    away = "postgresql://office@127.0.0.1:1/nowhere"
    refused = office.does("init", "--as", "tina", "--database", away, status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.database"]
    assert not (tmp_path / "federations").exists()
    office.does("init", "--as", "tina")
    # A database that holds an office already.
    (office.folder / "office.json").unlink()
    refused = office.does("init", "--as", "udo", status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.exists"]
    left = {each.name for each in office.folder.iterdir()}
    assert left == {"files", "snapshots", "office.sqlite3"}


@pytest.mark.parametrize("officer", ["sqlite"], indirect=True)
def test_a_database_that_is_damaged_is_told_with_what_mends_it(officer):
    """No trying again helps, and who only reads has no act to do again."""
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("receive", EXAMPLES / "spring-open.trf")
    database = officer.folder / "office.sqlite3"
    with sqlite3.connect(database) as opened:
        opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = database.read_bytes()
    (schema,) = [at for at in [whole.find(b'"office_ledgerhead"')] if at > 0]
    damage = {
        "cut": whole[:100_000],
        "no database": b"no database" * 1000,
        "bits of the schema": whole[:schema] + b"\xe5" + whole[schema + 1 :],
    }
    for what, data in damage.items():
        for each in officer.folder.glob("office.sqlite3-*"):
            each.unlink()
        database.write_bytes(data)
        for command in (("reports",), ("health",), ("list", "1")):
            result = CliRunner().invoke(app, ["office", *command, "--home", str(officer.folder)])
            assert result.exit_code == 1, what
            assert "[office.damaged]" in result.output, (what, command)
            assert "office restore" in result.output, (what, command)
            assert "this act" not in result.output, (what, command)
        examined = officer.does("doctor", status=1)
        codes = [each["code"] for each in examined["findings"]]
        assert codes == ["doctor.database", "doctor.files-left"], what
        assert "office restore" in examined["findings"][0]["remedy"]
        assert "1 kept file can be read" in examined["findings"][1]["message"]


def test_a_disk_that_is_full_is_told_and_nothing_is_written(officer, monkeypatch, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    before = officer.does("digest")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    refused = officer.does("receive", EXAMPLES / "spring-open.trf", status=1)
    assert [f["code"] for f in refused["reports"][0]["findings"]] == ["office.disk"]
    monkeypatch.undo()
    assert officer.does("digest") == before
    assert officer.does("doctor")["sound"]
    assert officer.does("receive", EXAMPLES / "spring-open.trf")["reports"][0]["new"]


@pytest.mark.parametrize("officer", ["sqlite"], indirect=True)
def test_an_officer_s_first_day(officer, tmp_path):
    """Each command once, as it is typed; what they do is tested with the acts."""
    officer.does("actor", "add", "udo", "--role", "director", "--as", "tina")
    tina = ("--as", "tina")
    assert {each["name"] for each in officer.does("actor", "list")["actors"]} >= {"tina", "udo"}
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500",
                 *tina)  # fmt: skip
    officer.does("receive", EXAMPLES / "spring-open.trf", "--as", "udo")
    officer.does("hold", 1, "--reason", "x", "--as", "udo", status=1)
    officer.does("link", 1, "all", "new", *tina)
    assert officer.does("receipt", 1)["number"].startswith("1-1-")
    # What its sender reads hangs on no birth: whom no number names the office settles.
    assert "is checked" in officer.sees("receipt", 1)
    assert officer.does("reports")["reports"][0]["state"] == "ready"
    officer.does("expect", "Lost Open", "--end", "2010-05-01", "--pool", "standard", *tina)
    found = officer.does("calendar", "--on", "2010-06-01")["pools"][0]
    assert [each["days_late"] for each in found["missing"]] == [24]
    assert "24 days late" in officer.sees("calendar", "--on", "2010-06-01")
    officer.does("person", "edit", 1, "--name", "Alpha, Anne", "--reason", "so spelled", *tina)
    assert officer.does("person", "show", 1)["name"] == "Alpha, Anne"
    assert officer.does("people", "--known", "2000-01-01")["people"] == []
    officer.does("decide", 1, "reset", 1700, "--pool", "standard", "--from", "2010-01-01",
                 "--reason", "a misprint", *tina)  # fmt: skip
    officer.does("pool", "rules", "standard", "--rulebook", "fide-2011", "--reason", "new", *tina)
    run = officer.does("run", "--pool", "standard", "--until", "2010-07-01", *tina)["run"]
    officer.does("approve", run, *tina)
    number = officer.does("publish", run, *tina)["list"]
    old = tmp_path / "old.csv"
    old.write_text("id,name,rating\n1,x,1500\n")
    (told,) = officer.does("shadow", run, old, "--register", "fide", status=1)["findings"]
    assert told["code"] == "office.register"
    assert "knows no numbers" in told["remedy"]
    officer.does("person", "add", "Golf, Gus", "--id", "national=9", *tina)
    (told,) = officer.does("shadow", run, old, "--register", "fide", status=1)["findings"]
    assert "numbers of national: name" in told["remedy"]
    assert officer.does("shadow", run, old, "--register", "national")["compared"] == 0
    officer.sees("list", number, "--known", "2000-01-01", status=1)
    none = officer.does("lists", "--known", "2000-01-01")
    assert (none["lists"], [each["code"] for each in none["findings"]]) == (
        [], ["office.nothing-known"]
    )  # fmt: skip
    assert "Nothing was known on 2000-01-01" in officer.sees("calendar", "--known", "2000-01-01")
    for asked in (("list", number), ("explain", 1, "--list", number)):
        told = officer.sees(*asked, "--known", "2000-01-01", status=1)
        assert "Nothing was known on 2000-01-01" in told
        assert "There was no list" not in told
    later = officer.does("lists", "--known", "2999-01-01")
    assert [each["code"] for each in later["findings"]] == ["office.not-yet"]
    assert later["lists"] == officer.does("lists")["lists"]
    told = "2999-01-01 has not come yet"
    assert told in officer.sees("list", number, "--known", "2999-01-01")
    assert officer.does("calendar", "--known", "2999-01-01")["day"] == str(datetime.now(UTC).date())
    officer.sees("list", number, "--format", "xlsx", "--out", tmp_path / "list.xlsx")
    assert (tmp_path / "list.xlsx").read_bytes().startswith(b"PK")
    officer.sees("list", number, "--format", "csv", "--out", tmp_path / "list.csv")
    assert "Alpha, Anne" in (tmp_path / "list.csv").read_text()
    assert officer.does("health")["well"]
    assert officer.does("key", status=1)["findings"][0]["code"] == "office.no-key"
    officer.does("person", "export", 1, tmp_path / "one.json", *tina)
    told = officer.sees("person", "export", 1, tmp_path / "one.zip", *tina, status=2)
    assert "it writes .json" in " ".join(told.split())
    assert not (tmp_path / "one.zip").exists()
    assert json.loads((tmp_path / "one.json").read_text())["person"] == 1
    officer.does("person", "suppress", 1, "--reason", "asked for", *tina)
    assert "Anne" not in officer.sees("list", number)
    decided = tmp_path / "decided.csv"
    decided.write_text("player,date,kind,value\nnobody,2010-01-01,k,10\n")
    refused = officer.does("import", decided, "--register", "fide", "--pool", "standard",
                           "--decisions", "--reason", "moved", *tina, status=1)  # fmt: skip
    assert [each["code"] for each in refused["findings"]] == ["office.decision-line"]


def test_a_player_stays_the_person_it_was(officer):
    def codes(answer):
        return [each["code"] for each in answer["findings"]]

    given = ("actor", "add", "anna", "--role", "player", "--as", "tina")
    assert codes(officer.does(*given)) == ["office.player-of-nobody"]
    officer.does("person", "add", "Alpha, Anna", "--reason", "member", "--as", "tina")
    assert officer.does(*given, "--person", "1")["person"] == 1
    assert officer.does(*given)["person"] == 1
    assert officer.does(*given, "--nobody")["person"] is None
    assert "office.no-person" in codes(officer.does(*given, "--person", "9", status=1))


def test_the_last_who_may_give_roles_keeps_that(officer):
    for role in ("director", "officer", "player"):
        answer = officer.does("actor", "add", "tina", "--role", role, status=1)
        assert [each["code"] for each in answer["findings"]] == ["office.last-admin"]
    officer.does("actor", "add", "tina", "--role", "admin", "--role", "officer")
    officer.does("actor", "add", "udo", "--role", "admin")
    officer.does("actor", "add", "tina", "--role", "director", "--as", "tina")
    answer = officer.does("actor", "add", "udo", "--role", "director", "--as", "udo", status=1)
    assert [each["code"] for each in answer["findings"]] == ["office.last-admin"]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (errno.ENOSPC, "Make room on the disk"),
        (errno.EACCES, "where you may write"),
        (errno.EISDIR, "Name another place"),
    ],
)
def test_what_cannot_be_written_is_told_by_the_name_that_was_given(code, told, tmp_path):
    out = tmp_path / "x.tar"
    beside = str(tmp_path / "x.tar.new")
    (said,) = not_written(out, OSError(code, os.strerror(code), beside)).findings
    assert str(out) in said.message
    assert ".new" not in said.message
    assert told in said.remedy


@pytest.mark.parametrize("officer", ["sqlite"], indirect=True)
def test_a_folder_that_is_not_there_is_named_by_every_output(officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    officer.does("receive", EXAMPLES / "spring-open.trf")
    officer.does("link", 1, "all", "new")
    made = officer.does("run", "--pool", "standard", "--until", "2010-07-01")
    officer.does("approve", made["run"])
    one = officer.does("publish", made["run"])["list"]
    away = tmp_path / "away" / "out"
    for command in (
        ("backup", f"{away}.tar"), ("bundle", one, f"{away}.zip"), ("file", 1, f"{away}.trf"),
        ("person", "export", 1, f"{away}.json"),
    ):  # fmt: skip
        (told,) = officer.does(*command, status=1)["findings"]
        assert told["code"] == "office.out", command
        assert f"There is no folder {away.parent}" in told["message"], command
        assert told["remedy"] == "Make the folder, or name another.", command
    (told,) = officer.does("restore", f"{away}.tar", status=1)["findings"]
    assert told["message"] == f"There is no folder {away.parent}."
    (told,) = officer.does("restore", tmp_path / "other.tar", status=1)["findings"]
    assert told["message"].startswith("There is no file of this name")
