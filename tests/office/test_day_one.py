"""Day one of an officer: decisions, persons, calendar, receipts, warnings, documents, logs."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from ratingbook.desk import list_documents
from ratingbook.office import bundle, intake, logs, signing, unpacked
from ratingbook.office.acts import (
    bundles,
    calendar,
    decisions,
    doctor,
    explain,
    health,
    imports,
    lists,
    people,
    receipts,
    receive,
    registry,
    runs,
    searching,
    setup,
    shadow,
    snapshots,
    undoing,
)
from ratingbook.office.acts.calendar import Expected
from ratingbook.office.acts.decisions import Deciding
from ratingbook.office.acts.published import table_of
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.logic import doubts
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs, ledger
from ratingbook.office.store import models as m
from ratingbook.rules.listing import Column, Listing
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write

UNTIL = date(2026, 4, 1)
MANY = 8
OPENING = [
    {"id": number, "name": name, "birth_date": born, "standing": {"rating": 1800, "games": 40}}
    for name, _, born, number in PLAYERS.values()
]


@prepared
def standard(home, tina, tmp_path):
    """Six players of 1800, who draw all their games: nothing moves by itself."""
    setup.add_pool("standard", "fide-2009", tina)
    path = tmp_path / "opening.json"
    path.write_text(json.dumps(OPENING))
    imports.import_file(home, path, "national", tina, "standard")
    receive.receive(home, write(tmp_path, "open.json", document()), tina)
    return home


def rated(home, tina):
    """The ratings of a run, by person, and the run."""
    made = runs.make(home, "standard", UNTIL, tina).run
    table = table_of(home, made.ratings_id or "")
    return dict(zip(table["player"].to_pylist(), table["rating"].to_pylist(), strict=True)), made


def published(home, tina):
    _, made = rated(home, tina)
    runs.approve(made.id, tina)
    return runs.publish(home, made.id, tina).lists[0]


def refused(call, *arguments):
    with pytest.raises(OfficeRefused) as caught:
        call(*arguments)
    return [each.code for each in caught.value.findings]


def test_a_decision_goes_into_the_run_and_out_again(standard, tina, tmp_path):
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("a letter")
    before, _ = rated(standard, tina)
    assert before["1"] == 1800
    said = Deciding(1, "reset", "2000", "standard", "a misprint", date(2026, 1, 1), (sheet,))
    fact, _ = decisions.decide(standard, said, tina)
    row = m.Fact.objects.get(seq=fact)
    assert (row.payload["kind"], row.true_from) == ("base_rating", date(2026, 1, 1))
    assert m.Evidence.objects.filter(fact=fact).count() == 1
    after, _ = rated(standard, tina)
    # Five draws with 1800 by a 2000 lose points from 2000, and win the others some.
    assert 1900 < after["1"] < 2000
    assert after["2"] > 1800
    undoing.undo(fact, "no misprint", tina)
    assert rated(standard, tina)[0] == before


def test_an_opening_that_is_decided_again_keeps_the_games_of_the_first(standard, tina):
    first = m.Decision.objects.get(person=1, kind="opening", revoked_by__isnull=True)
    assert first.value["games"] == 40
    said = Deciding(1, "opening", "1900", "standard", "the old office was wrong")
    decisions.decide(standard, said, tina)
    now = decisions.openings_held(setup.pool_named("standard"), [1])
    assert now == {1: {**first.value, "rating": 1900}}
    assert not doctor.examine(standard).refused


def test_what_a_rule_book_does_not_know_is_not_decided(standard, tina):
    def decide(kind, value):
        return refused(
            decisions.decide, standard, Deciding(1, kind, value, "standard", "why"), tina
        )

    assert decide("floor", "1900") == ["office.decision-kind"]
    assert decide("reset", "9000") == ["office.value"]
    assert decide("reset", "much") == ["office.value"]
    assert decide("reset", "1800.5") == ["office.value"]
    assert m.Decision.objects.exclude(kind="opening").count() == 0


def test_floor_and_assumed_rating_are_those_of_the_rule_book(home, tina):
    setup.add_pool("regular", "uscf-2013", tina)
    people.add_person(NewPerson("One, Ona"), "", tina)
    kinds = []
    for kind, value in (("floor", "1900"), ("assumed", "1500"), ("reset", "1600")):
        said = Deciding(1, kind, value, "regular", "the board", date(2026, 1, 1))
        fact, _ = decisions.decide(home, said, tina)
        kinds.append(m.Fact.objects.get(seq=fact).payload["kind"])
    assert kinds == ["money_floor", "initial_rating", "adjusted_rating"]
    table = snapshots.build(1, ledger.head().seq).decisions
    assert table is not None
    assert sorted(table["kind"].to_pylist()) == sorted(kinds)


def test_a_title_holds_from_its_day_on(standard, tina):
    said = Deciding(1, "title", "GM", "standard", "the congress", date(2026, 5, 1))
    decisions.decide(standard, said, tina)
    head = ledger.head().seq
    assert "title" not in people.attributes_of([1], head, UNTIL).get(1, {})
    assert people.attributes_of([1], head, date(2026, 5, 1))[1]["title"] == "GM"


def test_a_reform_is_shown_by_the_next_run_and_not_silent(standard, tina):
    published(standard, tina)
    assert refused(setup.set_rules, "standard", "fide-2014", {}, "", tina) == ["office.reason"]
    setup.set_rules("standard", "fide-2014", {}, "the new handbook", tina)
    _, made = rated(standard, tina)
    assert made.rulebook == "fide-2014"
    assert bundles.replay()[0][0].is_equal


def test_a_person_is_edited_shown_and_known_as_before(standard, tina):
    then = ledger.head().seq
    registry.edit(
        1, registry.Edit("Alpha-Beta, Anna", attributes={"club": "Nowhere"}), "married", tina
    )
    one = searching.search("701")[0]
    assert (one.name, one.names, one.attributes["club"]) == (
        "Alpha-Beta, Anna", ("Alpha, Anna",), "Nowhere",
    )  # fmt: skip
    assert people.found(1, then).name == "Alpha, Anna"
    assert registry.show(1)["facts"][-1]["reason"] == "married"
    assert refused(registry.edit, 1, registry.Edit(), "", tina) == ["office.nothing"]
    assert refused(registry.edit, 1, registry.Edit(ids={"national": "702"}), "", tina) == [
        "office.id-taken"
    ]
    assert refused(registry.edit, 1, registry.Edit(attributes={"shoe": "9"}), "", tina) == [
        "office.attribute"
    ]


@pytest.mark.parametrize(
    ("said", "kept"),
    [("F", "w"), ("f", "w"), ("female", "w"), ("W", "w"), (" m ", "m"), ("male", "m"), ("", "")],
)
def test_what_a_run_reads_of_a_person_is_kept_as_a_run_reads_it(standard, tina, said, kept):
    registry.edit(5, registry.Edit(attributes={"sex": said}), "", tina)
    number, _ = people.add_person(NewPerson("Add, Ed", attributes={"sex": said}), "", tina)
    assert [people.found(each).attributes["sex"] for each in (5, number)] == [kept, kept]
    runs.make(standard, "standard", UNTIL, tina)
    assert "doctor.sex" not in [each.code for each in doctor.examine(standard)]


@pytest.mark.parametrize("said", ["x", "q", "?", "mw"])
def test_what_no_run_could_read_of_a_person_is_refused(standard, tina, said):
    edited = registry.Edit(attributes={"sex": said})
    assert refused(registry.edit, 5, edited, "", tina) == ["office.attribute"]
    new = NewPerson("Add, Ed", attributes={"sex": said})
    assert refused(people.add_person, new, "", tina) == ["office.attribute"]


def test_the_doctor_tells_of_whom_no_run_can_read_what_is_said(standard, tina):
    fact = registry.edit(5, registry.Edit(attributes={"sex": "w"}), "", tina)[0]
    m.PersonAttribute.objects.create(person_id=5, key="sex", value="F", fact=fact)
    (told,) = (each for each in doctor.examine(standard) if each.code == "doctor.sex")
    assert "person 5." in told.message
    registry.edit(5, registry.Edit(attributes={"sex": "F"}), "", tina)
    assert "doctor.sex" not in [each.code for each in doctor.examine(standard)]


def kept_files(home):
    """The bytes of all files that the office keeps: reports, and the lists that were imported."""
    hashes = m.Blob.objects.filter(suppressed_by__isnull=True).values_list("sha256", flat=True)
    return [blobs.path_of(home, each).read_bytes() for each in hashes]


def test_a_person_gets_all_that_is_held_and_can_be_suppressed(standard, tina):
    one = published(standard, tina)
    said = registry.export(1, tina)
    assert said["private"][0]["birth_date"] == date(1990, 1, 5)
    assert (len(said["entries"]), len(said["games"]), len(said["lists"])) == (1, 5, 1)
    assert [each for each in kept_files(standard) if b"Alpha" in each]
    suppress(standard, 1, "asked for it", tina, with_files=True)
    assert not [each for each in kept_files(standard) if b"Alpha" in each]
    everything = json.dumps([registry.export(1, tina)["known"], lists.rows_of(one)], default=str)
    assert "Anna" not in everything
    assert "Bravo" in everything
    assert searching.search("alpha") == []
    assert registry.export(1, tina)["private"] == []
    assert refused(suppress, standard, 1, "again", tina) == ["office.suppressed"]
    # The numbers stay, and the office is sound without the bytes; no copy of the dates is left.
    assert bundles.replay()[0][0].is_equal
    assert not list(standard.snapshots.glob("*/*"))
    assert not doctor.examine(standard).refused


def test_damaged_archives_hinder_nobody_from_being_suppressed(standard, tina, tmp_path):
    """One that is packed otherwise and broken, beside whole ones of which one names the person."""
    published(standard, tina)
    kept = []
    for name, text, method in (
        ("whole.zip", "Alpha, Anna;2001", zipfile.ZIP_DEFLATED),
        ("others.zip", "Bravo, Ben;1990", zipfile.ZIP_DEFLATED),
        ("broken.zip", "Alpha, Anna;2001" * 99, zipfile.ZIP_LZMA),
    ):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("list.txt", text)
        if name == "broken.zip":
            data = bytearray(path.read_bytes())
            data[60:80] = bytes(20)
            path.write_bytes(data)
        one = receive.receive(standard, path, tina, receive.Options())
        assert one.state == "refused"
        kept.append(blobs.path_of(standard, one.sha256))
    suppress(standard, 1, "asked for it", tina, with_files=True)
    assert [each.exists() for each in kept] == [False, True, True]


def test_the_calendar_says_what_is_missing_and_who_is_late(standard, tina):
    day = date(2026, 3, 20)
    calendar.expect(Expected("Lost Open", date(2026, 3, 1), "standard", "udo"), tina)
    calendar.expect(Expected("Invented Open", date(2026, 1, 10), "standard"), tina)
    calendar.expect(Expected("Late Open", date(2026, 3, 18), "standard"), tina)
    one = calendar.calendar(day)[0]
    assert [(each["name"], each["days_late"]) for each in one.missing] == [
        ("Lost Open", 12), ("Late Open", 0),
    ]  # fmt: skip
    # FIDE has a list on the first day of every month, since July 2012.
    assert (one.ready, one.open, one.next_list) == (1, (), date(2026, 4, 1))
    assert calendar.calendar(day, upto=3)[0].missing == ()


def test_the_next_list_is_none_that_is_out_already(standard, tina):
    """A list may be published before its day."""
    published(standard, tina)
    (one,) = calendar.calendar(date(2026, 3, 20))
    assert (one.last_list, one.next_list, one.takes) == (UNTIL, date(2026, 5, 1), UNTIL)
    (one,) = calendar.calendar(date(2026, 7, 20))
    assert one.next_list == one.takes == date(2026, 8, 1)


@pytest.mark.parametrize("odd", ["-5", "99999999999", "nobody", "nan"])
def test_a_pool_assumes_only_ratings_that_its_rules_know(standard, tina, odd):
    before = m.Fact.objects.count()
    with pytest.raises(OfficeRefused):
        setup.set_policies("standard", {"assume": odd}, "tried", tina)
    assert m.Fact.objects.count() == before


@pytest.mark.parametrize("nothing", ["", "none", "–", " None "])
def test_a_number_that_may_be_left_out_is_taken_back(standard, tina, nothing):
    for key, said in (("assume", "1400"), ("correction_days", "30")):
        setup.set_policies("standard", {key: said}, "so", tina)
        assert setup.policy(setup.pool_named("standard"), key) == float(said)
        setup.set_policies("standard", {key: nothing}, "not any more", tina)
        assert setup.policy(setup.pool_named("standard"), key) is None


@pytest.mark.parametrize(("end", "days"), [(UNTIL, -1), (UNTIL, 10**11), (date(9999, 12, 31), 7)])
def test_a_report_is_due_on_a_day_that_there_is(standard, tina, end, days):
    assert refused(calendar.expect, Expected("Open", end, "standard", "", days), tina) == [
        "office.due"
    ]  # fmt: skip


def test_a_receipt_says_in_words_what_became_of_a_report(standard, tina, tmp_path):
    said = document("Second Open", "2026-02-10")
    said["players"][0] |= {"name": "Zulu, Zoe", "ids": {}}
    receive.receive(standard, write(tmp_path, "second.json", said), tina)
    words = receipts.receipt(2).words()
    assert words[0].startswith("Receipt 2-1-")
    told = "No number says who these are, the office settles it: Zulu, Zoe."
    assert any(told in each for each in words)
    assert any("is checked" in each for each in words)
    assert refused(receipts.receipt, 9) == ["office.no-report"]


def test_a_receipt_of_a_new_version_says_what_differs(standard, tina, tmp_path):
    for result in ("1/2-1/2", "1-0"):
        said = document("Second Open", "2026-02-10", results={("1", "2"): result})
        receive.receive(standard, write(tmp_path, f"{result[0]}{result[2]}.json", said), tina)
    words = receipts.receipt(2).words()
    assert any(each.startswith("Against the version that counted: the game ") for each in words)


def test_a_shadow_run_is_compared_with_the_old_list(standard, tina, tmp_path):
    _, made = rated(standard, tina)
    old = tmp_path / "old.csv"
    old.write_text("id,name,rating\n701,x,1800\n702,x,1801\n703,x,1700\n999,x,1500\n")
    found = shadow.shadow(standard, made.id, old, "national")
    assert (found.compared, found.equal, found.within_one) == (3, 1, 2)
    assert [(each["number"], each["difference"]) for each in found.largest] == [
        ("703", 100.0), ("702", -1.0),
    ]  # fmt: skip
    assert (found.only_theirs, found.only_ours) == (("999",), 3)


def test_a_merged_person_is_compared_once_by_the_own_number(standard, tina, tmp_path):
    _, made = rated(standard, tina)
    golf, _ = people.add_person(NewPerson("Golf, Gus", ids={"national": "700"}), "", tina)
    people.merge(golf, 1, "one person", tina)
    old = tmp_path / "old.csv"
    old.write_text("id,name,rating\n700,x,1900\n701,x,1700\n702,x,1800\n")
    found = shadow.shadow(standard, made.id, old, "national")
    assert (found.compared, found.only_theirs, found.only_ours) == (2, (), 4)
    assert [(each["person"], each["number"]) for each in found.largest if each["person"] == 1] == [
        (1, "701")
    ]  # fmt: skip
    (told,) = [each for each in found.findings if each.code == "office.twice-on-list"]
    assert "stands on the list as 701 and as 700" in told.message


def test_check_digits_are_those_of_the_pool_that_an_event_goes_to_by_itself(
    standard, tina, tmp_path
):
    setup.set_policies("standard", {"check_digits": "national=damm"}, "", tina)
    setup.add_pool("blitz", "fide", tina, {"pool": "blitz"})
    said = document("Slow Open", "2026-05-10")
    said["event"]["time_control"] = "90 min + 30 s"
    one = receive.receive(standard, write(tmp_path, "slow.json", said), tina)
    assert "office.check-digit" in [each.code for each in one.findings]


def test_people_who_do_not_go_together_with_their_entries_are_told(standard, tina, tmp_path):
    published(standard, tina)
    setup.set_policies("standard", {"check_digits": "national=damm"}, "", tina)
    said = document("Second Open", "2026-01-10", section="Under 1700")
    for game in said["games"]:
        game["section"] = "Under 1700"
    said["event"].pop("section")
    people_ = said["players"]
    people_[0]["standing"] = {"rating": 2300, "games": 9}
    people_[1]["birth_date"] = "2025-01-01"
    people_[2]["sex"] = "w"
    people_[3]["ids"]["national"] = "740"
    path = write(tmp_path, "odd.json", said)
    options = receive.Options(another=True)
    one = receive.receive_all(standard, [path], tina, options)[0][0]
    told = {(each.code, each.where.player) for each in one.findings}
    for number, code in (
        ("1", "rating-gap"), ("2", "age"), ("2", "birth-year"), ("4", "transposed-digits"),
        ("1", "entry-class"), ("1", "two-events"), ("1", "check-digit"),
    ):  # fmt: skip
        assert (f"office.{code}", number) in told, code
    assert ("office.rating-gap", "3") not in told


def test_a_new_version_of_another_name_is_no_other_event(standard, tina, tmp_path):
    published(standard, tina)
    path = write(tmp_path, "renamed.json", document("Renamed Open", "2026-01-10"))
    options = receive.Options(version_of=1)
    one = receive.receive_all(standard, [path], tina, options)[0][0]
    assert one.version == 2
    assert "office.two-events" not in {each.code for each in one.findings}


@pytest.mark.parametrize(
    ("kind", "number", "fits"),
    [
        # Wikipedia's examples of each.
        ("luhn", "17893729974", True), ("luhn", "17893729975", False),
        ("damm", "5724", True), ("damm", "5727", False),
        ("mod97", "3214282912345698765432161182", True), ("mod97", "98", True),
        ("mod11", "0306406152", True), ("mod11", "0306406153", False),
    ],
)  # fmt: skip
def test_check_digits(kind, number, fits):
    assert doubts.fits(number, kind) is fits


def test_many_files_at_once_are_one_act_and_their_order_stays(
    standard, tina, tmp_path, monkeypatch
):
    """Other processes help from some number on; a bad one keeps only itself out."""
    monkeypatch.setattr(intake, "MANY", MANY)
    paths = [
        write(tmp_path, f"{n}.json", document(f"Open {n}", f"2026-02-{1 + n % 20:02}", {("1", "2"):
              "1-0" if n % 2 else "0-1"}))
        for n in range(MANY)
    ]  # fmt: skip
    (tmp_path / "3.json").write_text("{")
    again = write(tmp_path, "again.json", json.loads(paths[5].read_text()))
    options = receive.Options(pool="standard", another=True)
    received, _ = receive.receive_all(standard, [*paths, again], tina, options)
    assert [each.file for each in received] == [each.name for each in [*paths, again]]
    assert [each.state for each in received].count("ready") == MANY
    assert received[3].state == "refused"
    assert (received[-1].is_new, received[-1].id) == (False, received[5].id)
    assert m.Section.objects.count() == MANY
    assert not doctor.examine(standard).refused


def test_health_is_quick_and_tells_of_backups(standard, tina):
    found = health.health(standard, datetime.now(UTC))
    assert found.is_well
    assert [each.code for each in found.findings] == ["health.backup"]
    assert found.said["published"] == {"standard": 0}


def test_logs_are_lines_of_json(tmp_path, monkeypatch):
    monkeypatch.setenv(logs.VARIABLE, str(tmp_path / "log"))
    logs.log("command", command="receive", seconds=0.1)
    logs.log("job", job=7)
    lines = [json.loads(each) for each in (tmp_path / "log").read_text().splitlines()]
    assert [(each["what"], each.get("job")) for each in lines] == [("command", None), ("job", 7)]


def test_teams_that_differ_by_a_number_play_other_events(standard, tina, tmp_path):
    """Numbers are no letters, and two events of one day are not one for that."""
    for event, first in (("One", 1), ("Two", 11)):
        names = {str(n): (f"Team {n}", "m", "1990-01-01", f"8{n}") for n in range(first, first + 4)}
        path = write(tmp_path, f"{event}.json", document(event, players=names))
        assert receive.receive(standard, path, tina).version == 1


def test_a_bundle_is_signed_by_the_key_of_the_office(standard, tina, tmp_path):
    pytest.importorskip("cryptography")
    one = published(standard, tina)
    key = signing.make_key(standard.folder)
    assert (standard.folder / signing.KEY_FILE).stat().st_mode & 0o077 == 0
    bundles.write_bundle(standard, one, tmp_path / "b.zip", tina, with_birth_dates=True)

    def codes(path, key=None):
        return [each.code for each in bundle.verify(path, key).findings]

    assert codes(tmp_path / "b.zip", key) == []
    assert codes(tmp_path / "b.zip", "00" * 32) == ["verify.other-key"]
    assert not bundle.verify(tmp_path / "b.zip", "00" * 32).is_compared
    assert bundle.verify(tmp_path / "b.zip", key).is_compared
    (tmp_path / "key").write_text(key.upper() + "\n")
    assert codes(tmp_path / "b.zip", str(tmp_path / "key")) == []
    with (
        zipfile.ZipFile(tmp_path / "b.zip") as old,
        zipfile.ZipFile(tmp_path / "c.zip", "w") as new,
    ):
        for each in old.infolist():
            data = old.read(each)
            new.writestr(each, data + b"\n" if each.filename == unpacked.MANIFEST else data)
    assert codes(tmp_path / "c.zip") == ["verify.signature"]


@pytest.mark.parametrize(
    ("given", "why"),
    [("", "it is empty"), ("nowhere.key", "no such file"), ("empty.key", "the file is empty"),
     ("other.key", "the file holds none"), ("00" * 31, "no such file"), (".", "cannot be read")],
)  # fmt: skip
def test_a_key_that_is_none_is_told(tmp_path, monkeypatch, given, why):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.key").write_text("\n")
    (tmp_path / "other.key").write_text("no key")
    found = bundle.verify(tmp_path / "b.zip", given)
    (told,) = found.findings
    assert (told.code, found.is_compared) == ("verify.key", False)
    assert why in told.message


def test_a_bundle_without_a_signature_says_what_to_ask_for(standard, tina, tmp_path):
    bundles.write_bundle(
        standard, published(standard, tina), tmp_path / "b.zip", tina, with_birth_dates=True
    )
    (told,) = bundle.verify(tmp_path / "b.zip", "00" * 32).findings
    assert told.code == "verify.unsigned"
    assert "key --make" in told.remedy
    assert not bundle.verify(tmp_path / "b.zip").findings.refused


def a_list():
    rows = tuple({"id": str(n), "name": f"Ж {n} =1+1", "rating": 1000 + n} for n in range(1200))
    columns = (Column("id", "Id"), Column("name", "Name"), Column("rating", "Rating", True))
    return Listing("Invented List", UNTIL, ("one fact",), columns, rows, ())


def test_a_list_as_a_workbook_reads_back():
    import io

    from openpyxl import load_workbook

    data, _ = list_documents.xlsx(a_list())
    book = load_workbook(io.BytesIO(data))
    rows = list(book["List"].iter_rows(values_only=True))
    assert rows[0] == ("Id", "Name", "Rating")
    assert rows[1200] == ("1199", "Ж 1199 =1+1", 2199)
    assert all(cell.data_type != "f" for cell in book["List"]["B"])
    assert book["About"]["A1"].value == "Invented List"


def test_a_workbook_takes_names_with_what_no_workbook_has():
    import io

    from openpyxl import load_workbook

    rows = ({"id": "1", "name": "An\x1b[31mna\n\x00"},)
    listing = replace(a_list(), title="A\x1b", rows=rows)
    book = load_workbook(io.BytesIO(list_documents.xlsx(listing)[0]))
    assert book["List"]["B2"].value == "An�[31mna��"


def test_a_list_as_pdf_has_all_rows_on_numbered_pages():
    pytest.importorskip("reportlab")
    data, findings = list_documents.pdf(a_list())
    assert data.startswith(b"%PDF-")
    assert [each.code for each in findings] == ["list.letters"]
    assert data.count(b"/Type /Page\n") > 15
    assert data == list_documents.pdf(a_list())[0]


@pytest.mark.parametrize("name", ["a@b", "a/b", " a", "a ", "a\nb"])
def test_a_pool_has_a_name_that_lists_can_have(home, tina, name):
    assert refused(setup.add_pool, name, "fide-2009", tina) == ["office.name"]


def test_policies_beyond_what_there_is_are_told(home, tina):
    def codes(**said):
        return [each.code for each in setup.set_policies("standard", said, "why", tina)]

    setup.add_pool("standard", "fide-2009", tina)
    assert codes(approvals="2") == codes(correction_approvals="2") == ["office.too-few"]
    setup.add_actor("udo", ["officer"], tina)
    assert codes(approvals="2", correction_approvals="2") == []
    assert refused(setup.set_policies, "standard", {"approvals": "1000"}, "why", tina) == [
        "office.policy"
    ]


@pytest.mark.parametrize(
    ("rulebook", "good", "bad", "code", "why"),
    [
        ("fide-2009", {"decimals": "0"}, {"decimals": "1"}, "office.decimals", "whole ratings"),
        ("egf-2021", {"decimals": "3"}, {"decimals": "4"}, "office.decimals", "3 decimals at most"),
        ("elo", {"decimals": "6"}, {"marks": "1500,1e12"}, "office.marks", "ratings from"),
        ("fide-2009", {"marks": "2000"}, {"marks": "2000.5"}, "office.marks", "whole ratings"),
    ],
)  # fmt: skip
def test_what_no_rating_of_the_rules_has_is_no_policy(
    home, tina, rulebook, good, bad, code, why
):  # fmt: skip
    setup.add_pool("standard", rulebook, tina, policies=good)
    for act in (
        lambda: setup.set_policies("standard", bad, "why", tina),
        lambda: setup.add_pool("other", rulebook, tina, policies=bad),
    ):
        with pytest.raises(OfficeRefused) as refused:
            act()
        (told,) = refused.value.findings
        assert (told.code, why in told.message) == (code, True)
    assert not m.Pool.objects.filter(name="other").exists()


def test_a_batch_that_there_is_not_names_those_that_there_are(standard, tina):
    one = published(standard, tina)
    batches = {row["key"] for row in table_of(standard, one.run.file_id, ["key"]).to_pylist()}
    with pytest.raises(OfficeRefused) as caught:
        explain.explain(standard, 1, one, "zzz")
    (finding,) = caught.value.findings
    assert finding.code == "office.explain"
    assert all(each in finding.remedy for each in batches)


def test_a_known_file_is_no_version_of_no_report(standard, tina, tmp_path):
    path = write(tmp_path, "again.json", document())
    options = receive.Options(version_of=999)
    assert refused(receive.receive, standard, path, tina, options) == ["office.no-report"]
