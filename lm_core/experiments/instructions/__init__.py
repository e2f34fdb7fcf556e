"""An encoder-decoder that follows instructions: one network, eight tasks, each named in words before the sentence."""
