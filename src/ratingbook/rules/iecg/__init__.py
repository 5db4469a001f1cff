"""IECG: the ratings of the International E-mail Chess Group."""

from ratingbook.rules.iecg.edition_1999 import iecg_1999

__all__ = ["iecg_1999"]
