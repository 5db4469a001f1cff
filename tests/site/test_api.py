"""The API: what the pages show, as data; parts, forms, marks, problems, and nothing private."""

from __future__ import annotations

import csv
import io
import json
import re

import pyarrow as pa
import pytest

import ratingbook as rb
from tests.site.world import PEOPLE

PUBLIC = [
    "/pools", "/lists", "/lists/standard/2026-04-01", "/lists/standard/2026-04-01/rows",
    "/lists/standard/2026-04-01/changes", "/lists/standard/2026-04-01/files", "/players?q=alpha",
    "/players/1", "/players/1/results", "/players/1/history", "/players/7",
    "/players/1/changes/standard/2026-03-01", "/players/3/changes/standard/2026-03-01",
    "/players/1/lists/1", "/players/1/why?pool=standard", "/players/7/why?pool=standard",
    "/events", "/events/1",
    "/lists/1", "/lists/standard@2026-04-01", "/corrections/1/entry", "/corrections/1/numbers",
    "/events/1/sections/0", "/events/2/sections/0?notation=trf", "/corrections", "/corrections/1",
    "/corrections/1/players", "/rules", "/rules/fide-2024", "/rules/fide",
    "/rules/fide-2024/paragraphs", "/rules/fide-2024/parameters", "/rules/fide-2024/examples/1",
    "/whatif?o1=1500&r1=1&player=2", "/expected?rulebook=fide-2024&rating=1700&opponent=1500",
    "/statistics", "/downloads", "/status",
]  # fmt: skip


@pytest.fixture(autouse=True)
def often():
    """No test asks too often for those before it."""
    from django.core.cache import cache

    cache.clear()


def said(client, path, status=200, **headers):
    answer = client.get(f"/api/v1{path}", headers=headers)
    assert answer.status_code == status, answer.content[:800]
    return json.loads(answer.content)


def test_it_describes_itself(reader):
    found = said(reader, "/openapi.json")
    assert found["openapi"].startswith("3.1")
    assert found["paths"]["/api/v1/reports"]["post"]["security"] == [{"token": []}]
    assert "head" not in found["paths"]["/api/v1/players/{person}"]
    page = reader.get("/api").content.decode()
    assert "<code>/api/v1/players/{person}</code>" in page


def test_all_of_it_is_there_and_nothing_private(reader):
    """Birth dates, contacts, who acted, and whoever is suppressed stand in no answer."""
    private = [born for _, _, born, _ in PEOPLE.values()]
    private += ["tina", "Golf, Gus", 'birth_date": "1']
    for path in PUBLIC:
        answer = reader.get(f"/api/v1{path}")
        assert answer.status_code == 200, (path, answer.content[:500])
        text = answer.content.decode()
        assert [each for each in private if each in text] == [], path
        assert "1966" not in text, path
    assert said(reader, "/players/7")["name"] == "Player 7"


def test_numbers_are_those_of_the_pages(reader):
    rows = said(reader, "/lists/standard/2026-04-01/rows")["items"]
    page = json.loads(reader.get("/lists/standard/2026-04-01.json").content)
    assert rows == page["lines"]
    assert said(reader, "/players/1") == json.loads(reader.get("/players/1.json").content)


def test_parts_of_a_table_are_all_of_it(reader):
    whole = said(reader, "/lists/standard/2026-04-01/rows")
    assert whole["next"] is None
    found, path = [], "/lists/standard/2026-04-01/rows?limit=3"
    answer = reader.get(f"/api/v1{path}")
    while True:
        part = json.loads(answer.content)
        assert len(part["items"]) <= 3
        found += part["items"]
        if part["next"] is None:
            assert "Link" not in answer
            break
        address, _, relation = answer["Link"].partition("; ")
        assert relation == 'rel="next"'
        answer = reader.get(address.strip("<>"))
    assert found == whole["items"]
    assert len(found) == len(PEOPLE)


