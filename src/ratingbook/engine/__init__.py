"""The engine: it takes reports through rule books, and explains what came out."""
