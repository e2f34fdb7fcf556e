"""The page at /attention."""
