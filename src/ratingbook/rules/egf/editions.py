"""``egf-1998``, ``egf-2013`` and ``egf-2021``: one set of functions, three sets of numbers."""

from __future__ import annotations

from datetime import date

from ratingbook.rules.book import Grades, RatedBy
from ratingbook.rules.egf.articles import ARTICLES
from ratingbook.rules.egf.book import EgfRuleBook
from ratingbook.rules.egf.columns import (
    PARAMETER_DOCS,
    AboveTable,
    EpsilonSplit,
    Formula,
    Parameters,
)
from ratingbook.rules.egf.event import EGF
from ratingbook.rules.egf.expected import TABLE_2
from ratingbook.rules.egf.grades import nearest_grade, rating_of_grade
from ratingbook.rules.not_rated import NotRated
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import (
    Domain,
    Examples,
    Paragraph,
    Regulation,
    Table,
    examples_in,
    page_of,
    paragraphs_in,
    readings_in,
    with_articles,
)

_GRADES = ("20k", "12k", "5k", "1k", "1d", "3d", "6d", "1p", "9p")

_WITH_CLASSES = Parameters(
    above_table=AboveTable.HOLD,
    reset_grades=2,
    weight_b=0.75,
    weight_c=0.5,
    weight_d=0.25,
    least_minutes=0,
)
_OF_2013 = _WITH_CLASSES._replace(epsilon=0.016, epsilon_split=EpsilonSplit.HALF, loss_cap=100.0)
_OF_2021 = _WITH_CLASSES._replace(formula=Formula.SMOOTH, epsilon=0.0, floor=-900.0, decimals=3)

_SCOPE = paragraphs_in("""
1  Scope
    Events from 1 January 1996 on that the EGF recognises. Even and handicap games count, fast
    games (less than 30 minutes each) do not.
2  Scale
    1 dan = 2100, 100 points a grade; professionals 1p = 7d = 2700, then 30 a degree. The declared
    grade gives the initial rating. A result below the floor becomes the floor.
""")

_TABLE = paragraphs_in("""
3  Expected score
    D = RB − RA with A the lower rated: SE(A) = 1 / (e^(D/a) + 1); SE(A) + SE(B) = 1 − ε.
4  con and a
    Table 2, linear between its rows; a at the weaker player's rating, con at the own one.
""")

(
    _CHANGE,
    _HANDICAP,
    _RESET,
    _OFFICE_RESET,
    _COUNTING,
    _SOURCE_OF_SYSTEM,
    _CLASSES,
    _LOSS_CAP,
    _SMOOTH,
) = paragraphs_in("""
5  Change
    R' = R + con · (SA − SE), SA = 1, ½ (jigo) or 0; all games of an event use the ratings at its
    start.
6  Handicap
    H stones raise their recipient by 100 · (H − 0.5) in the expected score.
11  Resets
    Who enters two or more grades above the highest previous entry grade is set to the nominal
    rating of the new grade before the event; never downward. The office may set others (decision
    reset_rating).
11  Resets
    In certain cases a rating is set anew, against deflation: by decision of the office
    (reset_rating).
13  Games that count
    Games that were played: no byes, no forfeits.
H  Origin
    Adopted by the Czech association in early 1998 (Aleš Cieplý), by the EGF in November 1998.
    Historical: history; it defines no number
10  Tournament classes
    A 1.00, B 0.75, C 0.50, D 0.25 (internet) multiply the change. A: basic time 60 minutes
    (Fischer 45), adjusted 75; B: 40 (30) and 50; C: 25 (20) and 30; D: 40 (30) and 50 on the
    internet. Adjusted = basic + 45 moves of byo-yomi, 60 Canadian, or 120 Fischer moves.
12  Loss cap
    An event costs nobody more than 100 points times the class weight.
9  Formulas of 2021
    r' = r + con · (SA − SE) + bonus; con = ((3300 − r) / 200)^1.6; bonus = ln(1 + exp((2300 − r) /
    80)) / 5; SE = 1 / (1 + exp(β(r2) − β(r1))), β(r) = −7 · ln(3300 − r).
""")

