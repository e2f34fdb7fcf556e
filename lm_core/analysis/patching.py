"""Activation patching: one cell of a run is carried into another run, to see what it decides.

Two prompts of equally many tokens, A and B, differ in one word and lead to different answers. B is read
again, but in one *cell*, the vector of one token at one stage of one layer, it is given what A had there.
If the answer flips to A's, that cell carries what decides it:

    effect = (d(patched) - d(B)) / (d(A) - d(B)),    d = logit of A's answer - logit of B's answer

so 0 means that B answers as before and 1 that it answers as A does. Before the first token in which the
prompts differ a causal model cannot tell them apart: these cells are equal, and their effect is 0.

References
----------
Vig et al. 2020, "Causal Mediation Analysis for Interpreting Neural NLP". https://arxiv.org/abs/2004.12265
Meng et al. 2022, "Locating and Editing Factual Associations in GPT". https://arxiv.org/abs/2202.05262
Wang et al. 2022, "Interpretability in the Wild" (the normalised logit difference).
https://arxiv.org/abs/2211.00593
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.analysis.residual_stream import (
    AFTER_ATTENTION,
    AFTER_FEED_FORWARD,
    ATTENTION,
    EMBEDDED,
    NARROWED,
    Stage,
    streams,
    trace,
)
from lm_core.errors import SettingError, TextError
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_blocks import Block, BlockOutput, norm
from lm_core.models.transformer_config import TransformerLanguageModelConfig

_ADDED_TO = {ATTENTION: AFTER_ATTENTION, NARROWED: AFTER_FEED_FORWARD}
"""Stages that are added to the residual stream, and what it is called behind them."""


@dataclass(frozen=True)
class PatchMap:
    """What each cell decides, and between which answers."""

    stages: tuple[Stage, ...]
    effects: Tensor
    """Of shape (stages, T). 0: B answers as before; 1: it answers as A does."""
    answers: tuple[int, int]
    """The tokens whose logits are compared: A's and B's."""
    probabilities_of_a: Tensor
    probabilities_of_b: Tensor
    """`probabilities_of_a` and `probabilities_of_b`: (V,), of each prompt left alone."""
    first_different: int
    """The first token in which the prompts differ; T where they do not."""


def cell_stages(config: TransformerLanguageModelConfig) -> tuple[Stage, ...]:
    """Return the stages whose cells can be carried over, in the order in which they are computed.

    They are the residual stream at the embedding and behind each sublayer, and what each sublayer adds.
    """
    names = (ATTENTION, AFTER_ATTENTION, NARROWED, AFTER_FEED_FORWARD)
    return EMBEDDED, *(Stage(name, layer) for layer in range(config.layers) for name in names)


_AFFORDABLE = 1.1e11
"""Multiplications of a map, at most: between two and three seconds of one processor."""


def affordable_stages(config: TransformerLanguageModelConfig, n_changed: int) -> tuple[Stage, ...]:
    """Return all `cell_stages`, or, where the map of all would take long, fewer of the residual stream alone.

    They are then the stream after each sublayer, or after each block, or after every second, third or fourth
    block: the first of these that is affordable, or the last.

    Parameters
    ----------
    n_changed : int
        Tokens from the first different one on: as many cells a stage, each of which changes those behind it.
    """
    blocks = streams(config)[::2]
    coarser = [(*blocks[:-1:step], blocks[-1]) for step in (1, 2, 3, 4)]
    in_block = (4 + 2 * config.feed_forward) * config.width**2  # multiplications for one token
    for stages in (cell_stages(config), streams(config), *coarser):
        entered = sum(config.layers - _block_behind(stage) for stage in stages)
        if n_changed * (n_changed + 1) / 2 * entered * in_block <= _AFFORDABLE:
            break
    return stages


def _block_behind(stage: Stage) -> int:
    """Return the number of the first block that a stage's cell goes through whole."""
    return 0 if stage.layer is None else stage.layer + 1


