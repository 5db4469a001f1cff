"""``--encoding`` in the commands of the office that read files, and what comes of it later."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.office import intake
from ratingbook.office.acts import imports
from ratingbook.office.store import models as m
from tests.office.officers import Officer

TABLE = "White;Black;Result;Date\nБорис;Ян;1-0;2026-01-10\n"
PLAYERS = "id,name\n101,Борис\n102,Ян\n"
MAC = ("--encoding", "mac-cyrillic")


def written(folder: Path, name: str, text: str, encoding: str = "mac-cyrillic") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.fixture
def standard(officer: Officer) -> Officer:
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500",
                 "--policy", "sends=fide:trf16:30")  # fmt: skip
    return officer


def names() -> list[str]:
    return sorted(m.Entry.objects.values_list("name", flat=True))


def test_the_commands_take_it_as_the_others_do():
    said = [
        CliRunner().invoke(app, [*command, "--help"]).output
        for command in (
            ["check"],
            *(["office", x] for x in ("receive", "import", "inbox", "shadow")),
        )
    ]
    assert all("--encoding" in each for each in said)


def test_a_report_is_received_in_it_and_sent_on_as_it_was_read(standard, tmp_path):
    standard.does("receive", written(tmp_path, "open.csv", TABLE), *MAC)
    assert names() == ["Борис", "Ян"]
    standard.does("link", 1, "all", "new")
    run = standard.does("run", "--pool", "standard")["run"]
    standard.does("approve", run)
    standard.does("publish", run)
    out = tmp_path / "out.trf"
    standard.does("send", 1, "fide", out)
    assert "Борис" in out.read_text("utf-8")


def test_helpers_read_in_it_too(standard, tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "MANY", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    standard.does("receive", written(tmp_path, "open.csv", TABLE), *MAC)
    assert names() == ["Борис", "Ян"]


def test_a_file_that_the_office_has_says_what_leads_out(standard, tmp_path):
    path = written(tmp_path, "open.csv", TABLE)
    standard.does("receive", path, "--encoding", "cp1251")
    told = {each["code"]: each for each in standard.does("receive", path, *MAC)["findings"]}
    assert "--version-of 1" in told["office.known-encoding"]["remedy"]
    again = standard.does("receive", path, "--encoding", "cp1251")["findings"]
    assert [each["code"] for each in again] == ["office.known-file"]
    written(tmp_path, "open.csv", TABLE, "utf-8")
    standard.does("receive", path, "--version-of", 1)
    assert {"Борис", "Ян"} <= set(names())


def test_a_file_that_was_refused_is_read_once_more_where_more_is_said(standard, tmp_path):
    path = written(tmp_path, "open.csv", TABLE.replace("White;Black", "Qwert;Asdfg"), "utf-8")
    for _ in range(2):
        standard.does("receive", path, status=1)
    found = standard.does("receive", path, "--column", "white=Qwert", "--column", "black=Asdfg")
    assert found["reports"][0]["id"] == 1


def test_players_are_imported_in_it(officer, tmp_path):
    officer.does("import", written(tmp_path, "p.csv", PLAYERS), "--register", "national", *MAC)
    assert list(m.PersonName.objects.order_by("id").values_list("text", flat=True)) == [
        "Борис", "Ян"
    ]  # fmt: skip


def test_a_long_list_that_another_process_reads_is_in_it_too(officer, tmp_path, monkeypatch):
    monkeypatch.setattr(imports, "_LONG", 1)
    lines = "ID;Country;Title;Name;Games;Rating;Gender;\n"
    path = written(tmp_path, "list.csv", lines + "101;BUL;;Борис;30;1800;M;\n")
    found = officer.does("import", path, "--register", "x", *MAC)
    assert found["made"] == 1
    assert m.PersonName.objects.get().text == "Борис"
