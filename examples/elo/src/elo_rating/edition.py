"""``elo``: the text, its readings, and a worked example."""

from elo_rating.book import Elo
from elo_rating.bulk import ELO_BULK
from elo_rating.columns import PARAMETER_DOCS, PARAMETER_RANGES, Parameters
from ratingbook.rules.book import Example, Paragraph, Reading, Unit

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
        "A game with the score S gives the new rating R + 20 · (S − E), which is not rounded.",
    ),
)  # fmt: skip

READINGS = (
    Reading(
        id="E1",
        question="2: the order of games of the same day",
        taken="by event, by section and by round; those of one round as they are reported",
        why="only for a player with several games in one round does the rest make a difference",
    ),
    Reading(
        id="E2",
        question="2: the day of a game that lasted several, or of which no day is reported",
        taken="the day on which it ended; else the one on which it began, else the event's last",
        why="the result is known on that day",
    ),
    Reading(
        id="E3",
        question="3: the rating R' of an opponent who has none",
        taken="the rating at which the opponent starts",
        why="paragraph 1 gives it from the first game on",
        parameter="start",
    ),
    Reading(
        id="E4",
        question="3: ratings that a report names for a single game",
        taken="they are not used",
        why="the ratings are those after the game before, whatever a list said",
    ),
)

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
        "games": [
            {"round": 2, "white": "A", "black": "C", "result": "1-0"},
            {"round": 1, "white": "A", "black": "B", "result": "1-0"},
            {"round": 2, "white": "D", "black": "B", "result": "1/2-1/2"},
            {"round": 3, "white": "C", "black": "D", "result": "1-0", "status": "forfeit"},
        ],
    },
    expected={"A": 1511.8181818181818, "B": 1490, "C": 1108.1818181818182, "D": 1490},
    source="by hand: round 1, both at 1500, E = 1/2, A 1510, B 1490; round 2, A with 1510 against "
    "1110, E = 1 / (1 + 10^(−400/400)) = 10/11, 20 · 1/11 = 20/11 = 1.8182, A 1511.8182, "
    "C 1108.1818; D and B, both at 1490, draw",
)

elo = Elo(
    name="elo",
    title="Elo, game by game",
    federation="Elo",
    source="the formula of Arpad Elo as sports and game sites use it; the text is our own",
    valid_from=None,
    valid_until=None,
    unit=Unit.GAME,
    paragraphs=PARAGRAPHS,
    readings=READINGS,
    parameters=Parameters(),
    parameter_docs=PARAMETER_DOCS,
    parameter_ranges=PARAMETER_RANGES,
    rating_range=(-10_000, 10_000),
    whole_ratings=False,
    examples=(EXAMPLE,),
    bulk=ELO_BULK,
)
