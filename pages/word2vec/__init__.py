"""The page at /word2vec."""
