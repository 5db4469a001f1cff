"""Players confirm or dispute what is theirs; administrators give roles and keep backups."""

from __future__ import annotations

import io
import re
import tarfile
from datetime import date

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections

from ratingbook.office.acts import (
    amendments,
    asking,
    backups,
    corrections,
    people,
    receive,
    setup,
    webhooks,
)
from ratingbook.office.acts.reports import put_aside
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.drill import drill
from ratingbook.office.home import start_django
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site import uploads
from ratingbook.site.models import Confirmation, Draft
from ratingbook.site.opening import open_site
from ratingbook.site.shown import own, policies
from tests.office import reports
from tests.office.officers import Officer
from tests.site.offices import TINA, run_to
from tests.site.people import PASSWORD, by_token, carried, nobody, pressed, signed_in, token_of
from tests.site.test_directors import send
from tests.site.test_officers import text

TOKENS = "/account/tokens/"


def test_a_player_sees_the_own_games_and_confirms_them(office):
    anna = signed_in("anna")
    page = text(anna.get("/my/results/"))
    assert "First Open" in page
    assert page.count('<th scope="row">') == 10, "five games of each of two events"
    row = r'<th scope="row"><bdi>Bravo, Ben</bdi></th><td class="opt">White</td><td>won</td>'
    assert re.search(row, page)
    assert pressed(anna, "/my/results/", "/my/results/1/confirm/").status_code == 302
    pressed(anna, "/my/results/", "/my/results/1/confirm/")
    assert Confirmation.objects.count() == 1
    assert "confirmed by you" in text(anna.get("/my/results/"))
    assert anna.post("/my/results/2/confirm/").status_code == 404


def test_a_player_disputes_the_own_games_only(office):
    anna = signed_in("anna")
    path = "/my/results/1/1/"
    form = {"result": "0-1", "reason": "I lost", **carried(anna.get(path).content)}
    assert anna.post(path, form).status_code == 302
    assert m.Correction.objects.get().contents[0]["game"] == 1
    page = text(anna.get("/my/results/"))
    assert 'You have asked for correction <a href="/corrections/1">1</a>; it is open.' in page
    assert "0–1 instead of 1–0" in page
    other = m.Game.objects.filter(version__report=1).exclude(white__number="1").first()
    assert other
    assert anna.get(f"/my/results/1/{other.number}/").status_code == 404
    swapped = anna.post(path, {**form, "game": str(other.number), "mark": "x", "result": "1/2-1/2"})
    assert swapped.status_code == 302
    assert {c.contents[0]["game"] for c in m.Correction.objects.all()} == {1}


def test_who_asked_takes_a_request_back_and_nobody_else_does(office):
    anna = signed_in("anna")
    form = {"result": "0-1", "reason": "I lost"}
    assert pressed(anna, "/my/results/1/1/", **form).status_code == 302
    number = m.Correction.objects.get().id
    page, back = f"/corrections/{number}", f"/my/requests/{number}/back/"
    assert "Take it back" in text(anna.get(page))
    for other in ("dora", "olga", "tina"):
        assert "Take it back" not in text(signed_in(other).get(page))
        assert signed_in(other).post(back, {"mark": other}).status_code == 404
    assert nobody().post(back).status_code in (302, 403)
    assert corrections.states_of([number])[number] == "open"
    done = text(anna.post(back, {"mark": "x"}, follow=True))
    assert f"Correction {number} is taken back." in done
    assert "Take it back" not in done
    assert anna.post(back, {"mark": "y"}).status_code == 422
    assert pressed(anna, "/my/results/1/1/", **form).status_code == 302
    assert m.Correction.objects.count() == 2


def test_a_player_sees_what_holds_of_a_game_that_was_corrected(office):
    anna = signed_in("anna")
    path = "/my/results/1/1/"
    assert "<li>won" in text(anna.get(path))
    form = {"result": "0-1", "reason": "I lost", **carried(anna.get(path).content)}
    assert anna.post(path, form).status_code == 302
    assert "to be decided by" in text(anna.get("/my/results/"))
    corrections.accept(office, m.Correction.objects.get().id, TINA)
    page = text(anna.get("/my/results/"))
    assert re.search(
        r'<th scope="row"><bdi>Bravo, Ben</bdi></th><td class="opt">White</td>'
        r'<td>lost <span class="corr">Corrected</span> '
        r'<span class="quiet">\(not in the numbers yet\)</span></td>',
        page,
    )
    assert "to be decided by" not in page
    assert "decided on" in page
    assert "<li>lost" in text(anna.get(path))


