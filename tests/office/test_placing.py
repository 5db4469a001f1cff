"""An event goes to the list that it says, or an officer decides that it is of this one."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingbook.engine.history import History, rate_history
from ratingbook.model import Event
from ratingbook.office import placing
from ratingbook.office.acts import receive, setup
from ratingbook.rules import registry
from ratingbook.rules.series import default_pool
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write
from tests.office.test_runs import publish, with_events

DAY = date(2025, 5, 3)
SAID = [
    ("fide", {"pool": "blitz"}),
    ("fide", {"time_control": "3 min + 2 s"}),
    ("fide", {"name": "Blitz of the Club"}),
    ("uscf", {"pool": "quick"}),
    ("uscf", {"time_control": "G/20;d5"}),
    ("uscf", {"pool": "quick", "time_control": "G/10;d0"}),
    ("uscf", {"time_control": "G/90;d5", "pool": "blitz"}),
]


@pytest.mark.parametrize("name", ["fide", "uscf"])
@pytest.mark.parametrize("said", [{}, {"time_control": "90 min + 30 s"}, {"pool": "ours"}])
def test_what_says_nothing_or_this_list_is_of_it(name, said):
    assert placing.elsewhere(registry.load(name), placing.event_of(said, DAY, "ours")) is None


@pytest.mark.parametrize(("name", "said"), SAID)
def test_what_says_another_list_is_of_that_one(name, said):
    book = registry.load(name)
    where = placing.elsewhere(book, placing.event_of(said, DAY))
    assert where
    assert default_pool(book) not in where
    assert book.bulk is not None
    assert book.bulk.pools is not None
    of_it = book.with_own(book.bulk.pools.settings[where[0]])
    assert placing.elsewhere(of_it, placing.event_of(said, DAY)) is None


def test_a_book_of_one_list_has_no_other():
    for name in ("egf-2021", "iccf-2009", "elo"):
        book = registry.load(name)
        assert placing.elsewhere(book, Event(pool="blitz", time_control="3 min", end=DAY)) is None


def test_what_is_too_fast_for_any_list_is_of_none():
    event = placing.event_of({"time_control": "1 min"}, DAY)
    assert placing.elsewhere(registry.load("fide"), event) == ()


def test_only_what_would_be_rated_elsewhere_is_said_to_be_of_this_list():
    events = pa.table(
        {
            "event": ["a", "b", "c", "d"],
            "end": [DAY] * 4,
            "time_control": ["G/20;d5", "G/90;d5", None, None],
            "pool": [None, None, "dual", "quick"],
        }
    )
    placed = placing.placed(events, registry.load("uscf"))
    assert placed is not None
    assert placed["pool"].to_pylist() == ["regular", None, "dual", "regular"]
    without = placing.placed(events.drop_columns(["pool"]), registry.load("uscf"))
    assert without is not None
    assert without["pool"].to_pylist() == ["regular", None, None, None]
    assert placing.placed(events, registry.load("egf-2021")) is events


@prepared
def one(officer: Officer, tmp_path) -> Officer:
    """An office with a pool of FIDE's standard list, and players."""
    officer.does("pool", "add", "main", "--rulebook", "fide")
    (tmp_path / "players.csv").write_text(
        "id,name,rating,games\n"
        + "".join(f"{n},Player {n},{1500 + 50 * n},40\n" for n in range(1, 7))
    )
    officer.does("import", tmp_path / "players.csv", "--register", "national", "--pool", "main")
    return officer


def blitz(tmp_path, **said):
    made = document("Fast Open", "2025-05-03")
    made["event"] |= {"time_control": "3 min + 2 s", **said}
    return write(tmp_path, "fast.json", made)


