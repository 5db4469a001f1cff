"""Pages of a correction that went on the next list: what was rated stays, and sums come out."""

from __future__ import annotations

import csv
import io
import re
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.template.loader import render_to_string
from django.test import Client

from ratingbook.office.acts import asking, corrections, notices, setup
from ratingbook.office.home import Home
from ratingbook.site.shown import own
from tests.site.pages import copied
from tests.site.published import OFFICER, on, publish

POOL, AUTUMN = "go", 4
NEW = date(2026, 5, 20)


class Corrected(NamedTuple):
    """An office in which a correction went on the next list, and waits for a run."""

    home: Home
    client: Client
    correction: int
    before: dict[int, Any]
    """The pages of players as they were, as data."""


@pytest.fixture
def there(office_with_lists: Home, tmp_path: Path) -> Corrected:
    """A draw in the place of a win in the Go Autumn is put on the next list."""
    home, client = copied(office_with_lists, tmp_path)
    setup.set_policies("go", {"corrections": "next_list"}, "", OFFICER)
    asked = corrections.ask(home, [asking.game(AUTUMN, 1, "1/2-1/2")], "jigo", OFFICER)
    accepted = corrections.accept(home, asked.id, on(OFFICER, date(2026, 5, 10)))
    assert accepted.holds
    before = {each: said(client, f"/players/{each}.json?pool={POOL}") for each in (1, 2, 3)}
    return Corrected(home, client, asked.id, before)


def said(client, address):
    return client.get(address).json()