def test_what_was_refused_is_no_result_and_what_is_not_published_no_matter_of_disputes(office):
    """A correction stands in the public register, which tells no event that has no page."""
    anna = signed_in("anna")
    page = text(anna.get("/my/results/"))
    assert "Third Open" in page
    assert "/my/results/3/confirm/" in page
    assert "/my/results/1/1/" in page
    assert "/my/results/3/1/" not in page, "it is not published yet"
    assert anna.get("/my/results/3/1/").status_code == 404
    form = {"result": "1-0", "reason": "I won", "mark": "x"}
    assert anna.post("/my/results/3/1/", form).status_code == 404
    put_aside("3", "hold", "look at it", TINA)
    assert "Third Open" in text(anna.get("/my/results/")), "it is under review"
    put_aside("3", "refuse", "the file of another club", TINA)
    page = text(anna.get("/my/results/"))
    assert "Third Open" not in page
    assert "First Open" in page
    assert anna.post("/my/results/3/confirm/").status_code == 404
    with pytest.raises(OfficeRefused) as refused:
        asking.game(3, 1, "1-0")
    assert [each.code for each in refused.value.findings] == ["office.refused-report"]
    assert not m.Correction.objects.exists()


def test_nobody_confirms_what_was_not_seen(office):
    anna, path = signed_in("anna"), "/my/results/1/confirm/"
    shown = carried(anna.get("/my/results/").content, path)
    asked = corrections.ask(office, [asking.game(1, 1, "1/2-1/2")], "a draw", Who("dora"))
    corrections.accept(office, asked.id, TINA)
    page = text(anna.post(path, shown, follow=True))
    assert "First Open has changed meanwhile: look at it as it is now." in page
    assert not Confirmation.objects.exists()
    pressed(anna, "/my/results/", path)
    assert Confirmation.objects.count() == 1


def test_nobody_confirms_an_event_and_disputes_a_game_of_it(office):
    """Neither at once nor before; taken back or decided it is the player's to confirm again."""
    anna, path = signed_in("anna"), "/my/results/1/confirm/"
    other = corrections.ask(office, [asking.game(1, 2, "0-1")], "says Dora", Who("dora")).id
    pressed(anna, "/my/results/", path)
    assert Confirmation.objects.count() == 1, "what others dispute is no matter"
    Confirmation.objects.all().delete()
    shown = carried(anna.get("/my/results/").content, path)
    contents = [asking.game(1, 1, "1/2-1/2")]
    asked = corrections.ask(office, contents, "a draw", Who("anna")).id
    said = (
        f"First Open is not confirmed: you dispute a game of it by correction {asked}. Take that "
        "back first, or wait until it is decided."
    )
    assert said in text(anna.post(path, shown, follow=True))
    assert not Confirmation.objects.exists()
    page = text(anna.get("/my/results/"))
    assert path not in page
    assert "/my/results/3/confirm/" in page, "another event is not disputed"
    assert "disputed by you" in page
    # Who joins what somebody else has asked disputes it, too.
    joined = corrections.ask(office, [asking.game(1, 2, "0-1")], "so it was", Who("anna"))
    assert joined.joined == other
    said = f"you dispute games of it by corrections {other}, {asked}. Take them back first"
    assert said in text(anna.post(path, shown, follow=True))
    for number in (asked, other):
        corrections.reject(number, "no", TINA)
    pressed(anna, "/my/results/", path)
    assert "confirmed by you" in text(anna.get("/my/results/"))
    # Whoever disputes it afterwards has it confirmed no longer, as long as that is open.
    again = corrections.ask(office, contents, "a draw after all", Who("anna")).id
    page = text(anna.get("/my/results/"))
    assert "confirmed by you" not in page
    assert "You can confirm it once what you dispute is decided, or taken back." in page
    corrections.reject(again, "my mistake", Who("anna"))
    assert "confirmed by you" in text(anna.get("/my/results/"))


def test_nobody_confirms_what_the_same_player_disputes_at_that_moment(office, monkeypatch):
    anna, path = signed_in("anna"), "/my/results/1/confirm/"
    shown = carried(anna.get("/my/results/").content, path)
    looked: list[object] = []
    own_event = own.own_event

    def disputed_meanwhile(*who):
        found = own_event(*who)
        if not looked:
            looked.append(
                corrections.ask(office, [asking.game(1, 1, "1/2-1/2")], "a draw", Who("anna")).id
            )
        return found

    monkeypatch.setattr(own, "own_event", disputed_meanwhile)
    page = text(anna.post(path, shown, follow=True))
    assert f"you dispute a game of it by correction {looked[0]}" in page
    assert not Confirmation.objects.exists()


