"""Worked examples of ``iecg-1999``; the numbers are derived by hand from the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ratingbook.rules.text import Example

_RESULTS = {"win": "1-0", "draw": "1/2-1/2", "loss": "0-1"}

_JULY_AND_AUGUST = {"start": "1999-07-01", "end": "1999-08-31"}
_HAND = "by hand from the text: "


def _opponents(*ratings: int) -> list[dict[str, object]]:
    """Established opponents, named by their rating."""
    return [
        {"id": f"o{rating}", "standing": {"rating": rating, "games": 100}} for rating in ratings
    ]


def _games(player: str, *results: tuple[str, int]) -> list[dict[str, object]]:
    """A player's games, always with White: result and rating of the opponent."""
    return [
        {"white": player, "black": f"o{rating}", "result": _RESULTS[result]}
        for result, rating in results
    ]


def _document(
    players: Sequence[Mapping[str, object]],
    games: Sequence[Mapping[str, object]],
    name: str,
    **event: str,
) -> dict[str, object]:
    return {
        "ratingbook": "report/1",
        "event": {"name": name, **(event or _JULY_AND_AUGUST)},
        "players": [*players],
        "games": [*games],
    }


def _established() -> Example:
    player = {"id": "A", "standing": {"rating": 1800, "games": 100}}
    games = _games("A", ("win", 1800), ("draw", 2000), ("loss", 1600))
    return Example(
        title="An established rating",
        document=_document([player, *_opponents(1800, 2000, 1600)], games, "July and August 1999"),
        expected={"A": 1800},
        source=_HAND + "k = 20 · 1; +10 + 5.195 − 15.195 = 0 (case G05)",
    )


def _cut_off() -> Example:
    player = {"id": "A", "standing": {"rating": 1800, "games": 100}}
    return Example(
        title="An opponent more than 400 points away",
        document=_document(
            [player, *_opponents(1300)], _games("A", ("loss", 1300)), "July and August 1999"
        ),
        expected={"A": 1782},
        source=_HAND + "1300 counts as 1400: 20 · (0 − 0.909091) = −18.18",
    )


def _provisional() -> Example:
    player = {"id": "A", "standing": {"status": "starting", "starting_rating": 1500}}
    opponents = (1350, 1400, 1450, 1500, 1500, 1550, 1600, 1650)
    results = ("win", "win", "win", "win", "draw", "draw", "draw", "loss")
    games = _games("A", *zip(results, opponents, strict=True))
    return Example(
        title="The first provisional rating",
        document=_document(
            [player, *_opponents(*dict.fromkeys(opponents))], games, "July and August 1999"
        ),
        expected={"A": 1627},
        source=_HAND + "Rc = 1500, p = 5.5/8 = .6875, D = 136.969, F = .9296875: 1627.338 (case "
        "G09)",
    )


def _promotion() -> Example:
    history: list[object] = [
        {"own": 1500, "opponent": 1500, "score": score} for score in (1,) * 7 + (0,) * 6
    ]
    player = {
        "id": "A",
        "standing": {"rating": 1527, "games": 13, "starting_rating": 1500},
        "history": history,
    }
    return Example(
        title="A rating becomes established",
        document=_document(
            [player, *_opponents(1600)], _games("A", *[("win", 1600)] * 4), "July and August 1999"
        ),
        expected={"A": 1624},
        source=_HAND + "all 17 games by IV.1: Rc = 25900/17 = 1523.53, p = 11/17, D = 105.297, "
        "F = .956747: 1624.27",
    )


def _newcomers() -> Example:
    newcomers: list[dict[str, object]] = [
        {"id": "iccf", "foreign": {"iccf": 2150, "iccf_games": 45}},
        {"id": "national", "foreign": {"national": 1850, "national_games": 6}},
        {"id": "tutored", "decisions": {"tutor_rating": 1900, "reason": "the tutor's estimate"}},
        {"id": "new"},
    ]
    games = [
        *_games("iccf", ("draw", 1950)),
        *_games("national", ("win", 1950)),
        *_games("tutored", ("loss", 1950)),
        *_games("new", ("draw", 1950)),
    ]
    return Example(
        title="New players",
        document=_document([*newcomers, *_opponents(1950)], games, "July and August 1999"),
        expected={"iccf": 2144, "national": 2350, "tutored": 1550, "new": 1200},
        source=_HAND + "established 2150 with Pn = 0: k = 16.25 · 1.5 = 24.375, −6.33; 1850: "
        "1950 + 800 · ½; 1700: 1950 − 800 · ½; 800: 1950 counts as 1200, and D = 0",
    )


