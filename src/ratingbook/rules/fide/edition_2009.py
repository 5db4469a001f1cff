"""``fide-2009``: the regulations from 1 July 2009, with K 10 / 15 / 25 and the 400-point rule.

The paragraphs are numbered as in our restored text.
"""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

from ratingbook.rules.book import RatedBy
from ratingbook.rules.fide.articles import ARTICLES
from ratingbook.rules.fide.book import FideRuleBook
from ratingbook.rules.fide.bulk import FIDE_BULK
from ratingbook.rules.fide.columns import PARAMETER_DOCS, Parameters
from ratingbook.rules.fide.examples import examples_of
from ratingbook.rules.fide.tables import TABLE_8_1_1, TABLE_8_1_2
from ratingbook.rules.not_rated import NotRated
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import (
    Domain,
    Examples,
    Paragraph,
    Reading,
    Regulation,
    Table,
    page_of,
    paragraphs_in,
    readings_in,
    with_articles,
)

PARAGRAPHS = paragraphs_in("""
1a  Expected score by formula
    E_A = 1 / (1 + 10^((R_B − R_A) / 400)). FIDE rates with the printed table (1c); the formula is
    the parameter expectancy=logistic.
1b  Difference of ratings, the 400-point rule
    The difference is the own rating less the opponent's. A difference of more than 400 points
    counts as 400.
1c  Expected score by table 8.1.2
    The expected score is read from the printed table, for the higher and the lower rated player.
2a  Change of one game
    K · (S − E), with S = 1, ½ or 0.
2b  New rating
    R' = R + the changes of all games of the period, rounded (5b).
2c  Development coefficient K
    K = 25 for the first 30 rated games, whatever the rating; then 10 for a player whose published
    rating has reached 2400, and 15 for all others. K is settled for each event (reading F32).
2d  Memory of 2400
    Once a published rating has reached 2400, K stays 10, even if the rating falls again.
2e  Falling below the floor
    A rated player whose new rating is below the floor keeps the number, but is not listed; while
    unlisted the player counts as unrated.
3  Series of games
    The expected score of a series is the sum of the expected scores of its games. In one game the
    two expected scores add up to 1.
4  Example of the text
    2806 against 2577, K = 10: the higher rated player loses 2798 / 2585, wins 2808 / 2575, draws
    2803 / 2580.
    Historical: an invented example; it is one of this edition's worked examples and is recomputed
    wherever they are
5a  Ratings in force
    An event is rated with the ratings of the list in force when it starts.
5b  Rounding
    The change of a period is rounded once, to the nearest whole number, a half up.
5c  Lists
    Lists appear on 1 January, March, May, July, September and November. An event counts for the
    first list that appears at least seven days after its end; official FIDE events (event category
    `official`) up to the day before.
6a  Events that count for a first rating
    At least three games against rated opponents, and one point: in a Swiss from these games, in a
    round robin from all games.
6b  Average of the opponents
    Rc is the average rating of the rated opponents.
6c  Half or more
    Ru = Rc + 12.5 for each half point above 50 %; Rc at 50 %.
6d  Less than half
    Ru = Rc + d_p, with d_p from table 8.1.1.
6e  Enough games
    A first rating is published after nine games; games of several events are taken together as one
    tournament.
6f  Floor
    No first rating below 1200 is published (before July 2009: 1801).
6g  Round robins with unrated players
    Games against unrated players count too. Rc of the unrated is the average of the event, Ra =
    Rar − dpa · n / (n + 1); below 50 % Ru = Rc + d_p · n / (n + 1). An unrated opponent counts for
    rated players with the Ru of this event.
7  Performance rating
    Rp = Rc + d_p: what a result against rated opponents is worth.
8  Games that count
    Only games played over the board: no forfeits, no byes.
9  Registration of events and rate of play
    Events are registered before they start and are played at a rate that the regulations admit.
    Office: the rating officer accepts the event before it is rated
10  Inactive players
    A player without a rated game in a year is shown as inactive.
    Office: the list maker marks it when a list is printed; no rating changes
13  Title performances
    A norm asks for a performance over at least nine games: 2600 for GM, 2450 for IM, 2400 for WGM,
    2250 for WIM, with opponents of 2380, 2230, 2180, 2030 on average. The weakest opponent counts
    as 2200, 2050, 2000, 1850, if lower. The titles and federations of the opponents are for the
    office to see.
H  Origin of the system
    Zefirov's idea of 1939, Elo's system for the US federation in 1960, FIDE's in 1970; national
    systems such as DWZ beside it.
    Historical: history; it defines no number
""")

