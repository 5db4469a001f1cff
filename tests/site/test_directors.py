"""Directors: a report is sent, mended until it is clean, looked at, submitted, followed."""

from __future__ import annotations

import inspect
import io
import json
import re
import zipfile
from datetime import date
from math import floor

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from ratingbook.office.acts import (
    asking,
    corrections,
    desk,
    imports,
    published,
    receipts,
    receive,
    runs,
    setup,
    warnings,
)
from ratingbook.office.logic import doubts
from ratingbook.office.logic.matching import described
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site import access
from ratingbook.site.models import Draft
from ratingbook.site.opening import open_site
from ratingbook.site.shown import desk as shown_desk
from ratingbook.site.shown import directing
from tests.office import reports
from tests.office.officers import Officer
from tests.site.offices import STRANGERS, TINA, run_to
from tests.site.pages import as_read
from tests.site.people import by_token, carried, pressed, signed_in

NEW = "/my/events/new/"


def file_of(said, name="open.json") -> SimpleUploadedFile:
    data = said if isinstance(said, bytes) else json.dumps(said).encode()
    return SimpleUploadedFile(name, data)


def send(client, said, name="open.json", **more) -> str:
    """Upload a report; gives where the draft is."""
    answer = client.post(NEW, {"files": file_of(said, name), "pool": "club", **more})
    assert answer.status_code == 302, answer.content
    return str(answer["Location"])


def submit(client, draft: str, **more):
    return pressed(client, draft, f"{draft}submit/", **more)


def test_a_broken_file_is_mended_until_it_is_clean_and_nobody_else_sees_it(office):
    dora = signed_in("dora")
    facts = m.Fact.objects.count()
    said = reports.document("Fourth Open", "2026-03-28")
    said["games"][2]["result"] = "7-0"
    said["games"][4]["white"] = "nobody"
    draft = send(dora, said)
    page = dora.get(draft).content.decode()
    assert "problem 1 of 2" in page
    assert "games[2]" in page
    assert "disabled" in page
    assert "problem 2 of 2" in dora.get(f"{draft}?problem=2").content.decode()
    assert signed_in("dirk").get(draft).status_code == 404
    good = reports.document("Fourth Open", "2026-03-28")
    mended = pressed(dora, draft, f"{draft}file/", files=file_of(good))
    assert mended["Location"] == draft
    page = dora.get(draft).content.decode()
    assert "clean" in page
    assert "disabled" not in page
    assert m.Fact.objects.count() == facts, "nothing is in the ledger before it is submitted"


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"files": [SimpleUploadedFile(f"{n}.csv", b"x") for n in range(101)]}, "100 files"),
        ({f"x{n}": "1" for n in range(1001)}, "1000 fields"),
    ],
)
def test_a_form_that_is_too_large_to_be_read_says_of_what_it_has_too_much(office, sent, why):
    answer = signed_in("dora").post(NEW, sent)
    assert answer.status_code == 400
    assert why in answer.content.decode()


def test_a_file_whose_name_is_too_long_to_be_read_is_told_so(office):
    head = f'Content-Disposition: form-data; name="files"; filename="{"x" * 5000}.csv"'
    form = f"--x\r\n{head}\r\n\r\nx\r\n--x--\r\n".encode()
    answer = signed_in("dora").post(NEW, form, content_type="multipart/form-data; boundary=x")
    assert answer.status_code == 400
    assert "a short name" in answer.content.decode()


def test_files_that_are_no_report_together_are_told_so(office):
    two = [file_of(reports.document(name, "2026-03-28"), f"{name}.json") for name in ("a", "b")]
    answer = signed_in("dora").post(NEW, {"files": two, "pool": "club"})
    assert answer.status_code == 422
    assert "These 2 files are no report together." in answer.content.decode()


def test_the_preview_is_what_the_rule_book_gives_by_the_published_ratings(office):
    import ratingbook as rb

    dora = signed_in("dora")
    said = reports.document("Fourth Open", "2026-03-28", {("1", "2"): "1-0"})
    page = dora.get(send(dora, said)).content.decode()
    rows = re.findall(r'<th scope="row"><bdi>([^<]+)</bdi></th><td class="n">([^<]+)</td>'
                      r'<td class="n now">([^<]+)</td>', page)  # fmt: skip
    row = m.ListRow.objects.filter(list__pool__name="club")
    published = {each.printed["name"]: each.rating for each in row}
    assert {name: float(before) for name, before, _ in rows} == published
    for each in said["players"]:
        each["standing"] = {"rating": published[each["name"]], "games": 5}
    apart = rb.rate(reports.write(office.folder, "apart.json", said), "elo")
    last = {each["name"]: float(each["exact"]) for each in apart.players}
    shown = {name: float(after) for name, _, after in rows}
    assert shown.keys() == last.keys()
    # What is published is rounded, and the office goes on from the exact numbers.
    assert all(abs(shown[name] - last[name]) <= 1 for name in last)
    assert shown["Alpha, Anna"] > (published["Alpha, Anna"] or 0) + 5


def test_what_is_submitted_is_received_as_the_command_does_it(office):
    dora = signed_in("dora")
    draft = send(dora, reports.document("Fourth Open", "2026-03-28"))
    answer = submit(dora, draft)
    number = m.Report.objects.latest("id").id
    assert answer["Location"] == f"/my/reports/{number}/"
    fact = m.Fact.objects.get(seq=m.Report.objects.get(id=number).made_by)
    assert (fact.kind, fact.actor) == ("received", "dora")
    assert fact.origin.startswith("site ")
    page = dora.get(answer["Location"]).content.decode()
    assert f"receipt {number}-1-{fact.seq}" in page
    assert "Players known" in page


def test_to_submit_twice_makes_one_report(office):
    dora = signed_in("dora")
    draft = send(dora, reports.document("Fourth Open", "2026-03-28"))
    form = carried(dora.get(draft).content)
    count = m.Report.objects.count()
    first = dora.post(f"{draft}submit/", form)
    again = dora.post(f"{draft}submit/", form)
    assert again["Location"] == first["Location"]
    assert m.Report.objects.count() == count + 1


@pytest.mark.parametrize("act", ["submit", "people", "drop", "file", "typed"])
def test_what_is_done_to_a_draft_is_done_to_the_one_that_the_page_showed(office, act):
    dora = signed_in("dora")
    typed = {"name": "Evening", "end": "2026-03-29", "register": "national",
             "players": "Alpha, Anna; IRL; 701\nBravo, Ben; IRL; 702",
             "games": "1 1 2 1-0"}  # fmt: skip
    if act == "typed":
        draft = dora.post("/my/events/typed/", typed)["Location"]
        page = f"/my/events/typed/?draft={draft.split('/')[-2]}"
        path, other = page, pressed(dora, page, **{**typed, "name": "Morning"})
    else:
        page = path = draft = send(dora, reports.document("Fourth Open", "2026-03-28"))
        path = f"{draft}{act}/"
    shown = carried(dora.get(page).content)
    if act == "typed":
        other = pressed(dora, page, **{**typed, "name": "Noon"})
    else:
        mended = file_of(reports.document("Fifth Open", "2026-03-29"))
        other = pressed(dora, draft, f"{draft}file/", files=mended)
    assert other.status_code == 302
    kept, count = Draft.objects.latest("id"), m.Report.objects.count()
    said = {**typed, "who:1": "new", "files": file_of(b"x")} if act != "typed" else typed
    refused = dora.post(path, {**said, **shown})
    page = refused.content.decode()
    assert (refused.status_code, "The draft has changed meanwhile" in page) == (422, True)
    assert ("Fifth Open" in page) is (act != "typed"), "as it is now"
    now = Draft.objects.get(id=kept.id)
    assert (now.sha256, now.said, m.Report.objects.count()) == (kept.sha256, kept.said, count)
    again = dora.post(path, {**typed, "who:1": "new", **carried(page)})
    assert again.status_code == 302, "whoever has seen it goes on"


