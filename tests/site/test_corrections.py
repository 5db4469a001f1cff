"""The register: what was decided and changed, and nobody's name who asked or decided."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date
from typing import Any
from xml.etree import ElementTree

from django.template.loader import render_to_string

from ratingbook.office.acts import (
    asking,
    corrections,
    desk,
    imports,
    people,
    receive,
    register,
    reports,
    setup,
)
from ratingbook.office.acts.published import ratings_now, versions_of
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from ratingbook.site.shown import corrections as shown_corrections
from ratingbook.site.shown import running
from ratingbook.site.shown.corrected import corrections_of
from ratingbook.site.templatetags.written import in_pools
from tests.office.reports import document, write
from tests.site.pages import FIRST, copied, page_of
from tests.site.published import OFFICER, PEOPLE, PLAYER, REASON, on, publish, report


def test_the_register_has_each_correction_and_its_state(public):
    # The first look in a server that has just begun reads the pools, too.
    text = page_of(public, "/corrections", more=1)
    assert text.index("/corrections/2") < text.index("/corrections/1")
    for word in ("published", "refused", "player", "0–1 instead of 1–0", "Winter &lt;Open&gt;"):
        assert word in text
    said = public.get("/corrections.json").json()["entries"]
    assert [(x["number"], x["state"], x["players"]) for x in said] == [
        (2, "rejected", None), (1, "published", 2),
    ]  # fmt: skip
    assert len(list(csv.reader(io.StringIO(public.get("/corrections.csv").content.decode())))) == 3


def test_a_correction_is_told_before_and_after_and_by_which_lists(public):
    text = page_of(public, "/corrections/1", more=FIRST)
    # By hand: 2001 against 1990, K = 15, a win becomes a loss: 15 points for both in January.
    assert "That changed <strong>2 players</strong>. Lists revised: <strong>2</strong>;" in text
    assert "largest difference: <strong>15</strong>" in text
    assert text.count('class="res"') == 2
    # What it is now, another correction may have made of it.
    assert ">Then</span>" in text
    assert text.index("1–0</div>") < text.index("0–1</div>")
    assert "/lists/standard/2026-03-01/r2" in text
    assert "/lists/standard/2026-05-01/r2" in text
    assert "swapped &lt;i&gt;by hand&lt;/i&gt;" in text
    rows = list(csv.DictReader(io.StringIO(public.get("/corrections/1.csv").content.decode())))
    assert {x["person"]: x["standard 2026-03-01"] for x in rows} == {"1": "-15", "2": "15"}
    assert page_of(public, "/corrections/99", 404)


def test_a_page_shows_no_number_of_reports_that_wait(office_with_lists, tmp_path):
    """Before publication what is published and what is made of it; afterwards what came with it."""
    home, client = copied(office_with_lists, tmp_path)
    lost = {("1", other): "0-1" for other in "23456"}
    path = write(tmp_path, "late.json", document("Late Open", "2026-01-05", lost))
    who = on(OFFICER, date(2026, 5, 4))
    received, _ = receive.receive_all(home, [path], who, receive.Options(pool="standard"))
    assert received[0].state == "ready"
    number = held(home, asking.game(2, 1, "0-1"))
    page = client.get(f"/corrections/{number}.json").json()
    now = ratings_now(m.Pool.objects.get(name="standard").id)
    assert {x["before"] for x in page["movers"]} <= {round(each) for each in now.values()}
    for each in page["movers"]:
        assert abs(each["after"] - each["before"]) <= each["largest"] <= 16
        assert not each["with_others"]
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 7))
    text = page_of(client, f"/corrections/{number}", more=FIRST + 2)
    assert "with something else of the same run" in text
    assert (
        "What else the run of standard brought: <bdi>report 5 came late: Late Open</bdi>." in text
    )
    after = client.get(f"/corrections/{number}.json").json()
    assert after["entry"]["largest"] == page["entry"]["largest"]
    assert any(abs(x["after"] - x["before"]) > 16 for x in after["movers"])


def test_an_explanation_tells_what_else_came_with_a_correction(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    lost = {("1", other): "0-1" for other in "23456"}
    path = write(tmp_path, "late.json", document("Late Open", "2026-01-05", lost))
    who = on(OFFICER, date(2026, 5, 4))
    receive.receive_all(home, [path], who, receive.Options(pool="standard"))
    number = held(home, asking.game(2, 1, "0-1"))
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 7))
    entry = register.entry(home, number)["changed"]
    row = next(x for x in entry if x["person"] == 1 and x["with_others"])
    pool = "standard"
    text = page_of(client, f"/players/1/changes/{pool}/{row['batch']}", more=FIRST + 20)
    caption = text.partition("<caption>Revised")[2].partition("</caption>")[0]
    assert f"by correction {number}" in caption
    assert "came late: Late Open" in caption
    page_of(client, "/players/1", more=FIRST)
    # What came is looked up once, until the next fact.
    page = page_of(client, "/players/1")
    assert "<bdi>report 5 came late: Late Open</bdi>" in page.partition("What else made these")[2]
    (revision,) = client.get("/players/1.json").json()["revisions"]
    assert revision["says"] == ["report 5 came late: Late Open"]
    why = register.since_first(home, m.Pool.objects.get(name=pool), 1, for_public=True)
    assert revision["revised"] == sum(
        "report 5 came late: Late Open" in each["why"]
        for each in why
        if not each["batch"].startswith("list ")
    )


def test_what_was_corrected_and_put_back_differs_in_nothing(office_with_lists, tmp_path):
    """Nothing of it is revised, and what came later is not told of what cancelled itself out."""
    home, client = copied(office_with_lists, tmp_path)
    first = held(home, asking.game(2, 3, "0-1"))
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 7))
    pool = "standard"
    key = client.get(f"/players/4.json?pool={pool}").json()["results"][0]["key"]
    there = f"/players/4/changes/{pool}/{key}"

    def result() -> dict[str, Any]:
        every = client.get(f"/players/4.json?pool={pool}").json()["results"]
        return next(each for each in every if each["key"] == key)

    assert result()["is_revised"]
    assert first in result()["corrections"]
    back = held(home, *corrections.taking_back(first))
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 8))
    assert (result()["is_revised"], result()["first"]) == (False, None)
    assert not {first, back} & set(result()["corrections"])
    page = page_of(client, f"/players/4?pool={pool}", more=FIRST + 20)
    assert page.count("Nothing of it is left") == 2
    assert client.get(f"{there}.json").json()["corrections"] == []
    won = {("1", "2"): "1-0", ("3", "4"): "0-1", ("4", "5"): "1-0"}
    path = write(tmp_path, "again.json", report("Spring Open", "2026-03-20", won))
    received = receive.receive(home, path, on(OFFICER, date(2026, 5, 9)))
    reports.put_aside("2", "release", "the sheet says so", OFFICER)
    assert received.version == 2
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 9))
    assert result()["is_revised"]
    said = client.get(f"{there}.json").json()
    assert said["corrections"] == []
    (reason,) = said["reasons"]
    otherwise = "the game Delta, Dora – Echo, Emil of round 13: result is 1–0, was ½–½"
    assert reason == f"report 2 was corrected by its version 2: Spring Open ({otherwise})"
    text = page_of(client, there, more=FIRST + 20)
    head = text.partition('class="facts"')[2].partition("</ul>")[0]
    assert "report 2 was corrected by its version 2" in head
    caption = text.partition("<caption>Revised")[2].partition("</caption>")[0]
    assert "by correction" not in caption
    page = page_of(client, f"/players/4?pool={pool}", more=FIRST + 20)
    assert f"{there}#since" in page
    event = client.get("/events/2.json").json()
    assert (event["version"], event["before"], event["otherwise"]) == (2, 1, [otherwise])
    assert otherwise in page_of(client, "/events/2", more=FIRST)


def test_a_page_tells_what_held_when_a_correction_took_effect(office_with_lists, tmp_path):
    """Another one of the same game was accepted after it was asked for."""
    home, client = copied(office_with_lists, tmp_path)
    content = asking.game(2, 1, "1/2-1/2")
    first = held(home, asking.game(2, 1, "0-1"))
    second = held(home, content)
    text = page_of(client, f"/corrections/{second}", more=FIRST)
    assert "½–½ instead of 0–1" in text
    results = [part.split("<")[0] for part in text.split('class="res">')[1:]]
    assert results == ["0–1", "½–½"]
    assert "0–1 instead of 1–0" in page_of(client, f"/corrections/{first}", more=FIRST)


def test_corrections_of_one_run_say_what_is_of_all_of_them(office_with_lists, tmp_path):
    """Page, table, JSON and API have the figures of what was published before and after."""
    home, client = copied(office_with_lists, tmp_path)
    spring, winter = asking.game(2, 1, "0-1"), asking.game(1, 1, "1/2-1/2")
    first, second = (held(home, each) for each in (spring, winter))
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 7))
    text = page_of(client, f"/corrections/{first}", more=FIRST + 1)
    assert "Lists revised: <strong>1</strong>" in text
    assert "/lists/standard/2026-03-01" not in text
    assert f"with correction {second}" in text
    entry = client.get("/corrections.json").json()["entries"][1]
    assert entry["number"] == first
    page = client.get(f"/corrections/{first}.json").json()
    assert page["entry"] == entry
    assert page["together"] == [second]
    own = {x["person"]: (x["before"], x["after"]) for x in page["movers"]}
    for person, both in own.items():
        for revision, rating in zip((2, 3), both, strict=True):
            one = m.List.objects.get(pool__name="standard", date="2026-05-01", revision=revision)
            assert m.ListRow.objects.get(list=one, person=person).rating == rating
    api = client.get(f"/api/v1/corrections/{first}").json()
    assert (api["entry"], api["movers"]) == (page["entry"], page["movers"])
    assert api["players"] == entry["players"] == len(own)
    (of_pool,) = entry["largest"]
    assert of_pool["difference"] == max(x["largest"] for x in page["movers"])
    of_march = client.get("/lists/standard/2026-03-01.json").json()
    assert of_march["corrections"] == [second]


def test_a_list_that_is_new_is_not_revised(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    setup.set_policies("standard", {"revise": "none"}, "lists stay", OFFICER)
    number = held(home, asking.game(2, 1, "0-1"))
    publish(home, "standard", date(2026, 7, 1), date(2026, 7, 7))
    text = page_of(client, f"/corrections/{number}", more=FIRST)
    assert "Lists revised: <strong>0</strong>" in text
    assert "<dt>Lists revised</dt><dd>0</dd>" in text
    assert "/lists/standard/2026-07-01/r1" in text
    assert "A dot:" not in text


def test_an_officer_reads_which_list_the_next_run_brings_again(office_with_lists, tmp_path):
    """FIDE's lists are of the first of a month: a run up to the 20th brings that of the first."""
    home, _ = copied(office_with_lists, tmp_path)
    setup.set_policies("standard", {"revise": "none"}, "", OFFICER)
    publish(home, "standard", date(2026, 5, 20))
    who = on(OFFICER, date(2026, 5, 21))
    asked = corrections.ask(home, [asking.game(1, 2, "0-1")], "so it was", who)
    found = running.correction(home, asked.id, with_preview=True)
    assert found is not None
    becomes = {day: said for _, day, said, _ in found.lists}
    assert becomes.pop(date(2026, 5, 1)) == "again"
    assert {*becomes.values()} == {"stays"}


