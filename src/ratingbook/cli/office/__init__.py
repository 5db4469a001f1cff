"""``ratingbook office``: the commands of an office."""

from ratingbook.cli.office import correcting, publishing, running
from ratingbook.cli.office.app import office

__all__ = ["correcting", "office", "publishing", "running"]
