"""Worked examples of all editions; the numbers are derived by hand from the tables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from ratingbook.rules.text import EXAMPLE_LABELS, Example, blocks, document_of

_FIRST_DAY = {
    2009: "2010-03-05",
    2011: "2011-09-02",
    2012: "2012-09-07",
    2014: "2014-09-05",
    2022: "2022-02-04",
    2024: "2024-04-05",
}
"""A day on which an event of each edition begins."""

_CASES = """
2806 against 2577: the lower rated wins
    Players: A 2806 100 reached_2400=true; B 2577 100 reached_2400=true
    Games: A B 0-1;
    New: 2009 A 2798 B 2585
    By: the example of the text (German part), K = 10
2806 against 2577: the higher rated wins
    Players: A 2806 100 reached_2400=true; B 2577 100 reached_2400=true
    Games: A B 1-0;
    New: 2009 A 2808 B 2575
    By: the example of the text (German part), K = 10
2806 against 2577: draw
    Players: A 2806 100 reached_2400=true; B 2577 100 reached_2400=true
    Games: A B 1/2-1/2;
    New: 2009 A 2803 B 2580
    By: the example of the text (German part), K = 10
Two players above 2400
    Event: time_control=90+30
    Players: A 2806 100 reached_2400=true; B 2577 100 reached_2400=true
    Games: A B 0-1;
    New: 2011 2012 2014 2022 2024 A 2798 B 2585
    By: by hand: a difference of 229 is 0.79; 10 × 0.79 = 7.9, rounded 8
A first rating from nine games
    Event: days=9
    Players: new; 1 1902 50; 2 1877 50; 3 1884 50; 4 2012 50; 5 1832 50; 6 1950 50; 7 1841 50; 8
    1925 50; 9 1990 50
    Games: new 1 1/2-1/2; new 2 1/2-1/2; new 3 1-0; new 4 0-1; new 5 1-0; new 6 1-0; new 7 1/2-1/2;
    new 8 0-1; new 9 1-0
    New: 2009 new 1938; 2011 2012 new 1943; 2014 2022 new 1953; 2024 new 1957
    By: by hand: Rc = 17213 / 9 = 1912.6, rounded 1913; 5½ of 9 is two half points above 50 %: 1913
    + 2 × 12.5 = 1938, from 2011 + 2 × 15, from 2014 + 2 × 20; 2024: Ra = (17213 + 3600) / 11 =
    1892, p = 6½ / 11 = 0.59, dp = 65
A first rating below one half, from two events
    Players: new past=/1800/0*4 past=/1800/1; 1 1890 50; 2 1890 50; 3 1890 50; 4 1890 50
    Games: new 1 1-0; new 2 0-1; new 3 0-1; new 4 1/2-1/2
    New: 2009 2011 2012 2014 2022 new 1674; 2024 new 1700
    By: by hand: Rc = (5 × 1800 + 4 × 1890) / 9 = 1840; p = 2½ / 9 = 0.28, dp = −166; 2024: Ra =
    (16560 + 3600) / 11 = 1833, p = 3½ / 11 = 0.32, dp = −133
Unrated players in a round robin
    Event: days=9 kind=round_robin
    Players: A 2600 50; B 2500 50; C; D 2400 50; E; F 2150 50; G 2300 50; H; I; J 2300 50
    Games: A B 1-0, A C 0-1, A D 1-0, A E 1-0, A F 1-0, A G 1-0, A H 1-0, A I 1-0, A J 1-0, B C
    1-0, B D 1-0, B E 0-1, B F 1-0, B G 1-0, B H 1-0, B I 1-0, B J 1-0, C D 0-1, C E 1-0, C F 1-0,
    C G 1-0, C H 1-0, C I 1-0, C J 1-0, D E 0-1, D F 1-0, D G 1-0, D H 1-0, D I 1-0, D J 1-0, E F
    0-1, E G 1-0, E H 1-0, E I 1-0, E J 1-0, F G 0-1, F H 1-0, F I 1-0, F J 1-0, G H 0-1, G I 1-0,
    G J 1-0, H I 1-0, H J 0-1, I J 1-0
    New: 2009 C 2411 E 2386; 2011 2012 C 2423 E 2393; 2014 C 2448 E 2408
    By: handbook B.02, appendix 10 of 2003: Ra = 2375 − 29.5 × 9/10 = 2348; C has five half points
    above 50 %, E three: 12.5 for each of them, from 2011 15, from 2014 20
Two opponents more than 400 points away
    Players: A 2300 50; B 1700 50; C 1800 50; D 2300 50
    Games: A B 1-0; A C 1-0; A D 1/2-1/2
    New: 2011 2012 2022 A 2302; 2014 2024 A 2303
    By: by hand: both count as 400, 2 × 0.08 × K; 2022: only the difference of 600 does, that of
    500 is 0.96: (0.08 + 0.04) × 20 = 2.4