def text(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, address
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_an_accepted_correction_is_not_laid_over_what_is_published(there):
    games = said(there.client, f"/events/{AUTUMN}.json")["section"]["lines"]
    assert {cell["result"] for cell in games[0]["cells"][0]} == {"1"}
    assert said(there.client, "/lists/go/2026-04-12.json")["added"] == []


def test_the_event_and_its_explanation_stand_as_they_were_rated(there):
    key = there.before[1]["results"][0]["key"]
    address = f"/players/1/changes/{POOL}/{key}"
    before = said(there.client, f"{address}.json")
    publish(there.home, "go", NEW)
    after = said(there.client, f"{address}.json")
    assert (after["games"], after["score"]) == (before["games"], before["score"])
    assert (after["sum"], after["sentence"]) == (before["sum"], before["sentence"])
    [note] = after["otherwise"]
    assert note["correction"] == there.correction
    assert note["value"] < 0
    page = text(there.client, address)
    assert f"Correction {there.correction} says otherwise of a game" in page
    assert "was added with the list of 20 May 2026" in page
    # Whom the game did not concern is told nothing.
    assert said(there.client, f"/players/3/changes/{POOL}/{key}.json")["otherwise"] == []
    event = said(there.client, f"/events/{AUTUMN}.json")
    line = event["section"]["lines"][0]
    assert (line["points"], line["cells"][0][0]["result"]) == (5, "1")
    [corrected] = event["corrections"]
    [added] = corrected["added"]
    assert [each["person"] for each in added["differences"]] == [1, 2]
    page = text(there.client, f"/events/{AUTUMN}")
    assert "rated again" not in page
    assert "The event stands here as it was rated. With the list of 20 May 2026 were added:" in page


def test_a_number_is_revised_by_what_made_it_another_one_alone(there):
    """Another correction, of the same player, went on a list and changed nothing there."""
    publish(there.home, "go", NEW)
    keys = [each["key"] for each in said(there.client, "/players/1.json?pool=standard")["results"]]
    for key in keys:
        address = f"/players/1/changes/standard/{key}"
        shown = said(there.client, f"{address}.json")
        assert [each["number"] for each in shown["corrections"]] == [1]
        assert shown["since"]
        page = text(there.client, address)
        assert "revised by correction 1" in page
        assert f"by correction {there.correction}" not in page
    key = there.before[1]["results"][0]["key"]
    assert said(there.client, f"/players/1/changes/{POOL}/{key}.json")["corrections"] == []
    assert "revised by" not in text(there.client, f"/players/1/changes/{POOL}/{key}")


def test_the_difference_is_a_line_of_its_own_and_sums_come_out(there):
    publish(there.home, "go", NEW)
    for person in (1, 2):
        now = said(there.client, f"/players/{person}.json?pool={POOL}")
        line, *before = now["results"]
        assert before == there.before[person]["results"]
        assert line["differences"][0]["correction"] == there.correction
        assert line["before"] == before[0]["after"]
        assert line["after"] == round(line["before"] + line["change"], 3)
        assert line["change"] == line["differences"][0]["value"] != 0
        [rating] = [each for each in now["pools"] if each["pool"] == POOL]
        assert (rating["now"], rating["last"]["change"]) == (line["after"], line["change"])
        [told] = [each for each in now["corrections"] if each["number"] == there.correction]
        assert told["revised"] == 0
        rows = list(csv.DictReader(io.StringIO(
            there.client.get(f"/players/{person}.csv").content.decode()
        )))  # fmt: skip
        assert rows[-1]["events"] == f"correction {there.correction}, on a list"
        assert float(rows[-1]["change"]) == line["change"]
    page = text(there.client, f"/players/1?pool={POOL}")
    assert f"Correction {there.correction}, beside all games with the list of 20 May 2026" in page
    assert (
        said(there.client, f"/players/3.json?pool={POOL}")["results"] == there.before[3]["results"]
    )


def test_the_list_says_what_was_added_with_it(there):
    publish(there.home, "go", NEW)
    address = f"/lists/go/{NEW}"
    assert [each["person"] for each in said(there.client, f"{address}.json")["added"]] == [1, 2]
    page = text(there.client, address)
    assert f"Correction {there.correction} went on this list" in page
    assert said(there.client, "/lists/go/2026-04-12.json")["added"] == []
    publish(there.home, "go", date(2026, 6, 20))
    assert said(there.client, "/lists/go/2026-06-20.json")["added"] == []


def test_what_follows_goes_from_the_difference_on(there):
    """A line between two results leads from the one number to the other."""
    publish(there.home, "go", NEW)
    back = corrections.taking_back(there.correction)
    asked = corrections.ask(there.home, back, "no jigo", OFFICER)
    corrections.accept(there.home, asked.id, on(OFFICER, date(2026, 5, 25)))
    publish(there.home, "go", date(2026, 6, 20))
    second, first, *before = said(there.client, f"/players/1.json?pool={POOL}")["results"]
    assert second["before"] == first["after"]
    assert second["after"] == first["before"] == before[0]["after"]
    assert second["change"] == -first["change"]
    games = said(there.client, f"/events/{AUTUMN}.json")["section"]["lines"]
    assert games[0]["cells"][0][0]["result"] == "1"


def test_an_event_that_was_taken_out_on_the_next_list_stands_as_it_was_rated(there):
    before = said(there.client, f"/events/{AUTUMN}.json")["section"]["lines"]
    out = [asking.event(str(AUTUMN), "withdraw")]
    asked = corrections.ask(there.home, out, "it was none", OFFICER)
    accepted = corrections.accept(there.home, asked.id, on(OFFICER, date(2026, 5, 11)))
    publish(there.home, "go", NEW)
    assert accepted.preview.reaches[0].made is not None
    event = said(there.client, f"/events/{AUTUMN}.json")
    assert event["section"]["lines"] == before
    [corrected] = [each for each in event["corrections"] if each["number"] == asked.id]
    sums = {each["person"]: each["value"] for each in corrected["added"][0]["differences"]}
    for person, value in sums.items():
        rows = said(there.client, f"/players/{person}.json?pool={POOL}")["results"]
        [line] = [each for each in rows if each["differences"]]
        values = {each["correction"]: each["value"] for each in line["differences"]}
        assert values[asked.id] == value
        # Each published number was rounded by itself, and lines lead from one to the next.
        assert abs(line["change"] - sum(values.values())) < 0.0015
        for newer, older in pairwise(rows):
            assert newer["before"] == older["after"]


def test_numbers_are_those_of_lists_where_several_come_at_once(there):
    """What each would have made by itself is no peak, and no number before or after."""
    back = corrections.taking_back(there.correction)
    asked = corrections.ask(there.home, back, "no jigo", OFFICER)
    corrections.accept(there.home, asked.id, on(OFFICER, date(2026, 5, 12)))
    publish(there.home, "go", NEW)
    for person in (1, 2):
        before, now = (
            there.before[person],
            said(there.client, f"/players/{person}.json?pool={POOL}"),
        )
        line, *others = now["results"]
        assert others == before["results"]
        assert [x["correction"] for x in line["differences"]] == [there.correction, asked.id]
        assert line["before"] == line["after"] == others[0]["after"]
        assert (line["day"], line["change"]) == (str(NEW), 0)
        for one, then in zip(now["pools"], before["pools"], strict=True):
            assert (one["peak"], one["peak_day"]) == (then["peak"], then["peak_day"])
        assert now["history"]["peak"] == before["history"]["peak"]
    page = text(there.client, f"/players/1?pool={POOL}")
    for number in (there.correction, asked.id):
        assert f"Correction {number}, beside all games" in page


def test_the_day_of_a_difference_is_that_of_its_list(there):
    """It counts from the day after what was published, and nobody saw a number of that day."""
    later = date(2026, 8, 1)
    publish(there.home, "go", later)
    for person in (1, 2):
        now = said(there.client, f"/players/{person}.json?pool={POOL}")
        line = now["results"][0]
        assert line["day"] == line["differences"][0]["list_day"] == str(later)
        assert line["differences"][0]["day"] < line["day"]
        [rating] = [each for each in now["pools"] if each["pool"] == POOL]
        if rating["peak"] == line["after"] > line["before"]:
            assert rating["peak_day"] == str(later)


def test_pages_say_with_which_list_an_accepted_one_comes(there):
    page = text(there.client, f"/corrections/{there.correction}")
    assert "with the first list from 13 Apr 2026 on 2 players get the difference" in page
    assert "The first list from 13 Apr 2026 on has it." in page
    assert "next run" not in page
    steps = re.findall(r"(Asked|Approved|Accepted|Put on the next list)", page)
    assert steps == ["Asked", "Approved", "Accepted", "Put on the next list"]


def test_a_mail_has_the_number_that_is_published(there):
    """With all the decimals of the pool."""
    notices.set_contact("person:1", "p1@club.invalid", "each", OFFICER)
    publish(there.home, "go", NEW)
    notices.send(there.home, OFFICER)
    [mail] = (there.home.folder / "mail").iterdir()
    line = said(there.client, f"/players/1.json?pool={POOL}")["results"][0]
    assert f"is {line['after']:.3f}; it was {line['before']:.3f}." in mail.read_text()


def test_own_results_tell_what_a_list_brings(there):
    """Also before it is out; the event stands there as it was rated."""
    for list_day in (None, NEW):
        if list_day:
            publish(there.home, "go", NEW)
        event = own.own_event(1, "nobody", AUTUMN)
        assert event is not None
        [added] = event.added
        assert (added.correction, added.decimals) == (there.correction, 3)
        assert (added.list_day, added.is_waiting) == (list_day, list_day is None)
        shown = render_to_string("site/my_results.html", {"own": own.results(1, "nobody")})
        words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", shown))
        value = f"−{abs(added.value):.3f}"
        assert added.value < 0
        assert (
            f"the list of 20 May 2026 brought {value} by correction" in words if list_day
            else f"the first list from 13 Apr 2026 on brings {value} by correction" in words
        )  # fmt: skip
