"""The catalogues have all that is marked, and say it with the same words to fill in."""

from __future__ import annotations

import io
import re
from pathlib import Path
from string import Formatter

import pytest

pytest.importorskip("babel", reason="catalogues are read by Babel")

from babel.messages.catalog import Message
from babel.messages.mofile import read_mo

from ratingbook.site.settings import LANGUAGES
from tools import messages

PATHS = messages.languages()
NAMES = [path.parts[-3] for path in PATHS]
NUMBERS: dict[str, int] = {"de": 2, "ru": 3, "bg": 2, "zh_Hans": 1}


def forms(said: str | tuple[str, ...] | list[str] | None) -> list[str]:
    """What a message says, in each of its numbers."""
    return [said] if isinstance(said, str) else list(said or ())


def words(text: str) -> set[object]:
    """What is filled in, and what is set strong."""
    percent = set(re.findall(r"%\(\w+\)s", text))
    braces = set() if percent else {(n, how) for _, n, how, _ in Formatter().parse(text) if n}
    return percent | braces | set(re.findall(r"</?[a-z]+>", text))


def test_the_languages_are_the_catalogues():
    assert sorted(NUMBERS) == NAMES
    assert dict(LANGUAGES) == {
        "en": "English", "de": "Deutsch", "ru": "Русский", "bg": "Български",
        "zh-hans": "简体中文",
    }  # fmt: skip


@pytest.fixture(scope="module")
def marked() -> dict[tuple[str | None, str], messages.Found]:
    return {(each.context, each.one): each for each in messages.messages()}


def test_marks_of_every_kind_are_found(marked):
    found = {one for _, one in marked}
    assert "Skip to the content" in found  # A template.
    assert "There is no such page" in found  # A view.
    assert "The first rating is <b>{rating}</b>." in found  # A sentence of an explanation.
    assert "K = {value}" in found  # A rule.
    assert "Development coefficient K" in found  # The title of a paragraph.
    assert "provisional" in found  # A word of the model.
    assert not any(text in found for text in ("desk", "site/list.html", "office.no-list"))


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_everything_marked_is_in_each_catalogue_and_nothing_else(marked, path):
    made = messages.read(path)
    assert {(each.context, forms(each.id)[0]) for each in made if each.id} == set(marked)
    assert not made.obsolete
    assert not any(each.fuzzy for each in made if each.id)


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_nothing_is_left_untranslated_that_must_not_be(path):
    only_public = path.parts[-3] != "de"
    left = messages.missing(messages.read(path), public=only_public)
    assert [each.id for each in left] == []


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_what_is_filled_in_is_the_same(path):
    wrong = []
    for each in messages.read(path):
        said = [text for text in forms(each.string) if text]
        if each.id and said:
            wrong += [text for text in said if words(text) != words(forms(each.id)[-1])]
            wrong += [text for text in said if not alike(forms(each.id)[0], text)]
    assert wrong == []


def alike(one: str, other: str) -> bool:
    """Whether both begin and end with white space where one does: sentences are put together."""
    return one[:1].isspace() == other[:1].isspace() and one[-1:].isspace() == other[-1:].isspace()


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_all_numbers_have_their_form(path):
    made = messages.read(path)
    assert made.num_plurals == NUMBERS[path.parts[-3]]
    several = [each for each in made if isinstance(each.id, (tuple, list)) and each.string]
    assert several
    for each in several:
        assert len(forms(each.string)) == made.num_plurals, each.id


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_what_is_compiled_is_what_is_written(path):
    made = messages.read(path)
    known = read_mo(io.BytesIO(path.with_suffix(".mo").read_bytes()))

    def said(each: Message) -> tuple[object, ...]:
        # Babel leaves the context of a compiled message as bytes.
        found: object = each.context
        context = found.decode() if isinstance(found, bytes) else found
        return context, forms(each.id)[0], *forms(each.string)

    whole = {said(each) for each in made if each.id and all(forms(each.string) or [""])}
    assert {said(each) for each in known if each.id} == whole


def test_catalogues_are_beside_the_templates(site: Path):
    assert all(path.is_relative_to(site) for path in PATHS)
