"""FIDE: the Elo ratings of the World Chess Federation."""

from ratingbook.rules.fide.edition_2009 import fide_2009
from ratingbook.rules.fide.later import fide_2011, fide_2012, fide_2014, fide_2022, fide_2024

__all__ = ["fide_2009", "fide_2011", "fide_2012", "fide_2014", "fide_2022", "fide_2024"]
