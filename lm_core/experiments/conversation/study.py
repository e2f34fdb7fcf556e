"""Does it listen? How probable held-out replies are after the turn that they answer, another one, or none."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import torch

from lm_core.experiments.assistant.tuning import answer_losses
from lm_core.experiments.conversation.dialogues import Dialogue, reply_row
from lm_core.models.language_model import LanguageModel
from lm_core.results import NonNegative, Positive, Share
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary

WRITER = "library-transformer"
"""The model that replies."""
SEED = 1
"""Of the other turns that are drawn."""
CANDIDATES = 8
"""Turns among which the one is looked for that a reply answers."""
CHANCE = 1.0 / CANDIDATES


class Exchange(NamedTuple):
    """A reply, the turn that it answers, and turns of other dialogues."""

    turn: str
    reply: str
    others: tuple[str, ...]


class ReplyScores(NamedTuple):
    """How the model expects held-out replies."""

    answered: NonNegative  # nats per token of the reply, after the turn that it answers
    other: NonNegative  # ... after a turn of another dialogue
    nothing: NonNegative  # ... at the beginning of a text
    found: Share  # of replies, after whose own turn of `CANDIDATES` they are the most probable
    replies: Positive

    @property
    def standard_error(self) -> float:
        """Of the share found, from the replies as independent."""
        return float((self.found * (1.0 - self.found) / self.replies) ** 0.5)


def exchanges_of(dialogues: Sequence[Dialogue], seed: int) -> list[Exchange]:
    """Return every reply of some dialogues with its turn, and turns that are drawn from all others."""
    rng, found = generator(seed), []
    for place, dialogue in enumerate(dialogues):
        elsewhere = [t for d in (*dialogues[:place], *dialogues[place + 1 :]) for t in d]
        for turn, reply in itertools.pairwise(dialogue):
            drawn = torch.randperm(len(elsewhere), generator=rng)[: CANDIDATES - 1].tolist()
            found.append(Exchange(turn, reply, tuple(elsewhere[i] for i in drawn)))
    return found


@torch.inference_mode()
def reply_losses(
    model: LanguageModel,
    vocabulary: CharacterVocabulary,
    befores: Sequence[Sequence[str]],
    reply: str,
) -> list[float]:
    """Return the mean loss of a reply's tokens, in nats, after each of several series of turns."""
    rows = [reply_row(vocabulary, before, [reply]) for before in befores]
    losses, places = answer_losses(model, rows)
    sums = torch.zeros(len(rows)).index_add(0, places, losses)
    means: list[float] = (sums / places.bincount(minlength=len(rows))).tolist()
    return means


def score_replies(
    model: LanguageModel, vocabulary: CharacterVocabulary, exchanges: Sequence[Exchange]
) -> ReplyScores:
    """Read every reply after its own turn, after each other one, and after nothing."""
    totals, n_tokens, n_found = torch.zeros(3), 0, 0
    for turn, reply, others in exchanges:
        befores = [[turn], *([other] for other in others), []]
        own, *away, alone = reply_losses(model, vocabulary, befores, reply)
        length = int(reply_row(vocabulary, [], [reply]).is_answer.sum())
        totals += length * torch.tensor([own, away[0], alone])
        n_tokens += length
        n_found += own < min(away)
    answered, other, nothing = (totals / n_tokens).tolist()
    return ReplyScores(answered, other, nothing, n_found / len(exchanges), len(exchanges))
