"""How a writer is tuned: method, reward, KL weight and sizes."""

from dataclasses import dataclass

from lm_core.errors import SettingError, require_fields_at_least_1, require_positive
from lm_core.experiments.preferences.rules import RULES

EXPERIMENT = "preferences"
WRITER = "book-subword-transformer"
"""The shipped model that is tuned, and that stays as the reference."""
LENGTH = 20
"""Subwords of a continuation."""

REINFORCE, PPO, DPO = "REINFORCE", "PPO", "DPO"
METHODS = (REINFORCE, PPO, DPO)
REWARD_MODEL, RULE = "reward model", "rule"
REWARDS = (REWARD_MODEL, RULE)
N_COMPARISONS = 400
"""Judged pairs that the reward models of the prepared runs, and DPO, learn from."""


@dataclass(frozen=True)
class TuningConfig:
    """Settings of one tuning; two equal ones are the same run."""

    rule: str
    """Of `RULES`: what judges the comparisons, and the texts when they are scored."""
    method: str = PPO
    """Of `METHODS`."""
    reward: str = REWARD_MODEL
    """Of `REWARDS`: what the texts are rewarded with. DPO has no reward, and learns from the
    comparisons."""
    kl_weight: float = 0.3
    r"""\beta, at least 0; above 0 for DPO."""
    steps: int = 30
    """Batches that are learned from."""
    prompts: int = 6
    texts: int = 4
    """`prompts` and `texts`: beginnings a batch, and texts for each, at least 2; of DPO's pairs
    half as many as texts."""
    epochs: int = 2
    """Steps on each batch of texts, for PPO alone."""
    clip: float = 0.2
    r"""PPO's \epsilon."""
    rank: int = 4
    """Of the low-rank updates."""
    learning_rate: float = 0.002
    """Adam's."""
    longest_gradient: float = 1.0
    """Longer ones are shortened to it."""
    seed: int = 1

    def __post_init__(self) -> None:
        known = (("rule", tuple(RULES)), ("method", METHODS), ("reward", REWARDS))
        for name, values in known:
            if getattr(self, name) not in values:
                raise SettingError(f"{name} must be one of {values}, got {getattr(self, name)!r}")
        require_fields_at_least_1(self, "steps prompts epochs rank")
        require_positive(
            clip=self.clip, learning_rate=self.learning_rate, longest_gradient=self.longest_gradient
        )
        if self.texts < 2:
            raise SettingError(f"texts must be at least 2, got {self.texts}")
        if not self.kl_weight >= 0.0 or (self.method == DPO and not self.kl_weight):
            least = "above 0 for DPO" if self.method == DPO else "at least 0"
            raise SettingError(f"kl_weight must be {least}, got {self.kl_weight}")

    @property
    def name(self) -> str:
        """What a run is called in results: rule, method, reward and KL weight."""
        reward = "" if self.method == DPO else f", {self.reward}"
        return f"{self.rule}, {self.method}{reward}, {self.kl_weight:g}"
