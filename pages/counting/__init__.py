"""The page at /counting."""
