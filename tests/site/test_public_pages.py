"""Search, players, explanations, events: what they show, and what they never show."""

from __future__ import annotations

import csv
import html
import io
import json
import re

import pytest

from ratingbook.office.store import models as m
from ratingbook.site import errors
from tests.site.people import nobody
from tests.site.world import MARKUP, NIGHT, PEOPLE, SPRING, WINTER

STANDARD, GO = "standard", "go"
PAGES = (
    "/", "/search?q=alpha", "/players", "/players/1", "/players/2", "/players/1?pool=go",
    "/players/7", f"/players/1/changes/{STANDARD}/2026-02-01",
    f"/players/6/changes/{STANDARD}/2026-03-01", "/events", "/events?year=2026&pool=standard",
    f"/events/{WINTER}", f"/events/{SPRING}", f"/events/{NIGHT}?notation=go",
)  # fmt: skip


def text_of(answer):
    """What a reader sees, in one line."""
    found = re.sub(r"<(title|desc)[^>]*>.*?</\1>", " ", answer.content.decode(), flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found)).split())


def said_by(reader, path):
    answer = reader.get(path)
    assert answer.status_code == 200, path
    assert answer["Content-Type"] == "application/json"
    return json.loads(answer.content)


def links_of(answer):
    found = re.findall(r'href="(/[^"#]*)', answer.content.decode())
    return sorted({html.unescape(each) for each in found if not each.startswith("/static")})


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_small_and_asks_little(reader, path):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    # The first explanation of a run reads all of its facts, and the first page of a kind what is
    # derived once until the next fact; whoever comes then, as for another page, has them.
    first = f"{path}{'&' if '?' in path else '?'}first=1"
    for each in (f"/players/5/changes/{STANDARD}/2026-02-01", first):
        reader.get(each)
    with CaptureQueriesContext(connection) as asked:
        answer = reader.get(path)
    assert answer.status_code == 200
    assert len(answer.content) < 150_000
    assert len(asked) <= 12, "\n".join(each["sql"] for each in asked)
    text = answer.content.decode()
    assert len(re.findall(r"<h1[ >]", text)) == 1
    assert not re.search(r"\sstyle=|<script(?![^>]*src)", text)


@pytest.mark.parametrize("path", PAGES)
def test_what_a_page_links_to_is_there(reader, path):
    for each in links_of(reader.get(path)):
        assert reader.get(each).status_code in (200, 302), each


@pytest.mark.parametrize("path", PAGES)
def test_names_are_text_and_birth_dates_are_nowhere(reader, path):
    bodies = [reader.get(path).content.decode()]
    base, _, query = path.partition("?")
    for form in ("json", "csv"):
        answer = reader.get(f"{base if base != '/' else '/home'}.{form}?{query}")
        bodies += [answer.content.decode()] if answer.status_code == 200 else []
    assert len(bodies) > 1
    for body in bodies:
        for *_, born, _ in PEOPLE.values():
            assert born not in body
            assert f"{born[:4]}-" not in body
    assert "<b>Bravo" not in bodies[0]
    assert "<i>Open" not in bodies[0]
    assert "Golf" not in "".join(bodies)


def test_a_player_is_found_by_any_spelling_script_and_number(reader):
    def found(query):
        answer = reader.get("/search.json", {"q": query})
        return [each["id"] for each in json.loads(answer.content)["players"]]

    assert found("Alpha, Anna") == found("anna alpha") == found("alph") == [1]
    assert found("Zeljko") == found("Željko Zeta") == found("Желько") == [4]
    assert found("Крис") == found("Kris Charli") == [3]
    assert found("王小明") == found("Wang Xiaoming") == [5]
    assert found("Bravo") == [2]
    assert found("Nobody") == found("Golf") == []
    assert reader.get("/search?q=703")["Location"] == "/players/3"
    assert reader.get("/search?q=6")["Location"] == "/players/6"
    assert reader.get("/search?q=799")["Location"] == "/players/1"
    assert said_by(reader, "/search.json?club=Harbour")["players"][0]["name"] == "Alpha, Anna"


