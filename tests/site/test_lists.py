"""The pages of lists: what stands on them, what is found, and what is sent again."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext

from ratingbook.office import bundle
from ratingbook.office.acts import bundles, desk, people, receive, setup
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.store import models as m
from ratingbook.site import files
from ratingbook.site.shown import lists as shown
from ratingbook.site.shown.running import Moved
from ratingbook.site.templatetags import listed
from ratingbook.site.views.lists import found_list
from tests.office.reports import PLAYERS, document, write
from tests.site.offices import TINA, run_to
from tests.site.pages import FIRST, copied, page_of
from tests.site.people import nobody
from tests.site.published import MARKED, OFFICER, on, publish

NEWEST = "/lists/standard/2026-05-01"
MARKED_AS_TEXT = "Alpha &lt;b&gt;&amp;&quot;&#x27;, Anna"


def test_the_index_names_every_list_once_in_its_newest_revision(public):
    text = page_of(public, "/lists")
    days = {(x.pool.name, str(x.date)) for x in m.List.objects.select_related("pool")}
    links = re.findall(r'<th scope="row"[^>]*><a href="/lists/([^/]+)/([^"]+)"', text)
    assert sorted(links) == sorted(days)
    said = public.get("/lists.json").json()
    assert [each["pool"] for each in said["pools"]] == ["standard", "go"]
    rows = list(csv.reader(io.StringIO(public.get("/lists.csv").content.decode())))
    assert len(rows) == 1 + len(days)


def test_a_list_has_its_rows_its_order_and_its_digest(public):
    text = page_of(public, NEWEST, more=FIRST)
    assert MARKED_AS_TEXT in text
    assert "Alpha <b>" not in text
    one = m.List.objects.filter(date="2026-05-01").latest("revision")
    assert one.revision == 2
    assert one.digest in text
    assert "= shares the place" in text
    rows = re.findall(r'<td class="n">(=?\d+)</td>.*?<td class="n now">.*?(\d{4})</td>', text)
    assert len(rows) == one.rows == 6
    ratings = [int(rating) for _, rating in rows]
    assert ratings == sorted(ratings, reverse=True)
    assert "2026-03-01" in text
    assert not re.search(
        r"\b(?:1990|1985|1999|2001-|2008)\b|birth", text.replace("birth dates", "")
    )


def test_what_a_bundle_is_compared_with_is_shown(public):
    """All that a bundle proves rests on a head and a digest that are known from elsewhere."""
    one = m.List.objects.filter(date="2026-05-01").latest("revision")
    for path in (NEWEST, f"{NEWEST}/r2/files"):
        text = page_of(public, path, more=FIRST).replace("<wbr>", "")
        assert one.head in text
        assert one.digest in text
    for path in ("/lists", NEWEST, f"{NEWEST}/r2/files"):
        text = public.get(f"{path}.json").content.decode()
        assert one.head in text
        assert one.digest in text
    table = csv.DictReader(io.StringIO(public.get("/lists.csv").content.decode()))
    row = next(x for x in table if (x["pool"], x["date"]) == ("standard", "2026-05-01"))
    assert (row["head"], row["digest"]) == (one.head, one.digest)
    kept = json.loads(public.get(f"{NEWEST}/r2/files/json").getvalue())
    assert (kept["head"], kept["digest"]) == (one.head, one.digest)


def test_a_revision_is_compared_with_what_was_in_force_when_it_was_published(public):
    """Whoever looks at an old revision sees what was seen then, also on its report of changes."""
    for revision in (1, 2):
        march = m.List.objects.get(pool__name="standard", date="2026-03-01", revision=revision)
        then = dict(m.ListRow.objects.filter(list=march).values_list("person", "rating"))
        said = public.get(f"{NEWEST}/r{revision}.json").json()
        for line in said["lines"]:
            assert line["change"] == line["rating"] - then[line["person"]]
        changes = public.get(f"{NEWEST}/r{revision}/changes.json").json()
        assert (changes["since"], changes["since_revision"]) == ("2026-03-01", revision)
        moved = {line["person"]: line["change"] for line in said["lines"] if line["change"]}
        assert {x["person"]: x["new"] - x["old"] for x in changes["lines"]} == moved
    api = public.get("/api/v1/lists/standard/2026-05-01?revision=1").json()
    assert api["movement"]["moved"] == public.get(f"{NEWEST}/r1.json").json()["movement"]["moved"]


def test_a_revision_says_what_came_between(office_with_lists, tmp_path):
    """Where no correction made it, too; without the names of those who decided it, or reasons."""
    home, client = copied(office_with_lists, tmp_path)
    people.merge(6, 5, "olga's reason", on(OFFICER, date(2026, 5, 6)))
    publish(home, "standard", date(2026, 5, 1), date(2026, 5, 7))
    text = page_of(client, NEWEST, more=FIRST)
    said = "=Foxtrot, Fay (6) and Echo, Emil (5) are one person"
    assert said in text
    assert "olga" not in text
    assert client.get(f"{NEWEST}.json").json()["reasons"] == [said]
    assert client.get("/api/v1/lists/standard/2026-05-01").json()["reasons"] == [said]
    # An old revision says why it was made, and not what came later.
    old = page_of(client, f"{NEWEST}/r2", more=FIRST)
    assert said not in old
    assert "/corrections/1" in old
    newest = m.Publication.objects.filter(pool__name="standard").latest("seq").run
    changes = m.Change.objects.filter(run=newest, gone=False).exclude(person__in=(5, 6))
    row = changes.latest("batch__day", "person")
    change = client.get(f"/players/{row.person}/changes/standard/{row.batch.key}.json").json()
    assert change["reasons"] == [said]
    german = client.get(NEWEST, headers={"accept-language": "de"}).content.decode()
    assert "sind eine Person" in german


def test_a_list_is_found_by_its_number(public):
    one = m.List.objects.get(pool__name="standard", date="2026-05-01", revision=1)
    answer = public.get(f"/lists/{one.id}")
    assert (answer.status_code, answer["Location"]) == (302, f"{NEWEST}/r1")
    assert public.get("/lists/999999").status_code == 404


def test_a_change_leads_to_the_one_batch_that_made_it(public):
    """FIDE rates by lists: the games of March count for the list of April alone."""
    said = public.get(f"{NEWEST}.json").json()
    assert {line["batch"] for line in said["lines"]} == {"2026-04-01"}
    events = public.get("/lists/go/2026-04-12.json").json()["lines"]
    assert all(line["batch"].startswith("2026-04-10-go-autumn") for line in events)


def test_a_list_says_of_what_time_its_changes_and_its_games_are(public):
    """The list of May comes after that of March: April's games are in its changes alone."""
    lines = public.get(f"{NEWEST}.json").json()["lines"]
    assert any(x["change"] for x in lines)
    assert {x["others"][0] for x in lines} == {0}
    text = page_of(public, NEWEST, more=FIRST)
    assert '<abbr title="since the list of 1 Mar 2026">Change</abbr>' in text
    revised = "since the list of 1 Mar 2026, as it stood when this revision was published."
    assert revised in text
    assert "Gms: rated games of the period of this list alone." in text
    assert "Between the two lists are periods without a list" in text
    first = page_of(public, "/lists/standard/2026-03-01", more=FIRST)
    assert "Gms: rated games of the period of this list alone.</p>" in first
    go = page_of(public, "/lists/go/2026-04-12", more=FIRST)
    assert "Change: since the list of 12 Feb 2026. Games: all rated games up to this list." in go


