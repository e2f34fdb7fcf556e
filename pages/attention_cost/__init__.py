"""The page at /attention-cost."""
