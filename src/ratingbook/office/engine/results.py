"""How often games were won, drawn and lost, as lists print it."""

from ratingbook.engine.history.results import UNKNOWN, Results, prints_results

__all__ = ["UNKNOWN", "Results", "prints_results"]
