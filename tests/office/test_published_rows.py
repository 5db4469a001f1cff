"""A history says which of its ratings were published, and which the rules still held back."""

from __future__ import annotations

import json

from tests.office.reports import write

KNOWN = {str(n): (f"{name}, Invented", f"70{n}") for n, name in enumerate(("A", "B", "C"), 2)}


def report(day, *scores):
    """Somebody new against those who are known, one game with each of the scores."""
    people = [{"id": "1", "name": "New, Nora", "ids": {"national": "701"}}]
    people += [
        {"id": number, "name": name, "ids": {"national": own}}
        for number, (name, own) in KNOWN.items()
    ]
    return {
        "ratingbook": "report/1", "event": {"name": f"Cup {day}", "start": day, "end": day},
        "players": people,
        "games": [
            {"round": n, "white": "1", "black": str(n + 1), "result": score}
            for n, score in enumerate(scores, 1)
        ],
    }  # fmt: skip


def test_a_first_rating_of_few_games_is_marked(officer, tmp_path):
    officer.does("pool", "add", "main", "--rulebook", "fide-2024")
    rows = [f'{own},"{name}",2000,100' for name, own in KNOWN.values()]
    (tmp_path / "known.csv").write_text("\n".join(["id,name,rating,games", *rows, ""]))
    officer.does("import", tmp_path / "known.csv", "--register", "national", "--pool", "main")
    for number, (day, scores) in enumerate({
        "2025-01-10": ("1-0", "1/2-1/2"), "2025-02-10": ("1-0", "0-1", "1/2-1/2"),
        "2025-03-10": ("1-0",),
    }.items(), 1):  # fmt: skip
        officer.does("receive", write(tmp_path, f"{number}.json", report(day, *scores)))
        officer.does("link", number, "all", "best")
        if number == 1:
            officer.does("link", 1, "1", "new")
    officer.does("run", "--pool", "main", "--until", "2025-04-01")
    officer.does("approve", 1)
    officer.does("publish", 1)
    nora = len(KNOWN) + 1
    changes = officer.does("person", "history", nora, "--pool", "main")["changes"]
    assert [each["published"] for each in changes] == [False, True, True]
    assert [each["before"] is None for each in changes] == [True, True, False]
    seen = officer.sees("person", "history", nora, "--pool", "main")
    assert f"({changes[0]['after']:g})" in seen
    assert f"({changes[1]['after']:g})" not in seen
    assert "(…) not published" in seen
    known = officer.sees("person", "history", 1, "--pool", "main")
    assert "not published" not in known
    officer.does("person", "export", nora, tmp_path / "nora.json")
    written = json.loads((tmp_path / "nora.json").read_text())
    assert [each["published"] for each in written["changes"]["main"]] == [False, True, True]
