"""Does it learn or remember? Training and validation by capacity, data, noise and time."""
