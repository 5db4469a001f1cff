"""Open places of the US Chess text, and the readings taken."""

from __future__ import annotations

from ratingbook.rules.text import readings_in

READINGS = readings_in("""
U1  The text says that the iteration may begin at M or at R0', with the same result. Which?
    Taken: the point nearest to R0 of all where f is 0, computed exactly
    Why: the results differ where a whole interval fits: an unrated adult (R0 1300) who beats four
    players of 400 gets 800 from M and 1300 from R0'. The office begins at R0', which comes to the
    nearest point; the specification of 2026 begins there too
    Parameter: start
U2  Are R0' ± 400 knots of f if N' = 0?
    Taken: no; with start=printed they are, as the text lists them
    Why: f does not bend there; step 4(b) of the iteration may stop at such a knot
    Parameter: start
U3  Which formula rates an unrated player with N = 9 or 10 from Step 1?
    Taken: the standard formula
    Why: Step 4 names ratings from Step 1 with N > 8, and these are the only ones; where 2.2 means
    experience it says that a player has competed previously. With assigned_games=special who has
    no earlier games has won all of them, and lost all
    Parameter: assigned_games
U4  Does a decision of the office on an initial rating come before a FIDE or CFC rating?
    Taken: yes; a finding says so
    Why: it is made case by case, with a reason
U5  How is a first rating rounded?
    Taken: to the nearest whole number, a half up
    Why: it neither fell nor rose
U6  When is a computed rating a whole number, or a half?
    Taken: within 10⁻⁹ of it
    Why: floating-point numbers of the same formula differ in the last digits
U7  What is N after the first event of a player with N = 5 or 10 from Step 1?
    Taken: the assigned N + m
    Why: the converted rating is treated as based on having played these games
U8  Floors first, or rounding? Does the personal floor count this event?
    Taken: floors first; it counts this event's wins, draws, and the event itself
    Why: an unrated player with 0 of 3 was published as 101 = 100 + 1 event
U9  Does a prize of exactly $2,000 give a floor? From when on?
    Taken: no, only more; from this event on
    Why: the rule says "over $2,000", its example "$2,000"
U10  A player in several sections of an event, or who enters one again?
    Taken: sections are rated one after the other in the order of their numbers, else of their
    names, each from the standing after the one before; one that counts in another system is left
    out; a re-entered player is one player with all his games of the section, and "more than twice"
    counts games
    Why: the section is the unit that is rated
U11  Which rating is the highest established one? What if the report does not give it?
    Taken: the highest published rating after an event from the 26th game on, that event included;
    not given: the rating before the event
    Why: the text does not say; the rating itself has been attained
    Parameter: established_games
U12  How many games has a player whose report gives a rating and no games?
    Taken: 50, established
    Why: N* is never more; a finding names the players for whom it matters. A provisional player
    without games refuses the report
    Parameter: games_unknown
U13  Were all earlier games won (lost), if the report does not give the results?
    Taken: no
    Why: few are; a finding names the provisional players. Draws are neither
U14  A floor that a match would pass?
    Taken: the request counts as granted: the floor in force is lowered by 100 until a new peak
    gives a higher one; the personal floor holds
    Why: section 4; the office may refuse (decision floor_reduction: false)
    Parameter: floors_in_matches
U16  Matches: the 180 days and three years, and their order?
    Taken: the 180 days, or three calendar years, up to the last day of the match, both ends
    included; first 50 points, then the two net limits, which never turn a change round
    Why: the text gives the lengths only
U29  Is a match rated in two passes?
    Taken: in one, at the ratings before the match, from which its limits are measured
    Why: section 4 restricts how matches are rated and does not say; nobody in a match has an
    initial or intermediate rating to be estimated
    Parameter: match_twice
U17  A ceiling, a floor, and a rating above the ceiling?
    Taken: floors, then the ceiling; a player who is above it does not rise
    Why: a ceiling is a level above which a rating may not rise
U18  Do floors, N and the personal floor take in FIDE events and matches?
    Taken: yes, but for U14
    Why: their games are rated games
U19  A quick rating on fewer than four games, without a birth date?
    Taken: 750, or 1300 for an adult
    Why: it does not count, so nothing is known
U20  Whom does a FIDE event update if the report gives no federations?
    Taken: players with a rating here; games against opponents without a FIDE rating are left out
    Why: the FIDE list gives the flag
U21  In which order are expected scores summed up?
    Taken: in none: each We is rounded once to 2⁻⁴⁰; the special formula sorts the opponents
    Why: a rating must not depend on the order of the games
U22  Which minutes does a time control have?
    Taken: 2011: all its minutes, without delay or increment; from uscf-2015 on mm + ss, with the
    bounds known from 2020
    Why: the text of 2011 speaks of G/5 to G/60; the bounds between are not known
    Parameter: increment_counts
U30  Which games of a history count?
    Taken: in each system those of events that name it or, without a pool, have a time control of
    it; without either they are regular. Where a system is set, those of it and those without
    Why: the systems are rated together, each with ratings of its own
    Parameter: pool
U31  Which ratings elsewhere count in a history, and whom does a FIDE event update?
    Taken: those of the players file (fide, cfc) at all times, of the other system the one that it
    has come to; its federation gives the flag
    Why: games in columns do not say what was in force on a day
U32  What of the numbers that the players file of a history does not give?
    Taken: N is that of U12, for a provisional player at most the greatest provisional one, and
    grows; earlier wins, draws, losses and events stay unknown, as they do from report to report
    Why: nobody can be asked, and a history is not refused for one player
U33  A match of a history that section 4 does not rate?
    Taken: it changes nothing: a game counts in a match if both players are established and not
    more than 400 points apart when they enter
    Why: a report of it is refused
""")

LATER = readings_in("""
U23  What held between the texts that are known?
    Taken: conversions, age, bonus conditions and storage of the last text before; the effective
    games of May 2013 and the lower K of strong players from uscf-2013 on; B = 8 from 2013, 10 from
    February 2014, 12 from June 2015, 14 from May 2017, 12 from February 2023, 10 from 2025, by the
    end of the event
    Why: the complete texts of 2012 to 2014 are not available; the days on which B became 8, 10 and
    12 are approximate
    Parameter: bonus
U24  How is K lowered above 2200 in dual-rated events?
    Taken: only for the regular rating, by R0, 1 at 2200 and a quarter from 2500 on; without a time
    control the event counts as not dual rated
    Why: an implementation and the report of the Ratings Committee of 2013
    Parameter: strong_k
""")

DECIMALS = readings_in("""
U15  Since when are decimals kept, and how are they published?
    Taken: from uscf-2015 on; the nearest whole number of the stored value, a half up. Peaks are
    published numbers
    Why: the text of June 2015 shows decimals; published numbers come from unrounded ones (534.497
    is printed 534.50 and published 534)
    Parameter: storage
U25  Initial ratings from other systems since 2020?
    Taken: only between regular and quick, as in 2011; in other systems the age decides
    Why: the chain between six systems was not obtained
    Parameter: systems
U26  A child without a birth date?
    Taken: 750
    Why: it counts as 15 years old: 50 · 15, which is the number of an unknown player
""")

OF_2023 = readings_in("""
U27  The conversion of FIDE ratings changed in March 2024. From which event on?
    Taken: from those that end on 1 March 2024 or later
    Why: the month is known, and not the day; all other changes go by the end of the event
    Parameter: fide_low
""")

OF_2025 = readings_in("""
U28  May an event of three games earn a bonus with an opponent met twice?
    Taken: no
    Why: the specification of 2026: more than three games and nobody more than twice, or three and
    nobody more than once
    Parameter: bonus_of_three
""")
