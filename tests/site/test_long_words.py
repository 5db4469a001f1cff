"""Texts of people, as long as they may be or as names are: neither breaks a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ratingbook.office.home import Home
from ratingbook.site.opening import open_site
from tests.site.browsing import DESK, PHONE, Looked, broken_words, in_a_thread, too_wide
from tests.site.offices import copied
from tests.site.people import signed_in
from tests.site.wordy import fill, hostile, ordinary

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served(
    request: pytest.FixtureRequest, busy: Home, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Looked]:
    """A site of people who write such texts wherever they may."""
    folder: Path = tmp_path_factory.mktemp("wordy") / "office"
    copied(busy, folder)
    pages = fill(open_site(folder), request.param)
    sessions = {name: signed_in(name).cookies["sessionid"].value for name in pages if name}
    with in_a_thread() as base:
        yield Looked(base, pages, sessions)


@pytest.mark.parametrize("window", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("served", [hostile], indirect=True, ids=["hostile"])
def test_a_word_as_long_as_it_may_be_makes_no_page_wider(served, window):
    found = too_wide(served, "de", window)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("served", [ordinary], indirect=True, ids=["ordinary"])
def test_on_a_phone_names_break_between_words_and_no_page_is_wider(served, language):
    found = too_wide(served, language, PHONE) + broken_words(served, language, PHONE)
    assert not found, "\n".join(found)
