"""The page at /positional-encoding."""
