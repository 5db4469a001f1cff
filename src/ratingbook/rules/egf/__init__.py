"""EGF: the European Go Federation."""

from ratingbook.rules.egf.editions import egf_1998, egf_2013, egf_2021

__all__ = ["egf_1998", "egf_2013", "egf_2021"]