@pytest.mark.parametrize(
    "cursor", ["x", "WzEsMV0", "WzEsIFsx", "bnVsbA", "WyJhIiwxXQ", "Wzk5OSwxXQ"]
)
def test_a_cursor_of_something_else_is_refused(reader, cursor):
    told = said(reader, f"/events?cursor={cursor}", 400)
    assert told["status"] == 400


def test_what_comes_first_meanwhile_gives_nothing_twice(rf_request):
    from ratingbook.site.answers import Table
    from ratingbook.site.api.answers import Paging, parts

    rows = [3, 2, 1]

    def part(cursor):
        answer = parts(
            rf_request, Paging(format=None, limit=2, cursor=cursor),
            lambda at, n: rows[at : at + n], lambda each: each,
            lambda some: Table(["n"], [[each] for each in some]),
        )  # fmt: skip
        return answer.status_code, json.loads(answer.content)

    _, first = part("")
    assert first["items"] == [3, 2]
    rows.insert(0, 4)
    assert part(first["next"]) == (200, {"items": [1], "next": None})
    rows[:] = [4, 3]
    assert part(first["next"])[0] == 400


@pytest.fixture
def rf_request(empty):
    from django.test import RequestFactory

    return RequestFactory().get("/api/v1/x")


def test_every_form_has_the_same_numbers(reader):
    path = "/api/v1/lists/standard/2026-04-01/rows"
    rows = json.loads(reader.get(path).content)["items"]
    text = reader.get(path, headers={"accept": "text/csv"})
    assert text["Content-Type"].startswith("text/csv")
    by_csv = list(csv.DictReader(io.StringIO(text.content.decode())))
    answer = reader.get(f"{path}?format=arrow")
    assert answer["Content-Type"] == "application/vnd.apache.arrow.stream"
    table = pa.ipc.open_stream(answer.content).read_all()
    assert [each["rating"] for each in rows] == table["rating"].to_pylist()
    assert [float(each["rating"]) for each in by_csv] == table["rating"].to_pylist()
    assert len(reader.get(f"{path}?format=csv&limit=2").content.splitlines()) == 3


