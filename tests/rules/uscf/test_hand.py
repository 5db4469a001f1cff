"""Cases derived by hand from the text of 2011, from the report to the new standing."""

from __future__ import annotations

import pytest

WIN, DRAW, LOSS = "1-0", "1/2-1/2", "0-1"
DAY = "2012-06-03"


def rated(player, rating, games=100, **standing):
    return {"id": player, "standing": {"rating": rating, "games": games, **standing}}


def decided(player, **decisions):
    return {**player, "decisions": {**decisions, "reason": "an example"}}


def series(player, *results):
    return [
        {"round": n, "white": player, "black": opponent, "result": result}
        for n, (result, opponent) in enumerate(results, 1)
    ]


def first_step(rating, player="A"):
    """The rule of Step 1 that gave the initial rating, and what it gave."""
    steps = next(rated.explanation for rated in rating.rows if rated.row.id == player)
    found = [step for step in steps if step.rule.startswith("initial_")]
    assert len(found) == 1
    return found[0].rule, found[0].value["rating"], found[0].value["games"]


# Step 1.


@pytest.mark.parametrize(
    ("document", "pool", "rule", "rating", "games"),
    [
        ({"foreign": {"fide": 1999}}, "regular", "initial_by_fide", 1969.375, 5),
        ({"foreign": {"fide": 2000}}, "regular", "initial_by_fide", 1970, 5),
        ({"foreign": {"fide": 2150}}, "regular", "initial_by_fide", 2144, 5),
        ({"foreign": {"fide": 2151}}, "regular", "initial_by_fide", 2145.16, 10),
        ({"foreign": {"fide": 2000, "cfc": 2300}}, "quick", "initial_by_fide", 1970, 5),
        ({"foreign": {"cfc": 1500}}, "regular", "initial_by_cfc", 1410, 0),
        ({"foreign": {"cfc": 1501, "national": 2000}}, "regular", "initial_by_cfc", 1411.1, 5),
        (decided({"foreign": {"national": 1820}}, initial_rating=1770), "regular",
         "initial_by_office", 1770, 0),
        (decided({"foreign": {"fide": 2300}}, initial_rating=1770), "regular",
         "initial_by_office", 1770, 0),
        ({"pools": {"quick": {"rating": 1444, "games": 4}}, "adult": True}, "regular",
         "initial_by_quick", 1444, 0),
        ({"pools": {"quick": {"rating": 1444, "games": 3}}, "adult": True}, "regular",
         "initial_of_adult", 1300, 0),
        ({"pools": {"quick": {"rating": 1444, "games": 3}}}, "regular",
         "initial_of_unknown", 750, 0),
        ({"pools": {"regular": {"rating": 1444, "games": 4}}}, "quick",
         "initial_by_regular", 1444, 4),
        ({"pools": {"regular": {"rating": 1444, "games": 11}}}, "quick",
         "initial_by_regular", 1444, 10),
        ({"pools": {"regular": {"rating": 1444, "games": 3}}}, "quick",
         "initial_of_unknown", 750, 0),
        ({"pools": {"quick": {"rating": 1444, "games": 30}}, "foreign": {"fide": 2000}}, "regular",
         "initial_by_fide", 1970, 5),
        # 7305 days from 3 June 1992: exactly 20 years; a quarter of a day less or more a year.
        ({"birth_date": "1992-06-03"}, "regular", "initial_by_age", 1000, 0),
        ({"birth_date": "1992-06-03", "adult": True}, "regular", "initial_by_age", 1000, 0),
        ({"birth_date": "2001-12-02"}, "regular", "initial_by_age", 50 * 3836 / 365.25, 0),
        ({"birth_date": "1950-01-01"}, "regular", "initial_by_age", 1300, 0),
        ({"birth_date": "2011-06-03"}, "regular", "initial_by_age", 1300, 0),
        ({"adult": True}, "regular", "initial_of_adult", 1300, 0),
        ({"adult": False}, "regular", "initial_of_unknown", 750, 0),
        ({"foreign": {"national": 1820}}, "regular", "initial_of_unknown", 750, 0),
    ],
)  # fmt: skip
def test_initial_ratings(document, pool, rule, rating, games, rate_uscf):
    players = [{"id": "A", **document}, rated("B", 1500)]
    found = rate_uscf(
        players, series("A", (DRAW, "B")), pool=pool, time_control="G/60", end=DAY
    )  # fmt: skip
    assert first_step(found) == (rule, pytest.approx(rating, abs=1e-9), games)


