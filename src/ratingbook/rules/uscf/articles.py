"""Where US Chess's own texts have our paragraphs.

The text of 3 November 2011 is known in full.  Of those of 2015, 2020 and 2026, which count their
sections otherwise, only the sections below; what stands unchanged since 2011 keeps its place there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ratingbook.rules.text import Articles

_TEXT_2020 = (
    "https://new.uschess.org/sites/default/files/media/documents/"
    "the-us-chess-rating-system-revised-september-2020.pdf"
)
_TEXT_2026 = (
    "https://new.uschess.org/sites/default/files/media/documents/"
    "us_chess_rating_system_specs-2026-04-06.pdf"
)

_OF_2011: Mapping[str, str] = {
    "0.1": "introduction",
    "0.2": "section 1",
    **dict.fromkeys((f"1.1.{n}" for n in range(1, 9)), "section 1, Step 1"),
    "1.2": "section 1, Step 2",
    "1.3": "section 1, Step 3",
    "1.4": "section 1, Step 4",
    "1.5": "section 1, Step 5",
    "2.1": "section 2.1",
    "2.2": "section 2.2",
    **{f"2.2.{n}": f"section 2.2, {n}" for n in range(1, 5)},
    "2.3": "section 2.3",
    **dict.fromkeys(("2.4", "2.4.1", "2.4.2", "2.4.3", "2.4.4"), "section 2.4"),
    **dict.fromkeys(("3.1", "3.2", "3.3", "3.4"), "section 3"),
    **dict.fromkeys(("4.1", "4.2", "4.3", "4.5", "4.6"), "section 4"),
    **{f"4.4.{n}": f"section 4, matches, {n}" for n in range(1, 5)},
}

_SINCE_2015: Mapping[str, str] = {
    **{n: _OF_2011[n] for n in ("0.1", "0.2", "1.2", "1.3", "1.4", "1.5")},
    "2.1": "section 3",
    **dict.fromkeys(("2.2", "2.2.1", "2.2.2", "2.2.3", "2.2.4"), "section 4.1"),
}
_SINCE_2020: Mapping[str, str] = {**_SINCE_2015, "2.3": "section 4.2"}

_LATER: Mapping[str, Mapping[str, str]] = {
    "uscf-2015": _SINCE_2015,
    "uscf-2017": _SINCE_2020,
    "uscf-2023": _SINCE_2020,
    "uscf-2025": _SINCE_2020,
}

URLS: Mapping[str, str] = {
    "uscf-2017": _TEXT_2020,
    "uscf-2023": _TEXT_2020,
    "uscf-2025": _TEXT_2026,
}
"""The text of an edition, where its address is known."""


def articles_of(edition: str, changed: Collection[str]) -> Articles:
    """By the address of a text: the places in it, by our numbers.

    ``changed`` are the paragraphs that the text of 2011 does not hold any more.
    """
    if edition == "uscf-2011":
        return {"": _OF_2011}
    own, url = _LATER.get(edition, {}), URLS.get(edition, "")
    kept = {n: f"{place} of 2011" for n, place in _OF_2011.items() if n not in changed}
    return {"": {**kept, **own}} | ({url: own} if url else {})
