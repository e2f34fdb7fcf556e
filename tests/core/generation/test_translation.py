"""What the pages call: a translation with its steps, a prefix chosen by hand, ablations, words, the tree."""

import pytest
import torch

from lm_core.errors import SettingError, TextError
from lm_core.generation import translation
from lm_core.generation.beam_tree import beam_tree
from lm_core.generation.translated_words import (
    Swap,
    Word,
    attention_entropies,
    swapped_neighbours,
    word_attention,
    words_of,
)
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.encoder_decoder_transformer import EncoderDecoderTransformerConfig
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text.translation_vocabulary import END, UNKNOWN_ID, TranslationVocabulary

SENTENCES = ["Two dogs run.", "A dog runs to the sea.", "Deux chiens courent.", "Un chien."]
VOCABULARY = TranslationVocabulary.learn("tiny", SENTENCES, 60)
SENTENCE = "Two dogs run to the sea."
CONFIGS = {
    "none": EncoderDecoderConfig(len(VOCABULARY), "none", 6, 5, 7, 4, 3),
    "additive": EncoderDecoderConfig(len(VOCABULARY), "additive", 6, 5, 7, 4, 3),
    "transformer": EncoderDecoderTransformerConfig(
        len(VOCABULARY), width=8, heads=2, layers=2, longest=60
    ),
}


@pytest.fixture(params=CONFIGS, scope="module")
def model(request):
    model = build(CONFIGS[request.param])
    model.initialise(generator(3))
    with torch.no_grad():
        model.embedding.weight[END] *= 1.5
    return model.eval()


def test_steps_tell_what_was_probable(model):
    found = translation.translate(model, VOCABULARY, SENTENCE)
    assert found.target_ids == tuple(step.token for step in found.steps)
    for step in found.steps:
        assert step.rank == 0
        assert step.candidates[0].token == step.token
        assert step.candidates[0].probability == pytest.approx(step.probability)
        probabilities = [candidate.probability for candidate in step.candidates]
        assert probabilities == sorted(probabilities, reverse=True)
        assert len(probabilities) == 8
    logarithms = torch.tensor([step.probability for step in found.steps]).double().log()
    assert found.log_probability == pytest.approx(float(logarithms.sum()), rel=1e-4)
    assert found.text == VOCABULARY.decode(found.target_ids)


def test_attention_has_a_row_for_each_token(model):
    found = translation.translate(model, VOCABULARY, SENTENCE)
    layers, heads = model.cross_attention_shape
    if not layers:
        assert found.attention is None
        return
    shape = (layers, heads, len(found.target_ids), len(found.source_ids))
    assert found.attention.shape == shape
    torch.testing.assert_close(found.attention.sum(-1), torch.ones(shape[:3]))


def test_a_beam_finds_at_least_as_probable_a_translation_as_it_reports(model):
    wide = translation.translate(model, VOCABULARY, SENTENCE, width=4)
    best = beam_tree(model, VOCABULARY, SENTENCE, width=4).hypotheses[0]
    assert wide.target_ids == best.tokens
    assert wide.log_probability == pytest.approx(best.log_probability, rel=1e-3, abs=1e-4)


def test_the_visitor_chooses_a_token_and_the_model_goes_on(model):
    first = translation.translate(model, VOCABULARY, SENTENCE)
    chosen = first.steps[0].candidates[1].token
    prefix = [chosen]
    found = translation.translate(model, VOCABULARY, SENTENCE, prefix=prefix)
    assert found.target_ids[0] == chosen
    assert found.steps[0].rank == 1
    if len(found.steps) > 1:
        expected = translation.next_candidates(model, VOCABULARY, SENTENCE, prefix)
        assert [c.token for c in found.steps[1].candidates] == [c.token for c in expected]
        assert found.steps[1].token == expected[0].token


def test_a_prefix_with_an_end_is_the_translation(model):
    target = [*VOCABULARY.encode("Un chien."), END]
    found = translation.translate(model, VOCABULARY, SENTENCE, prefix=target)
    assert found.target_ids == tuple(target)
    assert found.is_finished
    traced = translation.trace_translation(model, VOCABULARY, SENTENCE, target)
    assert traced.text == found.text == "Un chien."
    assert traced.log_probability == pytest.approx(found.log_probability)