UNDATED = b"round,white,black,result\n1,Alpha Anna,Bravo Ben,1-0\n2,Bravo Ben,Alpha Anna,1/2\n"


@pytest.mark.parametrize("end", ["9999-12-31", "2300-10-03", "0001-01-01"])
def test_days_that_cannot_be_are_told_of_a_draft_which_can_be_mended_and_thrown_away(office, end):
    dora = signed_in("dora")
    draft = send(dora, UNDATED, "night.csv")
    assert pressed(dora, draft, f"{draft}file/", end=end).status_code == 302
    page = dora.get(draft).content.decode()
    assert "No event that is rated here was on" in page
    assert "Say the days, or mend the file" in page
    assert submit(dora, draft).status_code == 422
    pressed(dora, draft, f"{draft}file/", end="2026-03-29")
    assert "No event that is rated here" not in dora.get(draft).content.decode()
    pressed(dora, draft, f"{draft}file/", end=end)
    assert pressed(dora, draft, f"{draft}drop/")["Location"] == "/my/events/"


def test_a_draft_of_which_nothing_can_be_made_is_thrown_away_all_the_same(office, monkeypatch):
    dora = signed_in("dora")
    draft = send(dora, UNDATED, "night.csv")
    monkeypatch.setattr(directing, "_checked", None)
    with pytest.raises(TypeError):
        dora.get(draft)
    stale = dora.post(f"{draft}drop/", {"seen": "another"})
    assert (stale.status_code, Draft.objects.count()) == (422, 1)
    assert "The draft has changed meanwhile" in stale.content.decode()
    assert pressed(dora, "/my/events/", f"{draft}drop/")["Location"] == "/my/events/"
    assert not Draft.objects.exists()


def test_a_file_without_days_is_asked_for_them_which_are_kept_with_the_draft(office):
    dora = signed_in("dora")
    draft = send(dora, UNDATED, "night.csv")
    page = dora.get(draft).content.decode()
    assert "no day is known" in page
    assert "2 games" in page
    assert "Say the last day of the event" in page
    assert "Say the days, or mend the file" in page
    assert 'name="end"' in page
    assert "disabled" in page
    assert "What it would give" not in page
    assert submit(dora, draft).status_code == 422
    wrong = pressed(dora, draft, f"{draft}file/", start="2026-03-30", end="2026-03-29")
    assert "would begin on" in dora.get(wrong["Location"]).content.decode()
    assert pressed(dora, draft, f"{draft}file/", end="29.3.").status_code == 422
    pressed(dora, draft, f"{draft}file/", start="2026-03-28", end="2026-03-29")
    page = dora.get(draft).content.decode()
    assert "28 Mar 2026 – 29 Mar 2026" in page
    assert 'value="2026-03-29"' in page
    assert "disabled" not in page
    assert "What it would give" in page
    assert submit(dora, draft).status_code == 302
    section = m.Section.objects.latest("id")
    assert (section.start, section.end) == (date(2026, 3, 28), date(2026, 3, 29))


def test_days_that_the_file_says_itself_are_no_longer_said_beside_it(office):
    dora = signed_in("dora")
    draft = send(dora, UNDATED, "night.csv")
    pressed(dora, draft, f"{draft}file/", end="2026-03-29")
    dated = file_of(reports.document("Fourth Open", "2026-03-28"))
    pressed(dora, draft, f"{draft}file/", end="2026-03-29", files=dated)
    page = dora.get(draft).content.decode()
    assert "The file says 28 Mar 2026, and beside it 29 Mar 2026 is said." in page
    assert "Leave the days empty" in page
    assert "--" not in page.partition("<main")[2].partition("</main>")[0]
    pressed(dora, draft, f"{draft}file/", start="", end="")
    page = dora.get(draft).content.decode()
    assert ("clean" in page, 'name="end"' in page) == (True, False)


def test_an_event_that_is_typed_in_has_a_last_day_and_leads_back_to_its_form(office):
    dora = signed_in("dora")
    form = {
        "name": "Evening", "end": "", "register": "national",
        "players": "Alpha, Anna; IRL; 701\nBravo, Ben; IRL; 702", "games": "1 1 2 1-0",
    }  # fmt: skip
    refused = dora.post("/my/events/typed/", form)
    assert refused.status_code == 422
    assert "The event has no last day." in refused.content.decode()
    made = dora.post("/my/events/typed/", {**form, "end": "2026-03-29"})
    page = dora.get(made["Location"]).content.decode()
    assert "typed in" in page
    assert "Change what was typed in" in page
    for word in ("typed.json", "Mend the file", "read as"):
        assert word not in page, word


def test_a_changed_file_shows_its_difference_in_words(office):
    dora = signed_in("dora")
    changed = reports.document("First Open", "2026-01-10", {("1", "2"): "0-1", ("3", "4"): "0-1"})
    draft = send(dora, changed)
    page = dora.get(draft).content.decode()
    assert "What differs from report 1" in page
    assert "result is 0–1, was 1–0" in as_read(page)
    done = submit(dora, draft)
    assert done["Location"] == "/my/reports/1/"
    page = dora.get("/my/reports/1/").content.decode()
    assert "held" in page
    assert "an officer looks at what differs" in page


def test_nobody_replaces_the_report_of_somebody_else(office):
    dirk = signed_in("dirk")
    changed = reports.document("First Open", "2026-01-10", {("1", "2"): "0-1"})
    draft = send(dirk, changed)
    assert "What differs" not in dirk.get(draft).content.decode()
    answer = submit(dirk, draft)
    assert answer.status_code == 422
    assert b"somebody else sent it" in answer.content
    assert dirk.post(NEW, {"files": file_of(changed), "of": "1"}).status_code == 422
    assert m.ReportVersion.objects.filter(report=1).count() == 1


@pytest.mark.parametrize("what", ["same bytes", "a copy", "the same event"])
def test_what_somebody_else_sent_is_told_plainly_and_the_office_can_be_told(office, what):
    dora, dirk, olga = signed_in("dora"), signed_in("dirk"), signed_in("olga")
    said = reports.document("Fourth Open", "2026-03-28")
    submit(dora, send(dora, said))
    if what == "a copy":
        said["event"]["name"] = "Opened Fourth"
    elif what == "the same event":
        said["event"]["time_control"] = "G/90"
    draft, count = send(dirk, said), m.ReportVersion.objects.count()
    facts = m.Fact.objects.count()
    before = dirk.get(draft).content.decode()
    assert "omebody else" in before, "it is told before it is sent"
    assert ">clean<" not in before
    assert "What it would give" not in before
    assert ("It is another event" in before) is (what == "a copy")
    assert ("disabled" in before) is (what != "a copy")
    assert 'name="word"' in before
    assert m.Fact.objects.count() == facts, "nothing is written by looking"
    refused = submit(dirk, draft)
    page = refused.content.decode()
    assert refused.status_code == 422
    assert "omebody else" in page
    assert "report 4" in page or "Report 4" in page
    assert "The office has it: report" not in page
    assert ("It is another event" in page) is (what == "a copy")
    assert "send it as a new version" not in page
    assert Draft.objects.filter(actor="dirk", report__isnull=True).exists()
    assert submit(dirk, draft, tell="yes", word=" ").status_code == 422
    done = submit(dirk, draft, tell="yes", word="I led this event myself.")
    assert done["Location"] == "/my/events/"
    assert "The office is told" in dirk.get(done["Location"]).content.decode()
    desk_page = olga.get("/desk/?state=refused").content.decode()
    assert "I led this event myself." in desk_page
    assert "open.json" in desk_page
    assert m.ReportVersion.objects.count() == count
    answer = by_token("dirk").post("/api/v1/reports", {"files": file_of(said), "pool": "club"})
    assert answer.status_code == 422, "a program is told the same"
    assert dora.get("/my/reports/4/").status_code == 200


