"""The sections of the US Chess texts beside our numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ratingbook.rules import registry
from ratingbook.rules.uscf import uscf_2011


def articles(name: str) -> dict[str, str]:
    return {p.number: p.article for p in registry.edition(name).text.paragraphs}


@pytest.fixture(scope="module")
def text(reference: Path) -> str:
    (path,) = (reference / "seeds").glob("003_*.txt")
    return path.read_text("utf-8")


def part(text: str, article: str) -> str:
    """What the text of 2011 has in a section, step or item."""
    heads = r"^(?:[1-4] The Rating|2 Details|[34] [UM]|2\.[1-4] |Step [1-5]: )"
    names = {"introduction": "The following algorithm", "section 1": "1 The Rating Algorithm",
             "section 3": "3 Updating", "section 4": "4 Miscellaneous"}  # fmt: skip
    base, _, within = article.partition(", ")
    head = names.get(base, f"{base.removeprefix('section ')} ")
    if within.startswith("Step"):
        head, within = f"{within}: ", ""
    start = re.search(rf"^{re.escape(head)}", text, re.MULTILINE)
    assert start, article
    end = re.compile(heads, re.MULTILINE).search(text, start.end())
    found = text[start.start() : end.start() if end else None]
    if within:
        item = within.removeprefix("matches, ")
        (found,) = re.findall(rf"^{item}\. .*?(?=^\d\. |\Z)", found, re.MULTILINE | re.DOTALL)
    return " ".join(found.split())


@pytest.mark.parametrize(
    ("number", "article", "words"),
    [
        ("0.1", "introduction", "two separate rating systems"),
        ("0.2", "section 1", "25 or fewer games"),
        ("1.1.1", "section 1, Step 1", "over 2150"),
        ("1.1.2", "section 1, Step 1", "CFC rating of 1500 or less"),
        ("1.1.6", "section 1, Step 1", "365:25"),
        ("1.1.8", "section 1, Step 1", "750"),
        ("1.2", "section 1, Step 2", "smaller"),
        ("1.3", "section 1, Step 3", "games for these players to 1"),
        ("1.4", "section 1, Step 4", "8 or fewer games"),
        ("1.5", "section 1, Step 5", "Repeat the calculations from Step 4"),
        ("2.1", "section 2.1", "2200"),
        ("2.2", "section 2.2", "2700"),
        ("2.2.1", "section 2.2, 1", "rst estimate of the special rating"),
        ("2.3", "section 2.3", "800"),
        ("2.4.1", "section 2.4", "AF = min(100 + 4NW + 2ND + NR; 150)"),
        ("2.4.3", "section 2.4", "original Life Master"),
        ("3.3", "section 3", "210 + 0:93 FIDE"),
        ("4.4.1", "section 4, matches, 1", "400 points"),
        ("4.4.2", "section 4, matches, 2", "180 days"),
        ("4.4.3", "section 4, matches, 3", "bonus formula does not apply"),
        ("4.5", "section 4", "rounded down"),
        ("4.6", "section 4", "Executive Director"),
    ],
)
def test_the_sections_of_2011(text: str, number: str, article: str, words: str) -> None:
    assert articles("uscf-2011")[number] == article
    assert words in part(text, article)


def test_every_article_of_2011_is_in_the_text(text: str) -> None:
    for paragraph in uscf_2011.text.paragraphs:
        if paragraph.article:
            assert part(text, paragraph.article)


@pytest.mark.parametrize(
    ("name", "number", "article"),
    [
        # The texts of 2015, 2020 and 2026 name sections 3 (effective number of games), 4.1
        # (special formula) and 4.2 (standard formula).
        ("uscf-2015", "2.1", "section 3"),
        ("uscf-2015", "2.2", "section 4.1"),
        ("uscf-2023", "2.3", "section 4.2"),
        ("uscf-2025", "2.3", "section 4.2"),
        # The text between is not known to us: what is unchanged stands in that of 2011.
        ("uscf-2013", "2.2", "section 2.2 of 2011"),
        ("uscf-2025", "2.4.2", "section 2.4 of 2011"),
        # What changed after 2011 has no place in the text of 2011.
        ("uscf-2013", "2.1", ""),
        ("uscf-2014", "2.3", ""),
        ("uscf-2025", "4.5", ""),
    ],
)
def test_the_sections_of_later_texts(name: str, number: str, article: str) -> None:
    assert articles(name)[number] == article


def test_addresses_are_those_of_the_sections_of_that_text() -> None:
    for name in registry.names():
        if name.startswith("uscf-"):
            book = registry.edition(name)
            for paragraph in book.text.paragraphs:
                assert paragraph.url in ("", book.text.url)
                assert not (paragraph.url and paragraph.article.endswith("of 2011"))
    assert "2020" in registry.edition("uscf-2017").text.url
    assert "2026" in registry.edition("uscf-2025").text.url
