"""The catalogues have all that is marked, and say it with the same words to fill in."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

pytest.importorskip("babel", reason="catalogues are read by Babel")

from babel.messages.catalog import Message
from babel.messages.mofile import read_mo

from ratingbook.site.settings import LANGUAGES
from ratingbook.site.shown.words import COMMAND
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


def test_marks_within_other_calls_and_texts_are_found():
    code = b"""
told(gettext(first(ngettext("{n} event", "{n} events", 2), pgettext("of an event", "Place"))))
said = f"{gettext('inside')}: {ngettext('{n} game', '{n} games', n).format(n=n)}"
found = sentence("{many}: {other}", many=counted(2, "batch", "batches"), other=sentence("more"))
"""
    path = messages.SITE / "views" / "home.py"
    found = [(each.context, each.one, each.many) for each in messages.in_code(code, path)]
    assert {*found} == {
        (None, "inside", None), (None, "more", None), (None, "{count} batch", None),
        (None, "{count} batches", None), (None, "{many}: {other}", None),
        (None, "{n} event", "{n} events"), (None, "{n} game", "{n} games"),
        ("of an event", "Place", None),
    }  # fmt: skip


@pytest.mark.parametrize(
    "act",
    ["person edit asked", "file refused", "files deleted", "suppressed", "audit sealed",
     "difference", "correction reopened", "undone"],
)  # fmt: skip
def test_an_act_is_found_that_is_written_by_the_name_of_a_constant(marked, act):
    assert (None, act) in marked


def test_what_the_keys_of_corrections_are_called_is_told_in_every_language(marked):
    for context, word in (
        ("of a standing", "rating"),
        ("of a standing", "reached 2300"),
        ("kind of decision", "base rating"),
        ("setting", "expected scores"),
    ):
        assert marked[context, word].file == "office/logic/called.py"
    assert (None, "rating") not in marked, "a noun here, a verb there"


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


_OF_COMMANDS = (
    "formats/convert.py", "formats/differences.py", "office/acts/receipts.py", "office/bundle.py",
    "office/demo/", "office/home.py", "office/making.py", "office/refused.py", "site/letters.py",
    "site/opening.py", "site/serving.py",
)  # fmt: skip
"""What speaks at a shell only: conversions, receipts, the check of a bundle, an office's start."""
_OF_PROGRAMS = "site/api/"
"""What says something to programs only, which is English."""


def plain_texts(code: str) -> Iterator[str]:
    """Texts that a finding or a refusal is given and that no catalogue can know."""
    for call in ast.walk(ast.parse(code)):
        if isinstance(call, ast.Call) and makes_a_finding(call):
            for given in (*call.args, *(word.value for word in call.keywords)):
                for text in literals(given):
                    if " " in text.strip() and not COMMAND.search(text):
                        yield text


def makes_a_finding(call: ast.Call) -> bool:
    """Whether a call makes a finding: by its name, or by the severity that it is given."""
    name = getattr(call.func, "attr", "") or getattr(call.func, "id", "")
    severe = any(
        getattr(getattr(each, "value", None), "id", "") == "Severity" for each in call.args
    )
    # The catalogues have remarks as they stand.
    return name in ("Finding", "refuse", "refused") or (severe and name != "Remark")


def literals(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be, with dots for what is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(str(getattr(each, "value", "")) if isinstance(each, ast.Constant) else "…"
                          for each in parts)  # fmt: skip
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            yield from (*literals(one), *literals(other))
        case ast.BoolOp(values=several):
            for each in several:
                yield from literals(each)


def test_a_text_without_a_pattern_is_found():
    code = """
refuse("a.b", f"There is no {what}.", "Look at it." if what else sentence("Look."))
findings.add(Severity.ERROR, "a.b", known or "It is odd.", remedy="Run `ratingbook check`.")
sentence("There is no {what}.", what="one of them")
"""
    assert list(plain_texts(code)) == ["There is no ….", "Look at it.", "It is odd."]


def test_whatever_a_page_may_say_remembers_its_pattern():
    plain: dict[str, list[str]] = {}
    for path in sorted(messages.SOURCE.rglob("*.py")):
        name = path.relative_to(messages.SOURCE).as_posix()
        is_shown = name.startswith((*messages.TOLD, "site/")) and not name.startswith(_OF_COMMANDS)
        if is_shown and not name.startswith(_OF_PROGRAMS):
            texts = list(plain_texts(path.read_text("utf-8")))
            plain |= {name: texts} if texts else {}
    assert plain == {}


def test_english_words_of_ours_are_compiled_and_in_german_too(marked):
    ours = messages.read(messages.ENGLISH)
    assert messages.ENGLISH.with_suffix(".mo").read_bytes() == messages.compiled(ours)
    assert all((None, str(each.id)) in marked for each in ours if each.id)


def test_the_library_of_accounts_knows_what_is_said_otherwise():
    import allauth

    folder = Path(allauth.__file__).parent
    code = " ".join(path.read_text("utf-8") for path in folder.rglob("*.html"))
    code += " ".join(path.read_text("utf-8") for path in folder.rglob("templates/**/*.txt"))
    code += (folder / "account" / "forms.py").read_text("utf-8")
    code += (folder / "mfa" / "webauthn" / "forms.py").read_text("utf-8")
    for each in messages.read(messages.ENGLISH):
        assert str(each.id) in " ".join(code.split())