def test_what_holds_again_after_it_was_taken_back_has_a_page(office_with_lists, tmp_path):
    """What the fact had said names no report."""
    home, client = copied(office_with_lists, tmp_path)
    number = held(home, asking.game(2, 1, "0-1", swap=True))
    for _ in range(2):
        number = held(home, *corrections.taking_back(number))
    text = page_of(client, f"/corrections/{number}", more=FIRST + 2)
    assert text.count('class="res"') == 2
    back = corrections.taking_back(held(home, *corrections.taking_back(number)))
    asked = corrections.ask(home, back, "so it was", on(OFFICER, date(2026, 5, 6)))
    shown = running.correction(home, asked.id, with_preview=False)
    assert shown is not None
    assert [(each.was, each.now) for each in shown.games] == [("1–0", "0–1")]


def test_an_event_that_was_taken_out_says_by_which_correction(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    number = held(home, asking.event("2", "withdraw"))
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 7))
    assert f'href="/corrections/{number}"' in client.get("/events/2").content.decode()
    page = client.get(f"/corrections/{number}.json").json()
    # What the event had brought is gone, so the largest difference is the largest of its changes.
    (of_pool,) = page["entry"]["largest"]
    most = max(abs(x["after"] - x["before"]) for x in page["movers"])
    assert of_pool["difference"] == most > 0
    assert client.get("/corrections.json").json()["entries"][0]["largest"] == [of_pool]


