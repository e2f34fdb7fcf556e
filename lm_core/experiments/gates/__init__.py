"""The gates of an LSTM one by one: which of them can go, on one word and on a stream of words."""
