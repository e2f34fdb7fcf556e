"""A beam search of one sentence with every candidate that it has weighed, as a tree."""

from collections.abc import Sequence
from typing import NamedTuple

import torch

from lm_core.errors import SettingError
from lm_core.generation import translation
from lm_core.generation.beam_search import candidate_tokens
from lm_core.generation.translation_search import Hypothesis, beam_search, beam_steps
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.text.translation_vocabulary import END, TranslationVocabulary


class BeamNode(NamedTuple):
    """One candidate of a beam search."""

    depth: int
    """Tokens after the prefix, from 1."""
    parent: int | None
    """Place of the node before in the tree's list; None after the prefix."""
    token: int
    symbol: str
    log_probability: float
    """Of the whole hypothesis."""
    fate: str
    """``kept`` as one of the next beams, ``finished`` with the end, or ``dropped``."""


class BeamTree(NamedTuple):
    """All candidates that a beam search of one sentence has weighed, and what it found, best first."""

    nodes: tuple[BeamNode, ...]
    hypotheses: tuple[Hypothesis, ...]


def beam_tree(
    model: EncoderDecoder,
    vocabulary: TranslationVocabulary,
    sentence: str,
    *,
    width: int = 5,
    length_penalty: float = 1.0,
    prefix: Sequence[int] = (),
    ablated: translation.Heads = (),
) -> BeamTree:
    """Search like `translate`, and keep every step; parameters and errors are `translate`'s."""
    source, kept = vocabulary.read(sentence), translation.kept_heads(model, ablated)
    tokens = translation.checked_prefix(prefix, model)
    if END in tokens:
        raise SettingError("the prefix has an end already: leave it out")
    state = translation.encode_rows(model, [source])
    hypotheses = beam_search(
        model,
        state,
        width=width,
        longest=max(translation.longest_translation(source), len(tokens) + 1),
        length_penalty=length_penalty,
        prefix=tokens,
        kept_heads=kept,
    )[0]
    deepest = max(len(hypothesis.tokens) for hypothesis in hypotheses)
    nodes: list[BeamNode] = []
    places: dict[tuple[int, ...], int] = {}
    steps = beam_steps(
        model,
        state,
        width=width,
        longest=max(deepest, len(tokens) + 1),
        prefix=tokens,
        kept_heads=kept,
    )
    for depth, step in enumerate(steps, 1):
        beams = set(step.beams[0].tolist())
        for place, total in enumerate(step.totals[0].tolist()):
            if total == -torch.inf:
                continue
            written = candidate_tokens(step, 0, place)
            fate = "kept" if place in beams else "dropped"
            fate = "finished" if step.is_finished[0, place] else fate
            parent = places.get(tuple(written[:-1]))
            places[tuple(written)] = len(nodes)
            symbol = translation.spelled(written[-1], vocabulary)
            nodes.append(BeamNode(depth, parent, written[-1], symbol, total, fate))
    return BeamTree(tuple(nodes), tuple(hypotheses))
