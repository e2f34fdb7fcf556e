"""Language models small enough to know by heart."""

import torch

from lm_core.models.language_model import LanguageModel
from lm_core.models.recurrent_language_model import LSTMLanguageModel, LSTMLanguageModelConfig
from lm_core.rng import generator


class SpellingModel(LanguageModel):
    """Is all but sure of the next letter of its word, whatever it reads; counts letters in its state."""

    def __init__(self, word: list[int], vocabulary_size: int) -> None:
        super().__init__()
        self._word = torch.tensor(word)
        self._size = vocabulary_size

    @property
    def vocabulary_size(self):
        return self._size

    def initial_state(self, batch):
        return (torch.zeros(batch, 1, dtype=torch.int64),)

    def forward(self, tokens, state):
        counts = state[0] + torch.arange(tokens.shape[1])  # (B, T)
        letters = self._word[counts % len(self._word)]
        logits = torch.nn.functional.one_hot(letters, self._size) * 50.0
        return logits, (state[0] + tokens.shape[1],)


class PairModel(LanguageModel):
    """Predicts from the last token alone, by a table of logits (V, V); remembers nothing."""

    def __init__(self, table: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("table", table)

    @property
    def vocabulary_size(self):
        return len(self.table)

    def initial_state(self, batch):
        return ()

    def forward(self, tokens, state):
        return self.table[tokens], ()


def random_pair_model(size: int = 4, seed: int = 0) -> PairModel:
    return PairModel(torch.randn(size, size, generator=generator(seed)) * 1.5)


def random_lstm(
    size: int = 11, embedding: int = 5, hidden: int = 16, layers: int = 2, seed: int = 0
) -> LSTMLanguageModel:
    """Return an LSTM whose predictions are far from even, but not chaotic: small changes stay small."""
    model = LSTMLanguageModel(LSTMLanguageModelConfig(size, embedding, hidden, layers))
    model.initialise(generator(seed))
    with torch.no_grad():
        model.embedding.weight *= 2.0
        model.output.weight *= 8.0
    return model.eval()
