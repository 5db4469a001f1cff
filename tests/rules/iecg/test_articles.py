"""ICCF and IECG number their rules, and the paragraphs are numbered as there."""

from __future__ import annotations

import re
from pathlib import Path

from ratingbook.rules.iccf import iccf_2009
from ratingbook.rules.iecg import iecg_1999


def test_the_numbers_are_those_of_the_text(reference: Path) -> None:
    (path,) = (reference / "seeds").glob("001_*.txt")
    text = path.read_text("utf-8").partition("Update History")[0]
    found, section, item = set(), "", ""
    for line in text.splitlines():
        if head := re.match(r"([IVX]+)\. [A-Z]", line):
            section = head[1]
        elif number := re.match(r"(\d+)\. ", line):
            item = f"{section}.{number[1]}"
            found.add(item)
        elif (letter := re.match(r" {3}([a-e])\) ", line)) and section == "IX":
            found.add(f"{item}{letter[1]}")
    # IX.5 is one sentence that leads to a) to e).
    numbers = {paragraph.number for paragraph in iecg_1999.text.paragraphs}
    assert numbers == (found - {"IX.5"}) | {"H"}


def test_they_are_not_ours() -> None:
    assert not iecg_1999.text.own_numbers
    assert not iccf_2009.text.own_numbers
    assert {p.number: p.article for p in iecg_1999.text.paragraphs if p.article} == {
        "H": "Update History"
    }
    assert not any(p.article for p in iccf_2009.text.paragraphs)


def test_the_items_of_iccf_are_those_of_the_booklet(reference: Path) -> None:
    (path,) = (reference / "seeds").glob("000_*.txt")
    text = path.read_text("utf-8")
    numbers = [paragraph.number for paragraph in iccf_2009.text.paragraphs]
    assert numbers == [str(n) for n in range(1, 19)]
    for number in numbers:
        assert re.search(rf"^{number}\b", text, re.MULTILINE), number