@pytest.mark.parametrize(
    ("edition", "birth_date", "end", "rating"),
    [
        ("uscf-2011", "2009-06-03", "2012-06-03", 50 * 1096 / 365.25),
        ("uscf-2014", "2012-06-01", "2014-06-01", 1300),
        ("uscf-2015", "2014-06-05", "2016-06-05", 50 * 731 / 365.25),
        ("uscf-2015", "2014-06-06", "2016-06-05", 50 * 730 / 365.25 if 730 / 365.25 >= 2 else 100),
        ("uscf-2025", "2024-06-01", "2025-06-01", 100),
        ("uscf-2025", "1980-06-01", "2025-06-01", 1300),
    ],
)
def test_age_by_edition(edition, birth_date, end, rating, rate_uscf):
    players = [{"id": "A", "birth_date": birth_date}, rated("B", 1500)]
    found = rate_uscf(players, series("A", (DRAW, "B")), edition, end=end)
    assert first_step(found)[1] == pytest.approx(rating, abs=1e-9)


@pytest.mark.parametrize(
    ("edition", "fide", "rating"),
    [
        ("uscf-2014", 2000, 1970), ("uscf-2015", 2000, 2060), ("uscf-2015", 2200, 2248),
        ("uscf-2023", 1800, 1856), ("uscf-2025", 2000, 2060.4), ("uscf-2025", 2001, 2061.02),
        ("uscf-2025", 1500, 1277.05),
    ],
)  # fmt: skip
def test_fide_by_edition(edition, fide, rating, rate_uscf):
    players = [{"id": "A", "foreign": {"fide": fide}}, rated("B", 1500)]
    found = rate_uscf(players, series("A", (DRAW, "B")), edition)
    assert first_step(found)[1] == pytest.approx(rating, abs=1e-9)


# Steps 2 to 5.


def test_one_game_of_two_established_players(rows_uscf):
    """N* = 50/√3.5 = 26.726 for 1700; A (30 games): K = 800/27.726 = 28.854.

    Step 4: E = .640065, A 1700 + 10.386 = 1710.386; B: N* = 50/√4.6 = 23.3126, K = 32.904,
    1600 − 11.843 = 1588.157. Step 5: A against 1588.157, E = .655617: 1700 + 9.937.
    """
    rows = rows_uscf([rated("A", 1700, 30), rated("B", 1600, 30)], series("A", (WIN, "B")))
    assert rows["A"].exact == pytest.approx(1709.937, abs=2e-3)
    assert (rows["A"].before, rows["A"].after, rows["A"].change) == (1700, 1710, 10)
    assert rows["A"].expected == pytest.approx(0.655617, abs=1e-6)
    assert (rows["A"].games, rows["A"].score, rows["A"].standing.games) == (1, 1, 31)


@pytest.mark.parametrize("edition", ["uscf-2011", "uscf-2023"])
@pytest.mark.parametrize(
    ("meetings", "bonus"),
    [
        ((1, 1, 1), True),
        ((2, 1), True),
        ((3,), False),
        ((2, 2), True),
        ((3, 1), False),
        ((1, 1), False),
    ],
)
def test_who_can_earn_a_bonus(edition, meetings, bonus, rate_uscf):
    """At least three games, and nobody met more than twice."""
    players = [rated("A", 1500), *[rated(f"o{n}", 1900) for n in range(len(meetings))]]
    games = series("A", *((WIN, f"o{n}") for n, times in enumerate(meetings) for _ in range(times)))
    rating = rate_uscf(players, games, edition)
    assert any(step.rule == "bonus_points" for step in rating.rows[0].explanation) == bonus