# FIDE's table 8.1a: 42 % (2½ of 6) is worth −57, 58 % (3½ of 6) 57; 1706.67 is rounded to 1707,
# and 1708.5 to 1709.
WINTER_AGAINST = {1: ((1990, 1800, 1700, 1600, 1500, 1650), "1706.7", 1707 - 57),
                  2: ((2001, 1800, 1700, 1600, 1500, 1650), "1708.5", 1709 + 57)}  # fmt: skip
"""Of persons: the ratings with which their opponents came in, and what FIDE makes of them."""


@pytest.mark.parametrize("person", WINTER_AGAINST)
def test_a_result_tells_whom_the_player_met_and_the_performance(reader, person):
    ratings, rounded, performance = WINTER_AGAINST[person]
    average = sum(ratings) / len(ratings)
    results = said_by(reader, f"/players/{person}.json")["results"]
    winter = next(each for each in results if each["key"] == "2026-02-01")
    assert winter["average"] == pytest.approx(average)
    assert winter["performance"] == performance
    rows = csv.DictReader(io.StringIO(reader.get(f"/players/{person}.csv").content.decode()))
    said = next(row for row in rows if row["date"] == "2026-02-01")
    assert float(said["performance"]) == performance
    text = text_of(reader.get(f"/players/{person}"))
    assert f"{rounded} {performance}" in text
    line = next(each for each in said_by(reader, f"/events/{WINTER}.json")["section"]["lines"]
                if each["person"] == person)  # fmt: skip
    assert (line["average"], line["performance"]) == (winter["average"], winter["performance"])
    assert f"{rounded} {performance}" in text_of(reader.get(f"/events/{WINTER}"))
    explained = said_by(reader, f"/players/{person}/changes/{STANDARD}/2026-02-01.json")
    assert explained["average"] == winter["average"]
    assert explained["performance"] == winter["performance"]


def test_a_forfeit_counts_for_no_performance(reader):
    """Chris won against Željko, who did not come: five games, all drawn."""
    lines = said_by(reader, f"/events/{SPRING}.json")["section"]["lines"]
    before = {each["person"] or 7: each["before"] for each in lines}
    chris = next(each for each in lines if each["person"] == 3)
    met = [before[each] for each in (1, 2, 5, 6, 7)]
    assert chris["average"] == pytest.approx(sum(met) / 5)
    assert chris["performance"] == round(sum(met) / 5)


def test_every_performance_is_that_of_the_rules(world):
    from ratingbook.office.acts.explain import derived
    from ratingbook.office.acts.setup import open_office
    from ratingbook.site.shown import player, pools
    from ratingbook.site.shown.persons import identity

    home = open_office(world.folder)
    in_force = pools.published()
    compared = 0
    for person in range(1, 7):
        for each in player.results(identity(person)):
            made = derived(home, in_force[each.pool_number].run, person, each.key)[
                -1
            ].row.performance
            assert each.performance == made
            assert (made is None) == (each.pool == GO)
            # In Go everybody comes as 3k, which is 1800.
            assert each.average == 1800 if each.pool == GO else each.average is not None
            compared += 1
    assert compared == 18


def test_events_and_clubs_are_found(reader):
    found = said_by(reader, "/search.json?q=winter")
    assert [each["report"] for each in found["events"]] == [WINTER]
    assert said_by(reader, "/search.json?q=harb")["clubs"] == [["Harbour", 6]]


@pytest.mark.parametrize("query", ["", "%", "'; DROP TABLE x; --", "<script>", "x" * 9999])
def test_whatever_is_looked_for_is_answered(reader, query):
    answer = reader.get("/search", {"q": query})
    assert answer.status_code == 200
    assert "<script>" not in answer.content.decode().replace("<script defer", "")


def test_no_text_has_a_nul(reader):
    """PostgreSQL takes none."""
    assert reader.get("/search", {"q": "A\x00"}).status_code == 400
    answer = reader.get("/api/v1/players", {"q": "A\x00"})
    assert answer.status_code == 400
    told = json.loads(answer.content)
    assert "NUL" in told["detail"]
    assert told["findings"][0]["remedy"] == "Write it without."


