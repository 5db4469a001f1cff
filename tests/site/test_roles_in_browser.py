"""Each role in Chromium through its whole work, at a site as ``office serve`` runs it.

The pictures for looking at them go to the folder that ``RATINGBOOK_PICTURES`` names.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from ratingbook.office.acts import setup
from ratingbook.office.home import Home
from ratingbook.office.store.ledger import Who
from ratingbook.site.opening import open_site
from tests.office import reports
from tests.office.officers import Officer
from tests.seldom import SELDOM
from tests.site.browsing import by_command, chromium_here, seen, watched
from tests.site.offices import ROLES, SECRET, copied, received
from tests.site.people import PASSWORD

pytestmark = [pytest.mark.slow, SELDOM]


@pytest.fixture(scope="module")
def own(staffed: Home, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the office in which everybody has a password."""
    from django.contrib.auth import get_user_model
    from django.db import connections

    folder = tmp_path_factory.mktemp("roles") / "office"
    copied(staffed, folder)
    home = open_site(folder)
    # Ended after the day up to which the walks publish: it is held, and let in late.
    late = reports.document("Late Open", "2026-04-02", {("1", "2"): "0-1"})
    received(home, folder.parent, "late.json", late, "dirk")
    setup.set_policies("club", {"revise": "affected"}, "as published", Who("tina"))
    for user in get_user_model()._default_manager.filter(username__in=ROLES):
        user.set_password(PASSWORD)
        user.save()
    connections.close_all()
    return folder


@pytest.fixture(scope="module")
def base(own: Path) -> Iterator[str]:
    with by_command(own) as address:
        yield address


@pytest.fixture(scope="module")
def chromium(base: str) -> Iterator[Browser]:
    del base
    with chromium_here() as browser:
        yield browser


def begun(chromium: Browser, base: str, **options) -> tuple[Page, list[str]]:
    """A page in front of the site, and what goes wrong in it."""
    page = chromium.new_context(**options).new_page()
    return page, watched(page, base)


def code_now() -> str:
    """What the authenticator app of an officer shows."""
    from allauth.mfa.totp.internal import auth

    counter = next(iter(auth.yield_hotp_counters_from_time()))
    return str(auth.format_hotp_value(auth.hotp_value(SECRET, counter)))


_used: dict[str, str] = {}
"""The last code by which somebody signed in."""


def sign_in(page: Page, base: str, name: str) -> None:
    """By password, and by the app where there is one."""
    page.goto(f"{base}/account/sign-in/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    if "/second/" in page.url:
        while (code := code_now()) == _used.get(name):
            # One is taken once, and the next one comes within half a minute.
            time.sleep(1)
        _used[name] = code
        page.get_by_label("Code").fill(code)
        page.get_by_role("button", name="Sign in").click()
    expect(page.locator("h1")).to_have_text(name)


def file_of(said: dict[str, Any], name: str) -> FilePayload:
    return {"name": name, "mimeType": "application/json", "buffer": json.dumps(said).encode()}


def test_a_director_mends_a_broken_file_previews_and_submits(chromium, base):
    page, wrong = begun(chromium, base)
    sign_in(page, base, "dora")
    page.get_by_role("link", name="My events").click()
    wrong += seen(page, "director-1-events")
    page.get_by_role("link", name="Send a report").click()
    broken = reports.document("Seventh Open", "2026-04-11", {("1", "2"): "1-0"})
    broken["games"][2]["result"] = "7-0"
    broken["games"][4]["white"] = "nobody"
    page.set_input_files("#files", file_of(broken, "seventh.json"))
    wrong += seen(page, "director-2-upload")
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_text("problem 1 of 2")).to_be_visible()
    expect(page.get_by_role("button", name="Submit to the office")).to_be_disabled()
    wrong += seen(page, "director-3-problem")
    page.get_by_role("link", name="Next problem").click()
    expect(page.get_by_text("problem 2 of 2")).to_be_visible()
    mended = reports.document("Seventh Open", "2026-04-11", {("1", "2"): "1-0"})
    page.set_input_files("#files", file_of(mended, "seventh.json"))
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_role("heading", name="What it would give")).to_be_visible()
    change = page.get_by_role("row", name=re.compile("Alpha, Anna")).get_by_role("cell").nth(2)
    expect(change).to_have_text(re.compile(r"^\+\d"))
    wrong += seen(page, "director-4-preview")
    page.get_by_role("button", name="Submit to the office").click()
    expect(page.locator("h1")).to_have_text("Seventh Open")
    expect(page.get_by_text(re.compile("receipt"))).to_be_visible()
    wrong += seen(page, "director-5-submitted")
    page.get_by_role("link", name="Ask for a correction").click()
    wrong += seen(page, "director-6-correction")
    assert wrong == []


