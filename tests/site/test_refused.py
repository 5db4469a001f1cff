"""What is refused stands first in the page and has the focus; what was typed is kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ratingbook.office.acts import asking, corrections
from ratingbook.office.store.ledger import Who
from tests.site.pages import as_read
from tests.site.people import pressed, signed_in

FIRST = re.compile(r'<main[^>]*>\s*<div class="problem" id="problems" role="alert" tabindex="-1" '
                   r"autofocus>")  # fmt: skip


def text(answer) -> str:
    return as_read(answer.content.decode())


def tag_of(page: str, name: str) -> str:
    """The first field of a form that is sent, by its name."""
    found = re.search(rf'<(?:input|select|textarea)\b[^>]* name="{name}"[^>]*>', page)
    assert found, name
    return found[0]


@pytest.fixture
def asked(office):
    for number in (1, 2):
        content = asking.game(1, number, "0-1" if number == 1 else "1-0")
        corrections.ask(office, [content], "typed the wrong way", Who("dora"))
    return office


REFUSED = [
    ("olga", "/desk/corrections/1/", {"act": "accept", "reason": "sheet"}, "looked"),
    ("olga", "/desk/corrections/1/", {"act": "reject", "reason": ""}, "reason"),
    ("olga", "/desk/reports/1/correct/", {"reason": "x"}, "game"),
    ("olga", "/desk/runs/", {"pool": "club", "until": "soon"}, "until"),
    ("olga", "/desk/decisions/", {"pool": "club", "person": "nobody at all", "reason": "x"},
     "person"),
    ("tina", "/desk/users/", {"act": "roles", "name": "dirk"}, "roles"),
    ("tina", "/desk/policies/", {"pool": "club", "key": "approvals", "value": "2", "reason": ""},
     "reason"),
    ("olga", "/desk/corrections/new/?what=opening",
     {"what": "opening", "pool": "club", "person": "1", "standing": "x", "reason": "y"},
     "standing"),
    ("dora", "/my/events/typed/", {"name": "x", "end": "2026-01-10", "players": "Ann\nBob",
                                   "games": "who won?", "register": "national"}, "games"),
]  # fmt: skip


@pytest.mark.parametrize(("who", "path", "said", "field"), REFUSED)
def test_what_is_refused_stands_first_and_its_field_is_marked(asked, who, path, said, field):
    answer = pressed(signed_in(who), path, **said)
    page = text(answer)
    assert answer.status_code == 422
    assert FIRST.search(page), "first in the page, with the focus"
    assert page.count('id="problems"') == 1
    assert re.search(r"<title>Refused: ", page)
    forms = page[page.index("<main") :]
    wrong = [each for each in re.findall(r"<(?:input|select|textarea)\b[^>]*>", forms)
             if 'aria-invalid="true"' in each]  # fmt: skip
    assert wrong
    assert {name for each in wrong for name in re.findall(r' name="(\w+)"', each)} == {field}
    assert all(re.search(r'aria-describedby="problems\b', each) for each in wrong)


def test_a_page_that_refuses_nothing_marks_nothing(asked):
    page = text(signed_in("olga").get("/desk/corrections/1/?preview=yes"))
    assert "aria-invalid" not in page
    assert "<title>Refused" not in page


@pytest.mark.parametrize("first", ["reject", "accept"])
def test_the_second_of_two_decisions_is_told_what_became_of_it(asked, first):
    """Two officers had one request open."""
    olga, otto = signed_in("olga"), signed_in("otto")
    forms = {
        "reject": {"act": "reject", "reason": "the sheet is right"},
        "accept": {"act": "accept", "looked": "yes", "reason": "the sheet is wrong"},
    }
    second = "accept" if first == "reject" else "reject"
    assert olga.post("/desk/corrections/1/", forms[first]).status_code == 302
    answer = otto.post("/desk/corrections/1/", forms[second])
    page = text(answer)
    assert answer.status_code == 422
    assert FIRST.search(page)
    assert f"readonly>{forms[second]['reason']}</textarea>" in page


def test_every_page_tells_what_is_refused_in_one_way(site: Path):
    """The frame does; a page that has it in its middle would leave the focus above."""
    pages = {path.name for path in (site / "templates").rglob("*.html")
             if "site/problems.html" in path.read_text()}  # fmt: skip
    assert pages == {"base.html"}
