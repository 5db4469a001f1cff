"""The names of what a run leaves in its folder; a table has no ending, a text has its own."""

PREVIEW = "preview"
"""What corrections would change."""
POOL = "pool.json"
"""What the ratings were made of: rule book, settings, facts."""
REGISTER = "corrections.csv"
"""The register of corrections."""
SHOWN = ("ratings", "changes", "batches", PREVIEW, POOL, REGISTER)
"""What has a name in the folder itself."""

PERSONS = "persons.json"
FACTS = ("facts-games", "facts-players", "facts-events", "facts-entries", PERSONS)
"""What was read, where the folder keeps it, and who the players are."""
CHECKPOINT = ("standings", "kept", "signatures")
"""Where a run goes on from."""
ARCHIVE = ("segment", "timetable", "events", "event_ids", "described", "months", "decided")
"""What explanations rest on, beside numbered tables of the checkpoint."""
