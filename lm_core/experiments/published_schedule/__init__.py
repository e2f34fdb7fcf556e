"""The LSTM of War and Peace, trained as its authors did, as far as a processor comes."""
