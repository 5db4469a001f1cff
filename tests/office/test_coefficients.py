"""A list of FIDE has K: the number by which the games after it are rated, in FIDE's columns."""

from __future__ import annotations

import csv
import hashlib
import json
from datetime import date
from pathlib import Path

import pytest

from ratingbook.cli.verify import run as told
from ratingbook.desk.list_files import REGISTER_OF, as_file
from ratingbook.formats.standings import read_numbered
from ratingbook.model import Severity
from ratingbook.office.acts import bundles, doctor, imports, receive, runs, setup
from ratingbook.office.acts.explain import explain
from ratingbook.office.acts.lists import listing_again, rows_of
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.bundle import verify
from ratingbook.office.store import models as m
from tests.office.prepared import prepared
from tests.office.reports import document, write

PLAYERS = {
    # Number: name, rating, games, born, and K in 2026 by paragraph 8.3.3 of the rules of 2024.
    "4100001": ("Alpha, Anna", 2410, 300, "1980-01-01", 10),
    "4100002": ("Bravo, Ben", 1900, 80, "1985-03-07", 20),
    "4100003": ("Charlie, Chris", 1900, 80, "2012-03-07", 40),
    "4100004": ("Delta, Dora", 1900, 12, "1985-03-07", 40),
}


@prepared
def published(home, tina, tmp_path):
    """The ratings with which a pool opens, and an event of January."""
    setup.add_pool("standard", "fide-2024", tina)
    path = tmp_path / "players.csv"
    lines = ["id,name,rating,games,birth_date"]
    lines += [f'{n},"{name}",{r},{g},{born}' for n, (name, r, g, born, _) in PLAYERS.items()]
    path.write_text("\n".join(lines), "utf-8")
    imports.import_file(home, path, "fide", tina, "standard")
    publish(home, tina, date(2026, 1, 1))
    return home


def publish(home, tina, until: date) -> m.List:
    run = runs.make(home, "standard", until, tina).run
    runs.approve(run.id, tina, "")
    runs.publish(home, run.id, tina)
    return m.List.objects.latest("id")


def test_everybody_has_the_k_of_the_edition(published):
    rows = {row["name"]: row["k"] for row in rows_of(m.List.objects.get())}
    assert rows == {name: k for name, _, _, _, k in PLAYERS.values()}


def test_it_stands_where_fide_has_it_and_is_read_again(published, reference, tmp_path):
    one = m.List.objects.get()
    text, _ = as_file(listing_again(one, REGISTER_OF["fide-txt"]), "fide-txt")
    assert text is not None
    header, *lines = text.splitlines()
    layouts = reference / "formats" / "fide_list_txt_layouts.csv"
    fields, of = {}, ""
    for row in csv.DictReader(layouts.read_text("utf-8").splitlines()):
        of = row["file"] or of
        if of.startswith("standard|rapid|blitz"):
            fields[row["field"]] = slice(int(row["start0"]), int(row["end0"]))
    assert header[fields["K"]].strip() == "K"
    by_name = {line[15:76].strip(): line[fields["K"]].strip() for line in lines}
    assert by_name == {name: str(k) for name, _, _, _, k in PLAYERS.values()}
    file = tmp_path / "standard_rating_list.txt"
    file.write_text(text, "ascii", newline="")
    imported = {n: (s.extra["k"], s.rating) for n, s in again(file).items()}
    assert imported == {n: (k, r) for n, (_, r, _, _, k) in PLAYERS.items()}


def again(file: Path):
    members, findings = read_numbered(file, "fide", {"k": int, "reached_2400": bool})
    assert not findings.refused
    return {each.entry.id: each.entry.standing for each in members}


def test_games_after_the_list_are_rated_by_its_k(published, tina, tmp_path):
    listed = {int(row["id"]): row["k"] for row in rows_of(m.List.objects.get())}
    people = {n: (name, "m", born, n) for n, (name, _, _, born, _) in PLAYERS.items()}
    said = document("New Year", "2026-01-10", {("4100002", "4100003"): "1-0"}, people)
    for each in said["players"]:
        each["ids"] = {"fide": each["id"]}
    receive.receive(published, write(tmp_path, "new.json", said), tina,
                    receive.Options(pool="standard"))  # fmt: skip
    publish(published, tina, date(2026, 2, 1))
    new = m.List.objects.latest("id")
    used = {}
    for person in listed:
        steps = explain(published, person, new).rows[0].explanation
        used[person] = [x.value for x in steps if x.rule == "development_coefficient"]
    assert used == {person: [k] for person, k in listed.items()}