def test_what_was_confirmed_is_asked_anew_once_it_is_corrected(office):
    anna, olga = signed_in("anna"), signed_in("olga")
    setup.add_actor("ben", ["player"], TINA, 2)
    pressed(anna, "/my/results/", "/my/results/1/confirm/")
    assert "confirmed by you" in text(anna.get("/my/results/"))
    asked = corrections.ask(office, [asking.game(1, 1, "1/2-1/2")], "a draw", Who("dora"))
    path = f"/desk/corrections/{asked.id}/"
    assert "Alpha, Anna confirmed Alpha, Anna – Bravo, Ben: 1–0 on" in text(olga.get(path))
    corrections.accept(office, asked.id, TINA)
    page = text(anna.get("/my/results/"))
    assert "drawn" in page
    assert "confirmed by you" not in page
    assert "It was corrected since you confirmed it." in page
    pressed(anna, "/my/results/", "/my/results/1/confirm/")
    page = text(anna.get("/my/results/"))
    assert "confirmed by you" in page
    assert "It was corrected since" not in page
    assert "Alpha, Anna confirmed Alpha, Anna – Bravo, Ben: ½–½ on" in text(olga.get(path))
    back = corrections.ask(office, corrections.taking_back(asked.id), "it was not", TINA)
    corrections.accept(office, back.id, TINA)
    assert "confirmed by you" not in text(anna.get("/my/results/")), "it is as it was reported"


def test_own_results_say_what_the_numbers_do_not_have_yet(office):
    """Games stand as they hold, and numbers as they are published."""
    anna, note = signed_in("anna"), "A correction holds that is not rated yet"
    asked = corrections.ask(office, [asking.game(1, 1, "1/2-1/2")], "a draw", Who("dora"))
    assert note not in text(anna.get("/my/results/"))
    corrections.accept(office, asked.id, TINA)
    page = text(anna.get("/my/results/"))
    assert page.count(note) == 1
    assert page.count("not in the numbers yet") == 1
    run_to(office, date(2026, 4, 1))
    page = text(anna.get("/my/results/"))
    assert "drawn" in page
    assert "Corrected" in page
    assert note not in page
    assert "not in the numbers yet" not in page


def test_own_events_stand_on_the_days_by_which_they_were_rated(office):
    """As their pages do, and in that order."""
    anna = signed_in("anna")
    day = re.compile(r'<h2 id="e(\d+)">.*?<p class="note">club · (.*?) · ', re.DOTALL)

    def listed() -> list[tuple[str, str]]:
        return day.findall(text(anna.get("/my/results/")))

    before = listed()
    first, was = before[-1]
    asked = corrections.ask(office, [asking.moved(first, date(2026, 3, 30))], "misprint", TINA)
    corrections.accept(office, asked.id, TINA)
    assert listed() == before, "no run has it yet"
    run_to(office, date(2026, 4, 1))
    number, now = listed()[0]
    assert number == first, "it is the newest now"
    page = text(anna.get(f"/events/{first}"))
    assert now in page
    assert now != was


def test_a_player_is_told_by_mail_of_what_is_theirs(office):
    anna = signed_in("anna")
    form = {"whose": "person:1", "address": "anna@mail.example", "wants": "each"}
    assert anna.post("/my/notices/", form).status_code == 302
    assert m.Contact.objects.get().whose == "person:1"
    assert "anna@mail.example" in text(anna.get("/my/notices/"))
    for whose in ("person:2", "actor:dora", ""):
        assert anna.post("/my/notices/", {**form, "whose": whose}).status_code == 422
    for wrong in (
        "no address",
        "a@b",
        "a@b@mail.example",
        f"{'a' * 400}@mail.example",
        "a b@x.org",
    ):
        refused = anna.post("/my/notices/", {**form, "address": wrong})
        assert refused.status_code == 422, wrong
        said = text(refused)
        assert "each" not in said.partition('role="alert"')[2].partition("</div>")[0], wrong
        assert "no address of mail" in said or "is too long" in said
        assert f'value="{wrong}"' in said, "what was written is not lost"
    wanted = anna.post("/my/notices/", {**form, "wants": "always"})
    assert (wanted.status_code, "is nothing to want" in text(wanted)) == (422, True)
    assert m.Contact.objects.count() == 1
    assert b"Without a role" in signed_in("gast").get("/my/notices/").content


def test_an_account_that_is_refused_leaves_no_actor(office):
    """Names are told apart without regard to capitals."""
    tina = signed_in("tina")
    form = {"act": "add", "name": "DORA", "roles": ["director"], "person": "",
            **carried(tina.get("/desk/users/").content)}  # fmt: skip
    facts = m.Fact.objects.count()
    turned = {**form, "name": "dora\u202e", "actor": "nora", "mark": "other"}
    assert tina.post("/desk/users/", turned).status_code == 422
    assert tina.post("/desk/users/", form).status_code == 422
    assert not m.Actor.objects.filter(name="DORA").exists()
    assert m.Fact.objects.count() == facts


