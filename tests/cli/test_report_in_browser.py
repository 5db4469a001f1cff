"""The page of ``rate --format html`` as a reader has it: in Chromium, wide and narrow.

``make test`` installs Chromium where it is missing; RATINGBOOK_BROWSER names another.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

EXAMPLES = Path(__file__).parents[2] / "examples" / "reports"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
WIDE, PHONE = 1280, 360
SAMPLES = ("chess", "go", "uschess")


class Seen(NamedTuple):
    """A page that is open, and what it did that it must not do."""

    page: Page
    troubles: list[str]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = os.environ.get("RATINGBOOK_BROWSER") or next(
        filter(None, map(shutil.which, BROWSERS)), None
    )
    if found is None:
        pytest.skip("there is no Chromium here: install the package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pages(run, tmp_path_factory: pytest.TempPathFactory, reference: Path) -> Path:
    """The page of each sample in a folder."""
    folder = tmp_path_factory.mktemp("pages")
    samples = reference / "samples"
    for name, report, rulebook in (
        ("chess", samples / "trf" / "irish_intermediate_champs_2011.tab", "fide-2009"),
        ("go", samples / "go" / "juvisy2019.h9", "egf-2021"),
        ("uschess", EXAMPLES / "club-open-2c", "uscf-2025"),
        ("wide", samples / "trf" / "issue_15.trf", "fide-2009"),
        ("large", samples / "trf" / "example1.trf", "fide-2009"),
    ):
        done = run("rate", report, "--rulebook", rulebook, "--format", "html")
        assert done.status == 0
        (folder / f"{name}.html").write_text(done.out, "utf-8")
    pool = folder / "pool"
    given = ("--players", EXAMPLES / "spring-open-players.csv", "--id", "local", "--out", pool)
    assert run("history", EXAMPLES / "spring-open.trf", "--rulebook", "elo", *given).status == 0
    assert run("history", pool, "--player", "Foxtrot", "-o", folder / "player.html").status == 0
    return folder


@pytest.fixture(scope="module")
def long_names(run, pages: Path) -> None:
    """A page more, on which nothing can be broken between words."""
    long = "Wolfeschlegelsteinhausenbergerdorff" * 3
    report: dict[str, Any] = {
        "ratingbook": "report/1",
        "event": {"name": long, "place": long},
        "players": [{"id": f"{long}{n}", "name": f"{long}, {n}"} for n in range(2)],
        "games": [{"round": 1, "white": f"{long}0", "black": f"{long}1", "result": "1-0"}],
    }
    path = pages / f"{long}.json"
    path.write_text(json.dumps(report))
    done = run("rate", path, "--rulebook", "fide-2009", "--format", "html")
    (pages / "long.html").write_text(done.out, "utf-8")
    pool = pages / "long"
    assert run("history", path, "--rulebook", "fide-2009", "--id", "name", "--assume", 1800,
               "--out", pool).status == 1  # fmt: skip
    report["event"] |= {"start": "2010-03-06", "end": "2010-03-07"}
    for player in report["players"]:
        player["standing"] = {"rating": 2000, "games": 50}
    path.write_text(json.dumps(report))
    for more in (("--format", "html"), ("--format", "html", "--player", f"{long}0")):
        done = run("rate", path, "--rulebook", "fide-2009", *more)
        name = "long-rated" if len(more) == 2 else "long-one"
        (pages / f"{name}.html").write_text(done.out, "utf-8")
    given = ("--rulebook", "fide-2009", "--id", "name", "--out", pool)
    assert run("history", path, *given).status == 0
    whose = ("--player", f"{long}, 0")
    assert run("history", pool, *whose, "-o", pages / "long-player.html").status == 0
    assert run("list", pool, "-o", pages / "long-list.html").status == 0


@pytest.fixture
def open_page(browser: Browser, pages: Path) -> Iterator[Callable[..., Seen]]:
    contexts = []

    def open_(name: str, *, width: int = WIDE, anchor: str = "", **more) -> Seen:
        context = browser.new_context(viewport={"width": width, "height": 800}, **more)
        contexts.append(context)
        page, troubles = context.new_page(), []
        page.set_default_timeout(5000)
        address = (pages / f"{name}.html").as_uri()
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda r: None if r.url.startswith(address) else troubles.append(r.url))
        page.goto(f"{address}{anchor}")
        return Seen(page, troubles)

    yield open_
    for context in contexts:
        context.close()


def table_text(page: Page) -> str:
    return page.locator("table.cross").first.inner_text()


def obstacles(page: Page, *rules: str) -> list[str]:
    """What axe finds to be serious or critical, by all its rules or by some."""
    found = page.evaluate("rules => axe.run(rules.length ? {runOnly: rules} : {})", list(rules))
    assert found["passes"]
    return [
        f"{each['id']}: {each['nodes'][0]['html']}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("width", [WIDE, PHONE])
@pytest.mark.parametrize("name", SAMPLES)
def test_everybody_can_use_it(open_page, name, width):
    """Nothing is asked for, nothing goes wrong, nothing is in anybody's way; light and dark."""
    page, troubles = open_page(name, width=width, color_scheme="light")
    page.locator("details.explanation summary").first.click()
    page.evaluate(AXE)
    assert obstacles(page) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"
    assert obstacles(page, "color-contrast") == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert troubles == []


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_everybody_can_use_the_page_of_a_history(open_page, width):
    page, troubles = open_page("player", width=width, color_scheme="light")
    page.evaluate(AXE)
    assert obstacles(page) == []
    assert obstacles(page, "target-size") == []
    page.emulate_media(color_scheme="dark")
    assert obstacles(page, "color-contrast") == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("a.why").last.click()
    expect(page.locator("details[open] .game").first).to_be_visible()
    assert troubles == []


