"""The articles of FIDE's handbook beside our numbers, as the published chapters count them."""

from __future__ import annotations

from collections import Counter

import pytest

from ratingbook.rules import registry
from ratingbook.rules.fide import fide_2024
from ratingbook.rules.fide.articles import ARTICLES
from tests.rules.fide.test_paragraphs import done, game, player, steps_of


def articles(name: str) -> dict[str, str]:
    return {p.number: p.article for p in registry.edition(name).text.paragraphs}


# What the handbook says in these articles, read in its chapters of 2022 and 2024:
# 5.1 unplayed games; 6.1 and 6.2 matches; 7.1.3 closing dates; 7.1.4 five games, 26 months, at
# least 1400; 7.2.1 below 1400; 7.2.2 inactive; 8.1.2 the table of D; 8.2.1 zero in the first
# event; 8.2.2 two hypothetical opponents of 1800; 8.2.3 Ru = Ra + dp, at most 2200; 8.3.1 the
# difference and 400 points; 8.3.2 the change; 8.3.3 K; 8.3.4 rounding.
@pytest.mark.parametrize(
    ("name", "number", "article"),
    [
        ("fide-2024", "1b", "B.02 8.3.1"),
        ("fide-2024", "1d", "B.02 8.3.1"),
        ("fide-2024", "2c", "B.02 8.3.3"),
        ("fide-2024", "2e", "B.02 7.2.1"),
        ("fide-2024", "2f", "B.02 8.3.3"),
        ("fide-2024", "2g", "B.02 8.3.3"),
        ("fide-2024", "5b", "B.02 8.3.4"),
        ("fide-2024", "5d", "B.02 9.1"),
        ("fide-2024", "6a", "B.02 8.2.1"),
        ("fide-2024", "6e", "B.02 7.1.4"),
        ("fide-2024", "6f", "B.02 7.1.4"),
        ("fide-2024", "6h", "B.02 8.2.2"),
        ("fide-2024", "6i", "B.02 8.2.3"),
        ("fide-2024", "8", "B.02 5.1"),
        ("fide-2024", "8b", "rapid and blitz 7.3.1"),
        ("fide-2024", "10", "B.02 7.2.2"),
        ("fide-2022", "1e", "B.02 8.3.1"),
        ("fide-2022", "6b", "B.02 8.2.2"),
        ("fide-2022", "6c", "B.02 8.2.3"),
        ("fide-2014", "2c", "B.02 8.56"),
        ("fide-2012", "2c", "B.02 8.56"),
    ],
)
def test_the_articles_of_the_handbook(name: str, number: str, article: str) -> None:
    assert articles(name)[number] == article


def test_the_chapters_of_the_handbook() -> None:
    book = registry.edition("fide-2024")
    assert book.text.url == "https://handbook.fide.com/chapter/B022024"
    urls = {p.number: p.url for p in book.text.paragraphs}
    assert urls["2c"] == book.text.url
    assert urls["8b"] == "https://handbook.fide.com/chapter/B02RBRegulations2024"
    assert urls["7"] == "https://handbook.fide.com/chapter/B012024"
    assert registry.edition("fide-2022").text.url == "https://handbook.fide.com/chapter/B022022"


@pytest.mark.parametrize("name", ARTICLES)
def test_every_place_is_of_a_paragraph_of_the_edition_and_of_one_only(name: str) -> None:
    told = Counter(number for places in ARTICLES[name].values() for number in places)
    assert told.keys() <= articles(name).keys()
    assert set(told.values()) == {1}


def test_what_no_text_tells_us_is_empty() -> None:
    # The chapter of July 2011 is not known to us, and no chapter gives the logistic formula (1a)
    # or the example of the encyclopedia (4).
    assert not any(articles("fide-2011").values())
    assert [articles("fide-2024")[number] for number in ("1a", "4", "H")] == ["", "", ""]


def test_a_step_names_its_article() -> None:
    # 2400 and more than 30 games: K = 10; the change is rounded by 8.3.4.
    rating = done(
        [player("a", 2450, reached_2400=True), player("b", 2450)],
        [game("a", 1, "b")],
        {"start": "2024-05-01", "end": "2024-05-01"},
        book=fide_2024,
    )
    told = {step.rule: (step.paragraph, step.article) for step in steps_of(rating, "a")}
    assert told["expected_by_table"] == ("1c", "B.02 8.1.2, 8.3.2 a")
    assert told["rounded_change"] == ("5b", "B.02 8.3.4")
    (rounded,) = (s.as_dict() for s in steps_of(rating, "a") if s.rule == "rounded_change")
    assert (rounded["paragraph"], rounded["article"]) == ("5b", "B.02 8.3.4")