def test_a_published_list_is_not_sent_twice(reader):
    path = "/api/v1/lists/standard/2026-04-01/rows"
    first = reader.get(path)
    again = reader.get(path, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    as_csv = {"if-none-match": first["ETag"], "accept": "text/csv"}
    assert reader.get(path, headers=as_csv).status_code == 200
    known = {"if-none-match": reader.get("/api/v1/events")["ETag"]}
    assert reader.get("/api/v1/events", headers=known).status_code == 304


@pytest.mark.parametrize(("path", "status"), [
    ("/nowhere", 404), ("/players/987654", 404), ("/lists/standard/2020-01-01", 404),
    ("/events/987654", 404), ("/rules/none", 404), ("/players/1/changes/none/x", 404),
    ("/expected?rulebook=fide-2024&rating=1700&opponent=1500&handicap=3", 422),
    ("/expected?rulebook=egf-2021&rating=1700&opponent=1500&handicap=10", 422),
    ("/events?year=x", 422), ("/events?limit=0", 422), ("/expected?rulebook=fide", 422),
    ("/expected?rulebook=fide-2024&rating=-1&opponent=1500", 422),
    ("/expected?rulebook=uscf-2025&rating=10000&opponent=0", 422),
    ("/expected?rulebook=egf-2021&rating=10000&opponent=-10000", 422),
    ("/expected?rulebook=fide-2024&rating=nan&opponent=1500", 422),
    ("/players/1?format=csv", 422), ("/status?format=arrow", 422), ("/status?format=json&x=1", 422),
    ("/lists/standard/2026-04-01?format=csv", 422), ("/players?q=%00", 400),
    ("/events/1/sections/9", 404), ("/lists/standard/2026-02-30", 404), ("/reports", 401),
])  # fmt: skip
def test_what_cannot_be_answered_is_a_problem(reader, path, status):
    answer = reader.get(f"/api/v1{path}")
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    told = json.loads(answer.content)
    assert told["status"] == status
    assert told["title"]
    assert told["detail"]


@pytest.mark.parametrize("path", [
    "players?q=a&q=b", "events?limit=1&limit=2", "whatif?rulebook=elo&rating=1500&rating=1600",
])  # fmt: skip
def test_what_is_said_twice_is_not_left_out(reader, path):
    answer = reader.get(f"/api/v1/{path}")
    assert answer.status_code == 422
    assert [each["code"] for each in answer.json()["findings"]] == ["site.said-twice"]


@pytest.mark.parametrize("number", ["NaN", "inf", "-Infinity"])
def test_what_is_no_number_is_not_called_too_large(reader, number):
    told = reader.get(f"/api/v1/expected?rulebook=fide-2024&rating={number}&opponent=1500").json()
    (finding,) = told["findings"]
    assert "finite number" in finding["message"]
    assert "10000" not in str(told)


def test_what_is_not_there_says_so_as_data(reader):
    refused = reader.delete("/api/v1/players/1")
    assert refused.status_code == 405
    assert refused["Allow"] == "GET, HEAD"
    assert refused["Content-Type"] == "application/problem+json"
    assert reader.get("/api/v1/events", headers={"accept": "image/png"}).status_code == 406
    assert reader.head("/api/v1/players/1").status_code == 200


@pytest.mark.parametrize("path", ["/pools", "/lists/standard/2026-04-01/rows", "/whatif?o1=1500"])
def test_what_is_asked_about_has_the_mark_of_what_is_given(reader, path):
    mark = reader.get(f"/api/v1{path}")["ETag"]
    head = reader.head(f"/api/v1{path}")
    assert (head.status_code, head["ETag"], head.content) == (200, mark, b"")
    known = reader.head(f"/api/v1{path}", headers={"if-none-match": mark})
    assert (known.status_code, known["ETag"]) == (304, mark)


WRONG = {
    "/pools?x=1": ("site.unknown-field", "query.x"),
    "/events?year=x": ("site.bad-value", "query.year"),
    "/lists/standard/2026-04-01/rows?sex=q": ("site.unknown-value", "query.sex"),
    "/lists/standard/2026-04-01/rows?club=x": ("site.not-on-list", "query.club"),
    "/whatif?player=x": ("site.bad-value", "query.player"),
    "/whatif?o1=1500&r1=1&rating=1800&games=-3": ("site.bad-field", ""),
    "/whatif?o1=1500&r1=1&rating=-5&rulebook=fide-2024": ("", ""),
    "/expected?rulebook=fide-2024&rating=1&opponent=1&handicap=1": ("site.no-handicaps", ""),
}


@pytest.mark.parametrize("path", WRONG)
def test_what_is_wrong_with_a_question_has_the_form_of_all_findings(reader, path):
    told = said(reader, path, 422)
    keys = {"code", "severity", "message", "where", "remedy", "count", "places"}
    code, where = WRONG[path]
    assert {frozenset(each) for each in told["findings"]} == {frozenset(keys)}
    for each in told["findings"]:
        assert each["code"] == code or (not code and each["code"])
        assert each["where"] == ({"path": where} if where else {})
        assert (each["severity"] in ("error", "fatal"), bool(each["remedy"])) == (True, True)
        assert each["message"] in told["detail"] or len(told["findings"]) > 1
    assert told.keys() == {"type", "title", "status", "detail", "findings"}
    problem = said(reader, "/openapi.json")["components"]["schemas"]["Problem"]
    assert told.keys() == problem["properties"].keys()


def test_what_bounds_a_number_is_told_in_the_words_of_json_schema(reader):
    described = said(reader, "/openapi.json")
    assert re.findall(r'"(?:ge|le|gt|lt)"', json.dumps(described)) == []
    of = {each["name"]: each["schema"]
          for each in described["paths"]["/api/v1/events"]["get"]["parameters"]}  # fmt: skip
    for name, bounds in {"year": (1000, 9999), "limit": (1, 1000)}.items():
        (number,) = [each for each in of[name]["anyOf"] if each["type"] == "integer"]
        assert (number["minimum"], number["maximum"]) == bounds
    of = {each["name"]: each["schema"]
          for each in described["paths"]["/api/v1/expected"]["get"]["parameters"]}  # fmt: skip
    assert (of["rating"]["minimum"], of["rating"]["maximum"]) == (-10_000, 10_000)


def test_a_pool_goes_by_its_name_everywhere(reader):
    described, wrong = said(reader, "/openapi.json"), []
    for name, schema in described["components"]["schemas"].items():
        wrong += [
            (name, key) for key, of in schema.get("properties", {}).items()
            if key in ("pool_number", "pool_name") or (key == "pool" and of["type"] != "string")
        ]  # fmt: skip
    for path, item in described["paths"].items():
        wrong += [
            path for each in item.get("get", {}).get("parameters", ())
            if each["name"] == "pool" and not path.endswith("/whatif")
            and (each["schema"]["type"], "name" in each["description"]) != ("string", True)
        ]  # fmt: skip
    assert wrong == []
    known = {each["name"] for each in said(reader, "/pools")}
    for path in ("/events", "/players/1/results"):
        text = reader.get(f"/api/v1{path}?format=csv").content.decode()
        in_csv = [each["pool"] for each in csv.DictReader(io.StringIO(text))]
        assert in_csv == [each["pool"] for each in said(reader, path)["items"]]
        assert {*in_csv} <= known
    assert {each["pool"] for each in said(reader, "/events?pool=go")["items"]} == {"go"}


def test_values_of_several_kinds_are_the_same_text_in_every_file(reader):
    path = "/api/v1/rules/fide-2024/parameters?format="
    by_csv = list(csv.DictReader(io.StringIO(reader.get(f"{path}csv").content.decode())))
    table = pa.ipc.open_stream(reader.get(f"{path}arrow").content).read_all()
    assert [x["value"] for x in by_csv] == table["value"].to_pylist()
    assert {"true", "false"} & {x["value"] for x in by_csv}


@pytest.mark.parametrize("score", ["½", "draw", "=", "d", "1/2", "0,5", " 0.5 "])
def test_a_score_is_read_as_the_command_reads_it(reader, score):
    from urllib.parse import quote

    of = "/whatif?rulebook=egf-2021&rating=1800&o1=1800&r1="
    assert said(reader, f"{of}{quote(score)}") == said(reader, f"{of}0.5")


def test_a_change_has_no_more_decimals_than_the_ratings(reader):
    found = said(reader, "/whatif?rulebook=egf-2021&rating=1800&o1=1800&r1=1")["answer"]
    changes = [found["change"], *(each["change"] for each in found["by_points"])]
    assert [each for each in changes if each != round(each, 3)] == []
    assert round(1800 + found["change"], 3) == found["after"]
    assert any(each != round(each) for each in changes)


def test_what_being_active_parts_a_list_by_is_described(reader):
    described = said(reader, "/openapi.json")["paths"]["/api/v1/lists/{pool}/{day}/rows"]["get"]
    (told,) = [x["description"] for x in described["parameters"] if x["name"] == "active"]
    assert "only the others" in told


def test_who_asks_too_often_waits(reader, monkeypatch):
    from django.conf import settings

    monkeypatch.setattr(settings, "RATINGBOOK_RATES", {"address": 2, "token": 2})
    monkeypatch.setattr("ratingbook.site.api.limits.time.time", lambda: 1_000_020.0)
    answers = [reader.get("/api/v1/pools") for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    # The minute that began at 1,000,020 - 1,000,020 % 60 = 1,000,020.
    assert answers[2]["Retry-After"] == "61"
    assert json.loads(answers[2].content)["status"] == 429
    monkeypatch.setattr("ratingbook.site.api.limits.time.time", lambda: 1_000_081.0)
    assert reader.get("/api/v1/pools").status_code == 200
    assert reader.get("/api/v1/pools", REMOTE_ADDR="10.1.1.1").status_code == 200


@pytest.mark.parametrize(
    ("path", "known"),
    [("/events?yaer=2026", "cursor, format, limit, pool, year"), ("/pools?x=1", "format"),
     ("/players?query=anna", "club, format, q")],
)  # fmt: skip
def test_a_mistyped_filter_is_refused_and_those_that_there_are_are_named(reader, path, known):
    answer = reader.get(f"/api/v1{path}")
    assert answer.status_code == 422
    told = json.loads(answer.content)
    assert path.partition("?")[2].partition("=")[0] in told["detail"]
    assert known in told["detail"]


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("/lists/standard/2026-04-01/rows?sex=q", "sex: There is F, M."),
        ("/lists/standard/2026-04-01/rows?title=Grand", "GM"),
        ("/lists/standard/2026-04-01/rows?club=x", "club: This list does not say it."),
        ("/events/1/sections/0?notation=xx", "notation: There is grid, "),
        ("/whatif?rulebook=fide-2024&rating=1800&o1=1500&r1=9", "r1: There is 1, 0.5, 0, ?."),
        ("/whatif?rulebook=fide-2024&rating=1800&o1=1500&r1=1&h1=2", "asked for by h1."),
        ("/whatif?rulebook=egf-2021&rating=1800&o1=1500&r1=1&class=E", "class: There is A, "),
        ("/expected?rulebook=fide&rating=1700&opponent=1500&day=0", "day: a day is written as"),
    ],
)
def test_what_nobody_knows_is_refused_and_what_there_is_is_named(reader, path, known):
    assert known in said(reader, path, 422)["detail"]


