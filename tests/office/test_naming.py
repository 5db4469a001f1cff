"""Every kept file that names a suppressed person is found, whatever kind it is of."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from ratingbook.office.acts import decisions, imports, naming, people, receive, setup
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.logic.spelled import Spelled
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from tests.office.reports import PLAYERS, document, write

WAITS = """Event;Waiting
Start;2025-02-10
End;2025-02-10

Round;White;Black;Result
1;Mägi, Anne;Adult, Ann;1-0
"""


@pytest.fixture
def standard(home, tina):
    """An office in which Anne is person 1."""
    setup.add_pool("standard", "fide-2009", tina, policies={"assume": "1500"})
    people.add_person(NewPerson("Mägi, Anne", ids={"national": "701"}), "", tina)
    return home


def put(folder, name, text, encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def taken(home, tina, path):
    (one,), _ = receive.receive_all(home, [path], tina)
    return one


def suppressed(home, tina):
    """What is left of the kept files, once Anne is suppressed with them."""
    suppress(home, 1, "asked", tina, with_files=True)
    with pytest.raises(OfficeRefused) as caught:
        suppress(home, 1, "asked", tina, with_files=True)
    (told,) = caught.value.findings
    assert "no kept file names them" in told.message
    return {path.parent.name + path.name for path in home.files.glob("*/*") if path.is_file()}


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "cp1257", "utf-16"])
def test_a_report_that_waits_at_the_desk_is_found(standard, tina, tmp_path, encoding):
    one = taken(standard, tina, put(tmp_path, "wait.csv", WAITS, encoding))
    assert one.waiting == 2
    assert one.sha256 not in suppressed(standard, tina)


def test_a_report_that_is_refused_is_found(standard, tina, tmp_path):
    text = WAITS.replace("End;2025-02-10", "End;2025-02-01")
    one = taken(standard, tina, put(tmp_path, "backwards.csv", text))
    assert (one.state, one.id) == ("refused", 1)
    assert one.sha256 not in suppressed(standard, tina)


@pytest.mark.parametrize("name", ["Mägi, Anne", "Anne Mägi", "MAGI,ANNE", "Anne  Magi"])
def test_a_file_that_cannot_be_read_is_found(standard, tina, tmp_path, name):
    one = taken(standard, tina, put(tmp_path, "letter.txt", f"Dear office, {name} asks …"))
    assert (one.state, one.id) == ("refused", None)
    assert one.sha256 not in suppressed(standard, tina)


def test_escaped_letters_and_archives_are_found(standard, tina, tmp_path):
    escaped = taken(standard, tina, put(tmp_path, "cut.json", json.dumps(["Mägi, Anne"])[:-1]))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("list.xml", "<player>Anne M&#228;gi</player>")
    (tmp_path / "list.zip").write_bytes(packed.getvalue())
    archive = taken(standard, tina, tmp_path / "list.zip")
    assert not {escaped.sha256, archive.sha256} & suppressed(standard, tina)


def packed(path, *sizes, name="Anne Magi"):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for n, size in enumerate(sizes):
            archive.writestr(f"{n}.txt", bytes(size) + name.encode())
    return path


def test_what_unpacks_to_more_than_is_read_is_not_searched_and_told(standard, tina, tmp_path):
    large = taken(standard, tina, packed(tmp_path / "large.zip", 1 << 25))
    small = taken(standard, tina, packed(tmp_path / "small.zip", 1 << 10))
    many = taken(standard, tina, packed(tmp_path / "many.zip", *[0] * 3000))
    found = naming.files_naming(standard, [1])
    assert [each.sha256 for each in found.named] == [small.sha256]
    others = sorted([large.sha256, many.sha256])
    assert [each.sha256 for each in found.not_searched] == others
    _, findings = suppress(standard, 1, "asked", tina, with_files=True)
    (told,) = (each for each in findings if each.code == "office.files-not-searched")
    assert f"{others[0][:12]}, {others[1][:12]}" in told.message
    assert [blobs.path_of(standard, each.sha256).exists() for each in (large, small, many)] == [
        True, False, True,
    ]  # fmt: skip


def test_an_import_is_found_by_the_name_as_well_as_by_the_number(standard, tina, tmp_path):
    text = 'id,name,rating,games\n{},{},1500,10\n702,"Adult, Ann",1500,10\n'
    setup.add_pool("rapid", "fide-2009", tina)
    for name, said in (("one.csv", (701, "M. A.")), ("two.csv", (9, '"Magi, Anne"'))):
        imports.import_file(standard, put(tmp_path, name, text.format(*said)), name, tina)
    other = put(tmp_path, "other.csv", "id,name,rating,games\n5,Adult Ann,1500,10\n")
    imports.import_file(standard, other, "third", tina)
    left = suppressed(standard, tina)
    kept = m.Fact.objects.filter(kind="imported").order_by("seq")
    assert [each.payload["file"] in left for each in kept] == [True, False, True]


def test_the_paper_of_a_decision_is_found(standard, tina, tmp_path):
    papers = [put(tmp_path, f"{n}.txt", text) for n, text in enumerate(
        ("Anne Mägi was rated 1900 abroad.", "Ann Adult was, too.")
    )]  # fmt: skip
    said = decisions.Deciding(1, "opening", "1900", "standard", "x", None, tuple(papers))
    decisions.decide(standard, said, tina)
    kept = [blobs.path_of(standard, sha256) for sha256 in m.Blob.objects.filter(
        evidence__fact__kind="decision", media="application/octet-stream"
    ).order_by("size").values_list("sha256", flat=True)]  # fmt: skip
    assert [each.exists() for each in kept] == [True, True]
    suppressed(standard, tina)
    assert [each.exists() for each in kept] == [True, False]


def test_the_sheet_of_a_correction_is_found(standard, tina, tmp_path):
    from ratingbook.office.acts import asking, corrections

    sheet = put(tmp_path, "sheet.txt", "signed: A. Mägi, Anne\tMägi")
    people.add_person(NewPerson("Adult, Ann"), "", tina)
    people.add_person(NewPerson("Adult, Anna"), "", tina)
    corrections.ask(standard, [asking.merge(2, 3)], "one person", tina, [sheet])
    kept = m.Fact.objects.get(kind="correction asked").evidence_set.get().blob_id
    assert kept not in suppressed(standard, tina)


def test_a_file_of_a_namesake_who_is_known_stays(standard, tina, tmp_path):
    from ratingbook.office.acts import desk

    one = taken(standard, tina, put(tmp_path, "wait.csv", WAITS))
    desk.link(1, "Mägi, Anne", "new", tina)
    assert one.sha256 in suppressed(standard, tina)


def test_what_the_office_has_made_itself_is_never_deleted(standard, tina, tmp_path):
    from datetime import date

    from ratingbook.office.acts import desk, runs

    four = {key: PLAYERS[key] for key in "2345"}
    taken(standard, tina, write(tmp_path, "open.json", document(players=four)))
    desk.link_new(1, tina)
    made = runs.make(standard, "standard", date(2026, 4, 1), tina).run
    runs.approve(made.id, tina)
    runs.publish(standard, made.id, tina)
    m.ExternalId.objects.create(scheme="x", value="0000", person_id=1, fact=1)
    left = suppressed(standard, tina)
    assert {made.file_id, made.ratings_id} <= left


def test_a_name_is_found_in_any_order_and_no_other_one_is():
    names = Spelled(["O'Brien, Seán", "Li"])
    for text in ("Sean O'Brien", "obrien,sean", '[White "O’Brien, Seán"]', "x;SEAN OBRIEN;y", "Li"):
        assert names.is_in(text), text
    for text in ("Sean\nO'Brien", "Seana O'Brien", "O'Briens, Sean", "Lia", "li"):
        assert not names.is_in(text), text
    many = Spelled(["Ana Bea Caro Dana Eva"])
    assert many.is_in("Dana Eva, Ana Bea Caro")
    assert not many.is_in("Ana Bea Caro Dana")
