"""The page at /byte-pair-encoding."""
