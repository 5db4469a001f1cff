"""2C, the rating report of US Chess: three dBase III files that are one report.

Lenient in: any case of the file names, empty event numbers, dates and numbers
of other column types, any date of the files themselves.  What would give wrong
ratings is an error finding.

- ``layout`` -- the files, their columns, the codes;
- ``tables`` -- the records of a dBase file, and why one is refused;
- ``event`` -- what the header says of the event;
- ``sections`` -- the sections, their rating system and dates;
- ``players`` -- the rows of the players;
- ``read`` -- the report.

Strict out, in ``write`` (:func:`ratingbook.formats.uschess.report_2c.write.write_2c`):

- ``members`` -- the member numbers, and what the reader will call each player;
- ``pairings`` -- the games as cells of the players' rows;
- ``dbase`` -- the bytes of a dBase file.
"""