def test_the_bundle_of_such_a_list_is_verified_and_the_doctor_content(published, tina, tmp_path):
    one = m.List.objects.get()
    bundles.write_bundle(published, one, tmp_path / "list.zip", tina)
    assert not verify(tmp_path / "list.zip").findings.refused
    assert not doctor.examine(published).refused


def with_k(folder: Path, player: str, k: str | None) -> None:
    """Another K in the list of a bundle, by whoever can write a manifest; None: no column of it."""
    file, manifest = folder / "list.csv", folder / "manifest.json"
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    with file.open("w", encoding="utf-8", newline="") as out:
        keys = [key for key in rows[0] if key != "k" or k is not None]
        writer = csv.DictWriter(out, keys, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(row | ({"k": k} if row["name"] == player else {}) for row in rows)
    said = json.loads(manifest.read_text("utf-8"))
    said["files"]["list.csv"] = hashlib.sha256(file.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(said), "utf-8")


@pytest.mark.parametrize(
    ("player", "k", "right"),
    [
        ("Alpha, Anna", "20", "10"),
        ("Alpha, Anna", "", "10"),
        ("Delta, Dora", "20", "40"),
        # Without birth dates either K could be right, and no other one.
        ("Bravo, Ben", "10", "20 or 40, by the age"),
        ("Charlie, Chris", "", "20 or 40, by the age"),
    ],
)
def test_another_k_in_a_bundle_is_found(published, tina, tmp_path, player, k, right):
    bundles.write_bundle(published, m.List.objects.get(), tmp_path / "list", tina)
    with_k(tmp_path / "list", player, k)
    (found,) = (x for x in verify(tmp_path / "list").findings if x.severity is Severity.ERROR)
    assert found.code == "verify.list"
    assert found.message.startswith(f"The list prints K {k or 'empty'} for player ")
    assert found.message.endswith(f"; made again it is {right}.")


def test_a_list_without_its_k_is_found(published, tina, tmp_path):
    bundles.write_bundle(published, m.List.objects.get(), tmp_path / "list", tina)
    with_k(tmp_path / "list", "nobody", None)
    assert verify(tmp_path / "list").findings.refused


def test_which_k_is_taken_as_published_is_told(published, tina, tmp_path, capsys):
    bundles.write_bundle(published, m.List.objects.get(), tmp_path / "list", tina)
    found = verify(tmp_path / "list")
    assert not found.findings.refused
    assert found.coefficients_said == 2, "of Ben and Chris, who could be of any age"
    assert not told(tmp_path / "list", None, as_json=False)
    text = " ".join(capsys.readouterr().out.split())
    assert "Not proved: K (the column k of list.csv) of 2 players, which hangs on an age" in text
    assert "which one is taken as the list was published" in text
    assert "its names, federations, titles, sexes and K as well" in text
    assert "names, federations, titles and sexes on the list" not in text
    # That Ben could have it at another age is no excuse: it is not what was published.
    with_k(tmp_path / "list", "Bravo, Ben", "40")
    (wrong,) = (x for x in verify(tmp_path / "list").findings if x.severity is Severity.ERROR)
    assert wrong.message.endswith("is not what was published.")


def test_with_birth_dates_each_k_is_made_again(published, tina, tmp_path):
    one = m.List.objects.get()
    bundles.write_bundle(published, one, tmp_path / "list", tina, with_birth_dates=True)
    found = verify(tmp_path / "list")
    assert (found.findings.refused, found.coefficients_said) == (False, 0)
    with_k(tmp_path / "list", "Bravo, Ben", "40")
    (wrong,) = (x for x in verify(tmp_path / "list").findings if x.severity is Severity.ERROR)
    assert wrong.message.endswith("; made again it is 20.")


def test_who_was_suppressed_has_no_k_in_a_bundle(published, tina, tmp_path):
    one = m.List.objects.get()
    suppress(published, 2, "asked for", tina)
    bundles.write_bundle(published, one, tmp_path / "list", tina)
    assert not verify(tmp_path / "list").findings.refused


def test_of_who_is_suppressed_no_k_says_whether_they_are_young(published, tina):
    young = next(r for r in rows_of(m.List.objects.get()) if r["name"] == "Charlie, Chris")
    suppress(published, int(young["id"]), "asked for", tina)
    rows = {row["id"]: row["k"] for row in rows_of(m.List.objects.get())}
    assert rows[young["id"]] is None
    assert not doctor.examine(published).refused, "what was printed then needs a date that is gone"
    made = publish(published, tina, date(2026, 2, 1))
    assert {row["id"]: row["k"] for row in rows_of(made)}[young["id"]] is None
