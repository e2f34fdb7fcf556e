"""Where gradients vanish and explode: depth, Jacobians, clipping, normalisation, and how they are computed."""
