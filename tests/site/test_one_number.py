"""One published number of a player everywhere: list, page, results and explanation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import date
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils.translation import override

from ratingbook.office.acts import setup
from ratingbook.office.acts.explain import explain
from ratingbook.office.demo import play, world
from ratingbook.office.home import Home
from ratingbook.office.store import models as m
from ratingbook.site.shown import explanations, statistics
from ratingbook.site.shown.beside_games import as_first_begun, marked, revised_with
from ratingbook.site.shown.explanations import View, explanation
from ratingbook.site.shown.players import Reform, Result
from tests.site.offices import TINA, publish_match
from tests.site.people import nobody


def played(folder: Path, first: int, pools: list[str], **policies: str) -> Iterator[Home]:
    """Two years of some pools of the demonstration."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world, "FIRST_YEAR", first)
        patch.setattr(world, "YEARS", 2)
        if policies:
            plans = [replace(each, policies=tuple(policies.items())) for each in world.PLANS]
            patch.setattr(world, "PLANS", plans)
            # An older program took policies that no rating of the rules can have.
            patch.setattr(setup, "_refuse_of_no_rating", lambda *_: None)
        play.play(folder, pools=pools)
    yield setup.open_office(folder)
    from django.db import connections

    connections.close_all()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """With the reform of FIDE's ratings between the years."""
    folder = tmp_path_factory.mktemp("demo") / "office"
    yield from played(folder, 2023, ["regular", "standard"], decimals="2")


@pytest.fixture
def browser(demo: Home) -> Client:
    setup.open_office(demo.folder)
    return nobody()