def test_a_report_of_another_list_is_held_with_the_ways_out(one, tmp_path):
    took = one.does("receive", blitz(tmp_path))
    assert took["reports"][0]["state"] == "held"
    (told,) = [each for each in took["findings"] if each["code"] == "office.other-pool"]
    assert "(3 min + 2 s; Fast Open) the event is blitz" in told["message"]
    assert "release REPORT" in told["remedy"]
    one.does("pool", "add", "fast", "--rulebook", "fide", "--set", "pool=blitz")
    again = one.does("receive", blitz(tmp_path, place="Elsewhere"), "--pool", "main", "--another")
    (told,) = [each for each in again["findings"] if each["code"] == "office.other-pool"]
    assert "release REPORT --pool fast --reason" in told["remedy"]
    one.does("pool", "add", "us", "--rulebook", "uscf", "--set", "pool=blitz")
    third = one.does("receive", blitz(tmp_path, place="There"), "--pool", "main", "--another")
    (told,) = [each for each in third["findings"] if each["code"] == "office.other-pool"]
    assert "Put it into fast:" in told["remedy"], "not into a list of another federation"


def test_a_report_goes_to_the_only_pool_that_counts_it(one, tmp_path):
    one.does("pool", "add", "fast", "--rulebook", "fide", "--set", "pool=blitz")
    one.does("receive", blitz(tmp_path))
    (report,) = one.does("reports")["reports"]
    assert report["pool"] == "fast"
    assert report["state"] != "held"


def test_a_file_of_a_game_goes_to_the_only_pool_that_rates_it(one, tmp_path):
    """Of a rule book with one list no word tells; but the file can be of one game only."""
    one.does("pool", "add", "fast", "--rulebook", "fide", "--set", "pool=blitz")
    one.does("pool", "add", "stones", "--rulebook", "egf-2021")
    table = tmp_path / "spring.h9"
    table.write_text(
        "; EV[Go Spring]\n; DT[2026-03-07,2026-03-08]\n; KM[6.5]\n; TM[75]\n"
        "1 Aoki Ann 6D DE Club 1 2+/w0 |20000001\n2 Baum Bo 3D DE Club 0 1-/b0 |20000002\n"
    )
    one.does("receive", table)
    one.does("pool", "add", "more stones", "--rulebook", "egf-2021")
    table.write_text(table.read_text().replace("Spring", "Summer"))
    one.does("receive", table, "--another")
    first, second = one.does("reports")["reports"]
    assert (first["pool"], first["state"]) == ("stones", "checked")
    assert (second["pool"], second["state"]) == (None, "held"), "either of two may be meant"


def test_what_an_officer_lets_in_is_rated_here_and_history_gives_the_same(one, tmp_path):
    one.does("receive", blitz(tmp_path))
    one.does("link", 1, "all", "new")
    one.does("release", 1, "--reason", "the time control is a slip")
    made = one.does("run", "--pool", "main", "--until", "2025-06-01")
    assert made["games"] == 15
    one.does("export", "--run", made["run"], "--history", tmp_path / "out")
    tables = {
        name: pq.read_table(path)
        for name in ("games", "players", "events", "decisions")
        if (path := tmp_path / "out" / f"{name}.parquet").exists()
    }
    assert tables["events"]["pool"].to_pylist() == ["standard"]
    rated = rate_history(History.of(**tables), registry.load("fide"))
    theirs = {each["player"]: each["rating"] for each in rated.ratings.to_pylist()}
    one.does("approve", made["run"])
    one.does("publish", made["run"])
    rows = one.does("list", "main@2025-06-01")["players"]
    assert {str(each["id"]): each["rating"] for each in rows}.items() <= theirs.items()
    assert len(rows) == 6


def test_a_run_keeps_what_was_noticed(one, tmp_path):
    unknown = document("Open of Nobody", "2025-05-03")
    one.does("receive", write(tmp_path, "open.json", unknown))
    one.does("link", 1, "all", "new")
    made = one.does("run", "--pool", "main", "--until", "2025-06-01")
    assert "office.nobody-rated" in [each["code"] for each in made["findings"]]
    shown = one.does("show", made["run"])
    assert [each["code"] for each in shown["findings"]] == [
        each["code"] for each in made["findings"]
    ]