def test_a_host_that_is_not_allowed_is_named_with_the_place_to_allow_it(reader, caplog):
    """To who asks and, once for each, to who runs the site; of other names nothing is said."""
    errors.hosts_told.clear()
    for _ in range(2):
        answer = reader.get("/api/v1/pools", headers={"host": "evil.example"})
    assert answer.status_code == 400
    told = json.loads(answer.content)
    assert [each["code"] for each in told["findings"]] == ["site.host"]
    assert "evil.example" in told["detail"]
    assert "RATINGBOOK_HOSTS" in told["findings"][0]["remedy"]
    page = reader.get("/", headers={"host": "evil<b>.example"})
    assert page.status_code == 400
    assert "RATINGBOOK_HOSTS" in text_of(page)
    assert "<b>" not in page.content.decode()
    for allowed in ("localhost", "127.0.0.1"):
        assert allowed not in answer.content.decode()
    logged = [each.getMessage() for each in caplog.records if each.name == "ratingbook.site"]
    assert len(logged) == 2
    assert "'evil.example'" in logged[0]
    assert "RATINGBOOK_HOSTS" in logged[0]
    assert "office.json" in logged[0]


def test_hosts_without_end_do_not_fill_the_log(reader, caplog):
    errors.hosts_told.clear()
    for number in range(errors.MOST_HOSTS + 5):
        reader.get("/status.json", headers={"host": f"h{number}.example"})
    logged = [each for each in caplog.records if each.name == "ratingbook.site"]
    assert len(logged) == errors.MOST_HOSTS


def test_a_player_reads_the_sentence_first_and_every_number_adds_up(reader):
    text = text_of(reader.get("/players/1"))
    assert text.index("standard ") < text.index("Official")
    said = said_by(reader, "/players/1.json")
    pools = {each["pool"]: each for each in said["pools"]}
    assert set(pools) == {"standard", "go"}
    assert (pools["standard"]["by_lists"], pools["go"]["by_lists"]) == (True, False)
    assert pools["standard"]["list_day"] == "2026-04-01"
    assert pools["standard"]["list_revision"] == 2
    # She came in with her highest.
    assert (pools["standard"]["peak"], pools["standard"]["peak_day"]) == (2001, None)
    assert said["ids"] == [["national", "701"], ["national", "799"]]
    results = said["results"]
    assert [each["key"] for each in results] == ["2026-03-01", "2026-02-01"]
    assert results[1]["before"] == 2001
    for each in results:
        assert each["before"] + each["change"] == each["after"]
    assert results[0]["before"] == results[1]["after"]
    assert pools["standard"]["official"] == results[0]["after"]
    # All draws but the game that she lost to Ben: 2½ points in six games.
    assert (results[1]["games"], results[1]["score"]) == (6, 2.5)
    assert [each["name"] for each in results[1]["events"]] == ["Winter Open"]


def test_what_was_corrected_is_marked_with_what_was_published_first(reader):
    said = said_by(reader, "/players/1.json")
    last, first = said["results"]
    # One point in one game, times K = 20.
    assert first["first"] - first["after"] == 20
    assert first["corrections"] == [1]
    assert last["first"] > last["after"]
    assert [each["number"] for each in said["corrections"]] == [1]
    page = reader.get("/players/1").content.decode()
    assert 'class="was"' in page
    assert 'class="diamond"' in page
    assert 'role="img"' in page


def test_a_pool_has_the_corrections_that_reached_it(reader):
    """The one of the chess pool stands beside no ratings of Go."""
    for name, numbers in (("standard", [1]), ("go", [])):
        said = said_by(reader, f"/players/1.json?pool={name}")
        assert [each["number"] for each in said["corrections"]] == numbers
        page = reader.get(f"/players/1?pool={name}").content.decode()
        assert ("Corrections that reached these ratings" in page) == bool(numbers)
    assert "viewBox" not in page.partition('class="plot"')[2].partition("</figure>")[0]


def test_the_graph_has_its_table(reader):
    page = reader.get("/players/1?pool=go")
    said = said_by(reader, "/players/1.json?pool=go")
    table = page.content.decode().partition("The graph as a table")[2].partition("</table>")[0]
    for row in said["history"]["rows"]:
        assert f"{row['after']:.3f}" in table


