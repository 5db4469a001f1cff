"""The register: what was decided and changed, and nobody's name who asked or decided."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

from ratingbook.office.acts import registry
from tests.site.pages import CAUSES, copied, page_of
from tests.site.published import OFFICER, PLAYER, REASON


def test_the_register_has_each_correction_and_its_state(public):
    text = page_of(public, "/corrections")
    assert text.index("/corrections/2") < text.index("/corrections/1")
    for word in ("published", "refused", "player", "0–1 instead of 1–0", "Winter &lt;Open&gt;"):
        assert word in text
    said = public.get("/corrections.json").json()["entries"]
    assert [(x["number"], x["state"], x["players"]) for x in said] == [
        (2, "rejected", None), (1, "published", 2),
    ]  # fmt: skip
    assert len(list(csv.reader(io.StringIO(public.get("/corrections.csv").content.decode())))) == 3


def test_a_correction_is_told_before_and_after_and_by_which_lists(public):
    text = page_of(public, "/corrections/1", more=CAUSES)
    # By hand: 2001 against 1990, K = 15, a win becomes a loss: 15 points for both in January.
    assert "That changed <strong>2 players</strong>. Lists revised: <strong>2</strong>;" in text
    assert "largest difference: <strong>15</strong>" in text
    assert text.count('class="res"') == 2
    assert text.index("1–0</div>") < text.index("0–1</div>")
    assert "/lists/standard/2026-03-01/r2" in text
    assert "/lists/standard/2026-05-01/r2" in text
    assert "swapped &lt;i&gt;by hand&lt;/i&gt;" in text
    rows = list(csv.DictReader(io.StringIO(public.get("/corrections/1.csv").content.decode())))
    assert {x["person"]: x["standard 2026-03-01"] for x in rows} == {"1": "-15", "2": "15"}
    assert page_of(public, "/corrections/99", 404)


def test_what_was_refused_tells_the_reason_of_the_office_only(public):
    text = page_of(public, "/corrections/2")
    assert "the sheet says otherwise" in text
    assert "the loser says so" not in text
    assert "Nothing was changed." in text


def test_nobody_is_named_who_asked_or_decided(public):
    for url in ("/corrections", "/corrections/1", "/corrections/2"):
        for form in ("", ".json", ".csv"):
            text = public.get(url + form).content.decode()
            assert OFFICER.actor not in text
            assert PLAYER.actor not in text
    for url in ("/corrections.atom", "/corrections.feed.json"):
        text = public.get(url).content.decode()
        assert OFFICER.actor not in text
        assert PLAYER.actor not in text


def test_feeds_tell_each_fact_once(public):
    atom = ElementTree.fromstring(public.get("/corrections.atom").content)
    name = "{http://www.w3.org/2005/Atom}"
    titles = [each.findtext(f"{name}title") for each in atom.iter(f"{name}entry")]
    assert titles[:2] == ["Correction 2: refused", "Correction 2: asked"]
    assert titles[-1] == "Correction 1: asked"
    text = "".join(each.findtext(f"{name}content", "") for each in atom.iter(f"{name}entry"))
    assert REASON in text
    assert "the loser says so" not in text
    links = [each.get("href") for each in atom.iter(f"{name}link")]
    assert links[0] == "http://localhost/corrections/2"
    said = json.loads(public.get("/corrections.feed.json").content)
    assert said["version"] == "https://jsonfeed.org/version/1.1"
    assert len(said["items"]) == len(titles)


def test_who_is_suppressed_is_not_named_in_old_corrections(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    assert "Bravo, Ben" in client.get("/corrections/1").content.decode()
    registry.suppress(home, 2, "asked for it", OFFICER)
    for url in ("/corrections", "/corrections/1", "/corrections/1.json", "/corrections.atom"):
        text = client.get(url).content.decode()
        assert "Ben" not in text, url
        assert "Player 2" in text, url


def test_an_office_without_corrections_says_so(browser):
    assert "Nothing was asked" in page_of(browser, "/corrections")
    assert "Nothing is published yet" in page_of(browser, "/lists")
