"""``iccf-2009``: the working rules of the ICCF rating list from 2009 on, items 1 to 18."""

from __future__ import annotations

from datetime import date

from ratingbook.rules.book import RatedBy
from ratingbook.rules.iccf.book import IccfRuleBook
from ratingbook.rules.iccf.bulk import ICCF_BULK, level_of
from ratingbook.rules.iccf.columns import PARAMETER_DOCS, Parameters
from ratingbook.rules.iccf.levels import FRIENDLY, LEVELS, NATIONAL
from ratingbook.rules.iccf.tables import TABLE_3, TABLE_4
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Domain, Regulation, Table, examples_in, paragraphs_in, readings_in

PARAGRAPHS = paragraphs_in("""
1  Percentage scores
    Percentage scores are converted to rating differences, and differences to probabilities.
2  The normal distribution
    The system rests on the normal probability function, given as two tables.
    Historical: it names the model behind tables 3 and 4, and defines no number
3  From percentage to difference
    Table 3: P to D_p, in whole percents.
4  From difference to probability
    Table 4: D to P_H of the higher and P_L of the lower rated player.
5  Fewer than 30 games
    R_p = R_c + D(p) · F, with R_c the average rating of all opponents, limited to a maximum
    difference of 350, and F = −2p² + 2p + 0.5.
6  Fixed rating
    R_n = R_0 + Σ ΔR, over all games of the period.
7  Change of one game
    ΔR = k · ΔW = k · (W − W_e), with W = 1, ½ or 0.
8  Expected result
    W_e from table 4, with the difference of the ratings at the beginning of the game; a difference
    above 350 counts as 350. A player without a published rating at that time has the tournament's
    level (11).
9  Development coefficient
    k = r · g. r = 10 for R_0 ≥ 2400, 70 − R_0/40 for 2000 < R_0 < 2400, 20 for R_0 ≤ 2000; g = 1
    for g_n ≥ 80, 1.4 − g_n/200 for 30 < g_n < 80, 1.25 for g_n ≤ 30. R_0 is the most recently
    calculated rating, g_n the number of games rated so far.
10  Significance factor
    From 2009 on the former significance factor f is no longer valid.
    Historical: it takes away a factor of earlier editions
11  Assumed rating
    The level of the tournament, for a player without a published rating: by the event's category;
    in a national tournament the average of the rated participants, at most 2400; in a friendly
    match 1800 or the value that the Ratings Commissioner confirmed, and for a new kind of
    tournament the value of its announcement (the event's level).
12  Lists
    A list at the beginning of each quarter, with the results reported at least a month before.
13  Registration by the tournament director
    Results of postal and e-mail tournaments are registered two weeks before publication.
14  First rating
    Without a rating from earlier periods: item 5 with the games finished in this period.
15  Rating that is not fixed
    Fewer than 30 games at the beginning of the period: item 5 with all games.
16  Fixed rating, and the brake
    30 games or more at the beginning: item 6; but with more than 800/k games in the period item 5
    with the games of this period only.
17  Rounding
    The new rating is rounded to the nearest whole number.
18  Substitutes in team tournaments
    (a) A substitute's game counts for him only if his ΔW is positive, else for the player whom he
    replaced. (b) For the opponent it counts as played against the higher rated of the two.
""")

