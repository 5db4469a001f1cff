"""Nobody is left standing: old pages lead on, and it is said whom to ask."""

from __future__ import annotations

import json
import re

import pytest

from ratingbook.office.home import find
from ratingbook.office.refused import OfficeRefused
from ratingbook.site.opening import open_site
from tests.office.reports import document
from tests.site.pages import as_read
from tests.site.people import nobody, signed_in
from tests.site.test_directors import send, submit
from tests.site.test_officers import WHO, asking_about, form_for


def text(answer) -> str:
    return as_read(answer.content.decode())


def test_back_after_a_draft_was_submitted_leads_to_the_report(office):
    dora = signed_in("dora")
    draft = send(dora, document("Fourth Open", "2026-03-28", {("1", "2"): "1-0"}))
    report = submit(dora, draft)["Location"]
    assert report.startswith("/my/reports/")
    for path in (draft, f"/my/events/typed/?draft={draft.split('/')[-2]}"):
        assert dora.get(path)["Location"] == report
    for act in ("file", "people", "drop", "submit"):
        assert dora.post(f"{draft}{act}/")["Location"] == report
    assert signed_in("dirk").get(draft).status_code == 404, "nobody else's"


def test_who_comes_to_a_question_that_is_decided_is_led_to_the_next_one(office):
    olga, asked = signed_in("olga"), asking_about("1")
    page = text(olga.get(asked))
    assert olga.post(WHO, form_for(page, "new")).status_code == 302
    page = text(olga.get(asked))
    assert "What you asked about is decided already. This is the next question." in page
    assert "Nobody waits here" not in page
    assert re.search(r"<h1>Who is “", page)


@pytest.mark.parametrize(
    ("who", "method", "path"),
    [("dora", "get", "/my/drafts/1/submit/"), ("anna", "get", "/my/results/3/confirm/"),
     ("", "post", "/players/1"), ("olga", "put", "/desk/")],
)  # fmt: skip
def test_a_method_that_a_page_does_not_know_is_told_in_words(office, who, method, path):
    client = signed_in(who) if who else nobody()
    answer = getattr(client, method)(path)
    assert answer.status_code == 405
    assert answer["Allow"]
    page = text(answer)
    assert 'class="site-head"' in page
    assert re.search(r"<h1>(Nothing can be sent to this page|This is no page to be opened)", page)


CONTACTS = {"ratings@office.example": "mailto:ratings@office.example",
            "https://office.example/complaints": "https://office.example/complaints"}  # fmt: skip
PAGES = ("/", "/privacy", "/corrections", "/players/1", "/lists")


@pytest.fixture
def said(office):
    def say(contact: str) -> None:
        path = office.folder / "office.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"contact": contact}))
        open_site(office.folder)

    return say


@pytest.mark.parametrize("contact", CONTACTS)
def test_where_one_complains_stands_on_every_page(said, contact):
    said(contact)
    for path in PAGES:
        page = text(nobody().get(path))
        foot = page[page.index("<footer") :]
        assert f'href="{CONTACTS[contact]}"' in foot, path
    for path in ("/privacy", "/corrections", why()):
        main = text(nobody().get(path)).partition("<footer")[0]
        assert f'href="{CONTACTS[contact]}">{contact}</a>' in main, path


def why() -> str:
    """An explanation that a player's page leads to."""
    found = re.search(r'class="why" href="([^"]+)"', text(nobody().get("/players/1")))
    assert found
    return found[1]


def test_without_an_address_it_is_said_plainly_who_can_ask_and_how(office):
    for path in ("/privacy", "/corrections", why()):
        main = text(nobody().get(path)).partition("<footer")[0]
        assert "This site names no address of the office" in main, path
        assert 'href="/account/sign-in/"' in main, path
    assert "mailto:" not in text(nobody().get("/privacy"))


@pytest.mark.parametrize("contact", ["ask Tina", "javascript:alert(1)", "a@b c", "ftp://x.example"])
def test_what_is_no_address_is_refused(office, contact):
    path = office.folder / "office.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"contact": contact}))
    with pytest.raises(OfficeRefused, match="contact"):
        find(office.folder)
