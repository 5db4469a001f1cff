"""Where FIDE's own texts have our paragraphs, edition by edition.

Only places that we have seen in a text are named: the chapters of 2024 are known but for a few
sections, of that of 2022 the sections on ratings, of earlier ones the article on K.
"""

from __future__ import annotations

from collections.abc import Mapping

_NEWS_2009 = (
    "http://www.fide.com/component/content/article/1-fide-news/"
    "4059-changes-to-title-and-rating-regulations-effective-from-july-1st-2009.html"
)
_CHAPTER_2013 = "http://www.fide.com/fide/handbook.html?id=161&view=article"
_CHAPTER_2014 = "http://www.fide.com/fide/handbook.html?id=172&view=article"
_CHAPTER_2022 = "https://handbook.fide.com/chapter/B022022"
_NEWS_2024 = "https://qc.fide.com/2024/03/01/new-rating-regulations-come-into-force/"
_CHAPTER_2024 = "https://handbook.fide.com/chapter/B022024"
_RAPID_2024 = "https://handbook.fide.com/chapter/B02RBRegulations2024"
_TITLES_2024 = "https://handbook.fide.com/chapter/B012024"

ARTICLES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "fide-2009": {
        _NEWS_2009: {
            "2c": "announcement, Coefficient K",
            "5c": "announcement, Rating Period",
            "6a": "announcement, Rating of Previously Unrated Players",
            "6c": "announcement, Coefficient K",
            "6g": "announcement, Rating of Previously Unrated Players",
            "9": "announcement, Registration of Tournaments",
        },
    },
    "fide-2012": {_CHAPTER_2013: {"2c": "B.02 8.56", "2d": "B.02 8.56"}},
    "fide-2014": {
        _CHAPTER_2014: {"2c": "B.02 8.56", "2d": "B.02 8.56", "2g": "B.02 8.56"},
        "": {"13": "B.01 1.46b, 1.48"},
    },
    "fide-2022": {
        _CHAPTER_2022: {
            "1b": "B.02 8.3.1",
            "1c": "B.02 8.1",
            "1e": "B.02 8.3.1",
            "2c": "B.02 8.3.3",
            "2d": "B.02 8.3.3",
            "2f": "B.02 8.3.3",
            "2g": "B.02 8.3.3",
            "6a": "B.02 8.2.1",
            "6b": "B.02 8.2.2",
            "6c": "B.02 8.2.3",
            "6d": "B.02 8.2.3",
            "6e": "B.02 7.1.4",
            "9": "B.02 0.2, 1.1",
            "14": "B.02 1.1",
        },
    },
    "fide-2024": {
        _CHAPTER_2024: {
            "1b": "B.02 8.3.1",
            "1c": "B.02 8.1.2, 8.3.2 a",
            "1d": "B.02 8.3.1",
            "2a": "B.02 8.3.2 b, d",
            "2b": "B.02 8.3.2 c, d",
            "2c": "B.02 8.3.3",
            "2d": "B.02 8.3.3",
            "2e": "B.02 7.2.1",
            "2f": "B.02 8.3.3",
            "2g": "B.02 8.3.3",
            "3": "B.02 8.3.2 c",
            "5b": "B.02 8.3.4",
            "5c": "B.02 7.1, 7.1.3",
            "5d": "B.02 9.1",
            "5e": "B.02 4",
            "6a": "B.02 8.2.1",
            "6b": "B.02 8.2.2",
            "6d": "B.02 8.2.3",
            "6e": "B.02 7.1.4",
            "6f": "B.02 7.1.4",
            "6h": "B.02 8.2.2",
            "6i": "B.02 8.2.3",
            "8": "B.02 5.1",
            "8c": "B.02 6.1, 6.2",
            "9": "B.02 0.2, 1.1",
            "10": "B.02 7.2.2",
            "14": "B.02 1.1; rapid and blitz 1.1",
        },
        _NEWS_2024: {"11": "announcement of 1 March 2024"},
        _RAPID_2024: {"8b": "rapid and blitz 7.3.1", "12": "rapid and blitz 6, 7.2.1"},
        _TITLES_2024: {"7": "B.01 1.4.8", "13": "B.01 1.4.6 b, 1.4.8"},
    },
}
"""By edition and by the address of a text: the places in it, by our numbers."""

URLS: Mapping[str, str] = {
    "fide-2009": _NEWS_2009,
    "fide-2012": _CHAPTER_2013,
    "fide-2014": _CHAPTER_2014,
    "fide-2022": _CHAPTER_2022,
    "fide-2024": _CHAPTER_2024,
}
"""The regulation of an edition, or what was announced of it, where the address is known."""