def test_an_admin_adds_a_director_who_chooses_a_password_by_the_link(office):
    tina = signed_in("tina")
    form = {"act": "add", "name": "nora", "roles": ["director"], "person": "",
            **carried(tina.get("/desk/users/").content)}  # fmt: skip
    page = text(tina.post("/desk/users/", form))
    link = re.search(r"http://localhost(/account/link/[^<]+)", page)
    assert link
    assert nobody().get(link[1], follow=True).status_code == 200
    assert m.Actor.objects.get(name="nora").roles == ["director"]
    assert signed_in("nora").get("/my/events/").status_code == 200
    roles = {"act": "roles", "name": "nora", "roles": ["officer"]}
    assert tina.post("/desk/users/", roles).status_code == 302
    led = signed_in("nora").get("/desk/", follow=True)
    assert led.redirect_chain == [("/account/second/", 302)], "the role waits for a second factor"


@pytest.mark.parametrize("act", ["add", "roles"])
def test_nobody_is_looked_for_by_a_text_that_is_no_name(office, act):
    """SQLite refuses a pattern of so many letters by an error of its own."""
    tina, facts = signed_in("tina"), m.Fact.objects.count()
    form = {"act": act, "name": "nora", "roles": ["director"],
            **carried(tina.get("/desk/users/").content)}  # fmt: skip
    for letters in ("x" * 70_000, "%_\\" * 1000, "7" * 201):
        answer = tina.post("/desk/users/", form | {"person": letters})
        assert answer.status_code == 409
        said = f"What is looked for is too long: it has {len(letters)} characters"
        assert said in text(answer)
    assert m.Fact.objects.count() == facts


def test_nobody_shuts_the_own_door(office):
    tina = signed_in("tina")
    for form in ({"act": "close", "name": "tina"}, {"act": "roles", "name": "tina"}):
        assert tina.post("/desk/users/", form).status_code == 422
    assert tina.get("/desk/users/").status_code == 200
    assert tina.post("/desk/users/", {"act": "close", "name": "dora"}).status_code == 302
    assert "closed" in text(tina.get("/desk/users/"))


def test_policies_are_set_for_a_reason(office):
    tina = signed_in("tina")
    form = {"pool": "club", "key": "approvals", "value": "2", "reason": "four eyes"}
    assert tina.post("/desk/policies/", {**form, "reason": ""}).status_code == 422
    wrong = tina.post("/desk/policies/", {**form, "value": "many"})
    assert (wrong.status_code, "cannot be" in text(wrong)) == (422, True)
    assert tina.post("/desk/policies/", form).status_code == 302
    assert m.Pool.objects.get().policies["approvals"] == 2
    tina.post("/desk/policies/", {**form, "value": "99"})
    assert "The policy approvals wants 99 people" in text(tina.get("/desk/policies/"))


def test_a_backup_is_made_tried_out_and_taken_away(office):
    tina = signed_in("tina")
    assert tina.post("/desk/backups/").status_code == 302
    page = text(tina.get("/desk/backups/"))
    found = re.search(r'href="(/desk/backups/([\d-]+)/file/)"', page)
    assert found
    assert len(tina.get(found[1]).getvalue()) > 10_000
    assert tina.post(f"/desk/backups/{found[2]}/drill/").status_code == 302
    assert re.search(rf"{found[2]}: well, up to fact \d+", text(tina.get("/desk/backups/")))
    assert m.Pool.objects.get().name == "club", "the office is the one that it was"
    path = office.folder / "backups" / f"{found[2]}.tar"
    path.write_bytes(path.read_bytes()[:5000])
    assert tina.post(f"/desk/backups/{found[2]}/drill/").status_code == 422
    for name in ("..", "../office", "%2e%2e%2foffice"):
        assert tina.get(f"/desk/backups/{name}/file/").status_code == 404


def test_a_draft_of_a_file_that_was_deleted_is_in_the_way_of_no_backup(office, tmp_path):
    version = m.ReportVersion.objects.order_by("id").first()
    assert version
    dora = signed_in("dora")
    Draft.objects.create(
        actor="dora", at=TINA.now(), file_name="open.json", sha256=version.blob_id,
        media="application/json",
    )  # fmt: skip
    suppress(office, 1, "asked for it", TINA, with_files=True)
    page = dora.get("/my/drafts/1/")
    assert "was deleted when a person was suppressed" in text(page)
    assert str(office.folder) not in text(page)
    backups.backup(office, tmp_path / "b.tar", TINA)
    assert drill(tmp_path / "b.tar")["findings"] == []


def test_a_player_sees_the_own_derivation_whole_and_nobody_elses(office):
    key = "club/2026-01-10"
    page = text(signed_in("anna").get(f"/my/changes/{key}"))
    assert "It is for you alone" in page
    assert "Bravo, Ben" in page
    assert f"/my/changes/{key}" in text(signed_in("anna").get(f"/players/1/changes/{key}"))
    assert f"/my/changes/{key}" not in text(signed_in("anna").get(f"/players/2/changes/{key}"))
    assert "It is for you alone" in text(signed_in("olga").get(f"/desk/changes/2/{key}"))
    assert signed_in("anna").get(f"/desk/changes/2/{key}").status_code == 403
    assert signed_in("dora").get(f"/my/changes/{key}").status_code == 403


