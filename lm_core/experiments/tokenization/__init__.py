"""The words and subwords of the book, counted once."""
