"""``fide-2011`` to ``fide-2024``: the numbers that changed, and the texts that say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from ratingbook.rules.fide.book import FideRuleBook
from ratingbook.rules.fide.columns import (
    PARAMETER_DOCS,
    CapRule,
    Parameters,
    Pool,
    Tempo,
    Ties,
)
from ratingbook.rules.fide.edition_2009 import PARAGRAPHS, READINGS, edition
from ratingbook.rules.settings import Amendment, Settings
from ratingbook.rules.text import (
    Paragraph,
    Reading,
    paragraphs_in,
    readings_in,
    with_texts,
)
from ratingbook.rules.timeline import Reform

_OF_2009 = Parameters()
_OF_2011 = _OF_2009._replace(k_new=30, points_per_half_point=15.0)
_OF_2012 = _OF_2011._replace(floor=1000, match_rules=True, tempo=Tempo.YEAR_2012)
_OF_2014 = _OF_2012._replace(
    k_new=40,
    k_rated=20,
    juniors=True,
    k10_before_30=True,
    k_games=700,
    points_per_half_point=20.0,
    first_games=5,
    first_event_games=1,
    first_event_half_points=1,
    first_event_once=True,
)
_OF_2022 = _OF_2014._replace(
    cap_rule=CapRule.ONE_UPGRADE,
    round_robins=False,
    tempo=Tempo.YEAR_2022,
    ties=Ties.AWAY,
)
_OF_2024 = _OF_2022._replace(
    cap_rule=CapRule.EVERY_GAME,
    first_by_performance=True,
    first_draws=2,
    first_maximum=2200,
    floor=1400,
    late_lists=3,
    longest_event=30,
    list_lift=0.4,
    tempo=Tempo.YEAR_2024,
)

_END_OF_TABLE = 735
_POOLS = (Pool.RAPID, Pool.BLITZ)


def _in_pools(day: date | None, changes: Mapping[str, object], text: str) -> list[Amendment]:
    """An amendment of the rapid and blitz lists."""
    return [Amendment(day, changes, text, {"pool": pool}) for pool in _POOLS]


_POOLS_2012 = tuple(
    _in_pools(
        None,
        {"k_everybody": 20, "points_per_half_point": 10.0},
        "rapid and blitz: K = 20 for everybody, 10 points for a half point in a first rating",
    )
)
_AMENDMENTS_2014 = (
    *_in_pools(
        None,
        {
            "k_everybody": 20,
            "points_per_half_point": 10.0,
            "cap": _END_OF_TABLE,
            "first_event_half_points": 2,
        },
        "rapid and blitz: K = 20 for everybody, differences count up to 735, one point in the "
        "first event",
    ),
    Amendment(
        date(2018, 9, 1),
        {"ties": Ties.AWAY},
        "from the list of September 2018 on a change of exactly half a point is rounded away from "
        "zero",
    ),
)
_POOLS_2022 = (
    *_in_pools(
        None,
        {
            "k_everybody": 20,
            "cap": _END_OF_TABLE,
            "cap_rule": CapRule.EVERY_GAME,
            "first_event_half_points": 2,
        },
        "rapid and blitz: K = 20 for everybody, differences count up to 735 in every game, one "
        "point in the first event",
    ),
    *_in_pools(
        date(2022, 10, 1),
        {"k_everybody": 0, "list_gap": 100},
        "rapid and blitz: K as in the standard list",
    ),
)
_AMENDMENTS_2024 = (
    *_in_pools(
        date(2024, 12, 1),
        {"unrated_difference": 600},
        "rapid and blitz: a difference of 600 or more is not rated if a player is above 2600",
    ),
    Amendment(
        date(2025, 10, 1),
        {"uncapped_rating": 2650},
        "standard: no 400-point rule for the own changes of players of 2650 and more",
        {"pool": Pool.STANDARD},
    ),
)

_K_2011 = (
    "K = 30 for the first 30 rated games; then 10 for a player whose published rating has reached "
    "2400, and 15 for all others. K is settled for each event (reading F32)."
)
_K_2012 = f"{_K_2011} In rapid and blitz 20 for everybody."
_K_2014 = (
    "K = 10 once a published rating has reached 2400; 40 for juniors below 2300 (2g) and for the "
    "first 30 rated games; 20 for all others. K is settled for each event (reading F32). Rapid "
    "and blitz: 20 for everybody until September 2022."
)
_LISTS = (
    "A list appears on the first day of every month. An event counts for the first list that "
    "appears at least three days after its end; official FIDE events (event category `official`) "
    "up to the day before."
)
_TEXTS_2011 = {
    "2c": _K_2011,
    "6c": "Ru = Rc + 15 for each half point above 50 %; Rc at 50 %.",
    "6f": "No first rating below 1200 is published.",
}
_TEXTS_2012 = _TEXTS_2011 | {
    "2c": _K_2012,
    "5c": _LISTS,
    "6f": "No first rating below 1000 is published.",
}
_TIES = "The change of a period is rounded once, to the nearest whole number, a half {}."
_TEXTS_2014 = _TEXTS_2012 | {
    "5b": _TIES.format("up; from the list of September 2018 on away from zero"),
    "2c": _K_2014,
    "6a": "At least half a point in the first event; in rapid and blitz a whole one.",
    "6c": "Ru = Rc + 20 for each half point above 50 %; Rc at 50 %.",
    "6e": "A first rating is published after five games; games of several events are taken "
    "together as one tournament.",
}
_TEXTS_2022 = _TEXTS_2014 | {"5b": _TIES.format("away from zero")}
_TEXTS_2024 = _TEXTS_2022 | {
    "6a": "At least half a point in the first event.",
    "1b": "The difference is the own rating less the opponent's. A difference of more than 400 "
    "points counts as 400, but see 1d and 8b.",
    "6b": "Ra is the average rating of the rated opponents and of the hypothetical ones (6h).",
    "6d": "Ru = Ra + d_p for every score, with d_p from table 8.1.1 for p = (W + 1) / (n + 2).",
    "6f": "No first rating below 1400 is published.",
}

_LATER = {
    each.number: each
    for each in paragraphs_in("""
