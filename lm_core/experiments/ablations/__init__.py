"""The same transformer trained without one of its parts."""