def test_a_list_says_who_is_not_on_it_and_why(one, tmp_path):
    one.does("receive", write(tmp_path, "open.json", document("Open of Nobody", "2025-05-03")))
    one.does("link", 1, "all", "new")
    made = one.does("run", "--pool", "main", "--until", "2025-06-01")
    one.does("approve", made["run"])
    one.does("publish", made["run"])
    assert "Not listed: " in one.sees("list", "main@2025-06-01")


def test_a_device_is_not_read_for_ever(one):
    refused = one.does("receive", "/dev/zero", status=1)
    assert [each["code"] for each in refused["findings"]] == ["file.too-large"]


def test_a_pool_with_the_name_of_another_list_is_asked_about(one):
    told = one.does("pool", "add", "rapid", "--rulebook", "fide")["findings"]
    assert [each["code"] for each in told] == ["office.pool-of-another-list"]
    assert "pool rules rapid --set pool=rapid" in told[0]["remedy"]
    assert not one.does("pool", "add", "blitz", "--rulebook", "fide", "--set", "pool=blitz")[
        "findings"
    ]
    assert not one.does("pool", "add", "standard", "--rulebook", "fide")["findings"]


def test_ratings_of_the_pool_that_takes_an_event_are_evidence_whoever_names_it(
    home, tina, tmp_path
):
    """Else people wait at the desk who are certain by the office's own rule."""
    with_events(home, tina, tmp_path, "fide-2009")
    publish(home, tina)
    setup.add_pool("rapid", "fide-2009", tina, {"pool": "rapid"})
    said = document("Summer Open", "2026-03-20", time_control="90 min + 30 s")
    ratings = {"1": 2001, "2": 1990, "3": 1800, "4": 1700, "5": 1600, "6": 1500}
    for each in said["players"]:
        del each["ids"], each["federation"], each["sex"]
        each["standing"] = {"rating": ratings[each["id"]]}
    one = receive.receive(home, write(tmp_path, "summer.json", said), tina)
    assert (one.linked, one.waiting, one.state) == (6, 0, "ready")


@prepared
def of_two_federations(officer: Officer, tmp_path) -> Officer:
    """Players of FIDE's standard list, and a list of US Chess on which is nobody yet."""
    officer.does("pool", "add", "standard", "--rulebook", "fide-2024")
    officer.does("pool", "add", "us", "--rulebook", "uscf-2025")
    (tmp_path / "players.csv").write_text(
        "id,name,rating,games,birth_date\n"
        + "".join(
            f'{number},"{name}",{1500 + 50 * int(key)},40,{born}\n'
            for key, (name, _, born, number) in PLAYERS.items()
        )
    )
    arguments = ("--register", "national", "--pool", "standard")
    officer.does("import", tmp_path / "players.csv", *arguments)
    return officer


def winter(tmp_path, name="Winter Blitz", day="2025-05-03", **said):
    made = document(name, day, time_control="90 min + 30 s", **said)
    return write(tmp_path, "winter.json", made)


def told(answer, code="office.pool-of-strangers"):
    return [each["message"] for each in answer["findings"] if each["code"] == code]


def test_the_pool_is_asked_for_where_another_federation_rates_the_players(
    of_two_federations, tmp_path
):
    """FIDE reads a speed in the name, US Chess the time control: only one is left, and wrong."""
    plain = of_two_federations.does("receive", winter(tmp_path, "Winter Open", "2025-03-03"))
    took = of_two_federations.does("receive", winter(tmp_path))
    assert [each["reports"][0]["state"] for each in (plain, took)] == ["held", "held"]
    assert told(plain) == []
    (why,) = told(took)
    assert "the pool us" in why
    assert "6 of them" in why
    assert "standard" in why
    assert told(took, "office.no-pool-named")
    assert [each["pool"] for each in of_two_federations.does("reports")["reports"]] == [None] * 2
    again = of_two_federations.does("receive", winter(tmp_path))
    assert told(again) == [why], "it is told as long as it is asked"
    let_in = of_two_federations.does("release", 2, "--pool", "us", "--reason", "they play there")
    assert told(let_in) == []
    (_, report) = of_two_federations.does("reports")["reports"]
    assert report["pool"] == "us"


