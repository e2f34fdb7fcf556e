"""Word embeddings: vectors for words, learned from the company that they keep."""
