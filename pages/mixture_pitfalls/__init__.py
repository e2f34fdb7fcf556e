"""The page at /mixture-pitfalls."""
