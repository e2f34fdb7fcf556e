"""What each attention head of the shipped transformers does, measured on the book."""