def test_the_only_pool_that_counts_it_takes_an_event_whose_players_it_knows(
    of_two_federations, tmp_path
):
    (tmp_path / "us.csv").write_text('id,name,rating,games\n701,"Alpha, Anna",1600,40\n')
    of_two_federations.does("import", tmp_path / "us.csv", "--register", "national", "--pool", "us")
    took = of_two_federations.does("receive", winter(tmp_path))
    assert told(took) == []
    (report,) = of_two_federations.does("reports")["reports"]
    assert report["pool"] == "us"


def test_the_only_pool_that_counts_it_takes_an_event_of_people_whom_nobody_knows(
    of_two_federations, tmp_path
):
    strangers = {"1": ("Xu, Xenia", "w", "1991-01-01", "801"),
                 "2": ("Young, Yves", "m", "1992-02-02", "802")}  # fmt: skip
    took = of_two_federations.does("receive", winter(tmp_path, players=strangers))
    assert told(took) == []
    (report,) = of_two_federations.does("reports")["reports"]
    assert report["pool"] == "us"


def test_a_new_pool_of_the_same_federation_takes_its_first_event(one, tmp_path):
    """Whoever is new in blitz is rated in standard, and that is as it should be."""
    one.does("pool", "add", "fast", "--rulebook", "fide", "--set", "pool=blitz")
    one.does("pool", "add", "us", "--rulebook", "uscf-2025")
    made = document("Fast Open", "2025-05-03", time_control="3 min + 2 s", pool="blitz")
    for each in made["players"]:
        each["ids"] = {"national": each["id"]}
        each["name"] = f"Player {each['id']}"
    took = one.does("receive", write(tmp_path, "fast.json", made))
    assert took["reports"][0]["linked"] == 6
    assert told(took) == []


@prepared
def of_two_speeds(officer: Officer, tmp_path) -> Officer:
    """A report of US Chess with a dual section, a regular and a quick one, sent to the regular."""
    officer.does("pool", "add", "regular", "--rulebook", "uscf-2025")
    officer.does("pool", "add", "quick", "--rulebook", "uscf-2025", "--set", "pool=quick")
    (tmp_path / "us.csv").write_text(
        "id,name,rating,games\n"
        + "".join(f"{12340000 + n},Player {n},{1500 + 50 * n},40\n" for n in range(1, 7))
    )
    for pool in ("regular", "quick"):
        officer.does("import", tmp_path / "us.csv", "--register", "uscf", "--pool", pool)
    officer.does("receive", speeds(tmp_path), "--pool", "regular")
    return officer


def speeds(tmp_path, file="speeds.json", **said):
    made = document("Three Speeds", "2025-05-03")
    for each in made["players"]:
        each["ids"], each["name"] = {"uscf": f"1234000{each['id']}"}, f"Player {each['id']}"
    made["sections"] = [
        {"name": section, "number": at, "time_control": f"G/{minutes};d5"}
        for at, (section, minutes) in enumerate([("A", 45), ("B", 90), ("C", 20)], 1)
    ]
    for at, game in enumerate(made["games"]):
        game["section"] = "ABC"[at % 3]
    made["event"] |= said
    return write(tmp_path, file, made)


def sections_of(officer, number=1):
    """The states and pools of a report's sections, in the version that counts."""
    told = next(x for x in officer.does("reports")["reports"] if x["id"] == number)["sections"]
    where = officer.does("receipt", number)["sections"]
    return {name: (told[name], pool) for name, pool in ((x["section"], x["pool"]) for x in where)}


