"""What a bundle holds, what it leaves out, and that it is found out whatever is changed in it."""

from __future__ import annotations

import csv
import errno
import hashlib
import io
import json
import math
import shutil
import zipfile
from datetime import date, timedelta

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.db import connections
from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.model import Entry, Severity, Standing, StandingStatus
from ratingbook.office import bundle
from ratingbook.office.engine.fed import TABLES, Fed
from ratingbook.office.engine.rating import rate
from ratingbook.office.engine.rules import Rules
from ratingbook.office.logic.chain import PARTS, canonical, fact_hash, in_part, part_hash
from ratingbook.office.logic.chained import Broken, followed
from ratingbook.office.signing import make_key, signature
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.unpacked import Unpacked, Unreadable, unpacked
from ratingbook.rules.listing import Member
from tests.office.lists_of_before import as_of_before
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write

FACT = {
    "seq": 1, "kind": "linked", "at": "t", "true_from": None, "true_to": "2026-01-02",
    "actor": "tina", "origin": "cli", "reason": "she says so", "payload": {"b": 1, "a": 2},
    "private_commit": None, "salt": "00ff", "revokes": None, "subjects": [["person", "1"]],
    "evidence": [],
}  # fmt: skip


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_hash_of_a_fact_with_a_salt_is_that_of_commitments_to_its_parts():
    """By hand: each part by a salt of its own; what says nothing has none."""
    said = {
        "about": '[[["person","1"]]]', "says": '[{"a":2,"b":1}]', "when": '[null,"2026-01-02"]',
        "who": '["tina","cli"]', "why": '["she says so"]',
    }  # fmt: skip
    parts = {name: sha256(sha256("00ff" + name) + text) for name, text in said.items()}
    text = (
        f'{{"at":"t","kind":"linked","parts":{json.dumps(parts, separators=(",", ":"))},'
        '"private_commit":null,"revokes":null,"seq":1}'
    )
    assert fact_hash("0" * 64, FACT) == sha256("0" * 64 + text)


@pytest.mark.parametrize("shown", [(), ("says",), tuple(PARTS)])
def test_a_fact_in_part_has_the_hash_of_the_whole_one(shown):
    whole = {**FACT, "hash": fact_hash("ab", FACT)}
    given = json.loads(canonical(in_part(whole, shown)))
    assert part_hash("ab", given) == whole["hash"]
    text = json.dumps(given)
    assert ("she says so" in text) == ("why" in shown)
    assert FACT["salt"] not in json.dumps({**given, "hash": "", "parts": ""}).split('"')
    if shown:
        given["shown"]["says"][1] = [{"a": 3}]
        assert part_hash("ab", given) is None


def test_a_chain_that_passes_over_a_number_is_none():
    """Whoever makes the hashes anew cannot leave out a fact without a word."""

    def chain(*numbers):
        prev, found = "0" * 64, []
        for seq in numbers:
            fact = {**FACT, "seq": seq, "prev": prev}
            fact["hash"] = prev = fact_hash(prev, fact)
            found.append(canonical(fact))
        return b"\n".join(found)

    assert followed(chain(1, 2)).count == 2
    for numbers in ((1, 3), (2, 3)):
        with pytest.raises(Broken):
            followed(chain(*numbers))


BY_NAME = {said[0]: said for said in PLAYERS.values()}
"""As in files without numbers, whose entries go by their names."""
SECRET = ("tina", "is new", "was ill", "quite right")


def published(officer: Officer, folder) -> None:
    """A list. Names stand in reasons, in a decision, and in what facts say of entries."""
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    path = write(folder, "open.json", document("Open", "2010-04-03", players=BY_NAME))
    officer.does("receive", path)
    officer.does("link", 1, "all", "new", "--reason", "Alpha, Anna is new")
    officer.does("decide", 2, "reset", 1900, "--pool", "standard", "--from", "2010-05-01",
                 "--reason", "Bravo, Ben was ill")  # fmt: skip
    officer.does("run", "--pool", "standard", "--until", "2010-07-01")
    officer.does("approve", 1, "--reason", "quite right")
    officer.does("publish", 1)
    officer.does("person", "suppress", 1, "--reason", "Alpha, Anna asked for it")


@prepared
def office(officer: Officer, tmp_path) -> Officer:
    """An office with a published list, of which one person was suppressed."""
    published(officer, tmp_path)
    return officer


def texts_of(folder) -> str:
    """All that can be read in the files of a bundle."""
    found = []
    for each in sorted(folder.iterdir()):
        is_table = each.suffix == ".parquet"
        found.append(str(pq.read_table(each).to_pylist()) if is_table else each.read_text("utf-8"))
    return "\n".join(found)


def facts_of(folder):
    return (folder / "facts.jsonl").read_bytes().splitlines()


def written(officer: Officer, out, *options) -> bundle.Verified:
    officer.does("bundle", 1, out, *options)
    return bundle.verify(out)