@pytest.mark.parametrize("page", ["", "/changes"])
def test_a_number_of_an_older_revision_leads_to_what_was_reckoned_then(public, page):
    """The correction of the winter's game moved 1 and 2 in January, and all in spring by that."""
    told = public.get(f"{NEWEST}/r1{page}.json").json()
    one = m.List.objects.get(pool__name="standard", date="2026-05-01", revision=1)
    then = {x["person"] for x in told["lines"] if x["is_then"]} if not page else {*told["then"]}
    assert {1, 2} <= then
    text = page_of(public, f"{NEWEST}/r1{page}", more=FIRST)
    for line in told["lines"]:
        if line["person"] not in then:
            continue
        path = f"/players/{line['person']}/changes/standard/2026-04-01"
        assert f'href="{path}?list={one.id}" rel="nofollow"' in text
        found = public.get(f"{path}.json?list={one.id}").json()
        rating = line["new"] if page else line["rating"]
        assert (found["after"], found["differs"]) == (rating, "")
        assert found["run"] == one.run_id
        now = public.get(f"{path}.json").json()
        assert now["then"] is None
        assert (now["before"], now["after"]) != (found["before"], found["after"])
        assert found["then"]["change"] == now["change"]


def test_an_explanation_of_then_says_so_and_leads_to_the_one_of_now(public):
    one = m.List.objects.get(pool__name="standard", date="2026-05-01", revision=1)
    path = "/players/1/changes/standard/2026-04-01"
    text = page_of(public, f"{path}?list={one.id}", more=FIRST)
    assert "As it was reckoned for the list of 1 May 2026, revision 1." in text
    assert f'<a href="{path}">By now it is ' in text
    assert f'href="{path}.csv?list={one.id}"' in text
    # What is as it was has one explanation, whatever list leads to it.
    newest = m.List.objects.get(pool__name="standard", date="2026-05-01", revision=2)
    assert public.get(f"{path}.json?list={newest.id}").content == public.get(f"{path}.json").content
    assert "list=abc" in page_of(public, f"{path}?list=abc")
    go = m.List.objects.filter(pool__name="go")[0]
    assert "of another pool" in page_of(public, f"{path}?list={go.id}", 404)
    assert public.get(f"{path}?list=99999").status_code == 404
    told = public.get(f"/api/v1{path}?list={one.id}").json()
    assert told["then"]["revision"] == 1
    assert told["after"] == public.get(f"{path}.json?list={one.id}").json()["after"]


