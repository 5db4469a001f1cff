"""The public pages in Chromium: axe finds nothing, nothing sticks out, no other host is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from ratingbook.office.acts import setup
from tests.site.browsing import LOOKS, chromium_here, faults, in_a_thread, watched
from tests.site.world import NIGHT, WINTER

pytestmark = pytest.mark.slow
PAGES = (
    "/", "/search?q=alpha", "/players/1", "/players/1/changes/standard/2026-02-01", "/events",
    f"/events/{WINTER}", f"/events/{NIGHT}?notation=aga", "/nowhere",
    "/rules/fide-2024",
)  # fmt: skip


@pytest.fixture(scope="module")
def address(world) -> Iterator[str]:
    setup.open_office(world.folder)
    with in_a_thread() as base:
        yield base


@pytest.fixture(scope="module")
def chromium(address: str) -> Iterator[Browser]:
    del address
    with chromium_here() as browser:
        yield browser


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_and_nothing_sticks_out(chromium, address, path, look):
    context = chromium.new_context(**LOOKS[look])
    page = context.new_page()
    troubles = watched(page, address)
    page.goto(address + path)
    assert [*faults(page), *troubles] == []
    context.close()


_STYLES = """selector => [...document.querySelectorAll(selector)].map(each => {
  const style = getComputedStyle(each);
  return [style.backgroundColor, style.color, style.borderBottomColor, style.borderBottomWidth,
          style.textDecorationLine].join();
})"""


def test_what_is_chosen_is_seen_in_the_colours_that_a_reader_has_forced(chromium, address):
    """There backgrounds and shadows are taken away: something else has to tell it."""
    context = chromium.new_context(**LOOKS["wide"], forced_colors="active")
    page = context.new_page()
    page.goto(f"{address}/whatif?pool=standard")
    scores = ".pick :checked + span", ".pick :not(:checked) + span"
    chosen, others = (set(page.evaluate(_STYLES, each)) for each in scores)
    assert chosen
    assert others
    assert not chosen & others
    page.goto(f"{address}/players")
    here, elsewhere = ".site-nav [aria-current]", ".site-nav a:not([aria-current])"
    assert not set(page.evaluate(_STYLES, here)) & set(page.evaluate(_STYLES, elsewhere))
    context.close()
