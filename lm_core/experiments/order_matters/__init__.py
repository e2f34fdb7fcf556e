"""What the order of words tells: models from a bag of words to attention, on two sentences."""
