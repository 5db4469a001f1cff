"""Elo game by game, as sports and game sites use it, as a rule book for ratingbook."""

from elo_rating.edition import elo

__all__ = ["elo"]