class Patching:
    """Two prompts that a model has read, between which cells are carried from the first into the second.

    Raises SettingError if the model is of another kind, and TextError if one prompt has more tokens
    than the other, or more than the model reads.

    Parameters
    ----------
    model : TransformerLanguageModel
        Causal, with residual paths and without a norm behind them: there, what a sublayer adds is added
        to the residual stream as it is.
    a, b : int64 Tensor of shape (T,), equally many tokens, at most as many as the model's context
    """

    @torch.inference_mode()
    def __init__(self, model: TransformerLanguageModel, a: Tensor, b: Tensor) -> None:
        _require(model, a, b)
        self.model, self.n_tokens = model, len(b)
        differs = (a != b).nonzero()
        self.first_different = int(differs[0]) if len(differs) else len(b)
        self._a, self._b = trace(model, a), trace(model, b)
        # Keys and values of B's tokens: what a patched token attends to before itself is B's, unchanged.
        self._remembered = model.initial_state(1)
        if len(b) > 1:
            _, self._remembered = model.read(b[None, :-1], self._remembered)

    @property
    def logits(self) -> tuple[Tensor, Tensor]:
        """What A and B predict when they are left alone, (V,) each."""
        return self._a.logits[-1], self._b.logits[-1]

    @torch.inference_mode()
    def patched(self, stage: Stage, places: Tensor) -> Tensor:
        """Return B's logits after its last token, with the cells of some tokens carried over from A.

        The result: Tensor of shape (P, V).

        Parameters
        ----------
        stage : Stage, one of `cell_stages`
        places : bool Tensor of shape (P, T), of each of P patches, the tokens whose cells are carried over
        """
        start = min(self.first_different, self.n_tokens - 1)
        layer, x = self._carried(stage, places[:, start:, None])
        for following in range(layer, self.model.config.layers):
            x = self._block(following, x)
        return self.model.predict(x[:, -1])

    def _carried(self, stage: Stage, places: Tensor) -> tuple[int, Tensor]:
        """Carry cells of the last T' tokens over, (P, T', 1), and run their block to its end.

        Returns the number of the block that follows, and the stream (P, T', D) that it is given.
        """
        a, b = (found[stage][-places.shape[1] :] for found in (self._a, self._b))
        x = torch.where(places, a, b)
        if stage == EMBEDDED:
            return 0, x
        whole = Stage(_ADDED_TO.get(stage.name, stage.name), stage.layer)
        # The stream of B with the difference between what is added: none, where it is equal.
        if whole != stage:
            x = self._b[whole][-places.shape[1] :] + (x - b)
        layer = cast(int, stage.layer)
        if whole.name == AFTER_ATTENTION:
            x = cast(Block, self.model.blocks[layer]).feed_forward(x)
        return layer + 1, x

    def _block(self, layer: int, x: Tensor) -> Tensor:
        """Return the stream of B's last T' tokens, P times (P, T', D), after a block."""
        start = self.n_tokens - x.shape[1]
        keys, values = (
            kept[:, :start].expand(len(x), -1, -1)
            for kept in self._remembered[2 * layer : 2 * layer + 2]
        )
        mask = self.model.attention_mask(start, x.shape[1], x.dtype)
        past = (keys, values) if start else None
        output = self.model.blocks[layer](x, mask, past, attention=self.model.attention)
        return cast(BlockOutput, output).after_feed_forward

    def map(
        self,
        answers: tuple[int, int] | None = None,
        stages: Sequence[Stage] | None = None,
        *,
        model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
        on_progress: Callable[[float], object] | None = None,
    ) -> PatchMap:
        """Carry over every cell by itself, and return what each of them decides.

        Raises TextError if the two prompts give both answers the same odds: nothing can flip.

        Parameters
        ----------
        answers : pair of int, optional, tokens whose logits are compared; by default those of `telling_answers`
        stages : sequence of Stage, some of `cell_stages`, in their order; by default all of them
        model_turn : callable that returns a context manager, entered for each token
        on_progress : callable, receives the share that is done, from 0 to 1
        """
        a, b = self.logits
        chosen = answers or telling_answers(a, b)
        distance = lead(a, chosen) - lead(b, chosen)
        if not bool(distance.abs() > _LEAST_DISTANCE):
            raise TextError(
                "the two prompts must lead to different predictions, so that a cell can change one into"
                " the other; these lead to the same: exchange a word that matters for the next one"
            )
        stages = tuple(stages or cell_stages(self.model.config))
        effects = torch.zeros(len(stages), self.n_tokens)
        n_different = self.n_tokens - self.first_different
        for i, token in enumerate(range(self.first_different, self.n_tokens), 1):
            with model_turn():
                patched = self._leads(stages, token, chosen)
            effects[:, token] = (patched - lead(b, chosen)) / distance
            if on_progress:
                on_progress(i / n_different)
        predicted = a.softmax(-1), b.softmax(-1)
        return PatchMap(stages, effects, chosen, *predicted, self.first_different)

    @torch.inference_mode()
    def _leads(self, stages: Sequence[Stage], token: int, answers: tuple[int, int]) -> Tensor:
        """Return B's `lead` with one token's cell carried over, at each stage by itself, (stages,).

        Only this token and those behind it change. All stages go through the blocks together, each from its
        own block on. Of the vocabulary only the two answers are asked for.
        """
        n_tokens, n_layers = self.n_tokens - token, self.model.config.layers
        first = torch.zeros(1, n_tokens, 1, dtype=torch.bool)
        first[0, 0] = True
        carried = [self._carried(stage, first) for stage in stages]
        x = self._b[EMBEDDED].new_empty(0, n_tokens, self.model.config.width)
        for layer in range(n_layers + 1):
            x = torch.cat([x, *(stream for following, stream in carried if following == layer)])
            if layer < n_layers and len(x):
                x = self._block(layer, x)
        output, ids = self.model.output, list(answers)
        bias = None if output.bias is None else output.bias[ids]
        logits = F.linear(norm(self.model.output_norm, x[:, -1]), output.weight[ids], bias)
        return logits[:, 0] - logits[:, 1]


_LEAST_DISTANCE = 1e-3
"""Nats between the odds of both runs, below which their quotient would be rounding error."""


def telling_answers(a: Tensor, b: Tensor) -> tuple[int, int]:
    """Return the token that A makes most more probable than B does, and the one that B does, of logits (V,)."""
    gained = a.softmax(-1) - b.softmax(-1)
    return int(gained.argmax()), int(gained.argmin())


def lead(logits: Tensor, answers: tuple[int, int]) -> Tensor:
    """Return by how much the logit of A's answer is above that of B's."""
    return logits[..., answers[0]] - logits[..., answers[1]]


def _require(model: TransformerLanguageModel, a: Tensor, b: Tensor) -> None:
    config = model.config
    if not config.causal or not config.residual or config.norm == "post":
        raise SettingError(
            "patching needs a causal model with residual paths and without a norm on them, got"
            f" causal {config.causal}, residual {config.residual} and norm {config.norm!r}:"
            " choose another model"
        )
    if len(a) != len(b):
        raise TextError(
            f"the prompts must have equally many tokens, so that each cell has its counterpart; A has"
            f" {len(a)} and B has {len(b)}: exchange a word for one that is cut into as many tokens"
        )
    if not 1 <= len(a) <= config.context:
        raise TextError(f"a prompt must have 1 to {config.context} tokens, these have {len(a)}")
