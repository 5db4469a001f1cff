"""Parameters of editions as people set them."""

from __future__ import annotations

import pytest

from ratingbook.model.sentences import Sentence
from ratingbook.rules import registry
from ratingbook.rules.settings import ParameterError, shown


@pytest.mark.parametrize("name", registry.names())
def test_every_parameter_can_be_set_to_what_it_is(name: str) -> None:
    """The number of the regulation lies within the bounds that the edition gives it."""
    book = registry.edition(name)
    own = book.parameters._asdict()
    texts = {parameter: str(shown(value)) for parameter, value in own.items()}
    same = book.with_parameters(texts)
    assert same.parameters == book.parameters
    assert not same.settings.changed


@pytest.mark.parametrize(
    ("book", "said", "told"),
    [
        ("fide-2024", {"k_neu": "1"}, "fide-2024 has no parameter 'k_neu'; did you mean k_new?"),
        ("uscf", {"zzz": "1"}, "no edition of uscf has a parameter 'zzz'; they have "),
        ("fide-2024", {"k_new": "x"}, "k_new is a number such as 40, not 'x'"),
        ("fide-2024", {"expectancy": "logistik"},
         "expectancy is one of table, logistic, not 'logistik'; did you mean logistic?"),
        ("fide-2024", {"k_new": "1" * 9}, "k_new lies between "),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_parameter_can_be_told_in_every_language(book, said, told):
    """The text remembers its pattern, which an office fills into a sentence of its own."""
    with pytest.raises(ParameterError) as wrong:
        registry.load(book).with_parameters(said)
    assert isinstance(wrong.value.args[0], Sentence)
    assert str(wrong.value).startswith(told)
