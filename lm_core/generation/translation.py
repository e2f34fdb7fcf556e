"""A sentence translated, with everything that one may want to see of it: the pages' way to the models.

A search finds the tokens; then the decoder reads them once more, traced, and says for each step what
else was probable and where the cross-attention looked. So any translation can be traced, a person's
too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, TextError
from lm_core.generation.translation_search import (
    Hypothesis,
    beam_search,
    greedy_search,
    log_probabilities_of,
)
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.models.language_model import State
from lm_core.text.translation_vocabulary import (
    END,
    START,
    UNKNOWN_ID,
    TranslationVocabulary,
    normalised,
    padded,
)

Heads = Iterable[tuple[int, int]]
"""Layer and head, both from 0."""

_SHORTEST_LIMIT = 20


class Candidate(NamedTuple):
    """A token that could come next, how it is spelled, and its probability."""

    token: int
    symbol: str
    probability: float


class TranslationStep(NamedTuple):
    """One token of a translation."""

    token: int
    symbol: str
    """A space at its beginning starts a word; empty for the end."""
    probability: float
    """Given the input sentence and the tokens before."""
    rank: int
    """Tokens that were more probable."""
    candidates: tuple[Candidate, ...]
    """The most probable ones first."""


@dataclass(frozen=True)
class Translation:
    """A source sentence and its translation, token by token."""

    source: str
    """As the model reads it."""
    source_ids: tuple[int, ...]
    target_ids: tuple[int, ...]
    """`source_ids` and `target_ids`: both with their end, the target only if it was reached."""
    source_symbols: tuple[str, ...]
    """Spelling of the input sentence's tokens; empty for the end, ``<unk>`` for an unknown
    character."""
    text: str
    steps: tuple[TranslationStep, ...]
    """One for each of the target's tokens."""
    attention: Tensor | None
    """Of shape (layers, heads, T, S), or None. Weights of the cross-attention while each target
    token was predicted; rows sum to one. None without cross-attention."""
    log_probability: float
    """Natural logarithm."""

    @property
    def target_symbols(self) -> tuple[str, ...]:
        """Spelling of the target's tokens."""
        return tuple(step.symbol for step in self.steps)

    @property
    def is_finished(self) -> bool:
        """Whether it came to its end."""
        return self.target_ids[-1:] == (END,)

    @property
    def n_unknown(self) -> int:
        """Characters of the input sentence that the models never saw."""
        return self.source_ids.count(UNKNOWN_ID)


# Translating ------------------------------------------------------------------------------------


def translate(
    model: EncoderDecoder,
    vocabulary: TranslationVocabulary,
    sentence: str,
    *,
    width: int = 1,
    length_penalty: float = 1.0,
    prefix: Sequence[int] = (),
    ablated: Heads = (),
    top: int = 8,
) -> Translation:
    """Translate one sentence and trace how.

    Raises TextError if the sentence is empty or too long, and SettingError if the width, a head or
    a token of the prefix is unknown.

    Parameters
    ----------
    width : int, 1 for greedy decoding, more for a beam search
    length_penalty : float, 0 favours short translations, 1 compares probabilities per token
    prefix : sequence of int
        Tokens that the translation begins with, chosen by hand; if its end is among them, all of it.
    ablated : iterable of (layer, head), heads of the cross-attention that hand nothing on
    top : int, candidates kept for each step
    """
    source = vocabulary.read(sentence)
    kept = kept_heads(model, ablated)
    tokens = checked_prefix(prefix, model)
    if END not in tokens:
        hypotheses = _search(
            model, encode_rows(model, [source]), source, width, length_penalty, tokens, kept
        )
        tokens = hypotheses[0][0].tokens
    return _traced(model, vocabulary, sentence, source, tokens, kept, top)


def trace_translation(
    model: EncoderDecoder,
    vocabulary: TranslationVocabulary,
    sentence: str,
    target: Sequence[int],
    *,
    ablated: Heads = (),
    top: int = 8,
) -> Translation:
    """Trace a translation whose tokens are given, such as a person's: what each step would have been.

    `target` are ids, ``[*vocabulary.encode(text), END]``; errors are `translate`'s.
    """
    tokens = checked_prefix(target, model)
    if not tokens:
        raise TextError("the translation is empty: write a few French words")
    source, kept = vocabulary.read(sentence), kept_heads(model, ablated)
    return _traced(model, vocabulary, sentence, source, tokens, kept, top)


def next_candidates(
    model: EncoderDecoder,
    vocabulary: TranslationVocabulary,
    sentence: str,
    prefix: Sequence[int] = (),
    *,
    ablated: Heads = (),
    top: int = 8,
) -> tuple[Candidate, ...]:
    """Return the most probable tokens after a prefix; errors are `translate`'s."""
    source = vocabulary.read(sentence)
    state = encode_rows(model, [source])
    read = torch.tensor([[START, *checked_prefix(prefix, model)]])
    with torch.inference_mode():
        output = model.decode(read, state, kept_heads=kept_heads(model, ablated))
    return _candidates(log_probabilities_of(output.logits[0, -1]).exp(), vocabulary, top)