def verified(*arguments: object) -> str:
    """What the command says of a bundle that is as it should be."""
    result = CliRunner().invoke(app, ["verify", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def test_a_bundle_names_no_actor_no_reason_and_nobody_who_was_suppressed(office, tmp_path):
    found = written(office, tmp_path / "bundle")
    assert list(found.findings) == []
    last = ledger.head().seq - 1
    assert (found.facts.by_hash, found.facts.in_part, found.facts.whole) == (0, last, 0)
    text = texts_of(tmp_path / "bundle")
    for each in (*SECRET, "Alpha", "Anna", *(said[2] for said in PLAYERS.values())):
        assert each not in text
    # Of those who were not suppressed the list tells the name, and nothing else does.
    assert "Bravo" not in text.replace((tmp_path / "bundle" / "list.csv").read_text(), "")


def test_by_a_bundle_nobody_can_try_what_is_private_in_a_file(office, tmp_path):
    """Whoever knows all of a file but a date of birth could try all days, by its hash."""
    written(office, tmp_path / "bundle")
    one = m.ReportVersion.objects.get()
    text = texts_of(tmp_path / "bundle")
    assert one.blob_id not in text
    assert one.document_sha256 in text
    written(office, tmp_path / "whole", "--with-whole-facts")
    assert one.blob_id in texts_of(tmp_path / "whole"), "whoever may see the file may prove it"
    assert office.does("receipt", 1)["sha256"] == one.blob_id


def test_facts_of_before_tell_the_hash_of_a_file_and_are_sound(officer, tmp_path, monkeypatch):
    fact = ledger.Act.fact

    def with_file(act, kind, *subjects, payload=None, evidence=(), **more):
        if kind == "received":
            payload = {**payload, "file": evidence[0]}
        return fact(act, kind, *subjects, payload=payload, evidence=evidence, **more)

    with monkeypatch.context() as before:
        before.setattr(ledger.Act, "fact", with_file)
        published(officer, tmp_path)
    assert officer.does("doctor")["sound"]
    assert list(written(officer, tmp_path / "bundle").findings) == []
    assert m.ReportVersion.objects.get().blob_id in texts_of(tmp_path / "bundle")


def test_an_auditor_gets_whole_facts(office, tmp_path):
    found = written(office, tmp_path / "whole", "--with-whole-facts")
    assert list(found.findings) == []
    assert found.facts.whole == found.facts.count == ledger.head().seq - 1
    text = texts_of(tmp_path / "whole")
    assert not [each for each in (*SECRET, "Alpha, Anna is new") if each not in text]
    said = office.sees("bundle", 1, tmp_path / "again", "--with-whole-facts")
    assert "for an auditor, not for the public" in said
    assert "with whole facts" in office.does("audit", "--kind", "bundle")["acts"][0]["reason"]


def test_facts_in_part_and_whole_ones_are_the_same_chain(office, tmp_path):
    """An auditor can tell that the public bundle is of the facts that he has whole."""
    written(office, tmp_path / "part")
    written(office, tmp_path / "whole", "--with-whole-facts")
    part, whole = (
        [json.loads(line)["hash"] for line in facts_of(tmp_path / name)]
        for name in ("part", "whole")
    )
    assert part == whole


def test_what_a_bundle_proves_is_said(office, tmp_path):
    office.does("bundle", 1, tmp_path / "part")
    office.does("bundle", 1, tmp_path / "whole", "--with-whole-facts")
    part, whole = (verified(tmp_path / name) for name in ("part", "whole"))
    assert "the games and decisions of the bundle give these numbers" in part
    assert "who acted, why, and what was said of persons, which is left out" in part
    assert "not for the public" in whole
    assert "left out" not in whole
    said = json.loads(verified(tmp_path / "part", "--format", "json"))
    assert said["facts"]["in_part"] == ledger.head().seq - 1
    assert len(said["proved"]) == 2
    assert len(said["not_proved"]) == 3


# What is changed is found out: each field of each fact, each number, each line.


def tamper(folder, name, data: bytes) -> None:
    """Put another file there, and its hash into the manifest."""
    (folder / name).write_bytes(data)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][name] = hashlib.sha256(data).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.fixture(scope="module")
def made(begun_on_sqlite, tmp_path_factory):
    """A bundle in part and a whole one, made once: they are files, whatever the database was."""
    folder = tmp_path_factory.mktemp("bundles")
    officer = Officer(shutil.copytree(begun_on_sqlite, folder / "office"))
    published(officer, folder)
    written(officer, folder / "part")
    written(officer, folder / "whole", "--with-whole-facts")
    connections.close_all()
    return folder


@pytest.fixture
def bundles(made, tmp_path):
    """Makes a copy of a bundle, to be changed."""
    return lambda name: shutil.copytree(made / name, tmp_path / "changed")


def codes(folder) -> list[str]:
    return [each.code for each in bundle.verify(folder).findings]


def other(value):
    """Something else of the same kind."""
    if isinstance(value, bool) or value is None:
        return "x"
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return ("1" if value[:1] == "0" else "0") + value[1:]
    if isinstance(value, list):
        return [*value, "x"]
    return {**value, "x": "x"}


def everywhere(value, at=()):
    """Where there is something in a fact."""
    yield at
    keys = range(len(value)) if isinstance(value, list) else value
    for key in keys if isinstance(value, dict | list) else ():
        yield from everywhere(value[key], (*at, key))


@pytest.mark.parametrize("name", ["part", "whole"])
def test_each_field_of_each_fact_is_covered(bundles, name):
    folder = bundles(name)
    lines = [each.decode() for each in facts_of(folder)]
    seen = set()
    for number, line in enumerate(lines):
        fact = json.loads(line)
        for at in everywhere(fact):
            # Of each kind of fact once, and of what it has.
            if not at or (fact["kind"], at) in seen:
                continue
            seen.add((fact["kind"], at))
            changed = json.loads(line)
            into = changed
            for key in at[:-1]:
                into = into[key]
            into[at[-1]] = other(into[at[-1]])
            if canonical(changed) == canonical(fact):
                continue
            text = "\n".join([*lines[:number], canonical(changed).decode(), *lines[number + 1 :]])
            with pytest.raises(Broken):
                followed(text.encode())
    assert len(seen) > 100


@pytest.mark.parametrize("name", ["part", "whole"])
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda some: some[:-1], id="no last"),
        pytest.param(lambda some: some[1:], id="no first"),
        pytest.param(lambda some: some[:3] + some[4:], id="one is missing"),
        pytest.param(lambda some: [some[1], some[0], *some[2:]], id="another order"),
        pytest.param(lambda some: [*some, some[-1]], id="one twice"),
        pytest.param(lambda some: [b'{"hash": 3}', *some[3:]], id="no hash"),
        pytest.param(lambda some: [b'{"hash": "00"}', *some], id="a hash of none"),
        pytest.param(lambda some: [b'{"hash": "00"}', b'{"hash": "00"}', *some], id="two hashes"),
        pytest.param(lambda some: [*some[:3], b"no fact", *some[4:]], id="no fact"),
        pytest.param(lambda some: [b"[]", *some], id="a list"),
        pytest.param(lambda some: [], id="nothing"),
    ],
)
def test_no_fact_can_go_or_come(bundles, name, change):
    folder = bundles(name)
    some = change(facts_of(folder))
    tamper(folder, "facts.jsonl", b"\n".join(some))
    assert codes(folder) == ["verify.chain"]


