"""Parameters of editions as people set them."""

from __future__ import annotations

import pytest

from ratingbook.rules import registry
from ratingbook.rules.settings import shown


@pytest.mark.parametrize("name", registry.names())
def test_every_parameter_can_be_set_to_what_it_is(name: str) -> None:
    """The number of the regulation lies within the bounds that the edition gives it."""
    book = registry.edition(name)
    own = book.parameters._asdict()
    texts = {parameter: str(shown(value)) for parameter, value in own.items()}
    same = book.with_parameters(texts)
    assert same.parameters == book.parameters
    assert not same.settings.changed
