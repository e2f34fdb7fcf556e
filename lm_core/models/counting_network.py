"""A plain recurrent network (RNN) over one-hot numbers: the smallest recurrent language model of the lab."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.errors import SettingError, ShapeError
from lm_core.models.language_model import LanguageModel, State
from lm_core.models.recurrent import RNNCell

INITIALISATIONS = ("normal", "uniform")


@dataclass(frozen=True)
class CountingNetworkConfig:
    """The network that learns to count."""

    numbers: int = 128
    """V: it reads and predicts 0..V-1; at least 2."""
    hidden_size: int = 32
    """H, in 1..256."""
    initialisation: str = "normal"
    """How its recurrent weights are drawn: ``normal``, from a standard normal distribution, as
    in the blog series (part IV), which saturates most of the tanh units from the first step
    on; or ``uniform``, within 1/sqrt(H), as PyTorch does."""

    def __post_init__(self) -> None:
        if self.numbers < 2:
            raise SettingError(f"numbers must be at least 2, got {self.numbers}")
        if not 1 <= self.hidden_size <= 256:
            raise SettingError(f"hidden_size must lie in 1..256, got {self.hidden_size}")
        if self.initialisation not in INITIALISATIONS:
            raise SettingError(
                f"initialisation must be one of {INITIALISATIONS}, got {self.initialisation!r}"
            )


class CountingNetwork(LanguageModel):
    """One-hot numbers -> RNN cell (tanh) -> linear. The state is (h,), of shape (B, H)."""

    def __init__(self, config: CountingNetworkConfig) -> None:
        super().__init__()
        self.config: CountingNetworkConfig = config
        self.cell = RNNCell(config.numbers, config.hidden_size)
        self.output = nn.Linear(config.hidden_size, config.numbers)

    @property
    def vocabulary_size(self) -> int:
        """How many numbers there are, V."""
        return self.config.numbers

    def initial_state(self, batch: int) -> State:
        """Return zeros for h."""
        return self.cell.initial_state(batch)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) numbers; return logits (B, T, V) and the state after them."""
        if tokens.dim() != 2:
            raise ShapeError(f"tokens must have shape (B, T), got {tuple(tokens.shape)}")
        one_hot = functional.one_hot(tokens, self.config.numbers).to(self.output.weight.dtype)
        hidden, state = self.cell(one_hot, state)  # (B, T, H)
        return self.output(hidden), state

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the recurrent weights as the config says, those of the output layer as PyTorch does."""
        self.cell.initialise(rng)
        if self.config.initialisation == "normal":
            for parameter in self.cell.parameters():
                parameter.normal_(generator=rng)
        bound = self.config.hidden_size**-0.5
        for parameter in self.output.parameters():
            parameter.uniform_(-bound, bound, generator=rng)
