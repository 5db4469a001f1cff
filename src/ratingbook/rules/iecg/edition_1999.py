"""``iecg-1999``: the IECG Rating Rules, version 1.7 of 27 May 1999."""

from __future__ import annotations

from datetime import date

from ratingbook.rules.book import RatedBy
from ratingbook.rules.iecg.book import IecgRuleBook
from ratingbook.rules.iecg.bulk import IECG_BULK
from ratingbook.rules.iecg.columns import PARAMETER_DOCS, Parameters
from ratingbook.rules.iecg.findings import DECISIONS
from ratingbook.rules.iecg.listing import IN_PROGRESS
from ratingbook.rules.settings import Settings
from ratingbook.rules.text import Domain, Regulation, examples_in, paragraphs_in, readings_in

PARAGRAPHS = paragraphs_in("""
I.1  Origin
    A numerical scheme that turns percentage results into rating differences and back, mainly based
    on that of ICCF.
    Historical: it names the model; I.3 and I.4 define the numbers
I.2  Distribution
    The basis of the scheme is the normal probability distribution.
    Historical: it defines no number: the formulas of I.3 and I.4 are logistic
I.3  Performance probability
    P(D) = 1 / (1 + 10^(−D / 400)).
I.4  Expected rating change
    D(p) = −400 · log10((1 − p) / p), D(0) = −800, D(1) = 800.
I.5  Comparison with ICCF
    The formulas are good approximations of ICCF's tables. (The text names I.4 and I.5; I.3 and I.4
    are meant.)
    Historical: a remark. P(D) is off by at most 0.011 up to 350 points; D(p) by 16 points at .90,
    42 at .95 and 123 at 1
I.6  Percentage result
    p = (2W + D) / (2N): wins, draws and finished games in the rating period (reading B1).
II.1  Rating period
    Two months; the first of a year starts on 1 January.
II.2  Rating list
    On the first weekend of every second month; the tournament offices receive a special version
    (`ratingbook list --office`: with players who are not yet published, whose TER the offices
    need). A finding gives the date.
II.3  Opponents' ratings
    Opponents count with the Tournament Entry Rating that is valid on the day of the run:
    `white_rating`, `black_rating` of the game, else the `ter` of the standing, else III.7.
II.4  Batch
    All games of a player that were finished in the period, whatever the tournament.
II.5  Columns of the list
    Position on the list and in the class, membership number, name, country, rating, TER, number of
    rated games under the new scheme, wins, draws and losses. The rating is a whole number (reading
    B3).
III.1  Established and provisional
    Established from 15 finished games on, otherwise provisional; asked where the standing has no
    `status`.
III.2  Starting rating
    New players get a starting rating, by section VII.
III.3  Publication
    Provisional ratings are not published until at least six games are accepted for rating.
III.4  Intermediate lists
    On the first weekend of the months without a list intermediate ratings can be published,
    calculated as if the period had ended then. The TER is not changed. Rate the games finished so
    far, and drop the new standings.
III.5  Performance
    No performance is calculated for the first six games: it is treated as the provisional rating.
III.6  Use of the TER
    It settles which class, quad or cup group a player may enter, qualifications excepted.
    Office: the tournament office looks at `ter` of the standing when a player enters
III.7  Tournament Entry Rating
    The established rating of the last list; for provisional ratings the starting rating, unless at
    least ten games are finished.
III.8  Cut-off
    A difference of more than 400 points counts as 400: the opponent's rating is moved. For
    provisional and established ratings.
IV.1  Provisional rating
    Rp = Rc + D(p) · F, Rc the average of the opponents' TERs, F = −2p² + 2p + 0.5. The games of
    earlier periods come as `history`: `opponent` is the TER that was frozen, `own` the rating that
    III.8 measured from.
IV.2  First publication
    For the first time after six finished games.
IV.3  Deleted
    Deleted in version 1.3.
    Historical: III.7 covers it
IV.4  Promotion
    With 15 finished games the rating becomes established, only at the end of a period. Any
    additional games of that period count for the provisional rating as well.
V.1  Change of one game
    dR = k · (W − We), W being 1, ½ or 0.
V.2  Expected result
    We by I.3, from the difference of the two ratings.
V.3  Development coefficient
    k = r · P. r = 10 if Ro ≥ 2400, 70 − Ro/40 if 2000 < Ro < 2400, 20 if Ro ≤ 2000. P = 1 if Pn ≥
    80, 1.4 − Pn/200 if 30 < Pn < 80, 1.25 if 15 < Pn ≤ 30, 1.5 if Pn ≤ 15. Ro and the number of
    games Pn are those of the previous list.
V.4  New rating
    Rn = Ro + SUM(dR) over all games of the batch.
VI.1  Sequence
    No sequence is needed: all ratings are those of the previous list, and nobody is unrated.
VII.1  New players with an established ICCF rating
    They have an established IECG rating. In a report: no standing, `foreign`: `iccf`,
    `iccf_games`.
VII.2  New players with another rating
    An established rating of another organisation or a provisional ICCF rating, from at least six
    games, is the starting rating, without points added or taken. In a report: `foreign`: `iccf`,
    `fide` or `national` (already converted to FIDE) and `iccf_games` …
VII.3  New players without a rating
    800, or a rating estimated by the tutor, which should not exceed 1700. In a report:
    `decisions`: `tutor_rating`, `reason`.
VIII.1  Forfeits
    By the arbiter's decision (claim on time …): rated as normal finished games.
VIII.2  Withdrawals
    Generally not rated; the tournament secretary decides.
VIII.3  Adjudication
    Remaining players may ask for it; it is binding. Its result is rated, the score table shows a
    win (`table_result`). The remaining player may lose points.
VIII.4  Inactive players
    Inactive is who is not playing a game in a period.
    Office: the office, which keeps the last day of play in the standing (`last_played`)
VIII.5  Removal
    Inactive players leave the list after a year. The rating stays valid for another four years;
    then the player is deleted from the database.
    Office: the list maker, who leaves such players out (`ratingbook list`)
VIII.6  Return
    On return the rating of the database is still used.
    Office: the office keeps the standing until VIII.5 deletes it and sends it with the report,
    however old it is; no function changes it
IX.1  Games of the old scheme
    Games begun before 1 June 1996 and finished before 1 January 1997 are rated by the old scheme;
    a game with such `start` and `end` is left out.
IX.2  New scheme
    From 1 January 1997 all ratings follow this document.
    Historical: every batch of this edition does; IX.1 is the exception
IX.3  Games of the new scheme
    Games begun after 1 August 1996 follow this document.
    Historical: it says again that this document holds; IX.1 names the exception (reading B26)
IX.4  Games finished before the scheme
    They are treated as being finished afterwards: they belong to the first period of 1997.
IX.5a  Established ratings from 15 games
    They stay established. In a report: the old rating and games as standing, and `decisions`:
    `transfer`: `established`.
IX.5b  Established ratings from fewer games
    They are starting ratings. With more than five finished games the opponents' average goes into
    the provisional rating by IV.1: give the old games as `history`.
IX.5c  Provisional ratings
    They stay provisional until 15 games are finished (`transfer`: `provisional`, with the old
    games as `history`).
IX.5d  Starting ratings
    A higher ICCF rating replaces a starting rating, as an established one (`transfer`: `starting`,
    and `foreign`: `iccf`).
IX.5e  Winners of Class M tournaments
    Who won an old Class M tournament (#001 to #013) before 1 January 1997 is established
    (`decisions`: `class_m_winner`: true).
X.1  Results
    Results are sent to the corresponding tournament office.
    Office: the tournament office sends the report
X.2  Questions
    Questions concerning the list are sent to the Rating Official.
    Office: the rating office answers them with the explanation of a change
X.3  Rating Official
    The name of the Rating Official of 1999.
    Historical: a person, not a rule
H  Update history
    Versions 1.0 (1 January 1997) to 1.7. Among others: 1.1 disabled III.3 and raised the games of
    III.7 to ten; 1.3 deleted IV.3; 1.1 and 1.4 speak of a VII.4 that 1.7 does not have; 1.5 added
    III.8 and IX.5e; 1.7 made the period two months.
    Historical: earlier versions; what holds stands in the sections
    Article: Update History
""")

