"""Five models of growing memory, each trained on a few sentences in a tenth of a second."""

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.errors import SettingError
from lm_core.experiments.neural_language_model.sentences import SentenceCorpus
from lm_core.experiments.order_matters.sentences import MOST_WORDS, NOT_ASKED, shifted
from lm_core.models.bag_of_words import BagOfWords, BagOfWordsConfig
from lm_core.models.language_model import LanguageModel
from lm_core.models.mlp import MLPLanguageModel, MLPLanguageModelConfig
from lm_core.models.ngram_network import NGramNetwork, NGramNetworkConfig
from lm_core.models.recurrent_language_model import RNNLanguageModel, RNNLanguageModelConfig
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.eager_optimizers import Adam
from lm_core.training.loop import TrainingLoop

BAG, BIGRAM, WINDOW, RNN, ATTENTION = "bag of words", "bigram", "window", "RNN", "attention"
MODELS = (BAG, BIGRAM, WINDOW, RNN, ATTENTION)
STEPS = 80
_RATES = {BAG: 0.2, BIGRAM: 0.2, WINDOW: 0.02, RNN: 0.02, ATTENTION: 0.02}
"""Adam's, with all sentences in every step."""


def network(name: str, n_words: int, window: int) -> LanguageModel:
    """Return one of `MODELS`, its weights not drawn yet.

    Parameters
    ----------
    n_words : int, of the vocabulary, the mark included
    window : int, words that the window holds, at least 1; the others do not depend on it
    """
    if name == BAG:
        return BagOfWords(BagOfWordsConfig(n_words))
    if name == BIGRAM:
        return NGramNetwork(NGramNetworkConfig(n_words, 2))
    if name == WINDOW:
        return MLPLanguageModel(MLPLanguageModelConfig(n_words, window, 16, 32))
    if name == RNN:
        return RNNLanguageModel(RNNLanguageModelConfig(n_words, 16, 32, 1))
    if name == ATTENTION:
        return TransformerLanguageModel(
            TransformerLanguageModelConfig(n_words, 16, 2, 1, context=2 * MOST_WORDS)
        )
    raise SettingError(f"the model must be one of {MODELS}, got {name!r}")


def learn(
    name: str, corpus: SentenceCorpus, *, window: int = 2, seed: int = 0, steps: int = STEPS
) -> LanguageModel:
    """Return one of `MODELS` after some steps, each on all sentences; `seed` draws its first weights."""
    model = network(name, len(corpus.words), window)
    model.initialise(generator(seed))
    inputs, targets = shifted(corpus)

    def next_loss() -> Tensor:
        logits, _ = model(inputs, model.initial_state(len(inputs)))
        return functional.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), ignore_index=NOT_ASKED
        )

    learned = list(model.parameters())
    rate = _RATES[name]
    for _ in TrainingLoop(
        learned, next_loss, Adam(learned), steps=steps, learning_rate=lambda _: rate
    ):
        pass
    return model.eval().requires_grad_(False)


@torch.no_grad()
def expected(model: LanguageModel, words: tuple[int, ...]) -> Tensor:
    """Return the probability of each next word after every prefix, (T + 1, V): that of none, of the first, ..."""
    logits, _ = model(torch.tensor([[0, *words]]), model.initial_state(1))
    return logits[0].double().softmax(1)


def read_by(name: str, words: tuple[str, ...], window: int) -> str:
    """Return what of some words, at least one, a model's prediction depends on, in words."""
    if name == BAG:
        return "{" + ", ".join(sorted(words)) + "}"
    if name == BIGRAM:
        return words[-1]
    return " ".join(words[-window:] if name == WINDOW else words)
