"""``glicko``: the text, its readings, and the worked example of the paper."""

from rating_models.alike import HIGHEST, LOWEST, PARAMETER_DOCS
from rating_models.glicko.rules import GLICKO, Parameters
from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Domain, Regulation, examples_in, paragraphs_in, readings_in

PARAGRAPHS = paragraphs_in("""
1  Start
    A player without a rating starts at 1500, with a deviation (RD) of 350.
    Article: step 1 (a)
2  Time
    Before a period RD grows to min(√(RD² + c² · t), 350). t is the number of periods since the
    latest one with a game of the player: 1 if that was the period before.
    Article: step 1 (b)
3  Games
    All games of a period are rated at once, at the ratings and deviations from before it.
    Article: step 2
4  Weight of a game
    g(RD) = 1 / √(1 + 3 q² RD² / π²), by the deviation of the opponent; q = ln 10 / 400.
    Article: step 2
5  Expected score
    E = 1 / (1 + 10^(−g(RD') · (r − r') / 400)) against an opponent with rating r' and deviation
    RD'.
    Article: step 2
6  What the games tell
    d² = 1 / (q² · Σ g(RD')² · E · (1 − E)), over all games of the period.
    Article: step 2
7  New deviation
    RD' = √(1 / (1 / RD² + 1 / d²)). So that a rating can still change, no deviation falls below
    30.
    Article: step 2
8  New rating
    r' = r + q / (1 / RD² + 1 / d²) · Σ g(RD') · (s − E).
    Article: step 2
9  Prediction
    Of a game between two players 1 / (1 + 10^(−g(√(RD² + RD'²)) · (r − r') / 400)) is expected.
    Office: it is asked for by `ratingbook lab compare`; no rating depends on it
10  Periods
    A period is best so long that players have five to ten games in it.
    Office: the rating officer chooses the months of a period (`--set months=6`)
""")

READINGS = readings_in("""
G1  2: c, and the length of a period
    Taken: 63.2 and two months, from the paper's example: a deviation of 50 grows to 350 in five
    years, √((350² − 50²) / 30)
    Why: every pool has its own, and the paper gives this one
    Parameter: c
G2  1: a player with a rating of which no deviation is given
    Taken: a deviation of 350
    Why: nothing is known of how sure the rating is
    Parameter: deviation
G3  2: a player of whom no day of a game is known
    Taken: the deviation as it is given
    Why: it is given for the beginning of the period; so is that of the paper's example
G4  7: the least deviation
    Taken: 30
    Why: the paper of 1995 recommends it, and names this number as an example
    Parameter: least_deviation
G5  7, 8: decimals of ratings and deviations
    Taken: six
    Why: the paper says nothing of them; below that, computers differ
""")

EXAMPLES = examples_in(
    """
The example of the paper: a victory and two defeats
    Event: name="Invented Month" start=2024-05-03 end=2024-05-05
    Players: A 1500 40 deviation=200; B 1400 90 deviation=30; C 1550 60 deviation=100; D 1700 20
    deviation=300
    Games: A B 1-0; C A 1-0; A D 0-1
    New: A 1464.106463; B 1398.342512; C 1570.187609; D 1784.350281
    By: Glickman, The Glicko system (1999): A 1464; all numbers by the formulas in 40 digits
Somebody who comes back, and somebody new
    Event: name="Invented Month" start=2024-05-03 end=2024-05-05
    Players: A 1500 40 deviation=50 last_played=2019-05-30; B
    Games: A B 1/2-1/2
    New: A 1500; B 1500
    By: by hand: both are expected to score 1/2; √(50² + 63.2² · 30) = 349.7545
""",
    {},
)

RANGES = {
    "start": (LOWEST, HIGHEST),
    "deviation": (1, 10_000),
    "least_deviation": (1, 10_000),
    "c": (0, 10_000),
    "months": (1, 120),
}

glicko = RuleBook(
    name="glicko",
    text=Regulation(
        title="Glicko",
        federation="Mark Glickman",
        source="Glickman, Parameter estimation in large dynamic paired comparison experiments, "
        "Applied Statistics 48 (1999), and The Glicko system; the words are our own",
        url="http://www.glicko.net/glicko/glicko.pdf",
        own_numbers=True,
        paragraphs=PARAGRAPHS,
        readings=READINGS,
        examples=EXAMPLES,
    ),
    settings=Settings(
        Parameters(),
        {**PARAMETER_DOCS, "c": "points² by which a deviation² grows in a period, its root"},
        ranges=RANGES,
    ),
    rated_by=RatedBy.PERIOD,
    rating_range=(LOWEST, HIGHEST),
    standing_fields={"deviation": float},
    whole_ratings=False,
    domain=Domain((600, 2600), keys={"deviation": (None, 30.0, 75.5, 200.0, 350.0)}),
    bulk=GLICKO,
)