def test_a_list_cannot_keep_to_itself_what_it_says(bundles):
    folder = bundles("part")
    some = [json.loads(each) for each in facts_of(folder)]
    for each in some:
        each["shown"] = {}
    tamper(folder, "facts.jsonl", b"\n".join(map(canonical, some)))
    assert codes(folder) == ["verify.chain"]


@pytest.mark.parametrize("kind", ["received", "approved", "published", "list"])
@pytest.mark.parametrize("part", ["about", "says"])
def test_what_all_may_see_of_a_fact_is_shown(bundles, kind, part):
    """Else an older list would pass under a newer head, by facts that keep to themselves."""
    folder = bundles("part")
    some = [json.loads(each) for each in facts_of(folder)]
    hidden = [each for each in some if each["kind"] == kind and each["shown"].pop(part, None)]
    assert hidden
    tamper(folder, "facts.jsonl", b"\n".join(map(canonical, some)))
    assert codes(folder) == ["verify.chain"]


def with_head(folder, facts, head) -> None:
    """Facts, and the head that they end at, as one puts them who makes a bundle of his own."""
    tamper(folder, "facts.jsonl", b"\n".join([*facts, b""]))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["head"] = head
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize("cut", [-1, 1], ids=["before the list", "after another"])
def test_the_last_fact_is_that_of_the_list(bundles, cut):
    """A head of a day on which another fact was the last stands for no list."""
    folder = bundles("whole")
    facts = [json.loads(each) for each in facts_of(folder)]
    if cut < 0:
        facts = facts[:-1]
    else:
        more = {**facts[0], "seq": len(facts) + 1, "prev": facts[-1]["hash"], "kind": "approved"}
        more["hash"] = fact_hash(more["prev"], more)
        facts.append(more)
    with_head(folder, map(canonical, facts), facts[-1]["hash"])
    assert codes(folder) == ["verify.said"]


