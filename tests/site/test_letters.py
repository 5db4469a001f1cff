"""Mails of the office are in the language of who gets them, else in that of the office."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from django.test import Client

from ratingbook.office.acts import asking, corrections, notices
from ratingbook.office.home import CONFIG, Home, find
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store.ledger import Who
from ratingbook.office.store.models import Contact
from ratingbook.site.letters import leading, speaking
from ratingbook.site.models import Account

TINA = Who("tina")


def mails(home: Home) -> dict[str, list[EmailMessage]]:
    """What was sent, by the address."""
    found: dict[str, list[EmailMessage]] = {}
    for path in sorted((home.folder / "mail").iterdir()):
        for part in path.read_bytes().split(b"\n" + b"-" * 79 + b"\n"):
            if part.strip():
                mail = message_from_bytes(part, policy=policy.default)
                assert isinstance(mail, EmailMessage)
                found.setdefault(str(mail["To"]), []).append(mail)
    return found


def subject(mail: EmailMessage) -> str:
    """What stands there: a long one in other letters comes in pieces."""
    return " ".join(str(mail["Subject"]).split())


@pytest.fixture
def asked(office: Home) -> Home:
    """An office that has three people to tell of a correction that it refused."""
    for name in ("dora", "olga", "otto"):
        notices.set_contact(f"actor:{name}", f"{name}@mail.example", "each", TINA)
        wrong = [asking.game(1, {"dora": 1, "olga": 2, "otto": 3}[name], "0-1")]
        made = corrections.ask(office, wrong, "typed the wrong way", Who(name))
        corrections.reject(made.id, "the sheet says otherwise", TINA)
    Account.objects.filter(actor="dora").update(language="de")
    Account.objects.filter(actor="olga").update(language="ru")
    return office


def test_mails_are_in_the_language_of_who_gets_them(asked: Home) -> None:
    sent, findings = notices.send(asked, TINA, speaking=speaking(asked))
    assert (sent, len(findings)) == (6, 0)
    found = mails(asked)
    german, russian, english = (found[f"{name}@mail.example"] for name in ("dora", "olga", "otto"))
    subjects = [subject(each) for each in german]
    assert subjects == ["Berichtigung 1 ist eingegangen", "Berichtigung 1 ist abgelehnt"]
    text = german[1].get_content()
    assert "Runde" in text
    assert "0–1 statt 1–0" in text
    assert "Grund: the sheet says otherwise" in text
    assert "So beenden Sie es: `ratingbook office contact --stop" in text
    assert "Correction" not in text
    assert subject(russian[1]) == "Исправление 2 отклонено"
    assert subject(english[1]) == "Correction 3 is refused"


def test_whoever_has_chosen_no_language_is_written_to_in_that_of_the_office(asked: Home) -> None:
    said = json.loads((asked.folder / CONFIG).read_text("utf-8"))
    (asked.folder / CONFIG).write_text(json.dumps({**said, "language": "de"}), "utf-8")
    home = find(asked.folder)
    assert home.language == "de"
    notices.send(home, TINA, speaking=speaking(home))
    found = mails(home)
    assert subject(found["otto@mail.example"][0]) == "Berichtigung 3 ist eingegangen"
    assert subject(found["olga@mail.example"][1]) == "Исправление 2 отклонено"


def test_numbers_and_days_of_mails_are_those_of_the_language(office: Home) -> None:
    Account.objects.filter(actor="anna").update(language="de")
    with speaking(office)("person:1") as language:
        assert language.day("2026-02-01") == "01.02.2026"
        assert language.figure("1500.5") == "1500,5"
    with speaking(office)("person:2") as language:
        assert language.day("2026-02-01") == "1 Feb 2026"


def test_an_office_speaks_no_language_that_there_is_not(office: Home) -> None:
    with pytest.raises(OfficeRefused) as refused:
        speaking(replace(office, language="xx"))
    assert [each.code for each in refused.value.findings] == ["office.settings"]


def test_mails_lead_to_the_site_and_to_their_end(
    asked: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = json.loads((asked.folder / CONFIG).read_text("utf-8"))
    site = {"url": "https://ratings.example/"}
    (asked.folder / CONFIG).write_text(json.dumps({**said, "site": site}), "utf-8")
    notices.send(asked, TINA, leading=leading(asked))
    for name, some in mails(asked).items():
        for mail in some:
            text = mail.get_content()
            assert re.search(r"See https://ratings\.example/corrections/\d+$", text, re.M)
            assert "ratingbook office" not in text
            (way,) = re.findall(r"https://ratings\.example(/mails/stop/\S+/)", text)
            assert mail["List-Unsubscribe"] == f"<https://ratings.example{way}>"
        anybody = Client(headers={"host": "localhost"})
        assert anybody.get(way).status_code == 200
        contact = Contact.objects.get(address=name)
        assert contact.wants == "each", "to follow the link ends nothing"
        assert "does not write" in anybody.post(way).content.decode()
        contact.refresh_from_db()
        assert contact.wants == "none"
    assert anybody.get("/mails/stop/nobodys/").status_code == 404


def test_an_address_is_forgotten(office: Home) -> None:
    notices.set_contact("actor:dora", "dora@mail.example", "each", TINA)
    with pytest.raises(OfficeRefused):
        notices.set_contact("actor:dora", " ", "each", TINA)
    notices.set_contact("actor:dora", " ", "none", TINA)
    assert not Contact.objects.filter(whose="actor:dora").exists()
