r"""GPT's recipe: a causal model learns a class, and goes on learning to predict text meanwhile.

    L = L_cls + \lambda L_LM

L_cls reads the class off the vector of a labelled text's last token; L_LM is the cross-entropy of the
next subword on other texts of the same books, which have no labels.

References
----------
Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training", eq. (3) to (5).
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.errors import SettingError
from lm_core.experiments.fine_tuning.labelled_texts import LabelledTexts
from lm_core.experiments.fine_tuning.settings import TUNED, FineTuningConfig
from lm_core.experiments.fine_tuning.training import tuning_loop
from lm_core.models.reward_model import read_with_hidden_states
from lm_core.models.task_heads import NOT_ASKED
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.rng import generator
from lm_core.training.loop import TrainStep

_READ_AT_ONCE = 64


class ClassifierLosses(NamedTuple):
    """The two parts of the loss."""

    class_loss: Tensor
    """L_cls, mean nats per labelled text."""
    language_loss: Tensor
    """L_LM, mean nats per subword of the unlabelled texts; 0 where it is not asked for."""
    total: Tensor
    r"""L_cls + \lambda L_LM."""


class CausalClassifier(nn.Module):
    """A causal language model, and a linear layer on the vector of a text's last token.

    `rng`: torch.Generator, draws the new layer.
    """

    def __init__(
        self, model: TransformerLanguageModel, n_labels: int, rng: torch.Generator
    ) -> None:
        super().__init__()
        self.model = model
        self.head = nn.Linear(model.config.width, n_labels)
        with torch.no_grad():
            self.head.weight.normal_(0.0, 0.02, generator=rng)
            self.head.bias.zero_()

    def forward(self, tokens: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the classes (B, K) and of the next subwords (B, T, V).

        Parameters
        ----------
        tokens : int64 Tensor of shape (B, T), whatever follows on a text's end is not looked at
        lengths : int64 Tensor of shape (B,)
        """
        next_logits, hidden = read_with_hidden_states(self.model, tokens)
        last = hidden[torch.arange(len(tokens)), lengths - 1]
        return self.head(last), next_logits


def as_causal(texts: LabelledTexts) -> LabelledTexts:
    """Return texts without the symbols around them, which a causal model does not know."""
    tokens, lengths = texts.tokens[:, 1:-1].clone(), texts.lengths - 2
    tokens[torch.arange(tokens.shape[1]) >= lengths[:, None]] = 0
    return LabelledTexts(tokens, lengths, texts.targets)


def language_loss(next_logits: Tensor, tokens: Tensor, lengths: Tensor) -> Tensor:
    """Return the mean cross-entropy of each subword but the first of each text, in nats."""
    targets = tokens[:, 1:].clone()
    targets[torch.arange(1, tokens.shape[1]) >= lengths[:, None]] = NOT_ASKED
    return functional.cross_entropy(
        next_logits[:, :-1].flatten(0, 1), targets.flatten(), ignore_index=NOT_ASKED
    )


class AuxiliaryTuning:
    r"""A tuning of all weights of a causal model; iterate over it for its steps.

    Parameters
    ----------
    model : TransformerLanguageModel, the pretrained one; it is not changed
    config : FineTuningConfig, of method `TUNED`
    weight : float, \lambda, at least 0
    texts : LabelledTexts, as `as_causal` returns them: `config.n_labelled` are drawn, the others have no labels
    """

    def __init__(
        self,
        model: TransformerLanguageModel,
        config: FineTuningConfig,
        weight: float,
        texts: LabelledTexts,
        n_labels: int,
    ) -> None:
        if not weight >= 0.0:
            raise SettingError(f"the weight of the language loss must be at least 0, got {weight}")
        if config.method != TUNED:
            raise SettingError(f"method must be {TUNED!r}, got {config.method!r}")
        self._config, self._weight, self._rng = config, weight, generator(config.seed)
        order = torch.randperm(len(texts.lengths), generator=self._rng)
        self._labelled = texts.take(order[: config.n_labelled])
        self._unlabelled = texts.take(order[config.n_labelled :])
        own = deepcopy(model).requires_grad_(True)
        self.classifier = CausalClassifier(own, n_labels, self._rng)
        learned = list(self.classifier.parameters())
        self._loop = tuning_loop(config, learned, lambda: self.losses().total)

    def __iter__(self) -> Iterator[TrainStep]:
        r"""Yield the remaining steps; losses are L_cls + \lambda L_LM in nats."""
        yield from self._loop

    def losses(self) -> ClassifierLosses:
        """Return the losses of the next batch."""
        labelled = self._batch(self._labelled)
        class_logits, _ = self.classifier(labelled.tokens, labelled.lengths)
        class_loss = functional.cross_entropy(class_logits, labelled.targets)
        if not self._weight:
            return ClassifierLosses(class_loss, class_loss.new_zeros(()), class_loss)
        other = self._batch(self._unlabelled)
        _, next_logits = self.classifier(other.tokens, other.lengths)
        predicted = language_loss(next_logits, other.tokens, other.lengths)
        return ClassifierLosses(class_loss, predicted, class_loss + self._weight * predicted)

    def _batch(self, texts: LabelledTexts) -> LabelledTexts:
        n = len(texts.lengths)
        return texts.take(torch.randperm(n, generator=self._rng)[: self._config.batch])


class CausalScores(NamedTuple):
    """What a causal classifier can do."""

    accuracy: float
    """Share of texts whose class is right."""
    language_loss: float
    """Nats per subword of the same texts."""


@torch.no_grad()
def score_causal(classifier: CausalClassifier, texts: LabelledTexts) -> CausalScores:
    """Return accuracy and language loss on texts."""
    right, nats, n_predicted = 0, 0.0, 0
    for chosen in torch.arange(len(texts.lengths)).split(_READ_AT_ONCE):
        part = texts.take(chosen)
        class_logits, next_logits = classifier(part.tokens, part.lengths)
        right += int((class_logits.argmax(1) == part.targets).sum())
        n = int(part.lengths.sum()) - len(part.lengths)
        nats += n * float(language_loss(next_logits, part.tokens, part.lengths))
        n_predicted += n
    return CausalScores(right / len(texts.lengths), nats / n_predicted)
