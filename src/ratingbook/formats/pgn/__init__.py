"""PGN: the games of events, one after the other; here only who played whom, when and how it ended.

Lenient in: moves are skipped, whatever they look like.  What is written has no moves.

- ``tags`` -- the words of the format: names of tags, values, their meanings;
- ``scan`` -- from lines to games with their tags, past the moves;
- ``players`` -- who the players are, over all games;
- ``games`` -- results, and how they came about; games that stand twice;
- ``event`` -- what all games together say of the event;
- ``read`` -- the report;
- ``write`` -- games of a report as PGN.
"""

from ratingbook.formats.pgn.read import looks_like_pgn, read_pgn

__all__ = ["looks_like_pgn", "read_pgn"]
