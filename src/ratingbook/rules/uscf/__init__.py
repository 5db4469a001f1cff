"""USCF: the ratings of the United States Chess Federation (US Chess)."""

from ratingbook.rules.uscf.editions import (
    uscf_2011,
    uscf_2013,
    uscf_2014,
    uscf_2015,
    uscf_2017,
    uscf_2023,
    uscf_2025,
)

__all__ = [
    "uscf_2011",
    "uscf_2013",
    "uscf_2014",
    "uscf_2015",
    "uscf_2017",
    "uscf_2023",
    "uscf_2025",
]
