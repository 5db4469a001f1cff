"""``elo``: the text, its readings, and worked examples."""

from ratingbook.rules.book import RatedBy
from ratingbook.rules.elo.findings import HIGHEST, LOWEST, Elo
from ratingbook.rules.elo.rules import ELO, PARAMETER_DOCS, Parameters
from ratingbook.rules.not_rated import NotRated
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Regulation, examples_in, paragraphs_in, readings_in

PARAGRAPHS = paragraphs_in("""
1  Start
    A player without a rating starts at 1500.
2  Order of play
    Games that were played are rated one after the other, in the order of play.
3  Expected score
    Rated R, a player is expected to score E = 1 / (1 + 10^((R' − R) / 400)) against one rated R'.
    The ratings are those after the game before.
4  New rating
    A game with the score S gives the new rating R + K · (S − E), which is not rounded.
5  K
    K is 20. A site may set another K for a player's first games, and for highly rated players.
6  Home
    Where a site sets a home advantage, the rating of the side at home counts so much higher in the
    expected score. On neutral ground nobody is at home.
7  Margin
    Where a site counts margins, K is multiplied by ln(max(margin, 1) + 1) · 2.2 / (2.2 + 0.001 ·
    D). D is the difference of the ratings, home advantage included, seen from the winner. For a
    draw the divisor is 1.
8  Seasons
    Between two seasons a rating returns by a share, which the site sets, to the mean.
9  Decisions
    The office may set the rating with which a player enters an event.
""")

READINGS = readings_in("""
E1  2: the order of games of the same day
    Taken: by event, by section and by round; those of one round as they are reported
    Why: only for a player with several games in one round does the rest make a difference
E2  2: the day of a game that lasted several, or of which no day is reported
    Taken: the day on which it ended; else the one on which it began, else the event's last
    Why: the result is known on that day
E3  3: the rating R' of an opponent without a rating
    Taken: the rating at which the opponent starts
    Why: paragraph 1 gives it from the first game on
    Parameter: start
E4  3: ratings that a report names for a single game
    Taken: they are not used
    Why: the ratings are those after the game before, whatever a list said
E5  5: a newcomer with a high rating
    Taken: the K of newcomers
    Why: the number of games says how little the rating is known yet
    Parameter: new_games
E6  7: a game of which no margin is said; an upset beyond 1,980 points, for which the divisor comes
    near 0
    Taken: without a margin K is not multiplied; the divisor is at least a tenth of 2.2
    Why: the formula was made for differences of some hundred points, and has no end there
    Parameter: margin
E7  8: the season of a game
    Taken: the year that the category of the event names (2019, or 2019-20); without one, a season
    begins on the first day of a month of the year
    Why: a season that is put off by half a year is still that season, which its name shows and the
    date does not
    Parameter: season_month
E8  8: the rating before the first game of a season
    Taken: the one after the return, as the next game's opponent sees it
    Why: the return belongs to no game; and it is this number that sites publish
E9  8: a player who comes back after several seasons, or of whom no earlier season is known
    Taken: one return, however many seasons lie between; none for a new player
    Why: the text speaks of two seasons, those of the game and of the one before
    Parameter: season_return
E10  9: until when a rating of the office holds
    Taken: until the player's first rated game of the event; it takes the place of whatever stood
    before, the return of that season included
    Why: from that game on the rating is that of the game
""")

EXAMPLES = examples_in(
    """
Three games in two rounds, and a forfeit
    Event: name="Invented Cup" start=2024-05-03 end=2024-05-03
    Players: A name="Alder United"; B name="Birch Rovers"; C 1110 12 name="Cedar Town"; D 1490 30
    name="Dogwood City"
    Games: C D 1-0 round=3 status=forfeit, D B 1/2-1/2 round=2, A C 1-0 round=2, A B 1-0 round=1
    New: A 1511.8181818181818; B 1490; C 1108.1818181818182; D 1490
    By: by hand: round 1, both at 1500, E = 1/2, A 1510, B 1490; round 2, A with 1510 against 1110,
    E = 1 / (1 + 10^(−400/400)) = 10/11, 20 · 1/11 = 20/11 = 1.8182, A 1511.8182, C 1108.1818; D
    and B, both at 1490, draw
The first game of a season, at a rating that the office has set
    Event: name="Invented League" category=2024-25 start=2024-09-01
    Players: A 1700 40 season=2023 decisions.rating=1600 decisions.reason="half of the team is
    new"; B 1600 40 season=2023
    Games: A B 1-0 margin=3
    New: A 1610; B 1590
    By: by hand: both at 1600, E = 1/2, 20 · 1/2 = 10; nothing returns to the mean, nobody is at
    home, and no margin counts, unless a site sets so
""",
    {},
)

PARAMETER_RANGES = {
    "k": (0, 1000),
    "scale": (1, 100_000),
    "start": (-10_000, 10_000),
    "k_new": (0, 1000),
    "high": (-10_000, 10_000),
    "k_high": (0, 1000),
    "home": (-1000, 1000),
    "margin_base": (0.01, 100),
    "margin_slope": (0, 1),
    "season_month": (0, 12),
    "season_return": (0, 1),
    "season_mean": (-10_000, 10_000),
}

elo = Elo(
    name="elo",
    text=Regulation(
        title="Elo, game by game",
        federation="Elo",
        source="the formula of Arpad Elo as sports and game sites use it; the text is our own",
        paragraphs=PARAGRAPHS,
        readings=READINGS,
        examples=EXAMPLES,
    ),
    settings=Settings(Parameters(), PARAMETER_DOCS, ranges=PARAMETER_RANGES),
    rated_by=RatedBy.GAME,
    rating_range=(LOWEST, HIGHEST),
    standing_fields={"season": object},
    decisions=frozenset({"rating"}),
    whole_ratings=False,
    not_rated=(NotRated.FORFEIT,),
    bulk=ELO,
)
