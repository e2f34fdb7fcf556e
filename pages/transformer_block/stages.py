"""What each stage is called on the page, what it does, and which line of the readable code makes it."""

import inspect
from functools import cache
from typing import NamedTuple

from lm_core.analysis import residual_stream as stream
from lm_core.analysis.residual_stream import Stage
from lm_core.models import gpt
from lm_core.models.transformer_config import TransformerLanguageModelConfig


class Described(NamedTuple):
    """A kind of stage."""

    short: str
    """Under its column."""
    name: str
    shape: str
    """As the code writes it."""
    meaning: str
    """What happens there and why, in a sentence or two."""
    code: str
    """The part of a line of `gpt` that makes it."""


STAGES = {
    "tokens": Described(
        "token",
        "token embedding",
        "[tokens, width]",
        "Each token is looked up in a table and becomes a vector, because the model can only calculate with"
        " numbers. It is the same one wherever the token stands.",
        "self.embedding(tokens)",
    ),
    "positions": Described(
        "position",
        "position embedding",
        "[tokens, width]",
        "Each place in the text has a vector, whatever token stands there, so that the order is known.",
        "self.codes(positions)",
    ),
    "embedded": Described(
        "stream",
        "residual stream, at its start",
        "[tokens, width]",
        "Here the *residual stream* begins. All that follows only adds to it, so the token itself stays in it.",
        "x = self.embedding(tokens)",
    ),
    "attention_norm": Described(
        "norm",
        "layer norm before attention",
        "[tokens, width]",
        "Each token's vector is brought to mean 0 and spread 1, then scaled by learned numbers, so that"
        " attention reads numbers of about the same size in every block.",
        "self.attention_norm(x)",
    ),
    "heads": Described(
        "heads",
        "what the heads mix",
        "[tokens, heads, width / heads]",
        "Each head takes a weighted mean of the values of the tokens up to here. It is the only place"
        " where tokens learn of each other, because every other stage treats each token by itself.",
        "weights @ values",
    ),
    "attention": Described(
        "attention",
        "what attention adds",
        "[tokens, width]",
        "One matrix turns what all heads have mixed into a vector as wide as the stream, so that it can be added"
        " to it.",
        "self.output((weights",
    ),
    "after_attention": Described(
        "add",
        "residual stream, after attention",
        "[tokens, width]",
        "The stream as it was, plus what attention adds. Nothing is overwritten, so later blocks still"
        " find what was there.",
        "x = x + self.attention(",
    ),
    "feed_forward_norm": Described(
        "norm",
        "layer norm before the feed-forward network",
        "[tokens, width]",
        "As before attention, each vector is brought to mean 0 and spread 1, then scaled, because its numbers"
        " have changed by what attention has added.",
        "self.feed_forward_norm(x)",
    ),
    "widened": Described(
        "widen",
        "feed-forward network: widened",
        "[tokens, {wide} * width]",
        "There are {wide} times as many *units* as the vector has numbers, and each looks for one pattern in it. A"
        " unit is large where the vector fits its weights, because it is their dot product.",
        "self.widened(",
    ),
    "activated": Described(
        "GELU",
        "feed-forward network: activation",
        "[tokens, {wide} * width]",
        "GELU lets large numbers pass and leaves of a negative one at most −0.17, so a unit whose pattern is"
        " absent stays almost silent. Without it, two layers would do no more than one.",
        "F.gelu(",
    ),
    "narrowed": Described(
        "narrow",
        "what the feed-forward network adds",
        "[tokens, width]",
        "Each unit adds its own vector, the more of it the further the unit is on, because every unit has a"
        " column of the matrix; their sum is added to the stream.",
        "self.narrowed(hidden)",
    ),
    "after_feed_forward": Described(
        "add",
        "residual stream, after the block",
        "[tokens, width]",
        "The stream plus what the feed-forward network adds. This is all that the next block reads, so whatever"
        " this block has found must be in it.",
        "return x + self.narrowed",
    ),
    "output_norm": Described(
        "norm",
        "last layer norm",
        "[tokens, width]",
        "The stream at its end is brought to mean 0 and spread 1 once more, so that the logits keep a"
        " sensible size.",
        "self.output_norm(self.blocks(x))",
    ),
    "logits": Described(
        "logits",
        "logits",
        "[tokens, vocabulary]",
        "Each token of the vocabulary gets a number that says how well its vector fits the stream. These may be"
        " negative and add up to anything, so the softmax makes probabilities of them.",
        "@ self.embedding.weight.T",
    ),
}
"""By the stage's name, in the order in which they are computed; `described` says how wide a model's are."""


def described(stage: Stage, config: TransformerLanguageModelConfig) -> Described:
    """Return what a stage of a model is."""
    one, wide = STAGES[stage.name], f"{config.feed_forward:g}"
    return one._replace(shape=one.shape.format(wide=wide), meaning=one.meaning.format(wide=wide))


def stream_name(stage: Stage) -> str:
    """Return what a stage of the residual stream is called: after which part it stands."""
    if stage.layer is None:
        return "embedding"
    half = "attention" if stage.name == stream.AFTER_ATTENTION else "feed-forward"
    return f"{stage.layer + 1} {half}"


@cache
def line_of(name: str) -> tuple[int, str]:
    """Return the number and the text of the line of the readable code that makes a stage."""
    wanted = STAGES[name].code
    lines = inspect.getsource(gpt).splitlines()
    return next((i, line.strip()) for i, line in enumerate(lines, 1) if wanted in line)
