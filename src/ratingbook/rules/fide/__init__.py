"""FIDE: the Elo ratings of the World Chess Federation."""

from importlib import import_module

from ratingbook.rules.fide.book import FideRuleBook

_LATER = ("fide_2011", "fide_2012", "fide_2014", "fide_2022", "fide_2024")
_MODULES = {"fide_2009": "edition_2009"} | dict.fromkeys(_LATER, "later")


def __getattr__(name: str) -> FideRuleBook:
    """An edition; who asks for one does not wait until all are made."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    book: FideRuleBook = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return book
