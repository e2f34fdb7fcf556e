"""From a prediction to a text: `logit_transforms` -> `sampling` -> `decoder` -> `text_generation`; `batch_generation` and `beam_search` beside."""
