"""A list's digest covers all its numbers; other K or other games alone make a revision of it."""

from __future__ import annotations

import json
from datetime import date
from hashlib import sha256

import pytest

from ratingbook.office.acts import (
    asking,
    bundles,
    doctor,
    imports,
    lists,
    receive,
    revisions,
    runs,
    setup,
)
from ratingbook.office.acts.preview import Bench
from ratingbook.office.acts.registry import Edit, edit
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.bundle import verify
from ratingbook.office.logic import lines
from ratingbook.office.logic.chain import canonical
from ratingbook.office.store import models as m
from tests.office.asked import hold
from tests.office.lists_of_before import as_of_before
from tests.office.prepared import prepared
from tests.office.reports import document, write
from tests.office.test_coefficients import PLAYERS, with_k
from tests.office.test_damage import changed

JANUARY, FEBRUARY, MARCH = (date(2026, month, 1) for month in (1, 2, 3))
DORA = 4
"""After 12 games she has a K of 40, at any age; Chris, person 3, has 40 as he is young."""
CHRIS = 3


def begun(home, tina, tmp_path):
    """A pool of FIDE that revises its lists, and that of January by what it opens with."""
    setup.add_pool("standard", "fide-2024", tina)
    setup.set_policies("standard", {"revise": "affected"}, "lists are to be right", tina)
    path = tmp_path / "players.csv"
    said = ["id,name,rating,games,birth_date"]
    said += [f'{n},"{name}",{r},{g},{born}' for n, (name, r, g, born, _) in PLAYERS.items()]
    path.write_text("\n".join(said), "utf-8")
    imports.import_file(home, path, "fide", tina, "standard")
    publish(home, tina, JANUARY)
    return home


standard = prepared(begun)


def publish(home, tina, until: date) -> runs.Made:
    made = runs.make(home, "standard", until, tina)
    runs.approve(made.run.id, tina, "")
    runs.publish(home, made.run.id, tina)
    return made


def codes(made: runs.Made) -> list[str]:
    return [each.code for each in made.findings if each.code.startswith("office.lists-")]


def column(one: m.List, key: str) -> list[object]:
    return [row.get(key) for row in sorted(lists.rows_of(one), key=lambda row: int(row["id"]))]


def editions() -> list[tuple[date, int]]:
    return list(m.List.objects.order_by("date", "revision").values_list("date", "revision"))


def test_two_lists_that_differ_in_their_games_alone_have_two_digests():
    one = {"id": "1", "name": "Alpha", "rating": 2000, "period_games": 2, "k": 20, "flag": "w"}
    other = {**one, "period_games": 3}
    assert lines.digest([one]) != lines.digest([other])
    assert lines.digest_of_before([one]) == lines.digest_of_before([other])
    # What tells of a person is in the commitment alone, which is nothing without its salt.
    for key, value in {"name": "Bravo", "k": 40, "flag": "wi"}.items():
        changed = {**one, key: value}
        assert (lines.digest([one]) == lines.digest([changed])) is (key != "flag")
        assert lines.said_by("00", [one]) != lines.said_by("00", [changed])
    assert lines.digest([one]) == lines.digest([lines.masked(one)])


def test_another_birth_date_revises_the_list_that_its_k_alone_is_otherwise_on(standard, tina):
    """Nobody has played: no rating is another one, and the run tells of it all the same."""
    before = m.List.objects.get()
    assert column(before, "k") == [10, 20, 40, 40]
    publish(standard, tina, FEBRUARY)
    edit(CHRIS, Edit(born=date(1990, 3, 7)), "mistyped", tina)
    made = publish(standard, tina, MARCH)
    assert made.run.counts["lists"] == {"2026-01-01": ["k"], "2026-02-01": ["k"]}
    (told,) = (each for each in made.findings if each.code == "office.lists-revised")
    assert "2 published lists get a revision: 2026-01-01 (K), 2026-02-01 (K)" in told.message
    assert editions() == [(JANUARY, 1), (JANUARY, 2), (FEBRUARY, 1), (FEBRUARY, 2), (MARCH, 1)]
    again = lists.newest_of(before.pool_id, JANUARY)
    assert again is not None
    assert column(again, "k") == [10, 20, 20, 40]
    assert (again.digest, again.salt == before.salt) == (before.digest, False)
    assert not doctor.examine(standard).refused


def drawn(home, tina, tmp_path, day: str) -> None:
    """A draw of two with the same rating, by which none of both moves."""
    both = ("4100002", "4100004")
    known = {n: (PLAYERS[n][0], "m", PLAYERS[n][3], n) for n in both}
    said = document(f"Match of {day}", day, players=known)
    for each in said["players"]:
        each["ids"] = {"fide": each["id"]}
    options = receive.Options(pool="standard")
    receive.receive(home, write(tmp_path, f"{day}.json", said), tina, options)


def test_games_alone_revise_a_list(standard, tina, tmp_path):
    drawn(standard, tina, tmp_path, "2026-01-10")
    publish(standard, tina, FEBRUARY)
    drawn(standard, tina, tmp_path, "2026-01-20")
    made = publish(standard, tina, MARCH)
    assert made.run.counts["lists"] == {"2026-02-01": ["period_games"]}
    (told,) = (each for each in made.findings if each.code == "office.lists-revised")
    assert "1 published list gets a revision: 2026-02-01 (Gms)" in told.message
    assert editions() == [(JANUARY, 1), (FEBRUARY, 1), (FEBRUARY, 2), (MARCH, 1)]
    first, second = m.List.objects.filter(date=FEBRUARY).order_by("revision")
    assert [column(each, "period_games") for each in (first, second)] == [
        [None, 1, None, 1], [None, 2, None, 2],
    ]  # fmt: skip
    assert first.digest != second.digest
    assert not doctor.examine(standard).refused


