"""The experiment on surprisal, small: which texts it makes, and what it writes."""

import pytest

from lm_core.cli.experiment import add_arguments, run
from lm_core.errors import LMCoreError
from lm_core.experiments.surprisal import results
from lm_core.experiments.surprisal.measuring import own_texts, texts_by_kind
from lm_core.generation.prompts import default_prompt
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.corpora import load_text, locate
from lm_core.text.library import HELD_OUT_NOVELS
from lm_core.text.training_text import load_book, split_licence
from lm_core.training.checkpoints import load_shipped


def parsed(*options):
    import argparse

    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(["surprisal", *options])


@pytest.mark.skipif(not locate("gutenberg/emma"), reason="the novels are not on this machine")
def test_the_texts_are_of_one_length_and_the_shuffled_ones_hold_the_same():
    texts = texts_by_kind(400, 2)
    assert set(texts) == {results.BOOK, results.NOVELS, results.WORDS, results.CHARACTERS}
    assert all(len(t) == 2 for t in texts.values())
    assert {
        len(t) for t in texts[results.BOOK] + texts[results.NOVELS] + texts[results.CHARACTERS]
    } == {400}
    novel = split_licence(load_text(HELD_OUT_NOVELS[1]))[0]
    assert novel.index(texts[results.NOVELS][1]) == len(novel) // 3
    assert sorted(texts[results.WORDS][0].split()) == sorted(texts[results.BOOK][0].split())
    assert sorted(texts[results.CHARACTERS][1]) == sorted(texts[results.BOOK][1])


@pytest.mark.skipif(not locate("gutenberg/emma"), reason="the novels are not on this machine")
@pytest.mark.parametrize("vocabulary", [SOURCE, FULL], ids=lambda v: v.name)
def test_no_model_has_learned_the_texts_of_the_book(vocabulary):
    learned = vocabulary.decode(load_book(vocabulary).train)
    for text in texts_by_kind(400, 6)[results.BOOK]:
        assert vocabulary.normalise(text).strip() not in learned


def test_a_models_own_texts_are_what_it_writes_at_two_temperatures():
    model, _ = load_shipped("book-ngram")
    texts, prompt = own_texts(model, SOURCE, 50, 2), SOURCE.encode(default_prompt(SOURCE))
    for kind, temperature in ((results.OWN, 1.0), (results.OWN_COOL, 0.5)):
        for seed, text in enumerate(texts[kind]):
            begun = TextGeneration.begin(model, prompt, SamplingSettings(temperature), seed)
            assert text == SOURCE.decode([written.token for written in begun.write(50)])


@pytest.mark.skipif(not locate("gutenberg/emma"), reason="the novels are not on this machine")
def test_a_model_named_keeps_the_rows_of_the_others(tmp_path):
    out = str(tmp_path / "s.json")
    small = ("--characters", "60", "--texts", "2", "--out", out)
    run(parsed("book-ngram", *small))
    run(parsed("source-lstm", *small))
    found = results.SurprisalResults.load(tmp_path / "s.json")
    assert {score.model for score in found.scores} == {"book-ngram", "source-lstm"}
    assert len(found.scores) == 2 * len(results.KINDS)
    with pytest.raises(LMCoreError):
        run(parsed("no-such-model", *small))
