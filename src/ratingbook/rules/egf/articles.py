"""Where the EGF's own descriptions have our paragraphs.

The descriptions have headings, three numbered equations and two tables, but no numbers of sections.
Only places that we have seen are named; of the page of 2021 we know the system description only.
"""

from __future__ import annotations

from collections.abc import Mapping

_PAGE_1998 = "http://www.european-go.org/rating/gor.html"
_PAGE_OLD = "https://www.europeangodatabase.eu/EGD/EGF_rating_system_old.php"
_PAGE = "https://www.europeangodatabase.eu/EGD/EGF_rating_system.php"

_SYSTEM = {
    "3": "System description, (1) and (2)",
    "4": "System description, table 2",
    "5": "System description, (3)",
    "6": "System description, example 5",
}

ARTICLES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "egf-1998": {
        _PAGE_1998: {
            **dict.fromkeys(("1", "2", "7", "H"), "General remarks"),
            **_SYSTEM,
            "11": "System description, (2)",
        },
        "": {"8": "Statistics of even games"},
    },
    "egf-2013": {
        _PAGE_OLD: dict.fromkeys(("1", "2", "7", "H"), "General information"),
        f"{_PAGE_OLD}#System": _SYSTEM,
        f"{_PAGE}#CLASS": {"10": "Tournament class"},
    },
    "egf-2021": {
        f"{_PAGE}#System": {"5": "System description; Remarks", "9": "System description"},
        f"{_PAGE}#CLASS": {"10": "Tournament class"},
    },
}
"""By edition and by the address of a text: the places in it, by our numbers."""

URLS: Mapping[str, str] = {"egf-1998": _PAGE_1998, "egf-2013": _PAGE_OLD, "egf-2021": _PAGE}
"""The description of an edition."""