def test_an_event_that_was_on_another_day_is_told_with_both_days(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    number = held(home, asking.moved("2", date(2026, 1, 13)))
    for address in ("/corrections", f"/corrections/{number}"):
        said = "Spring Open: ended on 13 Jan 2026, not on 20 Mar 2026"
        assert said in page_of(client, address, more=FIRST)


def test_who_gains_or_loses_a_rating_is_told_first_and_without_a_difference(
    office_with_lists, tmp_path
):
    home, client = copied(office_with_lists, tmp_path)
    setup.set_policies("go", {"revise": "affected"}, "", OFFICER)
    new = people.add_person(NewPerson("Golf, Gus"), "", OFFICER)[0]
    number = held(home, asking.player(3, "6", new), asking.player(4, "6", new))
    publish(home, "go", date(2026, 4, 12), date(2026, 5, 7))
    page = client.get(f"/corrections/{number}.json").json()
    first, second = page["movers"][:2]
    assert (first["person"], first["after"], first["largest"]) == (6, None, None)
    assert (second["person"], second["before"], second["largest"]) == (new, None, None)
    assert first["differences"] == second["differences"] == [None, None]
    assert first["became_on_lists"] == ["gone", "gone"]
    assert second["became_on_lists"] == ["first", "first"]
    text = page_of(client, f"/corrections/{number}", more=FIRST)
    table = text[text.index("<caption>") : text.index("</table>")]
    assert table.count("no rating any more") == table.count("first rating") == 3
    assert "±0" not in table
    answer = client.get(f"/corrections/{number}.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(answer)))
    assert [(x["person"], x["largest"], x["became"]) for x in rows[:2]] == [
        ("6", "", "gone"), (str(new), "", "first"),
    ]  # fmt: skip
    assert {x["became"] for x in rows[2:]} <= {""}


def test_who_only_left_a_list_has_the_number_that_holds(office_with_lists, tmp_path):
    """Who has not played for long is on no list, and has a rating all the same."""
    home, client = copied(office_with_lists, tmp_path)
    setup.set_policies("go", {"revise": "affected"}, "", OFFICER)
    said = document("Old Go Open", "2024-06-11", {("6", "1"): "1-0"}, PEOPLE)
    for each in said["players"]:
        each["grade"] = "5k"
    path = write(tmp_path, "old.json", said)
    options = receive.Options(pool="go", another=True)
    received = receive.receive(home, path, OFFICER, options)
    assert received.id is not None
    for each in desk.waiting(received.id):
        desk.link(received.id, each.entry, PEOPLE[each.entry][3][-1], OFFICER)
    publish(home, "go", date(2026, 4, 12), date(2026, 5, 6))
    new = people.add_person(NewPerson("Golf, Gus"), "", OFFICER)[0]
    number = held(home, asking.player(3, "6", new), asking.player(4, "6", new))
    publish(home, "go", date(2026, 4, 12), date(2026, 5, 7))
    page = client.get(f"/corrections/{number}.json").json()
    mover = next(x for x in page["movers"] if x["person"] == 6)
    now = ratings_now(m.Pool.objects.get(name="go").id)[6]
    assert mover["after"] == round(now, 3)
    assert mover["became"] == "left"
    assert mover["became_on_lists"] == ["left", "left"]
    assert None not in mover["differences"]
    text = page_of(client, f"/corrections/{number}", more=FIRST)
    row = text[text.index("/players/6") :].split("</tr>")[0]
    assert row.count("not on this list any more") == 3
    assert "no rating any more" not in row
    answer = client.get(f"/corrections/{number}.csv").content.decode()
    rows = {x["person"]: x for x in csv.DictReader(io.StringIO(answer))}
    assert (rows["6"]["became"], float(rows["6"]["after"])) == ("left", round(now, 3))


def test_numbers_of_several_pools_stand_each_with_its_pool_and_day(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    setup.set_policies("go", {"revise": "affected"}, "", OFFICER)
    new = people.add_person(NewPerson("Golf, Gus"), "", OFFICER)[0]
    contents = [asking.player(report, "6", new) for report in (1, 2, 3, 4)]
    asked = corrections.ask(home, contents, REASON, on(PLAYER, date(2026, 5, 5)))
    preview = running.correction(home, asked.id, with_preview=True)
    assert preview is not None
    own = {(x.pool, x.person): x.day for x in preview.largest}
    assert own["go", 6] == date(2026, 4, 12)
    assert own["standard", 6] == date(2026, 5, 1)
    corrections.accept(home, asked.id, on(OFFICER, date(2026, 5, 6)))
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 7))
    publish(home, "go", date(2026, 4, 12), date(2026, 5, 8))
    page = client.get(f"/corrections/{asked.id}.json").json()
    assert page["pools"] == ["go", "standard"]
    places = [(x["person"], x["pool"]) for x in page["movers"]]
    assert len(places) == len(set(places))
    assert {(6, "go"), (6, "standard")} <= set(places)
    assert page["players"] == len({person for person, _ in places})
    lists = [x["pool"] for x in page["shown_lists"]]
    for each in page["movers"]:
        others = [x for x, pool in zip(each["differences"], lists, strict=True)
                  if pool != each["pool"]]  # fmt: skip
        assert set(others) == {None}
    assert [x["pool"] for x in page["steps"] if x["pool"]] == ["standard", "go"]
    text = page_of(client, f"/corrections/{asked.id}", more=FIRST)
    # In the other pool ratings came and went, of which there is no difference.
    assert "largest difference: <strong>35 (<bdi>standard</bdi>)</strong>" in text
    assert text.index("<b>Published</b>standard, ") < text.index("<b>Published</b>go, ")
    for pool in ("go", "standard"):
        assert text.count(f">{pool}</h3>") == 1
    answer = client.get(f"/corrections/{asked.id}.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(answer)))
    assert {(x["person"], x["pool"], x["day"]) for x in rows} >= {
        ("6", "go", "2026-04-12"), ("6", "standard", "2026-05-01"),
    }  # fmt: skip
    first = shown_corrections.one(asked.id, lists=1).tables[0]
    assert (len(first.lists), first.more) == (1, 1)


def test_who_played_after_all_has_the_correction_on_the_own_page(office_with_lists, tmp_path):
    """A first row in an event that was published before is one that the register names."""
    home, client = copied(office_with_lists, tmp_path)
    new = people.add_person(NewPerson("Golf, Gus"), "", OFFICER)[0]
    number = held(home, asking.player(3, "6", new))
    publish(home, "go", date(2026, 4, 12), date(2026, 5, 7))
    both = {x["person"] for x in client.get(f"/corrections/{number}.json").json()["movers"]}
    assert {6, new} <= both
    pool = "go"
    for person in (6, new):
        text = page_of(client, f"/players/{person}?pool={pool}", more=FIRST)
        reached = text.partition("Corrections that reached these ratings")[2]
        assert f"/corrections/{number}" in reached, person
    row = page_of(client, f"/players/{new}", more=FIRST).partition("<tbody>")[2]
    assert f'<a class="corr only" href="/corrections/{number}"' in row
    # After the event, and on the list of the day up to which was rated again.
    assert "2 numbers of this player were revised" in row


def held(home, *contents):
    """Ask for a correction and accept it; its number."""
    asked = corrections.ask(home, contents, "so it was", on(OFFICER, date(2026, 5, 6)))
    corrections.accept(home, asked.id, on(OFFICER, date(2026, 5, 6)))
    return asked.id


def test_what_was_refused_tells_the_reason_of_the_office_only(public):
    text = page_of(public, "/corrections/2")
    assert "the sheet says otherwise" in text
    assert "the loser says so" not in text
    assert "Nothing was changed." in text


def test_nobody_is_named_who_asked_or_decided(public):
    for url in ("/corrections", "/corrections/1", "/corrections/2"):
        for form in ("", ".json", ".csv"):
            text = public.get(url + form).content.decode()
            assert OFFICER.actor not in text
            assert PLAYER.actor not in text
    for url in ("/corrections.atom", "/corrections.feed.json"):
        text = public.get(url).content.decode()
        assert OFFICER.actor not in text
        assert PLAYER.actor not in text


def test_feeds_tell_each_fact_once(public):
    atom = ElementTree.fromstring(public.get("/corrections.atom").content)
    name = "{http://www.w3.org/2005/Atom}"
    titles = [each.findtext(f"{name}title") for each in atom.iter(f"{name}entry")]
    assert titles[:2] == ["Correction 2: refused", "Correction 2: asked"]
    assert titles[-1] == "Correction 1: asked"
    text = "".join(each.findtext(f"{name}content", "") for each in atom.iter(f"{name}entry"))
    assert REASON in text
    assert "the loser says so" not in text
    links = [each.get("href") for each in atom.iter(f"{name}link")]
    assert links[0] == "http://localhost/corrections/2"
    said = json.loads(public.get("/corrections.feed.json").content)
    assert said["version"] == "https://jsonfeed.org/version/1.1"
    assert len(said["items"]) == len(titles)


def test_who_is_suppressed_is_not_named_in_old_corrections(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    assert "Bravo, Ben" in client.get("/corrections/1").content.decode()
    suppress(home, 2, "asked for it", OFFICER)
    for url in ("/corrections", "/corrections/1", "/corrections/1.json", "/corrections.atom"):
        text = client.get(url).content.decode()
        assert "Ben" not in text, url
        assert "…" in text, url
        # What is said of a game has no number of whoever is named, but for who played it.
        assert ("Player 2" in text) == url.startswith("/corrections/1"), url


def test_an_office_without_corrections_says_so(browser):
    assert "Nothing was asked" in page_of(browser, "/corrections")
    assert "Nothing is published yet" in page_of(browser, "/lists")


def test_pages_name_all_corrections_that_a_number_needs(office_with_lists, tmp_path):
    """Two of one run, each of which moves it by less than is published."""
    home, client = copied(office_with_lists, tmp_path)
    setup.add_pool("club", "elo", OFFICER)
    ratings = {"701": 2001, "702": 1990, "703": 1800, "704": 1700, "705": 1600, "706": 1500}
    lines = ["id,rating,games", *(f"{number},{rating},40" for number, rating in ratings.items())]
    opening = tmp_path / "opening.csv"
    opening.write_text("\n".join(lines) + "\n")
    imports.import_file(home, opening, "national", OFFICER, "club")
    for name, day in (("Club Winter", "2026-01-10"), ("Club Spring", "2026-02-20")):
        path = write(tmp_path, f"{day}.json", document(name, day, {("1", "2"): "1-0"}, PEOPLE))
        who = on(OFFICER, date(2026, 2, 21))
        options = receive.Options(another=True, pool="club")
        received, _ = receive.receive_all(home, [path], who, options)
        assert received[0].state == "ready"
    publish(home, "club", date(2026, 3, 1))
    first, second = (held(home, asking.game(5, number, "0-1")) for number in (2, 14))
    publish(home, "club", date(2026, 3, 1), date(2026, 5, 7))
    pool = "club"
    text = page_of(client, f"/players/5/changes/{pool}/2026-02-20", more=FIRST + 20)
    caption = text.partition("<caption>Revised")[2].partition("</caption>")[0]
    for number in (first, second):
        assert f"by correction {number}" in caption
    for number, other in ((first, second), (second, first)):
        page = client.get(f"/corrections/{number}.json").json()
        assert next(x["together"] for x in page["movers"] if x["person"] == 5) == [other]
    corrected, club = corrections_of(5, versions_of(5)), m.Pool.objects.get(name="club").id
    assert corrected[0][club, "2026-02-20"] == (first, second)
    assert [each.number for each in corrected[1][club]] == [second, first]


def test_all_that_is_asked_of_a_game_stands_before_and_after(office_with_lists, tmp_path):
    """A result, the colours and for whom it is rated; an officer compares exactly this."""
    home, client = copied(office_with_lists, tmp_path)
    number = corrections.ask(
        home, [asking.game(2, 1, "0-1", "white", swap=True)], REASON, on(OFFICER, date(2026, 5, 4))
    ).id
    (game,) = client.get(f"/corrections/{number}.json").json()["games"]
    white, black = game["white"], game["black"]
    assert (game["was"], game["now"]) == ("1–0", "0–1")
    assert game["before"] == [f"White: {white}", "rated for both"]
    assert game["after"] == [f"White: {black}", f"rated for {white} only"]
    shown = running.correction(home, number, with_preview=False)
    assert shown is not None
    assert [(x.before, x.after) for x in shown.games] == [
        (tuple(game["before"]), tuple(game["after"]))
    ]
    corrections.accept(home, number, on(OFFICER, date(2026, 5, 4)))
    (later,) = client.get(f"/corrections/{number}.json").json()["games"]
    assert later == game
    # Taken back again, it is told as it took effect.
    held_back = corrections.ask(
        home, corrections.taking_back(number), REASON, on(OFFICER, date(2026, 5, 4))
    ).id
    corrections.accept(home, held_back, on(OFFICER, date(2026, 5, 4)))
    assert client.get(f"/corrections/{number}.json").json()["games"] == [game]


def test_what_was_taken_back_says_so_wherever_it_stands(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    number = held(home, asking.game(2, 1, "0-1"))
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 7))
    back = held(home, *corrections.taking_back(number))
    assert "taken back by:" not in client.get("/events/2").content.decode()
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 8))
    pages = {each: client.get(f"/corrections/{each}.json").json() for each in (number, back)}
    assert pages[number]["taken_back_by"] == [back]
    assert pages[back]["takes_back"] == [number]
    assert f'taken back by: <a class="corr" href="/corrections/{back}">' in page_of(
        client, f"/corrections/{number}", more=FIRST
    )
    assert f'taken back by: <a class="corr" href="/corrections/{back}">' in page_of(
        client, "/events/2", more=FIRST
    )
    shown = running.correction(home, number, with_preview=False)
    assert shown is not None
    assert [(each.number, each.way) for each in shown.beside] == [(back, "takes back")]


