"""The page at /clustering."""