def _decisions() -> Example:
    player = {"id": "A", "standing": {"rating": 1800, "games": 100}}
    claimed, forfeited, adjudicated, withdrawn = _games(
        "A", ("loss", 1800), ("win", 1800), ("draw", 1600), ("win", 1800)
    )
    games = [
        {**claimed, "status": "time"},
        {**forfeited, "status": "forfeit"},
        {**adjudicated, "status": "adjudicated", "table_result": "1-0"},
        {**withdrawn, "status": "withdrawn"},
    ]
    return Example(
        title="Claim on time, forfeit, adjudication, withdrawal",
        document=_document([player, *_opponents(1800, 1600)], games, "July and August 1999"),
        expected={"A": 1795},
        source=_HAND + "−10 and +10 by decision; the adjudicated draw 20 · (½ − 0.759747) = "
        "−5.19, though the table shows a win; the withdrawal is not rated",
    )


def _transferred(
    player: str, kind: str | None, standing: Mapping[str, object], **more: object
) -> dict[str, object]:
    reason = "change to the new scheme"
    decisions = {"transfer": kind, "reason": reason} if kind else {"reason": reason}
    return {"id": player, "standing": standing, "decisions": decisions, **more}


def _transfer() -> Example:
    def drawn(opponent: int, count: int) -> list[dict[str, object]]:
        return [{"own": 1500, "opponent": opponent, "score": 0.5}] * count

    players: list[dict[str, object]] = [
        _transferred("a", "established", {"rating": 1900, "games": 20}),
        _transferred("b", "established", {"rating": 1500, "games": 7}, history=drawn(1600, 7)),
        _transferred("b3", "established", {"rating": 1500, "games": 3}, history=drawn(1600, 3)),
        _transferred(
            "c",
            "provisional",
            {"rating": 1550, "games": 8, "starting_rating": 1500},
            history=drawn(1550, 8),
        ),
        _transferred(
            "d", "starting", {"status": "starting", "starting_rating": 1600}, foreign={"iccf": 1750}
        ),
        {
            "id": "e",
            "standing": {"rating": 1650, "games": 10, "starting_rating": 1600},
            "decisions": {"class_m_winner": True, "reason": "won a Class M tournament in 1996"},
        },
    ]
    games = [
        {**_games("a", ("loss", 1700))[0], "start": "1996-05-01", "end": "1996-12-20"},
        {**_games("a", ("win", 1700))[0], "start": "1996-09-01", "end": "1996-12-20"},
        *_games("b", ("win", 1700)),
        *_games("b3", ("win", 1700)),
        *_games("c", ("draw", 1700)),
        *_games("d", ("loss", 1700)),
        *_games("e", ("draw", 1700)),
    ]
    return Example(
        title="From the old scheme to the new one",
        document=_document(
            [*players, *_opponents(1700)],
            games,
            "January and February 1997",
            start="1997-01-01",
            end="1997-02-28",
        ),
        expected={"a": 1906, "b": 1656, "b3": 2100, "c": 1567, "d": 1733, "e": 1652},
        source=_HAND + "a: k = 25, +6.01 from the second game alone; b: Rc = 12900/8, p = .5625, "
        "D = 43.658, F = .9921875: 1655.82; b3: 1700 + 400; c: 14100/9 = 1566.67, p = ½; "
        "d: 1750, k = 30, −17.14; e: k = 30, +2.14",
    )


EXAMPLES = (
    _established(),
    _cut_off(),
    _provisional(),
    _promotion(),
    _newcomers(),
    _decisions(),
    _transfer(),
)
