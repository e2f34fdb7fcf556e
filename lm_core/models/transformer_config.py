"""The settings of a decoder-only transformer."""

from dataclasses import dataclass

from lm_core.errors import SettingError, require_below_1, require_fields_at_least_1

ADDED_POSITIONS = ("learned", "sinusoidal", "binary")
"""Position codes that are added to a token's vector and count from the start of a block."""

POSITIONS = (*ADDED_POSITIONS, "rotary", "t5", "alibi", "none")
NORMS = ("pre", "post", "none")
ACTIVATIONS = ("gelu", "gelu_tanh")
"""GELU, and its approximation by a hyperbolic tangent, which GPT-2 has."""


@dataclass(frozen=True)
class TransformerLanguageModelConfig:
    """Sizes and switches of a `TransformerLanguageModel`."""

    vocabulary_size: int
    width: int
    heads: int
    layers: int
    """`vocabulary_size`, `width`, `heads` and `layers`: V, D, H and the number of blocks; D is a
    multiple of H."""
    context: int = 256
    """C, how many tokens each one may attend to, itself included. Where positions are relative,
    it is the last C; where a code is added to each token, texts are read in blocks of C, and
    nothing is remembered from one to the next."""
    feed_forward: int = 4
    """Units between the two layers of a block's network, in multiples of D."""
    position: str = "rotary"
    """``learned``, ``sinusoidal``, ``binary`` (added to the token's vector), ``rotary``, ``t5``,
    ``alibi`` (relative) or ``none``."""
    norm: str = "pre"
    """Layer norm before each sublayer (``pre``), after it (``post``), or ``none``."""
    residual: bool = True
    """Whether each sublayer's output is added to its input, instead of taking its place."""
    causal: bool = True
    """Whether tokens may attend only to what came before. Without it the model sees, in
    training, what it is asked to predict."""
    dropout: float = 0.0
    """In [0, 1). Share of units set to zero after the embedding and after each sublayer."""
    cold_starts: float = 0.0
    """In [0, 1]. Share of the texts that begin a training window with an empty memory. 0 trains
    for texts that go on for ever, 1 is the usual training on windows cut out at random."""
    query_key_norm: bool = False
    """Whether queries and keys are brought to one length before they are compared, which bounds
    the scores: see `MultiHeadAttention`."""
    activation: str = "gelu"
    """Of the block's network: one of `ACTIVATIONS`."""
    bias: bool = False
    """Whether the linear layers of the blocks add a bias, as GPT-2's do."""
    tied_output: bool = False
    """Whether the output layer is the embedding's matrix, without a bias (Press and Wolf 2017,
    https://arxiv.org/abs/1608.05859), and not one of its own."""

    def __post_init__(self) -> None:
        require_fields_at_least_1(self, "vocabulary_size width heads layers context feed_forward")
        if self.width % self.heads:
            raise SettingError(
                f"width must be a multiple of heads, got {self.width} and {self.heads}"
            )
        choices = (("position", POSITIONS), ("norm", NORMS), ("activation", ACTIVATIONS))
        for name, known in choices:
            if getattr(self, name) not in known:
                raise SettingError(f"{name} must be one of {known}, got {getattr(self, name)!r}")
        if self.position == "rotary" and self.head_width % 2:
            raise SettingError(f"rotary positions need an even head width, got {self.head_width}")
        if self.position == "sinusoidal" and self.width % 2:
            raise SettingError(f"sinusoidal positions need an even width, got {self.width}")
        require_below_1(dropout=self.dropout)
        if not 0.0 <= self.cold_starts <= 1.0:
            raise SettingError(f"cold_starts must lie in [0, 1], got {self.cold_starts}")

    @property
    def head_width(self) -> int:
        """Width of one head's queries, keys and values, d = D / H."""
        return self.width // self.heads

    @property
    def has_blocks(self) -> bool:
        """Whether texts are read in blocks, because a code for the position is added to each token."""
        return self.position in ADDED_POSITIONS
