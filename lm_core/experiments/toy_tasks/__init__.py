"""Six small tasks from string to string, and how far beyond the trained lengths two models carry them."""
