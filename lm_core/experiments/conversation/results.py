"""What was measured of replies, shipped."""

from dataclasses import dataclass

from lm_core.experiments.conversation.study import ReplyScores
from lm_core.results import Recorded


@dataclass(frozen=True)
class ConversationResults(Recorded, name="conversation"):
    """How probable replies are that no model has read."""

    scores: ReplyScores
