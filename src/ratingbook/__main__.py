"""``python -m ratingbook`` is the command."""

from ratingbook.cli import main

main()
