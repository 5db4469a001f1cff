"""The sum of a program: words about it do not count, what it does counts, and nobody else's sum."""

from __future__ import annotations

import sys

import pytest

from ratingbook.engine import source

BEFORE = '"""A module."""\n\n\ndef k(games):\n    """Says K."""\n    return 20 if games else 40\n'


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of one module, and a cache of its own."""
    monkeypatch.setenv("RATINGBOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "invented_rules"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "rules.py").write_text(BEFORE)
    yield folder
    sys.modules.pop("invented_rules", None)


def sum_of(folder, text):
    (folder / "rules.py").write_text(text)
    return source.source_of("invented_rules")


def test_words_do_not_count_and_numbers_do(package):
    first = sum_of(package, BEFORE)
    assert sum_of(package, BEFORE.replace("Says K.", "The factor.") + "# a comment\n") == first
    assert sum_of(package, BEFORE.replace("40", "41")) != first


def test_what_was_summed_up_is_not_taken_apart_again(package, monkeypatch):
    first = sum_of(package, BEFORE)
    monkeypatch.setattr(source, "_shape", lambda data: pytest.fail("taken apart again"))
    assert source.source_of("invented_rules") == first


def test_a_kept_sum_that_somebody_wrote_is_not_believed(package, tmp_path):
    first = sum_of(package, BEFORE)
    (kept,) = (tmp_path / "cache").rglob("sha256")
    kept.write_text("0" * 64)
    assert source.source_of("invented_rules") == first
