"""Glicko, a rating with its deviation (Glickman 1999), as a rule book for ratingbook."""

from rating_models.glicko.edition import glicko

__all__ = ["glicko"]
