"""Recurrent networks between vectors and sequences: vec2seq, seq2vec, seq2seq."""
