"""TRF, FIDE's tournament report file: TRF06, TRF16, TRF26 and the pairing programs' extensions.

Lenient in: fields may have left their columns, dates may be written in any
order, and records that rating does not need are only named.  What would give
wrong ratings is an error finding.

- ``layout`` -- the columns and the records;
- ``records`` -- the lines sorted by record;
- ``players`` -- one player's line;
- ``event`` -- what the header says of the event;
- ``games`` -- the two sides of each game brought together;
- ``totals`` -- the declared points and counts compared with the results.
"""

from ratingbook.formats.trf.read import looks_like_trf, read_trf

__all__ = ["looks_like_trf", "read_trf"]
