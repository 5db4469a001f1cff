"""AGA, the report that organisers send to the American Go Association.

Three sections: ``TOURNEY`` with the event, ``PLAYERS`` with a number, a name and a rank
in each line, and ``GAMES`` with White's number, Black's number, the winner, the handicap
and the komi; then perhaps ``END``.  ``GAMES 2`` holds the games of the second round.

A player's id is his number.  Where stones are given, or Black has no komi, that is the
handicap here: a game without komi is one of handicap 1.
"""

from ratingbook.formats.go.aga.read import looks_like_aga, read_aga
from ratingbook.formats.go.aga.write import write_aga

__all__ = ["looks_like_aga", "read_aga", "write_aga"]
