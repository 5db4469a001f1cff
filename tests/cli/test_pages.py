"""Templates are translated once, and what nobody of us has kept is never run."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader, Environment

from ratingbook.cli.pages import KeptTemplates

HELLO = {"hello.html": "Hello {{ name }}"}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache of its own."""
    monkeypatch.setenv("RATINGBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def hello(templates=HELLO):
    pages = Environment(loader=DictLoader(dict(templates)), bytecode_cache=KeptTemplates())
    return pages.get_template("hello.html").render(name="Tamm")


def test_a_template_is_translated_once(monkeypatch):
    assert hello() == "Hello Tamm"
    monkeypatch.setattr(Environment, "compile", lambda *_: pytest.fail("translated again"))
    assert hello() == "Hello Tamm"


def test_a_changed_template_is_translated_anew():
    hello()
    assert hello({"hello.html": "Tere {{ name }}"}) == "Tere Tamm"


def test_what_somebody_else_has_put_there_is_not_run(cache):
    hello()
    (kept,) = cache.rglob("code")
    kept.write_bytes(kept.read_bytes().replace(b"Hello ", b"Robbed"))
    assert b"Robbed" in kept.read_bytes()
    assert hello() == "Hello Tamm"


def test_without_a_place_to_keep_it_a_page_is_made_all_the_same(cache):
    cache.write_text("a file where the folder should be")
    assert hello() == "Hello Tamm"
