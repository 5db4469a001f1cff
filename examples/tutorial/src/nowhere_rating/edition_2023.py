"""``nowhere-2023``: the text, its readings and a worked example."""

from datetime import date

from nowhere_rating.rules import NOWHERE, PARAMETER_DOCS, Parameters
from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.rules.settings import Amendment, Settings
from ratingbook.rules.text import Example, Paragraph, Performed, Reading, Regulation, games_of

PARAGRAPHS = (
    Paragraph("1", "Games", "A game is rated if it was played and the opponent has a rating."),
    Paragraph(
        "2", "First rating",
        "A player without a rating gets one from the rated games of a report. Two draws against "
        "imagined opponents rated 1200 are added to them. The first rating is the average rating "
        "of the opponents plus 1000 · (score / games − ½), rounded.",
    ),
    Paragraph(
        "3", "Expected score",
        "The expected score of a game is E = ½ + D / 1000, where D is the player's rating less the "
        "opponent's. A difference of more than 400 counts as 400.",
    ),
    Paragraph(
        "4", "Change",
        "A game with the score S changes the rating by K · (S − E). K is 40 in a player's first 20 "
        "games, and 20 afterwards.",
    ),
    Paragraph(
        "5", "Bonus",
        "A player who scores two points or more above the expected score of a report gets 10 "
        "points.",
    ),
    Paragraph(
        "6", "New rating",
        "The changes of a report and the bonus are added to the rating. The sum is rounded, a half "
        "upwards. No rating is less than 800.",
    ),
    Paragraph(
        "7", "Lists",
        "A list is published on the first day of January, April, July and October. It takes the "
        "events that ended before that day.",
        Performed.OFFICE, "the rating officer prints the list of that day (`ratingbook list`)",
    ),
)  # fmt: skip

READINGS = (
    Reading(
        "N1", "4: K of a player whose 20th and 21st game are in one report",
        taken="the number of games before the report decides for all of its games",
        why="the order of the games in a report is then of no matter",
    ),
    Reading(
        "N2", "5: whether players in their first 20 games get the bonus", taken="they do",
        why="the text leaves nobody out", parameter="bonus_for_new",
    ),
    Reading(
        "N3", "2: which way a half is rounded, and whether the bonus adds to a first rating",
        taken="upwards; it does not",
        why="paragraph 6 rounds upwards; without a rating there is no expected score",
    ),
    Reading(
        "N4", "2, 5, 6: which games are one report",
        taken="all games of the events that one list takes",
        why="a rating changes with a list, so the games between two lists belong together",
    ),
    Reading(
        "N5", "which rules rate an event on both sides of a change", taken="those of its last day",
        why="that day decides which list takes it",
    ),
)  # fmt: skip


EXAMPLE = Example(
    title="A draw, an upset, a newcomer, three surprises and a forfeit",
    document={
        "ratingbook": "report/1",
        "event": {"name": "Invented Evening", "start": "2023-05-03", "end": "2023-05-03"},
        "players": [
            {"id": "A", "name": "Alder, Ada", "standing": {"rating": 1500, "games": 40}},
            {"id": "B", "name": "Birch, Bo", "standing": {"rating": 1300, "games": 10}},
            {"id": "C", "name": "Cedar, Cy"},
            {"id": "D", "name": "Dogwood, Di", "standing": {"rating": 1900, "games": 100}},
            {"id": "E", "name": "Elm, Ed", "standing": {"rating": 1200, "games": 5}},
        ],
        "games": games_of(
            "A B 1/2-1/2, D E 0-1; C A 1-0, B D 1-0; D A 1/2-1/2, E B 1-0; E A 1-0, C B 0-1 forfeit"
        ),
    },
    expected={"A": 1488, "B": 1320, "C": 1467, "D": 1856, "E": 1302},
    source="by hand: A 20 · (.5 − .7 + .5 − .1 + 0 − .8) = −12; B 40 · (.5 − .3 + 1 − .1 + 0 − .6) "
    "= +20; C (1500 + 2 · 1200) / 3 + 1000 · (2 / 3 − ½) = 1466.67; D 20 · (0 − .9 + 0 − .9 + .5 − "
    ".9) = −44; E 40 · (1 − .1 + 1 − .4 + 1 − .2) = +92, and 10 for 3 points where .7 is expected",
)

nowhere_2023 = RuleBook(
    name="nowhere-2023",
    text=Regulation(
        title="Rating rules of the Nowhere Federation, 2023",
        federation="Nowhere",
        source="invented for the documentation of ratingbook",
        valid_from=date(2023, 1, 1),
        valid_until=date(2025, 12, 31),
        paragraphs=PARAGRAPHS,
        readings=READINGS,
        examples=(EXAMPLE,),
    ),
    settings=Settings(
        Parameters(),
        PARAMETER_DOCS,
        ranges={"first_opponent": (1, 4000), "most_difference": (1, 400), "floor": (1, 4000)},
        amendments=(Amendment(date(2024, 7, 1), {"k_new": 32}, "K = 32 in the first 20 games"),),
    ),
    rated_by=RatedBy.PERIOD,
    rating_range=(800, 4000),
    bulk=NOWHERE,
)
