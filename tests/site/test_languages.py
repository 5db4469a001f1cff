"""Pages in the language of their reader: chosen, or as the browser asks; files are in none."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import gettext, ngettext, override

import ratingbook as rb
from ratingbook.desk.birth_dates import public_steps, step_without_birth_year
from ratingbook.engine.explain import Step
from ratingbook.model import Finding, Severity
from ratingbook.model.sentences import Sentence, sentence, stated
from ratingbook.office.logic.anomalies import Played, two_places
from ratingbook.office.logic.stored import stored
from ratingbook.site.languages import SPOKEN, grouped
from ratingbook.site.shown.words import told as told_in_words
from tests.site.people import nobody, signed_in
from tests.site.world import NIGHT, WINTER
from tools import messages

LANGUAGES = ["en", "de", "ru", "bg", "zh-hans"]
PUBLIC = (
    "/", "/search?q=alpha", "/players/1", "/players/1/changes/standard/2026-02-01", "/events",
    f"/events/{WINTER}", f"/events/{NIGHT}?notation=aga", "/nowhere", "/lists", "/corrections",
    "/corrections/1", "/rules", "/rules/fide-2024", "/rules/fide", "/rules/fide-2024/examples/1",
    "/whatif?rating=1800&games=40&o1=2000&r1=1&target=1850", "/statistics", "/downloads",
    "/status", "/privacy", "/players/999", "/events/999", "/account/sign-in/",
)  # fmt: skip
CODES = {"standard", "club", "rapid", "away", "none"}
"""What pools of these tests are called, and values of settings, in any language."""
OURS = {
    "dora": ("/account/", "/my/events/", "/my/events/new/", "/my/events/typed/", "/my/notices/"),
    "tina": ("/desk/", "/desk/who/", "/desk/reports/2/", "/desk/runs/", "/desk/runs/1/",
             "/desk/jobs/", "/desk/corrections/", "/desk/decisions/",
             "/desk/anomalies/?pool=club", "/desk/lists/", "/desk/audit/", "/desk/outbox/",
             "/desk/notices/", "/desk/people/2/suppress/",
             "/desk/users/", "/desk/policies/", "/desk/backups/"),
}  # fmt: skip


class Texts(HTMLParser):
    """What a page says in the language that it is in: all but names, codes and quotations."""

    _VOID = frozenset("meta link input br wbr img hr rect line circle path".split())

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.quoted: set[str] = set()
        self._without: list[bool] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        own = dict(attrs)
        if tag not in self._VOID:
            another = "lang" in own and tag != "html"
            self._without.append(tag in ("code", "pre", "bdi", "script") or another)
        if not any(self._without):
            self.said += [own[key] for key in ("title", "aria-label", "placeholder") if key in own]

    def handle_endtag(self, tag):
        if tag not in self._VOID:
            self._without.pop()

    def handle_data(self, data):
        if data.strip():
            text = " ".join(data.split())
            self.quoted.add(text) if any(self._without) else self.said.append(text)


def marked_in(language: str) -> dict[str, str]:
    """All that is marked and has a word of several letters, with what it is in a language."""
    known = {}
    with override(language):
        for each in messages.messages():
            if each.context is None and each.many is None and re.search("[a-z]{3}", each.one):
                known[each.one.strip()] = gettext(each.one).strip()
    return {one: said for one, said in known.items() if one != said}


@pytest.fixture(scope="module")
def english() -> dict[str, str]:
    """What is marked, with what it is in German."""
    return marked_in("de")


def left_of(page: str, english: dict[str, str]) -> list[str]:
    """What is said in English, though it is marked; words that the language has, too, may stand."""
    said = set(Texts(page).said) - set(english.values())
    return sorted((said & set(english)) - CODES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_public_page_is_in_every_language(reader, language):
    for path in PUBLIC:
        answer = reader.get(path, headers={"accept-language": language})
        page = answer.content.decode()
        assert answer.status_code in (200, 404), path
        assert f'<html lang="{language}"' in page, path
        assert answer["Content-Language"] == language
        assert {"Accept-Language", "Cookie"} <= {x.strip() for x in answer["Vary"].split(",")}
        assert len(page.encode()) < 150_000, path


def test_no_english_is_left_on_german_pages(reader, english):
    assert english["Every change leads to its explanation."].startswith("Jede Änderung")
    left = {}
    for path in PUBLIC:
        page = reader.get(path, headers={"accept-language": "de-AT,de;q=0.9,en;q=0.5"})
        left[path] = left_of(page.content.decode(), english)
    assert {path: some for path, some in left.items() if some} == {}
    assert left_of("<h1>Corrections</h1><p lang=en>Corrections</p>", english) == ["Corrections"]


@pytest.mark.parametrize("name", OURS)
def test_none_is_left_on_pages_of_those_who_have_signed_in(office, english, name):
    client, left = signed_in(name), {}
    for path in OURS[name]:
        answer = client.get(path, headers={"accept-language": "de"})
        assert answer.status_code == 200, path
        assert '<html lang="de"' in answer.content.decode()
        left[path] = left_of(answer.content.decode(), english)
    assert {path: some for path, some in left.items() if some} == {}


def test_a_change_is_explained_in_german(reader):
    path = "/players/1/changes/standard/2026-02-01"
    page = reader.get(path, headers={"accept-language": "de"}).content.decode()
    said = " ".join(Texts(page).said)
    assert re.search(r"Aus \d+ gewerteten Partien waren von .* Punkte zu erwarten", said)
    assert re.search(r"Tabelle 8\.1\.2: Erwartungswert 0,\d+ bei einem Unterschied von", said)
    assert "Entwicklungskoeffizient K" in said
    assert "Expected" not in said


def test_a_choice_holds_until_another_one(reader):
    assert reader.get("/language", {"as": "de", "next": "/lists?x=1"})["Location"] == "/lists?x=1"
    chosen = reader.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (chosen.value, chosen["httponly"], chosen["samesite"]) == ("de", True, "Lax")
    page = reader.get("/", headers={"accept-language": "ru"}).content.decode()
    assert '<html lang="de"' in page
    assert re.search(r'value="de" lang="de" aria-pressed="true">Deutsch<', page)
    reader.get("/language", {"as": "zh-hans"})
    assert '<html lang="zh-hans"' in reader.get("/").content.decode()


@pytest.mark.parametrize("wrong", ["fr", '"><script>', "../de", ""])
def test_a_language_that_is_none_changes_nothing(reader, wrong):
    assert reader.get("/language", {"as": wrong, "next": "//elsewhere.example/"})["Location"] == "/"
    assert settings.LANGUAGE_COOKIE_NAME not in reader.cookies
    reader.cookies[settings.LANGUAGE_COOKIE_NAME] = "xx"
    assert '<html lang="en"' in reader.get("/").content.decode()


def test_a_page_that_is_known_is_not_known_in_another_language(public):
    index = public.get("/lists").content.decode()
    path = re.findall(r'href="(/lists/[^"]+/\d{4}-\d\d-\d\d)"', index)[0]
    english = public.get(path, headers={"accept-language": "en"})
    mark = {"if-none-match": english["ETag"]}
    assert public.get(path, headers={"accept-language": "en", **mark}).status_code == 304
    german = public.get(path, headers={"accept-language": "de", **mark})
    assert german.status_code == 200
    assert german["ETag"] != english["ETag"]


@pytest.mark.parametrize(
    "path",
    ["/players/1", "/players/1/changes/standard/2026-02-01", f"/events/{WINTER}", "/corrections",
     "/statistics", "/rules/fide-2024", "/status"],
)  # fmt: skip
def test_files_are_the_same_in_every_language(reader, path):
    for ending in (".json", ".csv"):
        answers = [
            reader.get(path + ending, headers={"accept-language": one}) for one in ("en", "de")
        ]
        assert answers[0].content == answers[1].content
        assert [each.get("Content-Language") for each in answers] == ["en", "en"]


def test_numbers_and_days_are_those_of_the_language_on_pages_alone(reader):
    path = "/players/1/changes/standard/2026-02-01"
    said = {
        one: " ".join(Texts(reader.get(path, headers={"accept-language": one})
                             .content.decode()).said)
        for one in ("en", "de", "zh-hans")
    }  # fmt: skip
    data = json.loads(reader.get(path + ".json", headers={"accept-language": "de"}).content)
    expected = data["expected"]
    assert isinstance(expected, float)
    assert f"{expected:.2f}" in said["en"]
    assert f"{expected:.2f}".replace(".", ",") in said["de"]
    assert "1 Feb 2026" in said["en"]
    assert "01.02.2026" in said["de"]
    assert "2026年2月1日" in said["zh-hans"]
    rows = list(csv.DictReader(io.StringIO(reader.get(path + ".csv").content.decode())))
    assert all(float(row["expected"]) >= 0 for row in rows if row["expected"])


def test_drawings_keep_their_places(reader):
    for path in ("/players/1", "/statistics", "/whatif?rating=1800&games=40&o1=2000&r1=1"):
        page = reader.get(path, headers={"accept-language": "de"}).content.decode()
        places = re.findall(r'\s(?:x|y|cx|cy|x1|x2|y1|y2|width|height|d?[xy])="([^"]*)"', page)
        assert places
        assert not [each for each in places if "," in each]


def test_an_error_is_told_in_the_language_of_who_signs_in(office):
    answer = nobody().post(
        "/account/sign-in/", {"login": "dora", "password": "wrong"},
        headers={"accept-language": "de"},
    )  # fmt: skip
    page = answer.content.decode()
    assert "Anmelden" in page
    assert not re.search(r"password you specified", page)


def test_a_refusal_is_told_in_german_with_what_to_do(office):
    answer = signed_in("tina").post(
        "/desk/decisions/", {"pool": "club", "kind": "floor", "value": "1500", "reason": "x"},
        headers={"accept-language": "de"},
    )  # fmt: skip
    assert "Schreiben Sie den Namen oder die Nummer der Person." in answer.content.decode()


def test_a_share_and_a_text_of_a_file_stand_as_the_language_sets_them(monkeypatch):
    from ratingbook.site import languages

    german = {
        "{n}%": "{n}\xa0%",
        '"{text}"': "„{text}“",
        "{share:.1%} of {what}": "{share:.1%} von {what}",
    }
    monkeypatch.setattr(languages, "gettext", lambda text: german.get(text, text))
    said = sentence("{share:.1%} of {what}", share=0.534, what=sentence('"{text}"', text="Cup"))
    assert str(said) == '53.4% of "Cup"'
    with override("de"):
        assert SPOKEN.told(said) == "53,4\xa0% von „Cup“"


def test_thousands_stand_apart_from_ten_thousand_on():
    said = {}
    for language in ("en", "de", "ru"):
        with override(language):
            said[language] = grouped(9999), grouped(1_234_567)
    assert said["en"] == ("9999", "1,234,567")
    assert said["de"] == ("9999", "1.234.567")
    assert said["ru"] == ("9999", "1\xa0234\xa0567")


@pytest.mark.parametrize(
    ("language", "said"),
    [("ru", ["1 игрок", "2 игрока", "5 игроков", "21 игрок"]),
     ("de", ["1 Spieler", "2 Spieler", "5 Spieler", "21 Spieler"]),
     ("bg", ["1 играч", "2 играчи", "5 играчи", "21 играчи"]),
     ("zh-hans", ["1 名棋手", "2 名棋手", "5 名棋手", "21 名棋手"])],
)  # fmt: skip
def test_numbers_of_players_take_their_form(language, said):
    with override(language):
        forms = [ngettext("%(n)s player", "%(n)s players", n) % {"n": n} for n in (1, 2, 5, 21)]
    assert forms == said


def test_a_sentence_that_was_made_otherwise_says_no_more_in_another_language():
    text = Sentence.of("born in {birth_year}: K = {value}", {"birth_year": "2009", "value": "40"})
    step = Step("2g", "rule", {"birth_year": 2009}, 40, text, None, None, 0, role="coefficient")
    hidden = public_steps([step], "K")
    assert hidden is not None
    with override("de"):
        assert "2009" not in SPOKEN.said(step_without_birth_year(step).text)
        told = SPOKEN.said(hidden[0].text)
        assert told == "K = 40: die Gründe kennen der Spieler und die Wertungsstelle"
        assert SPOKEN.said(replace(step, text="as it is").text) == "as it is"


def in_german(client, path):
    page = client.get(path, headers={"accept-language": "de"})
    assert page.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


def test_who_an_entry_may_be_is_told_in_german(office):
    olga = signed_in("olga")
    page = in_german(olga, "/desk/who/")
    assert re.search(r"Name \d+", page)
    assert any(
        said in page for said in ("gleiches Geburtsjahr", "Geburtsjahre", "gleicher Verband")
    )
    assert not re.search(r"same birth year|same federation|nobody of about|best name agrees", page)
    assert "von Hand: neu, am Arbeitsplatz gesagt" in in_german(olga, "/desk/reports/1/")


def test_findings_of_files_and_rules_are_told_in_german_with_words_of_the_file(office):
    told = stored(
        Finding("trf.points", Severity.WARNING, sentence(
            "{what} ({count} in all): {examples}.", what=stated("Players have no name"), count=2,
            examples="open; 2011-11-05",
        ), remedy=stated("Add the names; without them nobody can be identified."))
    )  # fmt: skip
    kept = json.loads(json.dumps(told))
    assert kept["message"] == "Players have no name (2 in all): open; 2011-11-05."
    with override("de"):
        shown = told_in_words([kept])[0]
    # What a file says is none of our words.
    assert shown.message == "Spieler haben keinen Namen (insgesamt 2): open; 2011-11-05."
    assert shown.remedy.startswith("Ergänzen Sie die Namen")
    # Such as an office kept before has no patterns.
    with override("de"):
        assert told_in_words([{**kept, "said": {}}])[0].message == kept["message"]


def test_the_rules_and_the_readers_notice_in_german():
    path = Path(__file__).parents[2] / "examples" / "reports" / "spring-open.trf"
    found = [each for each in rb.check(path, "fide-2024") if each.code.startswith("fide.")]
    assert len(found) >= 2
    with override("de"):
        texts = [(each.message, SPOKEN.told(each.message)) for each in found]
    assert all(german != english for english, german in texts), texts


def test_a_refusal_of_the_office_is_told_in_german(office):
    olga = signed_in("olga")
    for language, said in (("de", "Eine Entscheidung braucht einen Grund."),
                           ("ru", "A decision needs a reason.")):  # fmt: skip
        page = olga.post(
            "/desk/decisions/", {"person": "1", "pool": "club", "kind": "floor", "value": "1500"},
            headers={"accept-language": language},
        )  # fmt: skip
        assert said in page.content.decode()


def test_an_anomaly_is_told_in_german_with_its_places():
    day = date(2026, 1, 10)
    games = [Played(1, 2, place, place, day, 1.0, 0.5, n) for n, place in enumerate("ABC", 1)]
    reason = two_places(games)[0].reasons[0]
    assert reason == "games on 2026-01-10 in A and in B and in C"
    with override("de"):
        told = SPOKEN.said(reason)
    assert told.startswith("Partien am 10.")
    assert told.endswith(" in A und in B und in C")


def test_policies_and_what_they_cannot_be_are_told_in_german(office):
    page = in_german(signed_in("tina"), "/desk/policies/")
    assert "wie viele Personen einen Lauf genehmigen müssen" in page
    assert "how many people" not in page
    refused = signed_in("tina").post(
        "/desk/policies/",
        {"pool": "club", "key": "approvals", "value": "-1", "reason": "so"},
        headers={"accept-language": "de"},
    ).content.decode()  # fmt: skip
    assert "kann nicht „-1“ sein: sie ist kleiner als 1." in refused