@pytest.mark.parametrize(
    ("meetings", "bonus"), [((1, 1, 1), True), ((2, 1), False), ((2, 2), True)]
)
def test_who_can_earn_a_bonus_in_2025(meetings, bonus, rate_uscf):
    """In an event of three games nobody may be met twice."""
    players = [rated("A", 1500), *[rated(f"o{n}", 1900) for n in range(len(meetings))]]
    games = series("A", *((WIN, f"o{n}") for n, times in enumerate(meetings) for _ in range(times)))
    rating = rate_uscf(players, games, "uscf-2025")
    assert any(step.rule == "bonus_points" for step in rating.rows[0].explanation) == bonus


def test_a_game_that_counts_for_one_side(rows_uscf):
    game = {"round": 1, "white": "A", "black": "B", "result": WIN, "rated": {"black": False}}
    rows = rows_uscf([rated("A", 1500), rated("B", 1500)], [game])
    assert (rows["A"].games, rows["B"].games, rows["B"].change) == (1, 0, 0)


@pytest.mark.parametrize(
    ("status", "counts"),
    [("played", True), ("time", True), ("withdrawn", True), ("adjudicated", True),
     ("forfeit", False), ("cancelled", False)],
)  # fmt: skip
def test_which_games_are_rated(status, counts, rows_uscf):
    game = {"round": 1, "white": "A", "black": "B", "result": WIN, "status": status}
    rows = rows_uscf([rated("A", 1500), rated("B", 1500)], [game])
    assert rows["A"].games == rows["B"].games == counts


def test_nobody_without_a_game_changes(rows_uscf):
    rows = rows_uscf([rated("A", 1500), {"id": "new"}], [])
    assert (rows["A"].after, rows["A"].change, rows["A"].standing.games) == (1500, 0, 100)
    assert (rows["new"].after, rows["new"].status) == (None, "unrated")


@pytest.mark.parametrize(
    ("rating", "edition", "factor"),
    [(2200, "uscf-2013", 1.0), (2300, "uscf-2013", 0.75), (2400, "uscf-2013", 0.5),
     (2500, "uscf-2013", 0.25), (2650, "uscf-2025", 0.25), (2400, "uscf-2011", 1.0)],
)  # fmt: skip
def test_k_of_strong_players_in_dual_rated_events(rating, edition, factor, rows_uscf):
    """800 (6.5 − .0025 R) / (N' + m): the change of the same draw, dual rated or not."""
    players = [rated("A", rating, 1000), rated("B", rating + 200, 10**6)]
    one = series("A", (DRAW, "B"))
    dual = rows_uscf(players, one, edition, time_control="G/45")["A"]
    pure = rows_uscf(players, one, edition, time_control="G/120")["A"]
    quick = rows_uscf(players, one, edition, time_control="G/45", pool="quick")["A"]
    assert quick.exact == pure.exact
    # Opponents' intermediate ratings differ a little, too.
    share = (dual.exact - rating) / (pure.exact - rating)
    assert share == pytest.approx(factor, abs=0.02)


# Floors, ceilings, storage.


@pytest.mark.parametrize(
    ("peak", "games", "after"),
    [(1941, 100, 1700), (1900, 100, 1700), (1899, 100, 1600), (2600, 100, 2100), (1400, 100, 1200),
     (1399, 100, None), (1941, 25, None)],
)  # fmt: skip
def test_the_floor_by_the_highest_rating(peak, games, after, rows_uscf):
    """1941 less 200 is 1741, and the level below is 1700; only established players have one."""
    rating = (after or 1250) + 1
    player = rated("A", rating, games, peak=peak, wins=1, draws=1, losses=games - 2)
    row = rows_uscf([player, rated("B", 800)], series("A", *((LOSS, "B"),) * 2))["A"]
    assert (row.after == after) if after else (row.after < rating - 1)


def test_a_floor_is_reached_before_it_is_rounded(rows_uscf):
    row = rows_uscf([rated("A", 1705, peak=1941), rated("B", 1600)], series("A", (LOSS, "B")))["A"]
    assert (row.exact, row.after) == (1700, 1700)


def test_original_life_master(rows_uscf):
    players = [rated("A", 2205, 900, peak=2350, olm=True), rated("B", 2000)]
    row = rows_uscf(players, series("A", (LOSS, "B")))["A"]
    assert row.after == 2200
    assert row.standing.extra["olm"] is True
    # A national master has no such floor: 2350 gives 2100.
    players[0] = rated("A", 2205, 900, peak=2350)
    assert rows_uscf(players, series("A", (LOSS, "B")))["A"].after < 2200


