"""What the office watches: the trail of acts, rows beside the ledger, anomalies, other offices."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from datetime import date, timedelta
from math import comb

import pytest
from django.db import connection, connections

from ratingbook.office import home as home_module
from ratingbook.office.acts import (
    anomalies,
    asking,
    backups,
    bundles,
    corrections,
    doctor,
    exchange,
    imports,
    people,
    receive,
    register,
    runs,
    setup,
    trail,
)
from ratingbook.office.acts.audit import note
from ratingbook.office.acts.preview import Bench
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.logic import anomalies as logic
from ratingbook.office.logic import newcomers
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs, triggers
from ratingbook.office.store import models as m
from tests.office.reports import PLAYERS, document, write
from tests.office.test_corrections import hold, office, publish_one
from tests.office.test_runs import codes

__all__ = ["office"]
DAY = date(2026, 1, 10)


def found(home):
    return {each.code for each in doctor.examine(home) if each.severity.refuses}


def beside_the_triggers(*statements):
    """Somebody who owns the database."""
    with connection.cursor() as cursor:
        for name in triggers.present(connection):
            cursor.execute(
                f"DROP TRIGGER {name}" if connection.vendor == "sqlite"
                else f"DROP FUNCTION {name} CASCADE"
            )  # fmt: skip
        for each in statements:
            cursor.execute(each)
    triggers.make(connection)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE office_listrow SET rating = 2999 WHERE place = 1", "doctor.list"),
        ("UPDATE office_publication SET digest = 'x' WHERE seq = 1", "doctor.publication"),
        ("UPDATE office_pool SET head = 1", "doctor.publication"),
        ("UPDATE office_change SET after = after + 300 WHERE person = 1", "doctor.changes"),
        ("UPDATE office_change SET gone = NOT gone WHERE person = 1", "doctor.changes"),
        ("UPDATE office_game SET half_points = 2 - half_points WHERE number = 1", "doctor.games"),
        ("UPDATE office_link SET person_id = 3 WHERE id = 1", "doctor.link"),
        ("DELETE FROM office_gamefix", "doctor.fix"),
        ("UPDATE office_audit SET actor = 'nobody'", "doctor.audit"),
        ("UPDATE office_fact SET reason = 'other' WHERE seq = 5", "doctor.chain"),
        ("UPDATE office_gamefix SET revoked_by = 2", "doctor.revoked"),
    ],
)
def test_the_doctor_sees_rows_that_were_changed_beside_the_ledger(office, tina, statement, code):
    hold(office, [asking.game(1, 1, "0-1")], tina)
    note(tina, "export", "list 1", "written")
    trail.seal(tina)
    assert found(office) == set()
    beside_the_triggers(statement)
    assert code in found(office)


def test_what_a_seal_covers_is_not_sealed_once_more(office, tina):
    note(tina, "export", "list 1", "written")
    fact, findings = trail.seal(tina)
    assert fact is not None
    assert not findings
    facts = m.Fact.objects.count()
    nothing, findings = trail.seal(tina)
    assert nothing is None
    assert [each.code for each in findings] == ["office.nothing-to-seal"]
    assert m.Fact.objects.count() == facts
    note(tina, "export", "list 1", "written again")
    again, _ = trail.seal(tina)
    assert again == facts + 1


def test_all_acts_are_found_again(office, tina):
    number = hold(office, [asking.game(1, 1, "0-1")], tina)
    note(replace(tina, actor="udo"), "export", "list 1", "written")
    about = trail.search(about=f"correction:{number}").acts()
    assert [each["act"] for each in about] == [
        "correction accepted", "correction approved", "correction asked",
    ]  # fmt: skip
    assert {each["actor"] for each in trail.search(actor="udo").acts()} == {"udo"}
    assert "export" in {each["act"] for each in trail.search(actor="udo").acts()}
    assert [each["act"] for each in trail.search("the sheet").acts()] == [
        "game fixed",
        "correction asked",
    ]


def lost(home, tina, tmp_path):
    """A pool of US Chess whose import lost the peaks and floors of its file, as in 2025."""
    setup.add_pool("regular", "uscf", tina, policies={"revise": "latest", "marks": "1900,2000"})
    lines = ["id,name,rating,games,status,peak,floor,birth_date"]
    for key, (name, _, born, number) in PLAYERS.items():
        rating = 1905 + 30 * int(key)
        lines.append(f'{number},"{name}",{rating},200,established,{rating + 200},1900,{born}')
    path = tmp_path / "players.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_peaks_and_floors_that_an_import_lost_are_found_and_mended(
    home, tina, tmp_path, monkeypatch
):
    path = lost(home, tina, tmp_path)
    setup.add_actor("anna", ["player"], tina)
    real = newcomers.value_of
    with monkeypatch.context() as patched:
        patched.setattr(
            newcomers, "value_of",
            lambda s: {k: v for k, v in real(s).items() if k not in ("peak", "floor")},
        )  # fmt: skip
        imports.import_file(home, path, "national", tina, "regular")
    beaten = dict.fromkeys(itertools.combinations(PLAYERS, 2), "0-1")
    said = document("Winter Open", "2026-01-10", beaten, time_control="G/90;d5")
    receive.receive(home, write(tmp_path, "1.json", said), tina, receive.Options(pool="regular"))
    made = runs.make(home, "regular", date(2026, 4, 1), tina)
    runs.approve(made.run.id, tina)
    first = runs.publish(home, made.run.id, tina)
    told = [each for each in doctor.examine(home) if each.code == "doctor.standing-lost"]
    assert [each.message.split(" without the ")[1].split()[0] for each in told] == ["floor", "peak"]
    content = asking.openings_of_file(path, "regular", "national")
    assert all("floor" in value for value in content["values"].values())
    shown = Bench(home).preview([content])
    # 1935 lost all five: only the floor keeps 1900.
    row = next(r for r in shown.rows.to_pylist() if r["person"] == 1)
    assert row["was_after"] < 1900 == row["after"]
    assert {each["mark"] for each in shown.reaches[0].report["crossed"]} == {1900.0}
    number = hold(home, [content], tina, "the file of before says it")
    made = runs.make(home, "regular", date(2026, 4, 1), tina)
    runs.approve(made.run.id, tina)
    done = runs.publish(home, made.run.id, tina)
    assert (done.lists[-1].date, done.lists[-1].revision) == (first.lists[0].date, 2)
    assert not [x for x in doctor.examine(home) if x.code.startswith("doctor.standing")]
    entry = register.entry(home, number)
    assert entry["state"] == "published"
    assert "peak 2135, was nothing, floor 1900, was nothing" in entry["says"][0]
    assert entry["facts"][0]["reason"] == "the file of before says it"
    assert [x["revision"] for each in entry["published"] for x in each["lists"]] == [2]
    assert {(x["person"], x["now"]) for x in entry["changed"]} >= {(1, 1900.0)}
    assert all(each.is_equal for each in bundles.replay()[0])


def told_of_standings(home):
    return [x.message for x in doctor.examine(home) if x.code.startswith("doctor.standing")]


@pytest.mark.parametrize("source", [1, 2])
def test_who_is_one_with_somebody_else_has_lost_nothing_of_what_each_came_in_with(
    home, tina, tmp_path, source
):
    """Nothing is rewritten by it: the file says of each what stands in the office of that one."""
    setup.add_pool("mail", "iccf-2009", tina)
    path = tmp_path / "players.csv"
    path.write_text(
        "id,name,rating,games,earlier_score,earlier_opponents\n"
        '1,"Alder, Ann",2000,12,7,23800\n2,"Birch, Bob",2100,12,6,24000\n3,"Cedar, Cid",2200,80,,\n'
    )
    imports.import_file(home, path, "iccf", tina, "mail")
    people.merge(source, 3, "one person", tina)
    assert told_of_standings(home) == []
    # What does not count is not asked for over what does.
    with pytest.raises(OfficeRefused) as refused:
        asking.openings_of_file(path, "mail", "iccf")
    assert codes(refused) == ["office.as-it-is"]
    path.write_text(path.read_text().replace("2200", "2210").replace("2000", "2010"))
    content = asking.openings_of_file(path, "mail", "iccf")
    who = {"3"} if source == 1 else {"1", "3"}
    assert content["values"].keys() == who
    assert content["values"]["3"] == {"rating": 2210, "games": 80}


def test_who_is_suppressed_is_not_asked_for_what_others_came_in_with(home, tina, tmp_path):
    """The number in the register went, so nobody knows which line was that of the person."""
    path = lost(home, tina, tmp_path)
    head, first, *others = path.read_text().splitlines()
    *cells, _, born = first.split(",")
    path.write_text("\n".join([head, ",".join([*cells, "", born]), *others]) + "\n")
    imports.import_file(home, path, "national", tina, "regular")
    suppress(home, 1, "asked for it", tina)
    assert told_of_standings(home) == []


def test_who_counts_of_several_is_who_has_lost_it(home, tina, tmp_path):
    """A person of the desk is one with somebody who came in by a file: that standing counts."""
    path = lost(home, tina, tmp_path)
    imports.import_file(home, path, "national", tina, "regular")
    new, _ = people.add_person(newcomers.NewPerson("Golf, Gus"), "", tina)
    people.merge(1, new, "one person", tina)
    path.write_text(path.read_text().replace("1935,200", "1945,200"))
    content = asking.openings_of_file(path, "regular", "national")
    assert content["before"].keys() == content["values"].keys() == {str(new)}
    before, now = (content[key][str(new)] for key in ("before", "values"))
    assert (before["rating"], now["rating"]) == (1935, 1945)
    assert before["floor"] == now["floor"]


def test_an_office_that_has_lost_standings_is_restored_and_says_so(
    home, tina, tmp_path, monkeypatch
):
    """It is no damage of the backup, and mended where everything else of the office is."""
    path, real = lost(home, tina, tmp_path), newcomers.value_of
    with monkeypatch.context() as patched:
        patched.setattr(
            newcomers, "value_of",
            lambda s: {k: v for k, v in real(s).items() if k != "floor"},
        )  # fmt: skip
        imports.import_file(home, path, "national", tina, "regular")
    assert "doctor.standing-lost" in found(home)
    backups.backup(home, tmp_path / "b.tar", tina)
    connections.close_all()
    home_module.start_django()
    said, findings = backups.restore(tmp_path / "b.tar", tmp_path / "other")
    assert [(each.code, each.severity.refuses) for each in findings] == [
        ("doctor.standing-lost", False)
    ]
    assert said["seq"] == m.Fact.objects.count()
    connections.close_all()


def test_an_empty_cell_of_a_file_is_no_loss(home, tina, tmp_path):
    """Without the file nobody knows what it said: then whoever lacks what others have is told."""
    path = lost(home, tina, tmp_path)
    head, first, *others = path.read_text().splitlines()
    *cells, _, born = first.split(",")
    path.write_text("\n".join([head, ",".join([*cells, "", born]), *others]) + "\n")
    imports.import_file(home, path, "national", tina, "regular")

    assert told_of_standings(home) == []
    for each in m.Blob.objects.all():
        blobs.path_of(home, each.sha256).unlink()
    (message,) = told_of_standings(home)
    assert message.startswith("1 person came into the pool regular without floor")


@pytest.fixture(scope="module")
def honest():
    """A year of games whose scores come about as is expected of them."""
    return simulated(random.Random(5))


def simulated(chance, people=60, events=24):
    games, number = [], itertools.count(1)
    strength = {person: chance.gauss(0, 200) for person in range(1, people + 1)}
    for event in range(events):
        team = chance.sample(sorted(strength), 12)
        for round_ in range(6):
            for i in range(6):
                one, other = team[i], team[6 + (i + round_) % 6]
                expected = 1 / (1 + 10 ** ((strength[other] - strength[one]) / 400))
                score = float(chance.random() < expected)
                day = DAY + timedelta(days=14 * event)
                games += both(one, other, f"event {event}", day, score, expected, next(number))
    return games


def both(one, other, event, day, score, expected, number, place=""):
    mine = logic.Played(one, other, event, place, day, score, expected, number)
    return [mine, replace(mine, person=other, opponent=one, score=1 - score,
                          expected=None if expected is None else 1 - expected)]  # fmt: skip


def test_a_tail_is_that_of_the_binomial_distribution():
    for n, k, p in ((5, 3, 0.5), (8, 8, 0.25), (6, 0, 0.9)):
        terms = [comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]
        low, high = logic.tail([p] * n, k)
        assert low == pytest.approx(sum(terms[: k + 1]))
        assert high == pytest.approx(sum(terms[k:]))
    # Two unlike games by hand: both won 0.9 × 0.2, at least one 1 − 0.1 × 0.8.
    assert logic.tail([0.9, 0.2], 2)[1] == pytest.approx(0.18)
    assert logic.tail([0.9, 0.2], 1)[1] == pytest.approx(0.92)
    # A draw may count as a win or a loss, whichever is less of an alarm.
    assert logic.tail([0.5], 0.5) == (1.0, 1.0)


def test_honest_play_raises_no_alarm(honest):
    assert logic.look(honest) == []


ARRANGED = {
    "improbable": lambda: [g for n in range(8) for g in both(900, 800 + n, "swindle", DAY, 1.0, 0.1,
                                                             9000 + n)],
    "one pair": lambda: [g for n in range(12) for g in both(900, 901, f"match {n}", DAY, n % 2, 0.5,
                                                            9000 + n)],
    "closed group": lambda: [
        g for n, (a, b) in enumerate(list(itertools.combinations(range(900, 904), 2)) * 5)
        for g in both(a, b, f"league {n // 6}", DAY + timedelta(days=n), n % 2, 0.5, 9000 + n)
    ],
    "near a limit": lambda: [g for n in range(25) for g in both(900, 700 + n, f"visit {n}", DAY,
                                                                1.0, 0.97, 9000 + n)],
    "losses before wins": lambda: [
        g for n in range(20) for g in both(900, 700 + n, f"lost {n}", DAY, 0.0, 0.5, 9000 + n)
    ] + [g for n in range(12) for g in both(900, 750 + n, "prize", DAY + timedelta(days=30), 1.0,
                                            0.5, 9100 + n)],
    "two places": lambda: both(900, 1, "north", DAY, 1.0, 0.5, 9000, "North")
    + both(900, 2, "south", DAY, 0.0, 0.5, 9001, "South"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ARRANGED)
def test_what_is_arranged_is_found_among_honest_games(honest, kind):
    told = [each for each in logic.look([*honest, *ARRANGED[kind]()]) if each.kind == kind]
    assert told
    assert all(not each.persons or 900 in each.persons for each in told)
    assert all(each.reasons and each.games for each in told)


def test_an_event_that_was_sent_twice_is_found(honest):
    again = [replace(g, event="again", game=g.game + 5000) for g in honest if g.event == "event 3"]
    told = [each for each in logic.look([*honest, *again]) if each.kind == "sent twice"]
    assert [set(each.events) for each in told] == [{"event 3", "again"}]


def test_the_games_of_an_office_are_looked_at_under_its_own_rules(office, tina, tmp_path):
    assert anomalies.anomalies(office, "standard") == []
    won = dict.fromkeys(itertools.combinations(PLAYERS, 2), "0-1")
    said = document("Odd Open", "2026-03-20", won)
    receive.receive(office, write(tmp_path, "odd.json", said), tina, receive.Options())
    publish_one(office, tina, date(2026, 5, 1))
    told = anomalies.anomalies(office, "standard", levels=logic.Levels(tail=0.02))
    assert {(each["kind"], each["names"][0]) for each in told} >= {("improbable", "Foxtrot, Fay")}
    fay = next(each for each in told if each["names"] == ["Foxtrot, Fay"])
    assert fay["games"][0].startswith("3:")
    assert fay["probability"] < 0.02


def test_a_report_is_looked_at_before_it_is_rated(office, tina, tmp_path):
    """Somebody cannot play in two places on one day; nothing is decided by that."""
    path = write(tmp_path, "other.json", document("Other Open", "2026-01-10", place="Elsewhere"))
    received, _ = receive.receive_all(office, [path], tina, receive.Options(another=True))
    told = [each for each in received[0].findings if each.code == "office.anomaly"]
    assert len(told) == len(PLAYERS)
    assert "two places: Alpha, Anna (1): games on 2026-01-10 in Elsewhere and in Nowhere" in (
        told[0].message
    )
    assert received[0].state == "ready"
    path = write(tmp_path, "next.json", document("Next Open", "2026-03-10", place="Elsewhere"))
    received, _ = receive.receive_all(office, [path], tina, receive.Options(another=True))
    assert [each.code for each in received[0].findings if each.code == "office.anomaly"] == []


def test_reports_go_out_in_their_form_and_are_overdue_without(office, tina, tmp_path):
    setup.set_policies("standard", {"sends": "fide:trf16:30", "receives": "national:35"}, "", tina)
    due = exchange.outbox(date(2026, 3, 1))
    assert [(x.report, x.due, x.state, x.overdue) for x in due] == [
        (1, date(2026, 2, 9), "due", True), (2, date(2026, 3, 22), "due", False),
    ]  # fmt: skip
    out = tmp_path / "winter.trf"
    exchange.send(office, 1, "fide", out, tina)
    assert out.read_text().startswith("012 Winter Open")
    exchange.answered(1, "fide", tina, "taken")
    assert [x.state for x in exchange.outbox(date(2026, 3, 1))] == ["answered", "due"]
    with pytest.raises(OfficeRefused) as refused:
        exchange.answered(2, "fide", tina)
    assert codes(refused) == ["office.not-sent"]
    assert [x.code for x in exchange.inbox(DAY)[1]] == ["office.list-missed"]
    path = tmp_path / "theirs.csv"
    path.write_text('id,name,rating\n701,"Alpha, Anna",2050\n999,"Nobody, Any",1000\n')
    came = exchange.arrive(office, path, "national", DAY, tina)
    assert [(x["person"], x["rating"]) for x in came.players] == [(1, 2050)]
    assert (came.rows, list(exchange.inbox(DAY)[1])) == (2, [])


def test_who_may_not_is_refused(office, tina):
    anna = replace(tina, actor="anna")
    for act in (
        lambda: exchange.send(office, 1, "fide", office.folder / "x", anna),
        lambda: trail.seal(anna),
        lambda: corrections.join(1, 2, "", anna),
    ):
        with pytest.raises(OfficeRefused) as refused:
            act()
        assert codes(refused) == ["office.permission"]
    assert m.Sending.objects.count() == 0


def test_games_of_a_table_which_says_nothing_of_an_event_are_looked_at(officer, tmp_path):
    officer.does("pool", "add", "club", "--rulebook", "fide-2009")
    path = tmp_path / "club.csv"
    path.write_text(
        "Date,Round,White,Black,Result\n"
        '2026-01-10,1,"Alpha, Anna","Bravo, Ben",1-0\n'
        '2026-01-11,2,"Bravo, Ben","Alpha, Anna",0-1\n'
    )
    officer.does("receive", path, "--pool", "club")
    officer.does("link", 1, "all", "new")
    number = officer.does("run", "--pool", "club", "--until", "2026-06-01")["run"]
    officer.does("approve", number)
    officer.does("publish", number)
    assert officer.does("anomalies", "--pool", "club")["anomalies"] == []
    assert officer.does("receive", write(tmp_path, "next.json", document()), "--pool", "club")
