"""The page at /rnn-vs-lstm."""