1d  No cap from 2650 on
    From October 2025, standard list: for the own change of a player rated 2650 or more every
    difference counts in full. The opponent keeps his cap.
1e  One capped game in an event
    A player may benefit from only one upgrade in an event, in the game of greatest difference: of
    the lower rated opponents only that one counts as 400 below; in the other games against them
    the difference counts in full. A higher rated opponent counts as 400 above in every game.
2f  K and the number of games
    If K times the games of the period is more than 700, K is the greatest whole number with K · n
    ≤ 700. The list still prints the ordinary K.
2g  Juniors
    K = 40 until the end of the year of the 18th birthday, as long as the rating remains below
    2300: a player who has once reached it does not get 40 again. In a report: `birth_date`, or
    `birth_year`, and `reached_2300` in the standing.
5d  Late reports
    A report that misses the third list after the end of its event is not rated. In a report:
    `reported` of the games.
5e  Long events
    An event of more than 30 days is reported by months; the games of each month are rated as an
    event of their own.
6h  Two hypothetical draws
    To the games of a first rating two are added: draws against opponents rated 1800.
6i  Greatest first rating
    No first rating is above 2200.
8b  Too far apart
    Rapid and blitz from December 2024: a game with a difference of 600 points or more is not rated
    if one of the players is above 2600.
8c  Matches
    A match with an unrated player is not rated, nor are games after it is decided. In a report:
    the kind `match`, and `rounds`, the number of games that were planned.
11  One-off reforms
    October 2022: a rapid or blitz rating more than 100 below the standard rating is set to 100
    below it. March 2024: a standard rating below 2000 becomes R + 0.4 · (2000 − R). A history
    applies them to all ratings of that list; the ratings of a report have them already.
    Office: the office changes a whole list once; `ratingbook history` does so with reforms.lifted
    and reforms.drawn_up
12  Rapid and blitz lists
    Three lists: standard, rapid and blitz. A player who has no rapid or blitz rating starts from
    the standard rating. In rapid and blitz K = 20 for everybody until September 2022, and
    differences count up to 735 from 2014 to February 2024. In a report: `pool` of the event, and
    `pools` of a player with `standard`.
14  Rates of play
    A game lasts as long as 60 moves take. Standard: at least 120 minutes where a player is rated
    2200 or more (2400 from 2022), 90 from 1600 (1800), else 60. Rapid from 15 to less than 60
    minutes, blitz from 5 to less than 15; from 2024 rapid above 10, blitz above 3 up to 10.
