"""What a report says of games and players is rated in an office as ``rate`` rates it."""

from __future__ import annotations

import pytest

import ratingbook as rb
from tests.office.reports import write
from tests.office.test_unused import LONG, TWO, game, player, report, unused

THREE = [*TWO, player("3", "Charlie, Chris")]
PERIOD = {"start": "2009-01-01", "end": "2009-03-01"}
KNOWN = [
    {**each, "ids": {"iccf": f"70{each['id']}"}, "standing": {"rating": rating, "games": 40}}
    for each, rating in zip(TWO, (2200, 2300), strict=True)
]
KNOWN_TEAM = [
    {**player(number, name), "ids": {"iccf": f"70{number}"},
     "standing": {"rating": rating, "games": 40}}
    for number, name, rating in (
        ("1", "Alpha, Anna", 2300), ("2", "Bravo, Ben", 2250), ("3", "Charlie, Chris", 2100),
        ("4", "Delta, Dora", 2180),
    )
]  # fmt: skip
TEAM = report(
    KNOWN_TEAM,
    [game("1", "2", "1/2-1/2", white_for="3", **PERIOD),
     game("2", "1", "1/2-1/2", black_for="4", round=2, **PERIOD)],
    **PERIOD,
)  # fmt: skip
FIDE = [
    {
        **TWO[0],
        "ids": {"uscf": "71"},
        "federation": "USA",
        "standing": {"rating": 2000, "games": 40},
    },
    {**TWO[1], "federation": "GER", "foreign": {"fide": 2100}},
    {**THREE[2], "federation": "GER", "foreign": {"fide": 2050}},
]
SPORT = [
    game(margin=3), game("2", "3", "0-1", margin=-2, neutral=True, round=2),
    game("3", "1", "1-0", margin=5, round=3), game("1", "2", "1/2-1/2", margin=0, round=4),
]  # fmt: skip
CASES = {
    "margins and neutral ground": ("elo", report(THREE, SPORT), {"margin": "log", "home": "65"}),
    "ratings of a game": (
        "iccf-2009",
        report(KNOWN, [game(white_rating=2250, black_rating=2280, **PERIOD)], **PERIOD), {},
    ),
    "ratings elsewhere, and an adult": (
        "uscf-2011",
        report(
            [{**TWO[0], "foreign": {"fide": 2200}}, {**TWO[1], "foreign": {"fide": 1800}},
             player("3", "Charlie, Chris", foreign={"cfc": 1600}),
             player("4", "Delta, Dora", adult=True)],
            [game(), game("2", "3", round=2), game("3", "4", round=3), game("4", "1", round=4)],
            **LONG,
        ),
        {},
    ),
    "the other system": (
        "uscf-2011",
        report([{**TWO[0], "pools": {"quick": {"rating": 1500, "games": 12}}}, THREE[1], THREE[2]],
               [game(), game("2", "3", round=2), game("3", "1", round=3)], **LONG),
        {},
    ),
    "a substitute who loses by it, for somebody without a game": ("iccf-2009", TEAM, {}),
    "a substitute who wins by it": (
        "iccf-2009",
        report(KNOWN_TEAM, [game("1", "2", "1-0", white_for="3", **PERIOD),
                            game("2", "1", "0-1", black_for="4", round=2, **PERIOD)],
               **PERIOD),
        {},
    ),
    "a starting rating by another list": (
        "iecg-1999",
        report([{**TWO[0], "foreign": {"iccf": 2050, "iccf_games": 40}},
                {**TWO[1], "decisions": {"tutor_rating": 1500, "reason": "x"}}],
               [game(**PERIOD)], **PERIOD),
        {},
    ),
    "who withdrew": (
        "iecg-1999", report(TWO, [game(status="withdrawn", **PERIOD)], **PERIOD), {}
    ),
    "who withdrew, to be rated": (
        "iecg-1999", report(TWO, [game(status="withdrawn", rated=True, **PERIOD)], **PERIOD), {}
    ),
    "an event elsewhere": (
        "uscf-2011",
        report(FIDE, [game(), game("1", "3", round=2), game("2", "3", round=3)], kind="fide",
               **LONG),
        {},
    ),
}  # fmt: skip


