"""The loops over batches, players and games, for any rule book.

They are written once, in the part of Python that compiles.  The names of the rule book
(``enter``, ``side_of``, ``leave`` …) are bound by :mod:`ratingbook.engine.link`;
:mod:`.names` says what they are.
"""
