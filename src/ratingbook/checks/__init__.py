"""The check suite: what every rule book must hold, ours as well as yours.

``checks_of(book)`` gives the checks of an edition, each a named function without
arguments that raises AssertionError; run them with pytest::

    from ratingbook.checks import checks_of
    from my_federation import my_edition

    @pytest.mark.parametrize("check", checks_of(my_edition), ids=str)
    def test_my_edition(check):
        check()

or all at once with :func:`check_rulebook`.  Needs the extra ``checks``.
"""

from ratingbook.checks.suite import Check, check_rulebook, checks_of

__all__ = ["Check", "check_rulebook", "checks_of"]