def test_results_of_games_rated_one_by_one_name_their_event(office):
    page = text(nobody().get("/players/1"))
    assert re.search(r'<th scope="row"><a href="/events/1"><bdi>First Open', page)
    assert "List of" not in page


def test_accounts_with_all_that_opens_them_are_in_a_backup(office, tmp_path):
    user = get_user_model()._default_manager.get(username="olga")
    user.set_password(PASSWORD)
    user.save()
    program = by_token("dora")
    signed_in("dora")
    send(signed_in("dora"), reports.document("Seventh Open", "2026-04-01"))
    secret = Authenticator.objects.get(user=user).data
    said = backups.backup(office, tmp_path / "b.tar", TINA)
    assert (said["accounts"], said["second_factors"], said["tokens"]) == (6, 3, 1)
    assert (tmp_path / "b.tar").stat().st_mode & 0o077 == 0
    connections.close_all()
    start_django()
    restored, _ = backups.restore(tmp_path / "b.tar", tmp_path / "other")
    assert restored.pop("compared")
    assert restored == {key: said[key] for key in restored}
    open_site(tmp_path / "other")
    assert Session.objects.count() == 0
    olga = nobody()
    assert olga.login(username="olga", password=PASSWORD)
    assert Authenticator.objects.get(user__username="olga").data == secret
    assert program.get("/api/v1/me").json()["actor"] == "dora"
    assert "Seventh Open" in text(signed_in("dora").get("/my/drafts/1/"))
    # What is made next gets a number of its own.
    token_of("olga")
    signed_in("tina").post("/desk/users/", {"do": "add"})
    connections.close_all()


def test_a_backup_whose_accounts_are_cut_short_is_refused(office, tmp_path):
    whole, cut = tmp_path / "b.tar", tmp_path / "cut.tar"
    backups.backup(office, whole, TINA)
    with tarfile.open(whole) as old, tarfile.open(cut, "w") as new:
        for each in old.getmembers():
            part = old.extractfile(each)
            assert part is not None
            data = part.read()
            if each.name == "rows/site.Account.jsonl":
                data = b"".join(data.splitlines(keepends=True)[:-1])
                each.size = len(data)
            new.addfile(each, io.BytesIO(data))
    (finding,) = drill(cut)["findings"]
    assert "rows/site.Account.jsonl is damaged" in finding["message"]


def test_what_is_published_is_disputed_and_not_a_version_that_was_refused(office):
    said = reports.document("First Open", "2026-01-10", {("1", "2"): "0-1"})
    said["games"].insert(0, {"round": 9, "white": "6", "black": "1", "result": "0-1"})
    said["games"][5]["result"] = "7-0"
    path = reports.write(office.folder, "broken.json", said)
    received = receive.receive(office, path, Who("dora"), receive.Options("club", 1))
    assert (received.version, received.state) == (2, "refused")
    anna = signed_in("anna")
    page = text(anna.get("/my/results/"))
    assert "refused" not in page
    assert page.count('<th scope="row">') == 10
    assert "Bravo, Ben" in text(anna.get("/my/results/1/1/"))
    first = "1–0"
    for who, form in (("dora", "/my/reports/1/correct/"), ("olga", "/desk/reports/1/correct/")):
        page = text(signed_in(who).get(form))
        assert re.search(rf"{first}[^<]*Alpha, Anna[^<]*Bravo, Ben", page), form
    said = {"result": "0-1", "reason": "I lost"}
    assert pressed(anna, "/my/results/1/1/", **said).status_code == 302
    content = m.Correction.objects.get().contents[0]
    assert content["where"].endswith("round 1, Alpha, Anna – Bravo, Ben")
    assert content["before"]["half"] == 2
    command = Officer(office.folder)
    assert len(command.does("games", 1)["games"]) == 15
    held = command.does("hold", 1, "--reason", "look at it", "--as", "tina")
    assert [each["code"] for each in held["findings"]] == ["office.published-report"]
    open_site(office.folder)
    assert amendments.shown_states(
        [m.Section.objects.get(version__report=1, version__number=1).id]
    ) == {1: "held"}, "what is held is what counts"


