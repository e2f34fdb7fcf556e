"""English to French: an encoder-decoder with one context vector, with attention, and as a transformer."""
