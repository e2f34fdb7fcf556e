"""An RNN that learns to count."""
