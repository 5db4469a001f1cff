"""ICCF: the International Correspondence Chess Federation."""

from ratingbook.rules.iccf.edition_2009 import iccf_2009

__all__ = ["iccf_2009"]
