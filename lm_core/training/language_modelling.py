"""How a language model is trained: the batches and the loss that it hands to the training loop.

A text is cut into B parallel rows and read in windows of T tokens; each row carries its state
from window to window, so the model learns to use a past that is longer than a window (truncated
backpropagation through time).

A model learns from the token that follows, or from what a teacher expects to follow: all the
teacher's probabilities say more than the one token that came (Hinton, Vinyals & Dean 2015,
"Distilling the Knowledge in a Neural Network", https://arxiv.org/abs/1503.02531).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.errors import SettingError, TextError, require_at_least_1, require_positive
from lm_core.models.language_model import LanguageModel, State
from lm_core.rng import generator
from lm_core.training.batching import StatefulBatches
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import OPTIMIZERS, learning_rates_of, make_optimizer
from lm_core.training.resumable import Part, Parts, Resumable, Value

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
_AUTO_DTYPE = "auto"


@dataclass(frozen=True)
class TrainingConfig:
    """How a language model is trained; with the model's config and the text it names one run."""

    steps: int
    """Optimizer steps; each learns from ``batch * window`` targets."""
    batch: int = 64
    window: int = 96
    """`batch` and `window`: parallel rows B, and tokens read per step T."""
    learning_rate: float = 3e-3
    """Highest learning rate: reached after `warmup_steps`, then lowered to 0 by a cosine."""
    warmup_steps: int = 200
    weight_decay: float = 0.0
    """Decoupled, on weight matrices only: not on biases, not on the embedding."""
    clip: float = 1.0
    """Largest norm of the gradient; longer ones are shortened to it."""
    seed: int = 1
    """Start of all randomness: weights, offsets, dropout."""
    dtype: str = "float32"
    """``float32`` or ``bfloat16``: arithmetic of the products; ``auto`` for bfloat16 on an
    NVIDIA card and float32 elsewhere. Weights and optimizer are always float32."""
    held_out: float = 0.0
    """In [0, 0.5]. Last share of the text, kept out of training to watch for overfitting."""
    held_out_until: float = 1.0
    """In [0, 1]. Share of the steps after which the held-out part is learned too (from the next
    pass on): by then nothing is chosen by it any more."""
    optimizer: str = "adamw"
    """``adamw``, or ``muon`` for the matrices between layers and AdamW, at a fifth of the
    learning rate, for the rest: `lm_core.training.muon`."""

    def __post_init__(self) -> None:
        require_at_least_1(steps=self.steps, batch=self.batch, window=self.window)
        require_positive(learning_rate=self.learning_rate, clip=self.clip)
        if not 0.0 <= self.held_out <= 0.5:
            raise SettingError(f"held_out must lie in [0, 0.5], got {self.held_out}")
        if self.optimizer not in OPTIMIZERS:
            raise SettingError(f"optimizer must be one of {OPTIMIZERS}, got {self.optimizer!r}")
        if self.dtype not in (known := [_AUTO_DTYPE, *sorted(_DTYPES)]):
            raise SettingError(f"dtype must be one of {known}, got {self.dtype!r}")