def test_a_merged_player_is_the_one_that_is_left(reader):
    assert reader.get("/players/8")["Location"] == "/players/1"
    assert reader.get("/players/8.json")["Location"] == "/players/1.json"


@pytest.mark.parametrize("path", ["/players/1", "/events", "/statistics"])
@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_file_of_a_pool_that_there_is_not_is_refused(reader, path, form):
    """Without rows, or with those of another pool, a program would take it for what it asked."""
    answer = reader.get(f"{path}.{form}?pool=nowhere")
    assert answer.status_code == 404
    assert "There is no pool “nowhere”." in html.unescape(answer.content.decode())
    assert reader.get(f"{path}.{form}?pool=standard").status_code == 200


def test_results_as_csv(reader):
    rows = list(csv.DictReader(io.StringIO(reader.get("/players/1.csv").content.decode())))
    assert [row["pool"] for row in rows] == ["standard", "standard", "go"]
    assert rows[0]["events"] == "Winter Open"


def test_a_chosen_pool_is_that_of_the_foot_and_of_the_files(reader):
    for pool, count in (("standard", 2), ("go", 1)):
        said = said_by(reader, f"/players/1.json?pool={pool}")
        (own,) = (each for each in said["pools"] if each["pool"] == pool)
        page = reader.get(f"/players/1?pool={pool}").content.decode()
        assert f"Rated by {own['rulebook']}, with ratingbook" in page
        assert f'href="/players/1.csv?pool={pool}"' in page
        text = reader.get(f"/players/1.csv?pool={pool}").content.decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [row["pool"] for row in rows] == [pool] * count


def test_an_explanation_goes_from_the_sentence_to_the_published_number(reader):
    path = f"/players/1/changes/{STANDARD}/2026-02-01"
    said, text = said_by(reader, f"{path}.json"), text_of(reader.get(path))
    sentence = "".join(part["text"] for part in said["sentence"])
    assert re.sub(r"\s", "", sentence) in re.sub(r"\s", "", text)
    # By the table of B.02: 0.52 + 0.76 + 0.85 + 0.92 (400 points at most) + 0.92 + 0.89.
    assert said["expected"] == pytest.approx(4.86)
    assert "From 6 rated games" in sentence
    assert "2½ came" in sentence
    assert "The loss to" in sentence
    assert said["sum"][-1]["result"] == f"{said['after']:.0f}"
    assert said["paragraphs"][-1]["result"] == f"{said['after']:.0f}"
    assert sum(game["expected"] for game in said["games"]) == pytest.approx(said["expected"])
    assert [game["opponent"] for game in said["games"]] == [2, 3, 4, 5, 6, 7]
    assert [game["rating"] for game in said["games"]] == [1990, 1800, 1700, 1600, 1500, 1650]
    assert said["games"][0]["result"] == "0"
    assert said["games"][0]["name"] == MARKUP
    assert "FIDE" in text or "B.02" in text
    assert said["differs"] == ""


def test_an_explanation_tells_what_changed_since(reader):
    said = said_by(reader, f"/players/1/changes/{STANDARD}/2026-02-01.json")
    before, change, after = said["since"]
    assert before["first"] == before["now"] == 2001
    assert change["first"] - change["now"] == 20
    assert (after["in_all"], after["brought"], after["here"]) == (-20, 0, -20)
    text = text_of(reader.get(f"/players/1/changes/{STANDARD}/2026-02-01"))
    assert "In all −20: ±0 brought along, −20 here." in text


def test_an_unrated_game_stands_in_its_place_with_the_reason(reader):
    said = said_by(reader, f"/players/3/changes/{STANDARD}/2026-03-01.json")
    reasons = {game["opponent"]: game["why_unrated"] for game in said["games"]}
    assert reasons.pop(4) == "forfeit, not rated"
    assert set(reasons.values()) == {""}
    assert said["rated_games"] == 5


