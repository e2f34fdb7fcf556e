"""What a part of the transformer is good for: the same training without it."""
