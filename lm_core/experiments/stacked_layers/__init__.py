"""LSTMs of one to four layers with about equally many parameters, compared on the book."""
