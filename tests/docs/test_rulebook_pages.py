"""The pages of the rule books, written from the rule books themselves."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from docs._ext import rulebook_pages
from ratingbook.formats.document.read import read_document
from ratingbook.rules import registry
from ratingbook.rules.settings import shown
from ratingbook.rules.text import Performed

rulebook_page = cache(rulebook_pages.rulebook_page)
"""Each page is made once: to explain its examples takes a while."""
every_edition = pytest.mark.parametrize("name", registry.names())


def headings(page: str, level: int) -> list[str]:
    return re.findall(rf"^{'#' * level} (.*)$", page, re.MULTILINE)


def section(page: str, title: str) -> str:
    """What stands below a heading of the second level."""
    return page.split(f"\n## {title}\n")[1].split("\n## ", maxsplit=1)[0]


def rows(part: str) -> list[list[str]]:
    """The rows of the tables in a part of a page, without their heads."""
    lines = [line for line in part.splitlines() if line.startswith("| ")]
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in lines
        if not re.fullmatch(r"[| a-z§]*", line)
    ]


@every_edition
def test_the_head(name):
    book, page = registry.edition(name), rulebook_page(name)
    assert headings(page, 1) == [f"{book.name}: {book.title}"]
    assert book.text.source in page
    assert book.federation in page


@every_edition
def test_every_paragraph_has_its_text_and_its_performer(name):
    book, page = registry.edition(name), rulebook_page(name)
    part = section(page, "Paragraphs")
    assert headings(part, 3) == [f"§ {each.number} {each.title}" for each in book.text.paragraphs]
    blocks = part.split("\n### ")[1:]
    for paragraph, block in zip(book.text.paragraphs, blocks, strict=True):
        assert paragraph.text in block
        if paragraph.performed is Performed.FUNCTION:
            names = [r.name for r in book.rules if r.number(name) == paragraph.number]
            assert names
            assert all(each in block for each in names)
        else:
            assert paragraph.performed.value.capitalize() in block
            assert paragraph.by in block


@every_edition
def test_the_page_says_whose_the_numbers_are_and_leads_to_the_text(name):
    book, page = registry.edition(name), rulebook_page(name)
    head = page.partition("\n## ")[0]
    assert ("numbers of the paragraphs are ours" in head) == book.text.own_numbers
    assert ("numbered as in the regulation itself" in head) != book.text.own_numbers
    assert (f"<{book.text.url}>" in head) == bool(book.text.url)
    blocks = section(page, "Paragraphs").split("\n### ")[1:]
    for paragraph, block in zip(book.text.paragraphs, blocks, strict=True):
        told = block.splitlines()[2]
        assert told.startswith("In the federation's own text: ") == bool(paragraph.article)
        assert paragraph.article in told
        assert f"]({paragraph.url})" in told or not paragraph.url


def test_the_place_of_k_in_the_handbook():
    page = rulebook_page("fide-2024")
    block = page.partition("### § 2c Development coefficient K\n")[2].partition("\n### ")[0]
    assert "[B.02 8.3.3](https://handbook.fide.com/chapter/B022024)" in block
    assert "| 5b (B.02 8.3.4) |" in section(page, "Worked examples")


@every_edition
def test_every_parameter_and_reading_is_a_row(name):
    book, page = registry.edition(name), rulebook_page(name)
    parameters = rows(section(page, "Parameters"))
    assert [row[:2] for row in parameters] == [
        [f"`{key}`", str(shown(value))] for key, value in book.parameters._asdict().items()
    ]
    assert all(len(row) == 3 and row[2] for row in parameters)
    readings = rows(section(page, "Readings"))
    assert [row[0] for row in readings] == [reading.id for reading in book.text.readings]
    assert all(len(row) == 5 for row in readings)


@every_edition
def test_every_example_can_be_rated_and_shows_the_number_of_its_source(name):
    book, page = registry.edition(name), rulebook_page(name)
    part = section(page, "Worked examples")
    blocks = part.split("\n### ")[1:]
    assert len(blocks) == len(book.text.examples)
    for example, block in zip(book.text.examples, blocks, strict=True):
        assert block.startswith(example.title)
        assert example.source in block
        document = re.search(r"```json\n(.*?)```", block, re.DOTALL)
        assert document is not None
        assert json.loads(document[1]) == json.loads(json.dumps(example.document))
        _, findings = read_document(document[1], book.standing_fields)
        assert not findings.refused
        for after in example.expected.values():
            assert f"→ **{'unrated' if after is None else f'{after:g}'}**" in block


@every_edition
def test_no_cell_of_a_table_holds_markup_of_its_own(name):
    for row in rows(rulebook_page(name)):
        assert not any("<" in cell for cell in row)


def test_an_unknown_edition():
    with pytest.raises(registry.UnknownRuleBook, match="fide-2009"):
        rulebook_page("fide-2008")
