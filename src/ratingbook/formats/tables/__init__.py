"""Tables of organisers, CSV and Excel: lists of games, cross tables, players and games.

People make tables as they like.  :mod:`~ratingbook.formats.tables.words` knows what they
call their columns, :mod:`~ratingbook.formats.tables.mapping` finds them, and what was
understood is a finding that every reader of a table gives.
"""

from ratingbook.formats.tables.read import looks_like_table, read_csv
from ratingbook.formats.tables.workbook import looks_like_xlsx, read_xlsx
from ratingbook.formats.tables.write import write_csv
from ratingbook.formats.tables.write_workbook import write_xlsx

__all__ = [
    "looks_like_table",
    "looks_like_xlsx",
    "read_csv",
    "read_xlsx",
    "write_csv",
    "write_xlsx",
]
