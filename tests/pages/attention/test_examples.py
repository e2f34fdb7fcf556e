"""The shipped model on the page's examples, and the scores that are shipped with it."""

import torch

from lm_core.analysis.attention_trace import trace_attention
from lm_core.experiments.attention.head_scores import HeadResults
from lm_core.training.checkpoints import SHIPPED, load_shipped, read_meta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.attention.settings import _HEAD_OF, SENTENCES
from pages.shared.models.read_sentences import MODEL


def test_the_last_natasha_looks_at_the_first():
    (model, meta), sentence = load_shipped(MODEL), SENTENCES[1]
    layer, head = (number - 1 for number in _HEAD_OF[sentence])
    vocabulary = vocabulary_of(meta)
    ids = vocabulary.encode(sentence)
    assert [vocabulary.spell(ids)[i].strip() for i in (0, -1)] == ["Natasha", "Natasha"]
    weights = trace_attention(model, torch.from_numpy(ids)).weights[layer, head]
    assert weights[-1].argmax() == 0
    assert weights[-1, 0] > 0.7
    # Not because it comes first: no other token looks there half as much.
    assert weights[1:-1, 0].max() < weights[-1, 0] / 2


def test_the_shipped_scores_are_of_the_shipped_weights():
    for name, scores in HeadResults.load().models.items():
        assert scores.weights_sha256 == read_meta(SHIPPED / name).weights_sha256, (
            f"{name} was trained again: python -m lm_core experiment attention"
        )
