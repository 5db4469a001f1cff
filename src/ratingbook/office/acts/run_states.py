"""What a run is, from its draft on."""

DRAFT, MADE, RELEASED, DISCARDED = "draft", "checked", "published", "discarded"
