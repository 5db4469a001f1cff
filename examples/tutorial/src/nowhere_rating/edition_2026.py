"""``nowhere-2026``: what differs from 2023."""

from dataclasses import replace
from datetime import date

from nowhere_rating.edition_2023 import PARAGRAPHS, nowhere_2023
from nowhere_rating.rules import Parameters
from ratingbook.rules.text import Example, Paragraph, Performed, games_of, with_texts
from ratingbook.rules.timeline import Reform

TEXTS = {
    "4": "A game with the score S changes the rating by K · (S − E). K is 32 in a player's first "
    "20 games, and 20 afterwards.",
    "5": "A player who scores three points or more above the expected score of a report gets 25 "
    "points.",
    "6": "The changes of a report and the bonus are added to the rating. The sum is rounded, a "
    "half upwards. No rating is less than 1000.",
}

REFORM_PARAGRAPH = Paragraph(
    "8", "Reform",
    "On 1 January 2026 every rating below 1400 is raised by half of what it lacks, rounded, a half "
    "upwards.",
    Performed.OFFICE, "the office changes the whole list once; `ratingbook history` does it too",
)  # fmt: skip

EXAMPLE = Example(
    title="The floor, a bonus and a newcomer",
    document={
        "ratingbook": "report/1",
        "event": {"name": "Invented Weekend", "start": "2026-02-07", "end": "2026-02-08"},
        "players": [
            {"id": "D", "name": "Dogwood, Di", "standing": {"rating": 1900, "games": 130}},
            {"id": "F", "name": "Fir, Flo", "standing": {"rating": 1005, "games": 30}},
            {"id": "G", "name": "Gorse, Gil", "standing": {"rating": 1250, "games": 12}},
            {"id": "H", "name": "Hazel, Hal"},
        ],
        "games": games_of("F G 0-1; G F 1-0; D G 0-1; G D 1-0; D G 0-1; H G 1-0"),
    },
    expected={"D": 1846, "F": 1000, "G": 1378, "H": 1383},
    source="by hand: D 20 · 3 · (0 − .9) = −54; F 20 · 2 · (0 − .255) = −10.2, and 994.8 is below "
    "1000; G 32 · (2 · .255 + 3 · .9) = +102.72, and 25 for 5 points where 1.79 are expected: "
    "+127.72; H (1250 + 2 · 1200) / 3 + 1000 · (2 / 3 − ½) = 1383.33",
)

nowhere_2026 = replace(
    nowhere_2023,
    name="nowhere-2026",
    text=replace(
        nowhere_2023.text,
        title="Rating rules of the Nowhere Federation, 2026",
        valid_from=date(2026, 1, 1),
        valid_until=None,
        paragraphs=(*with_texts(PARAGRAPHS, TEXTS), REFORM_PARAGRAPH),
        examples=(EXAMPLE,),
    ),
    settings=replace(
        nowhere_2023.settings,
        own=Parameters(k_new=32, bonus=25, bonus_from=3, floor=1000),
        amendments=(),
    ),
    rating_range=(1000, 4000),
    reforms=(Reform(date(2026, 1, 1), "those below 1400 raised half of the way"),),
)
