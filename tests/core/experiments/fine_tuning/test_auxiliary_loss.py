"""GPT's recipe: the parts of its loss by hand, and what the weight of the language loss does."""

import pytest
import torch
from torch.nn import functional

from lm_core.errors import SettingError
from lm_core.experiments.fine_tuning import auxiliary_loss
from lm_core.experiments.fine_tuning.labelled_texts import between_separators, labelled_texts
from lm_core.experiments.fine_tuning.settings import AUTHOR, LORA, TUNED, FineTuningConfig
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.models.reward_model import read_with_hidden_states
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.rng import generator

SYMBOLS = MaskedLanguageModelConfig(12, width=8, heads=2, layers=1, longest=16)
CONFIG = FineTuningConfig(AUTHOR, TUNED, 8, steps=12, learning_rate=0.01)


@pytest.fixture(scope="module")
def causal():
    model = TransformerLanguageModel(TransformerLanguageModelConfig(12, 8, 2, 1, context=16))
    model.initialise(generator(1))
    return model.eval()


def texts(n=20):
    """Return texts that count upwards, the second class by two."""
    rows = [[(i + step) % 12 for step in range(0, 6 * (1 + i % 2), 1 + i % 2)] for i in range(n)]
    rows = [row[: 4 + i % 3] for i, row in enumerate(rows)]
    around = [between_separators([row], SYMBOLS) for row in rows]
    return auxiliary_loss.as_causal(labelled_texts(around, [i % 2 for i in range(n)], SYMBOLS))


def test_a_causal_model_sees_no_symbols_around_a_text():
    found = texts(3)
    assert found.lengths.tolist() == [4, 5, 6]
    assert int(found.tokens.max()) < 12
    assert found.tokens[0].tolist() == [0, 1, 2, 3, 0, 0]


def test_the_language_loss_counts_every_subword_but_the_first(causal):
    found = texts(3)
    logits, _ = read_with_hidden_states(causal, found.tokens)
    nats = [
        functional.cross_entropy(logits[i, j - 1], found.tokens[i, j])
        for i, n in enumerate(found.lengths.tolist())
        for j in range(1, n)
    ]
    expected = torch.stack(nats).mean()
    torch.testing.assert_close(
        auxiliary_loss.language_loss(logits, found.tokens, found.lengths), expected
    )


def test_the_class_is_read_off_the_last_token(causal):
    found = texts(2)
    classifier = auxiliary_loss.CausalClassifier(causal, 2, generator(0))
    logits, _ = classifier(found.tokens, found.lengths)
    _, hidden = read_with_hidden_states(causal, found.tokens[:1, :4])
    torch.testing.assert_close(logits[0], classifier.head(hidden[0, -1]))


@pytest.mark.parametrize("weight", [0.0, 0.5])
def test_the_loss_is_the_sum_of_its_parts(causal, weight):
    losses = auxiliary_loss.AuxiliaryTuning(causal, CONFIG, weight, texts(), 2).losses()
    expected = losses.class_loss + weight * losses.language_loss
    torch.testing.assert_close(losses.total, expected)
    assert bool(losses.language_loss) == bool(weight)


def test_the_weight_keeps_the_model_predicting(causal):
    def loss_after(weight):
        tuning = auxiliary_loss.AuxiliaryTuning(causal, CONFIG, weight, texts(), 2)
        assert len(list(tuning)) == 12
        return auxiliary_loss.score_causal(tuning.classifier.eval(), texts()).language_loss

    before = auxiliary_loss.score_causal(
        auxiliary_loss.CausalClassifier(causal, 2, generator(0)), texts()
    ).language_loss
    assert loss_after(1.0) < min(before, loss_after(0.0))


def test_scores_are_those_of_all_texts(causal):
    classifier = auxiliary_loss.CausalClassifier(causal, 2, generator(0)).eval()
    with torch.no_grad():
        classifier.head.weight.zero_()
        classifier.head.bias.copy_(torch.tensor([1.0, 0.0]))
    found = texts(150)
    scores = auxiliary_loss.score_causal(classifier, found)
    assert scores.accuracy == 0.5
    logits, _ = read_with_hidden_states(causal, found.tokens)
    whole = auxiliary_loss.language_loss(logits, found.tokens, found.lengths).item()
    assert scores.language_loss == pytest.approx(whole, rel=1e-5)


@pytest.mark.parametrize("weight", [-0.1, float("nan")])
def test_a_negative_weight_is_refused(causal, weight):
    with pytest.raises(SettingError, match="at least 0"):
        auxiliary_loss.AuxiliaryTuning(causal, CONFIG, weight, texts(), 2)


def test_other_methods_are_refused(causal):
    other = FineTuningConfig(AUTHOR, LORA, 8)
    with pytest.raises(SettingError, match="method"):
        auxiliary_loss.AuxiliaryTuning(causal, other, 0.0, texts(), 2)