def test_what_shows_a_result_is_told_what_fits_and_has_a_name_that_opens(office, monkeypatch):
    anna, olga = signed_in("anna"), signed_in("olga")
    form = {"result": "0-1", "reason": "I lost"}
    with monkeypatch.context() as patched:
        patched.setattr(uploads, "MOST_BYTES", 2000)
        sheet = SimpleUploadedFile("sheet.jpg", b"x" * 3000)
        answer = pressed(anna, "/my/results/1/1/", **form, files=sheet)
        assert answer.status_code == 422
        assert "a scan of the score sheet alone, in a smaller size" in text(answer)
        assert "Send the report of one event" not in text(answer)
    sheet = SimpleUploadedFile("sheet.jpg", b"\xff\xd8\xff\xe0 a picture")
    assert pressed(anna, "/my/results/1/1/", **form, files=sheet).status_code == 302
    page = text(olga.get("/desk/corrections/1/"))
    path = re.search(r'href="(/desk/corrections/1/[^"]*[0-9a-f]{64}[^"]*)"', page)
    assert path
    answer = olga.get(path[1])
    assert re.search(r'filename="correction-1-[0-9a-f]{8}\.jpg"', answer["Content-Disposition"])


@pytest.mark.parametrize(
    ("data", "ending"),
    [
        (b"%PDF-1.7 x", ".pdf"), (b"\x89PNG\r\n\x1a\n", ".png"), (b"RIFF....WEBPx", ".webp"),
        (b"....ftypheic", ".heic"), (b"PK\x03\x04", ".zip"), ("Erklärung".encode(), ".txt"),
        (b"\xc3\x28", ".bin"), (b"a\0b", ".bin"),
    ],
)  # fmt: skip
def test_files_are_called_by_what_they_hold(data, ending):
    assert uploads.ending_of(data) == ending


def test_who_a_player_is_is_said_by_name_or_number_and_nobody_else_is_taken(office):
    tina = signed_in("tina")

    def give(name, person, **more):
        form = {"act": "roles", "name": name, "roles": ["player"], "person": person, **more}
        return tina.post("/desk/users/", form)

    def person_of(name):
        return m.Actor.objects.get(name=name).person

    for wrong, says in (
        ("abc", "There is nobody of the name or number “abc”."),
        ("7777", "There is nobody of the name or number “7777”."),
    ):
        answer = give("dirk", wrong)
        assert answer.status_code == 422
        assert says in text(answer)
        assert f'value="{wrong}"' in text(answer), "what was written is not lost"
    assert m.Actor.objects.get(name="dirk").roles == ["director"]
    assert give("dirk", "bravo, ben").status_code == 302
    assert person_of("dirk") == 2
    assert "Bravo, Ben" in text(tina.get("/desk/users/"))
    give("dirk", "")
    assert person_of("dirk") == 2, "who it is stays, if nobody says otherwise"
    give("dirk", "", nobody="yes")
    assert person_of("dirk") is None
    assert "no own results" in text(tina.get("/desk/users/"))
    give("dirk", "703")
    assert person_of("dirk") == 3, "by a number of a register"


def test_where_several_fit_one_is_chosen(office):
    for name in ("Bravo, Bill", "Bravo, Bob"):
        people.add_person(NewPerson(name, None, None), "", TINA)
    olga = signed_in("olga")
    form = {"pool": "club", "person": "bravo", "kind": "title", "value": "GM", "reason": "so"}
    page = text(olga.post("/desk/decisions/", form))
    choices = dict(re.findall(r'name="person_chosen" value="(\d+)"> <span>([^<]+) <', page))
    assert sorted(choices.values()) == ["Bravo, Ben", "Bravo, Bill", "Bravo, Bob"]
    bob = next(number for number, name in choices.items() if name == "Bravo, Bob")
    other = {**form, "person_chosen": bob, "person_chosen_for": "bravo", "person": "alpha, anna"}
    assert olga.post("/desk/decisions/", other).status_code == 302
    assert m.PersonAttribute.objects.get(key="title").person_id == 1, "the text is another now"
    chosen = {**form, "person_chosen": bob, "person_chosen_for": "bravo"}
    page = text(olga.post("/desk/decisions/", chosen, follow=True))
    assert "Decided: title GM of Bravo, Bob." in page
    assert m.PersonAttribute.objects.filter(key="title", person=int(bob)).exists()


def test_a_player_of_whom_nobody_knows_who_it_is_is_told_what_to_do(office):
    setup.add_actor("dirk", ["player"], TINA)
    dirk = signed_in("dirk")
    assert "/my/results/" in text(dirk.get("/account/"))
    answer = dirk.get("/my/results/")
    assert answer.status_code == 403
    assert "The office does not know yet who you are" in text(answer)
    assert "It is for the role" not in text(answer)
    assert "It is for the role player" in text(signed_in("dora").get("/my/results/"))


