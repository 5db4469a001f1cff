"""TRF, FIDE's tournament report file: TRF06, TRF16, TRF26 and the pairing programs' extensions.

Lenient in: fields may have left their columns, dates may be written in any
order, and records that rating does not need are only named.  What would give
wrong ratings is an error finding.

- ``layout`` -- the columns and the records;
- ``records`` -- the lines sorted by record;
- ``players`` -- one player's line, and ``person`` -- title and birth in it;
- ``numbers``, ``national``, ``teams`` -- what other records say of a player;
- ``event`` -- what the header says of the event;
- ``games`` -- the two sides of each game brought together;
- ``totals`` -- the declared points and counts compared with the results, and
  ``abnormal`` -- points that were given otherwise;
- ``checks``, ``agreement`` -- the records that rating does not need, checked for sense;
- ``write`` -- a report written as TRF16 or TRF26, with ``table`` -- its games as a
  cross table, ``fields`` -- what fits into the columns, and ``write_teams``.
"""