def test_directors_see_their_own_events_only(office):
    dora, dirk = signed_in("dora"), signed_in("dirk")
    assert b"Third Open" not in dora.get("/my/events/").content
    assert b"Third Open" in dirk.get("/my/events/").content
    for path in ("/my/reports/3/", "/my/reports/3/correct/"):
        assert (dora.get(path).status_code, dirk.get(path).status_code) == (404, 200)


def test_the_same_event_under_another_name_is_told_and_may_be_another(office):
    dora = signed_in("dora")
    said = reports.document("Opened First", "2026-01-10", {("1", "2"): "1-0", ("3", "4"): "0-1"})
    draft = send(dora, said)
    page = dora.get(draft).content
    assert b"of the pairings are those of report 1" in page, "it is told before it is sent"
    assert b">clean<" not in page
    refused = submit(dora, draft)
    assert refused.status_code == 422
    assert b"of the pairings are those of report 1" in refused.content
    assert b"--another" not in refused.content
    assert submit(dora, draft, another="yes").status_code == 302


def test_of_whom_the_office_is_not_certain_the_sender_may_say_who(office):
    dora = signed_in("dora")
    players = {"1": ("Alfa, Ana", "w", "", ""), "2": ("Bravo, Ben", "m", "1985-03-07", "702")}
    said = reports.document("Fourth Open", "2026-03-28", None, players)
    for each in said["players"]:
        each.pop("birth_date")
    draft = send(dora, said)
    page = dora.get(draft).content.decode()
    assert "Alpha, Anna · 1 · IRL" in page
    assert "1990" not in page, "birth years are no director's business"
    pressed(dora, draft, f"{draft}people/", **{"who:1": "1", "who:2": "<script>"})
    assert '<option value="1" selected>' in dora.get(draft).content.decode()


def test_what_the_sender_says_of_somebody_goes_with_the_player_of_a_mended_file(office):
    """The numbers of the first file are those of others in the second."""
    dora = signed_in("dora")
    unsure = {"1": ("Alfa, Ana", "w", "", ""), "2": ("Golf, Gus", "m", "", "")}
    said = reports.document("Fourth Open", "2026-03-28", None, unsure)
    for each in said["players"]:
        del each["birth_date"], each["ids"]
    draft = send(dora, said)
    pressed(dora, draft, f"{draft}people/", **{"who:1": "1", "who:2": "new"})
    number = {"1": "2", "2": "1"}
    for each in said["players"]:
        each["id"] = number[each["id"]]
    for each in said["games"]:
        each["white"], each["black"] = number[each["white"]], number[each["black"]]
    pressed(dora, draft, f"{draft}file/", files=file_of(said))
    one = Draft.objects.get(report__isnull=True, actor="dora")
    asked = {each.name: each.said for each in directing.check(office, one).questions}
    assert asked == {"Alfa, Ana": "1", "Golf, Gus": "new"}
    pressed(dora, draft, f"{draft}submit/")
    report = m.Report.objects.latest("id").id
    told = {x.name: x.sender_says for n in m.Entry.objects.filter(version__report=report)
            if (x := shown_desk.question(report, n.id))}  # fmt: skip
    assert told == {"Alfa, Ana": "1", "Golf, Gus": "new"}


def without_pool(office, name="Fourth Open") -> tuple[int, dict[str, object]]:
    """A report that came by the API without a pool, of which there are two: it is held."""
    setup.add_pool("rapid", "elo", TINA, policies={"assume": "1500"})
    said = reports.document(name, "2026-03-28")
    sent = by_token("dora").post("/api/v1/reports", {"files": file_of(said)})
    assert (sent.status_code, sent.json()["state"]) == (201, "held")
    return sent.json()["id"], said


def test_what_is_mistyped_in_a_form_is_told_and_nothing_is_sent(office):
    before = m.ReportVersion.objects.count()
    api, said = by_token("dora"), reports.document("Fifth Open", "2026-03-28")
    refused = api.post("/api/v1/reports", {"files": file_of(said), "version-of": "2"})
    assert refused.status_code == 422
    assert refused.json()["findings"][0]["where"] == {"path": "form.version-of"}
    assert "version_of" in refused.json()["detail"]
    refused = api.post("/api/v1/reports?version_of=2", {"files": file_of(said)})
    assert refused.json()["findings"][0]["where"] == {"path": "query.version_of"}
    assert m.ReportVersion.objects.count() == before


def test_an_answer_leads_nowhere_that_nobody_may_look(office):
    said = reports.document("Sixth Open", "2026-03-28")
    sent = by_token("dora").post("/api/v1/reports", {"files": file_of(said)})
    assert by_token("dora").get(sent["Location"]).status_code == 200
    again = by_token("dirk").post("/api/v1/reports", {"files": file_of(said)})
    assert (again.status_code, "Location" in again) == (422, False)


@pytest.mark.parametrize("by", ["page", "api", "new version"])
def test_the_file_sent_again_with_the_pool_takes_the_place_of_what_is_held(office, by):
    number, said = without_pool(office)
    dora = signed_in("dora")
    assert "no pool is named" in dora.get(f"/my/reports/{number}/").content.decode()
    if by == "api":
        sent = by_token("dora").post(
            "/api/v1/reports", {"files": file_of(said), "pool": "rapid", "version_of": number}
        )
        assert (sent.status_code, sent.json()["state"]) == (201, "ready")
    else:
        of = {"of": str(number)} if by == "new version" else {}
        draft = send(dora, said, pool="rapid", **of)
        assert "The office has this very file" not in dora.get(draft).content.decode()
        assert submit(dora, draft)["Location"] == f"/my/reports/{number}/"
    page = dora.get(f"/my/reports/{number}/").content.decode()
    assert "Ready for a run" in page or "ready" in page
    assert "no pool is named" not in page
    notes = by_token("dora").get(f"/api/v1/reports/{number}").json()["notes"]
    assert "office.no-pool-named" not in [each["code"] for each in notes]
    assert m.ReportVersion.objects.filter(report=number).count() == 2
    review = signed_in("olga").get(f"/desk/reports/{number}/").content.decode()
    assert "<li>rapid</li>" in review


def test_what_is_to_be_mended_first_is_not_submitted(office):
    setup.add_pool("rapid", "elo", TINA)
    dora = signed_in("dora")
    draft = send(dora, reports.document("Fourth Open", "2026-03-28"), pool="")
    page = dora.get(draft).content.decode()
    assert "First choose the pool." in page
    count = m.Report.objects.count()
    refused = submit(dora, draft)
    assert refused.status_code == 422
    assert "Choose the pool, and check the file again." in refused.content.decode()
    broken = reports.document("Fifth Open", "2026-03-29")
    broken["games"][2]["result"] = "7-0"
    draft = send(dora, broken)
    assert "First mend what is wrong." in dora.get(draft).content.decode()
    assert submit(dora, draft).status_code == 422
    assert m.Report.objects.count() == count
    named = send(dora, reports.document("Sixth", "2026-03-30", pool="rapid"), pool="")
    assert submit(dora, named).status_code == 302, "the file names its pool"


def test_no_pool_is_asked_for_where_the_rules_of_one_alone_count_the_event(office):
    setup.add_pool("fast", "fide-2024", TINA, parameters={"pool": "blitz"})
    said = reports.document("Seventh Open", "2026-03-30")
    said["event"]["time_control"] = "3 min + 2 s"
    dora = signed_in("dora")
    draft = send(dora, said, pool="")
    assert "First choose the pool." not in dora.get(draft).content.decode()
    assert submit(dora, draft).status_code == 302
    assert m.Section.objects.latest("id").pool == m.Pool.objects.get(name="fast").id


