"""What a report says of players and events, in the words of the Irish rules."""

from datetime import MAXYEAR, MINYEAR, date

from ratingbook.model import Entry, Event, Standing
from ratingbook.rules.bulk import NOT_GIVEN, day_number

K = "k"
"""Decision of the office: the K of a player in an event."""
FOREIGN = "foreign"
JOINED = "joined"
MOST_K = 100


def is_foreign(standing: Standing) -> bool:
    """Whether the rating is fixed, as that of a guest."""
    said = standing.extra.get(FOREIGN)
    return said is True or str(said).casefold() in ("true", "yes", "1")


def joined_of(standing: Standing) -> date | None:
    """The day on which the player became a member, if that is told."""
    return day_in(standing.extra.get(JOINED))


def day_in(said: object) -> date | None:
    """A day as YYYY-MM-DD; None for what is no day."""
    try:
        return date.fromisoformat(str(said))
    except ValueError:
        return None


def born_of(entry: Entry) -> date | None:
    """The birthday; 1 January where only the year is known (reading I2)."""
    year = entry.birth_year
    if entry.birth_date is None and year is not None and MINYEAR <= year <= MAXYEAR:
        return date(year, 1, 1)
    return entry.birth_date


def start_of(event: Event) -> date | None:
    """The day by which age and membership count."""
    return event.start or event.end


def number_of_day(day: date | None) -> int:
    """The day as the rules count it."""
    return NOT_GIVEN if day is None else day_number(day)


def decided_k(entry: Entry) -> int | None:
    """K as the office set it for the player; None: it did not, or it is none."""
    said = entry.decisions.get(K)
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    return int(said) if 1 <= said <= MOST_K and said == int(said) else None
