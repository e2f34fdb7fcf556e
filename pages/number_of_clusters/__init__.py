"""The page at /number-of-clusters."""
