"""Worked examples; the numbers are derived from the text by hand and by an independent program."""

from __future__ import annotations

from ratingbook.rules.text import EXAMPLE_LABELS, Example, blocks, document_of, new_ratings

DAYS = {
    "uscf-2011": "2012-06-03",
    "uscf-2013": "2013-06-02",
    "uscf-2014": "2014-06-01",
    "uscf-2015": "2016-06-05",
    "uscf-2017": "2018-06-03",
    "uscf-2023": "2023-06-04",
    "uscf-2025": "2025-06-01",
}
"""A day on which each edition was in force."""

_SOURCE = "by hand from the text of 2011, later editions by a second program: "

_CASES = """
The standard formula, twice, with a bonus and a floor
    Event: time_control=G/45
    Players: A 1700 30 peak=1941; B 1600 100; C 1800 100; D 1750 100; E 1705 100 peak=1941
    Games: A B 1-0; A C 1-0; A D 1-0; E B 0-1; E C 0-1; E D 0-1; A E 1/2-1/2 status=forfeit
    New: A 1773 1794 1790 1785 1781 1785 1789; B 1611 1614 1613 1613 1613 1613 1613; E 1700
    By: A: N' = 26.726, K = 26.912; first E = .640065 + .359935 + .428537 = 1.428537, so 1700 +
    42.288 + 30.288 = 1772.577; then, against 1610.217, 1794.599 and 1747.768, 1772.491. E falls
    below the 1700 that the text derives from 1941
Initial ratings of unrated players
    Players: fide foreign.fide=2200; cfc foreign.cfc=1600; office foreign.national=1500
    decisions.initial_rating=1600 decisions.reason="an example"; quick pools.quick.rating=1450
    pools.quick.games=12; few pools.quick.rating=1450 pools.quick.games=3; junior
    birth_date=2000-06-03; adult adult=true; new; o-fide 1500 100; o-cfc 1500 100; o-office 1500
    100; o-quick 1500 100; o-few 1500 100; o-junior 1500 100; o-adult 1500 100; o-new 1500 100
    Games: fide o-fide 1/2-1/2; cfc o-cfc 1/2-1/2; office o-office 1/2-1/2; quick o-quick 1/2-1/2;
    few o-few 1/2-1/2; junior o-junior 1/2-1/2; adult o-adult 1/2-1/2; new o-new 1/2-1/2
    New: fide 2167 2167 2167 2213 2213 2213 2229; cfc 1517; office 1503; quick 1499 1498 1498 1498
    1498 1498 1498; few 1485 1482 1482 1482 1482 1482 1482; junior 1483 1480 1481 1483 1484 1489
    1492; adult 1495 1494 1494 1494 1494 1494 1494; new 1485 1482 1482 1482 1482 1482 1482
    By: K = 37.0632 for 1500. With N = 0 Step 5 gives the opponent's Step 4: adult 1500 − 5.191
    against 1400 = (1300 + 1500) / 2; office 1500 + 2.649 against 1550; quick 1500 − 1.331 against
    1475; new and few 1500 − 14.695 against 1125; junior 1500 − 16.558 against 1000, the nearest to
    600 of 1000 to 1100. cfc (5 · 1520 + 1501.066) / 6; fide has N = 10, so the standard formula: K
    = 72.727, E = .980886 against 1517.891, 2202 − 34.974
The regular rating in a quick event
    Event: time_control="G/25;d3" pool=quick
    Players: A pools.regular.rating=1400 pools.regular.games=30; B 1500 100
    Games: A B 1-0;
    New: A 1444; B 1478 1473 1473 1474 1474 1474 1474
    By: N = 10, so the standard formula: B after Step 4 is 1500 − 23.723, and A gets 1400 + 72.727
    (1 − .391958)
The special formula: intervals, a full score, nothing but wins before
    Players: adult adult=true; a0 400 100; a1 400 100; a2 400 100; a3 400 100; unknown; u0 1500
    100; u1 1600 100; u2 1700 100; between adult=true; b0 3000 100; b1 900 100; new 1600 5 wins=2
    draws=1 losses=2; n0 100 100 wins=10 draws=10 losses=80 events=25; upward 1600 5 wins=2 draws=1
    losses=2; up0 2900 100; winner 1200 10 wins=10 draws=0 losses=0; w0 1500 100; loser 1200 10
    wins=0 draws=0 losses=10; l0 1400 100; top 2680 8 wins=4 draws=2 losses=2; t0 2600 100; bottom
    120 3 wins=1 draws=0 losses=2 events=0; c0 110 3 wins=1 draws=0 losses=2 events=0
    Games: adult a0 1-0; adult a1 1-0; adult a2 1-0; adult a3 1-0; unknown u0 0-1; unknown u1 0-1;
    unknown u2 0-1; between b0 0-1; between b1 1-0; new n0 1-0; upward up0 0-1; winner w0 1-0;
    loser l0 1-0; top t0 1-0; bottom c0 0-1
    New: adult 1300; unknown 750; between 1300; new 1600; n0 150; upward 1600; winner 1869 1862
    1862 1861 1861 1861 1861; loser 1252 1252 1252 1251 1251 1251 1251; top 2700; bottom 104; c0
    208
    By: adult, unknown, between, new and upward lie in an interval of ratings that fit, and stay;
    winner is 400 above 1468.532, w0 after Step 4; loser (17368.63 − 3600) / 11; top is capped;
    bottom falls below 100, and AF = 104; c0 (330 + 100 + 400) / 4 = 207.5
Floors, a ceiling and an adjustment
    Players: olm 2203 900 peak=2390 olm=true; o 2000 100; cash 1790 100 decisions.cash_prize=2500
    decisions.cash_limit=1750 decisions.reason="an example"; c 1700 100; capped 1895 100
    decisions.ceiling=1900 decisions.reason="an example"; p 1900 100; adjusted 1500 100
    decisions.adjusted_rating=1600 decisions.money_floor=1600 decisions.reason="an example"; a 1600
    100
    Games: olm o 0-1; cash c 0-1; capped p 1-0; adjusted a 0-1
    New: olm 2200; cash 1800; capped 1900; adjusted 1600; a 1616 1620 1620 1620 1620 1620 1620
    By: the floor of the Original Life Master; 1800, too high for a section under 1750; the
    ceiling; rated from 1600, where the new floor is
A FIDE event abroad
    Event: kind=fide
    Players: A 2300 200 federation=USA; B federation=USA foreign.fide=2120; X federation=GER
    foreign.fide=2300; Y federation=NED foreign.fide=2400
    Games: A X 1-0; A Y 1-0; A B 1/2-1/2; B X 0-1; B Y 1/2-1/2
    New: A 2317 2316 2316 2318 2318 2318 2319; B 2125 2125 2125 2178 2178 2178 2192; X none
    By: X, Y and B count 2318, 2434 and 2109.2 against A: E = .474109 + .316189 + .750131, K =
    15.094: 2300 + 14.487 + 2.487; B from 2109.2 with N' = 5, K = 114.286, against X and Y. A has
    no FIDE rating, so that game does not count for B
A FIDE youth event
    Event: kind=fide category=youth
    Players: A 2300 200 federation=USA; B federation=USA foreign.fide=2120; X federation=GER
    foreign.fide=2300; Y federation=NED foreign.fide=2400
    Games: A X 1-0; A Y 1-0; A B 1/2-1/2; B X 0-1; B Y 1/2-1/2
    New: A 2322 2321 2319 2318 2318 2318 2318; B 2129 2129 2129 2180 2180 2180 2187
    By: X, Y and B count 210 + .93 · 2300 = 2349, 2442 and 2181.6
A match and its limits
    Event: kind=match
    Players: A 1850 100 "past=1780/1800/1/YEAR-05-01/match +70"; B 1800 100
    Games: A B 1-0 *6;
    New: A 1880; B 1750
    By: six wins earn more than 50, of which 100 − 70 are left to A
A match that lowers a floor
    Event: kind=match
    Players: A 1710 100 peak=1941; B 1700 100
    Games: A B 0-1 *3;
    New: A 1669 1660 1660 1660 1660 1660 1660; B 1742 1750 1750 1750 1750 1750 1750
    By: K = 26.568, 3 · .514387: 1710 − 40.997, below the floor of 1700 that becomes 1600; later
    editions: −50
Strong players in a dual-rated event
    Event: time_control=G/45
    Players: A 2400 100; B 2600 100; C 2400 100
    Games: A B 1-0; A C 1-0
    New: A 2420 2410 2410 2410 2410 2410 2410; B 2588 2597 2597 2597 2597 2597 2597
    By: K = 800 / 52 = 15.385; E = .240253 + .5, then .2529 + .5109; since 2013 K is half of that
    for 2400, a quarter for 2600
"""
"""As :func:`.examples_in` has them, with a new rating for each of :data:`DAYS`, or one for all."""


def examples_of(edition: str) -> tuple[Example, ...]:
    """The worked examples of an edition."""
    place, day = list(DAYS).index(edition), DAYS[edition]
    event = {"start": day, "end": day, "time_control": "G/90"}
    found = []
    for title, _, said in blocks(_CASES.replace("YEAR", day[:4]), EXAMPLE_LABELS):
        lines = [line.split() for line in said["New"].split(";")]
        new = "; ".join(f"{who} {each[place] if each[1:] else each[0]}" for who, *each in lines)
        found.append(
            Example(title, document_of(said, event), new_ratings(new), _SOURCE + said["By"])
        )
    return tuple(found)