READINGS = readings_in("""
A1  The percentage score is not a whole percent?
    Taken: rounded once to a whole percent, ties to even; that p is used in D and in F
    Why: the rules call p the percentage score in both places; with F from the exact score the
    rating is not monotone (25/27 earns more than 25.5/27); ties to even keep D(1−p) = −D(p)
    Parameter: p_mode
A2  What do the 350 points of item 5 limit?
    Taken: each opponent's rating, against the own rating at the start of that game
    Why: the calculator in use does so (1336 counts as 1450 against 1800), and so do the rules of
    the same author elsewhere; limiting the average lets one gap of 800 points through
    Parameter: limit
A3  A tie in item 17?
    Taken: half up
    Why: usual commercial rounding
    Parameter: tie
A4  The own rating within W_e?
    Taken: the one at the beginning of the game, not R_0
    Why: item 8 says so, and the commissioner confirmed it; k and the sum use R_0
    Parameter: own_rating
A5  Differences that fall between the rows of table 4?
    Taken: cannot arise: published ratings are whole, and assumed averages are rounded half up
    Why: item 17
A6  g_n?
    Taken: the games rated up to the previous list, for all games of the period
    Why: item 16 needs k before the games of the period are counted
A7  The boundaries of k?
    Taken: none matters: r and g have no jump there
    Why: 20 at 2000, 10 at 2400, 1.25 at 30 games, 1 at 80
A8  p near 1?
    Taken: applied as written, with a finding: 33½/34 earns 13.4 points more than 34/34
    Why: D · F is 317.6, 351.9 and 338.5 at 98, 99 and 100 %
A9  Item 15: which opponents' ratings for the earlier games?
    Taken: those frozen when the game was rated (`history`)
    Why: item 8 by analogy; so the order of players does not matter, and lists can be rated again
A10  The opponent is new too?
    Taken: he counts with the tournament's level, also in this game after he has a rating
    Why: items 8 and 11; no iteration
A11  The 30th game falls into the period?
    Taken: item 15 once more
    Why: it asks for the games at the beginning of the period
A12  "More than 800/k"?
    Taken: strictly more, with the exact k, after item 18 has said whose games they are
    Why: 46 games pass at k = 17.25, 47 do not
    Parameter: brake
A13  After a performance by item 16?
    Taken: the limit of 350 uses the own start rating; g_n grows by all games
    Why: nothing else is said
A14  From how many games is a rating published?
    Taken: 12, a setting of the list; the rating of a standing that is said is in force, whatever
    it rests on, unless the game says otherwise (`white_rating`, `black_rating`)
    Why: item 8 speaks of published ratings; 12 is the practice of 2017
    Parameter: publication_minimum
A15  Does an unpublished rating count for items 14 and 15?
    Taken: yes; in the games that begin it does not: until a list has it, both sides have the
    level in its place. A history knows that of what it made; a standing says it (`unpublished`)
    Why: item 15 computes from all games, so nothing is lost; item 8 asks for a published rating
A16  Beginning of the game (8) or of the tournament (11)?
    Taken: the game's, where a report gives it (`white_rating`, `black_rating`)
    Why: item 8 is the specific rule
A17  The month of item 12 and the two weeks of item 13?
    Taken: reports until the end of the month that lies a month before the list; published on the
    15th; registration until the same day as reports. A named departure: by the letter a report of
    1 March is a month before 1 April
    Why: the windows of list 2012/2: games of 1 Dec to 29 Feb, in force from 1 April to 30 June
A18  Which date decides?
    Taken: that of the report
    Why: item 12; a server game is reported when it ends
A19  Which ratings does item 18 compare?
    Taken: those when the game began, the level for a player without one
    Why: item 8
A20  A substitute's ΔW is zero?
    Taken: the game counts for the player replaced
    Why: "only if positive"
A21  Item 18 for players whom item 5 rates?
    Taken: ΔW decides as well; the game then enters that player's item 5
    Why: nothing else is defined
A22  A chain of substitutes?
    Taken: the player at the board, else the one whom he directly replaced
    Why: the smallest extension
A23  The player replaced has left ICCF?
    Taken: the game still counts for him
    Why: the text has no exception
A24  Kinds of tournament that item 11 does not name?
    Taken: they need a level; without one the report is refused
    Why: "a value shall be fixed"
A25  A level for each event or for each board?
    Taken: for each event
    Why: text
A26  Cancelled, forfeited and adjudicated games?
    Taken: what the tournament director registered is rated, by the rated flag of each game;
    cancelled games never
    Why: not in this text
A27  Inactivity, floors, ties in the order of the list, titles?
    Taken: not in this text; settings of the list: a player without a rated game for 24 months is
    counted as inactive, equal ratings are printed by name
    Why: the office has to decide it
    Parameter: inactive_months
A28  A correction of a game that is already rated?
    Taken: the frozen numbers are kept, and the lists are run again from that one on
    Why: not in this text
A29  Several games against one opponent, or none at all?
    Taken: each counts; without games the rating stays
    Why: -
A30  Who takes part in a national tournament, and what if nothing is said of an event?
    Taken: in a history all who have a game in it, in whatever period it ends, and who stands among
    its entries, with the ratings of the list in force when it began; in a report the players of the
    report, or of the games that name the tournament. An event of which no level is known: its games
    count only where both had a published rating when the game began, unless a level is assumed
    (`--assume`)
    Why: item 11 averages the participants who are rated already; the level is that with which the
    tournament begins
A31  A history begins with a rating of fewer than 30 games, and nobody knows the games?
    Taken: they count as draws against opponents of the same rating
    Why: item 15 needs all games; these have just that rating as their performance, and keep its
    weight
A32  A new rating below 1, or above 4000?
    Taken: 1, or 4000: a list has no other ratings, and the next period begins with that number.
    Item 15 still computes from all games, so nothing else is lost
    Why: the text has no bound; item 5 passes these only in results that no list has seen, and a
    list of positive numbers can be read again as it was written
""")


