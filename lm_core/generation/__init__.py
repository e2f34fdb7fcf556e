"""From a prediction to a text: `transforms` -> `chain` -> `stepper` -> `story`, with `streams` and `beam` beside."""
