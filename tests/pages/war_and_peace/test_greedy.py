"""The circle of a text at temperature 0, explained by the memory that the model has."""

from types import SimpleNamespace

import pytest

from lm_core.models.recurrent_language_model import LSTMLanguageModel, LSTMLanguageModelConfig
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from pages.war_and_peace import greedy

TRANSFORMER = TransformerLanguageModel(
    TransformerLanguageModelConfig(len(SOURCE), 16, 4, 2, context=256)
)
LSTM = LSTMLanguageModel(LSTMLanguageModelConfig(len(SOURCE), 8, 8, 1))


@pytest.mark.parametrize(
    ("name", "model", "why"),
    [
        ("attends", TRANSFORMER, "those of its window"),
        ("remembers", LSTM, "the model's state alone"),
    ],
)
def test_a_circle_is_explained_by_what_a_model_remembers(name, model, why):
    model.initialise(generator(0))
    ids = SOURCE.encode("He said " + "that he had " * 12).tolist()
    writing = SimpleNamespace(model=model.eval(), generation=SimpleNamespace(ids=ids))
    found = greedy._analysed((name, ""), tuple(ids[:8]), writing, SOURCE)
    assert found.loop is not None
    assert why in greedy._why(found.distances)
