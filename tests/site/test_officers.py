"""Officers: they identify, review, rate, approve, publish, correct, decide; and undo."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from ratingbook.office.acts import (
    asking,
    corrections,
    effects,
    imports,
    jobs,
    people,
    receive,
    requests,
    runs,
    setup,
    states,
    trail,
    undoing,
)
from ratingbook.office.acts.audit import note
from ratingbook.office.acts.published import ratings_in, shown_ratings_in
from ratingbook.office.acts.reports import put_aside
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site.languages import written_day
from ratingbook.site.shown import running
from tests.office import reports
from tests.office.reports import document, write
from tests.site.offices import TINA, run_to
from tests.site.pages import as_read
from tests.site.people import carried, pressed, signed_in
from tests.site.test_directors import send, submit, without_pool

WHO = "/desk/who/"


def text(answer) -> str:
    return as_read(answer.content.decode())


def form_for(page: str, person: object) -> dict[str, str]:
    """The fields of the form that says who the asked entry is."""
    for form in re.findall(r'<form class="acts" method="post".*?</form>', page, re.S):
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        if fields["person"] == str(person):
            return fields
    raise AssertionError(f"no form for {person}")


def asking_about(number: str) -> str:
    """Where it is asked who an entry of the second report is."""
    entry = m.Entry.objects.get(version__report=2, number=number)
    return f"{WHO}?report=2&entry={entry.id}"


def identified(client) -> None:
    """Everybody at the desk is somebody new, but Ana, who is Anna."""
    while True:
        page = text(client.get(WHO))
        if "Who is “" not in page:
            return
        person = 1 if "Who is “Alfa, Ana”" in page else "new"
        assert client.post(WHO, form_for(page, person)).status_code == 302


def test_the_desk_counts_what_waits_and_asks_the_next_question(office):
    page = text(signed_in("olga").get("/desk/"))
    assert re.search(r"All\s*<b>2</b>", page)
    assert re.search(r"Who is it\?\s*<b>1</b>", page)
    assert re.search(r"Ready for a run\s*<b>1</b>", page)
    assert "Second Open" in page
    assert "First Open" not in page, "what is published waits for nobody"
    assert "Who is “" in page
    filtered = text(signed_in("olga").get("/desk/?state=ready"))
    assert "Third Open" in filtered


def test_names_are_text(office):
    olga = signed_in("olga")
    for path in ("/desk/", "/desk/reports/2/", asking_about("4")):
        page = text(olga.get(path))
        assert "Hotel <b>" not in page
    assert "Hotel &lt;b&gt;&amp;&quot;&#x27;" in page


def test_a_candidate_is_chosen_for_reasons_and_the_choice_is_undone(office):
    olga = signed_in("olga")
    page = text(olga.get(asking_about("1")))
    assert "Alpha, Anna" in page
    assert '<li class="yes">same federation</li>' in page
    assert '<li class="no">birth years 1 apart</li>' in page
    years = re.search(r"born in (\d{4}) by the report, in (\d{4}) by the office", page)
    assert years
    assert abs(int(years[1]) - int(years[2])) == 1
    fields = form_for(page, 1)
    assert olga.post(WHO, fields).status_code == 302
    link = m.Link.objects.get(entry__version__report=2, entry__number="1", revoked_by__isnull=True)
    assert (link.person_id, link.method) == (1, "hand")
    assert m.Fact.objects.get(seq=link.fact).actor == "olga"
    assert "entry 1 is Alpha, Anna" in text(olga.get("/desk/"))
    # It stays with the link for officers, and with no reason that others read.
    assert years[0] in text(olga.get("/desk/reports/2/"))
    assert not any(years[n] in str(m.Link.objects.get(id=link.id).reasons) for n in (1, 2))
    undone = olga.post("/desk/who/undo/", {"fact": link.fact, "reason": "two of that name"})
    assert undone.status_code == 302
    assert "Who is “Alfa, Ana”" in text(olga.get(asking_about("1")))


def test_a_single_link_of_a_report_is_undone_and_asked_about_again(office):
    """Where all of its entries were linked by one fact, and it is published."""
    olga = signed_in("olga")
    link = m.Link.objects.filter(entry__version__report=1, revoked_by__isnull=True)[0]
    others = m.Link.objects.filter(fact=link.fact, revoked_by__isnull=True).count() - 1
    value = f"{link.fact} {link.entry_id}"
    assert f'<button name="link" value="{value}">' in text(olga.get("/desk/reports/1/"))
    done = olga.post("/desk/who/undo/", {"link": value, "report": "1"}, follow=True)
    assert f"Entry {link.entry.number} is linked no longer." in text(done)
    assert m.Link.objects.filter(fact=link.fact, revoked_by__isnull=True).count() == others > 0
    assert "First Open" in text(olga.get("/desk/"))
    asked = text(olga.get(f"{WHO}?report=1&entry={link.entry_id}"))
    assert olga.post(WHO, form_for(asked, link.person_id)).status_code == 302
    live = m.Link.objects.get(entry=link.entry, revoked_by__isnull=True)
    assert live.person_id == link.person_id
    assert "First Open" not in text(olga.get("/desk/"))
    again = olga.post("/desk/who/undo/", {"link": value, "report": "1"})
    assert again.status_code == 422


def hold(home, contents) -> int:
    """A correction that is accepted."""
    number = corrections.ask(home, contents, "the sheet says so", TINA).id
    corrections.accept(home, number, TINA)
    return number


def test_who_somebody_is_by_a_correction_is_not_undone_at_the_desk(office):
    olga, golf = signed_in("olga"), people.add_person(NewPerson("Golf, Gus"), "", TINA)[0]
    number = hold(office, [asking.player(1, "3", golf)])
    link = m.Link.objects.get(person=golf, revoked_by__isnull=True)
    last = text(olga.get(WHO))
    assert "entry 3 is Golf, Gus <" in last
    assert f'name="fact" value="{link.fact}"' not in last
    value = f"{link.fact} {link.entry_id}"
    page = text(olga.get("/desk/reports/1/"))
    assert f'value="{value}"' not in page
    assert f'href="/corrections/{number}"' in page
    for said in ({"fact": link.fact, "reason": "no"}, {"link": value, "report": "1"}):
        answer = olga.post(f"{WHO}undo/", said)
        assert answer.status_code == 422
        assert f"is what correction {number} says" in text(answer)
        assert "Ask for a correction that takes it back." in text(answer)
    hold(office, corrections.taking_back(number))
    assert "entry 3 is Charlie, Chris <" in text(olga.get(WHO))


def test_what_was_undone_is_told_by_what_it_was(office):
    olga = signed_in("olga")
    link = m.Link.objects.filter(entry__version__report=1, revoked_by__isnull=True)[0]
    name = people.names_of([link.person_id])[link.person_id]
    undoing.undo(link.fact, "somebody else", TINA, [link.entry.number])
    assert f"undone: entry {link.entry.number} is {name} <" in text(olga.get(WHO))
    undoing.undo(link.fact, "all of them", TINA)
    assert "undone: entry 1 is Alpha, Anna; entry 2 is " in text(olga.get(WHO))
    assert "and 3 more <" in text(olga.get(WHO))
    number = hold(office, [asking.game(1, 1, "0-1")])
    hold(office, corrections.taking_back(number))
    told = f"undone: game fixed: correction {number}: the sheet says so"
    assert told in text(olga.get(WHO))


@pytest.mark.parametrize("odd", ["²", "٣", "1" * 10])
def test_what_is_no_number_of_the_office_is_told(office, odd):
    """Not all that is a digit somewhere is one here."""
    olga = signed_in("olga")
    fields = form_for(text(olga.get(asking_about("1"))), 1)
    entry = m.Link.objects.filter(entry__version__report=1)[0].entry_id
    for path, said in (
        (WHO, fields | {"person": odd}), (f"{WHO}undo/", {"link": f"{odd} {entry}"}),
        (f"{WHO}undo/", {"link": f"1 {odd}"}),
    ):  # fmt: skip
        answer = olga.post(path, said)
        assert (answer.status_code, 'class="problem' in text(answer)) == (422, True), said
    assert not m.Link.objects.filter(entry__version__report=2, method="hand").exists()


def test_a_report_is_let_in_with_a_pool(office):
    number, _ = without_pool(office)
    olga = signed_in("olga")
    page = text(olga.get(f"/desk/reports/{number}/"))
    assert "<option>rapid</option>" in page
    form = {"act": "release", "reason": "it was rapid"}
    refused = pressed(olga, f"/desk/reports/{number}/", **form)
    assert refused.status_code == 422
    assert "Choose the pool" in text(refused)
    done = pressed(olga, f"/desk/reports/{number}/", **form, pool="rapid")
    assert done.status_code == 302
    page = text(olga.get(f"/desk/reports/{number}/"))
    assert "<li>rapid</li>" in page
    assert "cannot be rated" not in page
    assert runs.make(office, "rapid", date(2026, 4, 2), TINA).run.counts["games"] == 15


def test_what_came_since_the_page_was_shown_is_not_decided_about(office):
    dora, olga = signed_in("dora"), signed_in("olga")
    for place in ("Nowhere", "Elsewhere"):
        changed = reports.document("First Open", "2026-01-10", {("1", "2"): "0-1"}, place=place)
        submit(dora, send(dora, changed, of="1"))
        if place == "Nowhere":
            shown = carried(olga.get("/desk/reports/1/").content)
    form = {"act": "release", "reason": "the sheet says so"}
    refused = olga.post("/desk/reports/1/", {**form, **shown})
    assert refused.status_code == 422
    assert "Report 1 has changed meanwhile: nothing was decided." in text(refused)
    assert "the sheet says so" in text(refused), "what was written is not lost"
    assert states.states([m.Section.objects.latest("id").id]).popitem()[1] == "held"
    assert olga.post("/desk/reports/1/", {**form, **carried(refused.content)}).status_code == 302


def test_a_correction_is_asked_of_the_game_that_was_seen(office):
    dora = signed_in("dora")
    path = "/my/reports/1/correct/"
    form = {"game": "1", "result": "1/2-1/2", "reason": "it was drawn"}
    shown = carried(dora.get(path).content)
    asked = corrections.ask(office, [asking.game(1, 1, "0-1")], "typed wrong", Who("dora"))
    corrections.accept(office, asked.id, TINA)
    refused = dora.post(path, {**form, **shown})
    assert refused.status_code == 422
    assert "has changed meanwhile: nothing was asked for" in text(refused)
    assert "it was drawn" in text(refused)
    assert pressed(dora, path, **form).status_code == 302


def test_no_list_is_made_of_other_ratings_than_were_looked_at(office):
    olga, page = signed_in("olga"), "/desk/lists/?pool=club&day=2026-05-15"
    form = {"pool": "club", "day": "2026-05-15", **carried(olga.get(page).content)}
    run_to(office, date(2026, 4, 2))
    refused = olga.post("/desk/lists/", form)
    assert refused.status_code == 422
    assert "no list was made" in text(refused)
    assert pressed(olga, page, "/desk/lists/", pool="club", day="2026-05-15").status_code == 302


def test_a_published_report_is_taken_out_by_as_many_as_accept_corrections(office):
    setup.set_policies("club", {"correction_approvals": "2"}, "four eyes", TINA)
    olga = signed_in("olga")
    page = text(olga.get("/desk/reports/1/"))
    assert 'value="hold"' not in page
    assert 'value="refuse"' not in page
    for act in ("hold", "refuse", "withdraw"):
        form = {"act": act, "reason": "it never was"}
        refused = pressed(olga, "/desk/reports/1/", **form)
        assert refused.status_code == 422
        assert "Ask that it be taken out" in text(refused)
    form = {"act": "take out", "reason": "it never was"}
    assert pressed(olga, "/desk/reports/1/", **form).status_code == 302
    (one,) = m.Correction.objects.all()
    assert [each["kind"] for each in one.contents] == ["withdraw"]
    games = runs.make(office, "club", date(2026, 4, 1), TINA).run.counts["games"]
    assert not corrections.accept(office, one.id, Who("olga")).holds
    assert runs.make(office, "club", date(2026, 4, 1), TINA).run.counts["games"] == games
    assert corrections.accept(office, one.id, Who("otto")).holds
    assert runs.make(office, "club", date(2026, 4, 1), TINA).run.counts["games"] == games - 15
    assert 'value="hold"' in text(olga.get("/desk/reports/3/")), "what is not published"


def test_the_same_question_is_not_answered_twice(office):
    olga = signed_in("olga")
    fields = form_for(text(olga.get(asking_about("3"))), "new")
    count = m.Person.objects.count()
    assert olga.post(WHO, fields).status_code == 302
    assert olga.post(WHO, fields).status_code == 302
    assert m.Person.objects.count() == count + 1
    late = signed_in("otto").post(WHO, {**fields, "mark": "another"})
    assert late.status_code == 422
    assert "decided meanwhile" in text(late)
    assert m.Person.objects.count() == count + 1


def test_a_person_is_found_by_name_and_who_the_sender_names_is_shown(office):
    from ratingbook.site.models import Draft

    Draft.objects.create(actor="dora", at=datetime.now(UTC), file_name="x", sha256="x", media="",
                         pool="club", report=2, said={"1": "1"})  # fmt: skip
    page = text(signed_in("olga").get(asking_about("1") + "&q=Echo"))
    assert "the sender says so" in page
    assert "Echo, Emil" in page


def test_a_report_is_held_for_a_reason_and_let_in(office):
    olga = signed_in("olga")
    path = "/desk/reports/3/"
    refused = pressed(olga, path, act="hold", reason="")
    assert refused.status_code == 422
    assert "Write the reason" in text(refused)
    pressed(olga, path, act="hold", reason="ask the hall")
    assert "ask the hall" in text(olga.get("/desk/"))
    assert "ask the hall" in text(signed_in("dirk").get("/my/reports/3/"))
    pressed(olga, path, act="release", reason="the hall has answered")
    assert "Plan a run" in text(olga.get("/desk/"))
    assert olga.get("/desk/reports/77/").status_code == 404


def test_the_file_is_saved_as_it_came_and_never_shown(office):
    answer = signed_in("olga").get("/desk/reports/2/file/")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert b"Alfa, Ana" in answer.content


def planned(client, pool: str = "club", until: str = "2026-04-01"):
    """A run as a job, done by a worker; gives the address of the run."""
    answer = client.post("/desk/runs/", {"pool": pool, "until": until})
    path = answer["Location"]
    page = text(client.get(path))
    assert 'hx-trigger="every 2s"' in page
    assert "waiting" in page
    jobs.work(once=True)
    page = text(client.get(path))
    assert "hx-trigger" not in page
    found = re.search(r'href="(/desk/runs/\d+/)"', page)
    assert found, page
    return found[1]


def test_a_run_is_planned_looked_at_approved_by_another_and_published(office):
    setup.set_policies("club", {"four_eyes": "yes"}, "two officers", Who("tina"))
    olga, otto = signed_in("olga"), signed_in("otto")
    identified(olga)
    path = planned(olga)
    page = text(olga.get(path))
    run = m.Run.objects.latest("id")
    assert f"<dd>{run.counts['changed']}</dd>" in page
    row = r'<tr><th scope="row"><bdi>([^<]+)</bdi> <span class="quiet plain-weight">(\d+)'
    moved = re.findall(row, page)
    largest = [each["player"] for each in run.report["largest"]]
    assert [person for _, person in moved][: len(largest)] == largest
    own = olga.post(path, {"act": "approve", "looked": "yes"})
    assert own.status_code == 422
    assert "somebody else has to approve it" in text(own)
    assert "Nobody approves what was not looked at" in text(otto.post(path, {"act": "approve"}))
    early = otto.post(path, {"act": "publish"})
    assert (early.status_code, "0 of 1 approvals" in text(early)) == (422, True)
    assert otto.post(path, {"act": "approve", "looked": "yes"}).status_code == 302
    assert otto.post(path, {"act": "publish"}).status_code == 302
    assert m.Pool.objects.get(name="club").head == 2
    again = otto.post(path, {"act": "publish"})
    assert again.status_code == 422
    assert m.Publication.objects.count() == 2
    assert "First Open" not in text(olga.get("/desk/"))


def test_the_histogram_counts_everybody_once():
    from ratingbook.site.shown.running import histogram

    changes = [-25.0, -20.0, -19.0, -10.0, -9.0, -2.0, -1.0, -0.5, 0.0, 0.4, 1.0, 2.0, 9.5, 10.0,
               19.0, 20.0, 300.0]  # fmt: skip
    counts = {each.label: each.count for each in histogram(changes)}
    assert counts == {"≤ −20": 2, "−19…−10": 2, "−9…−2": 2, "−1": 2, "+1": 2, "+2…+9": 2,
                      "+10…+19": 2, "≥ +20": 2}  # fmt: skip


def test_a_run_that_cannot_be_is_refused_in_words(office):
    olga = signed_in("olga")
    wrong = olga.post("/desk/runs/", {"pool": "club", "until": "31 April"})
    assert wrong.status_code == 422
    assert "is no day" in text(wrong)
    back = olga.post("/desk/runs/", {"pool": "club", "until": "2026-01-01"})
    assert back.status_code == 422
    assert "What is published goes up to 1 Mar 2026" in text(back)


def test_a_job_that_fails_says_why(office):
    olga = signed_in("olga")
    asked = olga.post("/desk/runs/", {"pool": "club", "until": "2026-03-15"})
    assert asked.status_code == 302
    run_to(office, date(2026, 4, 1))
    jobs.work(once=True)
    for path in (asked["Location"], "/desk/jobs/"):
        page = text(olga.get(path))
        assert "failed" in page
        assert "What is published goes up to 1 Apr 2026" in page


def test_a_job_that_waits_is_cancelled(office):
    olga = signed_in("olga")
    path = olga.post("/desk/runs/", {"pool": "club"})["Location"]
    same = olga.post("/desk/runs/", {"pool": "club"})["Location"]
    assert same == path, "one plan is one job"
    assert olga.post(f"{path}cancel/").status_code == 302
    assert "cancelled" in text(olga.get(path))
    assert olga.post(f"{path}cancel/").status_code == 422


def test_a_correction_is_looked_at_and_needs_two_signatures(office):
    setup.set_policies("club", {"correction_approvals": "2"}, "two officers", Who("tina"))
    dora, olga, otto = signed_in("dora"), signed_in("olga"), signed_in("otto")
    form = {"game": "1", "result": "0-1", "reason": "typed the wrong way"}
    pressed(dora, "/my/reports/1/correct/", **form)
    path = "/desk/corrections/1/"
    assert "Look at what it changes" in text(olga.get(path))
    page = text(olga.get(f"{path}?preview=yes"))
    assert "Alpha, Anna" in page
    assert re.search(r'<div class="res">1–0</div>.*<div class="res">0–1</div>', page, re.S)
    unlooked = olga.post(path, {"act": "accept", "reason": "sheet"})
    assert (unlooked.status_code, m.CorrectionApproval.objects.count()) == (422, 0)
    olga.post(path, {"act": "accept", "looked": "yes", "reason": "sheet"})
    twice = {"act": "accept", "looked": "yes", "reason": "sheet"}
    assert "That was done already" in text(olga.post(path, twice, follow=True))
    assert m.CorrectionApproval.objects.count() == 1
    assert "has signatures" in text(olga.get("/desk/"))
    otto.post(path, {"act": "accept", "looked": "yes", "reason": "sheet"})
    for signer in (olga, otto):
        assert "That was done already" in text(signer.post(path, twice, follow=True))
    assert signed_in("tina").post(path, twice).status_code == 422, "her signature came too late"
    assert m.CorrectionApproval.objects.count() == 2
    assert "It holds" in text(otto.get(path))
    desk = text(otto.get("/desk/"))
    needed = desk[desk.index("Accepted, and not rated yet") :].partition("</section>")[0]
    assert "A run is needed" in needed
    assert 'href="/desk/runs/"' in needed
    assert 'href="/desk/corrections/1/"' in needed
    run = planned(otto, until="")
    page = text(otto.get(run))
    assert 'class="corr" href="/desk/corrections/1/"' in page
    otto.post(run, {"act": "approve", "looked": "yes"})
    otto.post(run, {"act": "publish"})
    assert "published" in text(dora.get("/my/reports/1/"))
    assert "not rated yet" not in text(otto.get("/desk/"))


def test_of_two_corrections_that_contradict_each_other_one_is_accepted_knowingly(office):
    olga, contents = signed_in("olga"), [asking.game(1, 1, each) for each in ("0-1", "1/2-1/2")]
    for content in contents:
        corrections.ask(office, [content], "I saw it", Who("dora"))
    path, form = "/desk/corrections/1/", {"act": "accept", "looked": "yes", "reason": "sheet"}
    page = text(olga.get(f"{path}?preview=yes"))
    assert "contradicts this one" in page
    said = "I accept it although C-2, which is open, asks for something else of the same: "
    assert f'<input type="checkbox" name="despite" value="2"> {said}' in page
    unknowing = olga.post(path, form)
    assert unknowing.status_code == 422
    shown = text(unknowing)
    assert "Correction 2 asks for something else of the same, and is open." in shown
    assert "Decide first which of them is right, and refuse the other; or say that you" in shown
    assert "--despite" not in shown
    assert olga.post(path, {**form, "despite": "2"}).status_code == 302
    assert corrections.states_of() == {1: "accepted", 2: "open"}
    page = text(olga.get("/desk/corrections/2/?preview=yes"))
    said = "I accept it although C-1, which was accepted since, says something else of the same: "
    assert f'<input type="checkbox" name="despite" value="1"> {said}' in page
    assert "contradicts this one" not in text(olga.get(path)), "it is decided"
    assert olga.post("/desk/corrections/2/", {**form, "despite": "1"}).status_code == 302


@pytest.mark.parametrize("revise", ["none", "affected"])
def test_an_officer_reads_what_becomes_of_lists_that_are_reached(office, revise, monkeypatch):
    setup.set_policies("club", {"revise": revise}, "for the test", Who("tina"))
    stays = revise == "none"
    asked = corrections.ask(office, [asking.game(1, 1, "0-1")], "wrong way", Who("dora"))
    olga = signed_in("olga")
    page = text(olga.get(f"/desk/corrections/{asked.id}/?preview=yes"))
    becomes = "stays as it was published" if stays else "gets a revision: Rating"
    unless = (
        "gets a revision if the next run brings the list of that day, else it stays as it was "
        "published: Rating"
    )
    assert f"<li>club, 1 Mar 2026: {unless if stays else becomes}</li>" in page
    corrections.accept(office, asked.id, Who("olga"))
    identified(olga)
    path = planned(olga)
    run = m.Run.objects.latest("id")
    row = r'<th scope="row">{}</th><td class="n">{}</td><td>{}</td>'
    page = text(olga.get(path))
    assert re.search(row.format("1 Mar 2026", 1, becomes), page)
    assert len(re.findall(row.format(".*?", 1, "is new"), page)) == 1
    assert "None that is published" not in page
    assert "were corrected after it was published" not in text(olga.get("/lists/club/2026-03-01"))
    olga.post(path, {"act": "approve", "looked": "yes"})
    olga.post(path, {"act": "publish"})
    page = text(olga.get(path))
    then = (1, "stayed as it was published") if stays else (2, "got a revision: Rating")
    assert re.search(row.format("1 Mar 2026", *then), page)
    assert len(re.findall(row.format(".*?", 1, "was new"), page)) == 1
    page = text(olga.get("/lists/club/2026-03-01"))
    assert ("were corrected after it was published" in page) is stays
    assert f'href="/corrections/{asked.id}"' in page
    # What was corrected since is read of its tables once for each fact.
    monkeypatch.setattr(effects, "table_of", None)
    assert text(olga.get("/lists/club/2026-03-01")) == page
    assert "were corrected after" not in text(olga.get(f"/lists/club/{run.until}"))


def test_requests_about_one_game_name_each_other_and_may_be_joined(office):
    """What stands is what holds now, whatever held when it was asked for."""
    first = corrections.ask(office, [asking.game(1, 1, "0-1")], "Ben won", Who("dora")).id
    second = corrections.ask(office, [asking.game(1, 1, "1/2-1/2")], "a draw", Who("anna")).id
    other = corrections.ask(office, [asking.game(1, 2, "0-1")], "another", Who("anna")).id
    olga = signed_in("olga")

    def seen(number: int) -> tuple[str, set[str]]:
        page = text(olga.get(f"/desk/corrections/{number}/"))
        stands = re.search(r'<div class="res">([^<]+)</div>', page)
        named = re.findall(r'href="/desk/corrections/(\d+)/"', page)
        return stands[1] if stands else "", {*named} - {str(number)}

    assert seen(first) == ("1–0", {str(second)})
    assert seen(second) == ("1–0", {str(first)})
    assert seen(other)[1] == set()
    offer = f"Join it to C-{first}"
    assert offer in text(olga.get(f"/desk/corrections/{second}/"))
    corrections.accept(office, first, Who("olga"), despite=[second])
    assert seen(second) == ("0–1", {str(first)})
    # What is decided is no longer decided with another one.
    assert offer not in text(olga.get(f"/desk/corrections/{second}/"))
    late = {"act": "join", "into": str(first), "mark": "l"}
    answer = olga.post(f"/desk/corrections/{second}/", late)
    assert answer.status_code == 422
    assert "is accepted; only an open one is decided" in text(answer)
    # Everywhere it is beside what stands, not beside what stood when it was asked for.
    for page in (f"/desk/corrections/{second}/", f"/corrections/{second}", "/corrections"):
        assert "½–½ instead of 0–1" in text(olga.get(page)), page
        assert "½–½ instead of 1–0" not in text(olga.get(page)), page
    public = text(olga.get(f"/corrections/{second}"))
    assert f'href="/corrections/{first}"' in public
    assert f'href="/corrections/{second}"' in text(olga.get(f"/corrections/{first}"))
    third = corrections.ask(office, [asking.game(1, 1, swap=True)], "colours", Who("anna")).id
    form = {"act": "join", "into": str(second), "mark": "j"}
    assert olga.post(f"/desk/corrections/{third}/", form).status_code == 302
    assert corrections.states_of()[third] == "joined"
    page = text(olga.get(f"/corrections/{third}"))
    assert f'href="/corrections/{second}"' in page
    assert f"It is decided with correction {second}, which asks for the same." in page
    page = text(signed_in("anna").get("/my/results/"))
    assert f"decided with correction {second}, which asks for the same" in page
    # Whoever decides it, and whoever reads of it, knows what is decided with it.
    assert f'href="/corrections/{third}"' in text(olga.get(f"/corrections/{second}"))
    assert str(third) in seen(second)[1]
    # Who asked finds the own request, too.
    assert f'href="/corrections/{third}"' in page


def test_a_request_that_was_joined_is_named_by_the_one_that_it_contradicts(office):
    drawn = corrections.ask(office, [asking.game(1, 1, "1/2-1/2")], "a draw", Who("dora")).id
    out = corrections.ask(office, [asking.game(1, 1, "none")], "not played", Who("anna")).id
    corrections.join(out, drawn, "the same game", Who("olga"))
    olga = signed_in("olga")
    for one, other in ((drawn, out), (out, drawn)):
        desk = text(olga.get(f"/desk/corrections/{one}/"))
        assert f'href="/desk/corrections/{other}/"' in desk
        assert "contradicts this one" in desk
        told = olga.get(f"/api/v1/corrections/{one}").json()
        assert told["contradicting"] == [other]
        assert other in (told["joined"], *told["beside"])
    assert "contradicts this one" in text(olga.get(f"/corrections/{drawn}"))


def test_an_open_request_says_everywhere_that_its_event_is_out(office):
    asked = {
        who: corrections.ask(office, [asking.game(1, number, "0-1")], "so it was", Who(who)).id
        for number, who in enumerate(("dora", "anna"), 1)
    }
    readers = {name: signed_in(name) for name in ("olga", "dora", "anna")}
    name = m.Section.objects.get(version__report=1).facts["name"]
    said = f"{name} is out (withdrawn): what is asked of it changes nothing until it is let in"
    pages = [
        ("olga", f"/desk/corrections/{asked['anna']}/"), ("olga", f"/corrections/{asked['anna']}"),
        ("dora", "/my/reports/1/"), ("anna", "/my/results/"),
    ]  # fmt: skip
    for who, page in pages:
        assert said not in text(readers[who].get(page)), page
    put_aside("1", "withdraw", "no such event", Who("olga"))
    for who, page in pages:
        assert said in text(readers[who].get(page)), page
    told = readers["olga"].get(f"/api/v1/corrections/{asked['dora']}").json()
    assert told["outlook"] == [f"{said} again."]


@pytest.mark.parametrize("revise", ["none", "latest", "affected"])
def test_a_run_makes_of_lists_what_the_preview_of_a_correction_said(office, revise):
    """The list of the day on which a run ends is its next revision, whatever the policy is."""
    olga = signed_in("olga")
    identified(olga)
    run_to(office, date(2026, 4, 1))
    setup.set_policies("club", {"revise": revise}, "for the test", Who("tina"))
    asked = corrections.ask(office, [asking.game(1, 1, "0-1")], "wrong way", Who("dora"))
    page = text(olga.get(f"/desk/corrections/{asked.id}/?preview=yes"))
    said = dict(re.findall(r"<li>club, (\d \w+) 2026: ([^<]+)</li>", page))
    assert said.keys() == {"1 Mar", "1 Apr"}
    becomes, _, columns = said["1 Apr"].rpartition(": ")
    assert "Rating" in columns
    assert said["1 Mar"] == (
        "gets a revision: Rating" if revise == "affected" else "stays as it was published"
    )
    assert said["1 Apr"].startswith("gets a revision")
    assert ("if the next run brings the list of that day" in said["1 Apr"]) is (revise == "none")
    corrections.accept(office, asked.id, Who("olga"))
    run = runs.make(office, "club", date(2026, 4, 1), Who("olga")).run
    page = text(olga.get(f"/desk/runs/{run.id}/"))
    row = r'<th scope="row">(\d \w+) 2026</th><td class="n">\d</td><td>([^<]+)</td>'
    shown = dict(re.findall(row, page))
    assert shown["1 Mar"] == said["1 Mar"]
    assert shown["1 Apr"] == f"gets a revision: {columns}"
    assert becomes.startswith("gets a revision")
    runs.approve(run.id, Who("olga"))
    done = runs.publish(office, run.id, Who("olga"))
    revised = {f"{each.date:%-d %b}" for each in done.lists if each.revision == 2}
    assert revised == {day for day, told in shown.items() if told.startswith("gets a revision")}
    run = runs.make(office, "club", date(2026, 4, 1), Who("olga")).run
    shown = dict(re.findall(row, text(olga.get(f"/desk/runs/{run.id}/"))))
    assert shown == {"1 Apr": "gets a revision if anything on it is otherwise"}
    runs.approve(run.id, Who("olga"))
    assert not runs.publish(office, run.id, Who("olga")).lists, "nothing is otherwise"
    assert not re.findall(row, text(olga.get(f"/desk/runs/{run.id}/")))


def test_the_page_of_a_request_shows_what_was_noticed_of_who_would_be_one(office):
    """That one of them is suppressed, and that they have met: until it is decided."""
    suppress(office, 2, "asked for it", TINA)
    asked = corrections.ask(office, [asking.merge(1, 2)], "one person", TINA)
    codes = {each.code for each in asked.findings}
    assert codes == {"office.met", "office.merge-suppressed"}
    officer = signed_in("tina")
    page = text(officer.get(f"/desk/corrections/{asked.id}/"))
    assert "Person 2 is suppressed: results of 1 are shown" in page
    assert "1 and 2 play in 2 reports as two entries, and 2 games with each other" in page
    assert "ratingbook office" not in page
    corrections.reject(asked.id, "two persons", TINA)
    assert "Person 2 is suppressed" not in text(officer.get(f"/desk/corrections/{asked.id}/"))


def test_a_correction_is_refused_for_a_reason(office):
    olga = signed_in("olga")
    page = olga.get("/desk/reports/1/correct/").content
    form = {"game": "2", "rated": "none", "reason": "a friendly game", **carried(page)}
    sent = olga.post("/desk/reports/1/correct/", form)
    assert sent["Location"] == "/desk/corrections/1/?preview=yes", "to what it changes"
    told = 'Correction <a href="/desk/corrections/1/">1</a> is open.'
    assert told in text(olga.get(sent["Location"]))
    assert signed_in("otto").post(
        "/desk/corrections/1/", {"act": "reject", "reason": ""}
    ).status_code == 422  # fmt: skip
    signed_in("otto").post("/desk/corrections/1/", {"act": "reject", "reason": "it counted"})
    assert "refused" in text(olga.get("/desk/corrections/"))


def test_a_correction_that_nobody_has_decided_in_time_is_told_in_the_list(office):
    long_ago = Who("dora", at=datetime.now(UTC) - timedelta(days=100))
    late = corrections.ask(office, [asking.game(1, 1, "0-1")], "typed wrong", long_ago).id
    new = corrections.ask(office, [asking.game(1, 2, "0-1")], "typed wrong", Who("dora")).id
    page = text(signed_in("olga").get("/desk/corrections/"))
    rows = {number: row for row in page.split("<tr>") for number in (late, new)
            if f">C-{number}<" in row}  # fmt: skip
    assert "overdue" in rows[late]
    assert "overdue" not in rows[new]
    corrections.reject(late, "it counted", Who("olga"))
    assert "overdue" not in text(signed_in("olga").get("/desk/corrections/"))


def test_a_request_that_is_open_again_has_its_new_day_wherever_it_is_told(office):
    """It was joined to one that was taken back, and is decided within as many days as a new one."""
    long_ago = datetime.now(UTC) - timedelta(days=100)
    wrong = [asking.game(1, 1, "0-1")]
    first = corrections.ask(office, wrong, "typed wrong", Who("dora", at=long_ago)).id
    second = corrections.ask(office, wrong, "so it was", Who("otto", at=long_ago)).id
    corrections.reject(first, "my mistake", Who("dora"))
    again = requests.with_states(m.Correction.objects.all()).get(id=second)
    new, old = requests.deadline(again), again.until
    assert again.state == "open"
    assert new is not None
    assert old == long_ago.date() + (new - datetime.now(UTC).date())
    olga, told_as = signed_in("olga"), {day: written_day(day) for day in (new, old)}
    page = text(olga.get("/desk/corrections/"))
    (row,) = (each for each in page.split("<tr>") if f">C-{second}<" in each)
    assert told_as[new] in row
    assert told_as[old] not in row
    assert "overdue" not in row
    page = text(olga.get(f"/desk/corrections/{second}/"))
    assert f"to be decided by {told_as[new]}" in page
    assert told_as[old] not in page


def test_something_is_decided_and_undone(office):
    olga = signed_in("olga")
    page = olga.get("/desk/decisions/").content
    form = {"pool": "club", "person": "3", "kind": "opening", "value": "1650", "reason": "of old",
            **carried(page)}  # fmt: skip
    assert olga.post("/desk/decisions/", {**form, "person": "7777"}).status_code == 422
    assert olga.post("/desk/decisions/", form).status_code == 302
    olga.post("/desk/decisions/", form)
    assert m.Decision.objects.count() == 1
    fact = m.Decision.objects.get().fact
    assert "opening 1650" in text(olga.get("/desk/decisions/"))
    done = olga.post("/desk/who/undo/", {"fact": fact, "reason": "no paper", "back": "decisions"},
                     follow=True)  # fmt: skip
    assert "Undone: opening 1650 of " in text(done)
    assert m.Decision.objects.get().revoked_by


def test_an_opening_that_takes_the_place_of_another_is_told_with_its_rating(office, tmp_path):
    """Who came in by a players file has games beside it, and keeps them."""
    olga = signed_in("olga")
    path = tmp_path / "players.csv"
    path.write_text('id,name,rating,games\n977,"India, Ida",1800,40\n', "utf-8")
    imports.import_file(office, path, "club", Who("tina"), "club")
    held = m.Decision.objects.get(kind="opening", value__games=40)
    form = {"pool": held.pool.name, "person": held.person_id, "kind": "opening", "value": "1923",
            "reason": "of old", **carried(olga.get("/desk/decisions/").content)}  # fmt: skip
    done = text(olga.post("/desk/decisions/", form, follow=True))
    assert "Decided: opening 1923 of " in done
    assert "that holds no longer" in done
    assert m.Decision.objects.latest("id").value == {**held.value, "rating": 1923}


def test_a_list_is_looked_at_and_made_once(office):
    olga = signed_in("olga")
    page = text(olga.get("/desk/lists/?pool=club&day=2026-03-15"))
    assert "against 1 Mar 2026: 0 entered, 0 left, 0 with another rating" in page
    form = {"pool": "club", "day": "2026-03-15", **carried(page)}
    for _ in range(2):
        assert olga.post("/desk/lists/", form).status_code == 302
    assert m.List.objects.filter(date="2026-03-15").count() == 1
    back = olga.get("/desk/lists/?pool=club&day=2026-02-01")
    assert "was made then, or never" in text(back)


def test_acts_are_searched(office):
    olga = signed_in("olga")
    page = text(olga.get("/desk/audit/?kind=received&actor=dirk"))
    assert page.count("<tr>") == 2
    assert '?about=report%3A3"><bdi>report 3</bdi></a>' in page
    assert page.count('<option value="received" selected>received</option>') == 1
    assert "is no day" in text(olga.get("/desk/audit/?since=yesterday"))


def test_acts_that_are_no_facts_are_sealed(office):
    olga = signed_in("olga")
    note(TINA, "export person", "person 1", "done")
    page = text(olga.get("/desk/audit/"))
    unsealed = m.Audit.objects.count()
    assert f"{unsealed} act" in page
    answer = olga.post("/desk/audit/", carried(page), follow=True)
    fact = m.Fact.objects.latest("seq")
    assert (fact.kind, fact.actor, fact.payload["first"]) == (trail.SEALED, "olga", 1)
    page = text(answer)
    assert f"The acts are sealed by fact {fact.seq}." in page
    assert f"The last seal is fact {fact.seq}" in page
    assert "Seal them now" not in page, "nothing is left to seal"
    again = text(olga.post("/desk/audit/", {"mark": "once more"}, follow=True))
    assert "nothing was sealed" in again
    assert m.Fact.objects.latest("seq").seq == fact.seq
    assert list(trail.broken_seals()) == []


def test_a_report_goes_to_a_partner(office):
    setup.set_policies("club", {"sends": "fide:trf16:30"}, "member", Who("tina"))
    olga = signed_in("olga")
    assert "First Open" in text(olga.get("/desk/outbox/"))
    file = olga.post("/desk/outbox/", {"act": "send", "report": "1", "partner": "fide"})
    assert file["Content-Disposition"].startswith("attachment")
    assert b"012 First Open" in file.content
    assert "Answered" in text(olga.get("/desk/outbox/"))
    assert olga.post(
        "/desk/outbox/", {"act": "send", "report": "1", "partner": "nobody"}
    ).status_code == 422  # fmt: skip


PAGES = (
    "/desk/", WHO, "/desk/reports/2/", "/desk/runs/", "/desk/runs/1/", "/desk/lists/",
    "/desk/corrections/", "/desk/decisions/", "/desk/anomalies/?pool=club", "/desk/jobs/",
    "/desk/audit/", "/desk/outbox/", "/desk/notices/", "/desk/people/2/suppress/",
    "/desk/people/", "/desk/people/1/", "/desk/calendar/",
    "/desk/corrections/new/?what=decision", "/desk/bring-in/", "/desk/abroad/",
    "/desk/users/", "/desk/policies/", "/desk/backups/",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_small_and_ask_little_of_the_database(office, path):
    tina = signed_in("tina")
    tina.get(path)
    with CaptureQueriesContext(connection) as asked:
        answer = tina.get(path)
    assert answer.status_code == 200
    assert len(answer.content) < 150_000
    assert answer.content.count(b"<h1") == 1
    # As many for a thousand reports as for two; the question at the desk takes half of them.
    assert len(asked) <= 50, [each["sql"][:80] for each in asked]


def test_a_job_that_is_done_does_not_say_that_its_run_waits(office):
    one = jobs.enqueue("run", {"pool": "club", "until": "2026-05-01", "refresh": None}, Who("olga"))
    m.Job.objects.filter(id=one).update(state="done", done=4, total=4, note="waits for approval")
    olga = signed_in("olga")
    for path in ("/desk/jobs/", f"/desk/jobs/{one}/"):
        page = olga.get(path).content.decode()
        assert "waits for approval" not in page
        assert "done" in page


def test_an_opening_of_many_is_of_so_many_players(office):
    path = office.folder / "opening.csv"
    path.write_text("id,rating,games\n901,1500,5\n902,1600,5\n", "utf-8")
    imports.import_file(office, path, "national", TINA, "club")
    page = signed_in("olga").get("/desk/decisions/").content.decode()
    assert "opening: 2 players" in page
    assert "opening  of" not in page


def test_signatures_that_have_lapsed_are_shown_so_and_given_again(office):
    """Of several corrections of the same players each makes the others change other numbers."""
    setup.set_policies("club", {"correction_approvals": "2"}, "two officers", TINA)
    for game in (1, 2):
        wrong = [asking.game(1, game, "0-1")]
        corrections.ask(office, wrong, "typed the wrong way", Who("dora"))
    olga, otto = signed_in("olga"), signed_in("otto")

    def accepts(client, number: int) -> None:
        path = f"/desk/corrections/{number}/"
        assert "Your decision" in text(client.get(f"{path}?preview=yes"))
        form = {"act": "accept", "looked": "yes", "reason": "so it is"}
        assert client.post(path, form).status_code == 302

    accepts(otto, 1)
    accepts(otto, 2)
    waits = "You have accepted it; another officer has to."
    assert waits in text(otto.get("/desk/corrections/2/"))
    accepts(olga, 1)
    page = text(otto.get("/desk/corrections/2/"))
    assert waits not in page
    assert "The signature of otto has lapsed" in page
    assert "Since then: C-1 was accepted." in page
    assert "You can accept it again at once." in page
    assert "The signature of otto has lapsed" in text(olga.get("/desk/corrections/2/"))
    accepts(olga, 2)
    page = text(olga.get("/desk/corrections/2/"))
    assert waits in page
    assert "The signature of otto has lapsed" in page
    said = corrections.accept(office, 2, Who("otto"))
    assert (said.holds, [each.code for each in said.findings]) == (True, [])
    assert "lapsed" not in text(olga.get("/desk/corrections/2/"))


def test_what_was_refused_is_shown_beside_what_stands_now(office):
    refused = corrections.ask(office, [asking.game(1, 1, "0-1")], "black won", Who("dora"))
    corrections.reject(refused.id, "the sheet says otherwise", Who("olga"))
    other = corrections.ask(office, [asking.game(1, 1, "1/2-1/2")], "a draw", Who("dora"))
    corrections.accept(office, other.id, Who("olga"))
    shown = r'<span class="label">(.*?)</span><div class="res">(.*?)</div>'
    pages = {
        refused.id: [("As it stands", "½–½"), ("As it was asked for", "0–1")],
        other.id: [("As it stood", "1–0"), ("As it was asked for", "½–½")],
    }
    for number, told in pages.items():
        assert (
            re.findall(shown, text(signed_in("olga").get(f"/desk/corrections/{number}/"))) == told
        )


def test_a_run_names_the_list_that_its_rules_have_and_no_other(office):
    setup.add_pool("months", "fide-2024", TINA, {}, {"assume": "1500"})
    path = write(office.folder, "months.json", document("Month Open", "2026-03-10"))
    receive.receive(office, path, TINA, receive.Options("months", another=True))
    for until, becomes in ((date(2026, 4, 1), "new"), (date(2026, 4, 2), "again")):
        run = runs.make(office, "months", until, TINA).run
        promised = running.lists_reached(run)
        assert [(each.day, each.becomes) for each in promised] == [(date(2026, 4, 1), becomes)]
        runs.approve(run.id, TINA)
        made = runs.publish(office, run.id, TINA).lists
        assert [each.date for each in made] == [date(2026, 4, 1)][: len(made)]


def test_candidates_are_compared_by_published_ratings(office):
    """What goes on behind a printed number is in no reason that the desk gives."""
    head = m.Publication.objects.get(pool__name="club", seq=F("pool__head"))
    exact = ratings_in(head.run.ratings_id)
    shown = shown_ratings_in(head.run.ratings_id, head.run.pool_id)
    assert exact.keys() == shown.keys()
    assert all(each == int(each) for each in shown.values())
    assert any(each != int(each) for each in exact.values())


def test_a_list_on_which_nothing_is_otherwise_is_not_made_again(office):
    olga = signed_in("olga")
    last = m.List.objects.latest("id")
    asked = f"/desk/lists/?pool={last.pool.name}&day={last.date}"
    form = {"pool": last.pool.name, "day": str(last.date), **carried(olga.get(asked).content)}
    page = text(olga.post("/desk/lists/", form, follow=True))
    assert "nothing on it is otherwise" in page
    assert m.List.objects.latest("id") == last


def test_a_preview_and_a_run_say_who_is_one_with_somebody_now(office):
    other, _ = people.add_person(NewPerson("Golf, Gus"), "", TINA)
    asked = corrections.ask(office, [asking.merge(1, other)], "two cards", Who("dora"))
    told = f'<span class="tag">one with {other} now</span>'
    olga = signed_in("olga")
    assert told in text(olga.get(f"/desk/corrections/{asked.id}/?preview=yes"))
    corrections.accept(office, asked.id, Who("olga"))
    made = runs.make(office, "club", date(2026, 3, 1), Who("olga"))
    assert told in text(olga.get(f"/desk/runs/{made.run.id}/"))
