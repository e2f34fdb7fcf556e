"""The settings of a decoder-only transformer."""

from dataclasses import dataclass, field

from lm_core.errors import SettingError, require_below_1, require_fields_at_least_1

ADDED_POSITIONS = ("learned", "sinusoidal", "binary")
"""Position codes that are added to a token's vector and count from the start of a block."""

POSITIONS = (*ADDED_POSITIONS, "rotary", "t5", "alibi", "none")
NORMS = ("pre", "post", "none")
ACTIVATIONS = ("gelu", "gelu_tanh", "swiglu")
"""GELU, its approximation by a hyperbolic tangent, which GPT-2 has, and a gate with SiLU."""

NORMALISATIONS = ("layer_norm", "rms_norm")

LATER = {"is_later": True}
"""Of a field that came when models had been trained: at its default it is not written into their records."""


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
    feed_forward: int | float = 4
    """Units between the two layers of a block's network, in multiples of D; with ``swiglu`` two
    thirds as many, because it has three matrices in place of two."""
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
    normalisation: str = field(default="layer_norm", metadata=LATER)
    """What a norm does, wherever there is one: of `NORMALISATIONS`."""
    key_value_heads: int | None = field(default=None, metadata=LATER)
    """Heads that have keys and values of their own, G; H is a multiple of G, and H / G heads
    share them (grouped queries). By default each head has its own."""

    def __post_init__(self) -> None:
        require_fields_at_least_1(self, "vocabulary_size width heads layers context feed_forward")
        if self.width % self.heads:
            raise SettingError(
                f"width must be a multiple of heads, got {self.width} and {self.heads}"
            )
        shared = self.key_value_heads
        if shared is not None and (shared < 1 or self.heads % shared):
            raise SettingError(
                f"heads must be a multiple of key_value_heads, got {self.heads} and {shared}"
            )
        choices = {
            "position": POSITIONS,
            "norm": NORMS,
            "activation": ACTIVATIONS,
            "normalisation": NORMALISATIONS,
        }
        for name, known in choices.items():
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
    def key_value_width(self) -> int:
        """Numbers of a token's keys in one layer, and of its values: G d."""
        return self.head_width * (self.key_value_heads or self.heads)

    @property
    def cached_numbers(self) -> int:
        """Numbers that the cache keeps of a token: its keys and values in each layer."""
        return 2 * self.layers * self.key_value_width

    @property
    def has_blocks(self) -> bool:
        """Whether texts are read in blocks, because a code for the position is added to each token."""
        return self.position in ADDED_POSITIONS
