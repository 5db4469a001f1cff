"""``weng-lin``: the text, its readings, and worked examples."""

from rating_models.alike import HIGHEST, LOWEST, PARAMETER_DOCS
from rating_models.weng_lin.rules import WENG_LIN, Parameters
from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Domain, Regulation, examples_in, paragraphs_in, readings_in

PARAGRAPHS = paragraphs_in("""
1  Start
    A player without a rating starts at μ = 1500, with a deviation σ = 500.
    Article: section 3
2  Games
    Games that were played are rated one after the other, in the order of play.
    Article: section 3
3  Time
    Before each game σ² grows by τ².
4  Spread
    c = √(σ² + σ'² + 2 β²), from the deviations of both players.
    Article: algorithm 1, step 2
5  Expected score
    Bradley–Terry: p = e^(μ/c) / (e^(μ/c) + e^(μ'/c)). Thurstone–Mosteller: a performance is
    normally spread, and a difference below the margin of draws is a draw.
    Article: algorithms 1 and 3, step 2
6  Change
    Ω = σ² / c · (s − p), where s is the result; in the model of Thurstone and Mosteller σ² / c · V
    of the difference and the margin, both over c, with Ṽ for a draw.
    Article: algorithms 1 and 3, steps 2 and 3
7  New deviation
    σ'² = σ² · max(1 − γ σ² / c² · p (1 − p), κ) with γ = σ / c; in the model of Thurstone and
    Mosteller W, or W̃ for a draw, in the place of p (1 − p).
    Article: algorithms 1 and 3, steps 2 and 3
8  New rating
    μ' = μ + Ω.
    Article: algorithms 1 and 3, step 3
""")

READINGS = readings_in("""
W1  1: the numbers 25, 25/3 and 25/6 of the paper
    Taken: 60 times as much, so that a rating looks like one
    Why: no prediction depends on the scale
    Parameter: beta
W2  3: the paper has no τ
    Taken: 5, which is 25/300 times 60
    Why: without it a rating can no longer follow a player after some hundred games; TrueSkill and
    its successors take that number
    Parameter: tau
W3  5: which model
    Taken: that of Bradley and Terry, full pair
    Why: it is the paper's first, and with two players full and partial pairing are the same
    Parameter: model
W4  5: the margin of draws in the model of Thurstone and Mosteller
    Taken: 6, the paper's ε of 0.1 times 60
    Why: the paper's experiments have it; where many games are drawn it is too small
    Parameter: draw_margin
W5  7, 8: decimals of ratings and deviations
    Taken: six
    Why: the paper says nothing of them; below that, computers differ
W6  1: a player with a rating of which no deviation is given
    Taken: that of a newcomer
    Why: nothing is known of how sure the rating is
    Parameter: deviation
""")

EXAMPLES = examples_in(
    """
A victory and a draw of newcomers, and a forfeit
    Event: name="Invented Evening" start=2024-05-03 end=2024-05-03
    Players: A; B; C 1620 12 deviation=100
    Games: A B 1-0; C A 1/2-1/2; B C 1-0 status=forfeit
    New: A 1652.079579; B 1341.876630; C 1620.258666
    By: by the formulas in 40 digits, six decimals kept after the first game
""",
    {},
)

RANGES = {
    "start": (LOWEST, HIGHEST),
    "deviation": (1, 10_000),
    "least_deviation": (1, 10_000),
    "beta": (1, 10_000),
    "tau": (0, 10_000),
    "kappa": (0, 1),
    "draw_margin": (0.001, 10_000),
}

weng_lin = RuleBook(
    name="weng-lin",
    text=Regulation(
        title="Bayesian update of Weng and Lin",
        federation="Weng and Lin",
        source="Weng and Lin, A Bayesian approximation method for online ranking, Journal of "
        "Machine Learning Research 12 (2011); the words are our own",
        url="https://jmlr.org/papers/volume12/weng11a/weng11a.pdf",
        own_numbers=True,
        paragraphs=PARAGRAPHS,
        readings=READINGS,
        examples=EXAMPLES,
    ),
    settings=Settings(
        Parameters(),
        {
            "deviation": "deviation of a player without a rating",
            "least_deviation": PARAMETER_DOCS["least_deviation"],
            "beta": "deviation of a performance from the strength of its player",
            "tau": "points² by which a deviation² grows before each game, its root",
            "kappa": "least share of σ² that one game leaves",
            "model": "bradley_terry or thurstone_mosteller",
            "draw_margin": "difference of performances below which a game is drawn",
        },
        ranges=RANGES,
    ),
    rated_by=RatedBy.GAME,
    rating_range=(LOWEST, HIGHEST),
    standing_fields={"deviation": float},
    whole_ratings=False,
    domain=Domain((600, 2600), keys={"deviation": (None, 30.0, 75.5, 200.0, 500.0)}),
    bulk=WENG_LIN,
)