def rated(officer, tmp_path, rulebook, said, parameters):
    """The office's numbers by name, after an import of the standings and the report."""
    sets = [part for key, value in parameters.items() for part in ("--set", f"{key}={value}")]
    officer.does("pool", "add", "main", "--rulebook", rulebook, *sets)
    known = [each for each in said["players"] if "standing" in each]
    if known:
        register = next(iter(known[0]["ids"]))
        rows = [
            f'{each["ids"][register]},"{each["name"]}",{each["standing"]["rating"]},40,'
            f"{each.get('federation', '')}"
            for each in known
        ]
        text = "\n".join(["id,name,rating,games,federation", *rows, ""])
        (tmp_path / "known.csv").write_text(text)
        officer.does("import", tmp_path / "known.csv", "--register", register, "--pool", "main")
    found = officer.does("receive", write(tmp_path, "cup.json", said))
    officer.does("link", 1, "all", "new")
    officer.does("run", "--pool", "main", "--until", "2013-01-01")
    return found


def numbers(officer):
    from ratingbook.office.acts.people import names_of
    from ratingbook.office.acts.published import table_of
    from ratingbook.office.acts.setup import open_office
    from ratingbook.office.store import models as m

    home = open_office(officer.folder)
    run = m.Run.objects.latest("id")
    rows = table_of(home, run.ratings_id or "").to_pylist()
    names = names_of([int(row["player"]) for row in rows])
    return {names[int(row["player"])]: row["rating"] for row in rows}


@pytest.mark.parametrize("case", CASES)
def test_an_office_rates_as_a_report_is_rated(officer, tmp_path, case):
    rulebook, said, parameters = CASES[case]
    found = rated(officer, tmp_path, rulebook, said, parameters)
    assert not unused(found)
    by_report = rb.rate(tmp_path / "cup.json", rulebook, settings=parameters).players
    number = "exact" if rulebook == "elo" else "after"
    expected = {row["name"]: row[number] for row in by_report}
    got = numbers(officer)
    assert {name: got.get(name) for name in expected} == pytest.approx(expected)


def published(officer, run):
    officer.does("approve", run)
    officer.does("publish", run)


def test_what_was_published_is_made_again(officer, tmp_path):
    rated(officer, tmp_path, *CASES["margins and neutral ground"])
    published(officer, 1)
    # The columns of the first report come from the snapshot of before.
    said = report(THREE, SPORT, name="Another", start="2012-03-01", end="2012-03-02")
    officer.does("receive", write(tmp_path, "two.json", said))
    officer.does("link", 2, "all", "best")
    officer.does("run", "--pool", "main", "--until", "2013-01-01")
    published(officer, 2)
    assert officer.does("replay")["findings"] == []
    assert officer.does("doctor")["findings"] == []


def test_what_came_before_anybody_read_it_is_rated_as_it_was(officer, tmp_path, monkeypatch):
    from ratingbook.office.acts import entering, letting_in

    with monkeypatch.context() as before:
        for each in (entering, letting_in):
            before.setattr(each, "beyond_of", lambda one: {})
        rated(officer, tmp_path, *CASES["margins and neutral ground"])
        published(officer, 1)
        old = numbers(officer)
    assert officer.does("replay")["findings"] == []
    said = CASES["margins and neutral ground"][1] | {"note": ""}
    officer.does("receive", write(tmp_path, "cup.json", said), "--version-of", 1)
    officer.does("release", 1, "--reason", "rated by all that it says")
    officer.does("run", "--pool", "main", "--until", "2013-01-01")
    assert numbers(officer) != old
