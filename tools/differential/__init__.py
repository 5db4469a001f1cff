"""Every edition beside an independent reckoning of its text, on random players.

An oracle is a module here that knows nothing of ``ratingbook.rules``: it was written from
the text of the rules, in exact fractions or in 50-digit decimals, as slowly and as plainly
as the text reads.  ``python -m tools.differential`` compares it with what the rule book makes
of the same players, in reports and in histories; :mod:`tools.differential.common` says what
an oracle has to offer.
"""
