"""From a run to a published list: equal to a history of the same games, approved, verified."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from datetime import date, timedelta

import pyarrow.parquet as pq
import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from ratingbook.engine.history import rate_history
from ratingbook.office import bundle
from ratingbook.office.acts import (
    asking,
    bundles,
    corrections,
    desk,
    doctor,
    explain,
    imports,
    lists,
    people,
    published,
    receive,
    registry,
    reports,
    runs,
    setup,
    states,
    undoing,
)
from ratingbook.office.acts.published import table_of
from ratingbook.office.engine.replay import Replay
from ratingbook.office.engine.rules import Rules
from ratingbook.office.logic import comparing
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger, triggers
from ratingbook.office.store import models as m
from ratingbook.office.store.rows import read_columns
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write

UNTIL = date(2026, 4, 1)
RESULTS = {("1", "2"): "1-0", ("3", "4"): "0-1", ("1", "6"): "1-0", ("5", "6"): "0-1"}


def opened(home, tina, tmp_path, rulebook):
    """A pool in which everybody has a rating and forty games before."""
    setup.add_pool("standard", rulebook, tina, policies={"marks": "1600"})
    ratings = {"701": 2001, "702": 1990, "703": 1800, "704": 1700, "705": 1600, "706": 1500}
    people = {said[3]: said for said in PLAYERS.values()}
    lines = [
        f'{number},{rating},40,"{people[number][0]}",{people[number][2]},{people[number][1]}'
        for number, rating in ratings.items()
    ]
    path = tmp_path / "opening.csv"
    path.write_text("\n".join(["id,rating,games,name,birth_date,sex", *lines]) + "\n")
    imports.import_file(home, path, "national", tina, "standard")


@prepared
def standard(home, tina, tmp_path):
    """A pool with opening ratings, and three events in it."""
    return with_events(home, tina, tmp_path, "fide-2009")


def with_events(home, tina, tmp_path, rulebook):
    opened(home, tina, tmp_path, rulebook)
    events = [("Winter Open", "2026-01-10"), ("Spring Open", "2026-02-20"), ("Cup", "2026-02-20")]
    for number, (name, day) in enumerate(events, 1):
        results = dict(list(RESULTS.items())[number - 1 :])
        path = write(tmp_path, f"{number}.json", document(name, day, results))
        received, _ = receive.receive_all(home, [path], tina, receive.Options(another=True))
        assert received[0].state == "ready", list(received[0].findings)
    return home


def publish(home, tina, until=UNTIL):
    made = runs.make(home, "standard", until, tina)
    runs.approve(made.run.id, tina)
    return runs.publish(home, made.run.id, tina)


def codes(refused):
    return [each.code for each in refused.value.findings]


def independent(tmp_path, settings=None):
    """The same games as a history, put together by hand from the reports and nothing else."""
    half = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
    games = ["date,event,round,white,black,score"]
    for number, (event, day) in enumerate(
        [("Winter Open", "2026-01-10"), ("Spring Open", "2026-02-20"), ("Cup", "2026-02-20")], 1
    ):
        for game in document(event, day, dict(list(RESULTS.items())[number - 1 :]))["games"]:
            row = [day, event, game["round"], game["white"], game["black"], half[game["result"]]]
            games.append(",".join(map(str, row)))
    ratings = [2001, 1990, 1800, 1700, 1600, 1500]
    people = ["id,rating,games,birth_date"]
    people += [f"{key},{ratings[int(key) - 1]},40,{said[2]}" for key, said in PLAYERS.items()]
    (tmp_path / "games.csv").write_text("\n".join(games) + "\n")
    (tmp_path / "people.csv").write_text("\n".join(people) + "\n")
    return rate_history(
        tmp_path / "games.csv", "fide-2009", players=tmp_path / "people.csv", settings=settings
    )


def test_a_published_list_equals_the_history_of_the_same_games(standard, tina, tmp_path):
    done = publish(standard, tina)
    rated = independent(tmp_path)
    expected = {
        (str(row["player"]), row["rating"], row["games"]) for row in rated.ratings.to_pylist()
    }
    run = m.Run.objects.get()
    exact = published.table_of(standard, run.ratings_id or "").to_pylist()
    assert {(row["player"], row["rating"], row["games"]) for row in exact} == expected
    rows = lists.rows_of(done.lists[0])
    assert [(row["id"], row["rating"]) for row in rows] == [
        (player, rating) for player, rating, _ in sorted(expected, key=lambda e: -e[1])
    ]
    changes = [
        (str(row["player"]), row["date"], row["before"], row["after"], row["games"], row["score"])
        for row in rated.changes.to_pylist()
    ]
    stored = [
        (str(person), row["day"], row["before"], row["after"], row["games"], row["score"])
        for person in range(1, 7)
        for row in published.history_of(run.pool, person)
    ]
    assert sorted(stored) == sorted(changes)
    assert len(stored) == 12  # Six players on the lists of February and March.


def test_the_exported_tables_rate_to_the_same_numbers(standard, tina, tmp_path):
    publish(standard, tina)
    names = bundles.export_history(standard, 1, tmp_path / "fed", tina)
    tables = {name.partition(".")[0]: tmp_path / "fed" / name for name in names}
    rated = rate_history(tables.pop("games"), "fide-2009", **tables)
    run = m.Run.objects.get()
    made = published.table_of(standard, run.ratings_id or "")
    assert rated.ratings.sort_by("player").to_pylist() == made.to_pylist()


def test_a_run_is_seen_by_nobody_before_it_is_published(standard, tina):
    made = runs.make(standard, "standard", UNTIL, tina)
    pool = setup.pool_named("standard")
    assert made.run.state == "checked"
    assert m.Change.objects.count() == 12
    assert published.history_of(pool, 1) == []
    assert published.ratings_now(pool.id) == {}
    runs.discard(made.run.id, tina)
    assert m.Change.objects.count() == 0


def take_out(home, number, reason, who):
    """What is published is taken out by a correction."""
    asked = corrections.ask(home, [asking.event(number, "withdraw")], reason, who)
    corrections.accept(home, asked.id, who)


def test_reports_are_as_they_were_known(standard, tina, tmp_path):
    made = runs.make(standard, "standard", UNTIL, tina)
    ready = ledger.head().seq
    runs.approve(made.run.id, tina)
    runs.publish(standard, made.run.id, tina)
    published = ledger.head().seq
    take_out(standard, "1", "somebody asks", tina)
    strangers = {"1": PLAYERS["1"], "2": ("Golf, Gus", "m", "1991-01-01", "808")}
    path = write(tmp_path, "4.json", document("Late Open", "2026-03-10", players=strangers))
    receive.receive_all(standard, [path], tina)
    waiting = ledger.head().seq
    desk.link_new(4, tina)

    def known(upto=None):
        return [(each.state, each.waiting, each.reason) for each in reports.reports(None, upto)]

    assert known(ready) == [("ready", 0, "")] * 3
    assert known(published) == [("published", 0, "")] * 3
    rest = [("published", 0, "")] * 2
    out = ("withdrawn", 0, "correction 1: somebody asks")
    assert known(waiting) == [out, *rest, ("checked", 1, "")]
    assert known() == [out, *rest, ("ready", 0, "")]


def test_the_difference_names_firsts_and_crossings(standard, tina, tmp_path):
    publish(standard, tina, date(2026, 3, 1))
    lost = {(one, other): "0-1" for one in PLAYERS for other in PLAYERS}
    path = write(tmp_path, "4.json", document("Last Open", "2026-03-20", lost))
    received, _ = receive.receive_all(standard, [path], tina, receive.Options())
    assert received[0].state == "ready"
    report = runs.make(standard, "standard", date(2026, 5, 1), tina).run.report
    assert report["firsts"]["count"] == 0
    assert [(each["player"], each["mark"]) for each in report["crossed"]] == [("6", 1600.0)]
    assert report["largest"][0]["change"] != 0
    assert report["rows_differing_in_bits"] >= report["rows"]


def test_who_opened_with_a_rating_has_no_first_one(home, tina, tmp_path):
    """Five opened with ratings, and one comes in without."""
    setup.add_pool("standard", "uscf-2011", tina)
    opening = tmp_path / "opening.csv"
    lines = [
        f'{own},"{name}",1980-01-05,{"" if number == "6" else 1500},{"" if number == "6" else 40}'
        for number, (name, _, _, own) in PLAYERS.items()
    ]
    opening.write_text("\n".join(["id,name,birth_date,rating,games", *lines, ""]))
    imports.import_file(home, opening, "national", tina, "standard")
    path = write(tmp_path, "open.json", document(results={("5", "6"): "0-1", ("4", "6"): "0-1"}))
    received, _ = receive.receive_all(home, [path], tina, receive.Options())
    assert received[0].state == "ready"
    report = runs.make(home, "standard", UNTIL, tina).run.report
    newcomer = m.ExternalId.objects.get(value=PLAYERS["6"][3]).person_id
    assert report["players"] == 6
    assert report["firsts"] == {"count": 1, "players": [str(newcomer)]}


def test_rows_are_counted_alike_whatever_is_gone() -> None:
    report = {"rows_differing_in_bits": 67, "rows": 40, "gone_rows": 10}
    assert comparing.only_in_bits(report) == 17
    assert comparing.only_in_bits({}) == 0


def test_only_what_differs_is_written(standard, tina, tmp_path):
    publish(standard, tina, date(2026, 2, 1))
    before = m.Change.objects.count()
    made = runs.make(standard, "standard", UNTIL, tina)
    written = m.Change.objects.filter(run=made.run).select_related("batch")
    assert before == 6
    assert {each.batch.key for each in written} == {"2026-03-01"}


def test_who_made_a_run_may_not_approve_it_where_four_eyes_are_asked(standard, tina):
    setup.set_policies("standard", {"four_eyes": "yes", "approvals": "2"}, "rules", tina)
    setup.add_actor("udo", ["officer"], tina)
    setup.add_actor("vera", ["officer"], tina)
    made = runs.make(standard, "standard", UNTIL, tina)
    with pytest.raises(OfficeRefused) as refused:
        runs.approve(made.run.id, tina)
    assert codes(refused) == ["office.four-eyes"]
    assert runs.approve(made.run.id, replace(tina, actor="udo"))[:2] == (1, 2)
    with pytest.raises(OfficeRefused) as refused:
        runs.approve(made.run.id, replace(tina, actor="udo"))
    assert codes(refused) == ["office.approved"]
    with pytest.raises(OfficeRefused) as refused:
        runs.publish(standard, made.run.id, tina)
    assert codes(refused) == ["office.not-approved"]
    runs.approve(made.run.id, replace(tina, actor="vera"))
    assert runs.publish(standard, made.run.id, tina).seq == 1


def test_the_database_knows_what_tables_hold_once_something_is_published(standard, tina):
    """Else it plans the queries of pages as if there was nothing in them."""
    with CaptureQueriesContext(connection) as asked:
        publish(standard, tina)
    looked = [each for each in asked if each["sql"].startswith("ANALYZE")]
    if connection.vendor != "postgresql":
        # What SQLite knows of its tables would change the order in which it joins them.
        assert not looked
        return
    assert len(looked) == 1
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reltuples FROM pg_class WHERE relname = ANY(%s)",
            [["office_link", "office_game", "office_personname", "office_change"]],
        )
        found = dict(cursor.fetchall())
    assert len(found) == 4
    assert min(found.values()) > 0, found


def test_two_officers_publish_at_once_one_wins_and_one_is_told(standard, tina):
    made = [runs.make(standard, "standard", UNTIL, tina).run.id for _ in range(2)]
    for each in made:
        runs.approve(each, tina)
    won: list[int] = []
    told: list[str] = []
    start = threading.Barrier(2)

    def go(number):
        try:
            start.wait()
            won.append(runs.publish(standard, number, tina).seq)
        except OfficeRefused as error:
            told.extend(each.code for each in error.findings)
            # The same person published both.
            told.extend(each.message for each in error.findings if "body" in each.message)
        finally:
            connection.close()

    threads = [threading.Thread(target=go, args=(each,)) for each in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (won, told) == ([1], ["office.head-moved"])
    assert m.List.objects.count() == 1
    stale = m.Run.objects.exclude(state="published").get()
    again = runs.refresh(standard, stale.id, tina)
    assert again.run.base == 1
    assert again.run.report["players"] == 0
    assert runs.run_named(stale.id).state == "discarded"


def test_a_fact_undone_since_stops_the_publication(standard, tina):
    made = runs.make(standard, "standard", UNTIL, tina)
    runs.approve(made.run.id, tina)
    linked = m.Fact.objects.filter(kind="linked")[0]
    undoing.undo(linked.seq, "wrong people", tina)
    with pytest.raises(OfficeRefused) as refused:
        runs.publish(standard, made.run.id, tina)
    assert codes(refused) == ["office.undone-since"]


def test_a_late_report_is_rated_in_its_place_and_the_old_list_stays(standard, tina, tmp_path):
    first = publish(standard, tina)
    before = lists.rows_of(first.lists[0])
    path = write(tmp_path, "late.json", document("Late Open", "2026-01-12", {("2", "1"): "1-0"}))
    receive.receive_all(standard, [path], tina, receive.Options(another=True))
    made = runs.make(standard, "standard", UNTIL, tina)
    assert {each.batch.key for each in m.Change.objects.filter(run=made.run).select_related(
        "batch")} == {"2026-02-01", "2026-03-01"}  # fmt: skip
    runs.approve(made.run.id, tina)
    second = runs.publish(standard, made.run.id, tina)
    assert (second.lists[0].date, second.lists[0].revision) == (first.lists[0].date, 2)
    assert lists.rows_of(first.lists[0]) == before
    pool = setup.pool_named("standard")
    now = published.history_of(pool, 1)
    then = published.history_of(pool, 1, 1)
    assert [each["games"] for each in now] == [10, 10]
    assert [each["games"] for each in then] == [5, 10]


def test_published_rows_and_lists_are_kept_by_the_database(standard, tina):
    publish(standard, tina)
    for statement in (
        "UPDATE office_change SET after = 3000",
        "DELETE FROM office_change",
        "UPDATE office_listrow SET rating = 3000",
        "DELETE FROM office_publication",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_a_run_does_not_go_back_behind_what_is_published(standard, tina):
    publish(standard, tina)
    with pytest.raises(OfficeRefused) as refused:
        runs.make(standard, "standard", UNTIL - timedelta(days=40), tina)
    assert codes(refused) == ["office.until-back"]


def test_held_sections_are_left_out_and_told(standard, tina):
    reports.put_aside("1", "hold", "an appeal", tina)
    made = runs.make(standard, "standard", UNTIL, tina)
    (told,) = (each for each in made.findings if each.code == "office.held")
    assert "1 section that ended up to 2026-04-01 is not in the run: it is held" in told.message
    assert made.run.counts["games"] == 30


def test_when_the_last_report_is_withdrawn_the_opening_ratings_are_left(standard, tina, tmp_path):
    publish(standard, tina)
    for number in ("1", "2", "3"):
        take_out(standard, number, "never played", tina)
    done = publish(standard, tina)
    run = runs.run_named(m.Publication.objects.get(seq=done.seq).run_id)
    ratings = table_of(standard, run.ratings_id or "")["rating"].to_pylist()
    assert (run.counts["games"], sorted(ratings)) == (0, [1500, 1600, 1700, 1800, 1990, 2001])
    out = tmp_path / "bundle"
    bundles.write_bundle(standard, done.lists[0], out, tina)
    assert [each.code for each in bundle.verify(out).findings] == []
    again, _ = bundles.replay()
    assert [each.is_equal for each in again] == [True, True]


def test_who_does_not_say_of_which_pool_events_are_is_told_what_an_office_can_do(
    home, tina, tmp_path
):
    with_events(home, tina, tmp_path, "fide")
    made = runs.make(home, "standard", UNTIL, tina)
    (told,) = (each for each in made.findings if each.code == "history.pool-assumed")
    assert "`ratingbook office pool rules POOL --set pool=standard --reason TEXT`" in told.remedy
    setup.set_rules("standard", None, {"pool": "standard"}, "all are standard", tina)
    made = runs.make(home, "standard", UNTIL, tina)
    assert "history.pool-assumed" not in [each.code for each in made.findings]


def test_merged_persons_are_rated_as_one(standard, tina, tmp_path):
    from ratingbook.office.acts import people

    number, _ = people.add_person(NewPerson("Alpha-Golf, Anna"), "", tina)
    said = document("Late Open", "2026-03-10")
    said["players"][0] |= {"name": "Alpha-Golf, Anna", "ids": {}}
    path = write(tmp_path, "late.json", said)
    receive.receive_all(standard, [path], tina, receive.Options(another=True))
    for each in desk.waiting():
        desk.link(each.report, each.entry, str(number), tina)
    people.merge(number, 1, "married", tina)
    run = runs.make(standard, "standard", date(2026, 5, 1), tina).run
    rows = published.table_of(standard, run.ratings_id or "").to_pylist()
    assert {row["player"]: row["games"] for row in rows}["1"] == 40 + 20
    assert str(number) not in {row["player"] for row in rows}


def test_an_explanation_ends_at_the_published_number(standard, tina):
    done = publish(standard, tina)
    found = explain.explain(standard, 1, done.lists[0])
    row = found.rows[-1].row
    stored = published.history_of(setup.pool_named("standard"), 1)[-1]
    assert (row.before, row.after) == (stored["before"], stored["after"])
    assert found.rows[-1].explanation
    assert list(found.findings) == []
    said = [f"{each.game} {each.text}" for each in found.rows[-1].explanation]
    assert any("Spring Open, round 1" in each for each in said)
    assert not any("2026-02-20-" in each for each in said)


def test_an_explanation_has_the_number_of_the_list_beside_its_own(officer, tmp_path):
    officer.does("pool", "add", "go", "--rulebook", "egf-2021")
    said = document()
    said["event"]["class"] = "A"
    for player, grade in zip(said["players"], ("4d", "3d", "1d", "2k", "5k", "8k"), strict=True):
        player["grade"] = grade
    officer.does("receive", write(tmp_path, "go.json", said))
    officer.does("link", 1, "all", "new")
    number = officer.does("run", "--pool", "go")["run"]
    officer.does("approve", number)
    officer.does("publish", number)
    one = m.List.objects.get()
    row = officer.does("explain", 1, "--list", one.id)["players"][-1]
    assert row["listed"]["after"] == m.ListRow.objects.get(person=1).rating
    assert row["listed"]["after"] == round(row["after"]) != row["after"]
    told = officer.sees("explain", 1, "--list", one.id)
    assert f"→ {row['listed']['after']:g} (" in told
    assert f"before rounding for the list: – → {row['after']} (" in told


@pytest.mark.parametrize("rulebook", ["fide-2009", "uscf-2011"])
def test_explanations_one_after_the_other_are_those_that_each_would_be_alone(
    home, tina, tmp_path, rulebook
):
    """The next one goes on with the arrays of the one before, which may not be seen in either."""
    with_events(home, tina, tmp_path, rulebook)
    run = m.Run.objects.get(id=publish(home, tina).lists[0].run_id)
    rules = Rules(run.rulebook, dict(run.parameters), run.assume)
    fed = explain._fed(home, run.pool_id, run.upto, run.snapshot)
    changes = m.Change.objects.values_list("person", "batch__key").order_by("-batch__key", "person")
    asked = [(str(person), key) for person, key in changes]
    assert len({key for _, key in asked}) > 1
    one = Replay(fed, rules)
    found = [one.explain(*each) for each in asked]
    first = repr(found[0])
    found += [one.explain(*each) for each in reversed(asked)]
    assert repr(found[0]) == first
    for each, rows in zip([*asked, *reversed(asked)], found, strict=True):
        assert rows == Replay(fed, rules).explain(*each)


def test_a_bundle_is_verified_without_the_office(standard, tina, tmp_path):
    done = publish(standard, tina)
    out = tmp_path / "bundle"
    said = bundles.write_bundle(standard, done.lists[0], out, tina)
    found = bundle.verify(out)
    assert [each.code for each in found.findings] == []
    assert (found.rows, said["birth_dates"]) == (6, False)
    assert "birth_date" not in pq.read_schema(out / "players.parquet").names
    text = b"".join(each.read_bytes() for each in out.iterdir() if each.suffix != ".parquet")
    assert not [said[2] for said in PLAYERS.values() if said[2].encode() in text]
    archive = tmp_path / "bundle.zip"
    bundles.write_bundle(standard, done.lists[0], archive, tina)
    assert [each.code for each in bundle.verify(archive).findings] == []


def _tamper(out, name, change):
    """Change a file of a bundle, and its hash in the manifest with it."""
    import hashlib

    data = change((out / name).read_bytes())
    (out / name).write_bytes(data)
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["files"][name] = hashlib.sha256(data).hexdigest()
    (out / "manifest.json").write_text(json.dumps(manifest))


def _other_score(data):
    import io

    import pyarrow as pa

    table = pq.read_table(io.BytesIO(data))
    scores = [0.0, *table["score"].to_pylist()[1:]]
    at = table.column_names.index("score")
    return bundle.parquet(table.set_column(at, "score", pa.array(scores)))


def _other_rating(data):
    import csv
    import io

    rows = list(csv.reader(io.StringIO(data.decode())))
    rows[1][rows[0].index("rating")] = "2999"
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


@pytest.mark.parametrize(
    ("name", "change", "code"),
    [
        ("games.parquet", _other_score, "verify.differs"),
        ("list.csv", _other_rating, "verify.list"),
        ("facts.jsonl", lambda data: data.replace(b'"ready"', b'"held"', 1), "verify.chain"),
        ("facts.jsonl", lambda data: b"\n".join(data.splitlines()[:-1]), "verify.chain"),
        ("ratings.parquet", lambda data: b"PAR1", "verify.tables"),
    ],
    ids=["a score", "a printed rating", "a kind of fact", "the last fact", "no table"],
)
def test_a_bundle_that_was_changed_is_found_out(standard, tina, tmp_path, name, change, code):
    done = publish(standard, tina)
    out = tmp_path / "bundle"
    bundles.write_bundle(standard, done.lists[0], out, tina)
    _tamper(out, name, change)
    assert code in [each.code for each in bundle.verify(out).findings]


def test_a_damaged_bundle_is_told(standard, tina, tmp_path):
    done = publish(standard, tina)
    out = tmp_path / "bundle"
    bundles.write_bundle(standard, done.lists[0], out, tina)
    (out / "list.csv").write_text("other")
    assert [each.code for each in bundle.verify(out).findings] == ["verify.damaged"]
    (out / "manifest.json").write_text("{}")
    assert [each.code for each in bundle.verify(out).findings] == ["verify.no-manifest"]
    (tmp_path / "x.zip").write_bytes(b"no archive")
    (other,) = bundle.verify(tmp_path / "x.zip").findings
    assert (other.code, "A bundle is a ZIP archive" in other.remedy) == ("verify.unreadable", True)
    bundles.write_bundle(standard, done.lists[0], tmp_path / "whole.zip", tina)
    data = (tmp_path / "whole.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(data[: len(data) // 2])
    (cut,) = bundle.verify(tmp_path / "cut.zip").findings
    assert cut.code == "verify.unreadable"
    assert "did not come to its end: fetch it anew" in cut.remedy


def test_where_juniors_have_a_k_of_their_own_other_dates_stand_in_for_theirs(home, tina, tmp_path):
    """FIDE 2014: K 40 for juniors below 2300, so their ratings tell that they are."""
    opened(home, tina, tmp_path, "fide-2014")
    path = write(tmp_path, "open.json", document(results={("5", "6"): "0-1"}))
    receive.receive_all(home, [path], tina, receive.Options())
    done = publish(home, tina)
    out = tmp_path / "public"
    manifest = bundles.write_bundle(home, done.lists[0], out, tina)
    assert manifest["birth_dates"] is False
    assert manifest["stand_ins"] > 0
    true = set(m.PersonPrivate.objects.values_list("birth_date", flat=True))
    held = set(pq.read_table(out / "players.parquet")["birth_date"].to_pylist()) - {None}
    assert held
    assert not held & true
    found = bundle.verify(out)
    assert [each.code for each in found.findings] == []
    said = json.loads((out / "manifest.json").read_text())
    (out / "manifest.json").write_text(json.dumps({**said, "stand_ins": said["stand_ins"] + 1}))
    assert "verify.said" in [each.code for each in bundle.verify(out).findings]


def test_numbers_that_need_birth_dates_make_an_auditors_bundle(home, tina, tmp_path):
    """US Chess: the first rating is made of the very age, and tells it."""
    setup.add_pool("standard", "uscf-2011", tina)
    opening = tmp_path / "opening.csv"
    lines = [f'{own},"{name}",2012-01-05' for name, _, _, own in PLAYERS.values()]
    opening.write_text("\n".join(["id,name,birth_date", *lines, ""]), encoding="utf-8")
    imports.import_file(home, opening, "national", tina, "standard")
    path = write(tmp_path, "open.json", document(results={("5", "6"): "0-1"}))
    receive.receive_all(home, [path], tina, receive.Options())
    desk.link_new(1, tina)
    done = publish(home, tina)
    with pytest.raises(OfficeRefused) as refused:
        bundles.write_bundle(home, done.lists[0], tmp_path / "public", tina)
    assert codes(refused) == ["office.needs-birth-dates"]
    assert not (tmp_path / "public").exists()
    bundles.write_bundle(home, done.lists[0], tmp_path / "auditor", tina, with_birth_dates=True)
    assert [each.code for each in bundle.verify(tmp_path / "auditor").findings] == []


def test_a_bundle_prints_as_its_pool_did_then(home, tina, tmp_path):
    with_events(home, tina, tmp_path, "elo")
    setup.set_policies("standard", {"decimals": "2"}, "", tina)
    done = publish(home, tina)
    setup.set_policies("standard", {"decimals": "0"}, "", tina)
    setup.set_rules("standard", "fide-2009", {}, "a reform", tina)
    manifest = bundles.write_bundle(home, done.lists[0], tmp_path / "bundle", tina)
    assert manifest["list"]["decimals"] == 2
    assert [each.code for each in bundle.verify(tmp_path / "bundle").findings] == []
    explained = explain.explain(home, 1, done.lists[0])
    assert "office.explained-otherwise" not in [each.code for each in explained.findings]


def test_a_replay_equals_all_that_was_published(standard, tina, tmp_path):
    publish(standard, tina, date(2026, 3, 1))
    publish(standard, tina)
    done, findings = bundles.replay()
    assert [each.is_equal for each in done] == [True, True]
    assert list(findings) == []
    assert [each.code for each in doctor.examine(standard)] == []


def test_a_replay_finds_a_game_that_was_changed(standard, tina):
    publish(standard, tina)
    with connection.cursor() as cursor:
        for name in triggers.present(connection):
            if connection.vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER {name}")
            else:
                cursor.execute(f"DROP FUNCTION {name} CASCADE")
        cursor.execute("UPDATE office_game SET half_points = 0 WHERE number = 1")
    triggers.make(connection)
    done, findings = bundles.replay()
    assert [each.is_equal for each in done] == [False]
    assert [each.code for each in findings] == ["replay.differs"]


def test_a_snapshot_is_a_cache(standard, tina):
    import shutil

    from ratingbook.office.acts.snapshots import build, fed_of

    upto = ledger.head().seq
    made = fed_of(standard, 1, upto)
    assert fed_of(standard, 1, upto).digest == made.digest == build(1, upto).digest
    folder = next(standard.snapshots.iterdir())
    (folder / "games-0.arrow").write_bytes(b"damaged")
    assert fed_of(standard, 1, upto).digest == made.digest
    shutil.rmtree(standard.snapshots)
    assert fed_of(standard, 1, upto).digest == made.digest


def test_a_snapshot_writes_only_what_has_come(standard, tina, tmp_path):
    from ratingbook.office.acts import snapshots

    def grown(name, day):
        path = write(tmp_path, f"{name}.json", document(name, day))
        receive.receive_all(standard, [path], tina, receive.Options(another=True))
        upto = ledger.head().seq
        made = snapshots.raw_of(standard, 1, upto)
        # As it is read again from its parts, and from the facts.
        assert snapshots.raw_of(standard, 1, upto).tables() == made.tables()
        assert snapshots.fed_of(standard, 1, upto).digest == snapshots.build(1, upto).digest
        folder = standard.snapshots / f"1-{upto}"
        return [each.stat() for each in sorted(folder.glob("games-*.arrow"))]

    before = snapshots.raw_of(standard, 1, ledger.head().seq)
    first = grown("After", "2026-03-01")
    assert len(before.games) == 45
    assert len(first) == 2
    assert first[0].st_nlink == 2
    # A report from before all games is in front of them: everything is written again.
    assert [each.st_nlink for each in grown("Before", "2025-12-01")] == [1]


def test_a_snapshot_grows_by_what_has_come_or_is_otherwise(standard, tina, tmp_path, monkeypatch):
    from ratingbook.office.acts import snapshots

    def told():
        upto = ledger.head().seq
        assert snapshots.fed_of(standard, 1, upto).digest == snapshots.build(1, upto).digest
        return len(snapshots.raw_of(standard, 1, upto).games)

    assert told() == 45
    by_hand = []

    def told_of(query, schema):
        by_hand.append(read_columns(query, schema))
        return by_hand[-1]

    monkeypatch.setattr("ratingbook.office.acts.snapshots.read_columns", told_of)
    path = write(tmp_path, "late.json", document("Late Open", "2026-01-12"))
    receive.receive_all(standard, [path], tina, receive.Options(another=True))
    snapshots.raw_of(standard, 1, ledger.head().seq)
    assert len(by_hand[0]) == 15
    assert told() == 60
    undoing.undo(m.Fact.objects.filter(kind="linked")[0].seq, "wrong people", tina)
    assert told() == 45
    for number, person in zip("123456", "213456", strict=True):
        desk.link(1, number, person, tina)
    assert told() == 60
    reports.put_aside("2", "withdraw", "played by nobody", tina)
    assert told() == 45


def test_a_list_is_made_of_what_is_published(standard, tina):
    publish(standard, tina)
    made, _ = lists.make_list(standard, "standard", date(2026, 7, 1), tina)
    assert (made.date, made.revision) == (date(2026, 7, 1), 1)
    assert lists.list_named("standard@2026-07-01").id == made.id
    facts = m.Fact.objects.count()
    again, findings = lists.make_list(standard, "standard", date(2026, 7, 1), tina)
    assert (again.id, m.List.objects.count()) == (made.id, 2)
    assert [each.code for each in findings] == ["office.list-unchanged"]
    assert m.Fact.objects.count() == facts
    # A list prints the numbers of its federation's register as they were when it was made.
    registry.edit(1, registry.Edit(ids={"fide": "990001"}), "told since", tina)
    newer, findings = lists.make_list(standard, "standard", date(2026, 7, 1), tina)
    assert (newer.revision, newer.digest, list(findings)) == (2, made.digest, [])
    registry.edit(1, registry.Edit(name="Alpha, Agnes"), "a slip", tina)
    assert lists.make_list(standard, "standard", date(2026, 7, 1), tina)[0].revision == 3
    with pytest.raises(OfficeRefused) as refused:
        lists.make_list(standard, "standard", date(2026, 1, 1), tina)
    assert codes(refused) == ["office.list-back"]
    with pytest.raises(OfficeRefused) as refused:
        lists.list_named("standard@2026")
    assert codes(refused) == ["office.no-list"]


def test_a_changed_file_after_publication_is_held(standard, tina, tmp_path):
    publish(standard, tina)
    changed = document("Winter Open", "2026-01-10", {**RESULTS, ("2", "3"): "1-0"})
    path = write(tmp_path, "winter2.json", changed)
    received, _ = receive.receive_all(standard, [path], tina, receive.Options())
    assert (received[0].id, received[0].version, received[0].state) == (1, 2, "held")
    nothing = runs.make(standard, "standard", UNTIL, tina).run
    assert nothing.report["players"] == 0
    reports.put_aside("1", "release", "the arbiter confirms it", tina)
    made = runs.make(standard, "standard", UNTIL, tina).run
    assert {each["player"] for each in made.report["largest"]} >= {"2", "3"}


@pytest.mark.parametrize("what", ["hold", "refuse", "withdraw"])
def test_what_is_published_is_taken_out_by_a_correction_alone(standard, tina, tmp_path, what):
    """Else one officer would do what several have to accept."""
    publish(standard, tina)
    setup.set_policies("standard", {"correction_approvals": "2"}, "four eyes", tina)
    before = ledger.head().seq
    with pytest.raises(OfficeRefused) as refused:
        reports.put_aside("1", what, "I say so", tina)
    assert codes(refused) == ["office.published-report"]
    assert ledger.head().seq == before
    changed = document("Winter Open", "2026-01-10", {**RESULTS, ("2", "3"): "1-0"})
    receive.receive(standard, write(tmp_path, "2.json", changed), tina)
    setup.set_policies("standard", {"correction_approvals": "1"}, "two eyes", tina)
    reports.put_aside("1", "release", "the arbiter confirms it", tina)
    setup.set_policies("standard", {"correction_approvals": "2"}, "four eyes", tina)
    reports.put_aside("1", what, "he does not", tina)
    versions = [states.newest(1), states.that_counts(1)]
    assert [each and each.number for each in versions] == [2, 1]
    made = runs.make(standard, "standard", UNTIL, tina).run
    assert (made.counts["games"], made.report["players"]) == (45, 0), "it is as it is published"
    with pytest.raises(OfficeRefused):
        reports.put_aside("2", what, "I say so", tina)
    setup.set_policies("standard", {"correction_approvals": "1"}, "two eyes", tina)
    take_out(standard, "2", "never played", tina)
    assert runs.make(standard, "standard", UNTIL, tina).run.counts["games"] == 30
    for act in ("release", "hold", "refuse"):
        with pytest.raises(OfficeRefused) as refused:
            reports.put_aside("2", act, "it was played", tina)
        assert codes(refused) == ["office.taken-out"]
    back = corrections.ask(standard, corrections.taking_back(1), "it was played", tina)
    corrections.accept(standard, back.id, tina)
    assert runs.make(standard, "standard", UNTIL, tina).run.counts["games"] == 45
    findings = reports.put_aside("3", what, "where one may accept it", tina)
    assert [each.code for each in findings] == ["office.published-report"]
    assert runs.make(standard, "standard", UNTIL, tina).run.counts["games"] == 30


def test_a_refused_version_between_does_not_let_the_next_one_in(standard, tina, tmp_path):
    publish(standard, tina)
    bad = document("Winter Open", "2026-01-10", RESULTS)
    bad["games"].append(dict(bad["games"][0], black="1"))
    none_left = document("Winter Open", "2026-01-10", RESULTS)
    none_left["games"] = [dict(bad["games"][-1])]
    good = document("Winter Open", "2026-01-10", {**RESULTS, ("2", "3"): "1-0"})
    states = []
    for number, said in enumerate([bad, none_left, good]):
        path = write(tmp_path, f"winter{number}.json", said)
        received, _ = receive.receive_all(standard, [path], tina, receive.Options())
        states.append(received[0].state)
    assert states == ["refused", "refused", "held"]
    assert runs.make(standard, "standard", UNTIL, tina).run.report["players"] == 0


@pytest.mark.parametrize("rulebook", ["egf-2021", "uscf-2025", "iccf-2009"])
def test_each_kind_of_pool_publishes_what_its_history_says(home, tina, tmp_path, rulebook):
    """Sections by sections with decimals, and periods game by game."""
    decimals = {"decimals": "2"} if rulebook.startswith("egf") else {}
    setup.add_pool("standard", rulebook, tina, policies=decimals)
    people = "\n".join(
        f'{said[3]},{1500 + 50 * int(key)},40,"{said[0]}"' for key, said in PLAYERS.items()
    )
    (tmp_path / "opening.csv").write_text(f"id,rating,games,name\n{people}\n")
    imports.import_file(home, tmp_path / "opening.csv", "national", tina, "standard")
    for number, (name, day) in enumerate([("One", "2026-01-10"), ("Two", "2026-02-20")]):
        said = document(name, day, dict(list(RESULTS.items())[number:]), time_control="G/90;d5")
        path = write(tmp_path, f"{number}.json", said)
        received, _ = receive.receive_all(home, [path], tina, receive.Options(another=True))
        assert received[0].state == "ready"
    done = publish(home, tina, date(2027, 1, 1))
    run = m.Run.objects.get()
    names = bundles.export_history(home, run.id, tmp_path / "fed", tina)
    tables = {name.partition(".")[0]: tmp_path / "fed" / name for name in names}
    rated = rate_history(tables.pop("games"), rulebook, **tables)
    expected = {row["player"]: row["rating"] for row in rated.ratings.to_pylist()}
    made = published.table_of(home, run.ratings_id or "").to_pylist()
    assert {row["player"]: row["rating"] for row in made} == expected
    assert len(published.table_of(home, run.file_id or "")) == len(rated.changes) > 0
    assert done.lists[0].rows > 0
    bundles.write_bundle(home, done.lists[0], tmp_path / "b.zip", tina, with_birth_dates=True)
    assert [each.code for each in bundle.verify(tmp_path / "b.zip").findings] == []
    done_again, findings = bundles.replay()
    assert [each.is_equal for each in done_again] == [True]
    assert not findings.refused


def received_as(number: int) -> str:
    return next(each.state for each in reports.reports() if each.id == number)


def test_only_what_a_run_rates_is_published_by_it(standard, tina, tmp_path):
    publish(standard, tina, date(2026, 2, 1))
    first = m.Run.objects.get()
    assert (first.counts["games"], first.counts["sections"]) == (15, 1)
    assert [received_as(each) for each in (1, 2, 3)] == ["published", "ready", "ready"]
    changed = write(tmp_path, "2b.json", document("Spring Open", "2026-02-20", {("1", "2"): "0-1"}))
    received, _ = receive.receive_all(standard, [changed], tina)
    assert received[0].state == "ready"
    publish(standard, tina)
    assert m.Run.objects.latest("id").counts["games"] == 45
    assert [received_as(each) for each in (1, 2, 3)] == ["published"] * 3


def test_by_periods_a_report_is_published_with_the_list_of_its_period(standard, tina):
    publish(standard, tina, date(2026, 2, 25))
    # These ended before that day, and are on the list of 1 March.
    assert [received_as(each) for each in (1, 2, 3)] == ["published", "ready", "ready"]
    publish(standard, tina, date(2026, 3, 1))
    assert [received_as(each) for each in (1, 2, 3)] == ["published"] * 3


def test_a_report_without_results_is_published_once_it_has_ended(standard, tina, tmp_path):
    said = document("Open Open", "2026-03-10", {(a, b): "*" for a in PLAYERS for b in PLAYERS})
    receive.receive_all(standard, [write(tmp_path, "4.json", said)], tina, receive.Options())
    publish(standard, tina, date(2026, 3, 1))
    assert received_as(4) == "ready"
    publish(standard, tina)
    assert received_as(4) == "published"


def test_an_unchanged_list_gets_no_revision(standard, tina):
    """A run without changes is published, and the list of its day stays."""

    def published():
        made = runs.make(standard, "standard", UNTIL, tina).run
        runs.approve(made.id, tina)
        return runs.publish(standard, made.id, tina)

    first = published().lists[0]
    again = published()
    assert (again.seq, again.lists) == (2, ())
    assert [each.code for each in again.findings] == ["office.list-unchanged"]
    assert m.List.objects.count() == 1
    # What is printed is otherwise, though no number is.
    registry.edit(1, registry.Edit(name="Alpha, Agnes"), "a slip", tina)
    (renamed,) = published().lists
    assert (renamed.date, renamed.revision, renamed.digest) == (first.date, 2, first.digest)
    assert not doctor.examine(standard).refused


@pytest.mark.parametrize("rulebook", ["fide-2009", "elo", "egf-2021", "uscf"])
def test_the_first_list_of_a_pool_may_be_of_what_it_opens_with(home, tina, tmp_path, rulebook):
    opened(home, tina, tmp_path, rulebook)
    made = runs.make(home, "standard", UNTIL, tina)
    assert "office.opening-only" in [each.code for each in made.findings]
    assert (made.run.counts["games"], made.run.counts["rows"]) == (0, 0)
    runs.approve(made.run.id, tina)
    (one,) = runs.publish(home, made.run.id, tina).lists
    rows = {row["name"]: row["rating"] for row in lists.rows_of(one)}
    left = [each[1] for each in one.not_listed]
    assert len(rows) + len(left) == 6
    if rows:
        assert rows["Alpha, Anna"] == 2001
    assert not doctor.examine(home).refused
    assert not bundles.replay()[1].refused
    bundles.write_bundle(home, one, tmp_path / "b.zip", tina)
    assert not bundle.verify(tmp_path / "b.zip").findings.refused
    # The games that come are rated from it.
    path = write(tmp_path, "1.json", document("Winter Open", "2026-04-02", RESULTS))
    assert receive.receive(home, path, tina).state == "ready"
    assert publish(home, tina, date(2026, 5, 1)).lists[0].rows


def test_before_anything_is_published_a_run_needs_a_game_or_a_rating(home, tina):
    setup.add_pool("standard", "elo", tina)
    with pytest.raises(OfficeRefused) as refused:
        runs.make(home, "standard", UNTIL, tina)
    assert codes(refused) == ["office.nothing-ready"]


def test_a_list_of_nobody_is_told(home, tina, tmp_path):
    setup.add_pool("standard", "fide-2009", tina)
    path = tmp_path / "opening.csv"
    path.write_text('id,games,name\n701,5,"Alpha, Anna"\n')
    imports.import_file(home, path, "national", tina, "standard")
    done = publish(home, tina)
    assert [each.rows for each in done.lists] == [0]
    assert "office.list-empty" in [each.code for each in done.findings]
    made, findings = lists.make_list(home, "standard", date(2026, 7, 1), tina)
    assert (made.rows, [each.code for each in findings]) == (0, ["office.list-empty"])


def test_facts_of_other_pools_are_none_that_the_next_run_of_a_pool_has(standard, tina, tmp_path):
    """Of what comes while a run waits only that is told which can change the pool."""

    def later(*happens) -> str:
        made = runs.make(standard, "standard", UNTIL, tina)
        runs.approve(made.run.id, tina)
        for act in happens:
            act()
        found = runs.publish(standard, made.run.id, tina).findings
        return " ".join(str(x.message) for x in found if x.code == "office.later-facts")

    def received(name, pool, day):
        path = write(tmp_path, f"{name}.json", document(name, day))
        receive.receive(standard, path, tina, receive.Options(pool=pool))

    setup.add_pool("other", "elo", tina)
    assert (
        later(
            lambda: received("Elsewhere", "other", "2026-02-24"),
            lambda: setup.add_pool("third", "elo", tina),
        )
        == ""
    )
    players = tmp_path / "theirs.csv"
    players.write_text('id,name,rating,games,title\n900,"Golf, Gina",1500,9,FM\n')
    theirs = people.add_person(NewPerson("Hotel, Hans"), "", tina)[0]
    assert (
        later(
            lambda: imports.import_file(standard, players, "national", tina, "other"),
            lambda: registry.edit(theirs, registry.Edit(born=date(1992, 2, 2)), "a slip", tina),
        )
        == ""
    ), "they are persons of the other pool, or of none"
    assert "came after the run was made" in later(
        lambda: received("Here", "standard", "2026-02-26")
    )
    assert "1 fact came after the run was made" in later(
        lambda: registry.edit(1, registry.Edit(born=date(1992, 2, 2)), "a slip", tina)
    )
    players.write_text('id,name,federation\n701,"Alpha, Anna",GER\n')
    assert "1 fact came after the run was made" in later(
        lambda: imports.import_file(standard, players, "national", tina)
    ), "it fills in what was empty of somebody of the pool"