def test_the_remedy_names_the_section_that_is_of_another_list(of_two_speeds, tmp_path):
    took = of_two_speeds.does("receive", speeds(tmp_path, place="Elsewhere"), "--pool", "regular",
                              "--another")  # fmt: skip
    (one,) = [each for each in took["findings"] if each["code"] == "office.other-pool"]
    assert one["where"]["path"] == "C"
    assert "release REPORT:C --pool quick --reason" in one["remedy"]
    assert "release REPORT:C --reason" in one["remedy"]
    of_two_speeds.does("release", "2:C", "--pool", "quick", "--reason", "it is quick")
    assert sections_of(of_two_speeds, 2) == {
        "A": ("ready", "regular"), "B": ("ready", "regular"), "C": ("ready", "quick"),
    }  # fmt: skip


def test_a_section_is_let_in_beside_others_that_are_published(of_two_speeds):
    """Nothing of it is rated, so that no correction is needed."""
    publish_pool(of_two_speeds, "regular")
    of_two_speeds.does("release", "1:C", "--pool", "quick", "--reason", "it is quick")
    assert sections_of(of_two_speeds)["C"] == ("ready", "quick")
    assert of_two_speeds.does("run", "--pool", "quick", "--until", "2025-06-01")["games"] == 5


def publish_pool(officer, pool):
    made = officer.does("run", "--pool", pool, "--until", "2025-06-01")
    officer.does("approve", made["run"])
    officer.does("publish", made["run"])
    return made


def test_a_correction_brings_a_held_section_to_its_list_and_lets_it_in(of_two_speeds, tmp_path):
    publish_pool(of_two_speeds, "regular")
    other = speeds(tmp_path, "other.json", name="Other Speeds", start="2025-04-03",
                   end="2025-04-03")  # fmt: skip
    of_two_speeds.does("receive", other, "--pool", "regular")
    of_two_speeds.does("release", "2:C", "--pool", "quick", "--reason", "it is quick")
    publish_pool(of_two_speeds, "quick")
    into = ("correct", "--report", "1:C", "--to-pool", "quick", "--reason", "C is quick")
    of_two_speeds.does(*into)
    assert "is out (held)" not in of_two_speeds.sees("preview", 1)
    shown = of_two_speeds.does("preview", 1)["pools"]["quick"]
    of_two_speeds.does("accept", 1)
    assert sections_of(of_two_speeds)["C"] == ("ready", "quick")
    assert told(of_two_speeds.does("receipt", 1), "office.other-pool") == []
    made = of_two_speeds.does("run", "--pool", "quick", "--until", "2025-06-01")
    assert made["games"] == 10
    assert made["differences"]["players"] == shown["differences"]["players"] > 0
    of_two_speeds.does("correct", "--take-back", 1, "--reason", "it was not")
    of_two_speeds.does("accept", 2)
    assert sections_of(of_two_speeds)["C"] == ("withdrawn", "regular")
    of_two_speeds.does("correct", "--take-back", 2, "--reason", "it was")
    of_two_speeds.does("accept", 3)
    assert sections_of(of_two_speeds)["C"] == ("ready", "quick")
    assert of_two_speeds.does("doctor")["findings"] == []


def test_a_correction_to_a_list_that_it_is_not_of_lets_nothing_in(of_two_speeds):
    of_two_speeds.does("pool", "add", "blitz", "--rulebook", "uscf-2025", "--set", "pool=blitz")
    of_two_speeds.does("correct", "--report", "1:C", "--to-pool", "blitz", "--reason", "so")
    of_two_speeds.does("accept", 1)
    assert sections_of(of_two_speeds)["C"] == ("held", "blitz")


def test_the_same_bytes_for_another_pool_answer_for_what_is_held_alone(of_two_speeds, tmp_path):
    took = of_two_speeds.does("receive", speeds(tmp_path), "--pool", "quick")
    assert (took["reports"][0]["version"], took["reports"][0]["state"]) == (2, "ready")
    assert sections_of(of_two_speeds) == {
        "A": ("ready", "regular"), "B": ("ready", "regular"), "C": ("ready", "quick"),
    }  # fmt: skip


