"""The page at /inside-a-cell."""
