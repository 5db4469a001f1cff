"""``ratingbook office``: the commands of an office."""

from ratingbook.cli.office import publishing, running
from ratingbook.cli.office.app import office

__all__ = ["office", "publishing", "running"]