def test_own_results_lead_to_what_they_changed_and_why(office):
    page = text(signed_in("anna").get("/my/results/"))
    first = page[page.index('<h2 id="e1"') :]
    assert '<a href="/events/1"><bdi>First Open</bdi></a>' in first
    assert "club · 10 Jan 2026" in first
    assert "The first rating is 1509." in first
    third = page[page.index('<h2 id="e3"') : page.index('<h2 id="e1"')]
    assert "Not rated yet." in third
    run_to(office, date(2026, 4, 2))
    page = text(signed_in("anna").get("/my/results/"))
    change = re.search(r'1509 → <b>(\d+)</b> <a class="why" href="([^"]+)">−\d+<', page)
    assert change
    why = text(signed_in("anna").get(change[2]))
    assert "Third Open" in why
    assert change[1] in why
    dispute = text(signed_in("anna").get("/my/results/1/1/"))
    assert '<a href="/events/1"><bdi>First Open</bdi></a>' in dispute
    assert "club · 10 Jan 2026" in dispute


def test_own_results_are_pages_of_ten_and_games_of_any_page_are_disputed(office):
    for number in range(1, 12):
        said = reports.document(f"Open {number}", f"2025-01-{number:02}")
        path = reports.write(office.folder, f"{number}.json", said)
        options = receive.Options(pool="club", another=True)
        assert receive.receive(office, path, TINA, options).id is not None
    anna = signed_in("anna")
    page, second = text(anna.get("/my/results/")), text(anna.get("/my/results/?page=2"))
    assert (page.count('<h2 id="e'), second.count('<h2 id="e')) == (10, 3)
    assert "Page 2 of 2" in second
    oldest = m.ReportVersion.objects.get(section__facts__name="Open 1").report_id
    assert f'id="e{oldest}"' in second
    run_to(office, date(2026, 4, 2))
    assert anna.get(f"/my/results/{oldest}/1/").status_code == 200
    seen = re.search(rf'/{oldest}/confirm/">.*?name="seen" value="([^"]+)"', second)
    assert seen
    form = {"page": "2", "seen": seen[1]}
    done = anna.post(f"/my/results/{oldest}/confirm/", form)
    assert done["Location"] == f"/my/results/?page=2#e{oldest}"


def test_policies_events_of_webhooks_and_scopes_are_words_with_their_codes(office):
    tina = signed_in("tina")
    said = {"accept-language": "de"}
    page = " ".join(text(tina.get("/desk/policies/", headers=said)).split())
    assert 'Unbekannte Meldungen <code class="quiet plain-weight">unidentified</code>' in page
    assert '<bdi>die Gruppe wartet</bdi> <code class="quiet">hold_section</code>' in page
    assert "<code>leave_out_games</code> ihre Partien werden ausgelassen" in page
    assert '<option value="four_eyes">Vier Augen (four_eyes)</option>' in page
    assert "<bdi>1500; 2000</bdi>" in page
    assert "[]" not in page
    assert "{}" not in page
    setup.set_policies("club", {"sends": "fide:trf16:30", "check_digits": "fide=luhn"}, "so", TINA)
    page = text(tina.get("/desk/policies/", headers=said))
    assert "<bdi>an FIDE als trf16 binnen 30 Tagen</bdi>" in page
    webhooks.add(office, "https://x.example.org/", ["report.state"], TINA)
    page = text(tina.get("/desk/webhooks/", headers=said))
    told = 'ein Bericht kommt in einen anderen Stand <code class="quiet">report.state</code>'
    assert page.count(told) == 2, "of the address, and to choose"
    dora = signed_in("dora")
    token_of("dora", "report")
    page = text(dora.get("/account/tokens/", headers=said))
    assert page.count('deren Stand lesen <code class="quiet">report</code>') == 2


def test_every_policy_has_a_title_and_every_word_of_one_a_meaning():
    assert policies.TITLES.keys() == setup.POLICIES.keys()
    words = {
        word
        for _, read, _ in setup.POLICIES.values()
        if isinstance(read, setup.OneOf)
        for word in read.words
    }
    assert policies.WORDS.keys() == words


def test_who_has_nothing_to_ask_for_by_a_token_is_offered_none(office):
    anna = signed_in("anna")
    page = text(anna.get(TOKENS))
    assert "nothing to ask for that needs a token" in page
    assert "your reports" not in page
    form = {"name": "tests", "scopes": ["read", "officer"], "days": "9"}
    assert anna.post(TOKENS, form).status_code == 422
    dora = signed_in("dora")
    assert "read the reports that you sent" in text(dora.get(TOKENS))
    assert dora.post(TOKENS, form).status_code == 200


def test_a_token_is_offered_what_the_own_roles_are_for(office):
    offered = {
        name: re.findall(r'name="scopes" value="(\w+)"', text(signed_in(name).get(TOKENS)))
        for name in ("anna", "dora", "olga")
    }
    assert offered == {
        "anna": [],
        "dora": ["read", "report"],
        "olga": ["read", "report", "officer"],
    }


