"""Where a token stands: codes added to its vector, rotations of query and key, biases on the scores."""
