"""A report as a small history: its columns as lists, rated by the loops in plain Python."""
