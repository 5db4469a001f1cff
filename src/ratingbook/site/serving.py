"""The site as a WSGI application over one office."""

from __future__ import annotations

from django.core.handlers.wsgi import WSGIHandler

from ratingbook.office.acts.setup import open_office
from ratingbook.office.home import folder_of


def application() -> WSGIHandler:
    """For a server of one's own choice; ``RATINGBOOK_OFFICE`` names the folder of the office."""
    open_office(folder_of(None))
    return WSGIHandler()
