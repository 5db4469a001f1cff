"""A small office with everybody in it whom its site is for."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, date, datetime
from pathlib import Path

from ratingbook.office.acts import (
    asking,
    backups,
    corrections,
    desk,
    jobs,
    notices,
    receive,
    runs,
    setup,
    webhooks,
)
from ratingbook.office.home import CONFIG, Home
from ratingbook.office.store.ledger import Who
from ratingbook.office.store.models import Run
from ratingbook.site import accounts
from ratingbook.site.opening import open_site
from tests.office import reports
from tools.postgresql import new_database, server_of

ROLES = {
    "tina": ["admin"], "olga": ["officer"], "otto": ["officer"],
    "dora": ["director"], "dirk": ["director"], "anna": ["player"],
}  # fmt: skip
"""Who is what; everybody signs in by the own name, and ``gast`` has an account without a role."""
DAY = datetime(2026, 4, 2, 9, 0, tzinfo=UTC)
TINA = Who("tina", at=DAY)
SECRET = "JBSWY3DPEHPK3PXP"
"""Of the authenticator apps of officers."""
STRANGERS = {
    "1": ("Alfa, Ana", "w", "1991-01-05", ""),
    "2": ("Bravo, Ben", "m", "1985-03-07", "702"),
    "3": ("Golf, Gerda", "w", "1991-04-04", "707"),
    "4": ("Hotel <b>&\"'", "m", "1992-05-05", "708"),
}


def copied(home: Home, folder: Path) -> None:
    """Another office that is the same, with a database of its own."""
    from django.db import connections

    connections.close_all()
    shutil.copytree(home.folder, folder)
    if not home.is_sqlite:
        server, old = server_of(home.database)
        name = new_database(server, old)
        said = json.loads((folder / CONFIG).read_text("utf-8"))
        (folder / CONFIG).write_text(json.dumps({**said, "database": server.format(name)}), "utf-8")


def staffed_office(folder: Path, database: str = "") -> Home:
    """The pool ``club``, Dora's event published, one of hers and one of Dirk's at the desk."""
    setup.init(folder, TINA, database)
    home = open_site(folder)
    policies = {"assume": "1500", "marks": "1500,2000"}
    setup.add_pool("club", "elo", TINA, {}, policies)
    for name, roles in ROLES.items():
        if name not in ("tina", "anna"):
            setup.add_actor(name, roles, TINA)
    work = folder.parent
    first = reports.document("First Open", "2026-01-10", {("1", "2"): "1-0", ("3", "4"): "0-1"})
    received(home, work, "first.json", first, "dora")
    desk.link_new(1, TINA)
    setup.add_actor("anna", ["player"], TINA, 1)
    run_to(home, date(2026, 3, 1))
    second = reports.document("Second Open", "2026-03-10", {("1", "3"): "1-0"}, STRANGERS)
    del second["players"][0]["ids"]
    received(home, work, "second.json", second, "dora")
    third = reports.document("Third Open", "2026-03-20", {("1", "2"): "0-1"})
    received(home, work, "third.json", third, "dirk")
    # What has models is there once an office is opened.
    from allauth.mfa.totp.internal.auth import TOTP
    from django.contrib.auth import get_user_model

    for name, roles in ROLES.items():
        user = accounts.add_user(name, name, TINA)
        if accounts.GUARDED & set(roles):
            TOTP.activate(user, SECRET)
    get_user_model()._default_manager.create(username="gast")
    from django.db import connections

    connections.close_all()
    return home


def busy_office(home: Home) -> None:
    """Let several of everything wait in an office with everybody in it, and two pools more."""
    # Django's client needs its settings, which an office brings.
    from tests.site.people import signed_in, token_of
    from tests.site.test_directors import send

    setup.add_pool("rapid", "fide-2024", TINA)
    setup.add_pool("go", "egf-2021", TINA)
    broken = reports.document("Broken Open", "2026-03-28")
    broken["games"][2]["result"] = "7-0"
    dora = signed_in("dora")
    send(dora, broken)
    fourth = reports.document("Fourth Open", "2026-03-28", {("1", "2"): "1-0"})
    send(dora, fourth, "fourth.json")
    for name, day in (("Fifth Open", "2026-03-29"), ("Sixth Open", "2026-04-05")):
        said = reports.document(name, day, {}, STRANGERS)
        received(home, home.folder.parent, f"{name}.json", said, "dirk")
    notices.set_contact("actor:dora", "dora@example.org", "each", TINA)
    notices.set_contact("actor:otto", "otto@example.org", "digest", TINA)
    for game in (1, 2, 3):
        wrong = [asking.game(1, game, "0-1")]
        corrections.ask(home, wrong, "typed the wrong way", Who("dora" if game < 3 else "otto"))
    for until in (date(2026, 4, 1), date(2026, 5, 1)):
        runs.make(home, "club", until, Who("olga"))
        plan = {"pool": "club", "until": str(until), "refresh": None}
        jobs.enqueue("run", plan, Who("olga"))
    for name in ("tina", "dora", "dora"):
        token_of(name)
    for address in ("a", "b"):
        url = f"https://{address}.example.org/hook"
        webhooks.add(home, url, ["list.published", "report.state"], TINA)
    (home.folder / "backups").mkdir()
    backups.backup(home, home.folder / "backups" / "20260402-090000.tar", TINA)


def run_to(home: Home, until: date, pool: str = "club", why: str = "", who: Who = TINA) -> Run:
    """Rate up to a day, and publish it."""
    run = runs.make(home, pool, until, who).run
    runs.approve(run.id, who, why)
    runs.publish(home, run.id, who)
    return run


def received_new(home: Home, said: dict[str, object]) -> int:
    """A report for the pool of the club in which everybody unknown is new; its number."""
    path = reports.write(home.folder, "new.json", said)
    received = receive.receive(home, path, TINA, receive.Options(pool="club", another=True))
    assert received.id is not None
    desk.link_new(received.id, TINA)
    return received.id


def publish_match(home: Home) -> None:
    """Somebody new, number 7, wins one game in the pool of the club, which is published."""
    players = {"2": reports.PLAYERS["2"], "9": ("Golf, Zoe", "w", "1995-05-05", "909")}
    said = reports.document("Match", "2026-03-25", {("2", "9"): "0-1"}, players)
    received_new(home, said)
    run_to(home, date(2026, 4, 2))


def received(home: Home, work: Path, name: str, said: dict[str, object], actor: str) -> None:
    """Let somebody send a report for the pool ``club``."""
    path = reports.write(work, name, said)
    receive.receive(home, path, Who(actor, at=DAY), receive.Options(pool="club"))
