"""Texts of people that are one word, as long as they may be: they make no page wider."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ratingbook.office.home import Home
from ratingbook.site.opening import open_site
from tests.site.browsing import DESK, PHONE, Looked, in_a_thread, too_wide
from tests.site.offices import copied
from tests.site.people import signed_in
from tests.site.wordy import fill

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served(busy: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Looked]:
    """A site of people who write one word as long as they may, wherever they may."""
    folder: Path = tmp_path_factory.mktemp("wordy") / "office"
    copied(busy, folder)
    pages = fill(open_site(folder))
    sessions = {name: signed_in(name).cookies["sessionid"].value for name in pages if name}
    with in_a_thread() as base:
        yield Looked(base, pages, sessions)


@pytest.mark.parametrize("window", [PHONE, DESK], ids=["phone", "desk"])
def test_a_word_as_long_as_it_may_be_makes_no_page_wider(served, window):
    found = too_wide(served, "de", window)
    assert not found, "\n".join(found)
