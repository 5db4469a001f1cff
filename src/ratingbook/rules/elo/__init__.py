"""Elo game by game, as sports and game sites use it, as a rule book for ratingbook."""

from ratingbook.rules.elo.edition import elo

__all__ = ["elo"]