_LIST = paragraphs_in("""
7  Inactive players
    Not on the list after 2 years (dan), 12 months (1–10 kyu) or 6 months (11 kyu and below), the
    current year or month not counted; the rating is kept and used on return.
    Office: the command `list` leaves them out and says so (is_inactive)
8  Statistics of even games
    For each grade the games and wins against players 1 to 4 grades stronger.
    Office: the command `grades` makes the table from any set of reports, beside the prediction
""")

_READINGS = readings_in("""
E1  How is ε shared between the two players?
    Taken: egf-1998: all of it off the stronger side (equations 1 and 2 by the letter), nothing
    between equals; egf-2013: half off each
    Why: the text does not say; real data of 2013 show halves
    Parameter: epsilon_split
E2  con and a above 2700?
    Taken: egf-1998: extrapolated linearly, as the text says; egf-2013: held at 10 and 70
    Why: practice holds them
    Parameter: above_table
E3  Which ratings within an event?
    Taken: those at its start, for all its games; a section of an event is one by itself, rated
    after the sections before it
    Why: practice (main and side tournaments of a congress are rated apart, each by its class); the
    order of the games then does not matter
E4  a in a handicap game?
    Taken: at the lower of the two ratings after handicap; con always at the bare own rating
    Why: example 5: 1850 + 450 = 2300 gives a = 90
E5  The stones make their recipient the stronger side?
    Taken: the rating with handicap decides who is A and who is B
    Why: the text names the case and does not exclude it
E6  How is a rating published?
    Taken: rounded to a whole number, a half up, and within 10⁻⁹ of a half it is one; the decimals
    are kept for the next event (egf-2021: three decimals)
    Why: the lists show whole numbers; events of a congress build on decimals; con of 170 is 111.8,
    which no float holds, and five wins against equals make exactly 449.5
    Parameter: decimals
E7  Resets in certain cases?
    Taken: egf-1998: by decision of the office; later two or more grades above the highest entry
    grade so far
    Why: the lists of 2013 show it; one player of that congress was not reset
    Parameter: reset_grades
E8  The class of an event that does not say?
    Taken: by its time limit; without one class A, with a finding
    Why: files often lack both
E9  Forfeits that the organiser left in the table as games?
    Taken: what the report calls a game is rated; a forfeit marked as such is not
    Why: the lists rated the former
E10  A player of an unknown grade and without a rating?
    Taken: the report is refused
    Why: the grade is the initial rating
E11  Less than 30 minutes: of what?
    Taken: of the adjusted time of each player
    Why: the text speaks of games of less than 30 minutes
    Parameter: least_minutes
E12  Inactive as what grade, and what of players weaker than 20 kyu?
    Taken: the grade nearest to the rating; below 20 kyu as 11–20 kyu
    Why: the list prints ratings; the text ends at 20 kyu
E13  β near 3300 (2021)?
    Taken: 3300 − r counts as at least 1
    Why: the logarithm has no value beyond; nobody has come near
E14  Resets and the highest grade of a player whose standing does not say?
    Taken: none by grade until a highest grade is known
    Why: without it nobody can tell how far the player has come
E15  A player without a grade and a rating in a history of many events?
    Taken: the games with that player count for nobody, until an event gives a grade
    Why: one such player must not stop the rating of decades; a report is refused (E10)
E16  Who gets the rating that a history assumes (--assume)?
    Taken: players to whom the players file gives neither a rating nor a grade; a grade that they
    declare with an event then counts for resets only
    Why: a declared grade is the initial rating; a player who has been given one is no longer new
E17  Stones under HA[h9] that no result names?
    Taken: none: the games are even; with `grades` the difference of grades less nine
    Why: files of world championships, where nobody ever receives a stone, say HA[h9], and so do
    nearly all events without handicap
    Parameter: h9_handicaps
""")


