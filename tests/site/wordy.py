"""Texts of people wherever the office takes any: as long as they may be, or as they usually are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from ratingbook.office.acts import (
    asking,
    calendar,
    corrections,
    decisions,
    desk,
    notices,
    receive,
    registry,
    setup,
    webhooks,
)
from ratingbook.office.acts import reports as acts
from ratingbook.office.home import Home
from ratingbook.office.limits import LABEL, NAME, REASON, TEXT
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from tests.office import reports
from tests.site.offices import TINA, run_to
from tests.site.people import signed_in, token_of
from tests.site.test_directors import send

DORA, ANNA = Who("dora"), Who("anna")
Text = Callable[[str, int], str]
"""A text that begins with a letter and is no longer than a length."""


def hostile(letter: str, length: int) -> str:
    """A word without a place to break it."""
    return letter * length


def ordinary(letter: str, length: int) -> str:
    """A text of the length of names, which can be broken at a space."""
    return f"{letter}pachristodoulo, {letter}georgia"[:length]


def report(day: str, letter: str, word: Text) -> dict[str, Any]:
    """An event of players whom the office knows, and of two whom it does not."""
    said = reports.document(word(letter, NAME), day, {("1", "2"): "1-0"})
    said["event"] |= {"place": word("P", NAME), "time_control": word("T", TEXT)}
    for each in said["players"]:
        each |= {"club": word("C", NAME), "federation": "IRL"}
    for each, new in zip(said["players"][4:], "YZ", strict=False):
        each |= {"name": word(new, NAME), "ids": {"national": word(new, LABEL)}}
    return said


def fill(home: Home, word: Text) -> dict[str, list[str]]:
    """Write them into a busy office; gives the pages that show them, by who looks at them."""
    pool = word("V", NAME)
    setup.add_pool(pool, "elo", TINA, {}, {"marks": ",".join(["1500"] * 100)})
    setup.add_actor(word("A", NAME), ["director"], TINA)
    received = []
    for day, letter in (("2026-03-22", "N"), ("2026-03-24", "M"), ("2026-03-26", "W")):
        path = reports.write(home.folder, f"{word(letter, 100)}.json", report(day, letter, word))
        one = receive.receive(home, path, DORA, receive.Options(pool="club", another=True))
        assert one.id is not None, list(one.findings)
        received.append(one.id)
    rated, open_, held = received
    desk.link_new(rated, TINA)
    acts.put_aside(str(held), "hold", word("H", REASON), TINA)
    contents = [asking.game(rated, 1, "0-1")]
    asked = corrections.ask(home, contents, word("R", REASON), DORA)
    other = corrections.ask(home, [asking.game(rated, 2, "0-1")], word("R", REASON), ANNA)
    corrections.reject(other.id, word("J", REASON), TINA)
    run = run_to(home, date(2026, 4, 2), why=word("O", REASON))
    said = {"club": word("C", NAME), "title": word("L", LABEL)}
    registry.edit(1, registry.Edit(word("Q", NAME), None, said), word("E", REASON), TINA)
    for known, letter in zip(range(2, 7), "RSTUB", strict=True):
        registry.edit(known, registry.Edit(word(letter, NAME)), word("E", REASON), TINA)
    decisions.decide(home, decisions.Deciding(2, "title", "GM", "club", word("D", REASON)), TINA)
    calendar.expect(
        calendar.Expected(word("X", NAME), date(2026, 3, 1), "club", word("S", NAME)), TINA
    )
    url = "https://hooks.example.org/"
    webhooks.add(home, url + hostile("U", TEXT - len(url)), ["list.published"], TINA)
    notices.set_contact("person:1", f"{hostile('B', 200)}@example.org", "each", ANNA)
    for name in ("tina", "dora", "anna"):
        token_of(name, name=word("K", LABEL))
    draft = send(signed_in("dora"), report("2026-03-28", "G", word), f"{word('F', 200)}.json")
    person = m.Person.objects.order_by("-id").values_list("id", flat=True)[0]
    public = [
        f"/events/{rated}", "/events", "/players/1", f"/players/{person}", "/", "/lists",
        "/lists/club/2026-04-02", f"/search?q={word('Q', 100)}", "/corrections", "/status",
        f"/corrections/{other.id}",
    ]  # fmt: skip
    return {
        "": public,
        "anna": ["/account/", "/account/tokens/", "/my/results/", f"/my/results/{rated}/1/",
                 "/my/notices/"],
        "dora": ["/my/events/", draft, f"/my/reports/{rated}/", f"/my/reports/{held}/",
                 f"/my/reports/{rated}/correct/", "/account/tokens/"],
        "tina": ["/desk/", "/desk/?state=held", f"/desk/reports/{rated}/",
                 f"/desk/reports/{open_}/",
                 f"/desk/reports/{held}/", f"/desk/reports/{rated}/correct/", "/desk/who/",
                 f"/desk/who/?report={open_}&q={word('Q', 20)}", "/desk/audit/",
                 "/desk/corrections/", f"/desk/corrections/new/?what=player&report={rated}",
                 f"/desk/corrections/{asked.id}/", f"/desk/corrections/{asked.id}/?preview=yes",
                 f"/desk/corrections/{other.id}/", f"/desk/runs/{run.id}/", "/desk/runs/",
                 "/desk/decisions/", "/desk/anomalies/?pool=club", "/desk/users/",
                 "/desk/policies/", "/desk/webhooks/", "/desk/outbox/", "/desk/jobs/",
                 "/desk/notices/", "/desk/people/1/suppress/",
                 "/desk/lists/?pool=club&day=2026-04-15", "/account/tokens/"],
    }  # fmt: skip