def test_a_forged_bundle_that_copies_the_head_is_said_to_prove_nothing(bundles):
    """Inverted results, all rated again, and for the chain the hash that the office shows."""
    folder = bundles("part")
    manifest = json.loads((folder / "manifest.json").read_text())
    games = pq.read_table(folder / "games.parquet")
    at = games.column_names.index("score")
    scores = [1 - each for each in games["score"].to_pylist()]
    games = games.set_column(at, "score", pa.array(scores, games["score"].type))
    fed = {each.stem: pq.read_table(each) for each in folder.glob("*.parquet")
           if each.stem in TABLES} | {"games": games}  # fmt: skip
    rules = Rules(*(manifest["rules"][k] for k in ("rulebook", "parameters", "assume")))
    rated = rate(Fed(**fed), rules, date.fromisoformat(manifest["until"]))
    manifest["digest"] = rated.digest
    listing = relisted_by_hand(folder, rated, rules, manifest)
    manifest["list"] |= listing
    (folder / "manifest.json").write_text(json.dumps(manifest))
    for name, made in (("games", games), ("changes", rated.changes), ("ratings", rated.ratings)):
        tamper(folder, f"{name}.parquet", bundle.parquet(made))
    tamper(folder, "list.csv", (folder / "list.csv").read_bytes())
    assert "verify.said" in codes(folder)
    tamper(folder, "facts.jsonl", canonical({"hash": manifest["head"]}) + b"\n")
    found = bundle.verify(folder)
    assert [(each.code, each.severity) for each in found.findings] == [
        ("verify.facts-by-hash", Severity.WARNING)
    ]
    said = verified(folder)
    assert manifest["head"] not in said
    assert "Not proved: that an office published this list" in said
    assert f"the office shows: {manifest['list']['digest']}" in said


