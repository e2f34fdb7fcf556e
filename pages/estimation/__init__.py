"""The page at /estimation."""