def test_an_obstacle_would_be_found(open_page):
    page, _ = open_page("go")
    page.evaluate(AXE)
    page.evaluate("document.querySelector('.note').style.color = '#ccc'")
    page.evaluate("document.documentElement.removeAttribute('lang')")
    assert [each.partition(":")[0] for each in obstacles(page)] == [
        "color-contrast",
        "html-has-lang",
    ]


@pytest.mark.parametrize("width", [WIDE, PHONE])
@pytest.mark.usefixtures("long_names")
def test_long_names_are_broken(open_page, width):
    page, _ = open_page("long", width=width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    name = page.locator("table.cross th[scope=row]").first.bounding_box()
    assert name is not None
    assert name["width"] < width * (3 / 4 if width == PHONE else 1 / 2)


@pytest.mark.parametrize("name", SAMPLES)
def test_another_notation(open_page, name):
    page, _ = open_page(name)
    notation = page.get_by_label("Notation")
    signs = {"US Chess: W 12": "W 1", "Go: 12+/w0": "1-/", "TRF: 12 w 1": "1 w ", "ICU: 1 ½ 0": "½"}
    texts = {}
    for option in signs:
        notation.select_option(option)
        texts[option] = table_text(page)
        expect(page.locator(".legend:visible")).to_have_count(page.locator("table.cross").count())
    assert len(set(texts.values())) == 4
    assert "12 w 1" in page.locator(".legend[data-legend='2']").first.text_content()


def test_the_cells_of_the_notations_in_a_line(open_page):
    page, _ = open_page("uschess")
    line = page.locator("tr", has_text="MAPLE").first
    for option, cells in (
        ("US Chess: W 12", ["W 6", "D 2", "W 3", "W 4"]),
        ("Go: 12+/w0", ["6+/w0", "2=/b0", "3+/w0", "4+/b0"]),
        ("TRF: 12 w 1", ["6 w 1", "2 b =", "3 w 1", "4 b 1"]),
        ("ICU: 1 ½ 0", ["1", "½", "1", "1"]),
    ):
        page.get_by_label("Notation").select_option(option)
        assert line.locator("td.round").all_inner_texts() == cells


def test_an_explanation_unfolds_by_its_link(open_page):
    page, _ = open_page("uschess")
    steps = page.locator("[id=player-90000005]")
    expect(steps).to_be_hidden()
    page.get_by_role("link", name="CEDAR, CARL").first.click()
    expect(steps).to_be_visible()
    expect(steps).to_contain_text("points were expected of CARL CEDAR")
    expect(steps).to_contain_text("round 1, white against 2 OAK, OLIVER")
    assert page.url.endswith("#player-90000005")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_deep_link_opens_an_explanation(open_page, scripts):
    """The browser itself unfolds what a link leads into."""
    page, _ = open_page("uschess", anchor="#player-90000005", java_script_enabled=scripts)
    expect(page.locator("[id=player-90000005]")).to_be_in_viewport()


def test_without_scripts_everything_can_be_read(open_page):
    page, troubles = open_page("uschess", java_script_enabled=False)
    assert "W 6" in table_text(page)
    expect(page.locator(".tools").first).to_be_hidden()
    expect(page.locator(".legend:visible")).to_have_count(2)
    page.locator("summary", has_text="OAK, OLIVER").first.press("Enter")
    expect(page.locator("[id=player-90000002]")).to_be_visible()
    assert troubles == []


def test_the_columns_sort(open_page):
    page, _ = open_page("uschess")
    head = page.locator("th", has_text="Change").first

    changes = page.locator("table.cross").first.locator("tbody tr td.change")

    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert changes.all_inner_texts() == ["+47", "+6", "+3", "+2", "−37", "new"]
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert changes.all_inner_texts() == ["new", "−37", "+2", "+3", "+6", "+47"]
    page.locator("th", has_text="Points").first.get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    points = page.locator("table.cross").first.locator("tbody tr td:nth-child(8)")
    assert points.all_inner_texts() == ["3½", "3", "2", "1½", "1½", "1"]


def test_finding_a_player(open_page):
    """Without the accents, too."""
    page, _ = open_page("go")
    page.get_by_label("Find a player").fill("petkoveci")
    assert page.locator("table.cross tbody tr:visible").count() == 1
    assert page.locator("details.explanation:visible").count() == 1
    assert page.locator("a.mark.chosen").count() == 1
    expect(page.get_by_role("status").first).to_have_text("1 of 19 lines")
    page.get_by_label("Find a player").fill("")
    assert page.locator("table.cross tbody tr:visible").count() == 19
    expect(page.locator("#jump")).to_be_hidden()


@pytest.mark.parametrize("way", ["link", "enter"])
def test_from_the_search_to_the_explanation(open_page, way):
    page, _ = open_page("large")
    search = page.get_by_label("Find a player")
    name = page.locator("details.explanation bdi").nth(200).text_content()
    search.fill(name)
    if way == "link":
        page.locator("#jump").click()
    else:
        search.press("Enter")
    expect(page.locator("details.explanation[open] bdi").first).to_have_text(name)
    expect(page.locator("details.explanation[open] .say")).to_be_in_viewport()


def test_a_link_finds_a_player_who_was_searched_away(open_page):
    page, _ = open_page("go")
    page.get_by_label("Find a player").fill("Rossibe")
    page.evaluate("location.hash = '#player-7'")
    expect(page.locator("[id=player-7]")).to_be_in_viewport()


def test_the_picture_by_keyboard(open_page):
    page, _ = open_page("uschess")
    picture = page.locator("figure.picture").first
    marks = picture.locator("a.mark")
    assert picture.locator("a.mark[tabindex='0']").count() == 1
    marks.first.focus()
    for key, index in (
        ("ArrowRight", 1),
        ("End", marks.count() - 1),
        ("ArrowLeft", -2),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        expect(marks.nth(index)).to_be_focused()
        title = marks.nth(index).get_attribute("aria-label")
        expect(picture.locator("output")).to_have_text(title)
    page.keyboard.press("Enter")
    expect(page.locator(".explanation[open]")).to_have_count(1)


@pytest.mark.parametrize(("chosen", "paper"), [("dark", "21, 23, 26"), ("light", "253, 252, 250")])
def test_the_colours_can_be_chosen(open_page, chosen, paper):
    other = {"dark": "light", "light": "dark"}[chosen]
    page, _ = open_page("go", color_scheme=other)
    page.get_by_label("Colours").select_option(chosen)
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == f"rgb({paper})"
    page.evaluate(AXE)
    assert obstacles(page, "color-contrast") == []


def test_on_a_phone_a_row_is_a_card(open_page):
    """Nothing scrolls sideways; name, change and rounds are there, and facts stand below."""
    page, _ = open_page("chess", width=PHONE)
    box = page.locator(".scroll").first
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    row = page.locator("table.cross tbody tr").first
    for part in (".who", ".change", ".round >> nth=0"):
        expect(row.locator(part)).to_be_visible()
    expect(row.locator(".wide").first).to_be_hidden()
    facts, table = (page.locator(each).first.bounding_box() for each in (".facts", "table.cross"))
    assert facts is not None
    assert table is not None
    assert facts["y"] > table["y"] + table["height"]
    assert table["y"] < 300


@pytest.mark.parametrize("name", ["chess", "go"])
def test_on_a_phone_a_change_is_seen_whole(open_page, name):
    """Also one with three decimals: it stands in one line, within its place."""
    page, _ = open_page(name, width=PHONE)
    cells = page.locator("table.cross tbody .change")
    assert cells.count() > 1
    for cell in cells.all():
        # The lines of a text that is broken are rectangles of their own.
        assert cell.evaluate(
            "cell => { const text = document.createRange(); text.selectNodeContents(cell); "
            "const box = cell.getBoundingClientRect(); const lines = [...text.getClientRects()]; "
            "return new Set(lines.map(line => Math.round(line.top))).size <= 1 && "
            "lines.every(line => line.left >= box.left - 1 && line.right <= box.right + 1); }"
        )


def test_seven_rounds_fit_a_common_screen(open_page):
    """7 rounds with federation, numbers, K, performance and expected score, at 1280 pixels."""
    page, _ = open_page("large")
    box = page.locator(".scroll").first
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    first = page.locator("table.cross tbody tr").first.bounding_box()
    assert first is not None
    assert first["y"] < 250
    assert first["height"] < 30


@pytest.mark.parametrize("wanted", [False, True])
def test_printing_with_and_without_the_explanations(open_page, wanted):
    page, _ = open_page("chess")
    if wanted:
        page.get_by_label("print the explanations").check()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.locator(".tools").first).to_be_hidden()
    steps = page.locator("details.explanation ol")
    assert steps.first.is_visible() is wanted
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".explanation[open]")).to_have_count(0)


