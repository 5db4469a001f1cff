"""What one does with files: read with players, check, rate, explain, list, ask what if, keep.

The commands and ``import ratingbook`` are two faces of it: both give the same numbers, and
refuse the same files.
"""