def test_moves_against_the_list_before_are_those_of_the_rows(public):
    newest = {d: m.List.objects.filter(date=d, pool__name="standard").latest("revision")
              for d in ("2026-03-01", "2026-05-01")}  # fmt: skip
    ratings = {
        day: {
            person: rating or 0.0
            for person, rating in m.ListRow.objects.filter(list=one).values_list("person", "rating")
        }
        for day, one in newest.items()
    }
    differ = {p: new - ratings["2026-03-01"][p] for p, new in ratings["2026-05-01"].items()}
    said = public.get(f"{NEWEST}.json").json()
    assert {x["person"]: x["change"] for x in said["lines"]} == differ
    report = public.get(f"{NEWEST}/changes.json").json()
    assert report["sum"] == sum(differ.values())
    moved = {x["person"] for x in report["lines"]}
    assert moved == {person for person, value in differ.items() if value}
    assert "against 1 Mar 2026, revision 2" in page_of(public, f"{NEWEST}/changes")
    for kind in ("entered", "left"):
        assert "Nobody." in page_of(public, f"{NEWEST}/changes?kind={kind}")
    assert "is the first of the pool" in page_of(public, "/lists/standard/2026-03-01/changes", 404)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("name=charlie", ["Čharlie, Chris"]),
        ("name=chris+char", ["Čharlie, Chris"]),
        ("name=2", ["Bravo, Ben"]),
        ("sex=F&name=dora", ["Delta, Dora"]),
        ("sex=F", [MARKED, "Delta, Dora", "=Foxtrot, Fay"]),
        ("name=%3Cscript%3E", []),
        ("page=99999999999&name=echo", ["Echo, Emil"]),
    ],
)
def test_filters(public, query, names):
    said = public.get(f"{NEWEST}.json?{query}").json()
    assert sorted(x["name"] for x in said["lines"]) == sorted(names)
    text = page_of(public, f"{NEWEST}?{query}", more=FIRST)
    assert ("Nobody on this list is so." in text) == (not names)
    assert "<script>" not in text
    rows = list(csv.DictReader(io.StringIO(public.get(f"{NEWEST}.csv?{query}").content.decode())))
    assert sorted(x["name"].removeprefix("'") for x in rows) == sorted(names)


