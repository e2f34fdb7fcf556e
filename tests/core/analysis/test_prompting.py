"""Answers after a prompt: their probabilities one by one, and what the model would write."""

import numpy as np
import pytest
import torch

from lm_core.analysis.prompting import score_answers
from lm_core.errors import TextError
from lm_core.models.recurrent_language_model import LSTMLanguageModel, LSTMLanguageModelConfig
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator

MODELS = {
    "transformer": lambda: TransformerLanguageModel(
        TransformerLanguageModelConfig(11, 16, 2, 2, context=8)
    ),
    "LSTM": lambda: LSTMLanguageModel(LSTMLanguageModelConfig(11, 8, 8, 1)),
}
PROMPT = np.array([1, 2, 3, 4])
ANSWERS = [np.array([5, 6, 7]), np.array([8]), np.array([5, 9])]


@pytest.fixture(params=MODELS)
def model(request):
    made = MODELS[request.param]()
    made.initialise(generator(3))
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.mul_(8.0)  # so that the model has an opinion
    return made.double().eval()


def by_hand(model, answer):
    """Read prompt and answer as one text, alone, and add up the logarithms."""
    ids = torch.from_numpy(np.concatenate([PROMPT, answer]))[None]
    with torch.no_grad():
        logs = model(ids, model.initial_state(1))[0][0].log_softmax(-1)
    places = range(len(PROMPT) - 1, len(PROMPT) + len(answer) - 1)
    return float(sum(logs[place, ids[0, place + 1]] for place in places))


def test_each_answer_has_the_probability_of_its_tokens_one_after_another(model):
    found = score_answers(model, PROMPT, ANSWERS).log_probabilities.tolist()
    assert found == pytest.approx([by_hand(model, answer) for answer in ANSWERS], rel=1e-6)


def test_the_greedy_continuation_is_known_and_its_neighbours_are_not(model):
    ids = PROMPT.tolist()
    with torch.no_grad():
        for _ in range(3):
            logits, _ = model(torch.tensor([ids]), model.initial_state(1))
            ids.append(int(logits[0, -1].argmax()))
    greedy = np.array(ids[len(PROMPT) :])
    other = greedy.copy()
    other[-1] = (other[-1] + 1) % 11
    found = score_answers(model, PROMPT, [greedy, other, greedy[:1], np.array([other[-1]] * 3)])
    assert found.is_greedy.tolist()[:3] == [True, False, True]


@pytest.mark.parametrize(
    ("prompt", "answers"), [(PROMPT[:0], ANSWERS), (PROMPT, []), (PROMPT, [PROMPT, PROMPT[:0]])]
)
def test_nothing_cannot_be_scored(model, prompt, answers):
    with pytest.raises(TextError, match="at least one token"):
        score_answers(model, prompt, answers)