def rated_and_published(page: Page, base: str, until: str, name: str) -> list[str]:
    """Plan a run, wait for it, look at it, approve and publish it."""
    page.goto(f"{base}/desk/runs/")
    page.get_by_label("Up to, else today").fill(until)
    wrong = seen(page, f"{name}-plan")
    page.get_by_role("button", name="Rate as a draft").click()
    # The part that shows the job asks for itself.
    page.get_by_role("link", name="Look at what differs").click(timeout=60_000)
    wrong += seen(page, f"{name}-differs")
    page.get_by_label("I have looked at the differences.").check()
    page.get_by_role("button", name="Approve").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text(re.compile(r"Run \d+ is published: "))).to_be_visible()
    return wrong + seen(page, f"{name}-published")


def test_an_officer_goes_from_the_queue_to_a_revised_list(chromium, base):
    page, wrong = begun(chromium, base)
    sign_in(page, base, "olga")
    page.get_by_role("link", name="The desk").click()
    wrong += seen(page, "officer-1-desk")
    page.get_by_role("link", name="Second Open").first.click()
    wrong += seen(page, "officer-2-review")
    page.get_by_role("link", name=re.compile("questions: who is it?")).click()
    wrong += seen(page, "officer-3-identity")
    expect(page.locator("h1")).to_have_text("Who is “Alfa, Ana”?")
    page.get_by_role("button", name=re.compile("This one.*Alpha, Anna, 1$")).click()
    while page.get_by_role("button", name="New person").count():
        page.get_by_role("button", name="New person").click()
    wrong += rated_and_published(page, base, "2026-04-01", "officer-4")
    page.goto(f"{base}/desk/lists/?pool=club&day=2026-04-01")
    # The run has brought its list; by hand one would look like this.
    expect(page.get_by_role("button", name="Publish this list")).to_be_visible()
    wrong += seen(page, "officer-5-list")
    page.goto(f"{base}/desk/reports/1/correct/")
    page.get_by_label("Game").select_option(index=0)
    page.get_by_label("The result was").select_option("0-1")
    page.get_by_label("Reason").fill("the sheet has it the other way round")
    wrong += seen(page, "officer-6-correct")
    page.get_by_role("button", name="Ask for it").click()
    expect(page.get_by_role("heading", name="Largest changes")).to_be_visible()
    wrong += seen(page, "officer-7-cascade")
    page.get_by_label(re.compile("I have compared")).check()
    page.get_by_label(re.compile("as the public will read it")).fill("the signed sheet was found")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("It holds.")).to_be_visible()
    wrong += rated_and_published(page, base, "2026-04-01", "officer-8")
    page.goto(f"{base}/lists/club/2026-04-01")
    expect(page.get_by_text(re.compile("revision 2"))).to_be_visible()
    wrong += seen(page, "officer-9-revised")
    page.goto(f"{base}/corrections")
    page.get_by_role("main").get_by_role("link", name=re.compile(r"\d")).first.click()
    expect(page.get_by_text("the signed sheet was found")).to_be_visible()
    wrong += seen(page, "officer-10-register")
    assert wrong == []