def test_what_a_list_does_not_have_selects_nobody_and_is_not_offered(public):
    keys = {
        key
        for key, _, _ in m.List.objects.get(
            id=public.get(f"{NEWEST}.json").json()["number"]
        ).columns
    }
    lacking = {"federation", "club", "title", "sex"} - keys
    assert "club" in lacking, keys
    for each in lacking:
        assert public.get(f"{NEWEST}.json?{each}=Nowhere").json()["lines"] == []
        assert f'name="{each}"' not in page_of(public, f"{NEWEST}?{each}=Nowhere", more=FIRST)
        rows = f"/api/v1{NEWEST}/rows?{each}=Nowhere"
        answer = public.get(rows)
        (finding,) = answer.json()["findings"]
        assert (answer.status_code, finding["where"]) == (422, {"path": f"query.{each}"})


def test_a_revision_stays_where_it_was_and_names_the_newer_one(public):
    old, new = page_of(public, f"{NEWEST}/r1"), page_of(public, f"{NEWEST}/r2")
    assert "revision 2 took its place" in old
    assert "/corrections/1" not in old
    assert "/corrections/1" in new
    # By hand: the game between the two first ones is turned round in January, and again nothing
    # else; both and nobody else have other ratings on both lists.
    assert "ratings differ from the revision before" in new
    assert new.count('class="corr" title=') >= 2
    assert page_of(public, f"{NEWEST}/r3", 404)
    assert page_of(public, "/lists/nowhere/2026-05-01", 404)
    assert page_of(public, "/lists/standard/2026-13-01", 404)