@pytest.mark.parametrize(
    ("limit", "floor"), [(1750, 1800), (1800, 1800), (2000, 2000), (2100, 2000), (1100, 1100)]
)
def test_money_floors(limit, floor, rows_uscf):
    player = decided(rated("A", floor + 5), cash_prize=3000, cash_limit=limit)
    row = rows_uscf([player, rated("B", floor - 100)], series("A", (LOSS, "B")))["A"]
    assert (row.after, row.standing.extra["floor"]) == (floor, floor)


def test_a_floor_of_the_standing_holds_for_the_next_event(rows_uscf):
    players = [rated("A", 1802, floor=1800), rated("B", 1700)]
    assert rows_uscf(players, series("A", (LOSS, "B")))["A"].after == 1800


@pytest.mark.parametrize(("before", "ceiling", "after"), [(1895, 1900, 1900), (1950, 1900, 1950)])
def test_ceilings(before, ceiling, after, rows_uscf):
    player = decided(rated("A", before), ceiling=ceiling)
    assert rows_uscf([player, rated("B", 2000)], series("A", (WIN, "B")))["A"].after == after


def test_an_adjustment_is_where_the_event_starts_from(rows_uscf):
    """Equal players at 1600: N* = 50/√4.6 = 23.3126, K = 32.904; B's Step 4 is 1583.548.

    Step 5: E = .523660: 1600 + 32.904 · .476340.
    """
    player = decided(rated("A", 1500), adjusted_rating=1600)
    row = rows_uscf([player, rated("B", 1600, 10**6)], series("A", (WIN, "B")))["A"]
    assert row.before == 1500
    assert row.exact == pytest.approx(1615.674, abs=1e-3)


def test_personal_floor(rows_uscf):
    """AF = 100 + 4 · 3 + 2 · 1 + 10 = 124 in the text; with this event of three losses 125."""
    player = rated("A", 126, 40, wins=3, draws=1, losses=36, events=10)
    players = [player, *[rated(f"o{n}", 100, 50) for n in range(3)]]
    row = rows_uscf(players, series("A", *((LOSS, f"o{n}") for n in range(3))))["A"]
    assert (row.after, row.standing.extra["events"]) == (125, 11)


def test_decimals_are_kept_and_the_nearest_number_is_published(rows_uscf):
    players = [rated("A", 1500.4, 30), rated("B", 1500)]
    row = rows_uscf(players, series("A", (DRAW, "B")), "uscf-2015", end="2016-06-05")["A"]
    assert row.exact == row.standing.rating == pytest.approx(1500.38, abs=0.02)
    assert row.after == 1500


# Matches.


def match(rows_uscf, players, results, **event):
    games = series(players[0]["id"], *((result, players[1]["id"]) for result in results))
    return rows_uscf(players, games, **{"kind": "match", "end": DAY, **event})


def past(change, day, floor=""):
    side = {"own": 1800, "opponent": 1800, "score": 1, "event": f"match {change}{floor}"}
    return {**side, "start": day} if day else side


def test_a_match_has_one_round_and_no_bonus(rows_uscf):
    """Two wins against an equal: K = 800 / (26.726 + 2) = 27.849 against 1700, 27.849 · 1."""
    rows = match(rows_uscf, [rated("A", 1700), rated("B", 1700)], [WIN, WIN])
    assert rows["A"].exact == pytest.approx(1727.849, abs=1e-3)
    assert rows["B"].exact == pytest.approx(1672.151, abs=1e-3)
    assert (rows["A"].after, rows["B"].after) == (1728, 1672)
    (side,) = rows["A"].history
    assert (side.own, side.opponent, side.score, side.event) == (1700, 1700, 1, "match +28")
    assert str(side.start) == DAY
    assert rows["B"].history[0].event == "match -28"


def test_a_drawn_match_is_half_a_point_each(rows_uscf):
    """As often won as lost: the side that stands for it says neither a win nor a loss."""
    rows = match(rows_uscf, [rated("A", 1700), rated("B", 1700)], [WIN, LOSS])
    for row in rows.values():
        (side,) = row.history
        assert (side.score, side.event, row.after) == (0.5, "match +0", 1700)