""")
}
_ORDER = tuple(_LATER)
_TITLES = {("6d", True): "Performance"}

_READINGS_LATER = readings_in("""
F19  Which edition rates an event that lies on both sides of a change?
    Taken: the one in force on the day on which it starts; what is of a whole period (floor, ties,
    K · n) goes by the day of its list
    Why: regulation 0.1: changes apply to tournaments that start on their day or later. The other
    reading, `list`: the day before the list that takes the event
    Parameter: edition_by
F20  When do monthly lists close?
    Taken: three days before, from July 2012 on
    Why: so the text of 2024; no earlier text of the monthly lists is known to us
F21  First ratings from July 2011 on?
    Taken: 15 points for a half point above 50 %: half of the highest K, as in 2009; 20 from 2014;
    in rapid and blitz 10 until 2021
    Why: the announcement of 2009 explains 12.5 as "half of the highest K value"
    Parameter: points_per_half_point
F33  Which edition makes a first rating of events under several editions?
    Taken: that of the event of the period that starts last; each event counts by its own (6a)
    Why: games of 26 months are taken as one tournament, which the last event completes
F38  Who has no rapid or blitz rating, but games towards a first one or a number below the floor?
    Taken: starts from the standard rating, as who has none of them; the games towards a first
    rating are dropped, and do not count towards the first 30
    Why: the rule asks for a rating, and only a published one is one; games that never went into a
    rating have not been rated (as in F34)
F30  A player who starts from a standard rating of 2400 or more: K in rapid and blitz?
    Taken: 10: a published rating has reached 2400. A standard rating of 2400 that was published
    before, and from which the player does not start, is none that the list has used: K is 40
    Why: each list goes by its own ratings, and the one from which a player starts is the first of
    them; so a player with a rapid rating has not reached 2400 by a standard one either
""")
_READINGS_2014 = (
    *_READINGS_LATER,
    *readings_in("""
F22  Until when is a player a junior?
    Taken: to the end of the year of the 18th birthday, in all editions from 2014 on
    Why: the texts of 2022 and 2024 say so; that of 2014 says until the birthday, and most lists
    give the year of birth only
    Parameter: junior_age
F26  How far do differences count in rapid and blitz?
    Taken: up to 400 until June 2014, up to 735 (the end of the table) until February 2024, then as
    in the standard list
    Why: the announcement of 2011 changes nothing but K; a page on the text of 2021 names 735; the
    text of 2024 has 400
    Parameter: cap
F23  From when does K · n ≤ 700 hold?
    Taken: from July 2014
    Why: the text of 2024 has it; when it came in is not known to us
    Parameter: k_games
F24  Does a junior who was above 2300 get K = 40 again below it?
    Taken: no: a player who has once reached 2300 does not
    Why: "as long as the rating remains under 2300"; in published lists K was 20 in 6,166 such
    months of players and 40 in 17
    Parameter: junior_rating
F35  Of events that start on the same day, which is the first one (6a)?
    Taken: one that meets the conditions, if any does
    Why: the text knows no order within a day, and names say nothing
    Parameter: first_event_once
"""),
)
_READINGS_2022 = (
    *_READINGS_2014,
    *readings_in("""
F25  For whom is only one game of an event capped?
    Taken: for the higher rated player, against opponents more than 400 below; a higher rated
    opponent counts as 400 above in every game
    Why: "in any tournament, a player may benefit from only one upgrade": upgraded is the opponent
    who counts as 400 below, and only the higher rated player benefits. `one_game` limits both
    Parameter: cap_rule
F27  How are the ratings of a reform rounded?
    Taken: to a whole number, half up
    Why: the announcement of March 2024 does not say
"""),
)
_READINGS_2024 = (
    *_READINGS_2022,
    *readings_in("""
F28  Does the reform of March 2024 touch rapid and blitz?
    Taken: no; who has less than 1400 there is on no list from then on
    Why: FIDE's proposal speaks of the standard list; one federation's page says all three. The
    floor of 1400 is one of all lists
    Parameter: list_lift
F39  By which floor is the list of March 2024 made?
    Taken: what is rated for it by the one of 1000, as the lists before; then the reform lifts
    all of them, and who is below 1400 after it is not on the list
    Why: the reform changes the ratings of that list: a rating of 1000 becomes 1400, so that nobody
    leaves it
    Parameter: floor
F31  Which is the third list after the end of an event?
    Taken: the third that appears after its last day, whether or not it takes the event
    Why: the text counts lists after the end, not after the closing date
    Parameter: late_lists
