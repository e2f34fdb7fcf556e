"""Positions: codes added to vectors, rotations of query and key, biases on the scores."""
