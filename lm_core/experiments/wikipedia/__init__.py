"""The published transformer of Wikipedia, on the articles that are here."""