def relisted_by_hand(folder, rated, rules, manifest) -> dict[str, object]:
    """Writes the list of other numbers; gives what the manifest says of it."""
    day = date.fromisoformat(manifest["list"]["date"])
    rows = list(csv.DictReader(io.StringIO((folder / "list.csv").read_text())))
    numbers = {each["player"]: each for each in rated.ratings.to_pylist()}
    exact = {row["id"]: numbers[row["id"]]["rating"] for row in rows}
    members = [
        Member(
            Entry(row["id"], row["name"], standing=Standing(
                rating=float(math.floor(exact[row["id"]] + 0.5)),
                games=numbers[row["id"]]["games"],
                status=StandingStatus(numbers[row["id"]]["status"]),
                last_played=numbers[row["id"]]["last_played"],
            )),
            int(row["period_games"]) if row["period_games"] else None,
            int(row["k"]) if row["k"] else None,
        )
        for row in rows
    ]  # fmt: skip
    made = rules.book().edition(day).listing(members, day)
    with (folder / "list.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        keys = [each.key for each in made.columns]
        writer.writerow(keys)
        writer.writerows([row[key] for key in keys] for row in made.rows)
    public = ("flag", "id", "period_games", "rating")
    lines = [{key: row[key] for key in public} for row in made.rows]
    digest = hashlib.sha256(canonical(lines)).hexdigest()
    return {"digest": digest, "rows": len(made.rows)}


@pytest.mark.parametrize("name", ["part", "whole"])
def test_what_a_hash_stands_for_is_said(bundles, name):
    """Whoever shortens the chain cannot do it without a word."""
    folder = bundles(name)
    facts = facts_of(folder)
    kinds = [json.loads(each)["kind"] for each in facts]
    assert kinds[-2:] == ["published", "list"]
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["whole_facts"] = False
    (folder / "manifest.json").write_text(json.dumps(manifest))
    if name == "whole":
        assert codes(folder) == ["verify.said"]
        return
    for count, severity in ((3, Severity.INFO), (len(facts) - 1, Severity.WARNING)):
        head = json.loads(facts[count - 1])["hash"]
        short = [canonical({"hash": head}), *facts[count:], b""]
        tamper(folder, "facts.jsonl", b"\n".join(short))
        found = bundle.verify(folder)
        assert [(e.code, e.severity) for e in found.findings] == [
            ("verify.facts-by-hash", severity)
        ]
        said = verified(folder)
        assert f"what the facts up to {count} say" in said
        assert f"the facts from {count + 1} to {len(facts)} came in this order" in said
        assert ("these numbers, these rules" in said) == (severity is Severity.INFO)


def test_a_reason_can_hold_what_separates_lines_elsewhere(tmp_path):
    prev, lines = "0" * 64, []
    for number, reason in enumerate(("a\u2028b", "a\u0085b", "a\x0cb"), 1):
        fact = {**FACT, "seq": number, "prev": prev, "reason": reason}
        fact["hash"] = prev = fact_hash(prev, fact)
        lines.append(canonical(fact))
    assert followed(b"\n".join([*lines, b""])).count == 3


@pytest.mark.parametrize("name", ["part", "whole"])
def test_a_fact_holds_nothing_that_is_not_hashed(bundles, name):
    folder = bundles(name)
    facts = facts_of(folder)
    more = {**json.loads(facts[3]), "note": "this list is void"}
    for line in (canonical(more), b" " + facts[3], facts[3][:-1] + b"," + facts[3][1:]):
        with pytest.raises(Broken, match=r"Fact 4|Line 4"):
            followed(b"\n".join([*facts[:3], line, *facts[4:]]))


def test_a_list_by_the_facts_of_another_is_found(bundles):
    folder = bundles("whole")
    facts = [json.loads(each) for each in facts_of(folder)]
    number = next(n for n, each in enumerate(facts) if each["kind"] == "pool")
    facts[number]["payload"]["name"] = "blitz"
    prev = facts[number - 1]["hash"]
    for each in facts[number:]:
        each["prev"] = prev
        each["hash"] = prev = fact_hash(prev, each)
    with_head(folder, map(canonical, facts), prev)
    assert codes(folder) == ["verify.said"]


@pytest.mark.parametrize(
    ("table", "column"),
    [("games", "score"), ("games", "black"), ("events", "end"), ("decisions", "value"),
     ("decisions", "player"), ("decisions", "date"),
     *(("changes", each) for each in ("key", "player", "before", "after", "games", "score",
                                      "expected", "date")),
     *(("ratings", each) for each in ("player", "rating", "games", "status", "published",
                                      "last_played"))],
)  # fmt: skip
def test_each_number_is_made_again(bundles, table, column):
    folder = bundles("part")
    found = pq.read_table(folder / f"{table}.parquet")
    row = next(n for n, each in enumerate(found[column].to_pylist()) if each is not None)
    values = found[column].to_pylist()
    values[row] = changed_value(values[row])
    at = found.column_names.index(column)
    made = found.set_column(at, column, pa.array(values, found[column].type))
    tamper(folder, f"{table}.parquet", bundle.parquet(made))
    assert bundle.verify(folder).findings.refused


def changed_value(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, date):
        return value + timedelta(days=400)
    if isinstance(value, str):
        return "3" if value != "3" else "4"
    return 0 if value == 0.5 else value + 1


@pytest.mark.parametrize(
    ("column", "value"),
    [("id", "9"), ("rating", "2999"), ("rating", ""), ("rating", "many"), ("id", ""),
     ("rating", "1500.00"), ("period_games", "0"), ("period_games", "77"), ("flag", "i"),
     ("period_games", "GM")],
)  # fmt: skip
def test_each_line_of_the_list_is_compared(bundles, column, value):
    folder = bundles("part")
    rows = list(csv.reader(io.StringIO((folder / "list.csv").read_text())))
    rows[1][rows[0].index(column)] = value
    for some in (rows, rows[:1] + rows[2:], [*rows, rows[1]], [rows[0], rows[2], rows[1]]):
        text = io.StringIO()
        csv.writer(text).writerows(some)
        tamper(folder, "list.csv", text.getvalue().encode())
        assert set(codes(folder)) == {"verify.list"}


@pytest.mark.parametrize(
    "at",
    [("list", "date"), ("list", "revision"), ("list", "digest"), ("list", "rows"),
     ("rules", "rulebook"), ("rules", "parameters"), ("rules", "assume"), ("rules", "source"),
     ("rules", "engine"), ("digest",), ("until",), ("head",), ("files", "games.parquet"),
     ("files", "facts.jsonl"), ("ratingbook",), ("list", "number"), ("list", "title"),
     ("birth_dates",), ("whole_facts",)],
    ids=".".join,
)  # fmt: skip
@pytest.mark.parametrize("name", ["part", "whole"])
def test_each_part_of_the_manifest_is_compared(bundles, name, at):
    folder = bundles(name)
    manifest = json.loads((folder / "manifest.json").read_text())
    into = manifest
    for key in at[:-1]:
        into = into[key]
    *_, key = at
    into[key] = {"rulebook": "fide-2012", "until": "2010-06-30"}.get(key, other(into[key]))
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert bundle.verify(folder).findings.refused
    del into[key]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    lacking = ["verify.other-files", "verify.missing"]
    assert codes(folder) == (["verify.no-manifest"] if at[0] != "files" else lacking)


NO_VALUES: tuple[object, ...] = (None, "zzz", -1, [1], {"a": []}, 400.5, 10**400, True)


@pytest.mark.parametrize(
    "at",
    [("ratingbook",), ("pool",), ("list",), ("rules",), ("files",), ("head",), ("digest",),
     ("until",), ("birth_dates",), ("whole_facts",), ("nothing",),
     *(("list", key) for key in ("number", "date", "revision", "title", "rows", "digest",
                                 "decimals", "nothing")),
     *(("rules", key) for key in ("rulebook", "parameters", "source", "engine", "assume"))],
    ids=".".join,
)  # fmt: skip
def test_a_manifest_of_another_shape_is_a_finding(bundles, at):
    folder = bundles("part")
    manifest = json.loads((folder / "manifest.json").read_text())
    into = manifest
    for key in at[:-1]:
        into = into[key]
    was = into.get(at[-1])
    # The name of a pool is in no fact that all may see, and is said to be the office's word.
    harmless = {("pool",): ["zzz"], ("rules", "assume"): [None, was]}.get(at, [])
    for value in NO_VALUES:
        if value in harmless:
            continue
        into[at[-1]] = value
        (folder / "manifest.json").write_text(json.dumps(manifest))
        result = CliRunner().invoke(app, ["verify", str(folder), "--format", "json"])
        assert (result.exit_code, type(result.exception)) == (1, SystemExit), value
        assert json.loads(result.stdout)["findings"]


@pytest.mark.parametrize(
    "data",
    [b"[" * 200_000, b"5", b"[]", b"", b"\xff", b'{"ratingbook": "bundle/9"}',
     b'{"ratingbook": "bundle/2", "ratingbook": "bundle/2"}'],
    ids=["deep", "a number", "a list", "empty", "no text", "of tomorrow", "twice"],
)  # fmt: skip
def test_what_is_no_manifest_is_a_finding(bundles, data):
    folder = bundles("part")
    (folder / "manifest.json").write_bytes(data)
    assert codes(folder) == ["verify.no-manifest"]
    (folder / "manifest.json").unlink()
    (found,) = bundle.verify(folder).findings
    assert "it is not there" in found.message


def zipped(folder, out, method=zipfile.ZIP_STORED, more=()):
    with zipfile.ZipFile(out, "w", method) as archive:
        for each in sorted(folder.iterdir()):
            archive.write(each, each.name)
        for name in more:
            archive.writestr(name, b"void")
    return out


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_damaged_archive_is_a_finding(bundles, tmp_path, method):
    out = zipped(bundles("part"), tmp_path / "b.zip", method)
    whole = out.read_bytes()
    assert codes(out) == ["verify.marked"]
    with zipfile.ZipFile(out) as archive:
        start = archive.getinfo("games.parquet").header_offset + 30 + len("games.parquet")
    # LZMA begins with a version and the size of a dictionary, which may be others.
    for at in range(start + 12, start + 60, 3):
        out.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        (found,) = bundle.verify(out).findings
        assert found.code == "verify.unreadable"
        assert "games.parquet cannot be read" in found.message


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "name", ["README.txt", "../../evil.txt", "entries.parquet", "list.csv", "facts/", "LIST.CSV"]
)
def test_what_the_manifest_does_not_name_is_a_finding(bundles, tmp_path, name):
    """An unnamed table would even be rated."""
    folder = bundles("part")
    out = zipped(folder, tmp_path / "b.zip", more=[name])
    found, *_ = bundle.verify(out).findings
    assert (found.code, name in found.message) == ("verify.other-files", True)
    if name == "README.txt":
        (folder / name).write_text("void")
        assert codes(folder) == ["verify.other-files"]
        tamper(folder, name, b"void")
        assert "verify.other-files" in codes(folder)


