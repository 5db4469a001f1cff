"""Checks of a report that hold whatever the format and the rule book.

- ``report`` -- what is wrong or odd in the report itself;
- ``games`` -- the same for its games, each by itself and several together;
- ``edition`` -- what an edition needs to know of any report.
"""

from ratingbook.engine.intake.edition import check_for, check_same_game, check_validity
from ratingbook.engine.intake.games import place_of
from ratingbook.engine.intake.report import check_report

__all__ = ["check_for", "check_report", "check_same_game", "check_validity", "place_of"]