def withdrawn(standard, tina, tmp_path):
    """A correction that takes out a draw by which no rating was moved."""
    drawn(standard, tina, tmp_path, "2026-01-10")
    publish(standard, tina, FEBRUARY)
    return asking.event("1", "withdraw")


def opened(standard, tina, tmp_path):
    """A correction by which somebody has so many games that K is another one."""
    publish(standard, tina, FEBRUARY)
    return asking.opening("standard", {DORA: {"rating": "1900", "games": "40"}})


@pytest.mark.parametrize(
    ("asked", "titles"),
    [(withdrawn, {"2026-02-01": ["Gms"]}), (opened, {"2026-01-01": ["K"], "2026-02-01": ["K"]})],
)
def test_a_preview_tells_what_the_run_then_makes(standard, tina, tmp_path, asked, titles):
    content = asked(standard, tina, tmp_path)
    said = Bench(standard).preview([content]).as_dict()["pools"]["standard"]
    assert (said["players"], said["columns"], said["lists"]) == (0, titles, [*titles])
    hold(standard, tina, content)
    made = publish(standard, tina, MARCH)
    told = {str(day): list(some) for day, some in revisions.columns_by(made.run).items()}
    assert told == titles


def test_lists_that_stay_by_the_policy_are_told_of(standard, tina):
    setup.set_policies("standard", {"revise": "none"}, "as printed", tina)
    publish(standard, tina, FEBRUARY)
    edit(CHRIS, Edit(born=date(1990, 3, 7)), "mistyped", tina)
    made = publish(standard, tina, MARCH)
    assert codes(made) == ["office.lists-otherwise"]
    assert editions() == [(JANUARY, 1), (FEBRUARY, 1), (MARCH, 1)]
    again, _ = lists.make_list(standard, "standard", JANUARY, tina)
    assert (again.revision, column(again, "k")) == (2, [10, 20, 20, 40])


def test_what_is_hidden_of_somebody_and_what_anybody_is_called_makes_no_revision(standard, tina):
    publish(standard, tina, FEBRUARY)
    suppress(standard, CHRIS, "asked for", tina)
    edit(DORA, Edit(name="Delta, Doro"), "married", tina)
    assert codes(publish(standard, tina, MARCH)) == []
    assert editions() == [(JANUARY, 1), (FEBRUARY, 1), (MARCH, 1)]


@pytest.mark.parametrize("key", ["k", "period_games", "flag", "name"])
def test_the_doctor_finds_whatever_is_changed_in_a_line(standard, tina, key):
    one = m.List.objects.get()
    row = m.ListRow.objects.get(list=one, person=CHRIS)
    other = {"k": 20, "period_games": 7, "flag": "i", "name": "Charlie, Charles"}[key]
    printed = canonical({**row.printed, key: other}).decode()
    changed(
        f"UPDATE office_listrow SET printed = '{printed}' "
        f"WHERE list_id = {one.id} AND place = {row.place}"
    )
    found = [each.message for each in doctor.examine(standard) if each.code == "doctor.list"]
    assert "the lines of list 1 are not those that were published" in found[0]


@pytest.fixture
def of_before(monkeypatch):
    """Publishes as programs did before a list had a salt."""
    with monkeypatch.context() as then:
        as_of_before(then)
        yield then


def test_lists_of_before_stay_checkable(of_before, home, tina, tmp_path):
    standard = begun(home, tina, tmp_path)
    one = m.List.objects.get()
    assert one.salt is None
    of_before.undo()
    assert not doctor.examine(standard).refused
    manifest = bundles.write_bundle(standard, one, tmp_path / "list", tina)
    assert (manifest["list"]["is_by_all"], manifest["list"]["salt"]) == (False, None)
    assert not verify(tmp_path / "list").findings.refused
    with_k(tmp_path / "list", "Bravo, Ben", "40")
    found = verify(tmp_path / "list")
    assert (found.findings.refused, found.is_said_bound) == (False, False)
    # A run that changes nothing on it makes no revision for the other digest.
    publish(standard, tina, FEBRUARY)
    edit(CHRIS, Edit(born=date(2011, 3, 7)), "mistyped", tina)
    publish(standard, tina, MARCH)
    assert editions() == [(JANUARY, 1), (FEBRUARY, 1), (MARCH, 1)]


def test_of_a_list_with_somebody_suppressed_the_salt_stays_inside(standard, tina, tmp_path):
    """With it whoever has the bundle could try each K."""
    one = m.List.objects.get()
    assert one.salt is not None
    assert bundles.write_bundle(standard, one, tmp_path / "a", tina)["list"]["salt"] == one.salt
    assert verify(tmp_path / "a").is_said_bound
    suppress(standard, CHRIS, "asked for", tina)
    assert bundles.write_bundle(standard, one, tmp_path / "b", tina)["list"]["salt"] is None
    found = verify(tmp_path / "b")
    assert (found.findings.refused, found.is_said_bound) == (False, False)
    for each in (tmp_path / "b").iterdir():
        assert one.salt.encode() not in each.read_bytes()


def test_another_name_in_a_bundle_is_found(standard, tina, tmp_path):
    bundles.write_bundle(standard, m.List.objects.get(), tmp_path / "list", tina)
    file, manifest = tmp_path / "list" / "list.csv", tmp_path / "list" / "manifest.json"
    data = file.read_bytes().replace(b"Alpha, Anna", b"Alpha, Anne")
    file.write_bytes(data)
    said = json.loads(manifest.read_text("utf-8"))
    said["files"]["list.csv"] = sha256(data).hexdigest()
    manifest.write_text(json.dumps(said), "utf-8")
    (found,) = verify(tmp_path / "list").findings
    assert (found.code, "what was published" in found.message) == ("verify.list", True)