def test_a_new_version_is_of_the_pool_of_the_one_before(office):
    setup.add_pool("rapid", "elo", TINA)
    dora = signed_in("dora")
    assert "<option selected>club</option>" in dora.get(f"{NEW}?of=1").content.decode()
    changed = reports.document("First Open", "2026-01-10", {("1", "2"): "0-1"})
    for more in ({"of": "1"}, {}):
        changed["event"]["place"] = "Nowhere"
        draft = send(dora, changed, pool="", **more)
        assert "will be held" in dora.get(draft).content.decode()
    assert submit(dora, draft)["Location"] == "/my/reports/1/"
    club = m.Pool.objects.get(name="club")
    assert m.Section.objects.latest("id").pool == club.id


def test_that_a_version_is_held_is_told_no_longer_once_it_is_let_in(office):
    dora, olga = signed_in("dora"), signed_in("olga")
    changed = reports.document("First Open", "2026-01-10", {("1", "2"): "0-1"})
    submit(dora, send(dora, changed))
    shown = {
        "/my/reports/1/": dora, "/desk/reports/1/": olga, "/api/v1/reports/1": by_token("dora")
    }  # fmt: skip
    held = "The new version is held"
    assert all(held in who.get(path).content.decode() for path, who in shown.items())
    assert held in " ".join(receipts.receipt(1).words())
    form = {"act": "release", "reason": "the sheet says so"}
    assert pressed(olga, "/desk/reports/1/", **form).status_code == 302
    for _ in range(2):
        assert not any(held in who.get(path).content.decode() for path, who in shown.items())
        assert held not in " ".join(receipts.receipt(1).words())
        run_to(office, date(2026, 4, 2))


def test_a_small_event_is_typed_in(office):
    dora = signed_in("dora")
    form = {
        "name": "Evening", "end": "2026-03-29", "register": "national",
        "players": "Alpha, Anna; IRL; 701\nBravo, Ben; IRL; 702", "games": "1 1 2 1-0\n2 2 1 ½",
    }  # fmt: skip
    answer = dora.post("/my/events/typed/", form)
    page = dora.get(answer["Location"]).content.decode()
    assert "2 players" in page
    assert "clean" in page
    for odd in ("² 1 2 1-0", "1 ² 2 1-0", f"1 1 {'9' * 30} 1-0"):
        assert dora.post("/my/events/typed/", {**form, "games": odd}).status_code == 422
    wrong = dora.post("/my/events/typed/", {**form, "games": "1 1 2 1-0\nfoo\n1 1 9 1-0"})
    assert wrong.status_code == 422
    text = wrong.content.decode()
    assert "line 2 is" in text
    assert "line 3 names no two players" in text
    assert "Alpha, Anna; IRL; 701" in text, "what was typed is not lost"


@pytest.mark.parametrize(
    ("typed", "result", "status"),
    [
        ("0:1", "0-1", "played"), ("draw", "1/2-1/2", "played"), ("1 – 0", "1-0", "played"),
        ("½ : ½", "1/2-1/2", "played"), ("+/-", "1-0", "forfeit"), ("+--", "1-0", "forfeit"),
        ("1F-0F", "1-0", "forfeit"), ("+:-", "1-0", "forfeit"), ("-:+", "0-1", "forfeit"),
        ("0-0", "*", "forfeit"), ("*", "*", "played"), ("1", "1-0", "played"),
    ],
)  # fmt: skip
def test_results_are_typed_in_as_people_write_them(office, typed, result, status):
    from ratingbook.site.shown import typed as form_of

    form = {
        "name": "Evening", "end": "2026-03-29", "register": "national",
        "players": "Alpha, Anna\nBravo, Ben\nCharlie, Chris",
        "games": f"1 1 2 {typed}\n2 1 3 1-0",
    }  # fmt: skip
    game = json.loads(form_of.typed(form, form_of.asked_by("club")))["games"][0]
    assert (game["result"], game["status"]) == (result, status)
    dora = signed_in("dora")
    draft = dora.post("/my/events/typed/", form)["Location"]
    page = dora.get(draft).content.decode()
    assert "disabled" not in page
    one = Draft.objects.latest("id")
    again = form_of.as_typed(office, one)
    assert again["games"].splitlines()[0].startswith("1 1 2 ")
    reread = form_of.typed({**form, "games": again["games"]}, form_of.asked_by("club"))
    assert reread == form_of.typed(form, form_of.asked_by("club"))
    row = r"<bdi>Alpha, Anna</bdi>.*?<td class=\"n opt\">(\d+)</td>"
    count = re.search(row, page, re.S)
    assert count
    assert count[1] == ("1" if status == "forfeit" or result == "*" else "2"), "what is rated"


@pytest.mark.parametrize("line", ["1;1;2;1-0", "1; 1; 2; 1 - 0", "1,1,2,1-0", "1, 1 ;2 1-0"])
def test_games_are_typed_in_with_the_separators_of_players_too(office, line):
    from ratingbook.site.shown import typed as form_of

    form = {"end": "2026-03-29", "register": "national", "games": line,
            "players": "Alpha, Anna\nBravo, Ben"}  # fmt: skip
    [game] = json.loads(form_of.typed(form, form_of.Asked()))["games"]
    assert (game["round"], game["white"], game["black"]) == (1, "1", "2")
    assert game["result"] == "1-0"


@pytest.mark.parametrize(
    "line", ["1, 1, 2, 1-0, 3", "1 1 2 1-0 3", "1;1;2;1-0;3", "1;1;2;1-0; 3;", "1, 1, 2, 1 : 0, 3"]
)
def test_stones_stand_behind_the_same_signs_as_all_else(line):
    from ratingbook.site.shown import typed as form_of

    form = {"end": "2026-03-29", "register": "national", "games": line,
            "players": "Alpha, Anna\nBravo, Ben"}  # fmt: skip
    [game] = json.loads(form_of.typed(form, form_of.Asked(stones=("go",))))["games"]
    assert (game["result"], game["handicap"]) == ("1-0", 3)


def test_all_that_is_wrong_with_a_typed_event_is_told_at_once(office):
    form = {
        "name": "", "start": "2026-03-30", "end": "2026-03-29", "register": "national",
        "players": "Alpha, Anna; IRL; 701\nBravo, Ben; IRL; 701\n;;;;x",
        "games": "x 1 2 1-0\n1 1 9 1-0\n1 1 2 2-0", "level": "strong",
    }  # fmt: skip
    refused = signed_in("dora").post("/my/events/typed/", form)
    assert refused.status_code == 422
    page = refused.content.decode()
    for said in ("has no name", "before it starts", "line 3 is", "lines 1, 2 have 701",
                 "line 1 is", "line 2 names no two players", "The level is no rating"):  # fmt: skip
        assert said in page, said
    empty = signed_in("dora").post("/my/events/typed/", {"register": "national"})
    assert "has no name" in empty.content.decode()
    assert "has no last day" in empty.content.decode()


def test_who_has_no_game_need_not_be_known_and_is_not_counted(office):
    dora = signed_in("dora")
    form = {"name": "Evening", "end": "2026-03-29", "register": "national",
            "players": "New, Nora\nOther, Otto\nThird, Tom", "games": "1 1 2 1-0"}  # fmt: skip
    page = dora.get(dora.post("/my/events/typed/", form)["Location"]).content.decode()
    assert "0 of 2 players who have a game are taken for who they are" in page
    assert page.count("Somebody new") == 2