def test_a_match_can_be_rated_twice(rows_uscf):
    """Reading U29: against 1672.151, E = 2 · .539983: 1700 + 27.849 · .920035."""
    players = [rated("A", 1700), rated("B", 1700)]
    row = match(rows_uscf, players, [WIN, WIN], settings={"match_twice": "true"})["A"]
    assert row.exact == pytest.approx(1725.622, abs=2e-3)


@pytest.mark.parametrize(
    ("history", "after"),
    [
        ([], 1750),
        ([past("+70", "2012-05-01")], 1730),
        ([past("+70", "2011-12-06")], 1730),
        ([past("+70", "2011-12-05")], 1750),
        ([past("+100", "2012-05-01")], 1700),
        ([past("+100", "2012-05-01"), past("-40", "2012-05-10")], 1740),
        ([past("+170", "2010-01-01")], 1730),
        ([past("+170", "2009-06-03")], 1730),
        ([past("+170", "2009-06-02")], 1750),
        ([past("+120", "2012-05-01")], 1700),
        ([past("-100", "2012-05-01")], 1750),
        ([past("+70", None)], 1730),
        ([past("−10", "2012-05-01"), past("+85.5", "2012-05-01")], 1725),
    ],
)
def test_limits_of_matches(history, after, rows_uscf):
    """50 a match, net 100 in 180 days, net 200 in three years; six wins earn 50."""
    players = [{**rated("A", 1700), "history": history}, rated("B", 1700)]
    assert match(rows_uscf, players, [WIN] * 6)["A"].after == after


def test_a_match_lowers_the_floor_until_a_new_peak(rows_uscf):
    """1941 gives 1700; below it the request to lower it counts as granted."""
    players = [rated("A", 1705, peak=1941), rated("B", 1705)]
    first = match(rows_uscf, players, [LOSS, LOSS])["A"]
    assert (first.after, first.history[0].event) == (1677, "match -28, floor -100")
    again = {
        "id": "A",
        "standing": {"rating": first.after, "games": 102, "peak": 1941},
        "history": [
            {"own": side.own, "opponent": side.opponent, "score": side.score,
             "start": str(side.start), "event": side.event}
            for side in first.history
        ],
    }  # fmt: skip
    weaker = [rated(f"o{n}", 1300) for n in range(6)]
    lost = series("A", *((LOSS, f"o{n}") for n in range(6)))
    later = rows_uscf([again, *weaker], lost, end="2012-12-01")["A"]
    assert later.after == 1600
    assert later.history == first.history
    # Four years later it is still lowered, and a match of then no longer counts in the limits.
    much_later = rows_uscf([again, *weaker], lost, end="2016-12-01")["A"]
    assert (much_later.after, len(much_later.history)) == (1600, 1)
    # A new peak of 2000 gives the floor of 1800, and the mark is gone.
    again["standing"] = {"rating": 1995, "games": 200, "peak": 1996}
    risen = rows_uscf([again, rated("B", 2100)], series("A", (WIN, "B")), end="2012-12-01")["A"]
    assert risen.standing.extra["peak"] >= 2000
    assert [side.event for side in risen.history] == ["match -28"]


@pytest.mark.parametrize("how", ["decision", "parameter"])
def test_the_office_may_refuse_to_lower_the_floor(how, rows_uscf):
    player = rated("A", 1705, peak=1941)
    settings = {}
    if how == "decision":
        player = decided(player, floor_reduction=False)
    else:
        settings = {"floors_in_matches": "true"}
    rows = match(rows_uscf, [player, rated("B", 1705)], [LOSS, LOSS], settings=settings)
    assert rows["A"].after == 1700
    assert rows["A"].history[0].event == "match -5"


def test_old_matches_are_dropped(rows_uscf):
    history = [past("+20", "2009-01-01"), past("+10", "2012-01-01")]
    players = [{**rated("A", 1700), "history": history}, rated("B", 1700)]
    row = rows_uscf(players, series("A", (DRAW, "B")), end=DAY)["A"]
    assert [side.event for side in row.history] == ["match +10"]


# FIDE events.


