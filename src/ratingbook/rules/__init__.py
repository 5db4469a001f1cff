"""The rule books: one package per federation, one function per paragraph.

Nothing here reads a file, prints, or imports anything but the standard library
and :mod:`ratingbook.model`.  The rule functions are plain scalar Python: they
are read beside the regulation, traced to explain a change, and later compiled.
"""