@pytest.mark.parametrize("register", ["national", "fide"])
def test_two_lines_with_one_number_are_no_two_players(office, register):
    form = {
        "name": "Evening", "end": "2026-03-29", "register": register, "games": "1 1 3 1-0",
        "players": "Alpha, Anna; IRL; 701\nBravo, Ben; IRL; 702\nOther, Anna;; 701",
    }  # fmt: skip
    refused = signed_in("dora").post("/my/events/typed/", form)
    assert refused.status_code == 422
    assert "lines 1, 3 have 701" in refused.content.decode()


def test_what_is_no_result_is_told_with_those_that_are(office):
    dora = signed_in("dora")
    form = {"name": "Evening", "end": "2026-03-29", "register": "national",
            "players": "Alpha, Anna\nBravo, Ben", "games": "1 1 2 7-0"}  # fmt: skip
    for odd in ("7-0", "+", "2 Jan", ""):
        page = dora.post("/my/events/typed/", {**form, "games": f"1 1 2 {odd}"})
        assert page.status_code == 422, odd
        for each in ("½-½", "+--", "--+", "0-0"):
            assert each in page.content.decode().partition('role="alert"')[2].partition("</div>")[0]


def test_namesakes_of_an_event_are_told_apart_where_a_game_is_chosen(office, tmp_path):
    players = {**STRANGERS, "2": (STRANGERS["1"][0], "m", "1985-03-07", "")}
    path = reports.write(tmp_path, "twins.json", reports.document(players=players))
    sent = receive.receive(office, path, Who("dora"), receive.Options(pool="club", another=True))
    page = signed_in("dora").get(f"/my/reports/{sent.id}/correct/").content.decode()
    assert "Alfa, Ana (1) – Alfa, Ana (2)</option>" in page
    assert "Alfa, Ana (1) – Golf, Gerda</option>" in page


def test_a_correction_is_asked_for_and_followed(office):
    dora = signed_in("dora")
    page = dora.get("/my/reports/1/correct/").content
    form = {"game": "1", "result": "0-1", "reason": "typed the wrong way", **carried(page)}
    assert dora.post("/my/reports/1/correct/", {**form, "reason": ""}).status_code == 422
    assert dora.post("/my/reports/1/correct/", form).status_code == 302
    assert m.Correction.objects.count() == 1
    dora.post("/my/reports/1/correct/", form)
    assert m.Correction.objects.count() == 1, "a form counts once"
    told = as_read(dora.get("/my/reports/1/").content.decode())
    assert 'Correction <a href="/corrections/1">1</a> is asked for; it is open.' in told
    assert "0–1 instead of 1–0" in told
    as_it_is = dora.post("/my/reports/1/correct/", {**form, "result": "1-0", "mark": "other"})
    assert as_it_is.status_code == 422


def test_a_file_name_has_its_quotation_marks(office):
    """Browsers write them as %22 in what they send."""
    dora = signed_in("dora")
    draft = send(dora, reports.document("Fourth Open", "2026-03-28"), "The %22Open%22.json")
    page = dora.get(draft).content.decode()
    assert "The &quot;Open&quot;.json" in page
    assert "%22" not in page


def test_large_files_and_none_are_refused(office, monkeypatch):
    from ratingbook.site import uploads

    dora = signed_in("dora")
    assert b"No file was chosen" in dora.post(NEW, {}).content
    monkeypatch.setattr(uploads, "MOST_BYTES", 2000)
    assert dora.post(NEW, {"files": file_of(b"x" * 3000)}).status_code == 422
    monkeypatch.setattr(access, "MOST_BYTES", 5000)
    answer = dora.post(NEW, {"files": file_of(b"x" * 6000)})
    assert (answer.status_code, b"too large" in answer.content) == (413, True)


def test_a_draft_whose_file_is_gone_says_so_and_can_be_thrown_away(office):
    dora = signed_in("dora")
    draft = send(dora, reports.document("Fifth Open", "2026-03-30"))
    one = Draft.objects.get(report__isnull=True)
    blobs.path_of(office, one.sha256).unlink()
    answer = dora.get(draft)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "cannot be read" in page
    assert "disabled" in page
    assert "Throw the draft away" in page
    assert submit(dora, draft).status_code == 422
    assert pressed(dora, draft, f"{draft}drop/")["Location"] == "/my/events/"
    assert not Draft.objects.filter(id=one.id).exists()


def test_a_draft_is_as_its_sender_wrote_it_and_the_office_is_told_whom_it_names(office):
    dora = signed_in("dora")
    said = reports.document("Fifth Open", "2026-03-30", players=STRANGERS)
    said["players"][0] |= {"name": "Alpha, Anna", "ids": {}}
    drafts = [send(dora, said)]
    drafts.append(send(dora, reports.document("Sixth Open", "2026-04-05"), "sixth.json"))
    without = {key: reports.PLAYERS[key] for key in ("2", "3")}
    drafts.append(send(dora, b"Dear office, Anna Alpha asks ...", "letter.txt"))
    drafts.append(send(dora, reports.document("Seventh", "2026-04-06", players=without), "7.json"))
    assert "Alpha, Anna" in dora.get(drafts[0]).content.decode()
    told = Officer(office.folder).does(
        "person", "suppress", 1, "--reason", "asked for it", "--as", "tina"
    )
    (found,) = (x for x in told["findings"] if x["code"] == "office.drafts-name-person")
    numbers = [each.strip("/").rpartition("/")[2] for each in drafts]
    assert found["message"].endswith(f"name the person: {', '.join(numbers[:3])}.")
    open_site(office.folder)
    assert "Alpha, Anna" in dora.get(drafts[0]).content.decode()
    for draft in drafts:
        assert "Player 1" not in dora.get(draft).content.decode()


def test_a_draft_that_unpacks_to_more_than_is_read_is_not_searched(office):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(10):
            archive.writestr(f"{n}.txt", bytes(10 << 20))
    draft = send(signed_in("dora"), packed.getvalue(), "large.zip")
    page = signed_in("tina").get("/desk/people/1/suppress/").content.decode()
    assert "1 draft of a director that was not searched for the name" in page
    told = Officer(office.folder).does(
        "person", "suppress", 1, "--reason", "asked for it", "--as", "tina"
    )
    (found,) = (x for x in told["findings"] if x["code"] == "office.drafts-not-searched")
    assert found["message"].endswith(f": {draft.strip('/').rpartition('/')[2]}.")


def test_the_page_of_an_event_has_the_name_that_its_games_give(office):
    table = "Round,White,Black,Result,Event,Date\n1,Golf,Hotel,1-0,Club Night,2026-03-30\n"
    dora = signed_in("dora")
    submit(dora, send(dora, table.encode(), "club-2026-03.csv"))
    desk.link_new(4, TINA)
    run_to(office, date(2026, 4, 2))
    assert dora.get("/events/4.json").json()["name"] == "Club Night"


@pytest.mark.parametrize(
    "name", ["../../x.json", "a\\b\\..\\c.json", "x" * 300 + ".json", '<b>&".json']
)
def test_names_of_files_lead_nowhere(office, name):
    dora = signed_in("dora")
    draft = send(dora, reports.document("Fifth Open", "2026-03-30"), name)
    page = dora.get(draft).content.decode()
    assert "<b>&" not in page
    assert "clean" in page


@pytest.mark.parametrize("path", ["/my/events/", "/my/reports/2/", "/my/events/new/"])
def test_pages_ask_little_of_the_database(office, path):
    dora = signed_in("dora")
    dora.get(path)
    with CaptureQueriesContext(connection) as asked:
        page = dora.get(path)
    # Who reads takes three of them.
    assert len(asked) <= 24, [each["sql"][:90] for each in asked]
    assert len(page.content) < 150_000


