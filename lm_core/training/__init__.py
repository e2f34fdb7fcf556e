"""Training: the loop, the recipes of the shipped models, and checkpoints."""