def test_a_reason_of_the_program_is_nobodys_words(office_with_lists, tmp_path):
    """Whose request is open again as its partner was taken back has done nothing."""
    home, client = copied(office_with_lists, tmp_path)
    first, second = (
        corrections.ask(home, [asking.game(2, 1, "0-1")], REASON, on(who, date(2026, 5, 4))).id
        for who in (PLAYER, OFFICER)
    )
    corrections.reject(first, "I was wrong", on(PLAYER, date(2026, 5, 5)))
    corrections.accept(home, second, on(OFFICER, date(2026, 5, 5)))
    steps = client.get(f"/corrections/{second}.json").json()["steps"]
    said = {x["what"]: (x["by"], x["is_by_program"]) for x in steps}
    assert said["joined to an earlier request"] == ("office", True)
    assert said["open again"] == ("", True)
    assert said["asked"] == ("office", False)
    text = page_of(client, f"/corrections/{second}", more=FIRST)
    assert "The reason as it was given, open again" not in text
    assert f"Open again, 5 May 2026: correction {first} was taken back by who asked for it." in text


def test_pools_have_their_own_largest_differences(public):
    """Go and chess have nothing to do with each other."""
    (known,) = shown_corrections.entries(1, 1)[0].largest
    assert (known.pool, known.difference, known.decimals) == ("standard", 15, 0)
    both = (shown_corrections.Largest("go", 30.05, 3), known)
    assert in_pools(both, ["go", "standard"]) == "30.050 (<bdi>go</bdi>), 15 (<bdi>standard</bdi>)"
    lines = [replace(shown_corrections.entries(1, 1)[0], largest=some) for some in (both, ())]
    register = shown_corrections.Register(tuple(lines), 1, 1, 2)
    text = render_to_string("site/corrections.html", {"page": register})
    assert '<bdi class="quiet">go</bdi> ±30.050<br><bdi class="quiet">standard</bdi> ±15<' in text
    _, rows = shown_corrections.index_table(lines)
    assert rows[0][-2:] == ("30.05; 15", "go; standard")


