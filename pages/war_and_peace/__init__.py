"""The page at /war-and-peace."""
