"""The pages of rule books say what the rule books say; examples are rated when they are shown."""

from __future__ import annotations

import re
from html import unescape

import pytest

from ratingbook.rules import registry
from tests.site.pages import page_of


def test_the_index_has_every_edition(browser):
    text = page_of(browser, "/rules")
    for name in (*registry.names(), *registry.families()):
        assert f'href="/rules/{name}"' in text
    assert page_of(browser, "/rules/nobodys-2024", 404)


@pytest.mark.parametrize("name", ["fide-2024", "iecg-1999", "uscf-2025"])
def test_an_edition_has_all_its_paragraphs_and_who_performs_them(browser, name):
    text = unescape(page_of(browser, f"/rules/{name}"))
    book = registry.edition(name)
    for each in book.text.paragraphs:
        assert f"§ {each.number}<" in text
        assert each.text in text
        for rule in book.rules_of(each):
            assert f"{rule.module}.{rule.name}" in text
        assert each.by in text
        if each.url:
            assert f'href="{each.url}"' in text
    for reading in book.text.readings:
        assert reading.taken in text
    anchors = re.findall(r'<li id="(p[^"]+)"', text)
    assert len(anchors) == len(set(anchors)) == len(book.text.paragraphs)
    said = browser.get(f"/rules/{name}.json").json()
    assert [x["name"] for x in said["parameters"]] == list(book.parameters._asdict())


def test_a_worked_example_ends_at_the_number_of_its_source(browser):
    for name in ("fide-2024", "egf-2021", "uscf-2025"):
        for number, each in enumerate(registry.edition(name).text.examples, 1):
            page_of(browser, f"/rules/{name}/examples/{number}")
            said = browser.get(f"/rules/{name}/examples/{number}.json").json()
            assert {x["player"]: x["after"] for x in said["players"]} == {
                player: None if value is None else pytest.approx(value, abs=0.01)
                for player, value in each.expected.items()
            }
            assert all(x["steps"] for x in said["players"] if x["after"] is not None)
    assert page_of(browser, "/rules/fide-2024/examples/99", 404)
    assert page_of(browser, "/rules/fide/examples/1", 404)


def test_a_series_tells_what_changed_when(browser):
    text = page_of(browser, "/rules/fide")
    for name in registry.families()["fide"]:
        assert f'href="/rules/{name}"' in text


@pytest.mark.parametrize("name", registry.names())
def test_no_page_of_an_edition_is_large(browser, name):
    page_of(browser, f"/rules/{name}")


@pytest.mark.parametrize(
    ("path", "title"),
    [("fide", "What changed when: fide"), ("fide-2024", "Rule book fide-2024"),
     ("fide-2024/examples/1", "Example 1 of fide-2024")],
)  # fmt: skip
def test_the_title_of_a_page_is_no_title_of_the_regulation(browser, path, title):
    """It stands in no element that could say that it is English."""
    head = unescape(page_of(browser, f"/rules/{path}")).partition("</title>")[0]
    assert head.rpartition("<title>")[2].startswith(title)
