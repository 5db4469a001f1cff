"""The paragraphs of the US Chess text, by the sections of the document.

The formulas are restored where extraction lost signs (≤, ≥, −, *): by continuity at the
joints, and by the examples of the text.  Later editions replace single paragraphs.
"""

from __future__ import annotations

from ratingbook.rules.text import paragraphs_in

PARAGRAPHS = paragraphs_in("""
0.1  Two systems
    Quick chess (QC) from G/5 to G/60, regular from G/30 on; from G/30 to G/60 an event is rated in
    both (dual rated). In a report: the event's `pool`, `regular` or `quick`, says which ratings
    are computed, and the players' `standing` is that of this pool; without it the `time_control`
    decides, regular for a dual-rated event.
0.2  Provisional and established
    A rating on 25 or fewer games is provisional, otherwise it is established.
1.1.1  Step 1: FIDE rating
    Unrated players get an initial rating by the first case that fits. FIDE < 2000: 720 + 0.625
    FIDE; from 2000 on: −350 + 1.16 FIDE. N = 10 above 2150, otherwise 5. In a report: `foreign`:
    `fide`.
1.1.2  Step 1: CFC rating
    Above 1500: 1.1 CFC − 240, N = 5; up to 1500: CFC − 90, N = 0. In a report: `foreign`: `cfc`.
1.1.3  Step 1: other national rating
    The office may use a rating of its determination, case by case; N = 0. In a report:
    `decisions`: `initial_rating`, `reason`.
1.1.4  Step 1: quick rating in a regular event
    A quick rating on at least four games; N = 0. In a report: `pools`: `quick`.
1.1.5  Step 1: regular rating in a quick event
    A regular rating on at least four games; N is its number of games, at most 10. In a report:
    `pools`: `regular`.
1.1.6  Step 1: age
    Age = (tournament end date − birth date) / 365.25; 50 · Age for 3 ≤ Age ≤ 26, otherwise 1300; N
    = 0. Below 3 years the birth date is taken for a slip.
1.1.7  Step 1: adult without a birth date
    1300, N = 0, as for an age of 26. In a report: `adult`: true.
1.1.8  Step 1: nothing known
    750, N = 0.
1.2  Step 2: effective number of games
    N' = min(N, N*), which reflects the uncertainty of the rating.
1.3  Step 3: first estimate
    For unrated players with N = 0: the special formula with N' = 1, against the opponents' ratings
    before the event, or of Step 1; at least 100. It is used only as an opponent's rating in
    Step 4.
1.4  Step 4: intermediate ratings
    The special formula if N ≤ 8 or all earlier games were won, or all lost; otherwise the standard
    formula, also if N' ≤ 8. Opponents: the rating before the event; unrated ones with N = 0
    that of Step 3, with N > 0 that of Step 1. At least 100.
1.5  Step 5: final ratings
    Step 4 again, from the same ratings before the event, against the opponents' intermediate
    ratings. At least 100.
2.1  Effective number of games
    N* = 50 / √(1 + (2200 − R0)² / 100000) for R0 ≤ 2200, 50 above. Example: 1700 with N = 30 gives
    50 / √3.5 = 26.7.
2.2  Special rating formula
    PWe(R, Ri) = 0 for R ≤ Ri − 400, 1 for R ≥ Ri + 400, between them 0.5 + (R − Ri) / 800. After
    nothing but wins R0' = R0 − 400 and S' = S + N'; after nothing but losses R0' = R0 + 400 and S'
    = S; otherwise R0' = R0 and S' = S + N' / 2. The rating is where f(R) = N' PWe(R, R0') + Σ
    PWe(R, Ri) − S' is 0; where several are, it is the one nearest to R0. At most 2700.
2.2.1  Iteration: first estimate
    M = (N' R0' + Σ Ri + 400 (2S − m)) / (N' + m); knots are R0' ± 400 and Ri ± 400. (The office's
    program begins at R0'.) Used with start=printed.
2.2.2  Iteration: f(M) > ε
    With z_a the largest knot below M: M = z_a if |f(M) − f(z_a)| < ε, otherwise M − f(M) (M − z_a)
    / (f(M) − f(z_a)), not below z_a; again. ε = 10⁻⁷.
2.2.3  Iteration: f(M) < −ε
    With z_b the smallest knot above M: M = z_b if |f(z_b) − f(M)| < ε, otherwise M − f(M) (z_b −
    M) / (f(z_b) − f(M)), not above z_b; again.
2.2.4  Iteration: ties
    If neither R0' nor an opponent is within 400 points of M, M is R0 where R0 lies between the
    knots around M, otherwise the nearer of them.
2.3  Standard rating formula
    We(R, Ri) = 1 / (1 + 10^(−(R − Ri) / 400)), E = Σ We(R0, Ri), K = 800 / (N' + m). Rs = R0 + K
    (S − E), and with three games or more and nobody met more than twice + max(0, K (S − E) − B
    √m'), m' = max(m, 4), B = 6.
2.4  Rating floors
    100 is the absolute floor of all ratings; no rating falls below the player's floor.
2.4.1  Personal absolute floor
    AF = min(100 + 4 NW + 2 ND + NR, 150): games won, games drawn, events with three rated games.
    In a standing: `wins`, `draws`, `events`.
2.4.2  Floor by the highest rating
    For established players: the highest established rating less 200, and down to 1200, 1300, …
    2100; below 1200 the personal floor is the only one. In a standing: `peak`.
2.4.3  Original Life Master
    2200 for players who kept an established rating above 2200 for 300 rated games, not
    necessarily consecutive; other titles give no floor. In a standing: `olm`.
2.4.4  Cash prizes
    Who wins over $2,000 in a section or prize for players under 2000 or less gets as floor the
    first 100-point level, at most 2000, with which he is no longer eligible. In a report:
    `decisions`: `cash_prize` (dollars), `cash_limit` (1800 for under 1800); in a standing:
    `floor`.
3.1  FIDE events: whom they update
    Players with a USA flag who played a FIDE-rated game in the events of a FIDE list, also without
    a rating here. In a report: the event's `kind` is `fide`, the players' `federation` USA.
3.2  FIDE events: opponents
    Opponents count with their FIDE ratings (`foreign`: `fide`, or the rating of the game),
    converted as in Step 1.
3.3  FIDE events: youth
    In an event known as a youth event: 210 + 0.93 FIDE for all opponents. In a report: the event's
    `category` is `youth`.
3.4  FIDE events: formula
    The standard formula with bonus, applied only once.
4.1  Rated games
    All games, also those lost on time, and those of players who fail to resume, withdraw or are
    expelled.
    Games in which a player makes no move are not rated.
4.2  Separate systems
    The systems are rated apart; Step 1 is the only connection between them.
4.3  Number of games
    After an event N grows by m.
4.4.1  Matches: who
    Both players have established published ratings, at most 400 points apart. In a report: the
    event's `kind` is `match`, each match a section.
4.4.2  Matches: limits
    At most 50 points for a match, net 100 in 180 days, net 200 in three years. In a report:
    `history` holds a side for each earlier match: `own` and `opponent` (the ratings before),
    `score` (1 won, 0.5 drawn, 0 lost), `start` (its last day), `event`: `match +20` (the change).
4.4.3  Matches: no bonus
    The bonus formula does not apply to matches.
4.4.4  Matches: floors
    A result below the floor is a request to lower it by 100; if the office grants it, the rating
    falls below the old floor. In a report: `decisions`: `floor_reduction`: false refuses it; a
    lowered floor stays in the history (`match -30, floor -100`).
4.5  Storage
    Ratings are stored as integers; within an event they are floating-point numbers. A rating that
    fell is rounded down, one that rose is rounded up.
4.6  Executive Director
    May review any rating and adjust it, impose a ceiling, or create money floors. In a report:
    `decisions`: `adjusted_rating`, `ceiling`, `money_floor`, with `reason`.
H  Origin
    Mark E. Glickman and Thomas Doan, 3 November 2011; K used to be 32, 24 or 16, by the rating
    alone; the special formula extends the old provisional one.
    Historical: where the rules came from; it defines no number
""")