def test_what_was_typed_in_is_typed_on(office):
    dora = signed_in("dora")
    said = {
        "name": "Club Night", "end": "2026-03-30", "register": "national", "pool": "club",
        "players": "Alpha, Anna; IRL; 701\nBravo, Ben", "games": "1 1 2 1-0",
    }  # fmt: skip
    draft = dora.post("/my/events/typed/", said)["Location"]
    page = dora.get(draft).content.decode()
    back = re.search(r'href="(/my/events/typed/\?draft=\d+)"', page)
    assert back
    form = dora.get(back[1]).content.decode()
    for text in ("Club Night", "Alpha, Anna; IRL; 701\nBravo, Ben", "1 1 2 1-0", "2026-03-30"):
        assert text in form, text
    assert '<option value="national" selected' in form
    count = Draft.objects.count()
    again = pressed(dora, back[1], **{**said, "games": "1 1 2 0-1"})
    assert (again["Location"], Draft.objects.count()) == (draft, count)
    assert "1 1 2 0-1" in dora.get(back[1]).content.decode()
    assert signed_in("dirk").get(back[1]).status_code == 404


def test_a_file_that_the_office_has_is_said_to_be_there_and_drafts_go_by_their_events(office):
    dora = signed_in("dora")
    said = reports.document("Fourth Open", "2026-03-28")
    draft = send(dora, said)
    page = dora.get("/my/events/").content.decode()
    assert f'<a href="{draft}"><bdi>Fourth Open</bdi></a>' in page
    assert "open.json" in page
    assert "28 Mar 2026 –" not in dora.get(draft).content.decode(), "one day is one day"
    done = submit(dora, draft)["Location"]
    page = dora.get(done).content.decode()
    said_first = page[page.index('role="status"') :]
    assert said_first.startswith('role="status">The office has it: report 4, version 1.')
    again = dora.get(send(dora, said)).content.decode()
    assert "The office has this very file" in again
    assert f'href="{done}"' in again
    dirk = signed_in("dirk")
    of_others = dirk.get(send(dirk, said)).content.decode()
    assert f'href="{done}"' not in of_others, "what others sent is their own"


def test_places_of_findings_have_one_order():
    from ratingbook.site.shown.words import _told

    said = {"code": "x", "severity": "error", "message": "Wrong."}
    kept = {**said, "where": {"column": 5, "line": 7}}
    assert _told(kept, {}).where == "line 7, column 5"


def test_no_sender_learns_from_a_report_what_the_office_knows_of_persons(office):
    """Whoever chose the day of a report would read from an age when somebody was born."""
    people = {
        "1": ("Alpha, Anna", "m", "1991-02-02", "701"), "2": ("Bravo, Ben", "m", "", "702"),
        "3": ("Charlie, Chris", "m", "", "730"),
    }  # fmt: skip
    said = reports.document("Jubilee Under 900", "1850-03-28", players=people)
    for each in said["players"][1:]:
        del each["birth_date"]
    said["players"][0]["standing"] = {"rating": 2900, "games": 9}
    for each in said["games"]:
        each["section"] = "Under 900"
    dora = signed_in("dora")
    done = submit(dora, send(dora, said))["Location"]
    kept = {each["code"] for each in m.ReportVersion.objects.latest("id").findings}
    assert {f"office.{x}" for x in (
        "age", "birth-year", "sex", "rating-gap", "entry-class", "transposed-digits",
    )} <= kept  # fmt: skip
    number = done.split("/")[-2]
    api = by_token("dora")
    again = {**said, "event": {**said["event"], "name": "Other", "place": "Elsewhere"}}
    sent = api.post("/api/v1/reports", {"files": file_of(again), "pool": "club", "another": "true"})
    assert sent.status_code == 201, sent.content
    receipt = " ".join(receipts.receipt(int(number)).words())
    for shown in (
        dora.get(done).content.decode(), api.get(f"/api/v1/reports/{number}").content.decode(),
        sent.content.decode(), receipt,
    ):  # fmt: skip
        for word in (
            "-135", "−135", "nobody plays", "birth year", "list in force", "the office knows",
            "may be 703", "same days",
        ):  # fmt: skip
            assert word not in shown, word
    review = signed_in("olga").get(f"/desk/reports/{number}/").content.decode()
    assert "nobody plays at the age of -135" in review


def test_findings_that_rest_on_persons_are_known_by_their_codes():
    """Whoever adds a doubt about persons says here and there that it is for officers."""
    entry = described("x", birth_year=1990, sex="m", rating=2500.0)
    known = described("x", birth_year=1800, sex="w", rating=1500.0)
    said = [*doubts.doubts(entry, known, 2500, {"Under 1400": "Under 1400"})]
    assert len(said) == 5
    assert {code for code, _ in said} <= doubts.FOR_OFFICERS
    source = inspect.getsource(warnings)
    codes = set(re.findall(r'"(office\.[\w-]+)"', source))
    assert codes - doubts.FOR_OFFICERS == {"office.check-digit"}


def test_what_looks_arranged_is_told_to_officers_and_to_no_sender(office):
    dora = signed_in("dora")
    said = reports.document("Other Open", "2026-01-10", place="Elsewhere")
    done = submit(dora, send(dora, said), another="yes")["Location"]
    number = done.split("/")[-2]
    assert "two places" not in dora.get(done).content.decode()
    review = signed_in("olga").get(f"/desk/reports/{number}/").content.decode()
    assert "two places: Alpha, Anna (1): games on 10 Jan 2026 in Elsewhere and in Nowhere" in review


def test_the_preview_takes_who_comes_in_with_nothing_any_more(office):
    setup.add_pool("fide", "fide-2024", TINA)
    path = office.folder / "opening.csv"
    path.write_text("id,rating,games\n701,1900,40\n702,1800,40\n")
    imports.import_file(office, path, "national", TINA, "fide")
    (person,) = m.ExternalId.objects.filter(scheme="national", value="701").values_list(
        "person", flat=True
    )
    asked = corrections.ask(office, [asking.opening("fide", {person: None})], "a slip", TINA)
    corrections.accept(office, asked.id, TINA)
    dora = signed_in("dora")
    answer = dora.get(send(dora, reports.document("Fide 1", "2026-03-01"), pool="fide"))
    assert answer.status_code == 200


def with_openings(office, pool: str) -> None:
    """The players of reports come into a pool with ratings of their own."""
    rows = [
        f"{number},{1400 + 100 * int(key)},40,{born}"
        for key, (_, _, born, number) in reports.PLAYERS.items()
    ]
    path = office.folder / "opening.csv"
    path.write_text("\n".join(["id,rating,games,birth_date", *rows]) + "\n")
    imports.import_file(office, path, "national", TINA, pool)


@pytest.mark.parametrize("is_published", [False, True])
def test_the_preview_knows_of_players_what_the_run_knows(office, is_published):
    """What a report prints of ratings counts for nothing: whom the office does not know is new."""
    setup.add_pool("fide", "fide-2024", TINA)
    with_openings(office, "fide")

    def rated(until: date) -> dict[int, tuple[float | None, float | None]]:
        run = run_to(office, until, "fide")
        rows = m.Change.objects.filter(run=run).values_list("person", "before", "after")
        return {person: (before, after) for person, before, after in rows}

    if is_published:
        path = reports.write(office.folder, "1.json", reports.document("Fide 1", "2026-03-01"))
        receive.receive(office, path, TINA, receive.Options("fide"))
        rated(date(2026, 4, 1))
    players = {**reports.PLAYERS, "9": ("Golf, Gus", "m", "1990-01-01", "")}
    won = {("6", "9"): "1-0", ("1", "9"): "0-1"}
    said = reports.document("Fide 2", "2026-04-10", won, players)
    del said["players"][-1]["ids"]
    for each in said["players"]:
        each["standing"] = {"rating": 2000, "games": 99}
    dora = signed_in("dora")
    draft = send(dora, said, pool="fide")
    pressed(dora, draft, f"{draft}people/", **{"who:9": "new"})
    page = dora.get(draft).content.decode()
    shown = {
        name: (before, after)
        for name, before, after in re.findall(
            r'<th scope="row">(?:<bdi>)?([^<]+)(?:</bdi>)?</th>'
            r'<td class="n">([^<]+)</td><td class="n now">([^<]+)</td>',
            page,
        )
    }
    assert shown["Golf, Gus"][0] == "–"
    submit(dora, draft)
    new = desk.link_new(m.Report.objects.latest("id").id, TINA)[0][0]
    numbers = rated(date(2026, 5, 1))
    names = {int(k): name for k, (name, *_) in reports.PLAYERS.items()} | {new: "Golf, Gus"}
    assert {
        names[person]: tuple("–" if x is None else f"{floor(x + 0.5)}" for x in both)
        for person, both in numbers.items()
    } == shown


