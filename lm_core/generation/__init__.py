"""From a prediction to a text: `transforms` -> `chain` -> `decoder` -> `generation`, with `streams` and `beam` beside."""
