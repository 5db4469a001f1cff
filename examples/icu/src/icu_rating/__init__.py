"""The rules of the Irish Chess Union (ICU), as a rule book for ratingbook."""

from icu_rating.edition import icu_2012

__all__ = ["icu_2012"]
