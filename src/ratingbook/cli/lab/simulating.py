"""What simulations and reforms print."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from ratingbook.cli.history import progress_bar
from ratingbook.cli.lab.shared import write_json
from ratingbook.cli.screen import errors, is_quiet, output, plain_table, print_findings, write
from ratingbook.desk.written import clean
from ratingbook.engine.history.api import HistoryRefused
from ratingbook.lab.compare import named
from ratingbook.lab.reform import Band, Reform, Reformed, one_edition, reformed
from ratingbook.lab.simulate import measures
from ratingbook.lab.simulate.run import Simulated, simulate, validity
from ratingbook.lab.simulate.scenario import NAMED, TEXTS, Scenario, ScenarioError, scenario
from ratingbook.lab.simulate.sweep import Measured, Setting, grid, sweep
from ratingbook.lab.simulate.written import write as write_tables
from ratingbook.model import Refused
from ratingbook.rules.wording import counted

_MOST_YEARS = 12
"""Rows of the table of years, about."""
_MOST_SETTINGS = 1000


def pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE, several times."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name.strip() in found:
            told = "gives it twice" if equals else "takes NAME=VALUE"
            raise ScenarioError(f"{option} {told}: {text!r}")
        found[name.strip()] = value.strip()
    return found


def world_of(name: str, numbers: Sequence[str] | None) -> Scenario:
    """A scenario with some numbers others."""
    return scenario(name).changed(pairs("--set", numbers or ()))


def show_scenarios(name: str | None) -> None:
    """All by their names, or one as a file."""
    if name is not None:
        write(scenario(name).text().rstrip("\n"))
        return
    table = plain_table("scenario", "what it is")
    for each in NAMED:
        table.add_row(each, TEXTS[each])
    output().print(table)


def run_simulation(
    rulebook: str,
    world: Scenario,
    *,
    seed: int,
    within: int,
    reform: Reform | None,
    folder: Path | None,
    as_json: bool,
) -> bool:
    """Simulate and print; True if something was refused."""
    _, book = named(rulebook)
    runs: list[Simulated] = []
    for each in (None,) if reform is None else (None, reform):
        with progress_bar() as told:
            runs.append(simulate(book, world, seed=seed, reform=each, progress=told))
    if folder is not None:
        try:
            write_tables(runs[-1], folder)
        except OSError as error:
            errors().print(
                f"error: {folder} cannot be written: {error.strerror or error}", markup=False
            )
            return True
    print_findings(runs[-1].findings, errors())
    if as_json:
        told_of = [_as_json(each, within) for each in runs]
        if reform is not None:
            told_of[1]["bands"] = [asdict(each) for each in measures.reform_bands(*runs)]
        write_json(
            {"rulebook": rulebook, "seed": seed,
             "scenario": asdict(world), "runs": told_of,
             "findings": [each.as_dict() for each in runs[-1].findings]}
        )  # fmt: skip
        return False
    _print_world(runs[0], rulebook, within)
    if reform is not None:
        _say(f"\nWith the reform: {reform.text()}.\n")
        _print_years(runs[1])
        _say("\nWhat it does to the last list, by the ratings without it:\n")
        _print_bands(measures.reform_bands(*runs))
    return False


def _as_json(made: Simulated, within: int) -> dict[str, Any]:
    return {
        "reform": None if made.reform is None else made.reform.text(),
        "games": len(made.history.games),
        "people": len(made.people),
        "years": [asdict(each) for each in measures.years(made)],
        "newcomers": [asdict(each) for each in measures.newcomers_known(made, within)],
        "first_found": asdict(measures.first_found(made, within)),
        "groups": [asdict(each) for each in measures.groups(made)],
        "summary": asdict(measures.summary(made)),
    }


def _print_world(made: Simulated, rulebook: str, within: int) -> None:
    world = made.world
    _say(
        f"{clean(rulebook)}, scenario {clean(world.name)}, seed {made.seed}: "
        f"{len(made.history.games):,} games of {len(made.people):,} people in "
        f"{counted(world.years, 'year')}.\n"
    )
    told = _print_years(made)
    last = told[-1]
    _say("")
    _say(
        f"After {counted(world.years, 'year')} ratings are {_beside(last.above)} the true "
        f"strengths, eight of ten players from {_beside(last.above_low)} to "
        f"{_beside(last.above_high)}; those of steady players are {_beside(last.steady_above)}, "
        f"of fast improving ones {_beside(last.rising_above)}."
    )
    known = tuple(measures.newcomers_known(made, within))
    if known:
        _say("")
        table = plain_table(
            ">games", ">newcomers", ">rated", ">above", ">error", f">within {within}"
        )
        for each in known:
            table.add_row(
                f"{each.games}", f"{each.players:,}", _percent(each.rated), _points(each.above),
                _points(each.error), _percent(each.within),
            )  # fmt: skip
        output().print(table)
        first = measures.first_found(made, within)
        if first.found > 0:
            _say(
                f"\nOf {counted(first.players, 'newcomer')} with 30 games or more "
                f"{_percent(first.found)} were within {within} points of their strength at some "
                f"time: half of these after {counted(round(first.games), 'game')} and "
                f"{counted(round(first.lists), 'meet')}, nine of ten after "
                f"{counted(round(first.games_late), 'game')}."
            )
    some = measures.groups(made)
    if some:
        _say("")
        table = plain_table("on the last list", ">players", ">strength", ">above")
        for group in some:
            table.add_row(
                group.name, f"{group.players:,}", _points(group.strength), _points(group.above)
            )
        output().print(table)


def _print_years(made: Simulated) -> Sequence[measures.Year]:
    told = tuple(measures.years(made))
    step = max(1, -(-made.world.years // _MOST_YEARS))
    table = plain_table(
        ">year", ">active", ">rated", ">rating", ">strength", ">above", ">8 of 10", ">steady",
        ">rising", ">top", ">true", ">error",
    )  # fmt: skip
    for each in told:
        if each.year % step and each.year != made.world.years:
            continue
        table.add_row(
            f"{each.year}", f"{each.active:,}", f"{each.rated:,}", _points(each.rating),
            _points(each.strength), _points(each.above),
            f"{_points(each.above_low)} to {_points(each.above_high)}",
            _points(each.steady_above), _points(each.rising_above), _points(each.top_rating),
            _points(each.top_strength), _points(each.error),
        )  # fmt: skip
    output().print(table)
    return told


def run_sweep(
    rulebook: str,
    over: Sequence[str],
    world: Scenario,
    *,
    seeds: Sequence[int],
    jobs: int,
    master: str | None,
    as_json: bool,
) -> bool:
    """Sweep and print; True if there is no cluster that does it."""
    name, _, said = rulebook.partition(":")
    own = dict(each.partition("=")[::2] for each in said.split(",") if each)
    values = {
        key: [each.strip() for each in text.split(",") if each.strip()]
        for key, text in pairs("--over", over).items()
    }
    settings = [{**own, **each} for each in grid(values)]
    if not 0 < len(settings) <= _MOST_SETTINGS:
        raise ScenarioError(f"--over names {len(settings):,} settings: 1 to {_MOST_SETTINGS:,}")
    try:
        made = sweep(
            name.strip(), settings, world, seeds=seeds, jobs=jobs, master=master,
            progress=_told_of_runs,
        )  # fmt: skip
    except HistoryRefused as refused:
        print_findings(refused.findings, errors())
        return True
    findings = validity(one_edition(named(rulebook)[1]), world)
    print_findings(findings, errors())
    if as_json:
        write_json(
            {"rulebook": name, "scenario": asdict(world),
             "seeds": [*seeds], "settings": [_setting(each) for each in made],
             "findings": [each.as_dict() for each in findings]}
        )  # fmt: skip
        return False
    columns = {
        "above": "above", "drift": "in 10 years", "rising_above": "rising", "error": "error",
        "newcomers": "newcomers",
    }  # fmt: skip
    table = plain_table("settings", *(f">{each}" for each in columns.values()))
    for each in made:
        table.add_row(_named(each, values), *(_measured(each.numbers[key]) for key in columns))
    output().print(table)
    if len(made) > 1:
        _say(f"\nLess {_named(made[0], values)}, seed by seed:\n")
        table = plain_table("settings", *(f">{each}" for each in columns.values()))
        for each in made[1:]:
            table.add_row(
                _named(each, values), *(_measured(each.against_first[key]) for key in columns)
            )
        output().print(table)
    games = made[0].numbers["games"].mean
    _say(
        f"\n{clean(name)}, scenario {clean(world.name)}, about {games:,.0f} games in "
        f"{counted(world.years, 'year')}, seeds {seeds[0]} to {seeds[-1]}; ± is the interval of "
        "95 % for the mean over seeds."
    )
    return False


def _told_of_runs(done: int, total: int) -> None:
    if not is_quiet():
        errors().print(f"{done:,} of {total:,} runs", markup=False, highlight=False)


def _named(each: Setting, over: Mapping[str, object]) -> str:
    return clean(", ".join(f"{name}={each.settings[name]}" for name in over))


def _setting(each: Setting) -> dict[str, Any]:
    return {
        "settings": dict(each.settings),
        "numbers": {name: found._asdict() for name, found in each.numbers.items()},
        "against_first": {name: found._asdict() for name, found in each.against_first.items()},
    }


def run_reform(
    games: Sequence[Path], rulebook: str, reform: Reform, *, as_json: bool, **how: Any
) -> bool:
    """Rate twice and print; True if something was refused."""
    _, book = named(rulebook)
    try:
        with progress_bar() as told:
            made = reformed([*games], book, reform, progress=told, **how)
    except (Refused, HistoryRefused) as refused:
        print_findings(refused.findings, errors())
        return True
    print_findings(made.findings, errors())
    if as_json:
        said = {each.name: getattr(made, each.name) for each in fields(made)}
        said |= {"findings": [each.as_dict() for each in made.findings], "reform": reform.text()}
        said["bands"] = [asdict(each) for each in made.bands]
        write_json(said)
        return False
    _print_reform(made)
    return False


def _print_reform(made: Reformed) -> None:
    if made.bands:
        _print_bands(made.bands)
    told = (
        f"the ratings of {counted(made.players, 'player')} are {_beside(made.mean, 1)} what they "
        "would be without it, on average"
        if made.players
        else "nobody has a published rating both with it and without it"
    )
    _say(
        f"\n{clean(made.rulebook)}, {made.reform.text()}: {told}. "
        f"{made.only_with:,} more are on the list, {made.only_without:,} are not. "
        f"{made.games_since:,} of {made.games:,} games ended on that day or later."
    )


def _print_bands(bands: Sequence[Band]) -> None:
    table = plain_table(">from", ">players", ">mean", ">5 %", ">median", ">95 %", ">same")
    for each in bands:
        table.add_row(
            f"{each.least:.0f}", f"{each.players:,}", _points(each.mean, 1), _points(each.low, 1),
            _points(each.median, 1), _points(each.high, 1), _percent(each.unchanged),
        )  # fmt: skip
    output().print(table)


def _say(text: str) -> None:
    output().print(text, markup=False, highlight=False)


def _points(value: float, digits: int = 0) -> str:
    if math.isnan(value):
        return ""
    text = f"{value:.{digits}f}"
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−")


def _beside(value: float, digits: int = 0) -> str:
    """``12 above``, ``3 below``."""
    if math.isnan(value):
        return "unknown beside"
    return f"{_points(abs(value), digits)} {'below' if value < 0 else 'above'}"


def _percent(value: float) -> str:
    return "" if math.isnan(value) else f"{100 * value:.0f} %"


def _measured(each: Measured) -> str:
    within = "" if math.isnan(each.within) else f" ± {_points(each.within, 1)}"
    return f"{_points(each.mean, 1)}{within}"