def test_what_is_known_and_stands_on_no_line_gives_no_line(reader):
    rows = "/lists/standard/2026-04-01/rows"
    assert said(reader, f"{rows}?title=gm")["items"] == []
    assert said(reader, f"{rows}?sex=f")["items"]
    assert said(reader, "/events/1/sections/0?notation=grid")["items"]


@pytest.mark.parametrize("path", ["", "/results", "/history"])
def test_a_player_has_nothing_of_a_pool_that_there_is_not(reader, path):
    assert said(reader, f"/players/4{path}?pool=77", 404)["detail"] == "There is no pool “77”."
    assert reader.get(f"/api/v1/players/4{path}?pool=standard").status_code == 200


def test_an_edition_that_was_not_in_force_is_told_with_what_it_expects(reader):
    of = "rating=1700&opponent=1500"
    early = said(reader, f"/expected?rulebook=fide&{of}&day=1900-01-01")
    assert early["edition"] == "fide-2009"
    assert "in force from 2009-07-01" in early["notes"][0]["message"]
    assert said(reader, f"/expected?rulebook=fide&{of}&day=2012-01-01")["notes"] == []
    assert said(reader, f"/expected?rulebook=fide-2009&{of}&day=2020-01-01")["notes"]
    assert said(reader, f"/expected?rulebook=fide-2009&{of}")["notes"] == []


