"""BERT in small: a masked language model of the book, and three that learned under other splits."""