def with_comment(data):
    return data[:-2] + b"\x05\x00hello"


@pytest.mark.parametrize(
    "change",
    [lambda data: b"before" + data, lambda data: data + b"behind", with_comment,
     lambda data: data + data],
    ids=["before", "behind", "comment", "twice"],
)  # fmt: skip
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_bytes_beside_the_files_are_a_finding(bundles, tmp_path, change, method):
    out = zipped(bundles("part"), tmp_path / "b.zip", method)
    assert codes(out) == ["verify.marked"]
    out.write_bytes(change(out.read_bytes()))
    (found,) = bundle.verify(out).findings
    assert (found.code, "bytes beside the files" in found.message) == ("verify.other-files", True)


def test_an_archive_that_was_written_into_a_pipe_is_one(bundles, tmp_path):
    """Sizes stand behind the files there."""

    class Pipe(io.BytesIO):
        def seekable(self):
            return False

        def tell(self):
            raise OSError

        def seek(self, *_):
            raise OSError

    sink = Pipe()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in sorted(bundles("part").iterdir()):
            archive.write(each, each.name)
    out = tmp_path / "b.zip"
    data = sink.getvalue()
    out.write_bytes(data)
    assert codes(out) == ["verify.marked"]
    behind = data.index(b"PK\x07\x08") + 4
    out.write_bytes(data[:behind] + bytes([data[behind] ^ 1]) + data[behind + 1 :])
    assert codes(out) == ["verify.contradicted"]


