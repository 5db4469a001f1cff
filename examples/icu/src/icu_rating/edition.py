"""``icu-2012``: the text, its readings, and a worked example."""

from icu_rating.event import ICU
from icu_rating.findings import FOREIGN, JOINED, Icu, K
from icu_rating.rules import PARAMETER_DOCS, Parameters
from ratingbook.rules.book import RatedBy
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Domain, Example, Paragraph, Reading, Regulation, games_of

PARAGRAPHS = (
    Paragraph("1", "Event", "One event is rated at once, all games together."),
    Paragraph(
        "2", "Kinds of player",
        "A player is rated (with a rating and a K), provisional (with a rating and fewer than 20 "
        "earlier games), foreign (with a fixed rating that never changes) or unrated.",
    ),
    Paragraph(
        "3", "K",
        "At the start of the event: from a rating of 2100 on 16; else under the age of 21 40; else "
        "for a member of less than 8 years 32; else 24.",
    ),
    Paragraph(
        "4", "Performance",
        "The mean over the games of the opponent's number + 400 · (2 · score − 1); the earlier "
        "games of a provisional player count as so many results at his old rating. The number of a "
        "rated opponent is the start rating (after a bonus: the bonus rating), of a foreign one "
        "the rating, of a provisional or unrated one his own performance so far; games against "
        "players without a number yet are left out. It is repeated for all players at once until "
        "no performance moves by as much as the threshold, a limited number of times; that it does "
        "not settle is an error, where it may be repeated.",
    ),
    Paragraph(
        "5", "Expected score and change",
        "Expected is 1 / (1 + 10^((opponent's number − own start rating) / 400)); the rating of a "
        "rated player changes by the sum of K · (score − expected).",
    ),
    Paragraph(
        "6", "New rating",
        "Rated: start + change + bonus. Provisional and unrated: the performance. Foreign: as "
        "before. The list is rounded.",
    ),
    Paragraph(
        "7", "Bonus",
        "For rated players with a K above 24, a rating under 2100 and n > 4 games, if the change "
        "is more than 35 and rating + change is less than 2100: change − (32 + 3 · (n − 4)), "
        "rounded, nothing if that is not positive; from K = 40 on 1.25 times that, rounded; "
        "limited so that rating + change + bonus passes neither 2100 nor the performance. Rating + "
        "change + bonus is the bonus rating, which counts for the opponents.",
    ),
    Paragraph(
        "8", "Second phase",
        "After any bonus all players are rated once more, and the performances are repeated again.",
    ),
    Paragraph(
        "9", "Versions",
        "0: 30 turns of paragraph 4, one in the second phase, threshold 0.5, bonuses are found "
        "again after the second phase. 1: 30 and 30. 2: threshold 0.1; bonuses are not found "
        "again, but bonus ratings follow the new change. 3: 50 and 50.",
    ),
)  # fmt: skip

READINGS = (
    Reading(
        "I1", "9: from version 2 on bonus ratings follow the new change; which one do those "
        "see who are rated in the same turn?",
        taken="that of before: all are rated, then all bonus ratings follow. The office's program "
        "lets each follow at once, so that the order of the list of players decides: in_turn does "
        "that, for reports",
        why="a rating must not depend on the order in which players were entered",
        parameter="following",
    ),
    Reading(
        "I2", "3: the age, or the years as a member, of whom that is not told",
        taken="no junior and no new member; who is known by the year of birth only is taken as "
        "born on 1 January. The office can set K itself",
        why="K 24 is that of most players; a finding names those",
    ),
    Reading(
        "I3", "2: a rating of which the number of games is not told",
        taken="rated, not provisional",
        why="so are most of them; a finding names them",
    ),
    Reading(
        "I4", "5: the own start rating of players without a K",
        taken="foreign players have theirs; for provisional and unrated ones the expected score "
        "is that of their own performance",
        why="so it stands in the office's results; no new rating rests on it",
    ),
    Reading(
        "I5", "6: provisional and unrated players who met nobody with a number",
        taken="they stay as they were, and such games do not count towards the 20",
        why="the office's program gives them no new rating",
    ),
    Reading(
        "I6", "7: which games n counts",
        taken="all games that were played, those too against opponents without a number",
        why="so it stands in the office's results",
    ),
    Reading(
        "I7", "7: version 0 and 1 find the bonuses again; what if then there is none?",
        taken="the bonus of the first phase stays",
        why="so it stands in the office's results",
    ),
    Reading(
        "I8", "6, 7: which way a half is rounded",
        taken="away from zero",
        why="so does the office's program",
    ),
    Reading(
        "I9", "1: an event of several sections",
        taken="each section is an event of its own, and they are rated in their order",
        why="the office's ledger has a tournament for each",
    ),
)  # fmt: skip

EXAMPLE = Example(
    title="A junior's bonus, and what it does for those who met her",
    document={
        "ratingbook": "report/1",
        "event": {"name": "Invented Congress", "start": "2012-10-26", "end": "2012-10-29"},
        "players": [
            {"id": "A", "name": "Alder, Ada", "birth_date": "2000-05-01",
             "standing": {"rating": 1000, "games": 60, JOINED: "2009-09-01"}},
            *({"id": guest, "name": f"Guest {guest}", "standing": {"rating": 1000, FOREIGN: True}}
              for guest in "BCDEF"),
            {"id": "H", "name": "Holly, Hal", "birth_date": "1960-03-01",
             "standing": {"rating": 1000, "games": 300, JOINED: "1990-09-01"}},
            {"id": "P", "name": "Poplar, Pat", "standing": {"rating": 900, "games": 10}},
            {"id": "U", "name": "Ulmus, Una"},
            {"id": "Z", "name": "Zelkova, Zoe"},
        ],
        "games": games_of(
            "A B 1-0; A C 1-0; A D 1-0; A E 1-0; A F 1-0; "
            "H A 0-1, P C 1-0, U B 1/2-1/2, Z D 1-0 forfeit"
        ),
    },
    expected={"A": 1223, "B": 1000, "H": 995, "P": 945, "U": 1000, "Z": None},
    source="by hand: A, K 40, 6 − 6 · 0.5, change 120; bonus 120 − (32 + 3 · 2) = 82, 1.25 · 82 = "
    "102.5, 103; 1000 + 120 + 103 = 1223, less than the performance 1000 + 400. H, K 24, loses to "
    "1223: 10^(223/400) = 3.6100, 24 · 1/4.6100 = 5.2061, 994.79. P (1400 + 10 · 900) / 11 = "
    "945.45. U draws with 1000",
)  # fmt: skip

icu_2012 = Icu(
    name="icu-2012",
    text=Regulation(
        title="Irish Chess Union, versions 0 to 3",
        federation="ICU",
        source="the rating office's published software icu_ratings and icu_ratings_app (Mark Orr, "
        "MIT); the text is our own",
        own_numbers=True,
        paragraphs=PARAGRAPHS,
        readings=READINGS,
        examples=(EXAMPLE,),
    ),
    settings=Settings(Parameters(), PARAMETER_DOCS, ranges={"version": (0, 3)}),
    rated_by=RatedBy.SECTION,
    standing_fields={FOREIGN: object, JOINED: object},
    decisions=frozenset({K}),
    rating_range=(-4000, 4000),
    domain=Domain((600, 2400)),
    game="chess",
    notation="icu",
    bulk=ICU,
)
