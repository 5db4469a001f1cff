"""Notices of corrections at the desk: looked at, sent once, and tried again."""

from __future__ import annotations

import json
import re

import pytest
from django.core.mail.backends.filebased import EmailBackend

from ratingbook.office.acts import asking, corrections, notices, setup
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.home import CONFIG, Home
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site.models import Account
from ratingbook.site.views import noticing
from tests.site.offices import TINA
from tests.site.people import carried, nobody, pressed, signed_in
from tests.site.test_letters import mails, subject
from tests.site.test_officers import text

PATH = "/desk/notices/"


@pytest.fixture
def waiting(office: Home) -> Home:
    """An office in which three mails wait: two for Dora, each by itself, and one of digests."""
    notices.set_contact("actor:dora", "dora@mail.example", "each", TINA)
    notices.set_contact("actor:otto", "otto@mail.example", "digest", TINA)
    for name, game in (("dora", 1), ("dora", 2), ("otto", 3)):
        wrong = [asking.game(1, game, "0-1")]
        corrections.ask(office, wrong, "typed the wrong way", Who(name))
    return office


def states() -> list[tuple[str, str]]:
    return sorted(m.Notice.objects.values_list("whose", "state"))


def test_what_waits_is_seen_before_it_is_sent(waiting):
    olga = signed_in("olga")
    page = text(olga.get(PATH))
    assert re.findall(r'<th scope="row"><bdi>(\w+)</bdi>', page) == ["dora", "dora", "otto"]
    for said in ("C-1", "received", "by itself", "with the digests", "Send 2 mails",
                 "Send these, and 1 digest", "mails become files"):  # fmt: skip
        assert said in page
    Account.objects.filter(actor="dora").update(language="de")
    answer = olga.post(PATH, {"act": "send", **carried(page)}, follow=True)
    page = text(answer)
    assert answer.redirect_chain == [(PATH, 302)]
    assert "2 mails are sent." in page
    assert states() == [("actor:dora", "sent")] * 2 + [("actor:otto", "waiting")]
    german = mails(waiting)["dora@mail.example"]
    assert subject(german[0]) == "Berichtigung 1 ist eingegangen"
    done = m.Audit.objects.latest("id")
    assert (done.act, done.actor) == ("notices sent", "olga")
    assert "2 sent, 0 not" in text(olga.get("/desk/audit/"))
    assert pressed(olga, PATH, act="digests").status_code == 302
    assert set(states()) == {("actor:dora", "sent"), ("actor:otto", "sent")}
    page = text(olga.get(PATH))
    assert "Nothing waits." in page
    assert 'name="act"' not in page


def test_what_is_sent_is_what_was_seen(waiting):
    olga = signed_in("olga")
    seen = carried(olga.get(PATH).content)
    corrections.ask(waiting, [asking.game(1, 4, "0-1")], "typed the wrong way", Who("dora"))
    answer = olga.post(PATH, {"act": "send", **seen})
    assert (answer.status_code, "Other mails wait" in text(answer)) == (422, True)
    assert {state for _, state in states()} == {"waiting"}
    assert olga.post(PATH, {"act": "nothing"}).status_code == 422


def test_as_many_go_as_somebody_waits_for(waiting, monkeypatch):
    monkeypatch.setattr(noticing, "MOST", 1)
    olga = signed_in("olga")
    assert "At most 1 mails" in text(olga.get(PATH))
    pressed(olga, PATH, act="digests")
    assert [state for _, state in states()].count("sent") == 1
    pressed(olga, PATH, act="digests")
    assert states() == [("actor:dora", "sent")] * 2 + [("actor:otto", "waiting")]


def test_what_failed_waits_again_when_somebody_says_so(waiting):
    said = json.loads((waiting.folder / CONFIG).read_text("utf-8"))
    broken = {**said, "mail": {"backend": "nowhere.Backend"}}
    (waiting.folder / CONFIG).write_text(json.dumps(broken), "utf-8")
    olga = signed_in("olga")
    assert "mails become files" not in text(olga.get(PATH))
    (waiting.folder / CONFIG).write_text(json.dumps(said), "utf-8")
    m.Notice.objects.filter(whose="actor:dora").update(state=notices.FAILED)
    page = text(olga.get(PATH))
    assert "2 notices were not sent" in page
    answer = olga.post(PATH, {"act": "again"}, follow=True)
    assert "2 notices wait again." in text(answer)
    assert {state for _, state in states()} == {"waiting"}
    assert m.Audit.objects.latest("id").act == "notices wait again"


def test_a_mail_that_fails_is_told_without_a_command(waiting, monkeypatch):
    def fail(self, messages):
        raise OSError("the server is away")

    monkeypatch.setattr(EmailBackend, "send_messages", fail)
    olga = signed_in("olga")
    answer = olga.post(PATH, {"act": "send", **carried(olga.get(PATH).content)}, follow=True)
    page = text(answer)
    assert "A mail to actor:dora was not sent: the server is away." in page
    assert "ratingbook office" not in page
    assert states() == [("actor:dora", "failed")] * 2 + [("actor:otto", "waiting")]


def test_two_who_send_at_once_send_nothing_twice(waiting, monkeypatch):
    """The other one sends as soon as this one begins."""
    sent: list[str] = []
    others: list[int] = []
    send_messages = EmailBackend.send_messages

    def sends(self, messages):
        sent.extend(each.to[0] for each in messages)
        if not others:
            others.append(0)
            others[0] = notices.send(waiting, TINA, digests=True)[0]
        return send_messages(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", sends)
    mine = notices.send(waiting, TINA, digests=True)[0]
    assert (mine, others) == (1, [2])
    assert sorted(sent) == ["dora@mail.example"] * 2 + ["otto@mail.example"]


def test_whoever_wants_none_any_more_gets_none(waiting):
    notices.set_contact("person:2", "two@mail.example", "each", TINA)
    correction = m.Correction.objects.latest("id")
    m.Notice.objects.create(
        at=TINA.now(), whose="person:2", correction=correction, kind="received", state="waiting",
        said={"reason": ""},
    )  # fmt: skip
    m.Contact.objects.filter(whose="person:2").update(wants=notices.NONE)
    suppress(waiting, 2, "asked for it", TINA)
    page = text(signed_in("olga").get(PATH))
    assert "no mails are wanted any more" in page
    assert "Player 2" in page
    assert "Bravo" not in page
    pressed(signed_in("olga"), PATH, act="send")
    assert ("person:2", "unwanted") in states()


def test_it_is_for_officers(waiting):
    setup.add_actor("dora", ["director"], TINA)
    assert signed_in("dora").get(PATH).status_code == 403
    assert signed_in("dora").post(PATH, {"act": "send"}).status_code == 403
    assert nobody().post(PATH, {"act": "send"}).status_code == 302
    assert {state for _, state in states()} == {"waiting"}
