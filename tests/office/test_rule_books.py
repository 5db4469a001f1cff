"""Rule books as an office takes them: what is wrong with one is told in a whole sentence."""

from __future__ import annotations

import pytest

from ratingbook.model.sentences import Sentence
from ratingbook.office.engine.rules import Rules
from ratingbook.office.refused import OfficeRefused


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (Rules("uscf", {"zzz": "1"}), "no edition of uscf has a parameter 'zzz'; they have "),
        (Rules("fide-2024", {"k_neu": "1"}), "fide-2024 has no parameter 'k_neu'; did you mean"),
        (Rules("fied"), "no rule book 'fied' is installed; did you mean fide?"),
        (Rules("fide-2024", {}, 9000), "an assumed rating lies between "),
    ],
    ids=lambda each: each if isinstance(each, str) else each.rulebook,
)
def test_what_is_wrong_is_a_word_of_a_sentence(rules: Rules, why: str) -> None:
    """A page tells the sentence in its language, and the word in it, too."""
    with pytest.raises(OfficeRefused) as refused:
        rules.book()
    (finding,) = refused.value.findings
    assert isinstance(finding.message, Sentence)
    assert isinstance(finding.message.words["why"], Sentence)
    assert finding.message.startswith(f"The rule book cannot be taken so: {why}")
    assert finding.message[-1] in ".?"
