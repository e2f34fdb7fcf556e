"""How far what models write is from the book, in what can be counted."""