_EXAMPLES_1998 = examples_in(
    """
Equal ratings
    Players: A 2400 50; B 2400 50
    Games: A B 1-0;
    New: A 2408; B 2393
    By: example 3 of the text: 2407.5 and 2392.5; a half upwards
The lower rated wins
    Players: A 320 50; B 400 50
    Games: A B 1-0;
    New: A 383; B 341
    By: example 4 of the text, with ε off the stronger side: con 104 and 100, a 189, SE .396; 104 ·
    .604 = 62.8, 100 · (0 − (1 − .014 − .396)) = −59.0
Five stones
    Players: A 2400 50; B 1850 50
    Games: A B 0-1 handicap=5;
    New: A 2389; B 1875
    By: example 5 of the text, with ε off the stronger side: D 100, a 90, SE .248; 33 · .752 =
    24.8, 15 · (0 − .738) = −11.1
A new player, and one who falls to the floor
    Players: A grade=19k; B 100 50
    Games: A B 1-0;
    New: A 243; B 100
    By: by hand: 200 v 100, a 200 (weaker), SE of the weaker 1/(e^0.5 + 1) = .3775, of the stronger
    1 − .3775 − .014 = .6085; 110 · .3915 = 43.06 → 243.06
A reset by the office
    Players: A 1500 50 grade=1k decisions.reset_rating=2000 decisions.reason="strong beginner"; B
    2000 50
    Games: A B 1-0;
    New: A 2014
    By: by hand: 2000 v 2000, con 27, SE .5: +13.5
""",
    {"class": "A", "name": "Example", "start": "2013-07-28"},
)

_EXAMPLES_2013 = examples_in(
    """
A new player
    Event: class=A
    Players: A grade=19k; B 100 50
    Games: A B 1-0;
    New: A 242; B 100
    By: by hand: 200 v 100, a 200, SE of the stronger 1 − .37754 − .008 = .61446; 110 · .38554 =
    42.41: 242.41
Equal ratings in a tournament of class B
    Event: class=B
    Players: A 2400 50; B 2400 50
    Games: A B 1-0;
    New: A 2406; B 2394
    By: by hand: SE .5 − .008; .75 · 15 · .508 = 5.715; .75 · 15 · −.492 = −5.535
Five losses, and the loss cap
    Event: time_control="45 + 30s byo-yomi"
    Players: A 800 50; B1 800 50; B2 800 50; B3 800 50; B4 800 50; B5 800 50
    Games: A B1 0-1; A B2 0-1; A B3 0-1; A B4 0-1; A B5 0-1
    New: A 725
    By: by hand: 45 minutes + 45 moves of 30 s = 67.5 adjusted: class B; .75 · 5 · 80 · −.492 =
    −147.6, at most −100 · .75 = −75
Handicap that makes its recipient the favourite
    Event: class=A
    Players: A 1900 50; B 1850 50
    Games: A B 1-0 handicap=5;
    New: A 1930; B 1818
    By: by hand: 1850 + 450 = 2300 v 1900: D 400, a 110 at 1900; SE .02567 − .008 and .97433 −
    .008; 31 · .98233 = 30.45; con of 1850 is 33: 33 · −.96633 = −31.89: 1818.11
A player who enters four grades higher
    Event: class=A
    Players: A 1700 20 highest_grade=4k grade=1d; B 2100 50
    Games: A B 1-0;
    New: A 2112
    By: by hand: reset to 2100; con 24, SE .5 − .008: 24 · .508 = 12.19
""",
    {"name": "Example", "start": "2013-07-28"},
)

_EXAMPLES_2021 = examples_in(
    """
A new player with handicap, and a reset
    Players: A 1800 20 highest_grade=3k grade=1d; B grade=5k
    Games: A B 1-0 handicap=4;
    New: A 2104.406; B 1594.295
    By: by hand: A is reset to 2100; B counts 1600 + 350 in SE, .69519 for A; con 17.58094 and
    30.69519, bonus .51578 and 1.75003, weight .75
Equal ratings
    Event: class=A
    Players: A 2100 50; B 2100 50
    Games: A B 1-0;
    New: A 2109.306; B 2091.725
    By: checked by its author against the calculator of the European Go Database: 2109.306,
    2091.725
""",
    {"class": "B", "name": "Example", "start": "2022-01-08"},
)