def test_a_fide_event_is_rated_once_with_a_bonus(rows_uscf):
    """2300 and 2400 count −350 + 1.16 F = 2318 and 2434; K = 800 / 52 = 15.385.

    E = .474109 + .316189: 2300 + 15.385 · 1.209702 = 2318.611; two games, no bonus.
    """
    players = [
        {**rated("A", 2300), "federation": "USA"},
        {"id": "X", "federation": "GER", "foreign": {"fide": 2300}},
        {**rated("Y", 2500), "federation": "NED", "foreign": {"fide": 2400}},
    ]
    games = series("A", (WIN, "X"), (WIN, "Y"))
    rows = rows_uscf(players, games, kind="fide")
    assert rows["A"].exact == pytest.approx(2318.611, abs=2e-3)
    assert rows["X"].after is None
    assert (rows["Y"].after, rows["Y"].games) == (2500, 0)
    # 210 + .93 F = 2349 and 2442 in a youth event: E = .43 + .3063.
    youth = rows_uscf(players, games, kind="fide", category="youth")["A"]
    assert youth.exact == pytest.approx(2300 + 15.385 * (2 - 0.429985 - 0.306290), abs=2e-2)


def test_a_fide_event_takes_the_rating_of_the_game_and_new_players(rows_uscf):
    """New with FIDE 2120: 2109.2, N = 5; standard formula, K = 800 / 6."""
    players = [
        {"id": "A", "federation": "USA", "foreign": {"fide": 2120}},
        {"id": "X", "federation": "GER"},
    ]
    game = {"round": 1, "white": "A", "black": "X", "result": DRAW, "black_rating": 2120}
    row = rows_uscf(players, [game], kind="fide")["A"]
    assert row.exact == pytest.approx(2109.2)
    assert (row.before, row.standing.games) == (None, 6)


def test_without_federations_rated_players_are_updated(rows_uscf):
    players = [rated("A", 2300), {"id": "X", "foreign": {"fide": 2300}}]
    rows = rows_uscf(players, series("A", (WIN, "X")), kind="fide")
    assert rows["A"].games == 1
    assert rows["X"].after is None


# Sections.


def test_sections_are_rated_one_after_the_other(rows_uscf, rate_uscf):
    """A player of two sections comes to the second with the standing after the first."""
    players = [
        rated("A", 1700, 30, wins=10, draws=10, losses=10),
        rated("B", 1600),
        rated("C", 1800),
    ]
    first = {"section": "1", "round": 1, "white": "A", "black": "B", "result": WIN}
    second = {"section": "2", "round": 1, "white": "A", "black": "C", "result": WIN}
    found = rate_uscf(players, [second, first])
    rows = [r.row for r in found.rows if r.row.id == "A"]
    assert [(row.section, row.before) for row in rows] == [("1", 1700), ("2", rows[0].after)]
    assert rows[1].standing.games == 32
    assert rows[1].standing.wins == 12
    alone = rows_uscf([{"id": "A", "standing": {"rating": rows[0].after, "games": 31, "wins": 11,
                        "draws": 10, "losses": 10}}, players[2]], [second])  # fmt: skip
    assert alone["A"].exact == rows[1].exact
    assert "uscf.several-sections" in {finding.code for finding in found.findings}


def test_sections_come_in_the_order_of_their_numbers(rate_uscf):
    players = [rated("A", 1700), *[rated(f"o{n}", 1700) for n in range(3)]]
    games = [
        {"section": name, "white": "A", "black": f"o{n}", "result": DRAW}
        for n, name in enumerate(("Section 10", "Section 9", "Open"))
    ]
    sections = [rated.row.section for rated in rate_uscf(players, games).rows]
    assert list(dict.fromkeys(sections)) == ["Open", "Section 9", "Section 10"]


def test_an_adjustment_counts_once_in_several_sections(rate_uscf):
    players = [decided(rated("A", 1500), adjusted_rating=1600), rated("B", 1600), rated("C", 1600)]
    games = [
        {"section": name, "white": "A", "black": name, "result": WIN} for name in ("B", "C")
    ]  # fmt: skip
    rows = [r.row for r in rate_uscf(players, games).rows if r.row.id == "A"]
    assert rows[1].before == rows[0].after > 1600
    assert rows[1].after > rows[1].before


