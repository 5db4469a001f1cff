"""``glicko-2``: the text, its readings, and the worked example of the paper."""

from rating_models.alike import HIGHEST, LOWEST, PARAMETER_DOCS
from rating_models.glicko_2.rules import GLICKO_2, Parameters
from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Domain, Regulation, examples_in, paragraphs_in, readings_in

PARAGRAPHS = paragraphs_in("""
1  Start
    A player without a rating starts at 1500, with a deviation (RD) of 350 and a volatility σ of
    0.06.
    Article: step 1
2  Periods without a game
    Rating and volatility stay, and φ' = √(φ² + σ²) for each of them.
    Article: step 6
3  Games
    All games of a period are rated at once, at the numbers from before it.
    Article: step 1
4  Weight of a game
    g(φ) = 1 / √(1 + 3 φ² / π²), by the opponent's φ = RD / 173.7178.
    Article: step 3
5  Expected score
    E = 1 / (1 + e^(−g(φ') · (μ − μ'))), where μ = (r − 1500) / 173.7178.
    Article: step 3
6  What the games tell
    v = 1 / Σ g(φ')² · E · (1 − E), and the improvement Δ = v · Σ g(φ') · (s − E).
    Article: steps 3 and 4
7  New volatility
    σ' is e^(x/2) at the root x of f(x) = e^x (Δ² − φ² − v − e^x) / (2 (φ² + v + e^x)²) − (x − ln
    σ²) / τ², found by the Illinois algorithm to 0.000001.
    Article: step 5
8  Deviation before the games
    φ* = √(φ² + σ'²).
    Article: step 6
9  New deviation
    φ' = 1 / √(1 / φ*² + 1 / v), and RD' = 173.7178 · φ'.
    Article: steps 7 and 8
10  New rating
    μ' = μ + φ'² · Σ g(φ') · (s − E), and r' = 173.7178 · μ' + 1500.
    Article: steps 7 and 8
11  Prediction
    Of a game 1 / (1 + e^(−g(√(φ² + φ'²)) · (μ − μ'))) is expected, as in Glicko.
    Office: it is asked for by `ratingbook lab compare`; no rating depends on it
12  Periods
    A period is best so long that players have ten to fifteen games in it.
    Office: the rating officer chooses the months of a period (`--set months=6`)
""")

READINGS = readings_in("""
H1  7: the constant τ
    Taken: 0.5
    Why: the paper's example has it; reasonable choices are between 0.3 and 1.2
    Parameter: tau
H2  1: a player with a rating of which no deviation, or no volatility, is given
    Taken: those of a newcomer
    Why: nothing else is known of them
    Parameter: deviation
H3  2: a deviation above that of a newcomer
    Taken: that of a newcomer
    Why: nobody is known less; in Glicko the paper says so
    Parameter: deviation
H4  2: a player of whom no day of a game is known
    Taken: the deviation as it is given
    Why: it is given for the beginning of the period; so is that of the paper's example
H5  7, 9, 10: decimals
    Taken: six of ratings and deviations, nine of volatilities
    Why: the paper says nothing of them; below that, computers differ
H6  7: a volatility outside of 0.000001 to 1
    Taken: the nearest bound
    Why: beyond it numbers leave what a computer can hold; no player comes near
H7  12: how long a period is
    Taken: two months, as in Glicko
    Why: the paper leaves it to the pool
    Parameter: months
H8  9: the least deviation
    Taken: 1
    Why: the paper has none, and nobody comes near
    Parameter: least_deviation
""")

EXAMPLES = examples_in(
    """
The example of the paper: a victory and two defeats
    Event: name="Invented Month" start=2024-05-03 end=2024-05-05
    Players: A 1500 40 deviation=200 volatility=0.06; B 1400 90 deviation=30; C 1550 60
    deviation=100; D 1700 20 deviation=300
    Games: A B 1-0; C A 1-0; A D 0-1
    New: A 1464.050671
    By: Glickman, Example of the Glicko-2 system: 1464.06, with numbers rounded on the way; the
    decimals by the formulas in 40 digits
Somebody who comes back, and somebody new
    Event: name="Invented Month" start=2024-05-03 end=2024-05-05
    Players: A 1500 40 deviation=50 last_played=2019-05-30; B
    Games: A B 1/2-1/2
    New: A 1500; B 1500
    By: by hand: both are expected to score 1/2
""",
    {},
)

RANGES = {
    "start": (LOWEST, HIGHEST),
    "deviation": (1, 10_000),
    "least_deviation": (1, 10_000),
    "volatility": (0.000001, 1),
    "tau": (0.01, 10),
    "months": (1, 120),
}

glicko_2 = RuleBook(
    name="glicko-2",
    text=Regulation(
        title="Glicko-2",
        federation="Mark Glickman",
        source="Glickman, Dynamic paired comparison models with stochastic variances, Journal of "
        "Applied Statistics 28 (2001), and Example of the Glicko-2 system (2012); the words are "
        "our own",
        url="http://www.glicko.net/glicko/glicko2.pdf",
        own_numbers=True,
        paragraphs=PARAGRAPHS,
        readings=READINGS,
        examples=EXAMPLES,
    ),
    settings=Settings(
        Parameters(),
        {
            **PARAMETER_DOCS,
            "volatility": "volatility of a player without a rating",
            "tau": "how much a volatility can change: less, the smaller it is",
        },
        ranges=RANGES,
    ),
    rated_by=RatedBy.PERIOD,
    rating_range=(LOWEST, HIGHEST),
    standing_fields={"deviation": float, "volatility": float},
    whole_ratings=False,
    domain=Domain(
        (600, 2600),
        keys={
            "deviation": (None, 30.0, 75.5, 200.0, 350.0),
            "volatility": (None, 0.03, 0.06, 0.09),
        },
    ),
    bulk=GLICKO_2,
)
