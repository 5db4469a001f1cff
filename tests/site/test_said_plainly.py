"""What pages say once, in plain words, and where the reader looks for it."""

from __future__ import annotations

import re
from datetime import date
from html import unescape

import pytest
from django.utils import translation

from ratingbook.model.sentences import sentence
from ratingbook.office.acts import asking, corrections, decisions, jobs, people, searching, setup
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown import desk, search, words
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
    assert searching.by_number_or_name(query, {})[1] == []
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
    found = people.names_of(searching.by_number_or_name(query, {})[1])
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


@pytest.mark.parametrize("query", ["№2", "№ 2", "#2", "No. 2", "nr 2", "2"])
def test_a_number_is_found_with_its_sign(office, query):
    people.add_person(NewPerson("November, Nora", None, None), "", TINA)
    assert searching.by_number(query) == [2]
    assert searching.by_number_or_name(query, {}) == ([2], [])


@pytest.mark.parametrize(
    ("query", "are_found"),
    [("%00", False), ("000", False), ("202", False), ("2026", True),
     ("open", True)],
)  # fmt: skip
def test_digits_alone_are_no_part_of_an_event(office, query, are_found):
    assert bool(search.search(query).events) == are_found


@pytest.mark.parametrize(
    ("path", "left_out"),
    [("/events?page=99", "page=99"), ("/events?page=0", "page=0"), ("/events?page=1", ""),
     ("/events?pool=77", "pool=77"), ("/events/1?section=5", "section=5"),
     ("/events/1?notation=foo", "notation=foo"), ("/events/1?section=0&page=1", ""),
     ("/players/1?pool=77", "pool=77"), ("/players/1?page=9", "page=9")],
)  # fmt: skip
def test_what_an_address_asks_for_and_there_is_not_is_told(office, path, left_out):
    page = text(nobody().get(path))
    said = list(re.findall(r'<p class="ribbon" role="status">(.*?)</p>', page))
    assert len(said) == bool(left_out)
    assert all(f"“{left_out}”" in each for each in said)
    assert "No event is rated that goes by this" not in page


def test_a_program_is_told_of_the_end_by_an_empty_page(office):
    assert nobody().get("/events.json?page=99").json()["rows"] == []


@pytest.mark.parametrize("path", ["/rules/nope", "/whatif?rulebook=nope", "/lists/zzz/2026-03-01"])
def test_quotation_marks_are_those_of_the_language(office, path):
    page = unescape(text(nobody().get(path)))
    assert "'nope'" not in page
    assert "'zzz'" not in page
    assert "“nope”" in page or "zzz" in page


def test_a_word_in_quotation_marks_is_told_whole():
    said = SPOKEN.told(sentence("There is no pool {name!r}.", name="it's “so”"))
    assert said == "There is no pool “it's “so””."
    assert SPOKEN.told(sentence("There is no pool {name!r}.", name=3)) == "There is no pool 3."


def test_the_form_of_a_correction_leads_to_the_numbers_that_it_asks_for(office):
    olga = signed_in("olga")
    merged = people.merge(3, 4, "one person", TINA)[0]
    assert f"?what=undo&amp;fact={merged}" in text(olga.get("/desk/audit/"))
    page = text(olga.get(f"/desk/corrections/new/?what=undo&fact={merged}"))
    assert f'name="fact" value="{merged}"' in page
    assert 'href="/desk/audit/"' in page
    page = text(olga.get("/desk/corrections/new/?what=player&report=2"))
    assert 'href="/desk/reports/2/"' in page
    assert '<input type="hidden" name="report" value="2">' in page, "another kind is of it, too"


def test_a_job_that_was_refused_says_why_where_jobs_are_listed(office):
    olga = signed_in("olga")
    refused = olga.post("/desk/runs/", {"pool": "club", "until": "2020-01-01"})
    assert refused.status_code == 422, "the form does not take a day that no run could have"
    assert "What is published goes up to" in text(refused)
    number = jobs.enqueue("run", {"pool": "club", "until": "2020-01-01", "refresh": None}, TINA)
    jobs.work(once=True)
    line = text(olga.get("/desk/jobs/")).partition(f'href="/desk/jobs/{number}/"')[2]
    assert "What is published goes up to" in line.partition("</tr>")[0]


def test_decisions_of_a_file_are_told_by_their_number_and_undone_knowingly(office, tmp_path):
    path = tmp_path / "decided.csv"
    path.write_text(
        "player,date,kind,value\n701,2026-05-01,floor,1500\n702,2026-05-01,floor,1500\n"
    )
    setup.add_pool("us", "uscf-2025", TINA, {})
    decisions.import_decisions(office, path, "national", "us", "from the federation", TINA)
    page = text(signed_in("olga").get("/desk/decisions/"))
    assert "several of" not in page
    assert "2 decisions" in page
    assert "all 2 of them" in page


def test_a_policy_that_is_a_plain_word_is_told_once(office):
    page = text(signed_in("tina").get("/desk/policies/"))
    assert "<code>yes</code>;" in page
    assert "<code>yes</code> yes" not in page
    assert "<bdi>no</bdi></td>" in page