def translate_all(
    model: EncoderDecoder,
    vocabulary: TranslationVocabulary,
    sentences: Sequence[str],
    *,
    width: int = 1,
    length_penalty: float = 1.0,
    ablated: Heads = (),
    batch: int = 50,
) -> list[str]:
    """Translate many sentences, those of equal length side by side; return them in the order given."""
    sources = [vocabulary.read(sentence) for sentence in sentences]
    kept = kept_heads(model, ablated)
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    texts = [""] * len(sources)
    for start in range(0, len(order), batch):
        places = order[start : start + batch]
        rows = [sources[place] for place in places]
        found = _search(model, encode_rows(model, rows), rows[-1], width, length_penalty, (), kept)
        for place, hypotheses in zip(places, found, strict=True):
            texts[place] = vocabulary.decode(hypotheses[0].tokens)
    return texts


def kept_heads(model: EncoderDecoder, ablated: Heads) -> Tensor | None:
    """Return 1 for each head of the cross-attention that is kept and 0 for the others; None for all kept.

    Raises SettingError if there is no such head.
    """
    layers, heads = model.cross_attention_shape
    kept = torch.ones(layers, heads)
    for layer, head in (ablated := list(ablated)):
        if not (0 <= layer < layers and 0 <= head < heads):
            raise SettingError(
                f"the cross-attention has {layers} layers of {heads} heads, got ({layer}, {head})"
            )
        kept[layer, head] = 0.0
    return kept if ablated else None


def all_heads(model: EncoderDecoder) -> list[tuple[int, int]]:
    """Return every head of the cross-attention: what to ablate to switch it off."""
    layers, heads = model.cross_attention_shape
    return [(layer, head) for layer in range(layers) for head in range(heads)]


def encode_rows(model: EncoderDecoder, sources: Sequence[Sequence[int]]) -> State:
    """Return the state of a model that has read some sentences, given as ids."""
    with torch.inference_mode():
        return model.encode(*padded(sources))


def longest_translation(source: Sequence[int]) -> int:
    """Return the most tokens that a translation of a source may have before it is cut off."""
    return max(_SHORTEST_LIMIT, 2 * len(source))


def _search(
    model: EncoderDecoder,
    state: State,
    longest_source: Sequence[int],
    width: int,
    length_penalty: float,
    prefix: Sequence[int],
    kept: Tensor | None,
) -> list[list[Hypothesis]]:
    longest = max(longest_translation(longest_source), len(prefix) + 1)
    if width == 1:
        found = greedy_search(model, state, longest=longest, prefix=prefix, kept_heads=kept)
        return [[hypothesis] for hypothesis in found]
    return beam_search(
        model,
        state,
        width=width,
        longest=longest,
        length_penalty=length_penalty,
        prefix=prefix,
        kept_heads=kept,
    )


def checked_prefix(prefix: Sequence[int], model: EncoderDecoder) -> tuple[int, ...]:
    """Return the tokens that a translation begins with, up to the end if it is among them.

    Raises SettingError if a token is unknown, or none that a translation may have.
    """
    strange = [token for token in prefix if not START < token < model.vocabulary_size]
    if strange:
        raise SettingError(
            f"tokens of a translation must lie in {START + 1}..{model.vocabulary_size - 1},"
            f" got {strange[0]}"
        )
    tokens = tuple(prefix)
    return tokens[: tokens.index(END) + 1] if END in tokens else tokens


# Tracing ----------------------------------------------------------------------------------------


def _traced(
    model: EncoderDecoder,
    vocabulary: TranslationVocabulary,
    sentence: str,
    source: Sequence[int],
    tokens: Sequence[int],
    kept: Tensor | None,
    top: int,
) -> Translation:
    read = torch.tensor([[START, *tokens[:-1]]])
    with torch.inference_mode():
        output = model.decode(read, encode_rows(model, [source]), trace=True, kept_heads=kept)
    logarithms = log_probabilities_of(output.logits[0])  # (T, V)
    steps = tuple(
        _step(row.exp(), token, vocabulary, top)
        for row, token in zip(logarithms, tokens, strict=True)
    )
    return Translation(
        source=normalised(sentence),
        source_ids=tuple(source),
        target_ids=tuple(tokens),
        source_symbols=tuple(spelled(i, vocabulary) for i in source),
        text=vocabulary.decode(tokens),
        steps=steps,
        attention=None if output.weights is None else output.weights[0],
        log_probability=float(logarithms[range(len(tokens)), list(tokens)].sum()),
    )


def _step(
    probabilities: Tensor, token: int, vocabulary: TranslationVocabulary, top: int
) -> TranslationStep:
    probability = float(probabilities[token])
    return TranslationStep(
        token,
        spelled(token, vocabulary),
        probability,
        int((probabilities > probability).sum()),
        _candidates(probabilities, vocabulary, top),
    )


def _candidates(
    probabilities: Tensor, vocabulary: TranslationVocabulary, top: int
) -> tuple[Candidate, ...]:
    best = probabilities.topk(min(top, len(probabilities)))
    return tuple(
        Candidate(token, spelled(token, vocabulary), probability)
        for probability, token in zip(best.values.tolist(), best.indices.tolist(), strict=True)
    )


def spelled(token: int, vocabulary: TranslationVocabulary) -> str:
    """Return how a token is shown; nothing for the end."""
    return "" if token == END else vocabulary.tokenizer.symbols[token]
