"""The page at /embeddings."""
