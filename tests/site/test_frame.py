"""What holds for every page: nothing in line, nothing from elsewhere, no old answer again."""

from __future__ import annotations

import re


def test_nothing_may_be_loaded_but_from_here(browser):
    answer = browser.get("/")
    assert answer.status_code == 200
    policy = dict(
        part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert all("unsafe" not in sources and "http" not in sources for sources in policy.values())
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_another_host_is_refused(browser):
    assert browser.get("/", headers={"host": "elsewhere.example"}).status_code == 400


def test_an_answer_that_is_known_is_not_sent_again(browser):
    first = browser.get("/")
    again = browser.get("/", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_templates_have_nothing_in_line_and_name_no_other_host(site):
    found = {path.name: path.read_text("utf-8") for path in site.rglob("*.html")}
    assert "base.html" in found
    for name, text in found.items():
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=", text), name
        assert not re.search(r"(?:src|href|action)=\"(?:https?:)?//", text), name
    assert not re.search(r"@import|url\((?!data:)", (site / "static/site/site.css").read_text())