def test_no_line_of_a_page_ends_within_a_result(office_with_lists, tmp_path):
    """Phones are narrow; a file has the result as it is."""
    home, client = copied(office_with_lists, tmp_path)
    number = held(home, asking.game(2, 1, "1/2-1/2"))
    for address in ("/corrections", f"/corrections/{number}"):
        page = client.get(address).content.decode()
        assert "½\u2060–\u2060½ instead of 1\u2060–\u20600" in page
        assert "\u2060" not in client.get(f"{address}.json").content.decode()


def test_the_register_writes_a_difference_as_the_correction_itself_does(
    office_with_lists, tmp_path
):
    """With the decimals of its pool: 30.050, not 30.05."""
    home, client = copied(office_with_lists, tmp_path)
    number = held(home, asking.game(3, 1, "0-1"))
    publish(home, "go", date(2026, 4, 12), date(2026, 5, 7))
    page = client.get(f"/corrections/{number}.json").json()
    entry = client.get("/corrections.json").json()["entries"][0]
    assert entry["largest"] == page["entry"]["largest"]
    (known,) = shown_corrections.entries(0, 1)[0].largest
    assert known.decimals == 3
    line = replace(shown_corrections.entries(0, 1)[0], largest=(replace(known, difference=30.05),))
    register = shown_corrections.Register((line,), 1, 1, 1)
    assert ">±30.050<" in render_to_string("site/corrections.html", {"page": register})
