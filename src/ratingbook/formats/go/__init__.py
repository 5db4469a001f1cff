"""Result tables of Go: those of the European Go Database, of programs, and of the AGA.

- ``h9``, ``tou`` -- tables of text, and ``aga`` -- the AGA's report;
- ``opengotha``, ``macmahon`` -- files of programs for pairing;
- ``common``, ``pairings``, ``writing`` -- what they share;
- ``grade_table`` -- games and wins by grade, for comparison.
"""