STRONG_K = (
    " In the regular rating of a dual-rated event K of players above 2200 is 800 (6.5 − 0.0025 R0) "
    "/ (N' + m), from 2500 on 200 / (N' + m)."
)

CURVE_2013 = (
    "N* = 50 / √(0.662 + 0.00000739 (2569 − R0)²) for R0 ≤ 2355, 50 above. Example: 1700 gives "
    "20.0."
)

STANDARD = (
    "We(R, Ri) = 1 / (1 + 10^(−(R − Ri) / 400)), E = Σ We(R0, Ri), K = 800 / (N' + m). Rs = R0 + K "
    "(S − E), and with three games or more and nobody met more than twice{bonus} + max(0, K (S − "
    "E) − B √m'), m' = max(m, 4), B = {b}." + STRONG_K
)

DECIMALS_STORED = (
    "Ratings are stored with their decimals; the nearest whole number is published (reading U15)."
)

AGE_2015 = (
    "Age = (tournament end date − birth date) / 365.25; 50 · Age for 2 ≤ Age ≤ 26, 100 below, 1300 "
    "above; N = 0."
)

_FIDE = (
    "Unrated players get an initial rating by the first case that fits. {} N = 10 above 2150, "
    "otherwise 5. In a report: `foreign`: `fide`."
)
_LINES_2015 = "FIDE ≤ 2000: 20 + 1.02 FIDE; above: 180 + 0.94 FIDE."
_LINES_2024 = "FIDE ≤ 2000: −1073 + 1.5667 FIDE; above: 20 + 1.02 FIDE."
FIDE_2015 = _FIDE.format(_LINES_2015)
FIDE_2023 = _FIDE.format(f"{_LINES_2015} For events that end in March 2024 or later: {_LINES_2024}")
FIDE_2024 = _FIDE.format(_LINES_2024)

SYSTEMS_2015 = (
    "Quick chess (QC) from 11 minutes to 65, regular from 30 on, from 30 to 65 both (dual rated); "
    "blitz from 5 to 10. Seconds of delay or increment count as minutes (mm + ss). There are "
    "systems for online games too. In a report: the event's `pool` says which ratings are "
    "computed, and the players' `standing` is that of this pool; without it the `time_control` "
    "decides, regular for a dual-rated event."
)
