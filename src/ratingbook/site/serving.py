"""The site as a WSGI application over one office."""

from __future__ import annotations

from django.core.handlers.wsgi import WSGIHandler

from ratingbook.office.home import folder_of
from ratingbook.site.opening import open_site


def application() -> WSGIHandler:
    """For a server of one's own choice; ``RATINGBOOK_OFFICE`` names the folder of the office."""
    open_site(folder_of(None))
    return WSGIHandler()