TABLE = Table(
    "Table 2: con and a",
    ("rating", "con", "a"),
    tuple((100 * n, con, a) for n, (con, a) in enumerate(TABLE_2, 1)),
)


def _edition(
    name: str,
    title: str,
    source: str,
    valid: tuple[date | None, date | None],
    paragraphs: tuple[Paragraph, ...],
    parameters: Parameters,
    examples: Examples,
    rating_range: tuple[int, int],
) -> EgfRuleBook:
    return EgfRuleBook(
        name=name,
        text=Regulation(
            title=title,
            federation="EGF",
            source=source,
            url=page_of(ARTICLES[name]),
            own_numbers=True,
            valid_from=valid[0],
            valid_until=valid[1],
            paragraphs=with_articles(paragraphs, ARTICLES[name]),
            readings=_READINGS,
            tables=(TABLE,) if parameters.formula is Formula.TABLE else (),
            examples=examples,
        ),
        settings=Settings(
            parameters,
            PARAMETER_DOCS,
            ranges={
                "floor": (-900, 3000),
                "epsilon": (0, 1),
                "decimals": (0, 6),
                "con_factor": (0, 100),
                "a_factor": (0.01, 100),
                "bonus_factor": (0, 100),
                "stone": (0, 1000),
            },
        ),
        rated_by=RatedBy.SECTION,
        game="Go",
        grades=Grades(rating_of_grade, nearest_grade),
        standing_fields={"highest_grade": str},
        decisions=frozenset({"reset_rating"}),
        rating_range=rating_range,
        whole_ratings=False,
        domain=Domain(
            (100, 2900),
            grades=_GRADES,
            handicaps=(0, 9),
            classes=("A", "B", "C", "D"),
            first_day=date(1995, 12, 20),
            decided=("reset_rating",),
        ),
        not_rated=(NotRated.FORFEIT, NotRated.WITHOUT_GRADE, NotRated.CLASS),
        handicaps=True,
        bulk=EGF,
    )


egf_1998 = _edition(
    "egf-1998",
    "EGF rating system, 1998 to about 2003",
    "The description of the EGF rating system, in Russian translation, with its statistics of "
    "even games",
    (date(1996, 1, 1), date(2003, 12, 31)),
    (*_SCOPE, *_TABLE, _CHANGE, _HANDICAP, *_LIST, _OFFICE_RESET, _COUNTING, _SOURCE_OF_SYSTEM),
    Parameters(),
    _EXAMPLES_1998,
    (100, 3200),
)

egf_2013 = _edition(
    "egf-2013",
    "EGF rating system as practised from 2012 to 2018",
    "The same description, and the practice measured on the European Go Congress 2013 and on 68 "
    "events of 2015–16",
    (date(2004, 1, 1), date(2021, 3, 31)),
    (*_SCOPE, *_TABLE, _CHANGE, _HANDICAP, *_LIST, _CLASSES, _RESET, _LOSS_CAP, _COUNTING,
     _SOURCE_OF_SYSTEM),
    _OF_2013,
    _EXAMPLES_2013,
    (-900, 3200),
)  # fmt: skip

egf_2021 = _edition(
    "egf-2021",
    "EGF rating system of 2021",
    "The revision of 2021",
    (date(2021, 4, 1), None),
    (*_SCOPE, _CHANGE, _HANDICAP, *_LIST, _SMOOTH, _CLASSES, _RESET, _COUNTING,
     _SOURCE_OF_SYSTEM),
    _OF_2021,
    _EXAMPLES_2021,
    (-900, 3299),
)  # fmt: skip
