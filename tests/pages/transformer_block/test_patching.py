"""Patching: what waits for the guess, what a tap carries over, and prompts that cannot be compared."""

import numpy as np
import pytest
import torch

from lm_core.analysis.patching import Patching
from lm_core.experiments.patching.results import PatchingResults
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.models.read_sentences import MODEL
from tests.pages.visits import alt, data, guess, numbers, sent_to, shows, visit

PAGE, PART = "pages/transformer_block/page.py", "Patching"
OWN = "Your own two prompts"
FIRST = PatchingResults.load().of(MODEL).best(1)[0]


@pytest.fixture(scope="module")
def measured():
    """The map of the first pair, computed anew."""
    checkpoint = load_shipped(MODEL)
    vocabulary = vocabulary_of(checkpoint.meta)
    a, b = (torch.from_numpy(vocabulary.encode(text)) for text in (FIRST.a, FIRST.b))
    answers = tuple(int(vocabulary.encode(answer)[0]) for answer in FIRST.answers)
    return Patching(checkpoint.model, a, b).map(answers)


def answered(app):
    """The page once its question is answered."""
    (question,) = [r.key.removeprefix("guess_") for r in app.radio]
    return guess(app, question)


def drawn_map(app):
    """The values of the grid by stage and token; None where the answer waits."""
    found = sent_to(app)
    (grid,) = next(part for part in found if "stacks" in part)["stacks"][0]
    return np.array(grid["values"], object).reshape(grid["rows"], grid["columns"]).T, grid


def test_the_map_waits_for_the_guess_and_is_that_of_the_model(measured):
    app = visit(PAGE, part=PART)
    values, grid = drawn_map(app)
    assert all(value is None for value in values.flatten())
    assert not numbers(grid["alt"].split("stages.")[1])
    assert "patched" in data(app, "patched_next")["stage"].tolist()
    app = answered(app)
    values, _ = drawn_map(app)
    stream = [
        i
        for i, s in enumerate(measured.stages)
        if s.name in ("embedded", "after_attention", "after_feed_forward")
    ]
    np.testing.assert_allclose(values.astype(float), measured.effects[stream].numpy(), atol=2e-4)
    strongest = measured.effects[stream[4]].max()  # the stream after half of the blocks
    assert shows(app, round(100 * float(strongest)))


def test_the_numbers_of_the_map_wait_for_the_guess():
    app = visit(PAGE, part=PART)
    with pytest.raises(KeyError):
        data(app, "patch_map")
    app = answered(app)
    table = data(app, "patch_map")
    values, _ = drawn_map(app)
    drawn = table.iloc[:, 2:].to_numpy().T
    np.testing.assert_allclose(drawn, values.astype(float), atol=1e-4)


def test_the_chosen_cell_is_carried_over():
    app = answered(visit(PAGE, part=PART))
    app.selectbox(key="patched_stage").set_value(
        0
    ).run()  # the embedding of the changed word: all of A
    rows = data(app, "patched_next").set_index(["stage", "symbol"])["probability"]
    for symbol in rows["A"].index:
        assert rows["patched"][symbol] == pytest.approx(rows["A"][symbol], abs=1e-5)
    assert rows["B"].iloc[0] != pytest.approx(rows["A"].iloc[0], abs=1e-3)
    assert alt(app, "patched_next").startswith("A and B left alone")


def test_prompts_of_one_s_own_are_compared_token_by_token():
    prompts = {"prompt_a": "The prince said that", "prompt_b": "The old princess said that"}
    app = visit(PAGE, part=PART, pair=OWN, **prompts)
    (error,) = [e.value for e in app.error]
    assert "equally many tokens" in error
    assert "·old" in error
    app = visit(PAGE, part=PART, pair=OWN, **prompts | {"prompt_b": prompts["prompt_a"]})
    (error,) = [e.value for e in app.error]
    assert "differ" in error
    app = visit(PAGE, part=PART, pair=OWN, **prompts | {"prompt_b": "The princess said that"})
    assert not app.error
    assert drawn_map(app)[1]["rows"] == 4
    assert not shows(app, "Read as")
    app = visit(PAGE, part=PART, pair=OWN, **prompts | {"prompt_b": "The princess* said that"})
    assert shows(app, "Read as", "princess said that", "1 character is not in the vocabulary")


def test_a_word_at_the_end_is_not_asked_about():
    app = visit(PAGE, part=PART, pair=OWN, prompt_a="Then the prince", prompt_b="Then the princess")
    assert not app.radio
    assert not app.error


def test_the_search_is_told_by_model_and_kind():
    found = PatchingResults.load()
    app = visit(PAGE, part=PART)
    table = next(f.value for f in app.dataframe if "flip" in f.value)
    assert table["flip"].tolist() == [c.flipped for s in found.searches for c in s.counts]
