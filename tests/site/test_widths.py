"""No page is wider than its window: on a phone, and in a language of long words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from ratingbook.office.home import Home
from ratingbook.site.opening import open_site
from tests.site.browsing import (
    NARROW,
    PHONE,
    SPACED,
    STICKS_OUT,
    Looked,
    chromium_here,
    in_a_thread,
    too_wide,
)
from tests.site.people import signed_in
from tests.site.test_people_in_browser import PAGES

pytestmark = pytest.mark.slow
MORE = {
    "": ["/", "/events", "/events/1", "/players/1", "/lists", "/lists/club/2026-03-01",
         "/corrections", "/corrections/1", "/players/1/changes/club/2026-01-10",
         "/search?q=alpha", "/status", "/statistics", "/downloads", "/rules",
         "/api", "/privacy", "/whatif"],
    "anna": [],
    "dora": ["/my/reports/2/"],
    "tina": ["/desk/reports/1/", "/desk/reports/3/", "/desk/reports/5/", "/desk/runs/1/",
             "/desk/calendar/", "/desk/users/?actor=anna", "/desk/people/", "/desk/people/1/"],
}  # fmt: skip
"""Pages beside those that axe looks at."""


@pytest.fixture(scope="module")
def served(busy: Home) -> Iterator[Looked]:
    """The site over an office in which something of everything waits."""
    open_site(busy.folder)
    sessions = {name: signed_in(name).cookies["sessionid"].value for name in PAGES if name}
    with in_a_thread() as base:
        yield Looked(base, {role: [*PAGES[role], *MORE[role]] for role in PAGES}, sessions)


@pytest.mark.parametrize(("language", "window"), [("en", PHONE), ("de", PHONE), ("en", NARROW)])
def test_on_a_phone_no_page_scrolls_sideways(served, language, window):
    """Nor where a wide screen is magnified to 400 %: 1280 pixels become 320."""
    found = too_wide(served, language, window)
    assert not found, "\n".join(found)


def test_public_pages_hold_with_the_spacing_that_readers_choose(served):
    """WCAG 1.4.12: lines, paragraphs, letters and words further apart."""
    found = too_wide(served._replace(pages={"": served.pages[""]}), "en", NARROW, SPACED)
    assert not found, "\n".join(found)


_LISTED = """<table class="dense sticky"><thead><tr><th class="n">Место</th><th>Имя</th>
<th class="n">Рейтинг</th><th class="n">Партии</th><th class="n">Изменение</th></tr>
</thead><tbody><tr><td class="n">=14</td><th scope="row"><a href="/"><bdi>Foxtrotlima, Oscarcharlie
</bdi></a></th><td class="n now">2345</td><td class="n">105</td><td class="n">+12,5</td>
</tr></tbody></table>"""
"""A list that prints much, in a language of long words."""
_BROKEN = """() => {
  const broken = [], name = document.querySelector("main bdi").firstChild;
  for (const word of name.data.matchAll(/\\w+/g)) {
    const range = document.createRange();
    range.setStart(name, word.index);
    range.setEnd(name, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map(box => box.top)).size > 1) broken.push(word[0]);
  }
  const right = document.querySelector("main table").getBoundingClientRect().right;
  return right > window.innerWidth - 15 ? [...broken, right] : broken;
}"""


def test_on_a_phone_the_names_of_a_list_are_whole(served):
    """A word of people breaks where it is longer than names are, and not before."""
    with chromium_here() as browser:
        page = browser.new_context(viewport=PHONE, locale="ru").new_page()
        page.goto(f"{served.base}/lists/club/2026-03-01")
        page.evaluate("text => { document.querySelector('main').innerHTML = text; }", _LISTED)
        assert page.evaluate(_BROKEN) == []


_TAGGED = """<table class="dense"><thead><tr><th>Veranstaltung</th><th class="n">Änderung</th>
<th class="n">Nachher</th></tr></thead><tbody><tr><th scope="row"><a href="/">Somewhere Open
2023</a><span class="sub">2. Sept. 2023</span></th><td class="n">
<a class="why" href="/">+171,125</a>
<a class="tag" href="/">von einer anderen Zahl</a>
<span class="tag">damals auf keiner Liste</span></td>
<td class="n now">1971,125</td></tr></tbody></table>"""
"""A result about which two things are to be said."""


def test_on_a_phone_what_is_said_of_a_number_stands_below_it(served):
    with chromium_here() as browser:
        page = browser.new_context(viewport=PHONE, locale="de").new_page()
        page.goto(f"{served.base}/players/1")
        page.evaluate("text => { document.querySelector('main').innerHTML = text; }", _TAGGED)
        right = "document.querySelector('main table').getBoundingClientRect().right"
        assert page.evaluate(right) <= PHONE["width"] - 15


def test_the_name_of_the_office_is_in_the_head_at_any_width(served):
    """A long one is cut off, and nothing in the head lies over anything else."""
    office = "<small>Federation of Correspondence Chess of Somewhere</small>"
    with chromium_here() as browser:
        for width in (320, 390, 760, 1000, 1150, 1400):
            page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
            page.goto(f"{served.base}/events")
            page.evaluate(
                "text => document.querySelector('.brand').insertAdjacentHTML('beforeend', text)",
                office,
            )
            assert page.locator(".brand small").is_visible(), width
            assert page.evaluate(STICKS_OUT) == "", width
            heads = [page.locator(x).bounding_box() for x in (".brand", ".site-find", ".tools")]
            for one, other in combinations(heads, 2):
                assert _is_beside(one, other), (width, one, other)


def _is_beside(one, other):
    """Whether two boxes have nothing in common."""
    return any(
        first[at] + first[size] <= second[at] + 1
        for first, second in ((one, other), (other, one))
        for at, size in (("x", "width"), ("y", "height"))
    )