EXAMPLES = examples_in(
    """
A fixed rating, with another rating at the beginning of the games
    Players: fixed 2400 100; a 2480 100; b 2480 100
    Games: fixed a 1-0 white_rating=2380, b fixed 1/2-1/2 black_rating=2380
    New: fixed 2408
    By: k = 10, W_e = .36 twice, ΔW = .64 + .14 = .78: 2407.8
A rating that is not fixed yet
    Players: growing 1900 20 past=1900/1850/1*12 past=1900/1850/0*8; a 1950 100
    Games: growing a 1-0 *3; growing a 0-1 *3
    New: growing 1929
    By: all 26 games: R_c = 48700/26 = 1873.08, p = 15/26 → .58, 57 · .9872: 1929.35
Sums of the earlier games in the place of the games
    Players: growing 1900 20 earlier_score=12 earlier_opponents=37000 earlier_own=38000; a 1950 100
    Games: growing a 1-0 *3; growing a 0-1 *3
    New: growing 1929
    By: 37000 + 6 · 1950 = 48700 and 12 + 3 = 15 of 26 games, as above
A first rating in the open class
    Event: category=open_class
    Players: new; a 1336 100; b
    Games: new a 1-0, new b 1/2-1/2
    New: new 1794
    By: assumed 1800; 1336 counts as 1450, so R_c = 1625; p = .75: 193 · .875 = 168.875
More than 800/k games in one period
    Players: busy 1900 30; a 1900 100
    Games: busy a 1-0; busy a 1/2-1/2 *32
    New: busy 1914
    By: k = 25, 33 > 32: p = 17/33 → .52, 14 · .9992 = 13.99
A substitute in a team tournament
    Players: original 2100 100; substitute 2300 100; opponent 2250 100
    Games: substitute opponent 1/2-1/2 white_for=original
    New: original 2104; substitute 2300; opponent 2251
    By: ΔW of the substitute −.07: counts for the original, +.20 · 17.5 = 3.5; the opponent against
    2300: +.07 · 13.75 = 0.96
A national tournament
    Event: category=national
    Players: new; a 2105 100; b 2250 100
    Games: a new 1/2-1/2
    New: a 2107
    By: level 2177.5 → 2178; W_e(−73) = .40, .10 · 17.375 = 1.74
A friendly match
    Event: category=friendly_match
    Players: new; a 2105 100; b 2250 100
    Games: a new 1/2-1/2
    New: a 2099
    By: level 1800; W_e(305) = .86, −.36 · 17.375 = −6.26
""",
    {"end": "2012-02-29", "start": "2011-12-01"},
)

TABLES = (
    Table("Table 3: from P to Dp", ("P", "Dp"), tuple((p / 100, d) for p, d in TABLE_3)),
    Table(
        "Table 4: from D to PH and PL",
        ("D from", "to", "PH", "PL"),
        (*((a, b, p / 100, (100 - p) / 100) for a, b, p in TABLE_4), (620, "", 0.99, 0.01)),
    ),
    Table(
        "Item 11: levels by category",
        ("level", "category of the event"),
        (
            *((level, kind) for level, kinds in LEVELS.items() for kind in kinds),
            ("average, at most 2400", NATIONAL),
            ("1800, or the event's level", FRIENDLY),
        ),
    ),
)


iccf_2009 = IccfRuleBook(
    name="iccf-2009",
    text=Regulation(
        title="ICCF rating rules from 2009",
        federation="ICCF",
        source="The working rules of the ICCF rating list booklet (English and German)",
        valid_from=date(2009, 1, 1),
        valid_until=date(2011, 12, 31),
        paragraphs=PARAGRAPHS,
        readings=READINGS,
        tables=TABLES,
        examples=EXAMPLES,
    ),
    standing_fields={
        "unpublished": bool,
        "earlier_score": float,
        "earlier_opponents": int,
        "earlier_own": int,
    },
    settings=Settings(Parameters(), PARAMETER_DOCS),
    rated_by=RatedBy.PERIOD,
    game="chess",
    domain=Domain(
        (1400, 2700),
        categories=("open_class", "national", "master_class"),
        history_below=30,
        first_day=date(2011, 1, 3),
        unrated_count=level_of,
    ),
    substitutes=True,
    bulk=ICCF_BULK,
)
