"""The calculator: its fields are what a rule book reads, its numbers those of the rules."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.test import Client

import ratingbook as rb
from ratingbook.desk.askable import askable
from ratingbook.engine.bindings import bulk_of
from ratingbook.engine.history.timetable import event_of
from ratingbook.model import Entry, Event, Game, Report, Result, Standing, StandingStatus
from ratingbook.office.acts import setup
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.rules import registry
from ratingbook.rules.iccf.levels import CATEGORIES
from ratingbook.rules.iccf.lists import list_taking
from tests.site.pages import page_of
from tests.site.published import MARKED


@pytest.fixture(autouse=True)
def _asked_by_somebody_else():
    """No test has asked before: the API answers so many requests a minute."""
    yield
    cache.clear()


def ask(**said):
    return "/whatif?" + urlencode(said)


def test_the_fields_are_what_the_rule_book_reads(browser):
    fide = page_of(browser, ask(rulebook="fide-2024"))
    go = page_of(browser, ask(rulebook="egf-2021"))
    us = page_of(browser, ask(rulebook="uscf-2025"))
    mail = page_of(browser, ask(rulebook="iecg-1999"))
    for text, has in ((fide, True), (us, True), (go, False), (mail, False)):
        assert ('name="birth_year"' in text) == has
    for text, has in ((fide, False), (go, True)):
        assert ('name="grade"' in text) == ('name="h1"' in text) == has
    assert 'name="reached_2400"' in fide
    assert 'name="peak"' in us
    assert 'name="ter"' in mail
    assert 'value="rapid"' in fide


SAID_OTHERWISE = {"rating", "games", "grade", "birth_date", "birth_year"}
"""What every form asks for, and what it asks for otherwise."""
NOT_SAID = {"last_played", "season", "history", "history_own"}
"""What nobody says of himself: when he played last, and games of which each would be told."""


@pytest.mark.parametrize("name", list(registry.names()))
def test_all_that_a_rule_book_reads_of_a_player_is_asked(browser, name):
    book = registry.load(name).edition(None)
    page = browser.get(f"/whatif.json?rulebook={name}").json()
    own = {each["name"]: each for each in page["own"]}
    ours = {"rating", "games", "grade", "birth_year"}
    read = {*book.bulk.known._fields, *book.standing_fields} - SAID_OTHERWISE - NOT_SAID
    # A status stands where it makes a difference.
    assert own.keys() - ours == read - ({"status"} - own.keys())
    described = browser.get("/api/v1/openapi.json").json()["paths"]["/api/v1/whatif"]["get"]
    told = {each["name"]: each["description"] for each in described["parameters"]}
    for each in (*page["own"], *page["event"]):
        assert name in told[each["name"]]
    for each in page["own"]:
        words = [one["value"] for one in each["choices"]]
        assert words == [*next((x.words for x in askable(book) if x.name == each["name"]), ())]


def one_said(one):
    """A value of a fact."""
    if one.words:
        return one.words[0]
    return {bool: "yes", int: "12", float: "1700"}.get(one.kind, "2d")


@pytest.mark.parametrize("name", list(registry.names()))
def test_each_fact_counts_on_the_page_and_in_the_api_as_in_the_library(browser, name):
    book = registry.load(name).edition(None)
    for one in askable(book):
        if one.kind is object:
            continue
        value = one_said(one)
        said = {"rulebook": name, "o1": 1700, "r1": 1, "o2": 1800, "r2": 0, one.name: value}
        got = browser.get("/whatif.json?" + urlencode(said)).json()
        try:
            alone = rb.whatif(["1700=1", "1800=0"], name, standing={one.name: value})["outcomes"]
        except rb.Refused:
            assert got["answer"] is None or got["answer"]["after"] is None, one
            continue
        after = alone[0]["after"] if alone else None
        assert (got["answer"] or {"after": None})["after"] == pytest.approx(after), one
        api = browser.get("/api/v1/whatif?" + urlencode(said))
        assert api.status_code == 422 or api.json()["answer"] == got["answer"], one


def test_an_unrated_player_begins_with_ratings_elsewhere(browser):
    """1.1.1: 20 + 1.02 · 2200 = 2264, N = 10; 1.1.2: 1600 of the CFC is 1.1 · 1600 - 240 = 1520."""
    for name, rating, began in (("fide", 2200, "= 2264"), ("cfc", 1600, "= 1520")):
        said = {"rulebook": "uscf-2025", name: rating, "o1": 1500, "r1": 1}
        text = page_of(browser, ask(**said))
        assert re.search(
            rf'<details class="fold" open>.*name="{name}" value="{rating}"', text, re.DOTALL
        )
        assert began in text
    plain = page_of(browser, ask(rulebook="uscf-2025"))
    assert '<details class="fold"><summary>Other ratings' in plain


def test_a_rating_of_the_old_scheme_is_brought_over(browser):
    """IX.5a of the IECG: established before, with 20 games, stays so; section V rates on."""
    said = {"rulebook": "iecg-1999", "rating": 1900, "games": 20, "o1": 1500, "r1": 1}
    text = page_of(browser, ask(**said, transfer="established"))
    assert "stays established" in text
    assert "1902" in text
    refused = browser.get("/api/v1/whatif?" + urlencode({**said, "transfer": "lost"}))
    assert refused.status_code == 422


@pytest.fixture
def ball(office):
    """A pool in which it counts by how much a game was won, and where."""
    settings = {"margin": "log", "home": "60"}
    setup.add_pool("ball", "elo", Who("tina"), settings)
    return Client(headers={"host": "localhost"})


def test_a_margin_is_asked_for_where_it_counts(ball):
    """By the library, written as at a shell; and in the field of its own."""
    said = {"rulebook": "pool:ball", "rating": 1600, "games": 60, "o1": "1600/away"}
    book = rb.rulebook("elo", {"margin": "log", "home": "60"})
    alone = rb.whatif(["1600/away=0:7"], book, rating=1600, games=60)["outcomes"][0]["after"]
    for path in ("/whatif.json?", "/api/v1/whatif?"):
        for more in ({"r1": "0:7"}, {"r1": "0", "m1": "7"}, {"r1": "loss", "m1": 7}):
            got = ball.get(path + urlencode({**said, **more})).json()
            assert got["answer"]["after"] == round(alone), (path, more)
            assert got["rows"][0]["margin"] == "7"
    text = page_of(ball, ask(**said, r1="0:7"))
    assert 'name="m1" value="7"' in text
    assert "1600/home" in text
    wrong = page_of(ball, ask(**said, r1="0.5", m1=7))
    assert "A margin goes with a game that was won or lost" in wrong


def test_no_margin_is_asked_for_where_it_does_not_count(browser):
    for name in registry.names():
        page = browser.get(f"/whatif.json?rulebook={name}").json()
        assert not page["columns"]["margin"], name
        assert not page["columns"]["ground"], name
    got = browser.get("/api/v1/whatif?rulebook=fide-2024&rating=2000&o1=2000&r1=1&m1=3")
    assert got.status_code == 422
    assert got.json()["findings"][0]["where"]["path"] == "query.m1"


def test_the_answer_is_that_of_fide_by_hand(browser):
    """K = 10; expected 0.64 of 100 points above, 0.5 of none: 2 - 1.14 = 0.86, 8.6, so 9."""
    said = {"rulebook": "fide-2024", "rating": 2500, "games": 300, "reached_2400": 1,
            "o1": "Sigma, Simon, 2400", "r1": 1, "o2": 2500, "r2": 1, "target": 2505}  # fmt: skip
    text = page_of(browser, ask(**said))
    assert '<span class="big">2509</span>' in text
    assert "1.14" in text
    got = browser.get("/whatif.json?" + urlencode(said)).json()["answer"]
    assert (got["before"], got["after"], got["enough"]) == (2500, 2509, 2.0)
    rows = {x["points"]: x["least"] for x in got["by_points"]}
    # By hand: 1.5 points are 0.36 more than expected: 3.6; 0 points 11.4 less.
    assert (rows[2.0], rows[1.5], rows[0.0]) == (2509, 2504, 2489)
    assert "/rules/fide-2024#p" in text
    assert 'role="img"' in text


def test_the_least_is_the_least_where_each_game_moves_the_rating(browser):
    """A win early makes the later ones worth less: it matters which games are won."""
    said = {"rulebook": "elo", "rating": 1501, "games": 12, "target": 1510.2, "o1": 1512,
            "o2": 1175, "o3": 1375, "r1": "?", "r2": "?", "r3": "?"}  # fmt: skip
    got = browser.get("/api/v1/whatif?" + urlencode(said)).json()["answer"]
    games = ["1512=?", "1175=?", "1375=?"]
    every = rb.whatif(games, "elo", rating=1501, games=12)["scores"]
    assert {x["points"]: (x["least"], x["greatest"]) for x in got["by_points"]} == {
        x["score"]: (round(x["after"], 3), round(x["after_at_best"], 3)) for x in every
    }
    assert got["enough"] == 3.0, "1510.042 by 1, 1, ½ does not reach it"


@pytest.mark.parametrize(("target", "need"), [(2000, "1 point,"), (2010, "1½ points."),
                                              (1990, "½ point,")])  # fmt: skip
def test_one_point_is_no_points(browser, target, need):
    """K = 20 against equals: half a point is the ten points of a rating."""
    said = {"rulebook": "fide-2024", "rating": 2000, "games": 300, "target": target,
            "o1": 2000, "r1": 1, "o2": 2000, "r2": 0}  # fmt: skip
    text = re.sub(r"<[^>]+>", "", page_of(browser, ask(**said)))
    assert f"For {target} you need {need}" in text


@pytest.mark.parametrize("name", list(registry.names()))
def test_every_rule_book_answers_as_the_library_does(browser, name):
    said = {"rulebook": name, "rating": 1800, "games": 60, "o1": 1700, "r1": 1, "o2": 1900, "r2": 0}
    got = browser.get("/whatif.json?" + urlencode(said)).json()
    alone = rb.whatif(["1700=1", "1900=0"], name, rating=1800, games=60)["outcomes"][0]
    assert got["answer"]["after"] == pytest.approx(alone["after"])
    assert got["answer"]["steps"]
    assert page_of(browser, ask(**said))


@pytest.mark.parametrize("name", ["fide", *registry.names(), "pool:standard", "pool:go"])
def test_what_is_expected_of_one_game_is_what_the_form_expects(public, name):
    for own, other in ((2700, 2000), (1800, 1700)):
        alone = {"rulebook": name, "rating": own, "opponent": other}
        told = public.get("/api/v1/expected?" + urlencode(alone)).json()
        form = {"rulebook": name, "rating": own, "games": 100, "o1": f"{other}/100", "r1": 1}
        got = public.get("/api/v1/whatif?" + urlencode(form)).json()
        assert told["expected"] == got["answer"]["expected"]
        assert told["edition"] == got["edition"]


@pytest.mark.parametrize("name", ["fide-2009", "pool:standard", "iccf-2009"])
def test_the_games_are_of_today_also_by_an_edition_that_has_ended(public, name):
    """Who names an old edition is told of its days; a pool goes by it all the same."""
    said = {"rulebook": name, "rating": 1800, "games": 100, "o1": "1700/100", "r1": 1}
    got = public.get("/api/v1/whatif?" + urlencode(said)).json()
    today = date.today().isoformat()
    told = [each["message"] for each in got["findings"]]
    assert [today in each for each in told] == ([] if name.startswith("pool:") else [True])
    if name == "iccf-2009":
        taking = list_taking(date.today()).name
        assert f"list {taking}" in str(got["answer"]["steps"])


@pytest.mark.parametrize("name", list(registry.names()))
def test_nothing_is_told_of_options_of_a_command(browser, name):
    for said in ({"rating": 1800}, {}, {"rating": 1800, "games": 3}):
        text = page_of(browser, ask(rulebook=name, o1=1700, r1=1, o2="unrated", r2=0.5, **said))
        assert not re.search(r"\s--[a-z]", text)


def test_open_games_are_told_by_points(browser):
    text = page_of(browser, ask(rulebook="fide-2024", rating=2000, games=90, o1=2000, o2=2100))
    assert "2 games are open." in text
    assert 'class="big"' not in text


def test_what_open_games_would_bring_is_told_to_be_no_published_rating(browser):
    """As of games that were played: with two games nobody has a rating of the ICCF."""
    said = {"rulebook": "iccf-2009", "o1": 2400, "r1": 1, "o2": "unrated", "level": 2310,
            "target": 2400}  # fmt: skip
    for result, rows in ((1, 4), ("?", 3)):
        text = page_of(browser, ask(**said, r2=result))
        assert text.count('<span class="tag">not published yet</span>') >= rows, result
    rated = page_of(browser, ask(rulebook="fide-2024", rating=2000, games=90, o1=2000, o2=2100))
    assert "not published yet" not in rated


def test_a_player_of_the_office_is_filled_in_without_what_is_private(public):
    text = page_of(public, "/whatif?player=1")
    said = public.get("/lists/standard/2026-05-01.json?name=1").json()["lines"][0]
    assert f'name="rating" value="{said["rating"]:g}"' in text
    assert "Alpha &lt;b&gt;&amp;" in text
    assert MARKED not in text
    assert "1990" not in text
    assert 'value="pool:standard" selected' in text
    go = page_of(public, "/whatif?player=1&rulebook=pool:go")
    assert 'value="pool:go" selected' in go
    assert re.search(r'name="highest_grade" value="4d"', go), "with which the next event begins"
    assert page_of(public, "/whatif?player=999999", 404)
    assert page_of(public, "/whatif?rulebook=nothing", 404)


def test_nothing_is_said_of_an_age_that_nobody_has_said(browser):
    said = {"rulebook": "fide-2024", "rating": 2000, "games": 60, "o1": 2000, "r1": 1}
    text = page_of(browser, ask(**said))
    assert "junior: no" not in text
    assert "K = 20" in text
    assert "The age is not asked here" in text
    text = page_of(browser, ask(**said, birth_year=1980))
    assert "junior: no" in text
    assert "The age is not asked here" not in text


@pytest.mark.parametrize("score", ["1", "?"])
def test_a_k_that_is_not_looked_at_is_told_in_words_of_the_form(browser, score):
    said = {"rulebook": "fide-2024", "rating": 1843, "games": 200, "o1": 1900, "r1": score}
    text = page_of(browser, ask(**said, k=10))
    assert text.count("The K that is given is another one than the rules make.") == 1
    assert "Leave “Rated games” empty to go by it" in text
    assert "K of the list, if the games are not known" in text
    for more in ({"k": 20}, {"k": 10, "games": ""}):
        assert "The K that is given" not in page_of(browser, ask(**{**said, **more}))


NOT_ASKED = "The age is not asked here"


@pytest.mark.parametrize("score", ["1", "?"])
def test_the_age_that_is_assumed_is_told_of_settled_and_of_open_games(browser, score):
    """A junior has K = 40 in 2 g: 1843 + 40 · (1 − .42) = 1866; somebody grown up gets 12 of it."""
    said = {"rulebook": "fide-2024", "rating": 1843, "games": 200, "o1": 1900, "r1": score,
            "target": 1860}  # fmt: skip
    text = page_of(browser, ask(**said))
    assert NOT_ASKED in text
    assert "1860 is out of reach for somebody grown up." in text
    got = browser.get("/api/v1" + ask(**said)).json()["answer"]
    assert (got["enough"], got["as_grown_up"]) == (None, True)
    assert any(NOT_ASKED in each for each in got["notes"])
    young = {**said, "birth_year": date.today().year - 12}
    got = browser.get("/api/v1" + ask(**young)).json()["answer"]
    assert (got["enough"], got["as_grown_up"], got["by_points"][0]["least"]) == (1, False, 1866)
    assert NOT_ASKED not in page_of(browser, ask(**young))


@pytest.mark.parametrize("score", ["1", "?"])
@pytest.mark.parametrize(
    ("book", "rating", "games"),
    [("fide-2024", 2350, 200), ("fide-2024", 2000, 12), ("fide-2009", 1843, 200),
     ("uscf-2025", 1843, 200), ("egf-2021", 1843, 200)],
)  # fmt: skip
def test_no_age_is_missed_where_none_makes_another_k(browser, book, rating, games, score):
    """At 2350 nobody is a junior any more, before 30 games everybody has that K."""
    said = {"rulebook": book, "rating": rating, "games": games, "o1": 1900, "r1": score,
            "target": 2900}  # fmt: skip
    text = page_of(browser, ask(**said))
    assert NOT_ASKED not in text
    assert "2900 is out of reach." in text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("o1", "<script>alert(1)</script>"), ("o1", "/etc/passwd"), ("o1", "1" * 60),
        ("rating", "abc"), ("rating", "nan"), ("games", "-5"), ("games", "1e9"), ("target", "x"),
        ("birth_year", "0"), ("o1", "1900/99999999999"), ("r1", "7"), ("o1", "5k/give9/give9"),
        ("o99", "1900"), ("k", "-3"), ("pool", "nowhere"), ("kind", "'"), ("rating", "1e400"),
    ],
)  # fmt: skip
def test_nonsense_is_told_in_words(browser, field, value):
    said = {"rulebook": "fide-2024", "rating": 2000, "games": 50, "o1": 1900, "r1": 1}
    text = page_of(browser, ask(**{**said, field: value}))
    assert "<script>" not in text
    assert 'class="big"' in text or 'class="findings"' in text or "open." in text
    assert "Traceback" not in text


@pytest.mark.parametrize("stones", ["10", "-12", "99", "1.5"])
def test_too_many_stones_are_told_of_stones(browser, stones):
    text = page_of(browser, ask(rulebook="egf-2021", rating=2000, o1=2500, r1=1, h1=stones))
    assert "The number of stones is a whole number up to 9" in text
    assert "no rating of an opponent" not in text


@pytest.mark.parametrize(("book", "after"), [("iccf-2009", 1931), ("iecg-1999", 1929)])
def test_a_rating_that_rests_on_earlier_games_asks_what_they_came_to(browser, book, after):
    """Rc is 9300 / 5 = 1860, p 3 of 5, F .98: 1860 + 72 · .98 = 1930.56, 1860 + 70.44 · .98."""
    earlier = {"earlier_score": 2, "earlier_opponents": 7200}
    said = {"rulebook": book, "rating": 2000, "games": 4, "o1": 2100, "r1": 1}
    got = browser.get("/whatif.json?" + urlencode({**said, **earlier})).json()
    assert got["answer"]["after"] == after
    for wrong in ({"earlier_score": 5}, {"earlier_score": -1}, {"earlier_opponents": 100_000}):
        refused = browser.get("/whatif.json?" + urlencode({**said, **earlier, **wrong})).json()
        assert refused["answer"] is None
        assert "no such games can be" in refused["findings"][0]["message"]
    text = page_of(browser, ask(**said))
    assert "Say what the rated games so far have brought" in text
    for word in ("the history holds", "the report brings"):
        assert word not in text


def test_no_colour_and_no_command_is_told_where_none_was_given(browser):
    text = page_of(browser, ask(rulebook="fide-2024", rating=2000, games=40, o1=900, r1=1))
    assert "against opponent 1 (900)" in text
    assert "Check that these are FIDE ratings." in text
    for word in ("white against", "below_floor", "round 1"):
        assert word not in text.partition("<main")[2].partition("</main>")[0], word


def test_what_of_the_address_was_not_understood_is_said_and_the_rest_holds(public):
    page = page_of(
        public, "/whatif?rulebook=fide-2024&rating=2000&games=50&o1=2000&r1=7&player=abc"
    )
    for said in ("r1=7", "player=abc"):
        assert f"“{said}” in the address was not understood, and was left out." in page
    assert "1 game is open" in page
    assert "was not understood" not in page_of(public, "/whatif?rulebook=fide-2024&player=1&r1=0.5")
    events = page_of(public, "/events?year=abc&pool=99&page=x")
    for said in ("year=abc", "page=x"):
        assert f"“{said}” in the address" in events
    assert "There is nothing of “pool=99”" in events
    assert "was not understood" not in page_of(public, "/events?year=2026&pool=&page=1")
    assert "“pool=first”" in page_of(public, "/players/1?pool=first", more=5)
    assert "“section=A”" in page_of(public, "/events/1?section=A")
    assert public.get("/api/v1/whatif?player=abc").status_code == 422


@pytest.mark.parametrize(
    ("book", "titles"),
    [("iecg-1999", ["Tournament Entry Rating (TER)", "Last day with a game in progress"]),
     ("uscf-2025", ["Original Life Master"])],
)  # fmt: skip
def test_fields_are_called_by_words(browser, book, titles):
    page = page_of(browser, f"/whatif?rulebook={book}")
    assert all(
        f">{title}" in page.replace('value="1">', ">").replace("> ", ">") for title in titles
    )
    assert not re.search(r">\s*(Ter|Olm|In progress)\s*<", page)


def test_the_page_of_a_player_leads_to_what_would_become_of_the_rating(public):
    link = re.search(r'href="(/whatif[^"]*player=1)"', page_of(public, "/players/1", more=5))
    assert link
    page = page_of(public, link[1].replace("&amp;", "&"))
    assert "by what is published" in page
    assert re.search(r'name="rating" value="\d+', page)


def fields_of(client, book):
    """What the form asks under that rule book, by name with the words that may be chosen."""
    got = client.get(f"/whatif.json?rulebook={book}").json()
    return {
        each["name"]: [one["value"] for one in each["choices"]]
        for each in (*got["own"], *got["event"])
    }


@pytest.mark.parametrize("name", list(registry.names()))
def test_all_that_the_rule_book_reads_of_an_event_and_a_status_is_asked(browser, name):
    """Whatever makes another number than nothing does stands in the form."""
    book, asked = registry.load(name), fields_of(browser, name)
    bulk = bulk_of(book)
    read = bulk.facts_of
    usual = read(Event(), book.parameters)
    for column, known in bulk.event_words.items():
        for word in known.known:
            if read(event_of([column], [word]), book.parameters) != usual:
                assert word in asked[column], (column, word)
    is_level = read(Event(level=2300), book.parameters) != usual
    assert ("level" in asked) == is_level == (name == "iccf-2009")
    assert ("time_control" in asked) == name.startswith(("egf", "uscf"))
    if name == "iecg-1999":
        assert asked["status"] == ["starting", "provisional", "established"]
    if name == "iccf-2009":
        assert set(asked["category"]) == set(CATEGORIES)


@pytest.mark.parametrize(
    ("book", "event"),
    [("uscf-2025", {"time_control": "G/5;d0"}), ("uscf-2025", {"time_control": "G/45;d5"}),
     ("uscf-2025", {"pool": "dual"}), ("uscf-2025", {"category": "youth"}),
     ("egf-2021", {"time_control": "G/20;d0"}),
     ("fide-2024", {"kind": "match"})],
)  # fmt: skip
def test_what_is_said_of_an_event_is_reckoned_with_as_by_the_library(browser, book, event):
    asked = {
        "rulebook": book,
        "rating": 2050,
        "games": 60,
        **event,
        "o1": 1900,
        "r1": 1,
        "o2": 2300,
        "r2": 0.5,
    }
    got = browser.get("/whatif.json?" + urlencode(asked)).json()
    met = ["1900=1", "2300=½"]
    alone = rb.whatif(met, book, rating=2050, games=60, event=event)["outcomes"][0]
    assert got["answer"]["after"] == pytest.approx(alone["after"])


def rated_by(book, entry, opponents, scores, **event):
    """What a report of the same games makes of the player."""
    names = [f"x{n}" for n in range(len(opponents))]
    entries = [
        Entry(who, standing=None if said is None else Standing(rating=said, games=100))
        for who, said in zip(names, opponents, strict=True)
    ]
    results = {1: Result.WHITE_WINS, 0.5: Result.DRAW, 0: Result.BLACK_WINS}
    games = tuple(
        Game("me", who, results[score], round=n)
        for n, (who, score) in enumerate(zip(names, scores, strict=True), 1)
    )
    today = date.today()
    report = Report(
        Event(start=today, end=today, **event), (replace(entry, id="me"), *entries), games
    )
    rating = rb.rate(report, book)
    return next(each.row.after for each in rating if each.row.id == "me")


@pytest.mark.parametrize(
    "event",
    [*({"category": each} for each in CATEGORIES), {"level": 2310},
     {"category": "national", "level": 2111}, {"category": "friendly_match", "level": 1950}],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("own", [{"rating": 2050, "games": 60}, {}], ids=["fixed", "new"])
def test_correspondence_is_reckoned_by_category_and_level_as_rate_does(browser, event, own):
    """ICCF 11: a level stands for who has no rating, the player or an opponent."""
    met, scores = (1900, None, 2300), (1, 0.5, 0)
    entry = Entry("me", standing=Standing(**own) if own else None)
    after = rated_by("iccf-2009", entry, met, scores, **event)
    games = {
        f"{part}{n}": value
        for n, (other, score) in enumerate(zip(met, scores, strict=True), 1)
        for part, value in (("o", other or "unrated"), ("r", score))
    }
    got = browser.get(
        "/whatif.json?" + urlencode({"rulebook": "iccf-2009", **own, **event, **games})
    )
    assert got.json()["answer"]["after"] == after
    alone = rb.whatif(
        ["1900=1", "unrated=½", "2300=0"], "iccf-2009", **own,
        event={key: str(value) for key, value in event.items()},
    )  # fmt: skip
    assert alone["outcomes"][0]["after"] == after


@pytest.mark.parametrize(
    ("games", "status", "more"),
    [
        (20, "established", {}), (10, "established", {}), (0, "starting", {}),
        (8, "provisional", {"earlier_score": 4, "earlier_opponents": 14000}),
        (20, "provisional", {"earlier_score": 9, "earlier_opponents": 34000}),
        (8, "provisional", {"earlier_score": 4, "earlier_opponents": 14000,
                            "starting_rating": 1500}),
    ],
)  # fmt: skip
def test_a_status_is_reckoned_with_as_rate_does(browser, games, status, more):
    """IECG III.1 and IX: an established rating of ten games changes by V, a provisional by IV."""
    standing = Standing(1810, games, status=StandingStatus(status), extra=more)
    met, scores = (1900, 1700), (1, 0.5)
    after = rated_by("iecg-1999", Entry("me", standing=standing), met, scores)
    said = {"rating": 1810, "games": games, "status": status, **more,
            "o1": 1900, "r1": 1, "o2": 1700, "r2": 0.5}  # fmt: skip
    got = browser.get("/whatif.json?" + urlencode({"rulebook": "iecg-1999", **said})).json()
    assert got["answer"]["after"] == after, got["findings"]
    api = browser.get("/api/v1/whatif?" + urlencode({"rulebook": "iecg-1999", **said})).json()
    assert api["answer"]["after"] == after
    alone = rb.whatif(
        ["1900=1", "1700=½"], "iecg-1999", rating=1810, games=games,
        standing={"status": status, **more},
    )  # fmt: skip
    assert alone["outcomes"][0]["after"] == after


def test_a_status_that_nobody_knows_is_told(public):
    said = "/whatif?rulebook=iecg-1999&rating=1800&games=20&o1=1700&r1=1&status=retired"
    assert "“status=retired” in the address was not understood" in page_of(public, said)
    assert public.get("/api/v1" + said).status_code == 422


def test_without_a_level_the_form_asks_for_what_it_has(browser):
    text = page_of(browser, ask(rulebook="iccf-2009", rating=1800, games=60, o1="unrated", r1=1))
    assert "Choose the category of the event, or say its level." in text
    assert "black_rating" not in text


def test_a_level_that_is_no_number_is_told_in_the_language_of_the_page(browser):
    said = {"rulebook": "iccf-2009", "rating": 1800, "games": 60, "o1": 1700, "r1": 1}
    text = page_of(browser, ask(**said, level="high"))
    assert "Level of the event is a number, not “high”" in text


def test_the_form_asks_for_the_results_that_the_rules_read(browser):
    """US Chess 1.4: the special formula after nothing but wins; no expected score then."""
    said = {"rulebook": "uscf-2011", "rating": 1400, "games": 12, "o1": 1900, "r1": 0}
    text = page_of(browser, ask(**said))
    assert "Say how many games were won, drawn and lost so far." in text
    assert "Games won so far" in text
    got = browser.get("/whatif.json?" + urlencode({**said, "wins": 12, "draws": 0, "losses": 0}))
    assert got.json()["answer"]["expected"] is None
    assert all("were won" not in each["message"] for each in got.json()["findings"])
    assert "Games won so far" not in page_of(browser, ask(**{**said, "rulebook": "fide-2009"}))


def test_a_pool_publishes_one_number_of_a_what_if(ball):
    """With its decimals, as lists print them; by a rule book alone it is what a page shows."""
    said = {"rating": 1600, "games": 60, "o1": 1710, "r1": "0.5", "target": 1603}
    for rulebook, decimals in (("pool:ball", 0), ("elo", 3)):
        got = ball.get("/api/v1/whatif?" + urlencode({"rulebook": rulebook, **said})).json()
        answer = got["answer"]
        every = [answer[key] for key in ("before", "after", "change")]
        every += [row[key] for row in answer["by_points"] for key in ("least", "greatest")]
        assert every == [round(each, decimals) for each in every], rulebook
        assert answer["after"] not in (1600, 1601.5)
    two = m.Pool.objects.get(name="ball")
    two.policies = {**two.policies, "decimals": 2}
    two.save()
    text = page_of(ball, ask(rulebook="pool:ball", **said))
    got = ball.get("/api/v1/whatif?" + urlencode({"rulebook": "pool:ball", **said})).json()
    after = got["answer"]["after"]
    assert after == round(after, 2)
    assert f"1600.00 becomes <strong>{after:.2f}</strong>" in text


ABROAD = {"rulebook": "uscf-2017", "rating": "2300", "games": "200", "kind": "fide"}


def test_in_an_event_of_fide_the_form_takes_the_fide_ratings_of_opponents(browser):
    said = browser.get("/api/v1" + ask(**ABROAD, o1="2300", r1="1")).json()
    library = rb.whatif(["2300=1"], "uscf-2017", rating=2300, games=200, event={"kind": "fide"})
    assert said["answer"]["after"] == library["outcomes"][0]["after"] > 2300
    assert "opponents count with their FIDE ratings" in page_of(
        browser, ask(**ABROAD, o1="2300", r1="?")
    )


@pytest.mark.parametrize("score", ["1", "?"])
def test_why_nothing_changes_is_told_of_settled_and_of_open_games(browser, score):
    asked = ask(**ABROAD, o1="unrated", r1=score)
    (told,) = (
        each for each in browser.get("/api/v1" + asked).json()["findings"]
        if each["code"] == "uscf.no-fide-rating"
    )  # fmt: skip
    assert told["remedy"] == "Say the FIDE ratings of these opponents."
    assert "without a FIDE rating are not rated" in page_of(browser, asked)