READINGS = readings_in("""
B1  I.6 counts games in the rating period. Does a provisional rating rest on one period, or on all
    games?
    Taken: on all games so far; the period of I.6 is that of performances
    Why: IV.4: additional games "are treated as results for the provisional ratings as well"; IX.5b
    takes in earlier opponents; ICCF item 15. It departs from the letter of I.6 and II.4
    Parameter: provisional_games
B2  From which rating of a provisional player is the cut-off of III.8 measured?
    Taken: from the starting rating
    Why: the later rules of the same author say so (LSS 756); anything else runs in a circle
    Parameter: cutoff_reference
B3  How are ratings rounded?
    Taken: to whole numbers in the list, a half up; Ro is the number of the list
    Why: "Ro is the rating from the previous rating list"
    Parameter: tie
B4  What is "not playing a game" in a period (VIII.4)?
    Taken: no game in progress in it, as far as the standing says the last day on which one was
    (`in_progress`); without that, no game finished in it
    Why: correspondence games last longer than two months; ICCF argued over the same in 2002
    Parameter: inactive
B5  Which is the first weekend of a month that begins with a Sunday?
    Taken: that of the first Saturday
    Why: a weekend begins with Saturday
B6  Exactly 400 points; exactly 15, 30, 80 games; exactly 2000, 2400?
    Taken: 400 is 400 either way; 15 games give P = 1.5, 16 and 30 give 1.25, 80 gives 1
    Why: the text; the only jump is between 15 and 16 games, where k falls from 30 to 25
B7  When is Pn ≤ 15 for an established player, who has 15 games?
    Taken: with exactly 15, and for players established otherwise (VII.1, IX.5d, IX.5e): Pn counts
    IECG games
    Why: II.5 h counts the games under the new scheme
B8  Old games of a provisional player: TER of then or of now?
    Taken: of then, frozen in the run that rated the game (`history`)
    Why: II.3 with II.4; today's would change old results with every list
B9  Is there a performance after exactly six games?
    Taken: no: the provisional rating is published
    Why: "it is treated as the provisional rating" (III.5)
B10  Version 1.1 disabled III.3. Is it valid?
    Taken: yes
    Why: it stands in 1.7, and so does IV.2
    Parameter: published_games
B11  Which own rating goes into P(D)?
    Taken: Ro of the list, against the opponent's TER
    Why: the text; so the changes of the two sides need not cancel
B12  TER of a provisional player with ten games or more?
    Taken: the provisional rating of the last list
    Why: what else the exception could mean; version 1.3 says so
    Parameter: ter_games
B13  Is there a brake on big batches, like ICCF's 800/k?
    Taken: none
    Why: left out of what was taken from ICCF
B14  D(p) · F passes 400 near a full score, and a full score itself earns 400?
    Taken: applied as written; a finding names the players
    Why: the text; it needs 41 games without an established rating: 40½ of 41 earn 400.09. The same
    holds near a score of zero
B15  VII.2: "the established rating must be based on at least six games". Also a provisional ICCF
    rating?
    Taken: six games for both
    Why: one threshold
    Parameter: foreign_games
B16  VII.3: which of 800 and the tutor's estimate, and within which bounds?
    Taken: the tutor's, at most 1700; no lower bound
    Why: "should not exceed 1700" is read as a cap
    Parameter: tutor_maximum
B17  Are games of a withdrawn player rated, when nobody decided?
    Taken: no
    Why: "generally not rated"; the secretary decides for the report
    Parameter: withdrawn
B18  When does the year of VIII.5 begin?
    Taken: with the last period of play: off the list after six inactive periods, deleted after 30
    Why: one year and four more, of six periods each
    Parameter: off_list_periods
B19  Where are the bounds of the classes (II.5 b)?
    Taken: a configuration: `class_origin` and `class_width`
    Why: not in the text; III.8 calls 400 points one tournament class
    Parameter: class_width
B20  Until when must a result be in?
    Taken: by the end of the period
    Why: the text gives no other day
B21  Is an adjudication also rated for the withdrawn side?
    Taken: yes, for both sides
    Why: there is one result
B22  In which order are changes summed up?
    Taken: in none: each is rounded once to 2⁻⁴⁰ and summed as an integer; Ro is added once, and a
    result within 10⁻⁹ of a whole number or a half is that number
    Why: a list must not depend on the order of its input, nor on binary fractions: 1700 with a win
    v 1697, a loss v 1703 and a win v 1700 (k = 25) gives 1712.5 or a little less by order of
    floats; 2184 (k = 15.4) with 0 1 ½ ½ ½ against five of 1700 gives exactly 2152.5, for P(400) =
    10/11, which no float holds
B23  By which formula is the performance of III.4 and III.5?
    Taken: IV.1 over the games of the period
    Why: the only formula that turns a percentage into a rating
B24  What is the number before the first period of a new player?
    Taken: the starting rating
    Why: VI.1: nobody is unrated
B25  From how many games is an ICCF rating established?
    Taken: 30; without a number it is taken as established
    Why: the rules of ICCF; a finding says so
    Parameter: iccf_established_games
B26  Games begun between 1 June and 1 August 1996 and finished in 1996?
    Taken: rated here
    Why: neither IX.1 nor IX.3 names them; only IX.1 sends a game to the old scheme
B27  How many games has a player whose report gives a rating and no games?
    Taken: 80, established
    Why: the number that moves the rating least; a finding names the players
    Parameter: games_unknown
B28  When is a player of a history deleted (VIII.5), whose rating of then would come with no report
    any more?
    Taken: when 30 lists have appeared since the period of the last finished game; a game in
    progress does not count, whatever `inactive` says. A player who returns is new, with the
    starting rating of VII.3
    Why: columns hold finished games; one that was in progress all that time shows only when it
    ends
    Parameter: deleted_periods
B29  A history begins with a rating of fewer than 15 games, and nobody knows the games?
    Taken: they count as draws against opponents of the same rating; without a rating the player is
    new, with the starting rating, the TER or 800
    Why: IV.1 needs all games; these have just that rating, and keep its weight
B30  A new rating below 1, or above 4000?
    Taken: 1, or 4000: a list has no other ratings. The next period begins with that number, and so
    does the TER; the performance of III.5 is not bounded
    Why: the text has no bound; the formulas pass these only in results that no list has seen, and
    a list of positive numbers can be read again as it was written
""")


