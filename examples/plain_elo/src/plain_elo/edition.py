"""``plain-elo-2024``: the text, its readings, and a worked example."""

from datetime import date

from plain_elo.rules import PLAIN_ELO, Parameters
from ratingbook.rules.book import RatedBy, RuleBook
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Example, Paragraph, Performed, Reading, Regulation, games_of

PARAGRAPHS = (
    Paragraph("1", "Start", "A player without a rating starts at 1500."),
    Paragraph(
        "2", "Expected score",
        "Rated R, a player is expected to score E = 1 / (1 + 10^((R' − R) / 400)) against one "
        "rated R'. Ratings are those from before the report.",
    ),
    Paragraph(
        "3", "Change", "A game that was played for a score S changes the rating by 20 · (S − E)."
    ),
    Paragraph(
        "4", "New rating",
        "The changes of all games of a report are added, and the sum is rounded.",
    ),
    Paragraph(
        "5", "Publication", "The list is published on the first day of the month.",
        Performed.OFFICE, "the rating officer prints the list of that day (`ratingbook list`)",
    ),
)  # fmt: skip

READINGS = (
    Reading(
        id="P1",
        question="2: the rating R' of an opponent who has none",
        taken="the rating at which the opponent starts",
        why="paragraph 1 gives it from the first game on",
        parameter="start",
    ),
    Reading(
        id="P2",
        question="4: which way a half is rounded",
        taken="away from zero",
        why="a gain and a loss of the same size stay equal",
    ),
    Reading(
        id="P3",
        question="4, 5: which games are one report, where the games of years are rated at once",
        taken="those of the events that ended in one month: the next list takes them together",
        why="a list says what was known on the day before",
    ),
)

EXAMPLE = Example(
    title="A draw, a loss to a newcomer, and a forfeit",
    document={
        "ratingbook": "report/1",
        "event": {"name": "Invented Evening", "start": "2024-05-03", "end": "2024-05-03"},
        "players": [
            {"id": "A", "name": "Alder, Ada", "standing": {"rating": 1600, "games": 40}},
            {"id": "B", "name": "Birch, Bo", "standing": {"rating": 1400, "games": 25}},
            {"id": "C", "name": "Cedar, Cy"},
        ],
        "games": games_of("A B 1/2-1/2; C A 1-0; B C 1-0 forfeit"),
    },
    expected={"A": 1582, "B": 1405, "C": 1513},
    source="by hand: 10^(−200/400) = .3162, E = 1 / 1.3162 = .7597, 20 · (.5 − .7597) = −5.19; "
    "10^(−100/400) = .5623, E = 1 / 1.5623 = .6401, 20 · (0 − .6401) = −12.80; A −5.19 − 12.80 = "
    "−17.99, B +5.19, C +12.80",
)

plain_elo_2024 = RuleBook(
    name="plain-elo-2024",
    text=Regulation(
        title="Plain Elo, in force from 2024",
        federation="Plain Elo",
        source="invented for the documentation of ratingbook",
        valid_from=date(2024, 1, 1),
        paragraphs=PARAGRAPHS,
        readings=READINGS,
        examples=(EXAMPLE,),
    ),
    settings=Settings(Parameters(), ranges={"start": (1, 4000)}),
    rated_by=RatedBy.PERIOD,
    bulk=PLAIN_ELO,
)
