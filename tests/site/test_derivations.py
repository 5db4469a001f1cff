"""Where a number leads to its derivation there is one, whoever was merged or taken out since."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from django.test import Client

from ratingbook.office.acts import asking, corrections, explain, lists, people
from ratingbook.office.home import Home
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from tests.site.pages import copied
from tests.site.published import OFFICER, PEOPLE, on, publish

NEWEST = "/lists/standard/2026-05-01"


@pytest.fixture
def there(office_with_lists: Home, tmp_path: Path) -> tuple[Home, Client]:
    return copied(office_with_lists, tmp_path)


def derivations(client: Client) -> dict[str, tuple[str, int]]:
    """All explanations that lists, events and players lead to, from where, and their answers."""
    pages = [
        f"/lists/{each.pool.name}/{each.date}/r{each.revision}{more}"
        for each in m.List.objects.select_related("pool") for more in ("", "/changes")
    ]  # fmt: skip
    pages += [f"/events/{each}" for each in m.Report.objects.values_list("id", flat=True)]
    pages += [f"/players/{each}" for each in range(1, len(PEOPLE) + 1)]
    found = {}
    for page in pages:
        text = client.get(page, follow=True).content.decode()
        for address in re.findall(r'href="(/players/\d+/changes/[^"]+)"', text):
            if address not in found:
                found[address] = page, client.get(address).status_code
    return found


def lost(client: Client) -> dict[str, tuple[str, int]]:
    return {to: of for to, of in derivations(client).items() if of[1] != 200}


def test_of_two_who_were_merged_each_has_the_own_derivations_until_a_run(there):
    home, client = there
    before = derivations(client)
    listed = lists.list_named("standard@2026-05-01")
    was = client.get("/events/2.json").json()["section"]["lines"]
    people.merge(6, 5, "one person", OFFICER)
    after = derivations(client)
    assert {each for each in before if each.startswith("/players/6/changes/standard/")} <= set(
        after
    )
    assert lost(client) == {}
    # What was published of the event is there as before, under the numbers that the run knew.
    assert client.get("/events/2.json").json()["section"]["lines"] == was
    player = client.get("/players/5.json").json()
    assert [(each["number"], each["pool"]) for each in player["apart"]] == [
        (6, "standard"), (6, "go"),
    ]  # fmt: skip
    page = client.get("/players/5").content.decode()
    assert "standard has number 6, who is the same person, still apart, with " in page
    assert explain.explain(home, 6, listed).rows[-1].row.id == "6"
    publish(home, "standard", date(2026, 6, 1))
    assert [each["pool"] for each in client.get("/players/5.json").json()["apart"]] == ["go"]
    assert lost(client) == {}


def test_a_list_of_after_a_merge_says_who_somebody_is_on_it(there):
    home, _ = there
    # Who was merged was nobody in the pool.
    extra, _ = people.add_person(NewPerson("Foxtrot, Faye"), "again", OFFICER)
    people.merge(extra, 6, "one person", OFFICER)
    publish(home, "standard", date(2026, 6, 1))
    listed = lists.list_named("standard@2026-06-01")
    found = explain.explain(home, extra, listed)
    assert found.rows[-1].row.id == "6"
    assert [each.code for each in found.findings] == ["office.merged-person"]


def test_what_was_taken_out_is_explained_by_the_lists_that_have_it_alone(there):
    home, client = there
    lines = client.get("/events/2.json").json()["section"]["lines"]
    took = [f"/players/{line['person']}/changes/standard/{line['key']}" for line in lines]
    assert set(took) <= set(derivations(client))
    asked = corrections.ask(home, [asking.event("2", "withdraw")], "it was none", OFFICER)
    corrections.accept(home, asked.id, on(OFFICER, date(2026, 5, 10)))
    publish(home, "standard", date(2026, 6, 1))
    assert {client.get(each).status_code for each in took} == {404}
    assert client.get(f"{NEWEST}/r3").status_code == 200
    assert lost(client) == {}
    of_then = lists.list_named("standard@2026-05-01r2").id
    text = client.get(f"{NEWEST}/r2").content.decode()
    for each in took:
        assert f'href="{each}?list={of_then}" rel="nofollow"' in text
        told = client.get(f"{each}?list={of_then}").content.decode()
        # Who looks for the last one among the results of now finds an older one.
        last = client.get(f"/api/v1{each.partition('/changes')[0]}/lists/{of_then}").json()
        assert (last["key"], last["then"]["holds"]) == (each.rpartition("/")[2], False)
        assert "By now nothing of this player is rated there." in told
        assert "Spring Open" in told
