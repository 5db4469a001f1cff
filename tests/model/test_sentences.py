"""A sentence is a text, and remembers how it was made."""

from __future__ import annotations

import json
import pickle
from datetime import UTC, date, datetime

import pytest

from ratingbook.desk.language import Language
from ratingbook.model.sentences import (
    Sentence,
    day_of,
    number_of,
    packed,
    sentence,
    stated,
    unpacked,
)

SAID = sentence(
    "{who} has {value!r}, {share:.1f} of {count:,}: {what}", who="Alpha, Anna", value="a",
    share=2.25, count=1200, what=sentence("{n} games", n=3),
)  # fmt: skip


def test_a_sentence_is_filled_in_as_a_format_is():
    assert SAID == "Alpha, Anna has 'a', 2.2 of 1,200: 3 games"
    assert isinstance(SAID.words["what"], Sentence)
    assert sentence("{one.real} of {one}", one=3) == "3 of 3"


def pickled(text):
    return pickle.loads(pickle.dumps(text))


def as_json(text):
    return unpacked(json.loads(json.dumps(packed(text))))


@pytest.mark.parametrize("copied", [pickled, as_json])
def test_it_remembers_its_pattern_wherever_it_is_kept(copied):
    found = copied(SAID)
    assert found == SAID
    assert (found.pattern, found.words) == (SAID.pattern, SAID.words)
    assert found.words["what"].pattern == "{n} games"


def test_a_text_without_words_may_have_braces():
    assert stated("Close it with }.") == "Close it with }."
    assert unpacked(packed(stated("{a} {"))) == "{a} {"
    assert packed("plain") == unpacked("plain") == "plain"


def test_its_words_are_changed_and_what_is_not_theirs_makes_a_plain_text():
    said = sentence("born on {day}, {who}", day="2001-05-07", who="Anna")
    changed = said.changed(lambda text: text.replace("2001-05-07", "…"))
    assert changed == "born on …, Anna"
    assert isinstance(changed, Sentence)
    plain = said.changed(lambda text: text.replace("born on", "not on"))
    assert plain == "not on 2001-05-07, Anna"
    assert not isinstance(plain, Sentence)
    # What is hidden must be hidden, also where it reaches over the end of a word.
    assert said.changed(lambda text: text.replace("07, Anna", "…")) == "born on 2001-05-…"


class _Other(Language):
    def figure(self, text: str) -> str:
        return text.replace(",", " ").replace(".", ",")

    def day(self, text: str) -> str:
        return ".".join(reversed(text.split("-")))


@pytest.mark.parametrize("how", ["told", "said"])
def test_days_and_numbers_are_written_as_a_language_does(how):
    text = sentence(
        "{day}: {n:,} of {share:g}, {name}, {number}",
        day=date(2026, 3, 1), n=12345, share=2.5, name="1.5", number=7,
    )  # fmt: skip
    assert text == "2026-03-01: 12,345 of 2.5, 1.5, 7"
    kept = as_json(text)
    # A text of a file is no number, whatever it looks like; explanations have texts for numbers.
    name = "1.5" if how == "told" else "1,5"
    assert getattr(_Other(), how)(kept) == f"01.03.2026: 12 345 of 2,5, {name}, 7"
    assert getattr(Language(), how)(kept) == text


def test_a_day_of_which_nothing_is_left_is_told_so():
    said = sentence("born on {day}", day=day_of(date(2001, 5, 7)))
    assert _Other().told(said.changed(lambda text: text.replace("2001-05-07", "…"))) == "born on …"
    assert _Other().told(number_of("1.5")) == "1,5"


def test_a_moment_and_a_day_in_another_form_are_texts():
    moment = datetime(2026, 3, 1, 9, tzinfo=UTC)
    said = sentence("{at}, {day:%d/%m}", at=moment, day=date(2026, 3, 1))
    assert said == f"{moment}, 01/03"
    assert _Other().told(said) == said


def test_another_name_in_words_of_words_keeps_them():
    said = sentence("{game}: {day}", game=sentence("{a} and {b}", a="Me", b="X"),
                    day=date(2026, 3, 1)).renamed("Me", "You")  # fmt: skip
    assert said == "You and X: 2026-03-01"
    assert _Other().told(said) == "You and X: 01.03.2026"
