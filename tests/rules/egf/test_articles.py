"""The headings, equations and tables of the EGF's description beside our numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ratingbook.rules import registry
from ratingbook.rules.egf.articles import ARTICLES


def articles(name: str) -> dict[str, str]:
    return {p.number: p.article for p in registry.edition(name).text.paragraphs}


@pytest.fixture(scope="module")
def parts(reference: Path) -> dict[str, str]:
    """The description in its Russian translation, by the English of its headings."""
    (path,) = (reference / "seeds").glob("002_*.txt")
    text = path.read_text("utf-8").replace("\N{NO-BREAK SPACE}", " ")
    heads = ["Общие замечания", "Описание системы", "Статистика равных партий"]
    english = ["General remarks", "System description", "Statistics of even games"]
    text = re.sub(" +", " ", text)
    pieces = re.split("|".join(rf"^{head}$" for head in heads), text, flags=re.MULTILINE)
    return dict(zip(english, pieces[-3:], strict=True))


@pytest.mark.parametrize(
    ("number", "article", "words"),
    [
        ("1", "General remarks", "1 января 1996"),
        ("2", "General remarks", "1p = 7d = 2700"),
        ("3", "System description, (1) and (2)", "(2) SE(A) + SE(B) = 1 – e"),
        ("4", "System description, table 2", "Таблица 2"),
        ("5", "System description, (3)", "(3) Rnew – Rold = con"),
        ("6", "System description, example 5", "Пример 5"),
        ("7", "General remarks", "11-20 кю"),
        ("8", "Statistics of even games", "Pw = Nw/Ng"),
        ("11", "System description, (2)", "переустановка"),
        ("H", "General remarks", "Алеш Чипли"),
    ],
)
def test_the_description_of_1998(
    parts: dict[str, str], number: str, article: str, words: str
) -> None:
    assert articles("egf-1998")[number] == article
    assert words in parts[article.partition(",")[0]]


@pytest.mark.parametrize(
    ("name", "number", "article"),
    [
        ("egf-2013", "1", "General information"),
        ("egf-2013", "10", "Tournament class"),
        ("egf-2021", "9", "System description"),
        # Resets and the loss cap are known from lists, handicap from the calculator.
        ("egf-2013", "11", ""),
        ("egf-2013", "12", ""),
        ("egf-2021", "6", ""),
    ],
)
def test_the_pages_since(name: str, number: str, article: str) -> None:
    assert articles(name)[number] == article


@pytest.mark.parametrize("name", ARTICLES)
def test_every_place_is_of_a_paragraph_of_the_edition(name: str) -> None:
    assert {n for places in ARTICLES[name].values() for n in places} <= articles(name).keys()


def test_the_addresses() -> None:
    page = "https://www.europeangodatabase.eu/EGD/EGF_rating_system.php"
    assert registry.edition("egf-2021").text.url == page
