"""The page at /attention-by-hand."""
