"""What reports say of players, and which rules use it."""

from ratingbook.engine.intake.said import (
    Said,
    Use,
    beyond,
    columns_of,
    kinds_in,
    used_of,
)
from ratingbook.engine.report.known import TOTALS

__all__ = ["TOTALS", "Said", "Use", "beyond", "columns_of", "kinds_in", "used_of"]