def test_of_what_has_one_form_only_no_other_is_offered(reader):
    """Nor is it taken: the description, the answers and the header Accept say the same."""
    paths = said(reader, "/openapi.json")["paths"]
    plain = {}
    for path, item in paths.items():
        if "get" not in item:
            continue
        of = {each["name"]: each for each in item["get"]["parameters"]}
        forms = of["format"]["schema"]["anyOf"][0]
        offered = forms["enum"] if "enum" in forms else [forms["const"]]
        media = list(item["get"]["responses"]["200"]["content"])
        assert len(media) == len(offered), path
        if offered == ["json"]:
            plain[path] = of["format"]
    assert len(plain) > 9
    assert {each["description"] for each in plain.values()} == {"There is JSON alone of this."}
    for path in ("/status", "/rules/fide-2024", "/lists/standard/2026-04-01", "/events/1"):
        assert reader.get(f"/api/v1{path}?format=json").status_code == 200
        (finding,) = said(reader, f"{path}?format=csv", 422)["findings"]
        assert finding["where"] == {"path": "query.format"}
        assert "format" not in said(reader, f"{path}?x=1", 422)["detail"]
        assert reader.get(f"/api/v1{path}", headers={"accept": "text/csv"}).status_code == 406


def test_events_of_a_pool_that_there_is_not_are_not_found(reader):
    assert reader.get("/api/v1/events?pool=77").status_code == 404
    assert reader.get("/api/v1/events?pool=standard").status_code == 200


