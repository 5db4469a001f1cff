"""FIDE: the Elo ratings of the World Chess Federation."""

from ratingbook.rules.fide.edition_2009 import fide_2009

__all__ = ["fide_2009"]
