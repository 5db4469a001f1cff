"""Small faults, put into the rules and the engine one at a time, that the tests must notice."""