class Training(Resumable):
    """One run of training in progress; iterate over it for its steps.

    Raises TextError if the text is too short for one window in every row.

    Parameters
    ----------
    model : LanguageModel
        Trained in place. Its weights are drawn here unless `fresh` is False.
    tokens : int64 Tensor of shape (N,), the training text
    fresh : bool, False to go on from the weights that the model already has
    held_out_every : int, steps between two evaluations on the held-out part
    soft_targets : callable of (B, T) positions -> (B, T, V), optional
        What to learn at positions of the text instead of the token that follows: for each symbol
        the probability that a teacher gives it there.
    device : torch.device or str
        The model is moved there. On the processor, a seed and a text give the same weights bit for
        bit, whether or not the run was interrupted.
    """

    _own_rows = slice(None)

    def __init__(
        self,
        model: LanguageModel,
        tokens: Tensor,
        config: TrainingConfig,
        *,
        fresh: bool = True,
        held_out_every: int = 500,
        soft_targets: Callable[[Tensor], Tensor] | None = None,
        device: torch.device | str = "cpu",
    ) -> None:
        self.model, self.config, self.held_out_every = model, config, held_out_every
        self.device = torch.device(device)
        n_learned = len(tokens) - int(config.held_out * len(tokens))
        shortest = config.batch * (config.window + 1)
        if n_learned < shortest:
            raise TextError(
                f"{config.batch} rows of {config.window} tokens need at least {shortest} tokens"
                f" to learn from, the text has {n_learned}: use a longer text or a smaller batch"
            )
        self._text, self._n_learned = tokens.to(self.device), n_learned
        self._rng = generator(config.seed)
        if fresh:
            model.initialise(self._rng)
        model.to(self.device)
        # Dropout is drawn where the model is; on the processor one generator serves all.
        self._dropout_rng = self._rng
        if self.device.type != "cpu":
            self._dropout_rng = generator(config.seed, self.device)
        self._dtype = _dtype_on(self.device, config.dtype)
        self._predict = model.training_logits
        self._soft_targets = soft_targets
        self._rows = StatefulBatches(
            config.batch, config.window, self._rng, own=self._own_rows, device=self.device
        )
        self._state: State = ()
        self.loop = TrainingLoop(
            model.parameters(),
            self._next_loss,
            make_optimizer(model, config.weight_decay, config.optimizer),
            steps=config.steps,
            learning_rate=learning_rates_of(config),
            clip=clip_by_norm(config.clip),
            # Reported is the loss on the text, also where a teacher's probabilities are learned.
            reported=lambda _: self._of_whole_batch(self._nats),
        )

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the remaining steps, one at a time."""
        while self.step < self.config.steps:
            yield self.take_step()

    def take_step(self) -> TrainStep:
        """Learn from the next window of every row.

        Raises DivergenceError if the loss or the gradient is no number any more; the weights are
        then still those of the step before.
        """
        step = self.loop.take_step()
        return step._replace(held_out_loss=self._held_out_loss())

    @property
    def step(self) -> int:
        """Steps taken so far."""
        return self.loop.step

    @property
    def seconds(self) -> float:
        """Time spent in steps so far."""
        return self.loop.seconds

    def _parts(self) -> Parts:
        remembered = Value(lambda: list(self._state), self._remember)
        rngs = {"rng": self._rng, "dropout_rng": self._dropout_rng}
        return {"model": self.model, **rngs, "state": remembered}

    def _beside(self) -> tuple[Part, ...]:
        return self._rows, self.loop

    def _remember(self, saved: list[Tensor]) -> None:
        self._state = tuple(tensor.to(self.device) for tensor in saved)

    def close(self) -> None:
        """Let go of what lies outside this process: nothing, unless devices share the training."""

    @property
    def _holds_out(self) -> bool:
        return (
            self._n_learned < len(self._text)
            and self.step < self.config.held_out_until * self.config.steps
        )

    def _next_loss(self) -> Tensor:
        """Read the next window and return what is learned from: nats per token."""
        inputs, targets, soft_targets = self._next_window()
        self.model.train()
        logits, state = self._predict(inputs, self._state, rng=self._dropout_rng, dtype=self._dtype)
        # The past is remembered, but gradients stop at the window's edge.
        self._state = tuple(tensor.detach() for tensor in state)
        loss = functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        self._nats = loss.detach()
        if soft_targets is None:
            return loss
        return functional.cross_entropy(logits.flatten(0, 1), soft_targets.flatten(0, 1))

    def _next_window(self) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return inputs and targets, each (B, T), and the teacher's (B, T, V) if there is one."""
        if self._rows.is_read:
            length = self._n_learned if self._holds_out else len(self._text)
            self._state = self.model.initial_state(self._rows.start_pass(length))
        positions, following = self._rows.next_window()
        soft = None if self._soft_targets is None else self._soft_targets(positions)
        return self._text[positions], self._text[following], soft

    def _of_whole_batch(self, loss: Tensor) -> float:
        """Return the loss on the text as a number: that of all rows, where this process has but some."""
        return loss.item()

    def _held_out_loss(self) -> float | None:
        if self.step % self.held_out_every or not self._holds_out:
            return None
        self.model.eval()
        return mean_loss(self.model, self._text[self._n_learned :])


def train(
    model: LanguageModel, tokens: Tensor, config: TrainingConfig, *, fresh: bool = True
) -> Iterator[TrainStep]:
    """Train `model` on `tokens` from the start; see `Training` for the parameters."""
    yield from Training(model, tokens, config, fresh=fresh)


@torch.no_grad()
def mean_loss(model: LanguageModel, tokens: Tensor, batch: int = 16, window: int = 256) -> float:
    """Return nats per token of a text read in `batch` parallel rows with the state carried.

    A quick look while training; `lm_core.training.evaluation` has the exact yardstick.
    """
    batch = max(1, min(batch, len(tokens) // 2))
    length = len(tokens) // batch
    rows = tokens[: batch * length].view(batch, length)
    state, total = model.initial_state(batch), 0.0
    for start in range(0, length - 1, window):
        stop = min(start + window, length - 1)
        logits, state = model(rows[:, start:stop], state)
        targets = rows[:, start + 1 : stop + 1]
        total += functional.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), reduction="sum"
        ).item()
    return total / (batch * (length - 1))


def _dtype_on(device: torch.device, name: str) -> torch.dtype:
    if name == _AUTO_DTYPE:
        name = "bfloat16" if device.type == "cuda" else "float32"
    return _DTYPES[name]