@pytest.mark.parametrize("book", ["elo", "fide-2024"])
def test_the_preview_of_a_new_version_is_what_the_run_gives_in_its_place(office, book):
    """On the ratings from before the event, and with what was corrected of it since."""
    setup.add_pool("other", book, TINA, policies={"assume": "1500"})
    with_openings(office, "other")
    dora = signed_in("dora")
    first = reports.document("Other 1", "2026-03-01", {("1", "2"): "1-0"})
    later = reports.document("Other 2", "2026-04-10", {("1", "6"): "1-0"})
    for said in (first, later):
        submit(dora, send(dora, said, pool="other"))
    run_to(office, date(2026, 5, 1), "other")
    number = m.Report.objects.latest("id").id - 1
    asked = corrections.ask(office, [asking.game(number, 2, "1-0")], "the sheet", TINA)
    corrections.accept(office, asked.id, TINA)
    held = reports.document("Other 1", "2026-03-01", {("1", "2"): "0-1"})
    submit(dora, send(dora, held, of=str(number), pool="other"))
    draft = send(dora, {**held, "x": 1}, "again.json", of=str(number), pool="")
    page = dora.get(draft).content.decode()
    assert "in its own place among all that is published" in page
    differs = page[page.index("What differs from report") :]
    assert "result is 0–1, was" in as_read(differs), "it is compared with what counts"
    found = re.findall(
        r'<th scope="row"><bdi>([^<]+)</bdi></th><td class="n">([^<]+)</td>'
        r'<td class="n now">([^<]+)</td>',
        page,
    )
    shown = {name: (before, after) for name, before, after in found}
    submit(dora, draft)
    second, third = m.ReportVersion.objects.filter(report=number, number__gt=1).order_by("number")
    assert second.difference == third.difference != [], "officers look at what would differ"
    form = {"act": "release", "reason": "the sheet says so", "mark": "x"}
    assert pressed(signed_in("olga"), f"/desk/reports/{number}/", **form).status_code == 302
    run_to(office, date(2026, 5, 1), "other")
    pool, given = setup.pool_named("other"), {}
    for key, (name, *_) in reports.PLAYERS.items():
        changes = published.history_of(pool, int(key))
        own = [each for each in changes if each["key"] == changes[0]["key"]]
        both = (own[0]["before"], own[-1]["after"])
        given[name] = tuple(f"{floor(each + 0.5)}" for each in both)
    assert shown == given


def test_the_preview_rests_on_what_is_public_and_on_nothing_that_others_sent(office):
    """Else a sender would read from it what nobody has published, and ages from that."""
    dirk, dora = signed_in("dirk"), signed_in("dora")
    draft = send(dirk, reports.document("Winter Open", "2026-02-20", {("1", "2"): "1-0"}))

    def expected() -> str:
        page = dirk.get(draft).content.decode()
        assert "in its own place among all that is published" in page
        return page[page.index('<table aria-labelledby="expected"') :].partition("</table>")[0]

    before = expected()
    other = reports.document("Hidden Open", "2026-02-10", {("1", "3"): "0-1", ("1", "4"): "0-1"})
    submit(dora, send(dora, other))
    assert m.SectionStep.objects.latest("fact").state == "ready"
    assert expected() == before
    run_to(office, date(2026, 3, 2))
    assert expected() != before, "now it is published"


@pytest.mark.parametrize("day", ["2199-03-28", "1850-03-28"])
def test_the_day_of_an_event_that_cannot_be_is_told_before_it_is_sent(office, day):
    dora, olga = signed_in("dora"), signed_in("olga")
    draft = send(dora, reports.document("Odd Open", day))
    told = "An officer looks at the report first: it end"
    remedy = "Send a file with the right day; if the day is right, an officer lets it in."
    page = dora.get(draft).content.decode()
    assert told in page
    assert remedy in page
    done = submit(dora, draft)["Location"]
    page = dora.get(done).content.decode()
    assert "held" in page
    assert told in page
    number = done.split("/")[-2]
    assert told in olga.get(f"/desk/reports/{number}/").content.decode()
    assert "Odd Open" in olga.get("/desk/?state=held").content.decode()
    form = {"act": "release", "reason": "it is so", "mark": "x"}
    pressed(olga, f"/desk/reports/{number}/", **form)
    run = runs.make(office, "club", date(2026, 4, 2), TINA).run
    page = olga.get(f"/desk/runs/{run.id}/").content.decode()
    reached = (
        "The run changes published numbers back to 28 Mar 1850: as a late report, a correction"
    )
    assert (reached in page) is (day < "1900")


@pytest.mark.parametrize("day", ["2200-01-01", "1700-01-01"])
def test_nothing_is_decided_from_a_day_on_that_cannot_be(office, day):
    olga = signed_in("olga")
    form = {"pool": "club", "person": "3", "kind": "title", "value": "GM", "reason": "of old",
            "since": day}  # fmt: skip
    answer = olga.post("/desk/decisions/", {**form, "mark": "x"})
    assert answer.status_code == 422
    assert "Nothing that is decided now holds from" in answer.content.decode()
    assert not m.PersonAttribute.objects.filter(key="title").exists()


_RAPID = {"time_control": "900+10"}
_TOLD_BEFORE = {
    "of another pool": ({"pool": "standard"}, _RAPID, "office.other-pool"),
    "to come": (
        {"pool": "club"},
        {"start": "2099-03-01", "end": "2099-03-02"},
        "office.day-to-come",
    ),
    "published": ({"pool": "club", "of": "1"}, {}, "office.is-published"),
}


@pytest.mark.parametrize("case", _TOLD_BEFORE)
def test_a_draft_tells_that_the_report_will_be_held_and_why(office, case):
    setup.add_pool("standard", "fide-2024", TINA)
    more, event, code = _TOLD_BEFORE[case]
    said = reports.document("Long Night", "2026-03-28")
    said["event"] |= event
    dora = signed_in("dora")
    draft = send(dora, said, **more)
    page = dora.get(draft).content.decode()
    assert "will be held" in page
    assert ">clean<" not in page
    number = submit(dora, draft)["Location"].strip("/").split("/")[-1]
    notes = by_token("dora").get(f"/api/v1/reports/{number}").json()["notes"]
    (held,) = [each["message"] for each in notes if each["code"] == code]
    # Pages write days in words.
    assert escape(held.partition("2099")[0]) in page
    kept = Draft.objects.get(report=number)
    assert kept.report == int(number)
    assert set(m.SectionStep.objects.filter(section__version__report=number)
               .order_by("-fact").values_list("state", flat=True)[:1]) == {"held"}  # fmt: skip


_GO = {
    "name": "Evening", "end": "2026-03-29", "register": "egd", "pool": "go",
    "players": "Alpha, Anna; IRL;; 3k\nBravo, Ben;;; 1d\nNew, Nora;;; 5k",
    "games": "1 1 2 1-0 4\n2 1 3 0:1\n3 2 3 1 – 0 6", "class": "A",
}  # fmt: skip


