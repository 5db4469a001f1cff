"""The register: what was decided and changed, and nobody's name who asked or decided."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from xml.etree import ElementTree

from ratingbook.office.acts import asking, corrections, imports, people, receive, register, setup
from ratingbook.office.acts.published import ratings_now, versions_of
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from ratingbook.site.shown.corrected import corrections_of
from tests.office.reports import document, write
from tests.site.pages import FIRST, copied, page_of
from tests.site.published import OFFICER, PEOPLE, PLAYER, REASON, on, publish


def test_the_register_has_each_correction_and_its_state(public):
    text = page_of(public, "/corrections")
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
        assert not each["with_reports"]
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 7))
    text = page_of(client, f"/corrections/{number}", more=FIRST)
    assert "with other reports of the same run" in text
    after = client.get(f"/corrections/{number}.json").json()
    assert after["largest"] == page["largest"]
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
    row = next(x for x in entry if x["person"] == 1 and x["with_reports"])
    pool = m.Pool.objects.get(name="standard").id
    text = page_of(client, f"/players/1/changes/{pool}/{row['batch']}", more=FIRST + 20)
    caption = text.partition("<caption>Revised")[2].partition("</caption>")[0]
    assert f"by correction {number}" in caption
    assert "came late: Late Open" in caption


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
    text = page_of(client, f"/corrections/{first}", more=FIRST)
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
    assert entry["largest"] == max(x["largest"] for x in page["movers"])
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


def test_an_event_that_was_taken_out_says_by_which_correction(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    number = held(home, asking.event("2", "withdraw"))
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 7))
    assert f'href="/corrections/{number}"' in client.get("/events/2").content.decode()
    page = client.get(f"/corrections/{number}.json").json()
    # What the event had brought is gone, so the largest difference is the largest of its changes.
    assert page["largest"] == max(abs(x["after"] - x["before"]) for x in page["movers"]) > 0
    assert client.get("/corrections.json").json()["entries"][0]["largest"] == page["largest"]


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


def test_who_played_after_all_has_the_correction_on_the_own_page(office_with_lists, tmp_path):
    """A first row in an event that was published before is one that the register names."""
    home, client = copied(office_with_lists, tmp_path)
    new = people.add_person(NewPerson("Golf, Gus"), "", OFFICER)[0]
    number = held(home, asking.player(3, "6", new))
    publish(home, "go", date(2026, 4, 12), date(2026, 5, 7))
    both = {x["person"] for x in client.get(f"/corrections/{number}.json").json()["movers"]}
    assert {6, new} <= both
    pool = m.Pool.objects.get(name="go").id
    for person in (6, new):
        text = page_of(client, f"/players/{person}?pool={pool}", more=FIRST)
        reached = text.partition("Corrections that reached these ratings")[2]
        assert f"/corrections/{number}" in reached, person
    row = page_of(client, f"/players/{new}", more=FIRST).partition("<tbody>")[2]
    assert f'<a class="corr only" href="/corrections/{number}"' in row
    assert "1 number of this player was revised" in row


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
    pool = m.Pool.objects.get(name="club").id
    text = page_of(client, f"/players/5/changes/{pool}/2026-02-20", more=FIRST + 20)
    caption = text.partition("<caption>Revised")[2].partition("</caption>")[0]
    for number in (first, second):
        assert f"by correction {number}" in caption
    for number, other in ((first, second), (second, first)):
        page = client.get(f"/corrections/{number}.json").json()
        assert next(x["together"] for x in page["movers"] if x["person"] == 5) == [other]
    corrected = corrections_of(5, versions_of(5))
    assert corrected[0][pool, "2026-02-20"] == (first, second)
    assert [each.number for each in corrected[1][pool]] == [second, first]
