"""Glicko-2, a rating with deviation and volatility (Glickman 2012), for ratingbook."""

from rating_models.glicko_2.edition import glicko_2

__all__ = ["glicko_2"]
