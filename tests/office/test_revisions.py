"""Which published lists get a revision: those on which a number is otherwise, whatever made it.

And what a run tells where rules change all ratings, and those of a pool stay.
"""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import asking, imports, lists, receive, runs, setup
from ratingbook.office.acts.preview import Bench
from ratingbook.office.store import models as m
from tests.office.officers import add_colleagues
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write
from tests.office.test_effects import hold

JANUARY, APRIL, JULY = (date(2010, month, 1) for month in (1, 4, 7))


@prepared
def mail(home, tina, tmp_path):
    """Three lists by post; Alpha has twelve games and plays none, the others have eighty."""
    setup.add_pool("mail", "iccf-2009", tina, policies={"revise": "affected"})
    add_colleagues(tina)
    path = tmp_path / "players.csv"
    lines = ["id,name,rating,games,earlier_score,earlier_opponents"]
    for key, (name, _, _, number) in PLAYERS.items():
        games, rest = (12, "7,23800") if key == "1" else (80, ",")
        lines.append(f'{number},"{name}",{1900 + 50 * int(key)},{games},{rest}')
    path.write_text("\n".join(lines) + "\n")
    imports.import_file(home, path, "national", tina, "mail")
    publish(home, tina, JANUARY)
    others = {key: said for key, said in PLAYERS.items() if key != "1"}
    for day, until in (("2010-02-01", APRIL), ("2010-05-01", JULY)):
        said = document(f"Cup of {day}", day, {("2", "3"): "0-1"}, others)
        receive.receive_all(home, [write(tmp_path, f"{day}.json", said)], tina)
        publish(home, tina, until)
    return home


def publish(home, tina, until):
    run = runs.make(home, "mail", until, tina).run
    runs.approve(run.id, tina)
    runs.publish(home, run.id, tina)
    return run


def people_on(day):
    one = m.List.objects.filter(pool__name="mail", date=day).order_by("revision").last()
    assert one is not None
    return one.revision, {row["name"] for row in lists.rows_of(one)}


@pytest.mark.parametrize("policy", ["affected", "latest", "none"])
def test_lists_that_lose_somebody_by_other_rules_are_affected(mail, tina, policy):
    """No rating becomes another one by it: nobody is on them who has fewer games."""
    setup.set_policies("mail", {"revise": policy}, "", tina)
    before = {day: people_on(day)[1] for day in (JANUARY, APRIL, JULY)}
    assert all("Alpha, Anna" in some for some in before.values())
    content = asking.parameters("mail", {"publication_minimum": "15"})
    shown = Bench(mail).preview([content]).reaches[0]
    hold(mail, content, tina)
    run = publish(mail, tina, JULY)
    revised = {"affected": (JANUARY, APRIL, JULY), "latest": (JULY,), "none": (JULY,)}[policy]
    for day, people in before.items():
        left = people - {"Alpha, Anna"} if day in revised else people
        assert people_on(day) == (2 if day in revised else 1, left)
    assert tuple(day for day, columns in shown.columns.items() if columns) == revised
    assert [day for day, columns in run.counts["lists"].items() if columns] == [
        str(each) for each in revised
    ]


@pytest.mark.parametrize("is_rated", [False, True])
def test_a_reform_that_leaves_the_ratings_of_an_opening_is_told(home, tina, tmp_path, is_rated):
    """FIDE lifted ratings in March 2024; the list of February has the same as that of March."""
    setup.add_pool("mail", "fide", tina)
    path = tmp_path / "players.csv"
    lines = ["id,name,rating,games"]
    lines += [f'{said[3]},"{said[0]}",1700,40' for said in PLAYERS.values()]
    path.write_text("\n".join(lines) + "\n")
    imports.import_file(home, path, "national", tina, "mail")
    if is_rated:
        said = document("Early", "2023-12-03", {})
        receive.receive_all(home, [write(tmp_path, "early.json", said)], tina)
    told = []
    for day in (date(2024, 2, 1), date(2024, 3, 1), date(2024, 4, 1)):
        made = runs.make(home, "mail", day, tina)
        told.append([x.message for x in made.findings if x.code == "office.reform-not-done"])
        runs.approve(made.run.id, tina)
        runs.publish(home, made.run.id, tina)
    assert [len(each) for each in told] == [0, 0 if is_rated else 1, 0]
    if not is_rated:
        assert "2024-03-01 (fide-2024)" in told[1][0]
        assert "the list of 2024-02-01" in told[1][0]
