"""The support of a translation's words: judged by hand, batched like alone, and on a growing sentence."""

import pytest
import torch

from lm_core.analysis import translation_support
from lm_core.errors import SettingError
from lm_core.generation.translation import trace_translation, translate
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.encoder_decoder_transformer import EncoderDecoderTransformerConfig
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text.translation_vocabulary import END, padded, shipped_vocabulary

SOURCE = "A man in a red car drives to the beach."
WORDS = [translation_support.JudgedWord("un", 0.9), translation_support.JudgedWord("", 0.5)]
LOST = [translation_support.JudgedWord("un", 0.9), translation_support.JudgedWord("chat", 0.001)]


def model(config):
    built = build(config)
    built.initialise(generator(3))
    return built.eval()


@pytest.fixture(scope="module")
def judge():
    return model(EncoderDecoderTransformerConfig(4000, width=32, heads=2, layers=1))


def test_a_word_has_the_least_probability_of_its_subwords_and_the_end_is_judged(judge):
    vocabulary, target = shipped_vocabulary(), "Un parachutiste saute."
    ((*words, end),) = translation_support.judged_words(judge, vocabulary, [SOURCE], [target])
    assert [word.text for word in words] == ["Un", "parachutiste", "saute", "."]
    assert end.text == ""
    traced = trace_translation(judge, vocabulary, SOURCE, [*vocabulary.encode(target), END])
    of_steps = [step.probability for step in traced.steps]
    assert end.probability == pytest.approx(of_steps[-1], rel=1e-4)
    n = len(vocabulary.encode("parachutiste"))
    assert n > 1
    assert words[1].probability == pytest.approx(min(of_steps[1 : 1 + n]), rel=1e-4)
    assert [w.probability for w in translation_support.word_certainties(traced)] == pytest.approx(
        [w.probability for w in (*words, end)], rel=1e-4
    )


def test_a_word_of_the_sentence_is_not_invented_but_a_small_word_that_looks_alike_may_be(judge):
    target = "Un xylophone bleu devant un café on."
    ((*words, _),) = translation_support.judged_words(
        judge, shipped_vocabulary(), ["A man on a bench before a Café."], [target]
    )
    assert max(word.probability for word in words) < translation_support.LEAST_SUPPORT
    assert [word.text for word in words if not word.is_invented] == ["café"]


def test_translations_are_judged_together_as_they_are_alone(judge):
    sources, targets = [SOURCE, "A dog."], ["Un homme.", "Un chien noir dort dans le jardin."]
    together = translation_support.judged_words(judge, shipped_vocabulary(), sources, targets)
    for source, target, words in zip(sources, targets, together, strict=True):
        (alone,) = translation_support.judged_words(judge, shipped_vocabulary(), [source], [target])
        assert [w.text for w in alone] == [w.text for w in words]
        assert [w.probability for w in alone] == pytest.approx(
            [w.probability for w in words], rel=1e-4
        )


def test_a_sentence_is_lost_from_the_place_after_which_every_translation_invents():
    assert translation_support.lost_from([WORDS, LOST, WORDS, LOST, LOST]) == 3
    assert translation_support.lost_from([LOST, LOST]) == 0
    assert translation_support.lost_from([LOST, WORDS]) is None


def test_a_sentence_grows_to_its_whole_and_never_ends_in_a_function_word():
    beginnings = translation_support.growing(SOURCE)
    assert beginnings[-1] == SOURCE
    assert all(b.endswith(".") and not b.endswith("..") for b in beginnings)
    assert not any(
        b[:-1].split()[-1].lower() in translation_support.FUNCTION_WORDS for b in beginnings
    )
    lengths = [len(b.split()) for b in beginnings]
    assert lengths == sorted(set(lengths))
    assert translation_support.growing("dog") == ["dog"]
    assert translation_support.growing("A man, in a hat") == ["A man", "A man, in a hat"]
    assert translation_support.growing("- . !")[-1] == "- . !"


def test_the_context_vector_is_the_one_that_the_decoder_gets():
    one = model(EncoderDecoderConfig(4000, "none", 16, 16, 16, 24))
    vector = translation_support.context_vector(one, shipped_vocabulary(), SOURCE)
    source = padded([shipped_vocabulary().read(SOURCE)])
    _, summary = one.encode(*source)
    assert vector.shape == (24,)
    torch.testing.assert_close(vector, summary[0].detach())
    assert not torch.allclose(
        vector, translation_support.context_vector(one, shipped_vocabulary(), "A dog.")
    )
    with pytest.raises(SettingError):
        translation_support.context_vector(
            model(EncoderDecoderConfig(4000, "additive", 16, 16, 16, 24)),
            shipped_vocabulary(),
            SOURCE,
        )


def test_a_translation_cut_off_has_no_end_among_its_words():
    one = model(EncoderDecoderConfig(4000, "none", 16, 16, 16, 24))
    translation = translate(one, shipped_vocabulary(), SOURCE)
    words = translation_support.word_certainties(translation)
    assert (words[-1].text == "") == translation.is_finished
    assert "".join(w.text for w in words) == translation.text.replace(" ", "")
