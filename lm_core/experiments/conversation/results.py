"""What was measured of replies, and the low-rank updates that the model was tuned to, shipped."""

from dataclasses import dataclass

from lm_core.experiments.conversation.study import ReplyScores
from lm_core.results import NonNegative, Positive, Recorded, StoredTensor


@dataclass(frozen=True)
class ConversationResults(Recorded, name="conversation"):
    """How probable replies are that no model has read, before and after the tuning."""

    dialogues: Positive  # that the tuning learned from
    replies: Positive  # in them
    seconds: NonNegative  # of the tuning's steps, on one core beside other work
    untuned: ReplyScores
    tuned: ReplyScores
    updates: dict[str, StoredTensor]  # as `low_rank.thin_matrices` names them, in half precision
