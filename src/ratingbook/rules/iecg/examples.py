"""Worked examples of ``iecg-1999``; the numbers are derived by hand from the text."""

from __future__ import annotations

from ratingbook.rules.text import examples_in

EXAMPLES = examples_in(
    """
An established rating
    Players: A 1800 100; o1800 1800 100; o2000 2000 100; o1600 1600 100
    Games: A o1800 1-0, A o2000 1/2-1/2, A o1600 0-1
    New: A 1800
    By: by hand from the text: k = 20 · 1; +10 + 5.195 − 15.195 = 0 (case G05)
An opponent more than 400 points away
    Players: A 1800 100; o1300 1300 100
    Games: A o1300 0-1
    New: A 1782
    By: by hand from the text: 1300 counts as 1400: 20 · (0 − 0.909091) = −18.18
The first provisional rating
    Players: A status=starting starting_rating=1500; o1350 1350 100; o1400 1400 100; o1450 1450
    100; o1500 1500 100; o1550 1550 100; o1600 1600 100; o1650 1650 100
    Games: A o1350 1-0, A o1400 1-0, A o1450 1-0, A o1500 1-0, A o1500 1/2-1/2, A o1550 1/2-1/2, A
    o1600 1/2-1/2, A o1650 0-1
    New: A 1627
    By: by hand from the text: Rc = 1500, p = 5.5/8 = .6875, D = 136.969, F = .9296875: 1627.338
    (case G09)
A rating becomes established
    Players: A 1527 13 starting_rating=1500 past=1500/1500/1*7 past=1500/1500/0*6; o1600 1600 100
    Games: A o1600 1-0 *4
    New: A 1624
    By: by hand from the text: all 17 games by IV.1: Rc = 25900/17 = 1523.53, p = 11/17, D =
    105.297, F = .956747: 1624.27
New players
    Players: iccf foreign.iccf=2150 foreign.iccf_games=45; national foreign.national=1850
    foreign.national_games=6; tutored decisions.tutor_rating=1900 decisions.reason="the tutor's
    estimate"; new; o1950 1950 100
    Games: iccf o1950 1/2-1/2, national o1950 1-0, tutored o1950 0-1, new o1950 1/2-1/2
    New: iccf 2144; national 2350; tutored 1550; new 1200
    By: by hand from the text: established 2150 with Pn = 0: k = 16.25 · 1.5 = 24.375, −6.33; 1850:
    1950 + 800 · ½; 1700: 1950 − 800 · ½; 800: 1950 counts as 1200, and D = 0
Claim on time, forfeit, adjudication, withdrawal
    Players: A 1800 100; o1800 1800 100; o1600 1600 100
    Games: A o1800 0-1 status=time, A o1800 1-0 status=forfeit, A o1600 1/2-1/2 status=adjudicated
    table_result=1-0, A o1800 1-0 status=withdrawn
    New: A 1795
    By: by hand from the text: −10 and +10 by decision; the adjudicated draw 20 · (½ − 0.759747) =
    −5.19, though the table shows a win; the withdrawal is not rated
From the old scheme to the new one
    Event: name="January and February 1997" start=1997-01-01 end=1997-02-28
    Players: a 1900 20 decisions.transfer=established decisions.reason="change to the new scheme";
    b 1500 7 decisions.transfer=established decisions.reason="change to the new scheme"
    past=1500/1600/0.5*7; b3 1500 3 decisions.transfer=established decisions.reason="change to the
    new scheme" past=1500/1600/0.5*3; c 1550 8 starting_rating=1500 decisions.transfer=provisional
    decisions.reason="change to the new scheme" past=1500/1550/0.5*8; d status=starting
    starting_rating=1600 decisions.transfer=starting decisions.reason="change to the new scheme"
    foreign.iccf=1750; e 1650 10 starting_rating=1600 decisions.class_m_winner=true
    decisions.reason="won a Class M tournament in 1996"; o1700 1700 100
    Games: a o1700 0-1 start=1996-05-01 end=1996-12-20, a o1700 1-0 start=1996-09-01
    end=1996-12-20, b o1700 1-0, b3 o1700 1-0, c o1700 1/2-1/2, d o1700 0-1, e o1700 1/2-1/2
    New: a 1906; b 1656; b3 2100; c 1567; d 1733; e 1652
    By: by hand from the text: a: k = 25, +6.01 from the second game alone; b: Rc = 12900/8, p =
    .5625, D = 43.658, F = .9921875: 1655.82; b3: 1700 + 400; c: 14100/9 = 1566.67, p = ½; d: 1750,
    k = 30, −17.14; e: k = 30, +2.14
""",
    {"end": "1999-08-31", "name": "July and August 1999", "start": "1999-07-01"},
)