def test_a_repeat_is_answered_before_the_page_is_made(public, monkeypatch):
    first = public.get(NEWEST)
    monkeypatch.setattr("ratingbook.site.shown.lists.show", None)
    with CaptureQueriesContext(connection) as queries:
        again = public.get(NEWEST, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert len(queries) <= 2
    other = public.get(f"{NEWEST}/r1/changes", headers={"if-none-match": first["ETag"]})
    assert other.status_code == 404 or other["ETag"] != first["ETag"]
    digest = m.List.objects.filter(pool__name="standard", date="2026-05-01").latest("revision")
    assert digest.digest[:16] in first["ETag"]


def test_files_are_what_their_checksums_say(office_with_lists, tmp_path):
    _, public = copied(office_with_lists, tmp_path)
    page = page_of(public, f"{NEWEST}/r2/files")
    assert "fide.txt" not in page, "nobody has a number in that register"
    assert page_of(public, f"{NEWEST}/r2/files/fide-txt", 404)
    m.ExternalId.objects.create(scheme="fide", value="12345", person_id=1, fact=1)
    page = page_of(public, f"{NEWEST}/r2/files")
    assert "fide.txt" in page
    assert page.count("1 player, who has a number in that register") == 2
    for kind in ("csv", "json", "xlsx", "fide-txt", "fide-xml", "pdf"):
        answer = public.get(f"{NEWEST}/r2/files/{kind}")
        assert answer.status_code == 200, kind
        data = answer.getvalue()
        told = public.get(f"{NEWEST}/r2/files/{kind}.sha256").content.decode()
        assert told.split("  ")[0] == hashlib.sha256(data).hexdigest()
        again = public.get(f"{NEWEST}/r2/files/{kind}", headers={"if-none-match": answer["ETag"]})
        assert again.status_code == 304
        assert hashlib.sha256(data).hexdigest() in page_of(public, f"{NEWEST}/r2/files.csv")
    assert page_of(public, f"{NEWEST}/r2/files/iecg", 404)
    assert "'=Foxtrot" in public.get(f"{NEWEST}/r2/files/csv").getvalue().decode()  # fmt: skip


def test_a_bundle_that_an_earlier_program_kept_is_not_handed_out(public, monkeypatch):
    before = public.get(f"{NEWEST}/r2/files/bundle").getvalue()
    monkeypatch.setattr(bundle, "VERSION", "bundle/of later")
    after = public.get(f"{NEWEST}/r2/files/bundle").getvalue()
    assert b"bundle/of later" in after
    assert b"bundle/of later" not in before


@pytest.mark.parametrize("is_small", [True, False])
def test_where_no_bundle_can_be_public_all_pages_say_the_same(
    office_with_lists, tmp_path, monkeypatch, is_small
):
    """Of a large list it is found out when somebody asks for the bundle; of others before."""
    _, client = copied(office_with_lists, tmp_path)

    def no_bundle(*_: object) -> bool:
        raise bundles.only_with_birth_dates()

    monkeypatch.setattr(files, "needs_birth_dates", lambda *_: True)
    monkeypatch.setattr(files, "bundle_of", no_bundle)
    monkeypatch.setattr(bundle, "VERSION", "bundle/of this test")
    if not is_small:
        monkeypatch.setattr(files, "_MOST_TRIED", 0)
    listed = f"{NEWEST}/r2"
    assert "bundle" not in client.get(f"{listed}.json").json()["forms"]
    page = client.get(listed).content.decode()
    assert "or says why there is none for everybody" in page
    answers = [client.get(f"{listed}/files/bundle") for _ in range(2)]
    assert {each.status_code for each in answers} == {409}
    assert len({each.content for each in answers}) == 1
    assert "Ratings of this list depend on birth dates" in answers[0].content.decode()
    said = client.get(f"{listed}/files.json").json()
    assert (said["has_bundle"], "bundle" in {each["form"] for each in said["files"]}) == (
        False, False,
    )  # fmt: skip
    assert "Ratings of this list depend on birth dates" in client.get(
        f"{listed}/files"
    ).content.decode()  # fmt: skip
    assert client.get(f"{listed}/files/none").status_code == 404


def test_the_bundle_is_verified(public, tmp_path):
    path = tmp_path / "bundle.zip"
    answer = public.get(f"{NEWEST}/r2/files/bundle")
    path.write_bytes(answer.getvalue())
    assert [each.code for each in bundle.verify(path).findings] == []
    import zipfile

    names = zipfile.ZipFile(path).namelist()
    assert "list.csv" in names


def test_bundles_of_other_rule_books_are_verified(public, tmp_path):
    """Their lists are made again by their own rules: places, grades, last events."""
    lists = m.List.objects.select_related("pool").order_by("id")
    assert {each.pool.name for each in lists} == {"standard", "go"}
    for one in lists:
        path = tmp_path / f"{one.id}.zip"
        address = f"/lists/{one.pool.name}/{one.date}/r{one.revision}/files/bundle"
        path.write_bytes(public.get(address).getvalue())
        assert list(bundle.verify(path).findings) == [], address


def test_who_is_suppressed_has_no_name_on_page_and_file(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    before = client.get(NEWEST)
    assert b"Delta, Dora" in client.get(f"{NEWEST}/r2/files/csv").getvalue()
    suppress(home, 4, "asked for it", OFFICER)
    after = client.get(NEWEST, headers={"if-none-match": before["ETag"]})
    assert after.status_code == 200
    for url in (NEWEST, f"{NEWEST}.json", f"{NEWEST}.csv", f"{NEWEST}/changes", f"{NEWEST}/r1"):
        text = client.get(url).content.decode()
        assert "Dora" not in text, url
        assert "Player 4" in text, url
    for kind in ("csv", "json", "fide-txt"):
        data = client.get(f"{NEWEST}/r2/files/{kind}").getvalue().decode()
        assert "Dora" not in data, kind
    assert client.get(f"{NEWEST}.json?name=dora").json()["lines"] == []


def test_a_number_of_a_list_of_a_day_to_come_is_not_in_force_yet(office_with_lists, tmp_path):
    home, client = copied(office_with_lists, tmp_path)
    said = client.get("/players/1").content.decode()
    assert "not in force yet" not in said
    publish(home, "go", date.today() + timedelta(days=3))
    pools = {each["pool"]: each for each in client.get("/players/1.json").json()["pools"]}
    assert [pools[name]["is_to_come"] for name in ("standard", "go")] == [False, True]
    assert client.get("/players/1").content.decode().count("not in force yet") == 1


def test_days_in_a_column_are_written_in_the_language(public):
    """A list is kept with texts; on the page a day is one, as that of the list itself."""
    one = m.List.objects.filter(pool__name="go").latest("id")
    days = {
        row["last_played"]
        for row in m.ListRow.objects.filter(list=one).values_list("printed", flat=True)
    }
    for language, pattern in (("en", r"\d{1,2} [A-Z][a-z]+ \d{4}"), ("de", r"\d\d\.\d\d\.\d{4}")):
        text = public.get(f"/lists/go/{one.date}", headers={"accept-language": language}).text
        cells = re.findall(r"<td[^>]*>([^<]*)</td>", text)
        assert not [each for each in cells if re.fullmatch(r"\d{4}-\d\d-\d\d", each)]
        assert len({each for each in cells if re.fullmatch(pattern, each)}) == len(days) > 0


def test_a_line_has_no_control_characters(office_with_lists):
    page = shown.show(found_list("standard", date(2026, 5, 1), None), shown.Wanted())
    odd = "A\x1b[31m\x9b\n&"
    line = replace(page.lines[0], name=odd, title=odd, federation=odd, club=odd)
    page = replace(page, lines=(line,), has_club=True, has_federation=True)
    text = listed.rows(page).replace("</tr>\n", "")
    assert all(each.isprintable() for each in text)
    assert text.count("A�[31m��&amp;") == 6


def test_a_change_has_the_decimals_of_the_ratings_beside_it(public):
    """Wherever ratings of the largest changes stand: 2283.110, not 2283.11."""
    said = {"moved": [Moved(7, "Alpha", 2283.11, 2313.16, 30.05, 3)], "unpublished": ()}
    text = render_to_string("site/moved.html", said)
    for number in ("2283.110", "2313.160", "+30.050"):
        assert f">{number}<" in text


def test_what_came_in_late_leads_to_its_derivation(office):
    """An event of before the last list that was published after it: its change is explained."""
    setup.add_pool("go", "egf-2021", TINA)
    players = dict(list(PLAYERS.items())[:4])
    for day, until in (("2024-03-10", date(2024, 5, 1)), ("2024-04-10", date(2024, 5, 4))):
        said = document("Go Open", day, {("1", "2"): "1-0"}, players)
        for each in said["players"]:
            each["grade"] = "1d"
        path = write(office.folder, f"{day}.json", said)
        received = receive.receive(office, path, TINA, receive.Options(pool="go", another=True))
        if received.waiting and received.id is not None:
            desk.link_new(received.id, TINA)
        run_to(office, until, "go")
    client = nobody()
    lines = client.get("/lists/go/2024-05-04.json").json()["lines"]
    moved = [each for each in lines if each["change"]]
    assert len(moved) > 1
    for each in moved:
        assert each["batch"].startswith("2024-04-10")
        found = client.get(f"/players/{each['person']}/changes/go/{each['batch']}.json").json()
        assert (found["before"], found["after"]) == (
            each["rating"] - each["change"], each["rating"]
        )  # fmt: skip
