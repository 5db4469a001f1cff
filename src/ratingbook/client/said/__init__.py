"""What an office says, with types, by subject."""
