"""``elo``: the text, its readings, and a worked example."""

from ratingbook.rules.book import RatedBy
from ratingbook.rules.elo.findings import HIGHEST, LOWEST, Elo
from ratingbook.rules.elo.rules import ELO, PARAMETER_DOCS, Parameters
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Example, Paragraph, Reading, Regulation, games_of

PARAGRAPHS = (
    Paragraph("1", "Start", "A player without a rating starts at 1500."),
    Paragraph(
        "2", "Order of play",
        "Games that were played are rated one after the other, in the order of play.",
    ),
    Paragraph(
        "3", "Expected score",
        "Rated R, a player is expected to score E = 1 / (1 + 10^((R' − R) / 400)) against one "
        "rated R'. The ratings are those after the game before.",
    ),
    Paragraph(
        "4", "New rating",
        "A game with the score S gives the new rating R + K · (S − E), which is not rounded.",
    ),
    Paragraph(
        "5", "K",
        "K is 20. A site may set another K for a player's first games, and for highly rated "
        "players.",
    ),
    Paragraph(
        "6", "Home",
        "Where a site sets a home advantage, the rating of the side at home counts so much higher "
        "in the expected score. On neutral ground nobody is at home.",
    ),
    Paragraph(
        "7", "Margin",
        "Where a site counts margins, K is multiplied by ln(max(margin, 1) + 1) · 2.2 / "
        "(2.2 + 0.001 · D). D is the difference of the ratings, home advantage included, seen "
        "from the winner. For a draw the divisor is 1.",
    ),
    Paragraph(
        "8", "Seasons",
        "Between two seasons a rating returns by a share, which the site sets, to the mean.",
    ),
    Paragraph(
        "9", "Decisions",
        "The office may set the rating with which a player enters an event.",
    ),
)  # fmt: skip

READINGS = (
    Reading(
        "E1", "2: the order of games of the same day",
        taken="by event, by section and by round; those of one round as they are reported",
        why="only for a player with several games in one round does the rest make a difference",
    ),
    Reading(
        "E2", "2: the day of a game that lasted several, or of which no day is reported",
        taken="the day on which it ended; else the one on which it began, else the event's last",
        why="the result is known on that day",
    ),
    Reading(
        "E3", "3: the rating R' of an opponent who has none",
        taken="the rating at which the opponent starts",
        why="paragraph 1 gives it from the first game on",
        parameter="start",
    ),
    Reading(
        "E4", "3: ratings that a report names for a single game",
        taken="they are not used",
        why="the ratings are those after the game before, whatever a list said",
    ),
    Reading(
        "E5", "5: a newcomer with a high rating",
        taken="the K of newcomers",
        why="the number of games says how little the rating is known yet",
        parameter="new_games",
    ),
    Reading(
        "E6", "7: a game of which no margin is said; an upset beyond 1,980 points, for which "
        "the divisor comes near 0",
        taken="without a margin K is not multiplied; the divisor is at least a tenth of 2.2",
        why="the formula was made for differences of some hundred points, and has no end there",
        parameter="margin",
    ),
    Reading(
        "E7", "8: the season of a game",
        taken="the year that the category of the event names (2019, or 2019-20); without one, a "
        "season begins on the first day of a month of the year",
        why="a season that is put off by half a year is still that season, which its name shows "
        "and the date does not",
        parameter="season_month",
    ),
    Reading(
        "E8", "8: the rating of before the first game of a season",
        taken="the one after the return, as the next game's opponent sees it",
        why="the return belongs to no game; and it is this number that sites publish",
    ),
    Reading(
        "E9", "8: a player who comes back after several seasons, or of whom no earlier season "
        "is known",
        taken="one return, however many seasons lie between; none for who is new",
        why="the text speaks of two seasons, those of the game and of the one before",
        parameter="season_return",
    ),
    Reading(
        "E10", "9: until when a rating of the office holds",
        taken="until the player's first rated game of the event; it takes the place of whatever "
        "stood before, the return of that season included",
        why="from that game on the rating is that of the game",
    ),
)  # fmt: skip

EXAMPLE = Example(
    title="Three games in two rounds, and a forfeit",
    document={
        "ratingbook": "report/1",
        "event": {"name": "Invented Cup", "start": "2024-05-03", "end": "2024-05-03"},
        "players": [
            {"id": "A", "name": "Alder United"},
            {"id": "B", "name": "Birch Rovers"},
            {"id": "C", "name": "Cedar Town", "standing": {"rating": 1110, "games": 12}},
            {"id": "D", "name": "Dogwood City", "standing": {"rating": 1490, "games": 30}},
        ],
        "games": games_of("A B 1-0; A C 1-0, D B 1/2-1/2; C D 1-0 forfeit")[::-1],
    },
    expected={"A": 1511.8181818181818, "B": 1490, "C": 1108.1818181818182, "D": 1490},
    source="by hand: round 1, both at 1500, E = 1/2, A 1510, B 1490; round 2, A with 1510 against "
    "1110, E = 1 / (1 + 10^(−400/400)) = 10/11, 20 · 1/11 = 20/11 = 1.8182, A 1511.8182, "
    "C 1108.1818; D and B, both at 1490, draw",
)

SEASON_EXAMPLE = Example(
    title="The first game of a season, at a rating that the office has set",
    document={
        "ratingbook": "report/1",
        "event": {"name": "Invented League", "category": "2024-25", "start": "2024-09-01"},
        "players": [
            {"id": "A", "standing": {"rating": 1700, "games": 40, "season": 2023},
             "decisions": {"rating": 1600, "reason": "half of the team is new"}},
            {"id": "B", "standing": {"rating": 1600, "games": 40, "season": 2023}},
        ],
        "games": [{"white": "A", "black": "B", "result": "1-0", "margin": 3}],
    },
    expected={"A": 1610, "B": 1590},
    source="by hand: both at 1600, E = 1/2, 20 · 1/2 = 10; nothing returns to the mean, nobody is "
    "at home, and no margin counts, unless a site sets so",
)  # fmt: skip

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
        examples=(EXAMPLE, SEASON_EXAMPLE),
    ),
    settings=Settings(Parameters(), PARAMETER_DOCS, ranges=PARAMETER_RANGES),
    rated_by=RatedBy.GAME,
    rating_range=(LOWEST, HIGHEST),
    standing_fields={"season": object},
    decisions=frozenset({"rating"}),
    whole_ratings=False,
    bulk=ELO,
)