def test_an_officer_decides_from_a_published_day_and_lets_a_late_event_in(chromium, base):
    """What the command line does by ``--decide`` and ``--late``, without a script."""
    page, wrong = begun(chromium, base, java_script_enabled=False)
    sign_in(page, base, "olga")
    page.goto(f"{base}/desk/corrections/")
    page.get_by_role("link", name="Ask for a correction").click()
    page.get_by_label("What is corrected").select_option("opening")
    page.get_by_role("button", name="Choose").click()
    page.get_by_label("Name or number of the person").fill("Bravo, Ben")
    page.get_by_label(re.compile("What it was, one in a line")).fill("rating = 1720")
    page.get_by_role("textbox", name="Reason").fill("the old list has it")
    page.get_by_role("button", name="Ask for it, and look at what it changes").click()
    expect(page.get_by_role("heading", name="Largest changes")).to_be_visible()
    page.goto(f"{base}/desk/")
    page.get_by_role("link", name="Late Open").first.click()
    page.get_by_role("textbox", name="Reason, as the sender will read it").fill("ask the hall")
    page.get_by_role("button", name="Hold").click()
    page.get_by_role("link", name="Ask for another correction").click()
    expect(page.get_by_role("heading", name="Let an event in")).to_be_visible()
    page.get_by_role("textbox", name="Reason").fill("the hall has answered")
    page.get_by_role("button", name="Ask for it, and look at what it changes").click()
    expect(page.locator("h1")).to_contain_text("Late Open: let in")
    page.get_by_label(re.compile("I have compared")).check()
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("It holds.")).to_be_visible()
    assert wrong == []


def test_an_officer_finds_adds_and_merges_a_person(chromium, base):
    page, wrong = begun(chromium, base)
    sign_in(page, base, "otto")
    page.goto(f"{base}/desk/people/")
    page.get_by_role("textbox", name="Name", exact=True).fill("Alpha, Annie")
    wrong += seen(page, "officer-14-people")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("h1")).to_have_text("Alpha, Annie")
    page.get_by_label("Who it is: name or number").fill("Alpha, Anna")
    page.get_by_role("button", name="They are one").click()
    expect(page.get_by_role("link", name="is person 1")).to_be_visible()
    wrong += seen(page, "officer-15-person")
    page.get_by_role("textbox", name="Reason").last.fill("two after all")
    page.get_by_role("button", name=re.compile("^Undo")).first.click()
    expect(page.get_by_role("link", name="is person 1")).to_have_count(0)
    asks = [f"corrections/new/?what={kind}" for kind in ("late", "opening", "merge", "parameters")]
    for path in (*asks, "calendar/", "bring-in/", "abroad/", "outbox/"):
        page.goto(f"{base}/desk/{path}")
        wrong += seen(page, "officer-16")
    assert wrong == []


def test_a_player_finds_out_why_and_disputes_a_game(chromium, base):
    page, wrong = begun(chromium, base)
    page.goto(base)
    wrong += seen(page, "player-1-home")
    page.get_by_role("searchbox").first.fill("alpha")
    page.keyboard.press("Enter")
    page.get_by_role("main").get_by_role("link", name="Alpha, Anna").click()
    expect(page.locator("h1")).to_have_text(re.compile("Alpha, Anna"))
    wrong += seen(page, "player-2-player")
    page.locator("a.why").last.click()
    expect(page.locator(".say")).to_contain_text("Anna")
    wrong += seen(page, "player-3-why")
    sign_in(page, base, "anna")
    wrong += seen(page, "player-4-account")
    page.get_by_role("link", name="My results").click()
    wrong += seen(page, "player-5-results")
    page.get_by_role("link", name=re.compile("Dispute.*Charlie, Chris")).last.click()
    page.get_by_label("The result was").select_option("1-0")
    page.get_by_label("Reason").fill("I won; here is the sheet")
    sheet: FilePayload = {
        "name": "sheet.png",
        "mimeType": "image/png",
        "buffer": b"\x89PNG of nothing",
    }
    page.set_input_files("#files", sheet)
    wrong += seen(page, "player-6-dispute")
    page.get_by_role("button", name="Ask the office").click()
    expect(page.get_by_text(re.compile(r"You have asked for correction \d+"))).to_be_visible()
    wrong += seen(page, "player-7-asked")
    page.get_by_role("button", name=re.compile("All of this is right")).first.click()
    expect(page.get_by_text("confirmed by you").first).to_be_visible()
    assert wrong == []