@pytest.mark.parametrize(("name", "width"), [("chess", 703), ("wide", 1047)])
def test_the_table_fits_the_sheet(open_page, name, width):
    """A4 less its margins is 186 mm; across, for 11 rounds, 277 mm; 96 points to the inch."""
    page, _ = open_page(name, width=width)
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")


@pytest.mark.parametrize("width", [320, 390, 640])
def test_rounds_do_not_touch_in_a_card(open_page, width):
    """Shaded cells stood edge to edge, and a bye ran into the next round."""
    page, _ = open_page("chess", width=width)
    gaps = page.evaluate("""() => [...document.querySelectorAll('.cross tbody tr')].flatMap(row => {
        const spans = [...row.querySelectorAll('.round > span')].map(span => {
            span.textContent = '0000 - H';
            const range = document.createRange();
            range.selectNodeContents(span);
            return [span.getBoundingClientRect(), range.getBoundingClientRect()];
        });
        return spans.slice(1).map(([box, text], n) => box.top > spans[n][0].top + 4 ? 99
            : Math.min(box.left - spans[n][0].right, text.left - spans[n][1].right));
    })""")
    assert gaps
    assert min(gaps) >= 2
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_policy_forbids_requests(open_page):
    page, troubles = open_page("go")
    refused = page.evaluate("fetch('https://example.org/').then(() => false, () => true)")
    assert refused
    page.evaluate("""() => {
        const image = new Image();
        image.src = 'https://example.org/x.png';
        document.body.append(image);
        const script = document.createElement('script');
        script.textContent = 'window.ran = true';
        document.body.append(script);
    }""")
    assert page.evaluate("window.ran") is None
    assert len([each for each in troubles if "Content Security Policy" in each]) >= 3


