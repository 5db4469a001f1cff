"""What stands in the frame of every page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from ratingbook import __version__

NAVIGATION = (
    ("lists", "Lists"),
    ("events", "Events"),
    ("players", "Players"),
    ("corrections", "Corrections"),
    ("rules", "Rules"),
    ("whatif", "What if"),
)
"""The names of the routes in the head, and what they are called."""


def of_every_page(request: HttpRequest) -> dict[str, Any]:
    """The navigation, with where the reader is, and the version."""
    here = request.resolver_match.url_name if request.resolver_match else None
    return {"version": __version__, "navigation": NAVIGATION, "here": here}
