"""Taggers: what each may know of a word's neighbours, and that padding changes nothing."""

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.models import tagger
from lm_core.models.fast.recurrent import FusedCell
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.rng import generator
from lm_core.text.word_features import N_FEATURES, PADDING

V, K = 31, 5
SIZES = {"vocabulary_size": V, "tags": K, "embedding_size": 6}
CONFIGS = {
    "alone": tagger.WindowTaggerConfig(**SIZES, window=0, hidden_size=7),
    "averaged": tagger.WindowTaggerConfig(
        **SIZES, window=2, combination=tagger.AVERAGED, hidden_size=7
    ),
    "concatenated": tagger.WindowTaggerConfig(**SIZES, window=2, hidden_size=7),
    "recurrent": tagger.RecurrentTaggerConfig(**SIZES, hidden_size=7),
    "transformer": tagger.TransformerTaggerConfig(**SIZES, width=8, heads=2, layers=2),
}
REACH = {"alone": 0, "averaged": 2, "concatenated": 2, "recurrent": 9, "transformer": 9}


def model_named(name):
    model = build(CONFIGS[name])
    model.initialise(generator(3))
    return model.double().eval()


def words(rows, length, seed=5):
    return torch.randint(1, V, (rows, length, N_FEATURES), generator=generator(seed))


@pytest.fixture(params=CONFIGS)
def name(request):
    return request.param


def test_padding_changes_nothing(name):
    model, features = model_named(name), words(2, 9)
    features[1, 4:] = PADDING
    together = model(features, torch.tensor([9, 4]))
    alone = model(features[1:, :4], torch.tensor([4]))
    torch.testing.assert_close(together[1:, :4], alone)


def test_a_word_knows_its_neighbours_as_far_as_its_window_reaches(name):
    model, features, lengths = model_named(name), words(1, 9), torch.tensor([9])
    other = features.clone()
    other[0, 4, 0] = other[0, 4, 0] % (V - 1) + 1
    change = (model(features, lengths) - model(other, lengths)).abs().amax(-1)[0]
    reached = [i for i in range(9) if change[i] > 1e-9]
    assert reached == [i for i in range(9) if abs(i - 4) <= REACH[name]]


def test_averaging_forgets_the_order_and_concatenating_does_not():
    features, lengths = words(1, 5), torch.tensor([5])
    turned = features.flip(1)
    for name, is_equal in (("averaged", True), ("concatenated", False)):
        model = model_named(name)
        middle, of_turned = (model(x, lengths)[0, 2] for x in (features, turned))
        assert torch.allclose(middle, of_turned) == is_equal


def test_a_window_is_its_words_side_by_side():
    model, features = model_named("concatenated"), words(1, 3)
    x = model.embed(features)[0]
    zeros = torch.zeros_like(x[0])
    hidden = torch.tanh(model.hidden(torch.cat([zeros, x[0], x[1], x[2], zeros])))
    expected = model.output(hidden)
    torch.testing.assert_close(model(features, torch.tensor([3]))[0, 1], expected)


def test_a_word_vector_is_the_sum_of_its_features(name):
    model, features = model_named(name), words(1, 1)
    expected = model.embedding.weight[features[0, 0]].sum(0)
    torch.testing.assert_close(model.embed(features)[0, 0], expected)
    assert not model.embed(torch.full((1, 1, N_FEATURES), PADDING)).any()


def test_the_fused_layers_read_as_the_cells_do():
    model = model_named("recurrent")
    features, lengths = words(3, 6), torch.tensor([6, 2, 4])
    expected = model(features, lengths)
    model.forwards, model.backwards = FusedCell(model.forwards), FusedCell(model.backwards)
    found = model(features, lengths)
    for row, length in enumerate(lengths):
        torch.testing.assert_close(found[row, :length], expected[row, :length])


def test_dropout_is_drawn_from_the_generator_and_only_in_training(name):
    config = type(CONFIGS[name])(**{**vars(CONFIGS[name]), "dropout": 0.5})
    model = build(config)
    model.initialise(generator(1))
    features, lengths = words(2, 4), torch.tensor([4, 3])
    one, same, other = (
        model.training_logits(features, lengths, rng=generator(seed)) for seed in (1, 1, 2)
    )
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    assert torch.equal(model(features, lengths), model(features, lengths))


def test_a_config_comes_back_from_its_record(name):
    assert config_from_dict(config_to_dict(CONFIGS[name])) == CONFIGS[name]


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (tagger.WindowTaggerConfig, {"window": -1}),
        (tagger.WindowTaggerConfig, {"window": 1, "combination": "summed"}),
        (tagger.WindowTaggerConfig, {"window": 1, "dropout": 1.0}),
        (tagger.RecurrentTaggerConfig, {"hidden_size": 0}),
        (tagger.TransformerTaggerConfig, {"width": 6, "heads": 2}),
    ],
)
def test_sizes_out_of_range_are_refused(kind, wrong):
    with pytest.raises(SettingError):
        kind(**SIZES, **wrong)
