"""No page says an English sentence to who reads another language: all kinds of pages, all roles.

What is marked and not translated ``test_languages`` finds. Here is found what was never marked, or
is put together: a text that is the same in English, or has English words among others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import date

import pyarrow as pa
import pytest
from django.contrib.auth import get_user_model
from django.utils.translation import override

from ratingbook.desk.asker import to_the_asker
from ratingbook.engine.history.fit import check_history, tell_passed_over, tell_unsettled
from ratingbook.engine.history.intake import read_history
from ratingbook.model import Entry
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.acts import desk, receive
from ratingbook.office.acts.reports import put_aside
from ratingbook.office.home import Home
from ratingbook.office.logic.corrections import reason_for, reason_said
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.wording import players_named
from ratingbook.site.languages import SPOKEN
from ratingbook.site.opening import open_site
from ratingbook.site.shown.charts import Point, stair
from ratingbook.site.shown.list_facts import fact_of_list
from ratingbook.site.shown.words import COMMAND
from ratingbook.site.templatetags.listed import fact
from ratingbook.site.templatetags.written import (
    decision,
    kind_of_event,
    of_register,
    register_called,
    since_day,
    titled,
    told,
)
from tests.formats.fide.trf_files import file, player_line
from tests.office import reports
from tests.site.offices import TINA, run_to
from tests.site.people import PASSWORD, by_token, nobody, signed_in, token_of
from tests.site.test_languages import (
    LANGUAGES,
    PUBLIC,
    Texts,
    english,
    in_german,
    left_of,
    marked_in,
)
from tests.site.test_queries import OF_OTHERS, OF_TINA
from tests.site.world import NIGHT

__all__ = ["english"]
DORA = Who("dora")
OTHERS = [each for each in LANGUAGES if each != "en"]
ENGLISH = re.compile(
    r"\b(?:the|of|and|is|are|were|not|to|from|with|by|has|have|had|that|this|who|it|its|be|or|no|"
    r"there|when|what|which|than|into|such|his|her|their|your|only|every|nobody|somebody)\b"
)
"""Words of English sentences, none of which German has; Latin letters are rare in the others."""
MORE = (
    "/lists/standard/2026-02-01", "/lists/standard/2026-04-01/r2/changes",
    "/lists/standard/2026-02-01/r1/files", "/players/1/changes/go/2026-03-20-club-night-8bcccc7a",
    f"/events/{NIGHT}", "/rules/egf-2021", "/rules/uscf-2025", "/rules/iccf-2009", "/rules/egf",
    "/rules/elo/examples/1", "/whatif?rulebook=uscf-2025&o1=1800&r1=1",
    "/whatif?rulebook=iccf-2009", "/whatif?rating=x&o1=1800&r1=1", "/whatif?rating=1800&o1=y&r1=1",
    "/whatif?rating=1800&o1=5k&r1=1", "/api", "/sign-in/", "/account/sign-up/",
)  # fmt: skip
"""Public pages beside those that all languages are tried on."""
DATA = {
    "the sheet says so": "a reason that somebody wrote",
    "“typed the wrong way”": "a reason that somebody wrote",
    "typed the wrong way": "a reason that somebody wrote",
    ": typed the wrong way": "a reason that somebody wrote",
}
"""What may stand in English, and why."""


def sentences(page: str) -> set[str]:
    """Texts of a page in which English words stand, but for what is marked as a quotation."""
    texts = Texts(page)
    long = [each for each in texts.quoted if len(each.split()) > 2]
    return {
        each
        for each in texts.said
        if ENGLISH.search(each) and each not in DATA and not any(x in each for x in long)
    }


def english_on(client, paths: Iterable[str], language: str) -> dict[str, set[str]]:
    """English of pages in another language, by the path."""
    found = {}
    for path in paths:
        answer = client.get(path, headers={"accept-language": language})
        if answer.streaming or not answer["Content-Type"].startswith("text/html"):
            answer.close()
            continue
        assert answer.status_code in (200, 302, 404, 422), path
        if answer.status_code != 302:
            found[path] = sentences(answer.content.decode())
    return {path: some for path, some in found.items() if some}


def test_english_is_found_where_it_stands():
    page = "<p>Nur ein Satz.</p><p>Rated by the rules</p><p lang=en>The text of it</p>"
    assert sentences(page) == {"Rated by the rules"}
    assert sentences("<title>The text of it · x</title><h1 lang=en>The text of it</h1>") == set()


@pytest.mark.parametrize("language", OTHERS)
def test_public_pages_say_nothing_in_english(reader, language):
    assert english_on(reader, (*PUBLIC, *MORE), language) == {}


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_that_is_marked_is_left_in_english_on_public_pages(reader, language: str) -> None:
    marked, left = marked_in(language), {}
    for path in (*PUBLIC, *MORE):
        answer = reader.get(path, headers={"accept-language": language})
        if not answer.streaming and answer["Content-Type"].startswith("text/html"):
            left[path] = left_of(answer.content.decode(), marked)
        answer.close()
    assert {path: words for path, words in left.items() if words} == {}


LATIN = re.compile(r"(?<![\w.-])[A-Za-z][a-z]{2,}(?![\w-])")
NAMES = frozenset(
    """Alder Alpha Anna Arrow Atom Ben Birch Bravo Cedar Chess City Club Cookie Dogwood Elo Fay Feed
    Foxtrot Harbour JSON Life Master Night Nowhere Open Original Player Quick Regular Rovers Spring
    Standard Town United Winter Zeta alpha con details egf elo fide iccf iecg problem ratingbook
    standard unrated uscf""".split()
)
"""Names of this office and of others, of systems and standards, codes, and words that are typed."""


@pytest.mark.parametrize("language", ["ru", "bg", "zh-hans"])
def test_languages_of_other_letters_have_no_latin_words(reader, language: str) -> None:
    """Whatever is in Latin letters there, and no name, was never marked."""
    found: dict[str, str] = {}
    for path in (*PUBLIC, *MORE):
        answer = reader.get(path, headers={"accept-language": language})
        if not answer.streaming and answer["Content-Type"].startswith("text/html"):
            texts = Texts(answer.content.decode())
            for text in {*texts.said} - {*DATA}:
                if not any(each in text for each in texts.quoted if len(each.split()) > 2):
                    words = {*LATIN.findall(text)} - NAMES
                    found |= {word: path for word in words if not re.fullmatch("[a-f]+", word)}
        answer.close()
    assert found == {}


@pytest.mark.parametrize("name", ["tina", "dora", "anna"])
def test_pages_of_those_who_have_signed_in_say_nothing_in_english(
    busy: Home, english: dict[str, str], name: str
) -> None:
    open_site(busy.folder)
    client, left = signed_in(name), {}
    some = [each for paths in OF_TINA.values() for each in paths]
    paths = some if name == "tina" else OF_OTHERS[name]
    assert english_on(client, paths, "de") == {}
    for path in paths:
        answer = client.get(path, headers={"accept-language": "de"})
        if not answer.streaming and answer["Content-Type"].startswith("text/html"):
            left[path] = left_of(answer.content.decode(), english)
        answer.close()
    assert {path: words for path, words in left.items() if words} == {}
    if name == "tina":
        assert "Lauf club bis 01.04.2026" in in_german(client, "/desk/jobs/1/")
        assert not re.search(r"bis \d{4}-", in_german(client, "/desk/jobs/"))


def test_what_one_reads_before_one_has_signed_in_is_in_every_language(staffed: Home) -> None:
    open_site(staffed.folder)
    for language in OTHERS:
        assert english_on(nobody(), ("/account/sign-in/", "/account/link/1-used/"), language) == {}


def test_findings_of_histories_are_told_in_german() -> None:
    games = pa.table(
        {
            "date": [date(2014, 3, day) for day in (2, 1)], "event": ["e1", "e2"],
            "white": ["a", "b"], "black": ["b", "a"], "score": [1.0, 0.0],
        }
    )  # fmt: skip
    players = pa.table({"id": ["a", "b"], "rating": [9000.0, 1500.5], "games": [1, 2]})
    events = pa.table({"event": ["e1", "e2"], "kind": ["mach", "swiss"], "pool": ["xx", None]})
    book = registry.load("fide-2012")
    given, _ = read_history(games, players=players, events=events)
    assert given is not None
    found = check_history(given, book)
    tell_passed_over(2, 1, book, found)
    tell_unsettled((1, "e1"), book, found)
    assert len(found) >= 6
    with override("de"):
        said = {each.code: (SPOKEN.told(each.message), SPOKEN.told(each.remedy)) for each in found}
    # What is to be done at a shell no page tells.
    shown = {
        code: " ".join(x for x in both if not COMMAND.search(x)) for code, both in said.items()
    }
    assert {code: text for code, text in shown.items() if ENGLISH.search(text)} == {}
    assert said["history.passed-over"][0].startswith("2 Seiten von Partien werden nicht gewertet")


def test_charts_have_a_real_minus() -> None:
    points = [Point(date(2026, 1, 1), -200.5, 1), Point(date(2026, 2, 1), 150.0, 1)]
    drawn = stair(points, points[0], points[-1], date(2026, 2, 1))
    told = [each.text for each in drawn.grid] + [drawn.first, drawn.peak.text, drawn.last.text]
    assert any(each.startswith("−") for each in told)
    assert not any("-" in each for each in told)


def test_charts_write_numbers_as_the_language_does() -> None:
    points = [Point(date(2026, 1, 1), 1500.25, 2)]
    with override("de"):
        drawn = stair(points, points[0], points[-1], date(2026, 2, 1))
    assert (drawn.peak.text, drawn.last.text) == ("1500,25", "1500,25")


def test_titles_of_lists_that_have_a_number_and_days_of_series() -> None:
    with override("de"):
        assert titled("ICCF rating list 2026/1") == "ICCF-Wertungsliste 2026/1"
        assert (
            titled("European rating list of 2026-01-02")
            == "Europäische Wertungsliste vom 02.01.2026"
        )
        assert since_day("2014-07-01") == "01.07.2014"
        assert since_day("…") == "…"


@pytest.mark.parametrize("language", OTHERS)
def test_what_libraries_say_of_forms_is_in_the_language(office: Home, language: str) -> None:
    user = get_user_model()._default_manager.get(username="dora")
    user.set_password(PASSWORD)
    user.save()
    client, said = signed_in("dora"), []
    forms: dict[str, dict[str, str]] = {
        "/account/password/": {"oldpassword": "x", "password1": "1234", "password2": "123"},
        "/account/again/": {"password": "x"},
    }
    if language == "de":
        # Pages of our own, which others have in English.
        forms |= {path: {} for path in ("/account/tokens/", "/my/events/new/", "/my/notices/")}
    for path, form in forms.items():
        for given in (form, {}):
            answer = client.post(path, given, headers={"accept-language": language})
            assert answer.status_code in (200, 422), path
            page = answer.content.decode()
            said += Texts(page).said
            assert sentences(page) == set(), path
    if language == "de":
        assert "Bitte geben Sie Ihr aktuelles Passwort ein." in said
        assert not [each for each in said if re.search(r"\b[Dd](?:u|ein\w*|ich|ir)\b", each)]


def test_decisions_and_days_of_an_account_are_told_in_german(office: Home) -> None:
    page = in_german(signed_in("tina"), "/desk/decisions/?pool=club")
    assert "Anfangswerte" in page
    assert "opening" not in Texts(page).said
    with override("de"):
        assert decision("base_rating") == "Basiszahl"
    with override("en"):
        assert decision("base_rating") == "base rating"
    token_of("dora")
    assert re.search(r"\d\d\.\d\d\.20\d\d", in_german(signed_in("dora"), "/account/tokens/"))


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (str(reason_for(5)), "Berichtigung 5"),
        (str(reason_for(5, "the sheet says so")), "Berichtigung 5: the sheet says so"),
        (str(reason_for(5, on_next_list=True)), "Berichtigung 5 kommt auf die nächste Liste"),
        ("correction of the hall", "correction of the hall"),
    ],
)
def test_reasons_that_name_a_correction_are_told_in_german(kept: str, said: str) -> None:
    assert str(reason_said(kept)) == kept
    with override("de"):
        assert told(kept) == said


ASKED = {
    "fide-2024": ("rating=1800&o1=2000&r1=1", "rating=800&games=0&o1=600/2&r1=1"),
    "egf-2021": ("o1=2000&r1=1", "rating=3900&o1=2000&r1=1"),
    "uscf-2025": (
        "rating=1800&games=3&o1=1200&r1=1", "o1=unrated&r1=1", "rating=2800&games=50&o1=900&r1=0",
        "rating=2450&games=100&o1=2500&r1=1",
    ),
    "iccf-2009": ("o1=2000&r1=1", "rating=1800&games=3&o1=unrated&r1=1&o2=1500/3&r2=0.5"),
    "iecg-1999": ("o1=2000&r1=1", "rating=1800&games=3&o1=unrated&r1=1&o2=1500/3&r2=0.5"),
}  # fmt: skip
"""Questions at which the rules have something to say of who asks, or of an opponent."""


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_rules_notice_of_the_asker_is_told_in_the_language(reader, language: str) -> None:
    for book, questions in ASKED.items():
        for question in questions:
            path = f"/whatif?rulebook={book}&{question}"
            page = reader.get(path, headers={"accept-language": language}).content.decode()
            found = page.partition('<ul class="findings">')[2].partition("</ul>")[0]
            assert found, path
            assert 'lang="en"' not in found, (path, found)
            assert sentences(f"<ul>{found}</ul>") == set(), path


def test_the_asker_is_addressed() -> None:
    said = {}
    for language in ("en", "de"):
        with override(language):
            said[language] = [
                SPOKEN.told(to_the_asker(each)) for each in (
                    sentence("Player {called} has {games} rated games, but {sum} wins, draws and "
                             "losses together.", called="me", games=3, sum=0),
                    sentence("{who}: no standing; new, with a rating by section VII.",
                             who=players_named([Entry("me")])),
                    sentence("{who}: unrated; the initial rating follows from Step 1.",
                             who=players_named([Entry("me"), Entry("1")])),
                    "Player me has no age and is old.",
                )
            ]  # fmt: skip
    assert said["en"] == [
        "You have 3 rated games, but 0 wins, draws and losses together.",
        "You: no standing; new, with a rating by section VII.",
        "2 players (you, 1): unrated; the initial rating follows from Step 1.",
        "You have no age and is old.",
    ]
    assert said["de"] == [
        "Sie haben 3 gewertete Partien, aber zusammen 0 Siege, Remis und Niederlagen.",
        "Sie haben keinen Stand und gelten als neu, mit einer Wertungszahl nach Abschnitt VII.",
        "2 Spieler (Sie, 1): ohne Wertungszahl; die Anfangszahl folgt aus Schritt 1.",
        "You have no age and is old.",
    ]


@pytest.mark.parametrize("language", OTHERS)
def test_dates_and_rules_of_a_list_are_told_in_the_language(reader, language: str) -> None:
    for pool in ("standard", "go"):
        answer = reader.get(f"/lists/{pool}/2026-04-01", headers={"accept-language": language})
        assert '<dd lang="en">' not in answer.content.decode()


def test_a_sentence_ends_as_those_of_the_language_do(reader) -> None:
    page = reader.get("/players/1", headers={"accept-language": "zh-hans"}).content.decode()
    assert not re.search(r"[\u4e00-\u9fff）]\s*\.\s", " ".join(Texts(page).said))
    assert "起始时）。" in page


@pytest.mark.parametrize("name", ["egf-2021", "fide-2024", "iccf-2009", "iecg-1999"])
def test_whatever_a_list_of_ours_says_of_itself_is_recognised(name: str) -> None:
    day = date(2026, 3, 1)
    book = registry.load(name)
    assert isinstance(book, RuleBook)
    facts = [str(each) for each in book.listing((), day).facts]
    assert facts
    for each in facts:
        found = fact_of_list(each)
        assert found == each
        with override("de"):
            assert SPOKEN.told(found) != each
            assert not re.search(r"\d{4}-\d\d", SPOKEN.told(found))
    # Lists are kept as they were published, also with the day of a list that never came.
    earlier = fact_of_list("in force from 2026-02-01 until the next list, of 2026-03-01")
    assert SPOKEN.told(earlier) == "in force from 1 Feb 2026 until the next list"
    said = "in force from the beginning to 2026-01-01"
    assert not isinstance(fact_of_list(said), Sentence)
    assert 'lang="en"' in fact(said)


TRF = (
    "012 Odd Open", "092 round robin", "062 9",
    player_line(1, "2 w 1", "3 b +", name="Alfa, Ana", points="1.5"),
    player_line(2, "1 b 0", name="Bravo, Ben", points="0.0"),
    player_line(3, "0000 - -", "1 w +", name="Golf, Gus", points="1.0"),
)  # fmt: skip
"""A file that is taken, in which points, counts and a forfeit are odd."""


def taken(home: Home, name: str, text: str, version_of: int | None = None) -> int:
    """A file that Dora has sent; the number of its report."""
    path = home.folder / name
    path.write_text(text, "utf-8")
    options = receive.Options("club", version_of, another=not version_of)
    found = receive.receive(home, path, DORA, options).id
    assert found is not None
    return found


def let_out(office: Home, number: int) -> int:
    """Publish what is rated of a report."""
    desk.link_new(number, TINA)
    for each in desk.waiting(number):
        desk.link(number, each.entry, str(each.candidates[0]["person"]), TINA)
    run = run_to(office, date(2026, 5, 1))
    assert m.RunSection.objects.filter(
        run=run, section__in=m.Section.objects.filter(version__report=number).values("id")
    ).exists()
    return number


def test_details_of_findings_are_told_in_german(office: Home) -> None:
    warned = taken(office, "odd.trf", file(*TRF))
    refused = taken(office, "wrong.trf", file(*TRF[:4], TRF[4].replace("1 b 0", "1 b 1"), TRF[5]))
    pages = {
        path: signed_in(name).get(path, headers={"accept-language": "de"}).content.decode()
        for name, of in (("tina", "/desk"), ("dora", "/my"))
        for path in (f"{of}/reports/{warned}/", f"{of}/reports/{refused}/")
    }
    for path, page in pages.items():
        assert sentences(page) == set(), path
        said = " ".join(Texts(page).said)
        assert "1 Alfa, Ana: 1,5 angegeben, 2 gezählt" in said, path
        assert "9 Spieler laut Satz 062, 3 gefunden" in said, path
    said = " ".join(Texts(pages[f"/desk/reports/{refused}/"]).said)
    assert "in Runde 1: 1 Alfa, Ana hat 1 (Zeile 6) und 2 Bravo, Ben hat 1 (Zeile 7)" in said


@pytest.mark.parametrize("language", OTHERS)
def test_findings_of_an_event_are_told_in_the_language(office: Home, language: str) -> None:
    number = taken(office, "odd.trf", file(*TRF))
    put_aside(str(number), "release", "it is of 2010", TINA)
    let_out(office, number)
    answer = nobody().get(f"/events/{number}", headers={"accept-language": language})
    page = answer.content.decode()
    found = page.partition('<ul class="findings">')[2].partition("</ul>")[0]
    assert found.count("<li>") >= 3
    assert "lang=" not in found
    assert sentences(page) == set()
    with override(language):
        assert SPOKEN.gettext("round robin") in Texts(page).said


def test_findings_have_days_as_pages_write_them_and_files_as_iso_8601_does(
    office: Home,
) -> None:
    said = reports.document("Far Open", "2026-03-28")
    said["event"]["start"] = "1826-03-28"
    number = let_out(office, taken(office, "far.json", json.dumps(said)))
    page = nobody().get(f"/events/{number}", headers={"accept-language": "de"}).content.decode()
    assert "Etwas soll vom 28.03.1826 sein: bevor" in page
    data = nobody().get(f"/events/{number}.json", headers={"accept-language": "de"}).json()
    messages = [each["message"] for each in data["findings"]]
    assert any("is said to be of 1826-03-28" in each for each in messages), messages
    # What is derived once is derived once for each.
    assert "1826-03-28" in by_token("dora").get(f"/api/v1/reports/{number}").content.decode()
    own = signed_in("dora").get(f"/my/reports/{number}/").content.decode()
    assert "is said to be of 28 Mar 1826" in own


def test_what_a_new_version_says_otherwise_is_told_in_german(office: Home) -> None:
    old = reports.document("Fourth Open", "2026-03-28", {}, kind="swiss")
    new = reports.document("Fourth Open", "2026-03-28", {("1", "2"): "1-0"}, kind="round_robin")
    new["event"]["start"] = "2026-03-27"
    new["players"][2] |= {"team": "Harbour", "standing": {"rating": 1812.5, "wins": 3}}
    new["games"][1]["status"] = "adjudicated"
    number = taken(office, "fourth.json", json.dumps(old))
    assert taken(office, "fourth.json", json.dumps(new), number) == number
    page = in_german(signed_in("tina"), f"/desk/reports/{number}/")
    for text in (
        "Art des Turniers ist Rundenturnier, war Schweizer System",
        "Beginn des Turniers ist 27.03.2026, war 28.03.2026",
        "Mannschaft jetzt Harbour, vorher nicht angegeben",
        "Stand jetzt Wertungszahl 1812,5, Siege 3, vorher nicht angegeben",
        "Ergebnis jetzt 1–0, vorher ½–½",
        "Status jetzt abgeschätzt, vorher nicht angegeben",
    ):
        assert text in page


def test_numbers_in_registers_and_kinds_of_events_are_called_in_the_language() -> None:
    said = {}
    for language in LANGUAGES:
        with override(language):
            said[language] = [
                of_register("105", "local"), of_register("701", "national"),
                of_register("7", "uscf"), of_register("7", "fide"), register_called("national"),
                kind_of_event("round_robin"), kind_of_event("jamboree"),
            ]  # fmt: skip
    assert said["de"] == [
        "örtliche Nummer 105", "nationale Nummer 701", "US Chess 7", "FIDE 7",
        "nationales Verzeichnis", "Rundenturnier", "jamboree",
    ]  # fmt: skip
    for language in OTHERS:
        ours = {
            n for n, (a, b) in enumerate(zip(said["en"], said[language], strict=True)) if a != b
        }
        assert ours == {0, 1, 4, 5}, language


@pytest.mark.parametrize("language", OTHERS)
def test_opponents_of_a_what_if_are_called_so_in_the_language(reader, language: str) -> None:
    path = "/whatif?rulebook=egf-2021&rating=1800&o1=5k&h1=2&r1=1"
    page = reader.get(path, headers={"accept-language": language}).content.decode()
    assert "opponent 1" not in page
    assert sentences(page) == set()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", {"Events": "Ereignisse"}),
        ("ru", {"Title": "Название"}),
        ("bg", {"Title": "Заглавие"}),
    ],
)
def test_words_of_two_meanings_have_a_translation_for_each(
    empty: Home, language: str, words: dict[str, str]
) -> None:
    from django.utils.translation import gettext, pgettext

    contexts = {"Events": "of a webhook", "Title": "of a list"}
    with override(language):
        for word, said in words.items():
            assert pgettext(contexts[word], word) == said != gettext(word)


def test_titles_have_days_as_the_page_writes_them(empty: Home) -> None:
    with override("en"):
        assert titled("FIDE rating list of 2026-01-01") == "FIDE rating list of 1 Jan 2026"
        assert titled("Club list of 2026-01-01") == "Club list of 1 Jan 2026"
        assert titled("ICCF rating list 17") == "ICCF rating list 17"