def test_a_version_that_takes_sections_out_of_their_pool_says_so(of_two_speeds, tmp_path):
    changed = speeds(tmp_path, "changed.json", place="Elsewhere")
    took = of_two_speeds.does("receive", changed, "--pool", "quick", "--version-of", 1)
    found = [each for each in took["findings"] if each["code"] == "office.leaves-pool"]
    assert [each["where"]["path"] for each in found] == ["A", "B"]
    assert "REPORT:A --to-pool regular" in found[0]["remedy"]


def test_what_holds_a_section_is_told_as_long_as_that_one_is_held(of_two_speeds, tmp_path):
    twice = speeds(tmp_path, "twice.json", place="There")
    twice.write_text(twice.read_text().replace("G/90", "G/15"))
    of_two_speeds.does("receive", twice, "--pool", "regular", "--another")
    of_two_speeds.does("release", "2:C", "--pool", "quick", "--reason", "it is quick")
    again = of_two_speeds.does("receive", twice)
    found = [each for each in again["findings"] if each["code"] == "office.other-pool"]
    assert [each["where"]["path"] for each in found] == ["B"]


def test_one_file_is_rated_in_two_pools(of_two_speeds, tmp_path):
    """As a dual section is: the very bytes come once more as another report."""
    made = speeds(tmp_path, "dual.json", name="Dual Open")
    made.write_text(made.read_text().replace("G/90", "G/45").replace("G/20", "G/45"))
    of_two_speeds.does("receive", made, "--pool", "regular", "--another")
    plain = of_two_speeds.does("receive", made, "--pool", "quick")
    (known,) = [x for x in plain["findings"] if x["code"] == "office.known-pool"]
    assert "--another" in known["remedy"]
    assert "--report 2 --to-pool quick" in known["remedy"]
    assert len(of_two_speeds.does("reports")["reports"]) == 2
    (took,) = of_two_speeds.does("receive", made, "--pool", "quick", "--another")["reports"]
    assert (took["id"], took["version"], took["state"]) == (3, 1, "ready")
    for pool in ("regular", "quick"):
        of = [x["pool"] for x in of_two_speeds.does("reports")["reports"][1:]]
        assert of == ["regular", "quick"]
        assert of_two_speeds.does("run", "--pool", pool, "--until", "2025-06-01")["games"] >= 15
    again = of_two_speeds.does("receive", made, "--pool", "quick", "--another")
    assert [x["code"] for x in again["findings"]] == ["office.known-file"]
    assert of_two_speeds.does("doctor")["findings"] == []


def test_no_section_comes_into_a_pool_twice_with_the_same_file(of_two_speeds, tmp_path):
    """C is quick already, B is no quick section: of the second report only A is rated there."""
    of_two_speeds.does("release", "1:C", "--pool", "quick", "--reason", "it is quick")
    took = of_two_speeds.does("receive", speeds(tmp_path), "--pool", "quick", "--another")
    assert took["reports"][0]["sections"] == {"A": "ready", "B": "held", "C": "held"}
    (twice,) = [each for each in took["findings"] if each["code"] == "office.in-pool-already"]
    assert twice["where"]["path"] == "C"
    assert "report 1" in twice["message"]
    assert "refuse REPORT:C" in twice["remedy"]
    assert of_two_speeds.does("run", "--pool", "quick", "--until", "2025-06-01")["games"] == 10


def test_what_is_held_may_come_for_another_pool_beside_it(of_two_speeds, tmp_path):
    (took,) = of_two_speeds.does("receive", speeds(tmp_path), "--pool", "quick", "--another")[
        "reports"
    ]
    assert (took["id"], took["version"]) == (2, 1)
    assert took["sections"] == {"A": "ready", "B": "held", "C": "ready"}
    assert sections_of(of_two_speeds)["A"] == ("ready", "regular")
