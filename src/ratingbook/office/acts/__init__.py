"""What people do in an office, each act a function: it writes facts, and answers with values."""