A junior
    Players: A 1800 50 birth_year=2006; B 1800 50
    Games: A B 1-0;
    New: 2014 2022 2024 A 1820 B 1790
    By: by hand: ½ × 40, and ½ × 20 for the adult
36 games in a period
    Event: days=20
    Players: A 2000 200; B 2000 50
    Games: A B 1-0 *4; A B 1/2-1/2 *32
    New: 2014 2022 A 2038 B 1962
    By: by hand: 36 × 20 is more than 700, so K = 19; score 20, expected 18: 2 × 19
39 games, of which 8 are real
    Event: days=20
    Players: A 2054 200; 1 2406 50; 2 1908 50; 3 2220 50; 4 2216 50; 5 2204 50; 6 2189 50; 7 2223
    50; 8 2221 50
    Games: A 1 0-1; A 2 1-0; A 3 1-0; A 4 0-1; A 5 1/2-1/2; A 6 1-0; A 7 0-1; A 8 1/2-1/2; A 6
    1/2-1/2 *31
    New: 2024 A 2173
    By: the first eight games are an event that FIDE published, at K = 17 and 1.44 above
    expectation; by hand: 31 draws against 2189 (0.32) bring 31 × 0.18 = 5.58: 7.02 × 17 = 119.34
A match that is decided
    Event: kind=match rounds=4
    Players: A 2000 50; B 2000 50
    Games: A B 1-0 *3; A B 0-1
    New: 2012 A 2023 B 1978; 2014 2022 2024 A 2030 B 1970
    By: by hand: three games of four decide it; 3 × ½ × 15 = 22.5; from 2014 3 × ½ × 20
Rapid, from the standard rating
    Event: pool=rapid time_control=15+10
    Players: A pools.standard.rating=2000; B 1900 50
    Games: A B 1/2-1/2;
    New: 2012 2014 2022 A 1997 B 1903; 2024 A 1994 B 1903
    By: by hand: a difference of 100 is 0.64; 0.14 × 20 = 2.8; 2024: no rapid games, so K = 40
No cap from 2650 on, real
    Event: start=2025-11-07
    Players: A 2813 100 reached_2400=true; 1787 1787 50; 2025 2025 50; 2310 2310 50; 2400 2400 50;
    2505 2505 50
    Games: A 1787 1-0; A 2025 1-0; A 2310 1-0; A 2400 1-0; A 2505 1/2-1/2
    New: 2024 A 2810
    By: published by FIDE for December 2025: 0 + 0 + 0.4 + 0.7 − 3.6 = −2.5, rounded −3
Rapid: too far apart
    Event: start=2025-01-10 pool=rapid
    Players: A 2700 50; B 2050 50
    Games: A B 0-1;
    New: 2024 A 2700 B 2050
    By: by hand: 650 points, one of the players above 2600: not rated
The greatest first rating
    Players: new; 1 2100 50; 2 2100 50; 3 2100 50; 4 2100 50; 5 2100 50
    Games: new 1 1-0; new 2 1-0; new 3 1-0; new 4 1-0; new 5 1-0
    New: 2024 new 2200
    By: by hand: Ra = (5 × 2100 + 3600) / 7 = 2014, p = 6 / 7 = 0.86, dp = 309: 2323, so 2200
A report that comes too late
    Players: A 2000 50; B 2000 50
    Games: A B 1-0 reported=2024-08-01;
    New: 2024 A 2000 B 2000
    By: by hand: an event of April 2024; the third list, of 1 July, closed on 28 June
An event of more than 30 days
    Event: days=45
    Players: A 2000 50; B 2000 50
    Games: A B 1-0 end=2024-04-10; B A 1/2-1/2 end=2024-05-20
    New: 2024 A 2009 B 1991
    By: by hand: April ½ × 20 = 10; May a difference of 20 is 0.53: 0.03 × 20 = 0.6, rounded 1
"""
"""As :func:`.examples_in` has them; new ratings follow the years of the editions that give them.

``days`` is how long the event lasts, by default two.
"""


def _of_year(said: Mapping[str, str], year: int) -> dict[str, int]:
    """What an edition makes of a case; nothing: it has it not."""
    for line in said["New"].split("; "):
        words = line.split()
        first = next(place for place, word in enumerate(words) if not word.isdigit())
        if str(year) in words[:first]:
            new = words[first:]
            return dict(zip(new[::2], map(int, new[1::2]), strict=True))
    return {}


def _example(title: str, said: Mapping[str, str], year: int) -> Example:
    document = document_of(said, {"name": "Invented event", "start": _FIRST_DAY[year], "days": 2})
    event: Any = document["event"]
    event["end"] = str(date.fromisoformat(event["start"]) + timedelta(days=event.pop("days")))
    return Example(title, document, _of_year(said, year), said["By"])


def examples_of(year: int) -> tuple[Example, ...]:
    """The examples of an edition."""
    cases = blocks(_CASES, EXAMPLE_LABELS)
    return tuple(_example(title, said, year) for title, _, said in cases if _of_year(said, year))
