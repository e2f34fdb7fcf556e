"""Training two encoder-decoders on a toy task, and how many whole answers they get right by length."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from lm_core.experiments.toy_tasks.results import LengthScore, Step
from lm_core.experiments.toy_tasks.tasks import DIGITS, LETTERS, Pair, ToyTask, draw_pairs
from lm_core.experiments.translation.batches import EncodedPair, pair_batch
from lm_core.experiments.translation.training import token_losses
from lm_core.generation.translation_search import greedy_search
from lm_core.models.encoder_decoder import EncoderDecoderConfig, RecurrentEncoderDecoder
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.rng import generator
from lm_core.text.translation_vocabulary import END, SPECIAL_TOKENS, START, padded
from lm_core.training.eager_optimizers import AdamW
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rate_at

SYMBOLS = (*SPECIAL_TOKENS, *LETTERS, *DIGITS, *"+()[]")
"""What all models read and write; the special ones are those of translations."""
BATCH, LEARNING_RATE = 64, 4e-3
TESTED, FEWEST = 200, 20
"""Strings of a test at each length; where fewer are held out than the second says, there is none."""
_BEYOND = 3  # signs that an answer may have more than what was read, its end among them
_TEST_SEED = 2**31
_ID = {symbol: i for i, symbol in enumerate(SYMBOLS)}


def configured(attention: str) -> EncoderDecoderConfig:
    """Return the sizes, which are equal but for the attention."""
    return EncoderDecoderConfig(
        len(SYMBOLS),
        attention,
        16,
        encoder_size=32,
        context_size=64,
        hidden_size=64,
        attention_size=32,
    )


def train(
    model: RecurrentEncoderDecoder, task: ToyTask, rng: torch.Generator
) -> Iterator[TrainStep]:
    """Train on new strings at every step, of every length up to the longest of training."""
    lengths = range(1, task.trained + 1)

    def next_loss() -> Tensor:
        pairs = draw_pairs(task, BATCH, lengths, rng, held_out=False)
        batch = pair_batch([EncodedPair(_ids(p.given), _ids(p.wanted)) for p in pairs])
        return token_losses(model(*batch.source, batch.read), batch.targets.ids, 0.0)[1]

    yield from TrainingLoop(
        model.parameters(),
        next_loss,
        AdamW(model.parameters(), lr=LEARNING_RATE),
        steps=task.steps,
        learning_rate=lambda step: learning_rate_at(
            step, steps=task.steps, peak=LEARNING_RATE, warmup_steps=50
        ),
        clip=clip_by_norm(1.0),
    )


def score(model: EncoderDecoder, task: ToyTask) -> tuple[LengthScore, ...]:
    """Return the share of whole answers right, by length, on strings that no training has seen."""
    rng, scores = generator(_TEST_SEED), []
    for length in range(1, task.longest + 1):
        drawn = draw_pairs(task, TESTED, range(length, length + 1), rng, held_out=True)
        pairs: list[Pair] = sorted(set(drawn))
        if len(pairs) >= FEWEST:
            answers = answer_all(model, [pair.given for pair in pairs])
            right = sum(a == pair.wanted for a, pair in zip(answers, pairs, strict=True))
            scores.append(LengthScore(length, len(pairs), right))
    return tuple(scores)


def answer_all(model: EncoderDecoder, given: Sequence[str]) -> list[str]:
    """Return a model's answers, each sign the most probable one."""
    return ["".join(map(_sign, tokens)) for tokens in _found(model, given)]


@torch.no_grad()
def answer_steps(model: EncoderDecoder, given: str) -> tuple[Step, ...]:
    """Return what the model answers, sign by sign, each with its probability; the end is an empty sign."""
    (tokens,) = _found(model, [given])
    read = torch.tensor([[START, *tokens[:-1]]])
    shares = model(*padded([_ids(given)]), read)[0].softmax(-1)
    return tuple(
        Step(_sign(token), float(row[token])) for token, row in zip(tokens, shares, strict=True)
    )


def _found(model: EncoderDecoder, given: Sequence[str]) -> list[tuple[int, ...]]:
    state = model.encode(*padded([_ids(each) for each in given]))
    found = greedy_search(model, state, longest=max(map(len, given)) + _BEYOND)
    return [each.tokens for each in found]


def _sign(token: int) -> str:
    return "" if token == END else SYMBOLS[token]


def _ids(text: str) -> list[int]:
    return [*(_ID[sign] for sign in text), END]
