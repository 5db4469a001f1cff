"""What readers and rule books notice of a report stands on public pages in every language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from django.utils.translation import override

from ratingbook.model import Finding, Severity
from ratingbook.model.sentences import Sentence, parts_of
from ratingbook.office.acts import asking, corrections
from ratingbook.office.logic.stored import stored
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site.shown import event, words
from tests.site.offices import TINA
from tests.site.people import nobody
from tools import messages

DORA = Who("dora")
OTHERS = ["de", "ru", "bg", "zh-hans"]


def patterns() -> set[str]:
    """What readers and rule books may say of a report that is rated; words alone are not meant."""
    found = (each for each in messages.messages() if each.file.startswith("findings/"))
    return {
        each.one for each in found
        if each.is_public and re.search("[a-z]{3}.* ", re.sub(r"\{.*?\}", "", each.one))
    }  # fmt: skip


def as_sentence(pattern: str) -> Sentence:
    """A pattern with any words."""
    places = [each.place for each in parts_of(pattern) if each.name is not None]
    return Sentence.of(pattern, dict.fromkeys(places, "x"))


@pytest.mark.parametrize("language", OTHERS)
def test_what_was_noticed_in_a_file_is_told_in_the_language_of_the_page(language: str) -> None:
    findings = [Finding("x.y", Severity.WARNING, as_sentence(each)) for each in patterns()]
    version = m.ReportVersion(findings=[stored(each) for each in findings])
    assert len(version.findings) > 500
    with override(language):
        english = [each.message for each in event._findings(version, str) if each.is_english]
    assert english == []


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "dasselbe"), ("ru", "об этом же"), ("bg", "същото"), ("zh-hans", "此前已有")],
)
def test_why_a_request_was_joined_is_told_in_the_language_of_the_page(office, language, said):
    """The office itself gave the reason, on the page of the request that was joined."""
    wrong = [asking.game(1, 1, "0-1")]
    first, second = (
        corrections.ask(office, wrong, reason, DORA) for reason in ("The sheet says so", "It does")
    )
    assert second.joined == first.id
    corrections.accept(office, first.id, TINA)
    answer = nobody().get(f"/corrections/{first.id}", headers={"accept-language": language})
    page = answer.content.decode()
    assert "the same was asked before" not in page
    assert said in page.lower()


def _texts(given: ast.expr) -> Iterator[str]:
    """The texts that may stand there, also within a sentence, or of which one is chosen."""
    match given:
        case ast.Constant(str(text)):
            yield text
        case ast.Call(args=[first, *_]):
            yield from _texts(first)
        case ast.IfExp(body=body, orelse=other):
            yield from (*_texts(body), *_texts(other))


def _for_shells_alone() -> Iterator[str]:
    """Codes of readers whose remedy has no sentence for who has no shell."""
    for path in sorted((messages.SOURCE / "formats").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_bytes())):
            if not isinstance(call, ast.Call):
                continue
            is_remark = getattr(call.func, "id", "") == "Remark"
            given = call.args[3:4] if is_remark else messages._remedies_of(call)
            codes = [*map(messages._literal, call.args[:2])]
            for text in (text for each in given for text in _texts(each)):
                if all(map(words.COMMAND.search, words.SENTENCE.split(text))):
                    yield next(filter(None, codes), "")


def test_a_page_says_what_is_to_be_done_about_a_file():
    """But for what only a shell brings about: an encoding by its option, a file turned over."""
    left = {*_for_shells_alone()} - words.REMEDIES.keys()
    assert left == {"text.encoding", "convert.refused"}
