"""What positions do to scores, and whether equal words can be told apart."""
