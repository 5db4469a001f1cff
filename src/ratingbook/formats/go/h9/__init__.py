"""h9, the result table that organisers send to the European Go Database.

One line for each player: place, surname, first name, grade, country, club, up to
four criteria, one result for each round, and perhaps the player's PIN.  A game
stands in both players' lines.  Lenient in: columns need not line up, tabs will do,
places may be blank on ties, names may touch the grade.  What would give wrong
ratings is an error finding.

A player's id is his PIN if the line ends with one, and otherwise his place as
text: the running place, by which the results name him, also where a tie leaves it
blank.

- ``cells`` -- one result;
- ``lines`` -- the players' lines;
- ``header`` -- what the comment lines say of the event;
- ``games`` -- the two sides of each game brought together;
- ``placing``, ``header_lines``, ``write`` -- from a report back to a file: strict out.
"""

from ratingbook.formats.go.h9.read import looks_like_h9, read_h9
from ratingbook.formats.go.h9.write import write_h9

__all__ = ["looks_like_h9", "read_h9", "write_h9"]
