"""n-grams of names and of War and Peace: how many are seen, and how well they predict."""
