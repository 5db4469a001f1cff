"""Corrections: asked for, previewed, accepted, rated, told; published lists stay as they were."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import date, timedelta
from xml.etree import ElementTree

import pyarrow as pa
import pytest

from ratingbook.office import bundle
from ratingbook.office.acts import (
    asking,
    bundles,
    corrections,
    decisions,
    doctor,
    drafting,
    lists,
    notices,
    people,
    publishable,
    published,
    receive,
    register,
    reports,
    requests,
    runs,
    setup,
)
from ratingbook.office.acts.contradictions import contradicting
from ratingbook.office.acts.decisions import Deciding
from ratingbook.office.acts.preview import Bench, previews
from ratingbook.office.logic.corrections import sentences
from ratingbook.office.logic.effects import Course, Row, Side, by_themselves
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.logic.reach import REACH, crossings
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from tests.office.officers import add_colleagues
from tests.office.prepared import prepared
from tests.office.reports import document, write
from tests.office.test_runs import codes, opened
from tools import corrections as trials

UNTIL = date(2026, 4, 1)


def later(who, days):
    return replace(who, at=who.at + timedelta(days=days))


@prepared
def office(home, tina, tmp_path):
    """Two events, each on a published list of its own; three officers and a player."""
    opened(home, tina, tmp_path, "fide-2009")
    add_colleagues(tina)
    for number, (name, day, until) in enumerate(
        [("Winter Open", "2026-01-10", date(2026, 2, 1)), ("Spring Open", "2026-02-20", UNTIL)]
    ):
        path = write(tmp_path, f"{number}.json", document(name, day, {("1", "2"): "1-0"}))
        received, _ = receive.receive_all(home, [path], tina, receive.Options(another=True))
        assert received[0].state == "ready"
        publish(home, tina, until)
    return home


def publish(home, who, until=UNTIL):
    made = runs.make(home, "standard", until, who)
    for each in ("udo", "vera"):
        runs.approve(made.run.id, replace(who, actor=each))
    return runs.publish(home, made.run.id, who)


def hold(home, contents, tina, reason="the sheet says so"):
    """Ask for and accept, by two people."""
    asked = corrections.ask(home, contents, reason, replace(tina, actor="anna"))
    corrections.accept(home, asked.id, tina)
    return asked.id


def test_a_wrong_result_from_request_to_register(office, tina, tmp_path):
    setup.set_policies(
        "standard",
        {"four_eyes": "yes", "correction_approvals": "2", "revise": "affected", "approvals": "2"},
        "rules", tina,
    )  # fmt: skip
    anna, udo, vera = (replace(tina, actor=each) for each in ("anna", "udo", "vera"))
    old = {(each.date, each.revision): lists.rows_of(each) for each in m.List.objects.all()}
    sheet = tmp_path / "sheet.jpg"
    sheet.write_bytes(b"a score sheet")
    content = asking.game(1, 1, "0-1")
    assert content["before"]["half"] == 2
    asked = corrections.ask(office, [content], "Ben won", anna, [sheet])
    assert (asked.state, asked.joined) == ("open", None)
    shown = Bench(office).preview([content]).as_dict()
    assert shown["lists"] == ["standard@2026-02-01", "standard@2026-04-01"]
    first = corrections.accept(office, asked.id, udo)
    assert (first.approvals, first.holds) == (1, False)
    with pytest.raises(OfficeRefused) as refused:
        corrections.accept(office, asked.id, udo)
    assert codes(refused) == ["office.approved"]
    second = corrections.accept(office, asked.id, vera)
    assert second.holds
    done = publish(office, tina)
    assert [(str(x.date), x.revision) for x in done.lists] == [("2026-02-01", 2), ("2026-04-01", 2)]
    for one in m.List.objects.filter(revision=1):
        assert lists.rows_of(one) == old[one.date, 1]
    # By hand: 2001 against 1990 expects 0.51, K is 15: the loser of the game has 15 less, the
    # winner 15 more than before.
    now = {row["id"]: row["rating"] for row in lists.rows_of(done.lists[0])}
    was = {row["id"]: row["rating"] for row in old[date(2026, 2, 1), 1]}
    assert {key: now[key] - was[key] for key in was if now[key] != was[key]} == {"1": -15, "2": 15}
    told = register.entry(office, asked.id)
    assert told["state"] == "published"
    assert [each["what"] for each in told["facts"]] == [
        "asked", "approved", "approved", "accepted", "published",
    ]  # fmt: skip
    assert told["facts"][0]["evidence"] == [content_hash(sheet)]
    assert [x["list"] for x in told["published"][0]["lists"]] == [each.id for each in done.lists]
    assert {row["person"] for row in told["changed"]} >= {1, 2}
    assert not [each for each in doctor.examine(office) if each.severity.refuses]
    assert all(each.is_equal for each in bundles.replay()[0])
    # The revision of the older list is verified like any other.
    out = tmp_path / "bundle"
    bundles.write_bundle(office, done.lists[0], out, tina)
    assert [each.code for each in bundle.verify(out).findings] == []


def test_a_publication_brings_one_list_of_a_day(office, tina):
    """Up to the 20th the own list of the run is that of the 1st, of which a revision is due."""
    setup.set_policies("standard", {"revise": "affected"}, "", tina)
    hold(office, [asking.game(1, 1, "0-1")], tina)
    done = publish(office, tina, date(2026, 4, 20))
    assert [(str(x.date), x.revision) for x in done.lists] == [("2026-02-01", 2), ("2026-04-01", 2)]


def test_who_played_each_other_is_hardly_one_person(office, tina):
    """They are two entries of both events, and met in each of them."""
    made = people.add_person(NewPerson("Nobody, Any"), "", tina)[0]
    assert not list(people.merge(made, 3, "a former name", tina)[1])
    for findings in (
        corrections.ask(office, [asking.merge(1, 2)], "one person", tina).findings,
        people.merge(1, 2, "one person", tina)[1],
    ):
        told = [each for each in findings if each.code == "office.met"]
        assert [each.message.partition(";")[0] for each in told] == [
            "1 and 2 play in 2 reports as two entries, and 2 games with each other"
        ]


def content_hash(path):
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_who_was_never_at_the_board_is_told_why(office, tina):
    """The game of 1 and 2 in January changes what 3 wins against them in February."""
    for event in (1, 2):
        hold(office, [asking.game(event, 1, "0-1")], tina)
    publish_one(office, tina)
    pool = setup.pool_named("standard")
    found = register.since_first(office, pool, 1)
    assert [(x["batch"], x["corrections"]) for x in found] == [
        ("2026-02-01", [1]), ("2026-03-01", [1, 2]), ("list 2026-04-01", [1, 2]),
    ]  # fmt: skip
    assert "Winter Open, round 1" in found[0]["why"][0]
    assert found[0]["was"] != found[0]["now"]
    third = register.since_first(office, pool, 3)
    assert all(set(x["corrections"]) <= {1, 2} and x["why"] for x in third)


def digest_of(pool):
    run = published.head_run(pool)
    assert run is not None
    return run.digest


def publish_one(home, tina, until=UNTIL, pool="standard"):
    made = runs.make(home, pool, until, tina)
    runs.approve(made.run.id, tina)
    return runs.publish(home, made.run.id, tina)


def test_a_corrected_version_did_not_come_late(office, tina, tmp_path):
    said = document("Winter Open", "2026-01-10", {("1", "2"): "0-1"})
    receive.receive(office, write(tmp_path, "again.json", said), tina)
    reports.put_aside("1", "release", "as the sheet says", tina)
    publish(office, tina)
    found = register.since_first(office, setup.pool_named("standard"), 1)
    assert found[0]["why"] == [
        "report 1 was corrected by its version 2: Winter Open "
        "(the game Alpha, Anna – Bravo, Ben of round 1: result is 0–1, was 1–0)"
    ]
    late = write(tmp_path, "late.json", document("Late Open", "2026-01-20"))
    receive.receive(office, late, tina)
    publish(office, tina)
    why = [w for each in register.since_first(office, setup.pool_named("standard"), 1)
           for w in each["why"]]  # fmt: skip
    assert "report 3 came late: Late Open" in why


@pytest.mark.parametrize(
    "day", [date(1700, 1, 1), date.today() + timedelta(days=400)], ids=("long ago", "next year")
)
def test_no_event_ended_on_any_day(office, day):
    with pytest.raises(OfficeRefused) as refused:
        asking.moved("1", day)
    assert codes(refused) == ["office.moved-day"]


def test_who_asks_for_the_same_joins(office, tina):
    content = asking.game(1, 1, "0-1")
    first = corrections.ask(office, [content], "Ben won", replace(tina, actor="anna"))
    second = corrections.ask(office, [asking.game(1, 1, "0-1")], "I saw it", tina)
    assert (second.state, second.joined) == ("joined", first.id)
    other = corrections.ask(office, [asking.game(1, 1, "1/2-1/2")], "a draw", tina)
    assert [each.code for each in other.findings] == ["office.contradicts"]
    both = {number: corrections.named(number).contents for number in (first.id, other.id)}
    assert [each.code for each in contradicting(both)] == ["office.contradicts"]
    assert not contradicting({first.id: both[first.id]})
    corrections.reject(other.id, "the sheet says 0-1", replace(tina, actor="udo"))
    assert corrections.states_of() == {1: "open", 2: "joined", 3: "rejected"}
    with pytest.raises(OfficeRefused) as refused:
        corrections.accept(office, other.id, tina)
    assert codes(refused) == ["office.state"]


def test_what_no_longer_holds_is_asked_anew(office, tina):
    """Accepted and then overtaken, or taken back: the same again is another request."""
    udo = replace(tina, actor="udo")
    for result in ("0-1", "1/2-1/2", "0-1"):
        asked = corrections.ask(office, [asking.game(1, 1, result)], "the sheet", tina)
        assert asked.joined is None
        assert corrections.accept(office, asked.id, udo).holds
    back = corrections.ask(office, corrections.taking_back(asked.id), "a mistake", tina)
    corrections.accept(office, back.id, udo)
    assert corrections.ask(office, [asking.game(1, 1, "0-1")], "no", tina).joined is None


def test_who_asked_may_not_accept_where_four_eyes_are_asked(office, tina):
    setup.set_policies("standard", {"four_eyes": "yes"}, "rules", tina)
    asked = corrections.ask(office, [asking.game(1, 1, "0-1")], "Ben won", tina)
    with pytest.raises(OfficeRefused) as refused:
        corrections.accept(office, asked.id, tina)
    assert codes(refused) == ["office.four-eyes"]
    with pytest.raises(OfficeRefused) as refused:
        corrections.accept(office, asked.id, replace(tina, actor="anna"))
    assert codes(refused) == ["office.permission"]


def test_whoever_joins_a_request_has_asked_for_it_too(office, tina):
    setup.set_policies("standard", {"four_eyes": "yes", "correction_approvals": "2"}, "rules", tina)
    anna, udo, vera = (replace(tina, actor=each) for each in ("anna", "udo", "vera"))
    content = asking.game(1, 1, "0-1")
    asked = corrections.ask(office, [content], "Ben won", anna).id
    assert corrections.ask(office, [content], "Ben won, says Udo", udo).joined == asked
    with pytest.raises(OfficeRefused) as refused:
        corrections.accept(office, asked, udo)
    assert codes(refused) == ["office.four-eyes"]
    assert corrections.accept(office, asked, tina).approvals == 1
    # Nor does whoever has accepted it already ask for it now, by the own request or another's.
    with pytest.raises(OfficeRefused) as refused:
        corrections.ask(office, [content], "as I said", tina)
    assert codes(refused) == ["office.four-eyes"]
    other = corrections.ask(office, [asking.game(1, 2, "0-1")], "that one, too", tina).id
    with pytest.raises(OfficeRefused) as refused:
        corrections.join(other, asked, "the same", vera)
    assert codes(refused) == ["office.four-eyes"]
    assert corrections.accept(office, asked, vera).holds


def test_players_ask_within_the_days_of_the_pool(office, tina):
    setup.set_policies("standard", {"correction_days": "60", "answer_days": "10"}, "rules", tina)
    content = asking.game(1, 1, "0-1")
    with pytest.raises(OfficeRefused) as refused:
        corrections.ask(office, [content], "Ben won", replace(tina, actor="anna"))
    assert codes(refused) == ["office.too-late"]
    asked = corrections.ask(office, [content], "Ben won", tina)
    day = tina.at.date()
    assert corrections.overdue(day + timedelta(days=10)) == []
    assert corrections.overdue(day + timedelta(days=11)) == [asked.id]


def test_an_accepted_correction_holds_for_a_new_version_of_the_report(office, tina, tmp_path):
    hold(office, [asking.game(1, 1, "0-1")], tina)
    said = document("Winter Open", "2026-01-10", {("1", "2"): "1-0", ("2", "3"): "1-0"})
    path = write(tmp_path, "v2.json", said)
    receive.receive_all(office, [path], tina, receive.Options())
    reports.put_aside("1", "release", "the arbiter says so", tina)
    assert asking.as_it_is(
        m.Game.objects.select_related("white", "black").get(version__number=2, number=1)
    )["half"] == 0  # fmt: skip


def test_a_merge_is_undone_after_lists_were_published(office, tina):
    number, _ = people.add_person(NewPerson("Golf, Gina"), "", tina)
    pool = setup.pool_named("standard")
    before = digest_of(pool)
    merged = hold(office, [asking.merge(2, number)], tina, "one person")
    publish_one(office, tina)
    pool.refresh_from_db()
    assert published.history_of(pool, 2) == []
    assert len(published.history_of(pool, number)) == 2
    back = corrections.taking_back(merged)
    shown = Bench(office).preview(back)
    assert {row["person"] for row in shown.rows.to_pylist()} == {2, number}
    hold(office, back, tina, "they are two")
    publish_one(office, tina)
    assert digest_of(setup.pool_named("standard")) == before
    assert len(published.history_of(setup.pool_named("standard"), 2)) == 2


def test_a_dated_decision_is_undone_and_taken_again(office, tina, tmp_path):
    said = Deciding(1, "reset", "1700", "standard", "a misprint", date(2026, 2, 10))
    fact, _ = decisions.decide(office, said, tina)
    listed = publish_one(office, tina).lists[0]
    bundles.write_bundle(office, listed, tmp_path / "bundle", tina)
    assert list(bundle.verify(tmp_path / "bundle").findings) == []
    before = digest_of(setup.pool_named("standard"))
    undoing = [asking.undo(fact)]
    shown = Bench(office).preview(undoing)
    assert 1 in shown.rows["person"].to_pylist()
    undone = hold(office, undoing, tina, "no misprint")
    publish_one(office, tina)
    assert digest_of(setup.pool_named("standard")) != before
    back = corrections.taking_back(undone)
    assert sentences(back) == [
        "pool standard: base rating 1700 of person 1 from 2026-02-10 holds again"
    ]
    assert Bench(office).preview(back).rows.num_rows == shown.rows.num_rows
    again = hold(office, back, tina, "a misprint after all")
    publish_one(office, tina)
    assert digest_of(setup.pool_named("standard")) == before
    assert [each["kind"] for each in corrections.taking_back(again)] == ["undo"]
    assert not [each for each in doctor.examine(office) if each.severity.refuses]
    assert all(each.is_equal for each in bundles.replay()[0])


def test_a_title_is_no_matter_of_corrections(office, tina):
    said = Deciding(1, "title", "GM", "standard", "the congress", date(2026, 5, 1))
    fact, _ = decisions.decide(office, said, tina)
    with pytest.raises(OfficeRefused) as refused:
        asking.undo(fact)
    assert codes(refused) == ["office.undo"]


def test_a_reform_is_no_mended_program(office, tina, monkeypatch):
    setup.set_rules("standard", "fide-2014", {}, "the new handbook", tina)
    made = runs.make(office, "standard", UNTIL, tina)
    runs.approve(made.run.id, tina)
    # The program of the old rules is what it was: nothing is rated by it again.
    monkeypatch.setattr(publishable, "fed_of_run", None)
    assert runs.publish(office, made.run.id, tina).seq == 3


def test_a_mended_program_is_previewed_and_told(office, tina, monkeypatch, tmp_path):
    """The rules of FIDE 2009 with K 30 instead of 15, as if that had been a fault of ours."""
    with pytest.raises(OfficeRefused) as refused:
        asking.rules("standard")
    assert codes(refused) == ["office.as-it-is"]
    from ratingbook.office.acts import preview
    from ratingbook.office.engine.rating import rate
    from ratingbook.office.engine.rules import Rules

    real = rate
    mended = Rules("fide-2009", {"k_rated": "30"})
    monkeypatch.setattr(asking, "rule_source", lambda name: "f" * 64)
    monkeypatch.setattr(preview, "rate", lambda fed, rules, day: real(fed, mended, day))
    content = asking.rules("standard")
    shown = Bench(office).preview([content])
    rows = {(r["key"], r["person"]): r for r in shown.rows.to_pylist()}
    row = rows["2026-02-01", 1]
    changes = row["after"] - row["before"], row["was_after"] - row["was_before"]
    assert changes[1] < -10
    assert abs(changes[0] - 2 * changes[1]) <= 1  # Rounded, each.
    # A report that waits for the next run is none of its doing.
    late = document("Late Open", "2026-01-05", {("1", other): "0-1" for other in "23456"})
    received, _ = receive.receive_all(
        office, [write(tmp_path, "late.json", late)], tina, receive.Options(another=True)
    )
    assert received[0].state == "ready"
    again = Bench(office).preview([content])
    assert again.rows.equals(shown.rows)
    assert again.as_dict()["most"] == shown.as_dict()["most"]


def test_a_mended_program_is_published_only_as_a_correction(office, tina, monkeypatch):
    """A comment in the rules is no correction; other numbers are."""
    from ratingbook.office.engine.rating import rate
    from ratingbook.office.engine.rules import Rules

    for module in (drafting, publishable, asking):
        monkeypatch.setattr(module, "rule_source", lambda name: "f" * 64)
    assert publish_one(office, tina).seq == 3
    real = rate
    mended = Rules("fide-2009", {"k_rated": "30"})
    for module in (drafting, publishable, asking):
        monkeypatch.setattr(module, "rule_source", lambda name: "e" * 64)
    for module in (drafting, publishable):
        monkeypatch.setattr(module, "rate", lambda fed, rules, day: real(fed, mended, day))
    with pytest.raises(OfficeRefused) as refused:
        publish_one(office, tina)
    assert codes(refused) == ["office.rules-mended"]
    hold(office, [asking.rules("standard")], tina, "K was halved by mistake")
    assert publish_one(office, tina).seq == 4


def test_several_corrections_are_previewed_together_and_apart(office, tina):
    one, other = [asking.game(1, 1, "0-1")], [asking.game(1, 1, "1-0", swap=True)]
    together, apart = previews(office, {1: one, 2: [asking.game(2, 3, "0-1")]})
    assert set(apart) == {1, 2}
    assert len(together.rows) >= max(len(each.rows) for each in apart.values())
    assert other


def test_limits_of_the_past_are_judged_by_what_was_entered_and_left():
    """Entered with 1795 instead of 1805: one may have played for the prizes under 1800."""
    day = date(2021, 5, 1)
    rows = {"was_before": 1805.0, "before": 1795.0, "was_after": 1830.0, "after": 1820.0,
            "was_games": 5, "games": 5, "was_score": 2.0, "score": 2.0}  # fmt: skip
    row = {"pool": 1, "key": "Open", "day": day, "person": 7, "turn": 0, **rows}
    new = {**row, "person": 8, "was_games": None}
    course = Course()
    course.put("Open", 0, day, Row(1805.0, 1830.0, 5, 2.0))
    old = Side({7: course}, {}, 0)
    own, reached = by_themselves(old, {1: pa.Table.from_pylist([row, new], REACH)})
    told = crossings(old, own, reached, [1800.0, 1825.0], ())
    assert [(x["person"], x["mark"], x["rating"], x["was"], x["now"]) for x in told] == [
        (7, 1800.0, "entered", 1805.0, 1795.0), (7, 1825.0, "left", 1830.0, 1820.0),
    ]  # fmt: skip


def test_what_cannot_be_is_refused(office, tina):
    wrong = {
        "office.no-game": lambda: asking.game(1, 99, "0-1"),
        "office.result": lambda: asking.game(1, 1, "2-0"),
        "office.as-it-is": lambda: asking.game(1, 1, "1-0"),
        "office.no-report": lambda: asking.event("9", "withdraw"),
        "office.undo": lambda: asking.undo(1),
        "office.no-pool": lambda: asking.into_pool("1", "rapid"),
        "office.merged": lambda: asking.merge(1, 1),
        "office.standing": lambda: asking.opening("standard", {1: {"colour": "blue"}}),
        "office.no-entry": lambda: asking.player(1, "77", 2),
    }
    for code, act in wrong.items():
        with pytest.raises(OfficeRefused) as refused:
            act()
        assert codes(refused) == [code]
    assert m.Correction.objects.count() == 0


def test_notices_go_by_mail_at_once_or_collected_or_not_at_all(office, tina):
    notices.set_contact("actor:anna", "anna@club.invalid", "each", tina)
    notices.set_contact("person:1", "one@club.invalid", "digest", tina)
    notices.set_contact("person:2", "two@club.invalid", "each", tina)
    hold(office, [asking.game(1, 1, "0-1")], tina)
    notices.stop(m.Contact.objects.get(whose="person:2").token)
    publish_one(office, tina)
    assert sorted(m.Notice.objects.values_list("whose", "kind")) == [
        ("actor:anna", "accepted"), ("actor:anna", "published"), ("actor:anna", "received"),
        ("person:1", "changed"),
    ]  # fmt: skip
    assert notices.send(office, tina)[0] == 3
    assert notices.send(office, tina)[0] == 0
    assert notices.send(office, tina, digests=True)[0] == 1
    text = "".join(each.read_text() for each in (office.folder / "mail").iterdir())
    assert "To: one@club.invalid" in text
    assert "two@club.invalid" not in text
    assert "0–1 instead of 1–0" in text or "0=E2=80=931" in text
    assert "1990-01-05" not in text


def test_the_feeds_tell_each_fact_once(office, tina, tmp_path):
    hold(office, [asking.game(1, 1, "0-1")], tina, "Ben <won> & said so\x07")
    names = register.write(office, tmp_path / "register")
    assert names == ["correction-1.json", "feed.atom", "feed.json"]
    root = ElementTree.parse(tmp_path / "register" / "feed.atom").getroot()
    space = {"a": "http://www.w3.org/2005/Atom"}
    ids = [each.text for each in root.findall("a:entry/a:id", space)]
    assert len(ids) == len(set(ids)) == 3
    said = json.loads((tmp_path / "register" / "feed.json").read_text())
    assert [each["id"] for each in said["items"]] == ids
    register.write(office, tmp_path / "again")
    assert (tmp_path / "again" / "feed.atom").read_bytes() == (
        tmp_path / "register" / "feed.atom"
    ).read_bytes()


@pytest.mark.parametrize("kinds", [("result", "split", "move"), ("player", "pool", "late")])
def test_random_corrections_of_all_kinds(home, tina, tmp_path, kinds):
    """Preview = replay = what the run wrote; `python -m tools.corrections` tries hundreds."""
    ledger = object.__new__(trials.Ledger)
    ledger.chance, ledger.rulebook, ledger.home = random.Random(3), "egf", home
    ledger._work = tmp_path / "files"
    ledger._work.mkdir()
    ledger.fill()
    tried = 0
    for kind in kinds:
        contents = next((c for _ in range(9) if (c := ledger.content(kind))), None)
        if contents is not None:
            assert trials.check(ledger, contents) == []
            tried += 1
    assert tried == len(kinds)


@pytest.mark.parametrize(
    "said",
    [
        {"rating": "-5000"}, {"rating": "nan"}, {"rating": "inf"}, {"games": "-1"},
        {"status": "great"}, {"last_played": "9999-12-31"}, {"last_played": "0001-01-01"},
    ],
)  # fmt: skip
def test_nobody_comes_in_with_what_no_run_could_read(office, said):
    with pytest.raises(OfficeRefused) as refused:
        asking.opening("standard", {1: said})
    assert codes(refused)[0] in ("office.standing", "office.opening-value")
    asking.opening("standard", {1: {"status": "established", "last_played": "2025-12-31"}})


def test_what_was_joined_asks_on_when_the_other_request_is_taken_back(office, tina):
    """It is open again, with days of its own, and whoever asked for it is told."""
    anna, udo, vera = (replace(tina, actor=each) for each in ("anna", "udo", "vera"))
    notices.set_contact("actor:udo", "udo@example.org", notices.EACH, udo)
    numbers = [
        corrections.ask(office, [asking.game(1, 1, "0-1")], "Ben won", who).id
        for who in (anna, udo, vera)
    ]
    first, second, third = numbers
    then = later(anna, 10)
    corrections.reject(first, "my mistake", then)
    assert corrections.states_of() == {first: "withdrawn", second: "open", third: "joined"}
    assert requests.joined_into(numbers) == {third: second}
    assert requests.askers(second) == {"udo", "vera"}
    assert requests.askers(first) == {"anna"}
    open_again = requests.with_states(m.Correction.objects.all()).get(id=second)
    assert requests.deadline(open_again) == then.at.date() + timedelta(days=30)
    assert corrections.overdue(then.at.date() + timedelta(days=25)) == []
    assert corrections.overdue(then.at.date() + timedelta(days=31)) == [second]
    told = m.Notice.objects.filter(whose="actor:udo").order_by("id").values_list("kind", flat=True)
    assert list(told) == ["joined", "reopened"]
    # The last one who asks may stop as well.
    corrections.reject(third, "nor do I", vera)
    assert corrections.states_of()[third] == "withdrawn"
    assert requests.askers(second) == {"udo"}
    assert corrections.accept(office, second, tina).holds
    assert not [each for each in doctor.examine(office) if each.severity.refuses]


def test_what_was_decided_with_another_request_is_taken_back_no_more(office, tina):
    anna, udo = (replace(tina, actor=each) for each in ("anna", "udo"))
    first, second = (
        corrections.ask(office, [asking.game(1, 1, "0-1")], "Ben won", who).id
        for who in (anna, udo)
    )
    assert corrections.can_be_taken_back(second)
    corrections.accept(office, first, tina)
    assert not corrections.can_be_taken_back(second)
    with pytest.raises(OfficeRefused) as refused:
        corrections.reject(second, "my mistake", udo)
    assert codes(refused) == ["office.state"]
    assert corrections.states_of()[second] == "joined"


def told_of(refused):
    return [each.message for each in refused.value.findings]


def test_what_is_published_is_told_by_that_word(office):
    with pytest.raises(OfficeRefused) as refused:
        asking.event("1", "late")
    assert told_of(refused) == ["Report 1 is published."]


def test_a_fact_that_is_not_undone_is_named_by_a_word_of_the_catalogues(office):
    with pytest.raises(OfficeRefused) as refused:
        asking.undo(1)
    [found] = refused.value.findings
    assert found.message.startswith("Fact 1 is “")
    assert found.remedy.startswith("What can be is decision, game fixed")


def test_all_settings_that_cannot_be_are_told_at_once(office):
    with pytest.raises(OfficeRefused) as refused:
        asking.parameters("standard", {"floor": "x", "nope": "3"})
    assert ["floor" in each or "nope" in each for each in told_of(refused)] == [True, True]
