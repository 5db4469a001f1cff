"""What is simulated: the numbers of a world of players, as a small file that one can edit.

A scenario says who comes and goes, how strength grows and fades, and how often, with whom and
under which circumstances people play.  What it does not say is the rule book that rates them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

TRUTHS = ("logistic", "rulebook")
PAIRINGS = ("swiss", "random")


_FIRST_YEAR, _LAST_YEAR = 1500, 2200


class ScenarioError(ValueError):
    """A scenario that nobody can simulate."""


class _Said(NamedTuple):
    """What a number means, and its bounds."""

    text: str
    least: float = 0
    greatest: float = 10**6


_SAID = {
    "name": _Said("what it is called"),
    "start": _Said("first day; later than all amendments, for peace"),
    "years": _Said("years that are played", 1, 60),
    "players": _Said("players on the first day", 20, 200000),
    "meets": _Said("times a year at which events are held, at the same time", 1, 12),
    "days": _Said("days from the first to the last day of an event", 1, 1500),
    "events": _Said("events a year that a player takes part in, on average", 0.1, 12),
    "event_size": _Said("players of an event, about", 4, 1000),
    "rounds": _Said("games of a player in an event", 1, 15),
    "mix": _Said(
        "how mixed events are: points of chance where players are divided among them by rating",
    ),
    "pairing": _Said("swiss: neighbours by points, then by rating; random"),
    "truth": _Said(
        "what is expected of strengths: logistic, 10 to 1 at `scale` points; or"
        " as the rule book itself expects",
    ),
    "scale": _Said("points at which the stronger scores ten times as much", 50, 2000),
    "first_move": _Said("points by which White is the stronger", -500, 500),
    "draws": _Said("share of draws between equals", 0, 1),
    "mean": _Said("mean of the strengths that players come to", -900, 3000),
    "spread": _Said("their standard deviation", 0, 1000),
    "entry": _Said("players who come in a year, as a share of `players`", 0, 2),
    "drop_out": _Said("share of the players who stop in a year", 0, 0.9),
    "try_out": _Said("share of newcomers who stop within their first year", 0, 1),
    "juniors": _Said("share of newcomers who are 7 to 16 years old", 0, 1),
    "junior_gap": _Said("points that juniors are below what they come to", 0, 2000),
    "junior_years": _Said("years in which they gain 63 % of that", 0.1, 40),
    "adult_gap": _Said("the same for adults", 0, 2000),
    "adult_years": _Said("the same for adults", 0.1, 40),
    "ageing": _Said("points lost in a year from `ageing_from` on", 0, 100),
    "ageing_from": _Said("age in years", 18, 100),
    "guess_error": _Said(
        "how far newcomers are from what is said of them (a grade, the event"
        " that they enter), in points",
    ),
    "founder_error": _Said("how far the first ratings are from the strengths"),
    "regions": _Said("closed regions: events are within one", 1, 50),
    "travel": _Said("share of entries that go to an event of all regions", 0, 1),
    "region_error": _Said("points by which the first region is rated too high", -500, 500),
    "sandbaggers": _Said("share of adults who lose on purpose", 0, 0.5),
    "sandbag_depth": _Said(
        "points below their strength at which they play, but for the last meet of a year",
        0,
        1000,
    ),
}


@dataclass(frozen=True)
class Scenario:
    """A world of players; strengths are in points of the rule book that rates them."""

    name: str = "club"
    start: date = date(2030, 1, 1)
    years: int = 20
    players: int = 10_000

    meets: int = 12
    days: int = 2
    events: float = 6.0
    event_size: int = 40
    rounds: int = 5
    mix: float = 200.0
    pairing: str = "swiss"

    truth: str = "logistic"
    scale: int = 400
    first_move: int = 35
    draws: float = 0.3

    mean: float = 1500.0
    spread: float = 280.0
    entry: float = 0.1
    drop_out: float = 0.1
    try_out: float = 0.3
    juniors: float = 0.4
    junior_gap: float = 500.0
    junior_years: float = 3.0
    adult_gap: float = 120.0
    adult_years: float = 1.5
    ageing: float = 4.0
    ageing_from: int = 50
    guess_error: float = 150.0
    founder_error: float = 60.0

    regions: int = 1
    travel: float = 0.0
    region_error: float = 0.0
    sandbaggers: float = 0.0
    sandbag_depth: int = 300

    def __post_init__(self) -> None:
        """Look whether it can be simulated."""
        for name, (_, low, high) in _SAID.items():
            value = getattr(self, name)
            if isinstance(value, int | float) and not low <= value <= high:
                raise ScenarioError(f"{name} lies between {low:,} and {high:,}, not at {value}")
        if not _FIRST_YEAR <= self.start.year <= self.start.year + self.years <= _LAST_YEAR:
            raise ScenarioError(
                f"a history has days from {_FIRST_YEAR} to {_LAST_YEAR}: {self.years} years from "
                f"{self.start} on do not lie between them"
            )
        for name, known in (("truth", TRUTHS), ("pairing", PAIRINGS)):
            if getattr(self, name) not in known:
                raise ScenarioError(
                    f"{name} is one of {', '.join(known)}, not {getattr(self, name)!r}"
                )

    def changed(self, values: Mapping[str, Any]) -> Scenario:
        """The same with some numbers others; texts, too, are taken for numbers where they are."""
        known = {each.name: each for each in fields(self)}
        made: dict[str, Any] = {}
        for name, value in values.items():
            if name not in known:
                raise ScenarioError(f"a scenario has no {name!r}; it has {', '.join(known)}")
            made[name] = _typed(name, value, known[name].default)
        return replace(self, **made)

    def text(self) -> str:
        """The scenario as a TOML file, each line with what it means."""
        lines = [f"# {TEXTS.get(self.name, 'a scenario of `ratingbook lab simulate`')}"]
        for name, said in _SAID.items():
            value = getattr(self, name)
            # A text of JSON is one of TOML.
            told = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
            lines += ["", f"# {said.text}", f"{name} = {told}"]
        return "\n".join(lines) + "\n"


def _typed(name: str, value: Any, default: Any) -> Any:
    try:
        if isinstance(default, date):
            return date.fromisoformat(str(value))
        if isinstance(default, str):
            return str(value)
        if isinstance(value, bool):
            raise ValueError
        number = float(value)
        if isinstance(default, int):
            if number != int(number):
                raise ValueError
            return int(number)
    except (ValueError, OverflowError, TypeError):
        kind = "a day" if isinstance(default, date) else f"a number such as {default}"
        raise ScenarioError(f"{name} is {kind}, not {value!r}") from None
    return number


NAMED = {
    each.name: each
    for each in (
        Scenario(),
        Scenario("steady", entry=0, drop_out=0, adult_gap=0, juniors=0, ageing=0),
        Scenario(
            "juniors", mean=1300, spread=350, entry=0.25, drop_out=0.25, juniors=0.75,
            junior_gap=700,
        ),
        Scenario("regions", regions=5, travel=0.02, region_error=100),
        Scenario("sandbaggers", sandbaggers=0.05),
        Scenario(
            "go", truth="rulebook", mean=1700, spread=500, first_move=0, draws=0, juniors=0.3,
            junior_gap=800, adult_gap=300, guess_error=120,
        ),
        Scenario(
            "correspondence", meets=4, days=400, events=2.5, event_size=11, rounds=10, mix=100,
            pairing="random", mean=1900, spread=250, first_move=20, draws=0.5, juniors=0.0,
            entry=0.12, drop_out=0.12, ageing=0,
        ),
    )
}  # fmt: skip

TEXTS = {
    "club": "players of a chess federation: they come, improve, age and go",
    "steady": "nobody comes, goes, improves or ages: whatever moves is the rule book's doing",
    "juniors": "three of four newcomers are children who improve fast",
    "regions": "five closed regions, one of them rated 100 points too high",
    "sandbaggers": "one adult in twenty loses on purpose, but for the last event of a year",
    "go": "players of Go, for the EGF: no draws, wide strengths, as the rule book expects",
    "correspondence": "games that last a year, at random, many of them drawn",
}


def scenario(name_or_path: str | Path) -> Scenario:
    """A scenario by its name, or out of a file.

    A file says what differs from the scenario whose ``name`` it gives, else from ``club``.
    Raises :class:`ScenarioError`.
    """
    found = NAMED.get(str(name_or_path))
    if found is not None:
        return found
    path = Path(name_or_path)
    if not path.is_file():
        raise ScenarioError(
            f"there is no scenario {str(name_or_path)!r}, and no such file; there are "
            f"{', '.join(NAMED)}"
        )
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ScenarioError(f"{path}: {error}") from None
    return NAMED.get(str(said.get("name")), NAMED["club"]).changed(said)
