"""The search for pairs of prompts: what is counted, how pairs are chosen, and what is shipped."""

import dataclasses

import pytest
import torch

from lm_core.analysis.patching import Patching
from lm_core.analysis.residual_stream import streams
from lm_core.experiments.patching.prompts import KINDS, pairs
from lm_core.experiments.patching.results import MODELS, PairMap, PatchingResults, Search
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of

PAIR = PairMap(
    "he or she",
    "The prince sat",
    "The princess sat",
    (" he", " she"),
    3,
    2.0,
    -1.0,
    (1.0, 0.9, 0.3),
    (0.0, 0.1, 0.6),
    (0.0, 0.0, 0.0),
)


def test_a_pair_is_as_clear_as_its_weaker_prompt_and_handed_over_when_the_last_token_leads():
    assert PAIR.clearness == 1.0
    assert PAIR.handed_over == 2


def test_the_best_of_a_kind_are_its_clearest_with_other_words():
    others = [
        dataclasses.replace(PAIR, a="A prince ran", b="A princess ran"),
        dataclasses.replace(PAIR, a="The aunt sat", b="The uncle sat", own_word=(0.4, 0.9, 0.3)),
        dataclasses.replace(PAIR, a="The man sat", b="The woman sat"),
        dataclasses.replace(PAIR, a="The boy sat", b="The girl sat"),
    ]
    search = Search("m", (), (PAIR, *others))
    assert [pair.a for pair in search.best(2)] == ["The prince sat", "The man sat"]
    assert search.best(1) == (PAIR,)


def test_each_pair_differs_in_the_exchanged_word_alone():
    tried = list(pairs())
    assert {pair.kind for pair in tried} == set(KINDS)
    assert len({(pair.a, pair.b) for pair in tried}) == len(tried)
    for pair in tried:
        assert pair.a != pair.b


@pytest.mark.parametrize("model", MODELS)
def test_what_is_shipped_is_what_the_shipped_model_does(model):
    shipped = PatchingResults.load().of(model)
    assert shipped.model == model
    tried = [pair.kind for pair in pairs()]
    for count in shipped.counts:
        assert count.tried == tried.count(count.kind)
        assert count.flipped == sum(found.kind == count.kind for found in shipped.maps)
    for found in shipped.maps:
        assert found.lead_of_a > 0 > found.lead_of_b
    checkpoint = load_shipped(model)
    vocabulary = vocabulary_of(checkpoint.meta)
    found = shipped.maps[0]
    a, b = (torch.from_numpy(vocabulary.encode(text)) for text in (found.a, found.b))
    answers = tuple(int(vocabulary.encode(answer)[0]) for answer in found.answers)
    patching = Patching(checkpoint.model, a, b)
    effects = patching.map(answers, streams(checkpoint.model.config)[::2]).effects
    assert effects[:, patching.first_different].tolist() == pytest.approx(found.own_word, abs=1e-3)
    assert effects[:, -1].tolist() == pytest.approx(found.last_token, abs=1e-3)
