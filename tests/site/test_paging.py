"""Long tables of the desk say where they stop, and lead on."""

from __future__ import annotations

import re
from datetime import date

import pytest

from ratingbook.office.acts import asking, corrections, trail
from ratingbook.site.views import officer, running
from tests.site.offices import TINA, run_to
from tests.site.people import signed_in


def rows(client, address: str) -> tuple[list[str], str]:
    page = client.get(address).content.decode()
    table = page.rpartition("<table")[2].partition("</table>")[0]
    return re.findall(r"<tr>(<t[hd].*?)</tr>", table.partition("<tbody>")[2], re.S), page


@pytest.mark.parametrize("path", ["audit/", "runs/", "lists/"])
def test_what_is_not_on_a_page_is_on_the_next(office, monkeypatch, path):
    run_to(office, date(2026, 4, 1))
    olga = signed_in("olga")
    every, page = rows(olga, f"/desk/{path}")
    assert len(every) > 1
    assert 'rel="next"' not in page
    monkeypatch.setattr(trail, "SHOWN", 1)
    monkeypatch.setattr(running, "_LINES", 1)
    found = []
    for number in range(1, len(every) + 1):
        [row], page = rows(olga, f"/desk/{path}?page={number}")
        found.append(row)
        assert f"Page {number} of {len(every)}" in page
        assert ('rel="next"' in page) == (number < len(every))
    assert found == every


def test_an_older_page_of_acts_is_of_what_was_asked_for(office, monkeypatch):
    monkeypatch.setattr(trail, "SHOWN", 1)
    _, page = rows(signed_in("olga"), "/desk/audit/?kind=received&page=1")
    assert "?kind=received&amp;page=2" in page


def test_corrections_that_do_not_fit_are_on_the_next_page(office, monkeypatch):
    monkeypatch.setattr(officer, "_CORRECTIONS", 1)
    for game in (1, 2):
        corrections.ask(office, [asking.game(1, game, "0-1")], "typed wrongly", TINA)
    olga = signed_in("olga")
    first, page = rows(olga, "/desk/corrections/")
    second, _ = rows(olga, "/desk/corrections/?page=2")
    assert (len(first), len(second)) == (1, 1)
    assert first != second
    assert 'href="?page=2"' in page
