"""What one asks of a trained model: traces, ablations, gradients, similarity, projections."""