def test_an_administrator_restores_a_backup(chromium, base, own, tmp_path):
    page, wrong = begun(chromium, base)
    sign_in(page, base, "tina")
    page.goto(f"{base}/desk/backups/")
    page.get_by_role("button", name="Make a backup now").click()
    expect(page.get_by_text(re.compile("is written"))).to_be_visible()
    wrong += seen(page, "admin-1-backups")
    page.get_by_role("button", name=re.compile("Restore drill")).first.click()
    expect(page.get_by_text(re.compile("restores well, up to fact"))).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name=re.compile(r"^\d{8}-")).first.click()
    saved.value.save_as(tmp_path / "kept.tar")
    for path in ("users", "policies", "webhooks", "audit", "jobs"):
        page.goto(f"{base}/desk/{path}/")
        wrong += seen(page, f"admin-2-{path}")
    # In earnest, by the command that the page names: the same numbers are published again.
    there = tmp_path / "restored"
    with ThreadPoolExecutor(1) as beside:
        beside.submit(Officer(there).does, "restore", tmp_path / "kept.tar").result()
    with by_command(there) as restored:
        pages = []
        for address in (base, restored):
            page.goto(f"{address}/players/1.json")
            pages.append(json.loads(page.locator("pre").inner_text()))
        assert pages[0] == pages[1]
    assert [each for each in wrong if restored not in each] == []


def test_by_keyboard_alone(chromium, base):
    """A player looks for the own change, signs in, and disputes a game without a mouse."""
    page, wrong = begun(chromium, base)
    page.goto(base)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.keyboard.press("Enter")
    reach(page, "input[type=search]")
    page.keyboard.type("alpha")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Players, events, clubs, lists")
    reach(page, "a[href='/players/1']")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(re.compile("Alpha, Anna"))
    reach(page, ".why")
    page.keyboard.press("Enter")
    expect(page.locator(".say")).to_contain_text("Anna")
    page.goto(f"{base}/my/results/")
    reach(page, "[name=login]")
    page.keyboard.type("anna")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("My results")
    reach(page, "[href*='/my/results/1/2/']")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Dispute a game")
    reach(page, "#result")
    page.keyboard.type("0")
    reach(page, "#reason")
    page.keyboard.type("I lost it")
    reach(page, ".primary")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"You have asked for correction \d+"))).to_be_visible()
    assert wrong == []


def reach(page: Page, target: str) -> None:
    """Go on with the key Tab until something is under it, whose focus can be seen."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("which => document.activeElement.matches(which)", target):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", f"nobody sees that {target} is chosen"
            return
    raise AssertionError(f"no key leads to {target}")


def test_without_script(chromium, base):
    """An officer sends, rates and publishes in a browser that runs no script."""
    page, wrong = begun(chromium, base, java_script_enabled=False)
    sign_in(page, base, "otto")
    page.goto(f"{base}/my/events/new/")
    said = reports.document("Plain Open", "2026-04-18", {("1", "2"): "0-1"})
    page.set_input_files("#files", file_of(said, "plain.json"))
    page.get_by_role("button", name="Check it").click()
    page.get_by_role("button", name="Submit to the office").click()
    page.goto(f"{base}/desk/runs/")
    page.get_by_label("Up to, else today").fill("2026-05-01")
    page.get_by_role("button", name="Rate as a draft").click()
    for _ in range(120):
        if page.get_by_role("link", name="Look at what differs").count():
            break
        page.get_by_role("link", name="Look again").click()
        page.wait_for_timeout(500)
    page.get_by_role("link", name="Look at what differs").click()
    page.get_by_label("I have looked at the differences.").check()
    page.get_by_role("button", name="Approve").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text(re.compile(r"Run \d+ is published: "))).to_be_visible()
    page.goto(f"{base}/players/1")
    expect(page.get_by_role("link", name="Plain Open").first).to_be_visible()
    assert wrong == []