def test_a_large_page_is_there_at_once(open_page):
    """284 players with every explanation: it is loaded and drawn within 5 seconds."""
    page, troubles = open_page("large")
    assert page.locator("details.explanation").count() == 284
    assert (
        page.evaluate("performance.timing.loadEventEnd - performance.timing.navigationStart") < 5000
    )
    assert page.evaluate("document.documentElement.scrollWidth") == WIDE
    assert troubles == []


@pytest.mark.parametrize("width", [390, WIDE])
@pytest.mark.parametrize("name", ["long", "long-rated", "long-one", "long-player", "long-list"])
def test_a_long_name_makes_no_page_wider(open_page, long_names: None, name: str, width: int):
    page = open_page(name, width=width).page
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    widest = page.evaluate(
        "Math.max(...[document.documentElement, ...document.querySelectorAll('.scroll')]"
        ".map(each => each.scrollWidth))"
    )
    assert widest <= width


@pytest.mark.parametrize("width", [390, WIDE])
def test_nor_a_table_of_the_site(browser: Browser, tmp_path: Path, width: int):
    style = files("ratingbook.site").joinpath("static/site/site.css").read_text("utf-8")
    long = "Wolfeschlegelsteinhausenbergerdorff" * 3
    rows = (
        f'<tr><th scope="row"><a href="#"><bdi>{long}</bdi></a></th><td><bdi>{long}</bdi></td>'
        '<td class="n">2000</td></tr>'
    )
    cross = f'<tr><td class="n">1</td><th class="who"><bdi>{long}</bdi></th><td>2000</td></tr>'
    (tmp_path / "x.html").write_text(
        f'<!doctype html><meta name="viewport" content="width=device-width"><style>{style}</style>'
        f'<main><div class="scroll"><table>{rows}</table></div><div class="scroll">'
        f'<table class="cross">{cross}</table></div></main>'
    )
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto((tmp_path / "x.html").as_uri())
    widths = page.evaluate("[...document.querySelectorAll('.scroll')].map(x => x.scrollWidth)")
    context.close()
    assert max(widths) <= width
