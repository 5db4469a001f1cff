"""``ratingbook office``: the commands of an office."""

from ratingbook.cli.office import correcting, exchanging, publishing, running
from ratingbook.cli.office.app import office

__all__ = ["correcting", "exchanging", "office", "publishing", "running"]
