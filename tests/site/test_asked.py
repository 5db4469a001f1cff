"""An officer asks for corrections of every kind that the command line knows."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ratingbook.office.acts import corrections, people, setup
from ratingbook.office.acts.receive import Options, receive
from ratingbook.office.logic.corrections import KINDS as CONTENTS
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site.shown.asked import KINDS
from ratingbook.site.templatetags.written import day
from tests.office.reports import document, write
from tests.site.offices import TINA, run_to
from tests.site.people import carried, pressed, signed_in

NEW = "/desk/corrections/new/"


def text(answer) -> str:
    return str(answer.content.decode())


def ask(client, what: str, pool: str = "club", **said):
    """What comes of the form of a kind, filled in as its page has it."""
    page = f"{NEW}?what={what}&pool={pool}"
    return pressed(client, page, NEW, what=what, pool=pool, reason="says the board", **said)


def last() -> m.Correction:
    return m.Correction.objects.latest("id")


def two_sign(office) -> None:
    setup.set_policies("club", {"correction_approvals": "2"}, "two officers", Who("tina"))


def test_every_kind_of_content_can_be_asked_for_on_the_site():
    """A game from its report, and all else from the form."""
    assert {*CONTENTS} == {*KINDS} - {"openings", "take_back"} | {"game"}


def test_the_form_shows_what_a_kind_needs_and_says_nothing_before_one_is_chosen(office):
    olga = signed_in("olga")
    first = text(olga.get(NEW))
    assert "<textarea" not in first
    marked = re.findall(r'<a href="([^"]+)" aria-current="true"', first)
    assert marked == ["/desk/corrections/"], "where one is"
    for name in KINDS:
        page = text(olga.get(f"{NEW}?what={name}&report=1"))
        assert page.count('name="reason"') == 1, name
    assert olga.get(f"{NEW}?what=nothing").status_code == 200


def test_a_late_version_is_let_in_and_looked_at_before_it_is_decided(office, tmp_path):
    """What one officer may not release, several let in; the refusal leads to the form."""
    two_sign(office)
    olga = signed_in("olga")
    said = document("First Open", "2026-01-10", {("1", "2"): "0-1", ("3", "4"): "0-1"})
    path = write(tmp_path, "first.json", said)
    receive(office, path, Who("dora"), Options(pool="club", version_of=1))
    refused = pressed(olga, "/desk/reports/1/", act="release", reason="as it was played")
    assert (refused.status_code, "lets the version in" in text(refused)) == (422, True)
    page = text(olga.get("/desk/reports/1/"))
    link = re.search(r'href="(/desk/corrections/new/\?what=late&amp;report=1)"', page)
    assert link, "the page of a held report leads to the form"
    answer = ask(olga, "late", report="1")
    assert answer["Location"] == f"/desk/corrections/{last().id}/?preview=yes"
    assert last().contents[0]["kind"] == "late"
    preview = text(olga.get(answer["Location"]))
    assert "Largest changes" in preview
    assert "Alpha, Anna" in preview


def test_something_is_decided_from_a_day_that_is_published(office):
    setup.add_pool("regular", "uscf-2011", TINA)
    olga = signed_in("olga")
    answer = ask(olga, "decision", "regular", person="Alpha, Anna", kind="money_floor",
                 value="1400", since="2026-02-01")  # fmt: skip
    assert answer.status_code == 302
    one = last().contents[0]
    assert (one["kind"], one["new"]) == ("decision", True)
    assert one["said"] == [[1, "2026-02-01", "money_floor", 1400.0, "says the board"]]


def test_the_same_is_refused_as_by_the_command_with_what_was_written(office):
    setup.add_pool("regular", "uscf-2011", TINA)
    olga = signed_in("olga")
    answer = ask(olga, "decision", "regular", person="1", kind="money_floor", value="many")
    page = text(answer)
    assert answer.status_code == 422
    assert "is no number" in page
    assert 'value="many"' in page
    assert "says the board" in page
    assert not m.Correction.objects.exists()


@pytest.mark.parametrize(
    ("what", "said", "kind"),
    [
        ("withdraw", {"report": "1"}, "withdraw"),
        ("move", {"report": "1", "day": "2026-01-20"}, "move"),
        ("pool", {"report": "1", "into": "rapid"}, "pool"),
        ("merge", {"person": "India, Ida", "other": "Alpha, Anna"}, "merge"),
        ("opening", {"person": "1", "standing": "rating = 1650\ngames=40"}, "opening"),
        ("parameters", {"parameters": "k = 24"}, "parameters"),
    ],
)
def test_a_form_asks_for_its_kind(office, what, said, kind):
    setup.add_pool("rapid", "fide-2024", TINA)
    people.add_person(NewPerson("India, Ida", None, None, {}, {}), "", TINA)
    olga = signed_in("olga")
    assert ask(olga, what, **said).status_code == 302
    assert [each["kind"] for each in last().contents] == [kind]


@pytest.mark.parametrize(
    ("what", "said", "told"),
    [
        ("opening", {"person": "1", "standing": "rating = 1500\nrating = 1600"}, "is said twice"),
        (
            "opening",
            {"person": "1", "standing": "wins = 50\nlosses = 1\ngames = 3"},
            "3 rated games, but 51 wins",
        ),
        ("parameters", {"parameters": "k = 24\nk = 20"}, "is said twice"),
        ("move", {"report": "1", "day": "2190-01-20"}, "Name a day from"),
    ],
)
def test_what_contradicts_itself_is_refused_in_words_of_the_form(office, what, said, told):
    answer = ask(signed_in("olga"), what, **said)
    problems = text(answer).partition('role="alert"')[2].partition("</form>")[0]
    assert (answer.status_code, told in problems) == (422, True), problems[:500]
    assert "draft" not in problems
    assert not m.Correction.objects.exists()


@pytest.mark.parametrize("part", ["emb", "Ember"])
def test_a_part_of_a_name_is_asked_about_though_one_alone_has_it(office, part):
    """Who is meant may be somebody who is not here yet."""
    number, _ = people.add_person(NewPerson("Ember, Eva", None, None, {}, {}), "", TINA)
    olga = signed_in("olga")
    anna = str(m.Entry.objects.get(version__report=1, number="1").id)
    answer = ask(olga, "player", report="1", entry=anna, person=part)
    assert (answer.status_code, f'value="{number}"' in text(answer)) == (422, True)
    assert not m.Correction.objects.exists()
    assert ask(olga, "player", report="1", entry=anna, person="eva ember").status_code == 302
    assert last().contents[0]["person"] == number


def test_who_played_is_chosen_from_the_people_of_the_event(office):
    """The event first, and then its people by name: nobody knows the numbers of entries."""
    people.add_person(NewPerson("India, Ida", None, None, {}, {}), "", TINA)
    olga = signed_in("olga")
    asked = text(olga.get(f"{NEW}?what=player"))
    assert '<form class="fields" method="get">' in asked
    # Several events may have one name.
    end = m.Section.objects.get(version__report=1, version__number=1).end
    assert f'<option value="1">First Open · {day(end)} · club</option>' in asked
    assert 'name="entry"' not in asked
    page = text(olga.get(f"{NEW}?what=player&report=1"))
    offered = dict(re.findall(r'<option value="(\d+)">([^<]+ \(\d+\) · \d+)</option>', page))
    assert sorted(offered.values())[0] == "Alpha, Anna (1) · 1"
    assert len(offered) == m.Entry.objects.filter(version__report=1).count()
    anna = m.Entry.objects.get(version__report=1, number="1")
    other = m.Entry.objects.filter(version__report=2)[0]
    for entry in ("", "1 or 2", str(other.id)):
        answer = ask(olga, "player", report="1", entry=entry, person="India, Ida")
        assert answer.status_code == 422
        assert "No player of the event was chosen." in text(answer)
    answer = ask(olga, "player", report="1", entry=str(anna.id), person="nobody")
    assert f'<option value="{anna.id}" selected>Alpha, Anna' in text(answer)
    answer = ask(olga, "player", report="1", entry=str(anna.id), person="India, Ida")
    assert answer.status_code == 302
    assert (last().contents[0]["kind"], last().contents[0]["entry"]) == ("player", "1")


@pytest.mark.parametrize("number", ["abc", "99999", "-1", "9" * 40])
@pytest.mark.parametrize("kind", ["player", "late"])
def test_a_wrong_number_in_the_address_is_told(busy, kind, number):
    page = text(signed_in("olga").get(f"{NEW}?what={kind}&report={number}"))
    assert f"There is no report “{number}”." in page
    assert "Of report" not in page
    assert f'value="{number}"' in page
    assert f"/desk/reports/{number}/" not in page


def test_openings_of_a_file_and_a_fact_that_is_undone(office):
    olga = signed_in("olga")
    m.ExternalId.objects.create(person_id=1, scheme="club", value="901", fact=1)
    file = SimpleUploadedFile("players.csv", b'id,name,rating,games\n901,"Alpha, Anna",1800,40\n')
    assert ask(olga, "openings", register="club", file=file).status_code == 302
    assert last().contents[0]["values"]["1"]["rating"] == 1800
    number, _ = people.add_person(NewPerson("India, Ida", None, None, {}, {}), "", TINA)
    merged, _ = people.merge(number, 1, "one", TINA)
    assert ask(olga, "undo", fact=str(merged)).status_code == 302
    assert last().contents[0]["of"] == "merge"


def test_an_accepted_correction_leads_to_its_taking_back(office):
    olga = signed_in("olga")
    ask(olga, "move", report="1", day="2026-01-20")
    corrections.accept(office, 1, Who("otto"), "so it was")
    run_to(office, date(2026, 4, 2))
    page = text(olga.get("/desk/corrections/1/"))
    assert "/desk/corrections/new/?what=take_back&amp;correction=1" in page
    assert ask(olga, "take_back", correction="1").status_code == 302
    assert last().contents[0]["kind"] == "undo"


def test_the_same_request_twice_leads_to_the_first(office):
    olga, otto = signed_in("olga"), signed_in("otto")
    ask(olga, "withdraw", report="1")
    assert ask(otto, "withdraw", report="1")["Location"] == "/desk/corrections/1/?preview=yes"


def test_paper_is_kept_with_what_it_shows(office):
    olga = signed_in("olga")
    ask(olga, "withdraw", report="1", files=SimpleUploadedFile("letter.pdf", b"%PDF-1.7 letter"))
    assert m.Evidence.objects.filter(fact=last().made_by).count() == 1
    page = olga.get("/desk/decisions/").content
    said = {"pool": "club", "person": "3", "kind": "opening", "value": "1650", "reason": "of old"}
    paper = SimpleUploadedFile("letter.pdf", b"%PDF-1.7 another")
    olga.post("/desk/decisions/", {**said, **carried(page), "files": paper})
    assert m.Evidence.objects.filter(fact=m.Decision.objects.get().fact).count() == 1