def test_each_bit_of_an_archive_that_is_no_files_is_looked_at(tmp_path):
    """Programs that read the same archive by other headers would take out other files."""
    out = tmp_path / "b.zip"
    files = {"manifest.json": b"{}", "list.csv": b"x"}
    bundle.write(out, files)
    whole = out.read_bytes()
    assert unpacked(out) == Unpacked(files)
    passed = []
    for bit in range(8 * len(whole)):
        turned = bytearray(whole)
        turned[bit // 8] ^= 1 << bit % 8
        out.write_bytes(turned)
        try:
            found = unpacked(out)
        except Unreadable:
            continue
        if not (found.others or found.contradicted or found.is_marked):
            passed.append(bit)
    assert passed == []


def test_an_archive_that_contradicts_itself_is_refused(bundles, tmp_path):
    out = tmp_path / "b.zip"
    bundle.write(out, {each.name: each.read_bytes() for each in bundles("part").iterdir()})
    assert codes(out) == []
    data = bytearray(out.read_bytes())
    data[10] ^= 0x04
    out.write_bytes(data)
    (found,) = bundle.verify(out).findings
    assert found.code == "verify.contradicted"
    with zipfile.ZipFile(out) as archive:
        assert archive.namelist()[0] in found.message


def test_of_an_archive_that_others_packed_is_said_what_is_not_checked(bundles, tmp_path):
    out = zipped(bundles("part"), tmp_path / "b.zip")
    (found,) = bundle.verify(out).findings
    assert (found.code, found.severity) == ("verify.marked", Severity.INFO)


@pytest.mark.parametrize("name", ["b.zip", "b"])
def test_of_a_bundle_that_a_full_disk_broke_off_nothing_stays(tmp_path, name):
    class Broken(dict[str, bytes]):
        def items(self):
            yield "manifest.json", b"{}"
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        bundle.write(tmp_path / name, Broken())
    assert list(tmp_path.iterdir()) == []
    bundle.write(tmp_path / name, {"manifest.json": b"{}"})
    with pytest.raises(FileExistsError):
        bundle.write(tmp_path / name, Broken())
    assert unpacked(tmp_path / name).files == {"manifest.json": b"{}"}


@pytest.mark.parametrize("decimals", [1, 6])
def test_more_decimals_than_the_rules_publish_are_a_finding(bundles, decimals):
    folder = bundles("part")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["list"]["decimals"] = decimals
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (found,) = bundle.verify(folder).findings
    assert (found.code, f"{decimals} decimals" in found.message) == ("verify.list", True)


@pytest.mark.parametrize(
    "name", ["games.parquet", "changes.parquet", "ratings.parquet", "list.csv", "facts.jsonl"]
)
def test_a_file_that_is_missing_is_said_to_be(bundles, name):
    folder = bundles("part")
    (folder / name).unlink()
    (found,) = bundle.verify(folder).findings
    assert (found.code, found.message) == ("verify.missing", f"{name} is missing.")
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["files"][name]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (found,) = bundle.verify(folder).findings
    assert (found.code, found.message) == ("verify.missing", f"The manifest names no {name}.")


@pytest.mark.parametrize("table", ["games", "changes", "ratings"])
def test_a_column_of_something_else_is_a_finding(bundles, table):
    folder = bundles("part")
    found = pq.read_table(folder / f"{table}.parquet")
    for at, column in enumerate(found.column_names):
        for values in (pa.array([[1]] * len(found)), pa.array([{"a": 1}] * len(found))):
            made = found.set_column(at, column, values)
            tamper(folder, f"{table}.parquet", bundle.parquet(made))
            assert codes(folder) == ["verify.tables"]
    tamper(folder, f"{table}.parquet", bundle.parquet(found.select(found.column_names[1:])))
    assert bundle.verify(folder).findings.refused


def test_a_damaged_page_is_a_finding(bundles):
    """Also where its hash is the right one."""
    folder = bundles("part")
    whole = (folder / "ratings.parquet").read_bytes()
    for at in (0, 60, 100, len(whole) - 5, len(whole) - 20):
        tamper(folder, "ratings.parquet", whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        result = CliRunner().invoke(app, ["verify", str(folder), "--format", "json"])
        assert (result.exit_code, type(result.exception)) in ((1, SystemExit), (0, type(None)))
        assert json.loads(result.stdout)["equal"] == (result.exit_code == 0)
    tamper(folder, "ratings.parquet", whole[: len(whole) // 2])
    assert codes(folder) == ["verify.tables"]


def test_who_signed_is_said(bundles, tmp_path):
    folder = bundles("part")
    assert "Not signed: anybody can have written the bundle" in verified(folder)
    key = make_key(tmp_path)
    signed = signature(tmp_path, (folder / "manifest.json").read_bytes())
    (folder / "signature.json").write_text(json.dumps(signed))
    said = verified(folder)
    assert f"Signed by {key}; nobody has said here whose key that is" in said
    assert "Not proved: the name of the pool; names, federations, titles and sexes" in said
    said = verified(folder, "--key", key)
    assert f"Signed by {key}, the key that you gave" in said
    assert "names, federations" not in said
    assert "the holder of the key that you gave has written" in said
    for given in ([], ["--key", key]):
        found = json.loads(verified(folder, "--format", "json", *given))
        assert found["signature"] == {"public_key": key, "is_given_key": bool(given)}
        assert not [x for x in found["proved"] + found["not_proved"] if "roved:" in x]
    # What the office signs it vouches for, also where it can show nothing of its facts.
    head = json.loads((folder / "manifest.json").read_text())["head"]
    tamper(folder, "facts.jsonl", canonical({"hash": head}) + b"\n")
    signed = signature(tmp_path, (folder / "manifest.json").read_bytes())
    (folder / "signature.json").write_text(json.dumps(signed))
    (found,) = bundle.verify(folder, key).findings
    assert (found.code, found.severity) == ("verify.facts-by-hash", Severity.INFO)


def test_the_headline_has_the_date_once(bundles):
    said = verified(bundles("part"))
    assert said.startswith("FIDE rating list of 2010-07-01, revision 1: equal")


def test_an_office_without_a_key_says_how_to_make_one(officer):
    (found,) = officer.does("key", status=1)["findings"]
    assert found["code"] == "office.no-key"
    assert "key --make" in found["remedy"]


def test_two_offices_with_the_same_facts_have_one_digest(begun_on_sqlite, tmp_path):
    digests = set()
    for name in ("one", "other"):
        officer = Officer(shutil.copytree(begun_on_sqlite, tmp_path / name))
        officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
        digests.add(officer.does("digest")["digest"])
        connections.close_all()
    assert len(digests) == 1


# Facts of before, which have no salt.


@pytest.fixture
def old_office(tmp_path, monkeypatch) -> Officer:
    """An office whose list was published before facts had parts; today it received a report."""
    officer = Officer(tmp_path / "office")
    with monkeypatch.context() as patched:
        patched.setattr(ledger, "new_salt", lambda: None)
        as_of_before(patched)
        officer.does("init", "--as", "tina")
        published(officer, tmp_path)
    officer.does("receive", write(tmp_path, "2.json", document("Second", "2010-08-03")))
    return officer


def test_old_facts_stay_as_they_are(old_office):
    assert old_office.does("doctor")["sound"]
    assert list(ledger.broken_links(ledger.facts_from())) == []


def test_the_bundle_of_an_old_list_shows_no_fact(old_office, tmp_path):
    found = written(old_office, tmp_path / "old")
    assert [(each.code, each.severity) for each in found.findings] == [
        ("verify.facts-by-hash", Severity.WARNING)
    ]
    assert (found.facts.is_hash_alone, found.facts.count) == (True, 0)
    assert json.loads((tmp_path / "old" / "facts.jsonl").read_text()).keys() == {"hash"}
    assert not [each for each in (*SECRET, "Alpha") if each in texts_of(tmp_path / "old")]
    assert "the bundle shows nothing of them" in verified(tmp_path / "old")
    tamper(tmp_path / "old", "facts.jsonl", b'{"hash":"00"}')
    assert codes(tmp_path / "old") == ["verify.chain"]


def test_what_comes_after_old_facts_hangs_on_their_hash(old_office, tmp_path):
    old_office.does("link", 2, "all", "new")
    old_office.does("run", "--pool", "standard", "--until", "2010-10-01")
    old_office.does("approve", 2)
    old_office.does("publish", 2)
    out = tmp_path / "both"
    old_office.does("bundle", 2, out)
    found = bundle.verify(out)
    assert [(each.code, each.severity) for each in found.findings] == [
        ("verify.facts-by-hash", Severity.INFO)
    ]
    last = m.Fact.objects.filter(salt=None).order_by("-seq")[0].seq
    assert found.facts.by_hash == last
    assert found.facts.count == ledger.head().seq
    text = (out / "facts.jsonl").read_text()
    for change in (lambda x: x.partition("\n")[2], lambda x: x.replace('"hash":"', '"hash":"0', 1)):
        with pytest.raises(Broken):
            followed(change(text).encode())
    old_office.does("bundle", 2, tmp_path / "whole", "--with-whole-facts")
    assert list(bundle.verify(tmp_path / "whole").findings) == []


def test_a_bundle_of_before_is_still_verified(old_office, tmp_path):
    """The first kind of bundle had whole facts, and no word of a salt."""
    out = tmp_path / "first"
    old_office.does("bundle", 1, out, "--with-whole-facts")
    some = [json.loads(each) for each in facts_of(out)]
    without = [{key: each[key] for key in each if key != "salt"} for each in some]
    tamper(out, "facts.jsonl", b"\n".join(map(canonical, without)))
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["ratingbook"] = "bundle/1"
    (out / "manifest.json").write_text(json.dumps(manifest))
    # One that says whether facts are whole is none of the first kind.
    assert codes(out) == ["verify.no-manifest"]
    del manifest["whole_facts"]
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert codes(out) == ["verify.no-manifest"], "nor one that says what its digest is over"
    for key in ("is_by_all", "salt"):
        del manifest["list"][key]
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert codes(out) == []
