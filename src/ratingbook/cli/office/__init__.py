"""``ratingbook office``: the commands of an office."""

from ratingbook.cli.office import planning, publishing, registry, running
from ratingbook.cli.office.app import office

__all__ = ["office", "planning", "publishing", "registry", "running"]
