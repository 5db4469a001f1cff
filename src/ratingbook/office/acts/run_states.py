"""What a run is, from its draft on."""

DRAFT, MADE, RELEASED, DISCARDED = "draft", "checked", "published", "discarded"
LISTS = "lists"
"""In the counts of a run: by the day of a list the columns in which numbers are otherwise.

None, where it was looked at and nothing is.
"""

READ = "read"
"""In the counts of a run: by the name of each pool that it read the number of the published run.

0, where it read with what the pool opens.
"""
