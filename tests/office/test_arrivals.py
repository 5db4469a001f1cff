"""What a file has to say, what may be said beside it, and what it is compared with."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ratingbook.office.acts import desk, receipts, receive, reports, setup
from ratingbook.office.acts.receive import Options
from ratingbook.office.intake import Said
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from tests.office.officers import Officer
from tests.office.reports import document, write

CROSS_TABLE = """Section 1 - OPEN
 Pair | Player Name                     |Total|Round|Round|Round|
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |  2  |  3  |
    1 | ANN ADAMS                       |2.5  |W   3|D   2|W   4|
   NY | 12000001 / R: 1800   ->1815     |     |W    |B    |W    |
    2 | BOB BAKER                       |2.0  |W   4|D   1|D   3|
   NJ | 12000002 / R: 1700   ->1705     |     |B    |W    |B    |
    3 | CAL COLE                        |1.0  |L   1|D   4|D   2|
   NY | 12000003 / R: 1500P10->1560P13  |     |B    |W    |W    |
    4 | DEE DOE                         |0.5  |L   2|D   3|L   1|
   CA | 12000004 / R: Unrated->1400P3   |     |W    |B    |B    |
"""
NIGHT = """Event;{name}
Start;{start}
End;2025-06-02

Round;White;Black;Result
1;Kask, Mart;Tamm, Liis;1-0
2;Tamm, Liis;Kask, Mart;{result}
"""


@pytest.fixture
def us(home, tina):
    setup.add_pool("us", "uscf", tina)
    return home


@pytest.fixture
def standard(home, tina):
    setup.add_pool("standard", "fide-2009", tina, policies={"assume": "1500"})
    return home


def put(folder, name, text):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def night(folder, name, start="2025-06-01", result="1-0"):
    return put(folder, name, NIGHT.format(name=name, start=start, result=result))


def taken(home, tina, *paths, **options):
    return receive.receive_all(home, paths, tina, Options(**options))[0]


def codes(one):
    return [each.code for each in one.findings]


def test_what_a_file_does_not_say_is_said_beside_it(us, tina, tmp_path):
    path = put(tmp_path, "us.txt", CROSS_TABLE)
    (one,) = taken(us, tina, path)
    (told,) = (each for each in one.findings if each.code == "office.no-day")
    assert (one.state, one.id) == ("refused", None)
    assert "--end" in told.remedy
    said = Said(date(2025, 6, 1), date(2025, 6, 2), "Spring Open")
    (one,) = taken(us, tina, path, said=said)
    assert (one.id, one.state, one.waiting) == (1, "checked", 4)
    section = m.Section.objects.get()
    assert (section.start, section.end) == (said.start, said.end)
    assert reports.reports()[0].name == "Spring Open"
    payload = m.Fact.objects.get(kind="received").payload
    assert [payload[each] for each in ("start", "end", "event")] == [
        "2025-06-01", "2025-06-02", "Spring Open",
    ]  # fmt: skip
    receipt = receipts.receipt(1)
    assert (receipt.entries, receipt.games, receipt.undated) == (4, 6, 0)
    assert len(desk.waiting(1)) == 4
    # What came once without them is no longer among what is refused.
    assert reports.refused_files() == []


def test_what_a_file_says_is_not_said_otherwise(standard, tina, tmp_path):
    path = night(tmp_path, "open.csv")
    for said in (
        Said(end=date(2025, 6, 3)), Said(start=date(2025, 6, 2)), Said(event="Other"),
    ):  # fmt: skip
        (one,) = taken(standard, tina, path, said=said)
        assert (one.state, codes(one)) == ("refused", ["office.said-otherwise"])
    same = Said(date(2025, 6, 1), date(2025, 6, 2), "open.csv")
    assert taken(standard, tina, path, said=same)[0].id == 1
    (one,) = taken(standard, tina, path, said=Said(end=date(2025, 6, 3)))
    (told,) = [each for each in one.findings if each.code == "office.known-said"]
    assert (
        told.message == "It was read with what was said of its event then, not now, and stays so."
    )
    (one,) = taken(standard, tina, path, said=Said(date(2025, 6, 4), date(2025, 6, 3)))
    assert (one.state, codes(one)) == ("refused", ["office.said-otherwise"])


def test_an_event_does_not_end_before_it_begins(us, tina, tmp_path):
    path = put(tmp_path, "us.txt", CROSS_TABLE)
    said = Said(date(2025, 6, 3), date(2025, 6, 2))
    assert codes(taken(us, tina, path, said=said)[0]) == ["office.said-otherwise"]


def test_the_command_takes_what_the_file_does_not_say(us, tmp_path):
    officer = Officer(us.folder)
    path = put(tmp_path, "us.txt", CROSS_TABLE)
    officer.does("receive", path, status=1)
    told = " ".join(officer.sees("reports", "--state", "refused").split())
    assert "(us.txt)" in told
    assert "no day is known" in told
    given = ("--start", "2025-06-01", "--end", "2025-06-02", "--event", "Spring")
    assert officer.does("receive", path, *given)["reports"][0]["state"] == "checked"
    officer.sees("receive", path, "--end", "June", status=2)


def test_a_file_that_cannot_be_read_keeps_its_name(us, tmp_path):
    officer = Officer(us.folder)
    officer.does("receive", put(tmp_path, "odd.json", '{"ratingbook": '), status=1)
    (file,) = officer.does("reports", "--state", "refused")["files"]
    assert file["name"] == "odd.json"
    assert "(odd.json)" in officer.sees("reports", "--state", "refused")


def test_faults_of_a_file_are_told_and_it_is_no_event_for_others(standard, tina, tmp_path):
    backwards = night(tmp_path, "backwards.csv", start="2025-06-09")
    bad = night(tmp_path, "bad.csv", result="abc")
    good = night(tmp_path, "good.csv")
    found = taken(standard, tina, backwards, bad, good)
    assert [each.state for each in found] == ["refused", "refused", "checked"]
    assert not any("office.same-event" in codes(each) for each in found)
    listed = {each.file: each.state for each in reports.reports()}
    assert listed == {"backwards.csv": "refused", "bad.csv": "refused", "good.csv": "checked"}
    # Also not one by one.
    assert "office.same-event" in codes(taken(standard, tina, night(tmp_path, "more.csv"))[0])


def test_a_mended_file_of_an_event_that_is_here_is_asked_about(standard, tina, tmp_path):
    taken(standard, tina, night(tmp_path, "good.csv"))
    path = tmp_path / "theirs.csv"
    path.write_text(NIGHT.format(name="Theirs", start="2025-06-01", result="abc"))
    assert taken(standard, tina, path)[0].state == "refused"
    path.write_text(NIGHT.format(name="Theirs", start="2025-06-01", result="1-0"))
    (one,) = taken(standard, tina, path)
    assert codes(one) == ["office.same-event"]
    assert "report 1" in next(iter(one.findings)).message


def test_who_is_asked_about_the_event_finds_the_file_among_the_refused(standard, tina, tmp_path):
    taken(standard, tina, night(tmp_path, "good.csv"))
    path = night(tmp_path, "same.csv")
    for _ in range(2):
        assert codes(taken(standard, tina, path)[0]) == ["office.same-event"]
    (file,) = reports.refused_files()
    assert (file.name, file.reason) == ("same.csv", "office.same-event")
    assert m.Fact.objects.filter(kind="file refused").count() == 1
    # All bytes that are kept are those of a fact.
    kept = {each.parent.name + each.name for each in standard.files.glob("*/*")}
    assert kept == set(m.Evidence.objects.values_list("blob", flat=True))
    assert blobs.path_of(standard, file.sha256).exists()
    assert taken(standard, tina, path, another=True)[0].id == 2
    assert reports.refused_files() == []


def test_games_without_a_day_are_told(standard, tina, tmp_path):
    said = document()
    said["event"] = {"name": "Half Dated"}
    for at, game in enumerate(said["games"]):
        game["section"] = "a" if at % 2 else "b"
    said["sections"] = [
        {"name": "a", "start": "2026-01-10", "end": "2026-01-10"}, {"name": "b"},
    ]  # fmt: skip
    (one,) = taken(standard, tina, write(tmp_path, "half.json", said))
    assert one.sections == {"a": "checked", "b": "held"}
    receipt = receipts.receipt(1)
    assert (receipt.games, receipt.undated) == (7, 8)
    assert "8 further games have no day." in receipt.words()


def test_who_plays_elsewhere_on_the_same_days_is_told_by_event(standard, tina, tmp_path):
    taken(standard, tina, write(tmp_path, "open.json", document()))
    desk.link_new(1, tina)
    turned = document("Second Open")
    for game in turned["games"]:
        game["round"] += 20
    third = document("Third Open")
    for game in third["games"]:
        game["round"] += 40
    paths = [write(tmp_path, f"{n}.json", said) for n, said in enumerate((turned, third))]
    one, other = taken(standard, tina, *paths)
    (told,) = (each for each in one.findings if each.code == "office.two-events")
    assert told.count == 6
    assert "play in report 1 on the same days (6 in all): Alpha, Anna (person 1);" in told.message
    assert told.message.endswith("; and 1 more.")
    assert [each.code for each in other.findings].count("office.two-events") == 2


def test_many_who_wait_on_are_summed(standard, tina, tmp_path):
    taken(standard, tina, write(tmp_path, "open.json", document()))
    desk.link_new(1, tina)
    said = document("Second Open", "2026-02-10")
    for each in said["players"]:
        del each["ids"], each["birth_date"]
    taken(standard, tina, write(tmp_path, "second.json", said))
    made, (told,) = desk.link_new(2, tina)
    assert (made, told.code, told.count) == ([], "office.may-be-known", 6)
    assert "(6 in all): Alpha, Anna may be person 1, Alpha, Anna (score 100);" in told.message
    assert "`ratingbook office desk 2`" in told.remedy


def published(home, tina, path):
    from ratingbook.office.acts import runs

    taken(home, tina, path)
    desk.link_new(1, tina)
    made = runs.make(home, "standard", date(2025, 7, 1), tina).run
    runs.approve(made.id, tina)
    runs.publish(home, made.id, tina)


def test_a_version_of_a_published_report_that_says_the_same_is_taken(standard, tina, tmp_path):
    from ratingbook.office.acts import runs, states

    path = night(tmp_path, "good.csv")
    published(standard, tina, path)
    text = path.read_text("utf-8")
    path.write_text(text, "utf-16")
    (one,) = taken(standard, tina, path)
    assert (one.version, one.state, one.difference) == (2, "ready", ())
    assert "office.nothing-differs" in codes(one)
    old, new = m.Section.objects.order_by("id")
    assert states.states([old.id, new.id]) == {old.id: "superseded", new.id: "ready"}
    made = runs.make(standard, "standard", date(2025, 7, 1), tina).run
    assert made.digest == m.Run.objects.get(id=1).digest
    path.write_text(text.replace("1-0", "0-1"), "utf-8")
    (one,) = taken(standard, tina, path, version_of=1)
    # What is published was made of the same games, and stays until somebody lets it in.
    assert (one.version, one.state) == (3, "held")


def test_what_waits_for_an_officer_is_not_let_in_by_other_bytes(standard, tina, tmp_path):
    from ratingbook.office.acts import reports

    path = night(tmp_path, "good.csv")
    published(standard, tina, path)
    text = path.read_text("utf-8").replace("1-0", "0-1")
    path.write_text(text, "utf-8")
    (one,) = taken(standard, tina, path)
    assert (one.version, one.state) == (2, "held")
    path.write_text(text, "utf-16")
    (one,) = taken(standard, tina, path)
    assert (one.version, one.state) == (3, "held")
    assert "office.nothing-differs" not in codes(one)
    reports.put_aside("1", "release", "so it was", tina)
    path.write_text(text + "\n", "utf-8")
    (one,) = taken(standard, tina, path)
    assert (one.version, one.state) == (4, "ready"), "what was let in stays so"


def test_what_was_let_in_is_not_held_again_for_other_bytes(standard, tina, tmp_path):
    from ratingbook.office.acts import reports

    path = night(tmp_path, "blitz.csv")
    text = path.read_text("utf-8").replace("End;", "Time control;3 min + 2 s\nEnd;")
    path.write_text(text, "utf-8")
    (one,) = taken(standard, tina, path)
    assert (one.state, "office.other-pool" in codes(one)) == ("held", True)
    desk.link_new(1, tina)
    reports.put_aside("1", "release", "a slip", tina)
    path.write_text(text, "utf-16")
    (one,) = taken(standard, tina, path)
    assert (one.version, one.state) == (2, "ready")
    assert "office.nothing-differs" in codes(one)
    assert "office.other-pool" not in codes(one)


@pytest.mark.parametrize("officer", ["sqlite"], indirect=True)
def test_nobody_is_at_the_desk_for_what_is_refused(officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    said = document()
    said["games"][0]["black"] = said["games"][0]["white"]
    path = write(tmp_path, "bad.json", said)
    for is_new in (True, False):
        (told,) = officer.does("receive", path, status=1)["reports"]
        assert (told["new"], told["state"], told["waiting"]) == (is_new, "refused", 0)
    assert [each["waiting"] for each in officer.does("reports")["reports"]] == [0]
    assert officer.does("desk")["waiting"] == []


@pytest.mark.parametrize("officer", ["sqlite"], indirect=True)
def test_a_report_without_games_goes_by_the_name_of_its_event(officer, tmp_path):
    said = document("Spring Cup") | {"games": []}
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("receive", write(tmp_path, "announced.json", said))
    for which in ((), ("--state", "received")):
        (told,) = officer.does("reports", *which)["reports"]
        assert (told["state"], told["name"]) == ("received", "Spring Cup")
    pages = (Path(__file__).parents[2] / "docs" / "office.md").read_text("utf-8")
    assert "\n| received |" in pages


@pytest.mark.parametrize("officer", ["sqlite"], indirect=True)
def test_a_folder_that_is_received_is_named(officer, tmp_path, monkeypatch):
    (tmp_path / "club").mkdir()
    monkeypatch.chdir(tmp_path / "club")
    (told,) = officer.does("receive", ".", status=1)["reports"]
    assert told["file"] == "club"
    seen = officer.sees("receive", ".", status=1)
    assert "club: This is a folder, not a file." in seen