@pytest.fixture(scope="module")
def go(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """Before and after April 2021, when lists got three decimals."""
    yield from played(tmp_path_factory.mktemp("go") / "office", 2020, ["go"])


@pytest.fixture
def goban(go: Home) -> Client:
    setup.open_office(go.folder)
    return nobody()


def said(browser: Client, path: str) -> Any:
    return json.loads(browser.get(path).content)


def text_of(browser: Client, path: str) -> str:
    page = browser.get(path, headers={"accept-language": "en"}).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def pool_of(browser: Client, name: str) -> dict[str, Any]:
    return next(each for each in said(browser, "/api/v1/pools") if each["name"] == name)


def results_of(browser: Client, person: int, pool: str) -> list[dict[str, Any]]:
    """The oldest first."""
    found = said(browser, f"/players/{person}.json?pool={pool}")["results"]
    return [each for each in found if each["pool"] == pool][::-1]


def test_us_chess_publishes_whole_numbers_whatever_the_pool_wants(browser):
    pool = pool_of(browser, "regular")
    assert pool["decimals"] == 0
    on_list = said(browser, "/lists/regular/2025-01-01.json")["lines"]
    assert on_list
    for row in on_list:
        own = results_of(browser, row["person"], "regular")
        for each, following in pairwise(own):
            assert each["after"] == following["before"]
        assert own[-1]["after"] == row["rating"] == int(row["rating"])


def test_a_sum_goes_on_with_the_decimals_that_go_on(browser):
    """For the office; the public sees what comes of the printed numbers, and where that ends."""
    pool = "regular"
    seen = 0
    for person in range(1, 41):
        for each in results_of(browser, person, pool)[-1:]:
            path = f"/players/{person}/changes/{pool}/{quote(each['key'])}"
            told = said(browser, f"{path}.json")
            if told["is_of_printed"]:
                assert "Reckoned from the ratings that lists print" in text_of(browser, path)
                assert "published" not in {term["label"] for term in told["sum"]}
                assert (told["before"], told["after"]) == (each["before"], each["after"])
            why = explanation(person, pool, each["key"], View.office)
            assert not why.is_of_printed
            terms = {term.label: term for term in why.sum}
            if "published" not in terms:
                continue
            seen += told["is_of_printed"]
            assert float(terms["published"].result) == each["after"] == why.after
            text = terms["new rating"].text
            before, change = re.split(" [+−] ", text.rstrip(" =≈"))
            change = float(change) * (-1 if "−" in text else 1)
            assert float(before) + change == pytest.approx(
                float(terms["new rating"].result), abs=0.002
            )
            assert any("published as" in text for x in why.paragraphs for text in x.said)
    assert seen


def test_a_reform_is_a_step_of_who_was_reformed(browser):
    pool = "standard"
    seen = 0
    for person in range(1, 41):
        page = said(browser, f"/players/{person}.json?pool={pool}")
        now = next((each for each in page["pools"] if each["pool"] == pool), None)
        if now is None or now["peak"] is None:
            continue
        assert now["peak"] >= now["official"]
        own = results_of(browser, person, pool)
        assert own[-1]["after"] == now["official"]
        for each, following in pairwise(own):
            assert each["after"] == following["before"]
        for each in own:
            if each["reform"] is None:
                continue
            seen += 1
            assert (each["day"], each["key"], each["games"], each["events"]) == (
                "2024-03-01",
                "",
                0,
                [],
            )
            assert each["change"] > 0
            said_there = text_of(browser, f"/players/{person}?pool={pool}")
            assert "Change of all ratings: standard ratings below 2000 lifted" in said_there
            address = f"/rules/{each['reform']['edition']}"
            assert f'id="{each["reform"]["anchor"]}"' in browser.get(address).content.decode()
            points = [(row["day"], row["after"]) for row in page["history"]["rows"]]
            assert (each["day"], each["after"]) in points
    assert seen


def test_the_explanation_of_a_number_on_a_list_ends_at_it_through_a_reform(demo, browser):
    one = m.List.objects.filter(pool__name="standard", date__gt=date(2024, 3, 1)).earliest("date")
    lines = said(browser, f"/lists/standard/{one.date}.json")["lines"]
    seen = 0
    for row in lines:
        person, number = row["person"], row["rating"]
        told = said(browser, f"/api/v1/players/{person}/lists/{one.id}")
        if "after" not in told:
            assert told["findings"][0]["code"] == "office.no-change"
            continue
        found = explain(demo, person, one)
        assert [dict(x, day=date.fromisoformat(x["day"])) for x in told["reforms"]] == [
            asdict(each) for each in found.reforms
        ]
        if not found.reforms:
            assert told["after"] == found.listed[-1].after == number
            continue
        seen += 1
        assert told["reforms"][0]["before"] == told["after"] == found.listed[-1].after != number
        assert told["reforms"][-1]["after"] == found.rows[-1].explanation[-1].value == number
        assert told["paragraphs"][-1]["number"] == told["reforms"][-1]["paragraph"]
        assert told["paragraphs"][-1]["title"]
        last = text_of(browser, f"/players/{person}/changes/standard/{told['key']}?list={one.id}")
        assert "the rules changed all ratings once" in last
        assert f"became {number:.10g}" in last
    assert seen


def test_a_reform_comes_after_the_list_of_its_day(browser):
    pool = "standard"
    page = said(browser, "/lists/standard/2025-01-01/changes.json")
    person = page["lines"][0]["person"]
    own = said(browser, f"/api/v1/players/{person}/results?pool={pool}")["items"]
    assert [each["after"] for each in own[1:]] == [each["before"] for each in own[:-1]]


def test_no_batch_explains_a_change_that_a_reform_made_with_it(browser):
    page = said(browser, "/lists/standard/2025-01-01/changes.json")
    moved = {each["person"]: each["new"] - each["old"] for each in page["lines"]}
    assert len(page["batches"]) < len(moved)
    pool = page["pool"]
    for person, key in page["batches"].items():
        why = said(browser, f"/players/{person}/changes/{pool}/{key}.json")
        assert why["change"] == moved[int(person)]


def test_an_explanation_names_the_run_that_brought_the_number_with_its_day(public):
    runs = set()
    for key, pool in m.Batch.objects.values_list("key", "pool__name"):
        why = said(public, f"/players/1/changes/{pool}/{quote(key)}.json")
        fact = m.Publication.objects.get(run=why["run"]).fact
        assert str(m.Fact.objects.get(seq=fact).at.date()) == why["published"]
        runs.add(why["run"])
    assert len(runs) > 2


def test_a_rating_period_of_which_no_list_is_published_is_called_one(browser):
    lists = {day for (day,) in m.List.objects.filter(pool__name="standard").values_list("date")}
    events = said(browser, "/events.json")["rows"]
    one = next(each for each in events if each["pool"] == "standard")
    assert one["list_day"] not in {str(each) for each in lists}
    for path in ("/", f"/events/{one['report']}"):
        assert "rating period to" in text_of(browser, path)
        assert "list of" not in text_of(browser, path)


def test_numbers_of_lists_have_no_more_decimals_than_lists(public):
    items = said(public, "/api/v1/lists/go/2026-04-12/rows")["items"]
    changes = [each["change"] for each in items if each["change"]]
    assert changes
    assert changes == [round(each, 3) for each in changes]
    table = public.get("/players/1.csv").content.decode()
    assert "2001" in table
    assert not re.search(r"\d\.0(,|\r)", table)
    assert not re.search(r"\d\.0[,}]", public.get("/players/1.json").content.decode())


def test_games_of_five_years_are_told_as_such():
    short = statistics._activity((("2020-01", 3), ("2024-12", 4)))
    long = statistics._activity((("2019-12", 3), ("2024-12", 4)))
    assert short is not None
    assert long is not None
    assert short.says.startswith("7 rated games; most")
    assert long.says.startswith("4 rated games in the last five years; most")


@pytest.mark.parametrize(
    ("language", "said", "first"),
    [
        ("en", "most, 4, in March 2020", "most, 4, in March 2020, the first of 2 such months"),
        ("ru", "март 2020", "март 2020"), ("bg", "март 2020", "март 2020"),
        ("de", "März 2020", "März 2020"), ("zh-hans", "2020年3月", "2020年3月"),
    ],
)  # fmt: skip
def test_the_busiest_month_is_named_as_within_a_sentence(language, said, first):
    with override(language):
        one = statistics._activity((("2020-03", 4), ("2020-05", 3)))
        several = statistics._activity((("2020-03", 4), ("2020-05", 4)))
    assert one is not None
    assert several is not None
    assert said in one.says
    assert first in several.says
    assert not one.says.endswith(".")
    assert several.says != one.says


@pytest.mark.parametrize(("mean", "said"), [(1930.85, "1930.9"), (1930.84, "1930.8")])
def test_a_mean_is_the_same_number_in_the_sentence_the_table_and_the_files(
    public, monkeypatch, mean, said
):
    """The change is that of the numbers that are printed."""
    monkeypatch.setattr(statistics, "_exact_means", lambda lists: [(1, 1869.55, 4), (2, mean, 4)])
    statistics._means.cache_clear()
    lists = [(1, date(2025, 1, 1), 4), (2, date(2026, 1, 1), 4)]
    found = statistics._over_time(lists)
    statistics._means.cache_clear()
    assert found is not None
    assert f"{said} on 1 Jan 2026: +{float(said) - 1869.6:.1f}" in found.says
    assert [row[1] for row in found.rows] == [1869.6, float(said)]


def test_a_number_on_no_list_says_so_on_a_phone_too(office):
    setup.set_policies("club", {"lists": "by_hand"}, "lists come later", TINA)
    publish_match(office)
    page = nobody().get("/players/7", headers={"accept-language": "en"}).content.decode()
    assert re.search(r'<span class="sub">on no list · peak', page)
    assert "on no list</span></td>" in page


def test_results_name_their_pool(public):
    for pool in said(public, "/players/1.json")["pools"]:
        page = text_of(public, f"/players/1?pool={pool['pool']}")
        assert f"Results: {pool['pool']}" in page


def test_whom_one_met_is_one_number_for_a_result(public):
    """Go: who has no rating goes into the first event with that of the grade."""
    seen = 0
    for person in range(1, 7):
        for own in results_of(public, person, "go"):
            why = said(public, f"/players/{person}/changes/go/{quote(own['key'])}.json")
            event = said(public, f"/events/{own['events'][0]['report']}.json")["section"]
            (line,) = (each for each in event["lines"] if each["person"] == person)
            assert own["average"] == line["average"] == why["average"]
            # The number as it is on paper: of five ratings with three decimals.
            assert own["average"] in (None, round(own["average"] or 0, 4))
            for each in (own, line, why):
                before, after = (Decimal(repr(each[name] or 0)) for name in ("before", "after"))
                assert each["change"] is None or Decimal(repr(each["change"])) == after - before
            seen += own["before"] is None and own["average"] is not None
    assert seen


def test_the_last_result_of_a_pool_is_the_one_among_the_results(public):
    seen = 0
    for person in range(1, 7):
        page = f"/players/{person}.json"
        for pool in said(public, page)["pools"]:
            found = said(public, f"{page}?pool={pool['pool']}")
            (own,) = (each for each in found["pools"] if each["pool"] == pool["pool"])
            assert own["last"] == pool["last"] == found["results"][0]
            seen += own["last"]["average"] is not None
    assert seen


def test_what_if_begins_with_the_number_that_is_published(browser):
    """US Chess goes on with decimals and publishes none: 1168.518 became 1355, by +186.482."""
    pool = "regular"
    seen = 0
    for person in range(1, 21):
        known = said(browser, f"/players/{person}.json?pool={pool}")["pools"]
        now = next((each["now"] for each in known if each["pool"] == pool), None)
        if now is None:
            continue
        seen += 1
        form = f"/whatif?player={person}&rulebook=pool:regular"
        page = browser.get(form).content.decode()
        (rating,) = re.findall(r'name="rating" value="([^"]*)"', page)
        assert rating == f"{now:.0f}"
        answer = text_of(browser, f"{form}&rating={rating}&games=40&o1=1500&r1=1")
        assert re.search(rf"{rating} becomes \d+ \.", answer)
    assert seen


OTHER_DECIMALS = date(2021, 4, 1)


def test_a_number_on_a_list_is_a_result_also_where_lists_got_decimals(goban):
    """In a row of its own the number of before becomes that with decimals; no game made it."""
    pool, seen = "go", 0
    for day, places in ((date(2021, 1, 1), 0), (date(2022, 1, 1), 3)):
        for row in said(goban, f"/lists/go/{day}.json")["lines"]:
            assert row["rating"] == round(row["rating"], places)
            own = results_of(goban, row["person"], pool)
            for each, following in pairwise(own):
                assert each["after"] == following["before"]
            until = [each for each in own if each["day"] <= str(day)]
            assert until[-1]["after"] == row["rating"]
            assert [x["day"] for x in own if x["reform"]] in ([], [str(OTHER_DECIMALS)])
            seen += bool(until[-1]["reform"])
    assert seen


def test_numbers_have_the_decimals_of_their_day(goban):
    pool, seen = "go", 0
    person = next(
        row["person"] for row in said(goban, "/lists/go/2022-01-01.json")["lines"]
        if any(each["reform"] for each in results_of(goban, row["person"], pool))
    )  # fmt: skip
    page = text_of(goban, f"/players/{person}?pool={pool}")
    assert "Lists show more decimals from here on" in page
    assert ".000" not in page
    for each in results_of(goban, person, pool):
        if each["reform"]:
            assert f"{each['before']:.0f} " in page
            assert f"{each['after']:.3f}" in page
            address = f"/rules/{each['reform']['edition']}"
            assert f'id="{each["reform"]["anchor"]}"' in goban.get(address).content.decode()
            continue
        then = 3 if each["day"] >= str(OTHER_DECIMALS) else 0
        seen |= 1 << then
        written = f"{each['after']:.{then}f}"
        assert f" {written} " in page
        event = text_of(goban, f"/events/{each['events'][0]['report']}")
        assert f" {written} " in event
        assert then or not re.search(r"\d{4}\.\d\d", event)
        path = f"/players/{person}/changes/{pool}/{quote(each['key'])}"
        told = said(goban, f"{path}.json")
        assert (told["after"], told["decimals"]) == (each["after"], then)
        assert written in text_of(goban, path)
    assert seen == 0b1001


def test_no_batch_explains_a_change_with_other_decimals(goban):
    """The list of then was whole: its difference to the next one is that of no batch."""
    lines = said(goban, "/lists/go/2022-01-01/changes.json")["lines"]
    then = {x["person"]: x["rating"] for x in said(goban, "/lists/go/2021-01-01.json")["lines"]}
    page = goban.get("/lists/go/2022-01-01").content.decode()
    known = {each["person"] for each in lines} & then.keys()
    assert known
    for person in known:
        assert f'href="/players/{person}/changes/' not in page


def result(before: float | None, after: float | None) -> Result:
    return Result(
        pool="x", pool_number=1, key="k", day=date(2026, 1, 1), events=(), games=1, score=1.0,
        expected=None, average=None, performance=None, before=before, after=after, change=None,
        first=None, is_revised=False, is_published=True, corrections=(), decimals=0,
        decimals_before=0,
    )  # fmt: skip


def test_a_reform_of_a_number_that_a_correction_revised_is_revised_with_it():
    revised = replace(result(1800, 1892), first=1872.0, is_revised=True, corrections=(11,))
    reform = result(1892, 1935)
    after = revised_with(revised, reform)
    assert (after.is_revised, after.corrections) == (True, (11,))
    as_it_was = replace(result(1800, 1892), is_revised=True, corrections=(11,))
    assert revised_with(as_it_was, reform) == reform, "its score alone was corrected"


def test_what_was_published_first_after_a_reform_is_with_what_the_next_batch_began():
    by = Reform("fide-2024", "B.022", "b-022", "lifted", is_of_decimals=False)
    reform = replace(result(1431, 1659), reform=by, is_revised=True, corrections=(5,))
    assert as_first_begun(reform, 1665.0).first == 1665.0
    assert as_first_begun(reform, 1659.0).first is None
    assert as_first_begun(reform, None).first is None
    as_it_was = replace(reform, is_revised=False)
    assert as_first_begun(as_it_was, 1665.0).first is None


def test_a_result_that_begins_with_another_number_says_so():
    """As after the removal of who has not played for five years, of which the paragraph tells."""
    known = [result(None, None), result(700, 731), result(731, 740), result(800, 971),
             result(None, 900)]  # fmt: skip
    assert [each.follows for each in marked(known)] == [True, True, True, False, False]


def test_the_command_explains_a_number_of_then_with_the_decimals_of_then(go):
    setup.open_office(go.folder)
    one = m.List.objects.get(pool__name="go", date=date(2022, 1, 1))
    seen = 0
    for person in m.ListRow.objects.filter(list=one).values_list("person", flat=True):
        rated = m.Change.objects.filter(person=person, batch__pool=one.pool_id)
        first = rated.order_by("batch__day").values_list("batch__key", "batch__day").first()
        if first is None or first[1] >= OTHER_DECIMALS:
            continue
        told = explain(go, person, one, first[0])
        assert "office.explained-otherwise" not in {each.code for each in told.findings}
        numbers = [x for each in told.listed for x in (each.before, each.after) if x is not None]
        assert all(each.is_integer() for each in numbers)
        seen += 1
        if seen == 5:
            break
    assert seen


def test_an_event_names_the_edition_and_the_run_of_its_explanations(goban):
    """A later run is fed what was rated long ago, and leaves it as it is."""
    pool, runs = "go", set[int]()
    for report in m.Report.objects.order_by("id").values_list("id", flat=True):
        section = said(goban, f"/events/{report}.json")["section"]
        explained = [
            said(goban, f"/players/{line['person']}/changes/{pool}/{quote(line['key'])}.json")
            for line in section["lines"] if line["key"]
        ]  # fmt: skip
        assert {each["edition"] for each in explained} == {section["edition"]}
        assert max(each["run"] for each in explained) == section["run"]
        text = text_of(goban, f"/events/{report}")
        assert f"Rated by {section['edition']}, run {section['run']}," in text
        runs.add(section["run"])
    assert len(runs) > 1


def test_an_expected_score_stands_beside_the_rating_to_which_it_belongs(browser):
    pool, seen = "regular", 0
    for person in range(1, 41):
        for each in results_of(browser, person, pool)[-1:]:
            path = f"/players/{person}/changes/{pool}/{quote(each['key'])}"
            games = said(browser, f"{path}.json")["games"]
            used = [game for game in games if game["used"] is not None]
            if not used:
                continue
            seen += 1
            page = text_of(browser, path)
            assert "belongs to the opponent’s rating in brackets" in page
            for game in used:
                assert game["expected"] is not None
                assert f"{game['expected']:.2f} ({game['used']:.0f})" in page
    assert seen


def test_what_the_games_bring_is_the_printed_number():
    """Three changes of −1.2, which binary fractions make −3.5999999999999996."""
    brought = sum([-1.2] * 3)
    assert brought != -3.6
    assert explanations._printed(brought) == -3.6
