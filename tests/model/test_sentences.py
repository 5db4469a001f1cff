"""A sentence is a text, and remembers how it was made."""

from __future__ import annotations

import json
import pickle

import pytest

from ratingbook.model.sentences import Sentence, packed, sentence, stated, unpacked

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
