"""Statistics, downloads, status and privacy."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from ratingbook.office.logic.masked import token
from ratingbook.office.refused import refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.site.shown import about
from ratingbook.site.shown.plots import Plot
from tests.site.pages import page_of
from tests.site.published import OFFICER, PLAYER

PAGES = ("/statistics", "/statistics?pool=go", "/downloads", "/status", "/privacy")


def figures(public, pool):
    said = public.get(f"/statistics.json?pool={pool}").json()
    return {each["key"]: each for each in said["figures"]}


def test_statistics_count_what_is_published(public):
    found = figures(public, "standard")
    # Two round robins of six: fifteen games in January, fifteen in March, none in February.
    assert [tuple(row) for row in found["activity"]["rows"]] == [
        ("2026-01", 15), ("2026-02", 0), ("2026-03", 15),
    ]  # fmt: skip
    assert sum(count for _, count in found["distribution"]["rows"]) == 6
    lists = m.List.objects.filter(pool__name="standard", revision=2).order_by("date")
    for one, (day, mean, count) in zip(lists, found["mean"]["rows"], strict=True):
        every = m.ListRow.objects.filter(list=one).values_list("rating", flat=True)
        ratings = [each for each in every if each is not None]
        assert (day, count) == (str(one.date), len(ratings))
        assert mean == pytest.approx(sum(ratings) / len(ratings), abs=0.05)
    assert sum(row[1] for row in found["expected"]["rows"]) == 30


def test_the_stronger_are_expected_to_score_more(public):
    rows = figures(public, "standard")["expected"]["rows"]
    expected = [row[3] for row in rows]
    assert expected == sorted(expected)
    # By FIDE's table: 0 to 3 points of difference are 0.50, 392 and more 0.92 or more.
    assert expected[0] >= 50
    assert expected[-1] >= 90


def test_each_chart_has_words_and_a_table(public):
    class Charts(HTMLParser):
        found: list[str]

        def handle_starttag(self, tag, attrs):
            if tag == "svg" and dict(attrs).get("role") == "img":
                self.found.append(dict(attrs)["aria-label"])

    for pool in ("standard", "go"):
        text = page_of(public, f"/statistics?pool={pool}")
        parser = Charts()
        parser.found = []
        parser.feed(text)
        assert len(parser.found) >= 3
        assert all(len(words) > 30 for words in parser.found)
        assert text.count("<table") == text.count('<section aria-labelledby="')
        assert "style=" not in text


def test_an_unknown_pool_is_told(public):
    assert "There is no pool" in page_of(public, "/statistics?pool=nowhere", 404)


def test_downloads_tell_the_checksum_once_a_file_was_made(public):
    page = page_of(public, "/downloads")
    assert "bundle.zip" in page
    assert "A file is made when it is first asked for" in page
    # Whatever was not made yet, the bundle too, leads to its checksum.
    rows = re.findall(r'<tr><th scope="row"><a href="([^"]+)">(.*?)</tr>', page)
    assert rows
    for address, rest in rows:
        known = re.search(r"[0-9a-f]{8}", rest.replace("<wbr>", ""))
        assert known or f'href="{address}.sha256"' in rest, address
    told = public.get("/lists/go/2026-04-12/r1/files/csv.sha256").content.decode().split()
    assert told[0] in public.get("/downloads.csv").content.decode()
    assert told[1] in page_of(public, "/downloads")


def test_the_status_has_no_secrets(public, office_with_lists):
    text = page_of(public, "/status")
    said = public.get("/status.json").json()
    assert said["facts"] == ledger.head().seq
    assert ["published", 1] in said["corrections"]
    assert {x["pool"]: x["last_list"] for x in said["pools"]} == {
        "standard": "2026-05-01", "go": "2026-04-12",
    }  # fmt: skip
    for secret in (str(office_with_lists.folder), OFFICER.actor, PLAYER.actor, "disk", "sqlite"):
        assert secret not in text
        assert secret not in json.dumps(said)


def test_privacy_says_what_the_program_does(public):
    text = page_of(public, "/privacy")
    assert token(17) in text
    assert "within 30 days" in text


@pytest.mark.parametrize("url", PAGES)
def test_pages_of_an_empty_office(browser, url):
    page_of(browser, url.replace("?pool=go", ""))


@pytest.mark.parametrize("url", PAGES)
def test_nothing_betrays_an_age(public, url):
    for form in ("", ".json"):
        path, _, query = url.partition("?")
        text = public.get(f"{path}{form}?{query}").content.decode()
        assert not re.search(r"1990|1985|1999|2001-12|1970|2008", text)


def test_the_key_of_the_office_is_shown(public, monkeypatch):
    pytest.importorskip("cryptography")
    assert public.get("/status.json").json()["public_key"] is None
    assert "This office signs no bundles" in page_of(public, "/downloads")
    monkeypatch.setattr(about, "public_key", lambda folder: "ab" * 32)
    assert public.get("/status.json").json()["public_key"] == "ab" * 32
    text = page_of(public, "/downloads?again")
    assert f"ratingbook verify FILE.bundle.zip --key {'ab' * 32}" in text

    def unreadable(folder):
        raise refuse("office.key", "It cannot be read.", "Put it right.")

    monkeypatch.setattr(about, "public_key", unreadable)
    assert public.get("/status.json").json()["public_key"] is None


@pytest.mark.parametrize(("label", "most"), [("2026-01", 4), ("1500", 7), ("0+", 12)])
def test_on_a_phone_so_many_labels_stand_below_a_chart_as_fit(label, most):
    for count in (1, 4, 12, 13, 30, 60):
        plot = Plot.over("Games", "games", count, [1.0])
        for place in range(count):
            plot.label(place, label)
        labels = [each for each in plot.texts if each.text == label]
        shown = [each for each in labels if each.kind != "tick"]
        assert len(labels) <= 12
        assert 1 <= len(shown) <= most
        assert len(shown) >= min(len(labels), most) // 2


def test_numbers_of_a_column_stand_in_line(public):
    """Each with as many decimals as the others, beside the head of its row."""
    tables = re.findall(r"<tbody>(.*?)</tbody>", page_of(public, "/statistics"), re.S)
    assert tables
    for table in tables:
        rows = [re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", row) for row in table.split("</tr>")]
        assert all(row.count('<th scope="row"') == 1 for row in table.split("</tr>") if row.strip())
        for column in zip(*filter(None, (row[1:] for row in rows)), strict=True):
            places = {len(each.partition(".")[2]) for each in column if re.search(r"\d", each)}
            assert len(places) < 2, column


def test_the_lists_of_a_pool_are_one_table(public):
    page = page_of(public, "/lists")
    pools = page.count('<section aria-labelledby="pool-')
    assert page.count("<table") == pools
    assert page.count('scope="rowgroup"') >= pools