F29  With which ratings are the months of a long event rated?
    Taken: with those of the list in force when the month's part begins
    Why: each month is reported as if it were an event
    Parameter: longest_event
"""),
)


_K10 = readings_in("""
F3  K of a new player who has already reached 2400?
    Taken: 10
    Why: K = 10 once a published rating has reached 2400, whatever the games
    Parameter: k10_before_30
""")
"""Reading F3 where K = 10 comes before the first 30 games."""


def _paragraphs(numbers: tuple[str, ...], texts: Mapping[str, str]) -> tuple[Paragraph, ...]:
    """The paragraphs of 2009 with other texts, and those that came later."""
    later = {number: _LATER[number] for number in _ORDER if number in numbers}
    titled = (
        replace(p, title=_TITLES.get((p.number, "6h" in numbers), p.title)) for p in PARAGRAPHS
    )
    merged = sorted((*with_texts(tuple(titled), texts), *later.values()), key=_place)
    return tuple(merged)


def _place(paragraph: Paragraph) -> tuple[int, str]:
    digits = "".join(char for char in paragraph.number if char.isdigit())
    return (int(digits) if digits else 99, paragraph.number)


def _edition(
    year: int,
    about: str,
    valid: tuple[date, date | None],
    numbers: tuple[str, ...],
    texts: Mapping[str, str],
    readings: tuple[Reading, ...],
    parameters: Parameters,
    amendments: tuple[Amendment, ...] = (),
    reforms: tuple[Reform, ...] = (),
    without: frozenset[str] = frozenset(),
) -> FideRuleBook:
    paragraphs = tuple(p for p in _paragraphs(numbers, texts) if p.number not in without)
    changed = {reading.id: reading for reading in _K10 if parameters.k10_before_30}
    source = (
        "FIDE handbook B.02 as published over the years, announcements and the dated table of "
        "rules; real cases of FIDE's own pages"
    )
    taken = (*(changed.get(each.id, each) for each in READINGS), *readings)
    settings = Settings(parameters, PARAMETER_DOCS, amendments=amendments)
    return edition(year, about, source, valid, paragraphs, taken, settings, reforms=reforms)


fide_2011 = _edition(
    2011,
    "from July 2011: K 30 for new players",
    (date(2011, 7, 1), date(2012, 6, 30)),
    (),
    _TEXTS_2011,
    _READINGS_LATER,
    _OF_2011,
)

fide_2012 = _edition(
    2012,
    "from July 2012: monthly lists, rapid and blitz, floor 1000",
    (date(2012, 7, 1), date(2014, 6, 30)),
    ("8c", "12", "14"),
    _TEXTS_2012,
    _READINGS_LATER,
    _OF_2012,
    _POOLS_2012,
)

fide_2014 = _edition(
    2014,
    "from July 2014: K 40, 20 and 10",
    (date(2014, 7, 1), date(2021, 12, 31)),
    ("2f", "2g", "8c", "12", "14"),
    _TEXTS_2014,
    _READINGS_2014,
    _OF_2014,
    _AMENDMENTS_2014,
)

fide_2022 = _edition(
    2022,
    "from January 2022: one capped game in an event",
    (date(2022, 1, 1), date(2024, 2, 29)),
    ("1e", "2f", "2g", "8c", "11", "12", "14"),
    _TEXTS_2022,
    _READINGS_2022,
    _OF_2022,
    _POOLS_2022,
    (
        Reform(
            date(2022, 10, 1),
            "rapid and blitz ratings drawn up to 100 below standard",
            {"pool": _POOLS},
            "11",
        ),
    ),
    frozenset({"6g"}),
)

fide_2024 = _edition(
    2024,
    "from March 2024: floor 1400, first ratings with two draws; October 2025: no cap from 2650 on",
    (date(2024, 3, 1), None),
    ("1d", "2f", "2g", "5d", "5e", "6h", "6i", "8b", "8c", "11", "12", "14"),
    _TEXTS_2024,
    _READINGS_2024,
    _OF_2024,
    _AMENDMENTS_2024,
    (
        Reform(
            date(2024, 3, 1),
            "standard ratings below 2000 lifted by two fifths of the way",
            {"pool": (Pool.STANDARD,)},
            "11",
        ),
        Reform(
            date(2024, 3, 1),
            "rapid and blitz ratings below 1400 are on no list any more",
            {"pool": _POOLS},
            "11",
        ),
    ),
    frozenset({"6c", "6g"}),
)
