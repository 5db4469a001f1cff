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