def test_why_a_k_is_what_it_is_betrays_no_age(reader):
    reasons = set()
    for person, k in ((1, "20"), (6, "40")):
        path = f"/players/{person}/changes/{STANDARD}/2026-02-01"
        said, body = said_by(reader, f"{path}.json"), reader.get(path).content.decode()
        told = [each for each in said["paragraphs"] if each["result"] == f"K = {k}"]
        assert len(told) == 1
        reasons.add(told[0]["said"][0].replace(k, ""))
        assert "junior: " not in body
        assert "born in" not in body
    assert reasons == {"K = : why is known to the player and the office"}


def test_go_is_explained_by_its_event(reader):
    said = said_by(reader, "/players/1.json?pool=go")
    path = f"/players/1/changes/{GO}/{said['results'][0]['key']}"
    page = said_by(reader, f"{path}.json")
    assert (page["by_lists"], page["name_of_k"]) == (False, "con")
    assert page["after"] == said["results"][0]["after"]
    assert [each["name"] for each in page["events"]] == ["Club Night"]
    assert reader.get(path).status_code == 200


def test_a_cross_table_in_each_notation(reader):
    def cells(notation):
        said = said_by(reader, f"/events/{WINTER}.json?notation={notation}")
        lines = said["section"]["lines"]
        number = {each["person"]: each["number"] for each in lines}
        anna = next(each for each in lines if each["person"] == 1)
        return number[2], anna["cells"][0][0]["text"]

    ben, text = cells("us-chess")
    assert text == f"L {ben}"
    assert cells("go")[1] == f"{ben}-/w0"
    assert cells("trf")[1] == f"{ben} w 0"
    assert cells("icu")[1] == "0"
    assert cells("grid")[1] == f"{ben} w 0"
    assert cells("unheard of")[1] == f"{ben} w 0"
    aga = said_by(reader, f"/events/{NIGHT}.json?notation=aga")["section"]["aga"]
    assert len(aga) == 2  # The other games are drawn.
    assert all(re.fullmatch(r"\d+ \d+ [wb] 0 0", line) for line in aga)


def test_an_event_has_its_numbers_its_source_and_its_correction(reader):
    said = said_by(reader, f"/events/{WINTER}.json")
    lines = {each["person"]: each for each in said["section"]["lines"]}
    player = said_by(reader, "/players/1.json")["results"][1]
    for key in ("before", "after", "change"):
        assert lines[1][key] == player[key]
    # What each lost the other won: Anna and Ben had one point apart from each other's game.
    assert (lines[1]["points"], lines[2]["points"]) == (2.5, 3.5)
    assert lines[7]["name"] == "Player 7"
    assert [each["number"] for each in said["corrections"]] == [1]
    from ratingbook.office.store import models as m

    one = m.ReportVersion.objects.filter(report=said["report"]).latest("number")
    assert said["sha256"] == one.document_sha256 != one.blob_id
    spring = said_by(reader, f"/events/{SPRING}.json")["section"]["lines"]
    forfeits = [c for line in spring for cell in line["cells"] for c in cell if not c["is_rated"]]
    assert {each["result"] for each in forfeits} == {"+", "−"}


def test_events_by_year_and_pool(reader):
    def found(query):
        return [each["report"] for each in said_by(reader, f"/events.json?{query}")["rows"]]

    assert found("") == [NIGHT, SPRING, WINTER]
    assert found("pool=go") == [NIGHT]
    assert found("year=2025") == []
    assert found("year=99999999&page=0") == [NIGHT, SPRING, WINTER]
    rows = list(
        csv.DictReader(io.StringIO(reader.get("/events.csv?pool=standard").content.decode()))
    )
    assert [row["name"] for row in rows] == ["Spring <i>Open</i>", "Winter Open"]
    assert [row["list"] for row in rows] == ["2026-03-01", "2026-02-01"]


def test_the_first_page_has_what_came_last(reader):
    said = said_by(reader, "/home.json")
    assert [(each["pool"], each["revision"]) for each in said["lists"]] == [
        ("standard", 2), ("go", 1),
    ]  # fmt: skip
    assert said["events"][0]["report"] == NIGHT
    assert said["corrections"][0]["number"] == 1