def test_acts_are_about_things_that_people_know(office):
    page = text(signed_in("tina").get("/desk/audit/", headers={"accept-language": "de"}))
    assert 'href="/desk/audit/?about=actor%3Adirk"><bdi>Handelnder dirk</bdi></a>' in page
    assert 'href="/desk/audit/?about=report%3A1"><bdi>Bericht 1</bdi></a>' in page
    assert "report:1" not in page
    assert '<span class="sub"><a href="/desk/audit/' in page, "on a phone, too"
    about = text(signed_in("tina").get("/desk/audit/?about=actor%3Adirk"))
    assert "actor dirk" in about


def test_an_event_without_a_page_is_no_link(office):
    """Of what was never published everybody has no page, and the register tells nothing of it.

    Who asked reads the name among the own requests.
    """
    for report in (1, 3):
        corrections.ask(office, [asking.game(report, 1, "1/2-1/2")], "a draw", Who("anna"))
    anna = signed_in("anna")
    pages = {
        "/my/results/": {"1"}, "/my/results/1/1/": {"1"},
        "/corrections/1": {"1"}, "/corrections/2": set(),
    }  # fmt: skip
    for path, events in pages.items():
        page = anna.get(path).content.decode()
        assert {*re.findall(r'href="/events/(\d+)"', page)} == events, path
        assert ("Third Open" in page) is (path == "/my/results/")
    assert [anna.get(f"/events/{n}").status_code for n in (1, 2, 3)] == [200, 404, 404]


def test_own_forfeits_and_handicaps_are_marked(office):
    said = reports.document("Fourth Open", "2026-03-28", {("1", "2"): "0-1", ("1", "3"): "0-1"})
    said["games"][0]["status"] = "forfeit"
    said["games"][1]["handicap"] = 3
    path = reports.write(office.folder, "fourth.json", said)
    receive.receive(office, path, TINA, receive.Options(pool="club"))
    page = text(signed_in("anna").get("/my/results/"))
    assert "lost, by forfeit (not rated)" in page
    assert "lost, handicap 3" in page
    assert "lost, handicap 3 (not rated)" not in page


def test_who_joined_a_request_takes_it_back_and_goes_on_when_the_other_does(office):
    """Neither is left undecided for ever: what was joined is open again by itself."""
    dora, anna = signed_in("dora"), signed_in("anna")
    contents = [asking.game(1, 1, "1/2-1/2")]
    first, second = (
        corrections.ask(office, contents, "a draw", Who(x)).id for x in ("dora", "anna")
    )
    pressed(dora, f"/corrections/{first}", f"/my/requests/{first}/back/")
    assert corrections.states_of() == {first: "withdrawn", second: "open"}
    page = text(anna.get("/my/results/"))
    assert "to be decided by" in page
    assert "which asks for the same" not in page
    assert "open again" in text(anna.get(f"/corrections/{second}")).lower()
    third = corrections.ask(office, contents, "a draw after all", Who("dora"))
    assert third.joined == second
    pressed(dora, f"/corrections/{third.id}", f"/my/requests/{third.id}/back/")
    assert corrections.states_of()[third.id] == "withdrawn"
    corrections.accept(office, second, TINA)
    assert "/back/" not in text(anna.get(f"/corrections/{second}"))


def test_what_was_confirmed_by_mistake_is_taken_back(office):
    anna, path = signed_in("anna"), "/my/results/1/confirm/"
    pressed(anna, "/my/results/", path)
    page = text(anna.get("/my/results/"))
    assert "confirmed by you" in page
    assert pressed(anna, "/my/results/", path, act="undo").status_code == 302
    page = text(anna.get("/my/results/"))
    assert "is taken back" in page
    assert "confirmed by you" not in page
    assert not Confirmation.objects.exists()


def test_own_results_name_an_opponent_as_public_pages_do(office):
    """Whom a published correction says to be somebody else is that one, however it was reported."""
    person, _ = people.add_person(NewPerson("Golf, Gus"), "", TINA)
    asked = corrections.ask(office, [asking.player(1, "2", person)], "her twin", Who("dora"))
    corrections.accept(office, asked.id, TINA)
    anna = signed_in("anna")
    row = '<th scope="row"><bdi>{}</bdi></th>'
    assert row.format("Bravo, Ben") in text(anna.get("/my/results/")), "it is not published yet"
    run_to(office, date(2026, 3, 1))
    page = text(anna.get("/my/results/"))
    spelled = '<span class="sub">in the report: Bravo, Ben</span>'
    assert f'<th scope="row"><bdi>Golf, Gus</bdi>{spelled}</th>' in page
    assert row.format("Charlie, Chris") in page, "nothing is added where both are alike"
    game = m.Game.objects.get(version__report=1, white__number="1", black__number="2")
    assert "against Golf, Gus" in text(anna.get(f"/my/results/1/{game.number}/"))