def test_many_sentences_are_translated_as_each_alone(model):
    sentences = [SENTENCE, "A dog.", "Two dogs run.", "A dog runs to the sea."]
    for width in (1, 3):
        alone = [
            translation.translate(model, VOCABULARY, each, width=width).text for each in sentences
        ]
        together = translation.translate_all(model, VOCABULARY, sentences, width=width, batch=1)
        assert together == alone


def test_ablating_everything_is_another_model(model):
    heads = translation.all_heads(model)
    layers, per_layer = model.cross_attention_shape
    assert len(heads) == layers * per_layer
    whole = translation.translate(model, VOCABULARY, SENTENCE)
    ablated = translation.translate(model, VOCABULARY, SENTENCE, ablated=heads)
    same = ablated.log_probability == pytest.approx(whole.log_probability, rel=1e-6)
    assert same is (not heads)
    if heads:
        with pytest.raises(SettingError, match="layers"):
            translation.translate(model, VOCABULARY, SENTENCE, ablated=[(layers, 0)])


def test_the_tree_holds_every_hypothesis_and_every_parent(model):
    tree = beam_tree(model, VOCABULARY, SENTENCE, width=3)
    texts = []
    for node in tree.nodes:
        parent = () if node.parent is None else texts[node.parent]
        assert len(parent) + 1 == node.depth
        if node.parent is not None:
            assert tree.nodes[node.parent].fate == "kept"
            assert node.log_probability <= tree.nodes[node.parent].log_probability
        texts.append((*parent, node.token))
    for hypothesis in tree.hypotheses:
        place = texts.index(hypothesis.tokens)
        assert tree.nodes[place].log_probability == pytest.approx(hypothesis.log_probability)
        assert (tree.nodes[place].fate == "finished") is hypothesis.is_finished
    by_depth = [sum(n.depth == d and n.fate == "kept" for n in tree.nodes) for d in (1, 2, 3)]
    assert by_depth == [3, 3, 3]


def test_unknown_characters_are_counted(model):
    found = translation.translate(model, VOCABULARY, "Two 犬 dogs 🐕.")
    assert found.n_unknown == 2
    assert found.source_symbols[found.source_ids.index(UNKNOWN_ID)] == "<unk>"


@pytest.mark.parametrize("sentence", ["", "  \n ", "dog " * 61, "x" * 7_000], ids=len)
def test_sentences_that_cannot_be_translated_are_refused(model, sentence):
    with pytest.raises(TextError):
        translation.translate(model, VOCABULARY, sentence)


def test_tokens_that_nobody_may_choose_are_refused(model):
    for token in (0, 1, 2, len(VOCABULARY)):
        with pytest.raises(SettingError, match="tokens"):
            translation.translate(model, VOCABULARY, SENTENCE, prefix=[token])


def test_words_are_merged_from_subwords():
    symbols = [" Un", " grou", "pe", " d", "'", "hommes", ",", " là", "-", "bas", " !", ""]
    words = words_of(symbols)
    assert [word.text for word in words] == [
        "Un", "groupe", "d'", "hommes", ",", "là-bas", "!", ""
    ]  # fmt: skip
    assert [word.start for word in words[1:]] == [word.end for word in words[:-1]]
    assert words[-1].end == len(symbols)


def test_merged_weights_are_still_distributions():
    attention = torch.tensor([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.25, 0.25]])
    target, source = (Word("a", 0, 2), Word("b", 2, 3)), (Word("c", 0, 1), Word("d", 1, 3))
    merged = word_attention(attention, target, source)
    torch.testing.assert_close(merged, torch.tensor([[0.2, 0.8], [0.5, 0.5]]))


def test_entropy_is_in_bits():
    weights = torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.25] * 4])
    torch.testing.assert_close(attention_entropies(weights), torch.tensor([0.0, 1.0, 2.0]))


def test_swapped_neighbours_cross():
    order = [0, 2, 1, 3, 5, 4, 4]
    attention = torch.eye(7)[order] * 0.9 + 0.01
    assert swapped_neighbours(attention) == (Swap(1, 1), Swap(4, 4))
    assert swapped_neighbours(torch.eye(4)) == ()