def test_stones_grades_and_a_class_are_typed_in_where_the_rules_know_them(office):
    dora = signed_in("dora")
    plain = dora.get("/my/events/typed/").content.decode()
    for word in ("stones", "grade", 'name="class"', 'name="category"', 'name="level"'):
        assert word not in plain, "nothing is asked for that no pool needs"
    setup.add_pool("go", "egf-2021", TINA)
    every = dora.get("/my/events/typed/").content.decode()
    assert every.count("Only in go.") == 3
    made = dora.post("/my/events/typed/", _GO)
    assert made.status_code == 302, made.content.decode()
    draft = made["Location"]
    page = dora.get(draft).content.decode()
    assert "disabled" not in page
    assert "declared grade" not in page
    assert "has no class" not in page
    kept = json.loads(blobs.load(office, Draft.objects.latest("id").sha256))
    assert [each.get("handicap") for each in kept["games"]] == [4, None, 6]
    assert [each["grade"] for each in kept["players"]] == ["3k", "1d", "5k"]
    assert kept["event"]["class"] == "A"
    back = re.search(r'href="(/my/events/typed/\?draft=\d+)"', page)
    assert back
    form = dora.get(back[1]).content.decode()
    assert "Only in" not in form, "the pool is chosen"
    for text in ("1 1 2 1-0 4\n2 1 3 0-1\n3 2 3 1-0 6", "Alpha, Anna; IRL; ; 3k"):
        assert text in form
    assert "<option selected>A</option>" in form
    for wrong in ({"games": "1 1 2 1-0 10"}, {"games": "1 1 2 4"}, {"level": "much"},
                  {"players": "A;;;3k;more\nB"}):  # fmt: skip
        refused = dora.post("/my/events/typed/", {**_GO, **wrong})
        assert refused.status_code == 422, wrong
    of_chess = dora.post("/my/events/typed/", {**_GO, "pool": "club"})
    assert of_chess.status_code == 422
    assert "line 1 is" in of_chess.content.decode()


def test_a_tournament_by_correspondence_has_its_category_or_its_level(office):
    setup.add_pool("post", "iccf-2009", TINA)
    dora = signed_in("dora")
    said = {**_GO, "pool": "post", "register": "iccf", "players": "Alpha, Anna\nBravo, Ben",
            "games": "1 1 2 1-0", "class": ""}  # fmt: skip
    form = dora.get("/my/events/typed/").content.decode()
    assert '<option value="master_class">' in form
    for more in ({"category": "master_class"}, {"level": "2000"}):
        made = dora.post("/my/events/typed/", {**said, **more})
        assert made.status_code == 302, more
        kept = json.loads(blobs.load(office, Draft.objects.latest("id").sha256))
        ((key, value),) = more.items()
        assert str(kept["event"][key]) == value
        page = dora.get(made["Location"]).content.decode()
        assert "does not say what to assume" not in page, more
        assert "disabled" not in page, more


def test_a_first_day_that_the_file_says_is_not_asked_for_again(office, reference):
    dora = signed_in("dora")
    data = (reference / "samples" / "go" / "juvisy2019.tou").read_bytes()
    draft = send(dora, data, "juvisy2019.tou")
    page = dora.get(draft).content.decode()
    assert "its last day is not known" in page
    assert "<li>from 26 Oct 2019</li>" in page
    assert "First day, as the file says: 26 Oct 2019" in page
    assert 'name="start"' not in page
    pressed(dora, draft, f"{draft}file/", end="2019-10-27")
    page = dora.get(draft).content.decode()
    assert "26 Oct 2019 – 27 Oct 2019" in page
    assert "last day is not known" not in page


def test_days_the_wrong_way_round_stand_as_they_were_sent(office):
    dora = signed_in("dora")
    said = reports.document("Fourth Open", "2026-03-28")
    said["event"]["end"] = "2026-03-26"
    for game in said["games"]:
        game |= {"start": "2026-03-27", "end": "2026-03-27"}
    page = dora.get(send(dora, said)).content.decode()
    assert "28 Mar 2026 – 26 Mar 2026" in page


def test_games_of_several_sections_are_told_apart_where_one_is_corrected(office):
    dora = signed_in("dora")
    said = reports.document("Fourth Open", "2026-03-28")
    for at, game in enumerate(said["games"]):
        game["section"] = "B" if at % 2 else "A"
    submit(dora, send(dora, said))
    page = dora.get("/my/reports/4/correct/").content.decode()
    options = re.findall(r"<option value=.[0-9]+.>([^<]*)</option>", page)
    assert len(options) == len(said["games"])
    assert [each.partition(",")[0] for each in options] == sorted(["A", "B"] * 8)[: len(options)]
    other = dora.get("/my/reports/1/correct/").content.decode()
    assert re.search(r"<option value=.1.>1: ", other), "of one section it need not be said"


def test_whoever_gives_a_reason_reads_that_it_becomes_public(office):
    forms = {"dora": "/my/reports/1/correct/", "anna": "/my/results/1/1/"}
    for name, path in forms.items():
        page = signed_in(name).get(path).content.decode()
        assert 'aria-describedby="reason-public"' in page, path
        assert "everybody can read the reason, word for word" in page, path


def test_who_is_reckoned_as_a_newcomer_is_told_with_what_to_do(office):
    """Else a director takes first ratings for what the event makes of players with ratings."""
    dora = signed_in("dora")
    nobody_known = (
        b"round,white,black,result\n1,Yankee Yves,Zulu Zoe,1-0\n2,Zulu Zoe,Xray Xaver,1-0\n"
    )
    draft = send(dora, nobody_known, "night.csv")
    pressed(dora, draft, f"{draft}file/", start="2026-03-28", end="2026-03-29")
    page = " ".join(dora.get(draft).content.decode().split())
    assert "3 of 3 players are reckoned as newcomers" in page
    assert page.count(">not identified<") == 3
    assert '<a href="#people">Say who they are</a>' in page
    questions = re.findall(r'name="(who:[^"]+)"', page)
    assert len(questions) == 3
    people = {questions[0]: "new", questions[1]: "1"}
    pressed(dora, draft, f"{draft}people/", **people)
    page = " ".join(dora.get(draft).content.decode().split())
    assert "1 of 3 players is reckoned as a newcomer" in page
    pressed(dora, draft, f"{draft}people/", **people, **{questions[2]: "new"})
    page = dora.get(draft).content.decode()
    assert "reckoned as a newcomer" not in page
    assert "not identified" not in page


def test_a_draft_asks_for_the_pool_that_a_receipt_would_ask_for(office):
    """FIDE reads the name of an event, US Chess the speed: what is left knows nobody of it."""
    setup.add_pool("federation", "fide-2024", TINA)
    setup.add_pool("us", "uscf-2025", TINA)
    opening = office.folder.parent / "federation.csv"
    opening.write_text('id,name,rating\n701,"Alpha, Anna",1850\n702,"Bravo, Ben",1900\n')
    imports.import_file(office, opening, "national", TINA, "federation")
    dora = signed_in("dora")
    for name, day, asked in (
        ("Autumn Open", "2026-03-28", False), ("Autumn Blitz", "2026-03-29", True),
    ):  # fmt: skip
        said = reports.document(name, day, time_control="90 min + 30 s")
        draft = Draft.objects.get(id=int(send(dora, said, pool="").split("/")[-2]))
        found = directing.check(office, draft)
        assert (found.pool, found.problems) == ("", ())
        assert (
            any("it knows nobody who plays in it" in each.message for each in found.notes) == asked
        )
        sent = by_token("dora").post("/api/v1/reports", {"files": file_of(said)})
        assert sent.json()["state"] == "held"
        codes = [each["code"] for each in sent.json()["findings"]]
        assert ("office.pool-of-strangers" in codes) == asked
