"""The catalogue: our editions, each with the module that has it and its name in there.

They are told here, and not as entry points of the package, since to look for entry points reads a
file of each package that is installed, and most who rate want one of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EDITIONS: Mapping[str, str] = MappingProxyType(
    {
        "elo": "ratingbook.rules.elo:elo",
        "egf-1998": "ratingbook.rules.egf:egf_1998",
        "egf-2013": "ratingbook.rules.egf:egf_2013",
        "egf-2021": "ratingbook.rules.egf:egf_2021",
        "fide-2009": "ratingbook.rules.fide:fide_2009",
        "fide-2011": "ratingbook.rules.fide:fide_2011",
        "fide-2012": "ratingbook.rules.fide:fide_2012",
        "fide-2014": "ratingbook.rules.fide:fide_2014",
        "fide-2022": "ratingbook.rules.fide:fide_2022",
        "fide-2024": "ratingbook.rules.fide:fide_2024",
        "iccf-2009": "ratingbook.rules.iccf:iccf_2009",
        "iecg-1999": "ratingbook.rules.iecg:iecg_1999",
        "uscf-2011": "ratingbook.rules.uscf:uscf_2011",
        "uscf-2013": "ratingbook.rules.uscf:uscf_2013",
        "uscf-2014": "ratingbook.rules.uscf:uscf_2014",
        "uscf-2015": "ratingbook.rules.uscf:uscf_2015",
        "uscf-2017": "ratingbook.rules.uscf:uscf_2017",
        "uscf-2023": "ratingbook.rules.uscf:uscf_2023",
        "uscf-2025": "ratingbook.rules.uscf:uscf_2025",
    }
)