READINGS = readings_in("""
F1  Table or formula?
    Taken: table 8.1.2
    Why: FIDE rates with the printed table; the text gives the formula that the table rounds
    Parameter: expectancy
F2  Is 2400 itself enough for K = 10?
    Taken: yes, 2400 counts as reached
    Why: the Russian text has "2400 and above", the German "> 2400"; FIDE says "has reached"
    Parameter: top_rating
F3  K of a new player who has already reached 2400?
    Taken: the K of new players until 30 games
    Why: sources differ; the text gives the first 30 games their K without a limit of rating
    Parameter: k10_before_30
F4  Which games count towards the 30?
    Taken: all rated games, those of the first rating included
    Why: the Russian text counts from the first rating on, the German "fewer than 30 rated games";
    the numbers of the lists follow the German
    Parameter: new_games
F5  How many games has a player whose report does not say?
    Taken: 30 or more
    Why: tournament files hold no number of games; most rated players have more than 30. A finding
    names the players
    Parameter: games_unknown
F6  How is a rating of a report below the floor used?
    Taken: as given, with a finding; a standing that says `unlisted` is unrated
    Why: the published list holds no such rating; files often give national ratings instead
    Parameter: below_floor
F7  How is Rc rounded?
    Taken: to a whole number, half up, before anything is added to it
    Why: FIDE's own calculations print Rc as a whole number
F8  How is p rounded for table 8.1.1?
    Taken: to whole hundredths, half up
    Why: the table has whole hundredths only; FIDE uses them as printed
F9  How are several events pooled for a first rating?
    Taken: as if all their games had been one tournament; each event must count by itself (6a)
    Why: handbook 8.3. "At least three rated opponents" of the announcement of 2009 is taken to
    hold until June 2014: no later text that we know of drops it before the first rating from five
    games
    Parameter: first_event_games
F10  For how long are games kept towards a first rating?
    Taken: 26 months
    Why: the earlier text says the same or the next seven periods, later ones 26 months
    Parameter: first_months
F11  Does the one point of 6a hold in a round robin?
    Taken: yes, from all games of the event
    Why: FIDE's announcement of 13 July 2009 names it for round robins too
    Parameter: first_event_half_points
F12  When is an event a round robin?
    Taken: when its kind says so and everybody met everybody equally often
    Why: handbook 6.43: with unplayed games it is reported as a Swiss
F13  n / (n + 1) in a first rating pooled from several events?
    Taken: left out
    Why: n belongs to one round robin; pooled games are not a round robin
F14  Opponents' ratings in a performance rating?
    Taken: as they are, without the 400-point rule
    Why: the rule limits the difference to the own rating, which a performance does not use
F15  The computation starts from another number than the published one?
    Taken: only by a decision of the office: `decisions: {base_rating: …, reason: …}`; the number
    then counts for the opponents too
    Why: FIDE corrects lists between periods; a correction is an input, never inferred
F16  What do unrated players count as in a round robin?
    Taken: their opponents' average is Ra for the unrated; for rated opponents each counts with his
    own Ru, rounded, if he scored the point of 6a, and else not at all
    Why: handbook 8.2 (b) and appendix 10; the text says only that these games count too
F17  A player was unrated when an event started, and is rated on the list of its period. What is
    rated?
    Taken: the player's own games, with the rating of that list; the opponents' games against the
    player are not
    Why: 5: ratings are those of the start of the event; later handbooks say so in words
F32  By which list is K settled?
    Taken: the rating is that of the list in force when the event starts; the number of games, and
    what a published rating has reached before, are those of the list before the new one
    Why: the text names the list in force when the event starts, and a report says of it only the
    rating; the published K of monthly lists fits the list before the new one: a player of 2400
    (F-P02), with 2395 when the event started, had K 10 in it
F37  A player was rated when an event started, and is not on the list of its period. What is rated?
    Taken: nothing: the player is unrated in all games, for the opponents too
    Why: the other side of F17; the text is silent, and a report of the period knows the player as
    unlisted
F34  Do games count towards the first 30 that were dropped after 26 months without a rating?
    Taken: no
    Why: all *rated* games count; these never went into a rating
    Parameter: first_months
F36  Where does a change of exactly half a point go?
    Taken: up, on lists until August 2018; away from zero from the list of September 2018 on
    Why: the text says neither until 2024. Of 66 published changes of −x.5 until then 64 went up,
    of 78 of +x.5 72; of 14 ties since then 12 went away from zero
    Parameter: ties
""")


TABLES = (
    Table("Table 8.1.1: from p to dp", ("p", "dp"), tuple((p / 100, d) for p, d in TABLE_8_1_1)),
    Table(
        "Table 8.1.2: from D to PD",
        ("D from", "to", "PD of the higher", "of the lower"),
        (*((a, b, p / 100, (100 - p) / 100) for a, b, p in TABLE_8_1_2), (736, "", 1.0, 0.0)),
    ),
)


def edition(
    year: int, about: str, source: str, valid: tuple[date, date | None],
    paragraphs: tuple[Paragraph, ...], readings: tuple[Reading, ...],
    settings: Settings[Parameters], **more: Any,
) -> FideRuleBook:  # fmt: skip
    """An edition, with what they all have alike."""
    p, name = settings.own, f"fide-{year}"
    later = () if year == 2009 else (p.junior_rating,)
    articles = ARTICLES.get(name, {})
    return FideRuleBook(
        name=name,
        text=Regulation(
            title=f"FIDE rating regulations {about}",
            federation="FIDE",
            source=source,
            valid_from=valid[0],
            valid_until=valid[1],
            url=page_of(articles),
            own_numbers=True,
            paragraphs=with_articles(paragraphs, articles),
            readings=readings,
            tables=TABLES,
            examples=Examples(partial(examples_of, year)),
        ),
        settings=settings,
        rated_by=RatedBy.PERIOD,
        game="chess",
        standing_fields={"reached_2400": bool, "reached_2300": bool, "k": int},
        decisions=frozenset({"base_rating"}),
        domain=Domain(
            (1100, 2800),
            kinds=("swiss", "round_robin") if p.round_robins else ("swiss",),
            borders=(p.floor, *later, p.top_rating),
            decided=("base_rating",),
        ),
        not_rated=(
            NotRated.FORFEIT,
            NotRated.UNRATED,
            NotRated.FIRST_RATING,
            NotRated.LATE,
            NotRated.DECIDED,
        ),
        bulk=FIDE_BULK,
        **more,
    )


fide_2009 = edition(
    2009,
    "from 1 July 2009",
    "Encyclopedia text on the Elo rating (Bulgarian, Russian, German) with the K factors 10 / 15 / "
    "25; FIDE handbook B.02 and announcement of 13 July 2009",
    (date(2009, 7, 1), date(2011, 6, 30)),
    PARAGRAPHS,
    READINGS,
    Settings(Parameters(), PARAMETER_DOCS),
)
