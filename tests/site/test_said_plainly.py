"""What pages say once, in plain words, and where the reader looks for it."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.utils import translation

from ratingbook.office.acts import asking, corrections, people, searching
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from ratingbook.site.shown import desk, words
from ratingbook.site.templatetags.written import with_code
from tests.office import reports
from tests.site.offices import TINA, received_new, run_to
from tests.site.people import nobody, signed_in
from tests.site.test_officers import text
from tools import messages

GERMAN = {"accept-language": "de"}


@pytest.mark.parametrize("query", ["zzz", "qqqqqq", "zo", "bbb"])
def test_who_has_no_more_than_an_initial_in_common_is_not_found(office, query):
    for name in ("Zulu, Zara", "Quebec, Quinn"):
        people.add_person(NewPerson(name, None, None), "", TINA)
    assert searching.by_name(query, {}) == []
    page = text(nobody().get(f"/search?q={query}"))
    assert f"no list here goes by “{query}”" in page


@pytest.mark.parametrize(
    ("query", "name"),
    [("z", "Zulu, Zara"), ("zul", "Zulu, Zara"), ("sulu", "Zulu, Zara"), ("brawo", "Bravo, Ben"),
     ("lee wei", "Li, Wei")],
)  # fmt: skip
def test_who_is_written_nearly_so_is_found(office, query, name):
    for each in ("Zulu, Zara", "Li, Wei"):
        people.add_person(NewPerson(each, None, None), "", TINA)
    found = people.names_of(searching.by_name(query, {}))
    assert name in found.values()


def test_a_list_that_is_made_says_how_much_of_it_is_shown(office):
    more = {str(n): (f"Person {n:02}", "m", "1990-01-01", str(2000 + n)) for n in range(1, 21)}
    said = reports.document("Large Open", "2026-03-25", {}, more)
    received_new(office, said)
    run_to(office, date(2026, 4, 1))
    olga = signed_in("olga")
    page = text(olga.get("/desk/lists/?pool=club&day=2026-04-15"))
    assert "The first 15 of 26 lines." in page
    draft = page[page.index('aria-labelledby="draft"') : page.index("Publish this list")]
    assert draft.count("<tr>") == 16
    assert re.search(r'<td class="n">15\d\d</td>', draft), "under its head"
    assert '<a href="/lists/club/2026-04-01/r1">' in page
    whole = text(olga.get("/desk/lists/?pool=club&day=2026-04-15&all=yes"))
    assert "The first" not in whole
    assert whole.count("<tr>") > page.count("<tr>")


def test_what_was_never_decided_has_no_heading(office):
    assert "Decided last" not in text(signed_in("olga").get("/desk/decisions/"))


def test_the_public_will_read_why_it_was_decided(office):
    asked = corrections.ask(office, [asking.game(1, 1, "0-1")], "typed wrongly", TINA)
    olga = signed_in("olga")
    corrections.accept(office, asked.id, TINA, "the signed sheet was found")
    page = text(olga.get(f"/desk/corrections/{asked.id}/"))
    public = page[page.index('id="public"') :]
    assert "<bdi>typed wrongly</bdi><br><bdi>the signed sheet was found</bdi>" in public
    other = corrections.ask(office, [asking.game(1, 2, "0-1")], "lost", TINA)
    corrections.reject(other.id, "it was not", TINA)
    page = text(olga.get(f"/desk/corrections/{other.id}/"))
    assert "<bdi>it was not</bdi>" in page[page.index('id="public"') :]


def test_a_finding_names_a_player_once():
    where = {"player": "3"}
    names = {"3": "Alpha, Anna"}
    said = {"code": "x", "severity": "error", "where": where, "remedy": ""}
    once = {**said, "message": "Alpha, Anna: the number is another's."}
    other = {**said, "message": "The number is another's."}
    one, two = (words._told(each, names) for each in (once, other))
    assert (one.where, two.where) == ("", "Alpha, Anna (3)")


def test_a_name_that_begins_another_word_leaves_the_place():
    said = {"code": "x", "severity": "error", "where": {"player": "3"}, "remedy": "",
            "message": "The number is another's."}  # fmt: skip
    wheres = [words._told(said, {"3": name}).where for name in ("The", "Th", "T")]
    assert wheres == ["", "Th (3)", "T (3)"]


def test_a_label_that_the_word_has_itself_is_left_out():
    assert desk._fact("club", "Club of Elsewhere") == "Club of Elsewhere"
    assert desk._fact("club", "Elsewhere") == "club Elsewhere"


def test_what_is_code_in_the_description_of_the_api_is_code(office):
    assert with_code("by `pool:` <b> and `x`") == (
        "by <code>pool:</code> &lt;b&gt; and <code>x</code>"
    )
    assert with_code("a lone ` stays") == "a lone ` stays"
    page = text(nobody().get("/api"))
    assert "`" not in page
    assert "<code>report</code>" in page


def test_german_says_what_is_meant(office):
    page = text(signed_in("dora").get("/my/events/typed/", headers=GERMAN))
    assert '<label for="place">Ort</label>' in page
    with translation.override("de"):
        said = [translation.gettext(each) for each in messages._OF_LIBRARIES]
    assert not [each for each in said if re.search(r"\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir)\b", each)]
    assert "Bitte versuchen Sie es später erneut" in " ".join(said)


def test_an_opponent_without_a_rating_is_typed_in_in_the_own_language(office):
    of = "/whatif?rulebook=elo&rating=1500&r1=1&o1="
    page = text(nobody().get(f"{of}ohne", headers=GERMAN))
    assert "ohne für einen ohne Wertungszahl" in page
    assert "keine Wertungszahl eines Gegners" not in page
    assert "unrated" not in page.replace('value="unrated"', "")
    assert "keine Wertungszahl eines Gegners" not in text(
        nobody().get(f"{of}unrated", headers=GERMAN)
    )


def test_a_person_is_told_by_name_when_an_entry_is_linked(office):
    olga = signed_in("olga")
    entry = m.Entry.objects.get(version__report=2, name="Alfa, Ana")
    page = text(olga.get(f"/desk/who/?report=2&entry={entry.id}"))
    mark = re.search(r'name="mark" value="([^"]+)"', page)
    assert mark
    form = {"report": "2", "entry": str(entry.id), "person": "1", "mark": mark[1]}
    page = text(olga.post("/desk/who/", form, follow=True))
    assert "“Alfa, Ana” of the report is Alpha, Anna (1)." in page
    assert "fact " not in page[page.index('role="status"') :][:200]
