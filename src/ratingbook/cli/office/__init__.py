"""``ratingbook office``: the commands of an office."""

from ratingbook.cli.office import correcting, exchanging, planning, publishing, registry, running
from ratingbook.cli.office.app import office

__all__ = [
    "correcting", "exchanging", "office", "planning", "publishing", "registry", "running"
]  # fmt: skip
