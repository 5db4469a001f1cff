"""Tables of organisers, CSV and Excel: lists of games, cross tables, players and games.

People make tables as they like.  :mod:`~ratingbook.formats.tables.words` knows what they
call their columns, :mod:`~ratingbook.formats.tables.mapping` finds them, and what was
understood is a finding that every reader of a table gives.
"""
