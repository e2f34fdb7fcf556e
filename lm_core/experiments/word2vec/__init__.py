"""Word vectors learned from the words around each word."""
