"""``uscf-2011`` to ``uscf-2025``: one set of functions, seven sets of numbers."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

from ratingbook.rules.book import RatedBy
from ratingbook.rules.not_rated import NotRated
from ratingbook.rules.settings import Amendment, Settings
from ratingbook.rules.text import (
    Domain,
    Examples,
    Reading,
    Regulation,
    with_articles,
    with_texts,
)
from ratingbook.rules.uscf.articles import URLS, articles_of
from ratingbook.rules.uscf.book import UscfRuleBook
from ratingbook.rules.uscf.bulk import USCF_BULK
from ratingbook.rules.uscf.columns import PARAMETER_DOCS, Curve, Decisions, Parameters, Storage
from ratingbook.rules.uscf.examples import examples_of
from ratingbook.rules.uscf.paragraphs import (
    AGE_2015,
    CURVE_2013,
    DECIMALS_STORED,
    FIDE_2015,
    FIDE_2023,
    FIDE_2024,
    PARAGRAPHS,
    STANDARD,
    SYSTEMS_2015,
)
from ratingbook.rules.uscf.readings import DECIMALS, LATER, OF_2023, OF_2025, READINGS

_OF_2011 = Parameters()
_OF_2013 = _OF_2011._replace(curve=Curve.YEAR_2013, bonus=8.0, strong_k=True)
_OF_2014 = _OF_2013._replace(bonus=10.0)
_OF_2015 = _OF_2014._replace(
    bonus=12.0,
    storage=Storage.DECIMALS,
    fide_low=20.0,
    fide_low_slope=1.02,
    fide_high=180.0,
    fide_high_slope=0.94,
    age_least=2.0,
    age_below=100.0,
    systems=5,
    increment_counts=True,
    quick_least=11,
    quick_most=65,
)
_OF_2017 = _OF_2015._replace(bonus=14.0)
_OF_2023 = _OF_2017._replace(bonus=12.0, systems=6)
_CONVERSION_2024: dict[str, Any] = {
    "fide_low": -1073.0,
    "fide_low_slope": 1.5667,
    "fide_high": 20.0,
    "fide_high_slope": 1.02,
}
_OF_2025 = _OF_2023._replace(bonus=10.0, bonus_of_three=1, **_CONVERSION_2024)
_AMENDMENTS_2023 = (
    Amendment(
        date(2024, 3, 1),
        _CONVERSION_2024,
        "FIDE ratings count as −1073 + 1.5667 FIDE up to 2000, and 20 + 1.02 FIDE above",
    ),
)

_ONCE = " (2026: in an event of three games nobody more than once)"


_TITLE_2011 = "The USCF Rating System, 3 November 2011"
_SINCE_2011 = (
    "The text of 3 November 2011 with the changes known since: reports of the Ratings Committee, "
    "announcements of US Chess, and the specifications of June 2015, September 2020 and April 2026 "
    "as far as they are quoted"
)


def _texts(p: Parameters, fide: str) -> dict[str, str]:
    """The paragraphs that are not those of 2011; ``fide`` is the text of 1.1.1 from 2015 on."""
    if p.curve == Curve.YEAR_2011:
        return {}
    once = _ONCE if p.bonus_of_three == 1 else ""
    texts = {"2.1": CURVE_2013, "2.3": STANDARD.format(bonus=once, b=f"{p.bonus:g}")}
    if p.storage == Storage.DECIMALS:
        texts |= {"0.1": SYSTEMS_2015, "1.1.1": fide, "1.1.6": AGE_2015, "4.5": DECIMALS_STORED}
    return texts


def _edition(
    year: int, about: str, valid: tuple[date, date | None], readings: tuple[Reading, ...],
    p: Parameters, fide: str = FIDE_2015, amendments: tuple[Amendment, ...] = (),
) -> UscfRuleBook:  # fmt: skip
    name, texts = f"uscf-{year}", _texts(p, fide)
    paragraphs = with_texts(PARAGRAPHS, texts)
    return UscfRuleBook(
        name=name,
        text=Regulation(
            title=f"The US Chess Rating System, {about}" if texts else _TITLE_2011,
            federation="US Chess",
            source=_SINCE_2011 if texts else f"Mark E. Glickman and Thomas Doan, {_TITLE_2011}",
            url=URLS.get(name, ""),
            own_numbers=True,
            valid_from=valid[0],
            valid_until=valid[1],
            paragraphs=with_articles(paragraphs, articles_of(name, texts.keys())),
            readings=(*READINGS, *(LATER if texts else ()), *readings),
            examples=Examples(partial(examples_of, name)),
        ),
        settings=Settings(p, PARAMETER_DOCS, amendments=amendments),
        rated_by=RatedBy.SECTION,
        game="chess",
        notation="us-chess",
        standing_fields={"events": int, "peak": float, "floor": float, "olm": bool},
        decisions=frozenset(Decisions._fields),
        rating_range=(100, 3500),
        whole_ratings=p.storage == Storage.AWAY,
        publishes_whole=True,
        domain=Domain(
            (100, 2900),
            kinds=(None, "swiss", "round_robin"),
            decided=("initial_rating", "adjusted_rating", "ceiling"),
        ),
        not_rated=(NotRated.FORFEIT, NotRated.SYSTEM, NotRated.MATCH, NotRated.OTHER_LIST),
        bulk=USCF_BULK,
    )


uscf_2011 = _edition(
    2011,
    "",
    (date(2011, 11, 3), date(2013, 4, 30)),
    (),
    _OF_2011,
)

uscf_2013 = _edition(
    2013,
    "effective games of May 2013, B = 8",
    (date(2013, 5, 1), date(2014, 1, 31)),
    (),
    _OF_2013,
)

uscf_2014 = _edition(
    2014,
    "B = 10 of February 2014",
    (date(2014, 2, 1), date(2015, 5, 31)),
    (),
    _OF_2014,
)

uscf_2015 = _edition(
    2015,
    "decimals, B = 12 of 2015",
    (date(2015, 6, 1), date(2017, 4, 30)),
    DECIMALS,
    _OF_2015,
)

uscf_2017 = _edition(
    2017,
    "B = 14 of May 2017",
    (date(2017, 5, 1), date(2023, 1, 31)),
    DECIMALS,
    _OF_2017,
)

uscf_2023 = _edition(
    2023,
    "B = 12 of February 2023",
    (date(2023, 2, 1), date(2024, 12, 31)),
    (*DECIMALS, *OF_2023),
    _OF_2023,
    FIDE_2023,
    _AMENDMENTS_2023,
)

uscf_2025 = _edition(
    2025,
    "B = 10 of 2025",
    (date(2025, 1, 1), None),
    (*DECIMALS, *OF_2025),
    _OF_2025,
    FIDE_2024,
)