def test_lists_are_found_by_their_pools_and_short_words_are_told_to_be_too_short(reader):
    found = json.loads(reader.get("/api/v1/players?q=standard 2026").content)
    assert found["lists"][0]["pool"] == "standard"
    page = reader.get("/search?q=standard").content.decode()
    assert f"/lists/standard/{found['lists'][0]['day']}" in page
    page = reader.get("/search?q=uw").content.decode()
    assert "Write more of it" in page
    assert "fewer letters" not in page


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("o1=1500&r1=1&rating=1800&games=-3", "cannot be “-3”"),
        ("o1=1500&r1=1&rating=1800&games=2.5", "cannot be “2.5”"),
        ("o1=1500&r1=1&ratin=1800", "Nothing is asked for by ratin."),
        ("o1=1500&r1=1&o16=1800", "Nothing is asked for by o16."),
        ("o1=abc&r1=1&rating=1800", "“abc” is no rating of an opponent"),
    ],
)
def test_what_if_refuses_what_it_cannot_read(reader, query, words):
    found = said(reader, f"/whatif?{query}", 422)
    assert found["title"] == "This cannot be understood"
    assert words in found["detail"]
    assert all(each["remedy"] for each in found["findings"])
    assert found["findings"]


def test_lists_have_one_schema_in_arrow_whatever_is_on_them(reader):
    """Nobody here has a title, and of nobody named so is there a row."""

    def schema(path: str) -> pa.Schema:
        answer = reader.get(f"/api/v1{path}&format=arrow")
        return pa.ipc.open_stream(answer.content).schema

    rows = "/lists/standard/2026-04-01/rows?name="
    kinds = schema(rows)
    assert kinds == schema(f"{rows}nobody")
    assert (kinds.field("title").type, kinds.field("rating").type) == (pa.string(), pa.float64())
    assert pa.null() not in kinds.types
    changes = "/lists/standard/2026-04-01/changes?kind="
    assert pa.null() not in schema(f"{changes}left").types
    assert schema(f"{changes}left") == schema(f"{changes}moved")


@pytest.mark.parametrize("value", ["1e30", "9" * 30, "-1", "1.5", "abc", "nan"])
def test_numbers_that_are_none_are_told_with_their_bounds(public, value):
    wanted = {
        "/api/v1/events?year={}": "year: a whole number from 1000 to 9999",
        "/api/v1/events?limit={}": "limit: a whole number from 1 to",
        "/api/v1/whatif?player={}": "player: a whole number from 0 to 999999999",
    }
    for path, what in wanted.items():
        answer = public.get(path.format(value))
        assert answer.status_code == 422, path
        assert answer.json()["detail"].startswith(what), path
    if value not in ("-1", "1.5", "nan"):
        answer = public.get(f"/api/v1/expected?rulebook=fide-2024&opponent=2000&rating={value}")
        assert answer.json()["detail"] == "rating: a number from −10000 to 10000"


def test_handicap_stones_are_expected_with(reader):
    of = "rulebook=egf-2021&rating=2100&opponent=1800"
    even, stones = (said(reader, f"/expected?{of}{more}") for more in ("", "&handicap=3"))
    wanted = rb.predict("egf-2021", 2100, 1800, handicap=3)
    assert stones["expected"] == wanted < even["expected"]
