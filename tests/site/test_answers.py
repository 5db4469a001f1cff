"""The forms of a page, what cannot be answered, and the reader's colours."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from datetime import date

import pytest
from django.http import HttpResponse

from ratingbook.office.refused import refuse


@dataclass(frozen=True)
class Shown:
    name: str
    day: date
    rows: tuple[tuple[str, int], ...]


def test_json_is_the_dataclass():
    from ratingbook.site.answers import as_json

    shown = Shown("Zeta, Željko <b>", date(2026, 1, 2), (("a", 1),))
    said = json.loads(as_json(shown).content)
    assert said == {"name": "Zeta, Željko <b>", "day": "2026-01-02", "rows": [["a", 1]]}


@pytest.mark.parametrize(
    ("text", "printed"),
    [("=1+1", "'=1+1"), ("+cmd", "'+cmd"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"),
     ("\tx", "\N{REPLACEMENT CHARACTER}x"), ("\rx", "\N{REPLACEMENT CHARACTER}x")],
)  # fmt: skip
def test_no_cell_is_a_formula(text, printed):
    """A number is one; a control character, which could hide a formula, is replaced."""
    from ratingbook.site.answers import Table, as_csv

    answer = as_csv(Table((text, "n"), [(text, -18.5)]))
    rows = list(csv.reader(io.StringIO(answer.content.decode(), newline="")))
    assert rows == [[printed, "n"], [printed, "-18.5"]]


def test_a_page_that_is_not_there_says_what_to_do(browser):
    answer = browser.get("/nowhere")
    assert answer.status_code == 404
    assert "<h1>There is no such page</h1>" in answer.content.decode()
    assert "Content-Security-Policy" in answer
    assert browser.get("/nowhere.json")["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(("code", "status"), [("office.no-person", 404), ("office.value", 409)])
def test_what_the_office_refuses_is_told_in_words(browser, code, status):
    from django.test import RequestFactory

    from ratingbook.site.errors import told

    refused = refuse(code, "There is no <b>person</b> 9.", "Find one.")
    answer: HttpResponse = told(RequestFactory().get("/players/9"), refused)
    text = answer.content.decode()
    assert answer.status_code == status
    assert "There is no &lt;b&gt;person&lt;/b&gt; 9." in text
    assert ("Find one." in text) is (status == 409)


def test_what_is_done_at_a_shell_is_no_remedy_on_a_page(browser):
    from django.test import RequestFactory

    from ratingbook.site.errors import told

    asked = RequestFactory().get("/desk/")
    page = told(asked, refuse("office.reason", "It needs one.", "Give one with --reason."))
    assert "Write the reason into its field." in page.content.decode()
    page = told(asked, refuse("office.x", "No.", "Run `ratingbook office migrate`."))
    assert "ratingbook office" not in page.content.decode()


def test_colours_are_the_readers(browser):
    assert '<html lang="en">' in browser.get("/").content.decode()
    answer = browser.get("/looks", {"as": "dark", "next": "/?q=1"})
    assert (answer.status_code, answer["Location"]) == (302, "/?q=1")
    page = browser.get("/")
    assert '<html lang="en" class="dark">' in page.content.decode()
    assert "Cookie" in page["Vary"]
    browser.get("/looks", {"as": "system"})
    assert '<html lang="en">' in browser.get("/").content.decode()
    browser.get("/looks", {"as": '"><script>'})
    assert "<script>" not in browser.get("/").content.decode()


@pytest.mark.parametrize("away", ["//evil.example", "https://evil.example/", "/\\evil.example"])
def test_from_colours_nobody_is_sent_elsewhere(browser, away):
    assert browser.get("/looks", {"as": "dark", "next": away})["Location"] == "/"


def test_the_frame_has_the_name_of_the_office(browser, empty):
    import json as plain

    from ratingbook.office.acts import setup

    path = empty.folder / "office.json"
    before = path.read_text()
    path.write_text(plain.dumps({**plain.loads(before), "name": "Games & <Friends>"}))
    try:
        setup.open_office(empty.folder)
        assert "Games &amp; &lt;Friends&gt;</small>" in browser.get("/").content.decode()
    finally:
        path.write_text(before)
