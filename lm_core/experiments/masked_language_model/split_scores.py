"""What three splits of the chosen words teach: each model asked in three ways about the same words."""

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch.nn import functional

from lm_core.experiments.masked_language_model.segments import Segments
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.rng import generator
from lm_core.training.masking import MaskingConfig, mask_tokens

COVERED, LEFT_IN, REPLACED = "covered", "left in", "replaced"
CONDITIONS = {
    COVERED: MaskingConfig(masked=1.0, random=0.0),
    LEFT_IN: MaskingConfig(masked=0.0, random=0.0),
    REPLACED: MaskingConfig(masked=0.0, random=1.0),
}
"""What stands in the place of a chosen word: ``[MASK]``, the word itself, or tokens drawn evenly."""


class SplitScore(NamedTuple):
    """One model asked in one way."""

    model: str
    """Of the recipe."""
    condition: str
    """Of `CONDITIONS`."""
    targets: int
    """Subwords that were asked for."""
    accuracy: float
    """Share of them that was the most probable one."""
    bits: float
    """Mean surprisal of a subword."""


@torch.no_grad()
def score_splits(
    models: Mapping[str, MaskedLanguageModel],
    segments: Segments,
    *,
    batches: int = 24,
    length: int = 120,
    seed: int = 0,
) -> list[SplitScore]:
    """Ask every model for the same words of the same segments, in all three ways."""
    scores = []
    for name, model in models.items():
        for condition, masking in CONDITIONS.items():
            rng, n, right, nats = generator(seed), 0, 0, 0.0
            for _ in range(batches):
                batch = segments.draw(16, length, rng)
                masked = mask_tokens(batch.tokens, batch.starts_word, masking, model.config, rng)
                hidden = model.hidden_states(masked.inputs, batch.lengths)
                logits = model.predict(hidden[masked.is_target])
                targets = batch.tokens[masked.is_target]
                n += len(targets)
                right += int((logits.argmax(1) == targets).sum())
                nats += functional.cross_entropy(logits, targets, reduction="sum").item()
            bits = nats / n / torch.log(torch.tensor(2.0)).item()
            scores.append(SplitScore(name, condition, n, round(right / n, 4), round(bits, 4)))
    return scores
