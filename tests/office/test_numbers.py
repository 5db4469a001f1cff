"""Lists have the numbers of the federation under its heading, and the office's under its own."""

from __future__ import annotations

import csv
import io
import json
from datetime import date

import pytest

from ratingbook.formats.registers import REGISTERS, register_of
from ratingbook.office import bundle
from ratingbook.office.acts import (
    bundles,
    desk,
    lists,
    receive,
    registry,
    runs,
    setup,
)
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.store import models as m
from tests.office.officers import Officer
from tests.office.reports import PLAYERS, document, write

DAY = date(2026, 4, 1)


@pytest.fixture
def published(home, tina, tmp_path):
    """A list of five players, of whom Dora has a number of FIDE's, and Anna had got one."""

    def make(rulebook="fide", register="fide"):
        setup.add_pool("standard", rulebook, tina, policies={"assume": "1500"})
        players = {key: PLAYERS[key] for key in "12345"}
        said = document(players=players, time_control="90 min")
        for each in said["players"]:
            each["ids"] = {register: "4500004"} if each["id"] == "4" else {}
        receive.receive(home, write(tmp_path, "open.json", said), tina)
        desk.link_new(1, tina)
        made = runs.make(home, "standard", DAY, tina).run
        runs.approve(made.id, tina)
        runs.publish(home, made.id, tina)
        return m.List.objects.get()

    return make


def shown(one):
    listing = lists.listing_again(one)
    return listing, {column.key: column.title for column in listing.columns}


def test_the_registers_number_stands_under_the_heading_of_the_federation(published, home, tina):
    one = published()
    listing, titles = shown(one)
    assert (titles["ids.fide"], titles["id"]) == ("ID Number", "Person")
    assert list(titles)[:3] == ["ids.fide", "id", "name"]
    numbers = {row["name"]: (row["ids.fide"], row["id"]) for row in listing.rows}
    assert numbers["Delta, Dora"] == ("4500004", "4")
    assert numbers["Alpha, Anna"] == ("", "1")
    # As they were known when the list was made; and of nobody whom nobody may see.
    registry.edit(1, registry.Edit(ids={"fide": "4500001"}), "", tina)
    assert {row["ids.fide"] for row in shown(one)[0].rows} == {"", "4500004"}
    suppress(home, 4, "asked", tina)
    assert {row.get("ids.fide") for row in shown(one)[0].rows} == {None}


def test_what_is_published_and_what_proves_it_is_as_it_was(published, home, tina, tmp_path):
    one = published()
    listing, _ = shown(one)
    plain = [[row["id"], row.get("rating"), row.get("games")] for row in listing.rows]
    assert plain == [[r["id"], r.get("rating"), r.get("games")] for r in lists.rows_of(one)]
    assert "ids.fide" not in lists.rows_of(one)[0]
    bundle.write(tmp_path / "b.zip", bundles.bundle_of(home, one)[1])
    from ratingbook.office.bundle import verify

    assert not verify(tmp_path / "b.zip").findings.refused


def test_nobody_has_a_number_so_the_list_has_the_offices_by_its_name(published):
    _, titles = shown(published(register="national"))
    assert "ids.fide" not in titles
    assert titles["id"] == "Person"


@pytest.mark.parametrize(("rulebook", "register", "title"), [
    ("egf", "egd", "PIN"), ("uscf", "uscf", "US Chess ID"), ("elo", None, None),
])  # fmt: skip
def test_each_federation_has_its_own(published, rulebook, register, title):
    listing, titles = shown(published(rulebook, register or "fide"))
    if register is None:
        assert titles["id"] == "Id"
        return
    assert (titles[f"ids.{register}"], titles["id"]) == (title, "Person")
    assert {row[f"ids.{register}"] for row in listing.rows} == {"", "4500004"}


def test_all_forms_of_the_command_say_so(published, home):
    published()
    officer = Officer(home.folder)
    said = officer.does("list", "standard@2026-04-01")
    assert {"key": "ids.fide", "title": "ID Number"} in said["columns"]
    assert {"key": "id", "title": "Person"} in said["columns"]
    text = officer_csv(home)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["id"]: row["ids.fide"] for row in rows}["4"] == "4500004"
    assert "Person" in officer.sees("list", "standard@2026-04-01")
    assert json.loads(json.dumps(said["players"]))[0]["id"].isdigit()


def officer_csv(home):
    from typer.testing import CliRunner

    from ratingbook.cli.app import app

    given = ["office", "list", "1", "--format", "csv", "--home", str(home.folder)]
    return CliRunner().invoke(app, given).stdout


def test_registers_are_those_of_the_formats():
    assert register_of("EGF") == "egd"
    assert register_of("Elo") is None
    assert {"fide", "egd", "uscf", "icu", "national"} <= set(REGISTERS)


def test_an_explanation_names_the_opponents(published, home, tina):
    published()
    officer = Officer(home.folder)
    told = officer.sees("explain", 1, "--list", "standard@2026-04-01")
    assert "against 4 Delta, Dora" in told
    suppress(home, 4, "asked", tina)
    told = officer.sees("explain", 1, "--list", "standard@2026-04-01")
    assert "Delta" not in told
    assert "against 4 Player 4" in told
