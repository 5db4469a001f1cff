"""``ratingbook rate --format html``: what stands on the page, and what must never stand there."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "reports"
SPRING_OPEN = EXAMPLES / "spring-open.trf"
SPRING_PLAYERS = EXAMPLES / "spring-open-players.csv"
CLUB_OPEN = EXAMPLES / "club-open-2c"
FIDE = ("--rulebook", "fide-2009")

HOSTS = {"www.fide.com", "handbook.fide.com", "ratings.fide.com"}
"""Whom a page of FIDE's rules leads to."""
VOID = {"meta", "link", "br", "input", "path", "circle", "use", "line"}


class Page(HTMLParser):
    """A page taken apart, as far as the tests ask; it fails where an element is left open."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[tuple[str, int]] = []
        self.feed(source)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.texts.setdefault(tag, [])
        if tag not in VOID:
            self._open.append((tag, len(self.texts[tag])))
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for tag, index in self._open:
            self.texts[tag][index] += data

    def values(self, attribute: str) -> list[str]:
        return [value for _, attrs in self.elements if (value := attrs.get(attribute)) is not None]

    @property
    def facts(self) -> dict[str, str]:
        """The head."""
        return dict(zip(self.texts["dt"], self.texts["dd"], strict=True))


def document(**more: Any) -> dict[str, Any]:
    """Two players and their game."""
    return {
        "ratingbook": "report/1",
        "event": {"name": "Match", "start": "2010-01-08", "end": "2010-01-08"},
        "players": [
            {"id": "A", "name": "Doe, Jo", "standing": {"rating": 2006, "games": 100}},
            {"id": "B", "name": "Roe, Al", "standing": {"rating": 1977, "games": 100}},
        ],
        "games": [{"round": 1, "white": "A", "black": "B", "result": "0-1"}],
        **more,
    }


@pytest.fixture
def page_of(run, tmp_path: Path) -> Callable[..., Page]:
    """The page of documents, or of files."""

    def make(*reports: object, options: tuple[object, ...] = FIDE, status: int = 0) -> Page:
        paths = []
        for index, report in enumerate(reports):
            path = report
            if isinstance(report, dict):
                path = tmp_path / f"{index}.json"
                path.write_text(json.dumps(report), "utf-8")
            paths.append(path)
        done = run("rate", *paths, *options, "--format", "html")
        assert done.status == status
        assert done.err == ""
        return Page(done.out)

    return make


@pytest.fixture(scope="module")
def spring(run) -> Page:
    done = run("rate", SPRING_OPEN, *FIDE, "--players", SPRING_PLAYERS, "--set", "k_new=30",
               "--format", "html")  # fmt: skip
    return Page(done.out)


def test_the_head(spring):
    facts = spring.facts
    assert spring.texts["h1"] == ["Spring Open"]
    assert facts["Place"] == "Exampleton (AUT)"
    assert facts["Dates"] == "2010-03-06 – 2010-03-12"
    assert facts["Rule book"] == "fide-2009: FIDE rating regulations from 1 July 2009"
    assert facts["Parameter set"] == "k_new = 30"
    assert facts["Players"] == "12"
    assert facts["Games"] == "41, of them 34 rated"
    assert facts["Rated with"].startswith("ratingbook ")


def test_a_line_of_the_table(spring):
    """Place 5 of the file, number 6 in it; K 15, expected .65; 1½ of 4 rated games (+12.75)."""
    (row,) = [row for row in spring.texts["tr"] if row.startswith("5Foxtrot")]
    assert "FRA615198519" in row
    assert re.search(r"1998\+134\d{4}\d{4}1½/40\.65", row)


def test_the_places_of_the_file_and_one_numbering(spring):
    """The file has Bravo first and Alpha second; cells and explanations count as the table does."""
    rows = [re.match(r"(\d+)(\w+),", row) for row in spring.texts["tr"]]
    found = {row[2]: int(row[1]) for row in rows if row}
    assert (found["Bravo"], found["Alpha"], found["Foxtrot"]) == (1, 2, 5)
    (fay,) = [text for text in spring.texts["details"] if text.strip().startswith("5 Foxtrot")]
    assert re.search(r"round 5, (white|black) against 1 Bravo, Ben", fay)
    assert "The win against Ben Bravo in round 5 brought most (+13.8)." in fay


def test_the_account_of_a_change(spring):
    """4 games, expected .65, K 15: 15 × (1½ − .65) = 12.75."""
    (fay,) = [text for text in spring.texts["p"] if "Fay Foxtrot" in text]
    assert fay.startswith(
        "From 4 rated games 0.65 points were expected of Fay Foxtrot, and 1½ came: 0.85 more, "
        "times K 15 makes +12.75, rounded +13."
    )


def test_one_point_that_was_expected_is_one(run, tmp_path):
    standing = {"rating": 1800, "games": 50}
    said = {
        "ratingbook": "report/1", "event": {"start": "2025-01-05", "end": "2025-01-06"},
        "players": [
            {"id": "1", "name": "Alpha, Anna", "standing": standing},
            {"id": "2", "name": "Bravo, Ben", "standing": standing},
        ],
        "games": [
            {"round": 1, "white": "1", "black": "2", "result": "1-0"},
            {"round": 2, "white": "2", "black": "1", "result": "1/2-1/2"},
        ],
    }  # fmt: skip
    path = tmp_path / "two.json"
    path.write_text(json.dumps(said))
    done = run("rate", path, "--rulebook", "fide-2024", "--explain", "1")
    told = "From 2 rated games 1 point was expected of Anna Alpha, and 1½ came"
    assert told in " ".join(done.out.split())


def test_one_players_page(run, page_of):
    done = run("rate", SPRING_OPEN, *FIDE, "--players", SPRING_PLAYERS, "--format", "html",
               "--player", "foxtr")  # fmt: skip
    page = Page(done.out)
    assert page.texts["h1"] == ["Foxtrot, Fay: Spring Open"]
    assert "1985 + 13 = 1998" in page.source.replace("<b>", "").replace("</b>", "")
    assert "cross" not in page.values("class")
    assert [text for text in page.texts["li"] if text.startswith("2b new rating 1985 + 13")]
    ids = page.values("id")
    assert {link[1:] for link in page.values("href") if link.startswith("#")} <= set(ids)
    assert not any("Echo, Emil: " in text for text in page.texts["p"])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--format", "html", "--player", "Nobody"), "there is no player 'Nobody'"),
        (("--player", "Foxtrot"), "--format html"),
    ],
)
def test_a_page_of_nobody_is_a_usage_error(run, options, told):
    done = run("rate", SPRING_OPEN, *FIDE, *options)
    assert (done.status, done.out) == (2, "")
    assert told in done.err


def test_the_numbers_of_a_federation_lead_to_its_page(run):
    page = Page(run("rate", CLUB_OPEN, "--rulebook", "uscf-2025", "--format", "html").out)
    assert "https://ratings.uschess.org/player/90000005" in page.values("href")


def test_a_go_newcomer_begins_with_the_rating_of_the_grade(page_of):
    """3k is 1800, and an equal beaten in class A brings con / 2 and the bonus: 12.56 + 1.25."""
    report = document(
        event={"name": "Go", "start": "2022-01-08", "end": "2022-01-08", "class": "A"}
    )
    report["players"] = [{"id": "1", "name": "Doe, Jo", "grade": "3k"},
                         {"id": "2", "name": "Roe, Al", "grade": "3k"}]  # fmt: skip
    report["games"] = [{"round": 1, "white": "1", "black": "2", "result": "1-0"}]
    page = page_of(report, options=("--rulebook", "egf-2021"))
    assert any("1800" in row and "+13.813" in row for row in page.texts["tr"])
    # Below the games stands what they bring in all, with the bonus as in their rows.
    assert any("1 rated game" in row and "+13.81" in row for row in page.texts["tr"])
    assert "had no rating and began with" in page.source
    assert "first rating" not in page.source


@pytest.mark.parametrize("stones", [0, 3])
def test_ratings_are_without_handicap_stones_and_the_page_says_so(page_of, stones):
    report = document(event={"name": "Go", "start": "2022-01-08", "end": "2022-01-08"})
    report["players"] = [{"id": "1", "name": "Doe, Jo", "standing": {"rating": 1800}},
                         {"id": "2", "name": "Roe, Al", "standing": {"rating": 1500}}]  # fmt: skip
    report["games"] = [
        {"round": 1, "white": "1", "black": "2", "result": "1-0", "handicap": stones}
    ]
    page = page_of(report, options=("--rulebook", "egf-2021"))
    assert "1750" not in "".join(page.texts["table"])
    told = [each for each in page.texts["p"] if "without handicap stones" in each]
    assert bool(told) == bool(stones)


def test_every_cell_has_every_notation(spring):
    cells = spring.values("data-n")
    assert len(cells) > 70
    assert all(cell.count("|") == 3 for cell in cells)
    shown = [text for text in spring.texts["td"] if text in {cell.split("|")[2] for cell in cells}]
    assert len(shown) >= len(cells)


def test_every_step_of_the_command_is_on_the_page(run, spring):
    told = run("rate", SPRING_OPEN, *FIDE, "--players", SPRING_PLAYERS, "--set", "k_new=30",
               "--format", "json", "--explain", "all")  # fmt: skip
    players = json.loads(told.out)["players"]
    items = spring.texts["li"]
    assert len(spring.texts["details"]) >= len(players)
    for player in players:
        for step in player["explanation"]:
            article = f" [{step['article']}]" if "article" in step else ""
            assert f"{step['paragraph']} {step['text']}{article}" in items


def test_every_link_has_its_target(spring):
    ids = spring.values("id")
    assert len(ids) == len(set(ids))
    links = spring.values("href")
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    others = {link for link in links if not link.startswith(("#", "data:,"))}
    assert all(urlsplit(link).netloc in HOSTS for link in others)
    leading = [a for tag, a in spring.elements if a.get("href") in others]
    assert all(attrs["rel"] == "noreferrer" for attrs in leading)
    assert "player-12" in ids


def test_every_label_has_its_text(spring):
    ids = set(spring.values("id"))
    assert {each for label in spring.values("aria-labelledby") for each in label.split()} <= ids


def test_the_paragraphs_that_were_applied(spring):
    assert "§ 2c Development coefficient K [announcement, Coefficient K]" in spring.texts["dt"]
    assert any("numbers of the paragraphs are ours" in text for text in spring.texts["p"])
    assert not any(title.startswith("§ 6f") for title in spring.texts["dt"])


def test_the_page_asks_for_nothing(spring):
    """No address, and a policy that lets no more run than this style and this script."""
    (policy,) = (a["content"] for t, a in spring.elements if a.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'; img-src data:; ")
    for tag in ("style", "script"):
        (text,) = spring.texts[tag]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert spring.values("src") == []
    assert spring.values("style") == []
    assert not [name for _, attrs in spring.elements for name in attrs if name.startswith("on")]
    without_links = re.sub(r'<a href="https?://[^"]*" rel="noreferrer">', "", spring.source)
    addresses = set(re.findall(r"https?://[^\"' ]*", without_links))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert "url(" not in spring.source
    assert "@import" not in spring.source


def test_the_language_and_the_landmarks(spring):
    assert ("html", {"lang": "en"}) in spring.elements
    tags = [tag for tag, _ in spring.elements]
    assert [tags.count(each) for each in ("main", "header", "footer", "h1")] == [1, 1, 1, 1]
    assert all("scope" in attrs for tag, attrs in spring.elements if tag == "th")


BAD_NAMES = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "A | B & <!-- C",
    "]]></style><b>",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_is_text_wherever_it_stands(page_of, name):
    """As a player, an id, a title, an event, a place and a section."""
    report = document(event={"name": name, "place": name, "start": "2010-01-08"})
    report["players"][0] |= {"name": name, "id": name, "title": name, "federation": "GER"}
    report["games"][0] |= {"white": name, "section": name}
    page = page_of(report)
    plain = page_of(document())
    assert page.texts["h1"] == [name]
    assert page.texts["title"][0] == f"{name}, rated by fide-2009"
    assert any(name in text for text in page.texts["th"])
    assert any(name in text for text in page.texts["summary"])
    assert [tag for tag, _ in page.elements if tag in ("script", "img", "b", "style")] == [
        tag for tag, _ in plain.elements if tag in ("script", "img", "b", "style")
    ]
    assert {n for _, attrs in page.elements for n in attrs} <= {
        n for _, attrs in plain.elements for n in attrs
    }
    anchors = [each for each in page.values("id") if each.startswith("player-")]
    assert all(re.fullmatch(r"[\w.-]+", each, re.ASCII) for each in anchors)
    assert len(anchors) == 2


def test_controls_of_direction_are_taken_out(page_of):
    report = document()
    report["players"][0]["name"] = "Doe\u202e, \u2066Jo\u0007"
    page = page_of(report)
    assert not {"\u202e", "\u2066", "\u0007"} & set(page.source)
    assert "Doe\N{REPLACEMENT CHARACTER}, " in page.source


def test_ids_that_differ_have_anchors_that_differ(page_of):
    report = document()
    for player, name in zip(report["players"], ("1 2", "1_20_2"), strict=True):
        player["id"] = name
    report["games"][0] |= {"white": "1 2", "black": "1_20_2"}
    page = page_of(report)
    ids = page.values("id")
    assert len(ids) == len(set(ids))


def uscf(**junior: object) -> dict[str, Any]:
    """A club event of US Chess with an unrated junior, who meets the first of a chain of three."""
    report = document(event={"name": "Club", "end": "2026-05-30", "time_control": "G/90;d5"})
    report["players"] = [
        {"id": name, "name": f"Doe, {name}", "standing": {"rating": 1500, "games": 40}}
        for name in ("one", "two", "three")
    ]
    report["players"].append({"id": "junior", "name": "Doe, Junior", **junior})
    report["games"] = [
        {"round": 1, "white": "one", "black": "junior", "result": "1-0"},
        {"round": 1, "white": "two", "black": "three", "result": "1-0"},
        {"round": 2, "white": "one", "black": "two", "result": "1-0"},
    ]
    return report


USCF = ("--rulebook", "uscf-2025")


def test_a_birth_date_never_stands_on_the_page_nor_what_betrays_it(run, page_of):
    """The junior of 2014-02-11 starts at 50 × 12.295688 = 614.784394."""
    report = uscf(birth_date="2014-02-11", birth_year=2014)
    page = page_of(report, options=USCF)
    for traitor in ("2014", "12.29", "614.7"):
        assert traitor not in page.source
    open_ = {
        name: text
        for text in page.texts["details"]
        for name in ("one", "two", "three", "Junior")
        # The findings, which name players, have no arrow.
        if "→" in text and f"Doe, {name}" in text.partition("→")[0]
    }
    withheld = {name for name, text in open_.items() if "left out here" in text}
    assert withheld == {"Junior", "one", "two"}


def test_without_a_birth_date_nothing_is_left_out(page_of):
    page = page_of(uscf(), options=USCF)
    assert "left out here" not in page.source


def test_a_finding_does_not_quote_a_birth_date(page_of):
    page = page_of(uscf(birth_date="2014-02-31"), options=USCF, status=1)
    assert "This report was refused" in page.source
    assert "birth_date" in page.source
    assert "2014-02" not in page.source


def test_a_refused_report_says_why_beside_one_that_was_rated(page_of):
    bad = document(games=[{"round": 1, "white": "A", "black": "C", "result": "1-0"}])
    page = page_of(bad, document(), status=1)
    first, second = page.texts["article"]
    assert "This report was refused: nothing was rated." in first
    assert "Errors: the report is refused (1)" in first
    assert "Before" not in first
    assert "Doe, Jo" in second
    assert page.texts["nav"][0].count("refused") == 1
    assert page.texts["h1"] == ["2 reports"]
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert "report-2-player-A" in ids


def test_a_file_that_cannot_be_read_is_a_page_as_well(page_of, tmp_path):
    nothing = tmp_path / "nothing.trf"
    page = page_of(nothing, status=1)
    assert page.texts["h1"] == ["nothing.trf"]
    assert "Fatal: the file cannot be read (1)" in page.texts["summary"][0]


def test_no_folder_of_the_machine_is_sent_round(page_of, tmp_path):
    page = page_of(document(), tmp_path / "nothing.trf", CLUB_OPEN, status=1)
    assert str(tmp_path) not in page.source
    assert str(EXAMPLES) not in page.source
    assert "0.json" in page.source


def test_the_findings_stand_by_severity_the_gravest_first(run):
    page = Page(run("rate", CLUB_OPEN, "--rulebook", "uscf-2025", "--format", "html").out)
    # Of warnings what was assumed comes first, for the numbers are made of it.
    words = ("Warnings:", "uscf.no-birth-date", "edition.outside-validity")
    places = [page.source.index(each) for each in words]
    assert places == sorted(places)


def test_a_player_of_two_sections_is_explained_in_both(page_of):
    report = uscf()
    for game, section in zip(report["games"], "ABB", strict=True):
        game["section"] = section
    page = page_of(report, options=USCF)
    assert {"player-one", "player-one--2"} <= set(page.values("id"))
    assert page.facts["Sections"] == "A, B"


def test_a_rating_that_is_not_published_says_so(spring):
    assert any("(1866)new" in row for row in spring.texts["tr"])
    assert "A rating in (…) is not published yet." in spring.source


def test_many_rounds_and_players_without_a_name(page_of):
    """Eight rounds are printed across; who has no name is called by the id."""
    games = [{"round": n, "white": "A", "black": "B", "result": "1/2-1/2"} for n in range(1, 9)]
    players = [{"id": name, "standing": {"rating": 2000, "games": 50}} for name in "AB"]
    page = page_of(document(games=games, players=players))
    assert ("body", {"class": "wide"}) in page.elements
    assert any("player A" in text for text in page.texts["th"])


def test_an_opponent_stands_with_the_number_that_counted_and_with_the_own(page_of):
    """ICCF 5 and 11: 350 points are the limit, and who has no rating counts with the level."""
    said = document(
        event={"name": "Class", "start": "2009-01-05", "end": "2009-02-20",
               "category": "open_class"},
        players=[
            {"id": "A", "name": "Doe, Jo"},
            {"id": "B", "name": "Roe, Al", "standing": {"rating": 1336, "games": 100}},
            {"id": "C", "name": "Coe, Bo"},
        ],
        games=[{"white": "A", "black": each, "result": "1/2-1/2"} for each in "BC"],
    )  # fmt: skip
    page = page_of(said, options=("--rulebook", "iccf-2009"))
    cells = " ".join(page.texts["td"])
    assert "1450 (1336)" in cells
    assert "1800 (no rating)" in cells
    assert "1625" in page.texts["td"], "the average of 1450 and 1800"
    assert "Rc = 3250 / 2 = 1625" in " ".join(page.texts["li"])
    assert any("in brackets the opponent's own" in each for each in page.texts["p"])


def test_a_large_event_stays_sensible(run, reference):
    """284 players, 7 rounds, games in table, account and steps: 1.8 MB; a tenth of room."""
    done = run("rate", reference / "samples" / "trf" / "example1.trf", *FIDE, "--format", "html")
    assert len(Page(done.out).texts["details"]) >= 284
    assert len(done.out.encode()) < 1_950_000


def test_games_alike_are_called_by_the_numbers_of_the_page_too(page_of):
    games = [{"white": "A", "black": "B", "result": result} for result in ("0-1", "1-0")]
    page = page_of(document(games=games))
    said = [each for each in page.texts["span"] if " of 2 alike" in each]
    assert len(said) == 4
    for each in said:
        assert re.search("alike, (white against 2 Roe, Al|black against 1 Doe, Jo)$", each)


def test_one_point_is_one(page_of):
    said = [each for each in page_of(document()).texts["span"] if " point" in each]
    assert [each.split(" · ")[1] for each in said if " · " in each] == ["1 point", "0 points"]


def test_signs_of_a_table_are_explained_below_it(page_of):
    open_game = {"round": 2, "white": "A", "black": "B", "result": "*"}
    games = document()["games"]
    assert "?" not in page_of(document()).texts["dt"]
    assert "?" in page_of(document(games=[*games, open_game])).texts["dt"]
    players = [*document()["players"], {"id": "C", "name": "Poe, Li", "standing": {"rating": 1900}}]
    event = {"name": "Match", "start": "2009-01-08", "end": "2009-01-08", "category": "open_class"}
    replaced = document(
        event=event, players=players, games=[{**games[0], "end": "2009-01-08", "white_for": "C"}]
    )
    page = page_of(replaced, options=("--rulebook", "iccf-2009"))
    assert page.texts["dt"].index("†") < page.texts["dt"].index("Rule book")


def test_what_was_rated_otherwise_than_the_table_shows_is_told(page_of):
    """IECG VIII.3: the draw of an adjudication is rated, and the table shows a win."""
    adjudicated = {
        "white": "A", "black": "B", "result": "1/2-1/2", "table_result": "1-0",
        "status": "adjudicated", "end": "2001-01-08",
    }  # fmt: skip
    won = {"white": "A", "black": "B", "result": "1-0", "end": "2001-01-08"}
    event = {"name": "Match", "start": "2000-01-08", "end": "2001-01-08"}
    page = page_of(
        document(event=event, games=[adjudicated, won]), options=("--rulebook", "iecg-1999")
    )
    cells = [each for each in page.texts["td"] if "rated as" in each]
    assert "1 (rated as ½)" in cells
    (said,) = [each for each in page.texts["p"] if " of Jo Doe, and " in each]
    assert "1½ came" in said
    assert "The win against Al Roe" in said
    assert "cost" not in said
