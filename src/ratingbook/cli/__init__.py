"""The commands: ``ratingbook rate``, ``check``, ``rulebooks``."""

from ratingbook.cli.app import main

__all__ = ["main"]
