"""Every model of the book on the same held-out characters, and how far back each must look."""
