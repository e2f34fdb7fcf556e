"""The page at /ablations."""
