"""What the units of the LSTM that writes the book keep track of, measured on text that it never read."""