@pytest.mark.parametrize(
    "path",
    ["/players/99", "/players/99.json", "/events/99", f"/players/1/changes/{STANDARD}/1999-01-01",
     "/players/1/changes/none/2026-02-01", "/players/99/changes/standard/2026-02-01"],
)  # fmt: skip
def test_what_is_not_there_is_said_in_words(reader, path):
    answer = reader.get(path)
    assert answer.status_code == 404
    assert "There is no" in answer.content.decode() or "Nothing of" in answer.content.decode()


def test_an_empty_office_has_its_pages_too(browser):
    for path in ("/", "/players", "/search?q=x", "/events"):
        assert browser.get(path).status_code == 200


def test_no_two_lines_of_a_graph_have_the_same_number():
    from datetime import date

    from django.utils.translation import override

    from ratingbook.site.shown.charts import Point, stair

    for decimals, value in ((0, 1509.0), (3, 1807.502)):
        with override("en"):
            point = Point(date(2026, 1, 10), value, decimals)
            shown = stair([point], point, point, date(2026, 3, 1))
        numbers = [f"{float(each.text):.{decimals}f}" for each in shown.grid]
        assert len(numbers) == len(set(numbers)) >= 2


def test_what_follows_from_age_is_for_the_player_and_the_office(world):
    from ratingbook.office.acts import setup
    from ratingbook.site.shown.explanations import View, explanation

    setup.open_office(world.folder)

    def reasons(view):
        shown = explanation(6, STANDARD, "2026-02-01", view)
        return [said for each in shown.paragraphs for said in each.said if said.startswith("K")]

    assert reasons(View.public) != reasons(View.player) == reasons(View.office)
    assert not any("age" in said or "18" in said for said in reasons(View.public))


def test_expected_scores_stand_beside_what_was_scored(reader):
    results = said_by(reader, "/players/1.json")["results"]
    derived = said_by(reader, f"/players/1/changes/{STANDARD}/2026-02-01.json")
    own = next(each for each in results if each["key"] == "2026-02-01")
    assert own["expected"] == pytest.approx(derived["expected"])
    said = said_by(reader, f"/events/{WINTER}.json")["section"]["lines"]
    line = next(each for each in said if each["person"] == 1)
    assert line["expected"] == pytest.approx(derived["expected"])
    assert "Exp." in text_of(reader.get(f"/events/{WINTER}"))


@pytest.mark.parametrize("path", ["/search?q=%00", "/search?club=a%00b", "/events?year=%00",
                                  "/lists/a%00b/2026-01-01", "/statistics?pool=%00",
                                  "/players/1/changes/standard/a%00b",
                                  "/rules/elo?x=%00"])  # fmt: skip
def test_what_no_database_takes_is_no_fault_of_ours(reader, path):
    assert reader.get(path).status_code < 500
    assert reader.post("/account/sign-in/", {"login": "a\0", "password": "b"}).status_code < 500


@pytest.mark.parametrize(
    "path", ["/players/{}", "/players/{}.json", "/players/{}.csv", "/events/{}", "/events/{}.json",
             "/players/{}/changes/standard/2026-02-01", "/players/1/changes/{}/2026-02-01"],
)  # fmt: skip
@pytest.mark.parametrize("number", ["9" * 20, "²", "٣", "0"])
def test_of_a_number_that_nobody_has_there_is_no_page(reader, path, number):
    assert reader.get(path.format(number)).status_code == 404


def test_every_address_is_encoded_where_a_pool_has_spaces_and_signs(office):
    """All pages that lead on from the home page, within a pool of such a name."""
    m.Pool.objects.filter(name="club").update(name="Blitz & co; +1")
    client, seen, waiting = nobody(), set(), ["/", "/statistics", "/players/1", "/events"]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = client.get(path)
        text = answer.content.decode()
        assert answer.status_code == 200, path
        found = [html.unescape(each) for each in re.findall(r'(?:href|action)="([^"]*)"', text)]
        assert [each for each in found if re.search(r"[\s<>]", each)] == [], path
        # What leads on is of lists, and no file of one.
        waiting += [
            each
            for each in found
            if re.fullmatch(r"/lists/Blitz[^?.]*(?<!zip)", each) and "/files/" not in each
        ]
    assert any(path.endswith("/files") for path in seen)
