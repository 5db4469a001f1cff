"""What changes much at once asks first, and says what it does: undoing, and taking roles away."""

from __future__ import annotations

import re

from ratingbook.office.store import models as m
from tests.site.pages import as_read
from tests.site.people import signed_in

UNDO, USERS = "/desk/who/undo/", "/desk/users/"


def text(answer) -> str:
    return as_read(answer.content.decode())


def links_of(fact: int):
    return m.Link.objects.filter(fact=fact, revoked_by__isnull=True)


def test_many_links_are_undone_with_a_word_and_a_reason_wherever_it_is_pressed(office):
    """All entries of a published event were linked by one fact."""
    otto = signed_in("otto")
    fact, report = m.Link.objects.filter(entry__version__report=1)[0].fact, "First Open"
    count = links_of(fact).count()
    assert count > 1
    for path in ("/desk/", "/desk/who/"):
        page = text(otto.get(path))
        forms = re.findall(rf'<form class="inline" method="post" action="{UNDO}">.*?</form>', page)
        (form,) = [each for each in forms if f'name="fact" value="{fact}"' in each]
        assert f"all {count} of them" in form
        assert re.search(r'<input type="checkbox" name="all" value="yes" required>', form)
        assert re.search(r'<input [^>]*name="reason"[^>]* required>', form)
    given = {"fact": fact, "all": "yes", "reason": "another tournament"}
    for less in ({**given, "all": ""}, {**given, "reason": "  "}, {"fact": fact}):
        assert otto.post(UNDO, less).status_code == 422
        assert links_of(fact).count() == count
    assert otto.post(UNDO, given).status_code == 302
    assert not links_of(fact).exists()
    assert report in text(otto.get("/desk/"))
    assert m.Fact.objects.get(kind="undone").reason == "another tournament"


def ticked(page: str) -> set[str]:
    form = page[page.index('id="roles"') :]
    return set(re.findall(r'name="roles" value="(\w+)" checked', form))


def test_the_form_of_roles_comes_with_what_somebody_has(office):
    tina = signed_in("tina")
    for name in ("anna", "dirk", "tina"):
        page = text(tina.get(f"{USERS}?actor={name}"))
        has = m.Actor.objects.get(name=name)
        assert ticked(page) == set(has.roles)
        said = re.search(r'<input id="whose"[^>]*value="([^"]*)"', page)
        assert said
        assert said[1] == str(has.person or "")
    assert 'name="act" value="roles"' not in text(tina.get(USERS)), "nobody is chosen yet"


def test_all_roles_are_taken_away_by_an_act_that_says_so(office):
    tina = signed_in("tina")
    for name in ("anna", "dirk"):
        before = m.Actor.objects.values().get(name=name)
        refused = tina.post(USERS, {"act": "roles", "name": name})
        assert refused.status_code == 422
        assert "No role is ticked." in text(refused)
        assert m.Actor.objects.values().get(name=name) == before
    assert tina.post(USERS, {"act": "no roles", "name": "tina"}).status_code == 422
    done = tina.post(USERS, {"act": "no roles", "name": "dirk"}, follow=True)
    assert "dirk has no role any more." in text(done)
    assert m.Actor.objects.get(name="dirk").roles == []


def test_what_the_form_was_filled_with_stands_in_nobodys_way(office):
    """Anna, who is person 1, becomes a director: the number that stood there is not refused."""
    tina = signed_in("tina")
    form = {"act": "roles", "name": "anna", "roles": ["director"], "person": "1"}
    assert tina.post(USERS, form).status_code == 302
    anna = m.Actor.objects.get(name="anna")
    assert (anna.roles, anna.person) == (["director"], None)
    again = {**form, "roles": ["player"]}
    assert "The roles of anna are: player." in text(tina.post(USERS, again, follow=True))
    assert m.Actor.objects.get(name="anna").person == 1
    tina.post(USERS, {**again, "nobody": "yes"})
    assert m.Actor.objects.get(name="anna").person is None