# The numbers are derived by hand from the text.
EXAMPLES = examples_in(
    """
An established rating
    Players: A 1800 100; o1800 1800 100; o2000 2000 100; o1600 1600 100
    Games: A o1800 1-0, A o2000 1/2-1/2, A o1600 0-1
    New: A 1800
    By: by hand from the text: k = 20 · 1; +10 + 5.195 − 15.195 = 0 (case G05)
An opponent more than 400 points away
    Players: A 1800 100; o1300 1300 100
    Games: A o1300 0-1
    New: A 1782
    By: by hand from the text: 1300 counts as 1400: 20 · (0 − 0.909091) = −18.18
The first provisional rating
    Players: A status=starting starting_rating=1500; o1350 1350 100; o1400 1400 100; o1450 1450
    100; o1500 1500 100; o1550 1550 100; o1600 1600 100; o1650 1650 100
    Games: A o1350 1-0, A o1400 1-0, A o1450 1-0, A o1500 1-0, A o1500 1/2-1/2, A o1550 1/2-1/2, A
    o1600 1/2-1/2, A o1650 0-1
    New: A 1627
    By: by hand from the text: Rc = 1500, p = 5.5/8 = .6875, D = 136.969, F = .9296875: 1627.338
    (case G09)
A rating becomes established
    Players: A 1527 13 starting_rating=1500 past=1500/1500/1*7 past=1500/1500/0*6; o1600 1600 100
    Games: A o1600 1-0 *4
    New: A 1624
    By: by hand from the text: all 17 games by IV.1: Rc = 25900/17 = 1523.53, p = 11/17, D =
    105.297, F = .956747: 1624.27
Sums of the earlier games in the place of the games
    Players: A 1527 13 starting_rating=1500 earlier_score=7 earlier_opponents=19500; o1600 1600 100
    Games: A o1600 1-0 *4
    New: A 1624
    By: by hand from the text: 19500 + 4 · 1600 = 25900 and 7 + 4 = 11 of 17 games, as above
New players
    Players: iccf foreign.iccf=2150 foreign.iccf_games=45; national foreign.national=1850
    foreign.national_games=6; tutored decisions.tutor_rating=1900 decisions.reason="the tutor's
    estimate"; new; o1950 1950 100
    Games: iccf o1950 1/2-1/2, national o1950 1-0, tutored o1950 0-1, new o1950 1/2-1/2
    New: iccf 2144; national 2350; tutored 1550; new 1200
    By: by hand from the text: established 2150 with Pn = 0: k = 16.25 · 1.5 = 24.375, −6.33; 1850:
    1950 + 800 · ½; 1700: 1950 − 800 · ½; 800: 1950 counts as 1200, and D = 0
Claim on time, forfeit, adjudication, withdrawal
    Players: A 1800 100; o1800 1800 100; o1600 1600 100
    Games: A o1800 0-1 status=time, A o1800 1-0 status=forfeit, A o1600 1/2-1/2 status=adjudicated
    table_result=1-0, A o1800 1-0 status=withdrawn
    New: A 1795
    By: by hand from the text: −10 and +10 by decision; the adjudicated draw 20 · (½ − 0.759747) =
    −5.19, though the table shows a win; the withdrawal is not rated
From the old scheme to the new one
    Event: name="January and February 1997" start=1997-01-01 end=1997-02-28
    Players: a 1900 20 decisions.transfer=established decisions.reason="change to the new scheme";
    b 1500 7 decisions.transfer=established decisions.reason="change to the new scheme"
    past=1500/1600/0.5*7; b3 1500 3 decisions.transfer=established decisions.reason="change to the
    new scheme" past=1500/1600/0.5*3; c 1550 8 starting_rating=1500 decisions.transfer=provisional
    decisions.reason="change to the new scheme" past=1500/1550/0.5*8; d status=starting
    starting_rating=1600 decisions.transfer=starting decisions.reason="change to the new scheme"
    foreign.iccf=1750; e 1650 10 starting_rating=1600 decisions.class_m_winner=true
    decisions.reason="won a Class M tournament in 1996"; o1700 1700 100
    Games: a o1700 0-1 start=1996-05-01 end=1996-12-20, a o1700 1-0 start=1996-09-01
    end=1996-12-20, b o1700 1-0, b3 o1700 1-0, c o1700 1/2-1/2, d o1700 0-1, e o1700 1/2-1/2
    New: a 1906; b 1656; b3 2100; c 1567; d 1733; e 1652
    By: by hand from the text: a: k = 25, +6.01 from the second game alone; b: Rc = 12900/8, p =
    .5625, D = 43.658, F = .9921875: 1655.82; b3: 1700 + 400; c: 14100/9 = 1566.67, p = ½; d: 1750,
    k = 30, −17.14; e: k = 30, +2.14
""",
    {"end": "1999-08-31", "name": "July and August 1999", "start": "1999-07-01"},
)


iecg_1999 = IecgRuleBook(
    name="iecg-1999",
    text=Regulation(
        title="IECG Rating Rules 1.7 of 27 May 1999",
        federation="IECG",
        source="IECG Rating Rules, version 1.7, 27 May 1999, with its update history",
        valid_from=date(1999, 5, 27),
        valid_until=None,
        paragraphs=PARAGRAPHS,
        readings=READINGS,
        examples=EXAMPLES,
    ),
    settings=Settings(Parameters(), PARAMETER_DOCS),
    rated_by=RatedBy.PERIOD,
    game="chess",
    standing_fields={
        "starting_rating": float,
        "ter": float,
        "earlier_score": float,
        "earlier_opponents": int,
        IN_PROGRESS: str,
    },
    decisions=DECISIONS,
    domain=Domain((800, 2600), history_below=15, first_day=date(1996, 5, 1)),
    bulk=IECG_BULK,
)