def test_a_new_player_of_two_sections_is_rated_in_the_second(rate_uscf):
    players = [{"id": "A", "adult": True}, rated("B", 1300), rated("C", 1300)]
    games = [
        {"section": name, "white": "A", "black": name, "result": DRAW} for name in ("B", "C")
    ]  # fmt: skip
    rows = [r.row for r in rate_uscf(players, games).rows if r.row.id == "A"]
    assert (rows[0].before, rows[1].before) == (None, rows[0].after)
    assert rows[1].standing.games == 2
    assert rows[1].standing.draws == 2


# Which system.


@pytest.mark.parametrize(
    ("edition", "control", "pool", "code"),
    [
        ("uscf-2011", "G/60", "regular", "uscf.dual-rated"),
        ("uscf-2011", "G/61", "regular", None),
        ("uscf-2011", "G/29", "quick", None),
        ("uscf-2011", "G/30;d5", "regular", "uscf.dual-rated"),
        ("uscf-2011", "40/90,SD/30;d5", "regular", None),
        ("uscf-2025", "G/25;d5", "regular", "uscf.dual-rated"),
        ("uscf-2025", "G/60;+10", "regular", None),
        ("uscf-2025", "G/60;d5", "regular", "uscf.dual-rated"),
        ("uscf-2025", "G/24;d5", "quick", None),
        ("uscf-2025", "G/10;d0", "blitz", None),
        ("uscf-2025", "3+2", "blitz", None),
    ],
)
def test_the_time_control_says_the_system(edition, control, pool, code, rate_uscf):
    found = rate_uscf(
        [rated("A", 1500), rated("B", 1500), rated("C", 1500)],
        series("A", (DRAW, "B"), (DRAW, "C")),
        edition,
        time_control=control,
    )
    value = next(s.value for s in found.rows[0].explanation if s.rule == "pool_rated")
    assert value == pool
    codes = {f.code for f in found.findings} & {"uscf.dual-rated", "uscf.pool-contradicts"}
    assert codes == ({code} if code else set())


def test_the_standing_of_another_pool_serves_where_there_is_no_other(rows_uscf):
    player = {"id": "A", "pools": {"quick": {"rating": 1600, "games": 40}}}
    row = rows_uscf(
        [player, rated("B", 1600)], series("A", (DRAW, "B")), pool="quick", time_control="G/20"
    )["A"]
    assert (row.before, row.standing.games) == (1600, 41)


# Whole events are not monotone.


def test_a_better_score_can_cost_points_through_the_second_pass(rows_uscf):
    """A, 1200, and an unrated adult play twice; the adult has no rating but A's games.

    Two draws: the adult comes to A's 1200, and A expects 1 of 2: nothing changes. A win and
    a draw: 1.5 of 2 says 200 points less, 1000; against 1000 A expects 2 · .759747 = 1.519 of
    the 1.5 that were scored.
    """

    def rating(result):
        players = [rated("A", 1200, 40), {"id": "B", "adult": True}]
        return rows_uscf(players, series("A", (DRAW, "B"), (result, "B")))["A"]

    drawn, won = rating(DRAW), rating(WIN)
    assert (drawn.score, won.score) == (1, 1.5)
    assert drawn.exact == pytest.approx(1200, abs=1e-9)
    assert won.expected == pytest.approx(2 * 0.759747, abs=1e-5)
    assert (drawn.after, won.after) == (1200, 1199)


@pytest.mark.parametrize(("results", "sign"), [("1-0", "+"), ("0-1", "−")])
def test_changes_are_told_with_their_signs(results, sign, rate_uscf):
    """K (S − E) is 32.54 × (4 − 2) or that below 0."""
    players = [{"id": name, "standing": {"rating": 1500, "games": 40}} for name in "abcde"]
    games = [
        {"round": number, "white": "a", "black": other, "result": results}
        for number, other in enumerate("bcde", 1)
    ]
    rating = rate_uscf(players, games)
    told = [step for step in rating.rows[0].explanation if step.rule == "change_of_event"]
    assert told
    assert all(f"= {sign}{abs(step.value):.6f}" in step.text for step in told)
