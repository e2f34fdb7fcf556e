"""A model built like GPT-2, from a folder, through every part of the page: twelve blocks, learned positions."""

import numpy as np
import pytest
import torch

from lm_core.analysis.residual_stream import stages, trace
from lm_core.experiments.patching.results import PatchingResults
from lm_core.text.pretrained_folder import find_files
from lm_core.text.pretrained_vocabulary import read_vocabulary
from lm_core.training.pretrained import load_pretrained
from pages.shared.models.head_links import MOST_TOKENS_PRETRAINED
from tests.gpt2_folder import write_gpt2
from tests.pages.transformer_block.test_page import sent
from tests.pages.visits import alt, charts, data, guess, numbers, shows, text, visit

PAGE = "pages/transformer_block/page.py"
TITLE = "tiny-gpt2, 12 x 16 (pretrained)"
SENTENCE = "The prince said: where is he"
OWN = {
    "pair": "Your own two prompts",
    "prompt_a": "the prince said to the prince",
    "prompt_b": "the prince to to the prince",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A tiny GPT-2 of twelve blocks in the folder that the environment names."""
    made = write_gpt2(tmp_path / "tiny-gpt2", layers=12)
    monkeypatch.setenv("LM_LAB_PRETRAINED", str(made))
    return made


@pytest.fixture
def read(folder):
    """The model, and its trace of the sentence."""
    model = load_pretrained(find_files(folder)).model
    ids = torch.from_numpy(read_vocabulary(find_files(folder)).encode(SENTENCE))
    return model, trace(model, ids)


def arrive(part, **asked):
    app = visit(PAGE, part=part, model=TITLE, **{"sentence": SENTENCE, **asked})
    assert not app.error, [error.value for error in app.error]
    return app


def test_the_picture_has_a_column_for_each_block_and_names_the_line_as_it_is(read):
    model, found = read
    assert len(found.tokens) <= MOST_TOKENS_PRETRAINED
    every = stages(model.config)
    for number in (0, 1, 2, 3, 61, len(every) - 1):
        app = arrive("Picture", stage=str(number), reveal="first_block")
        columns = sent(app, "columns")["columns"]
        assert len(columns) == 3 + 9 + 11 + 2
        assert [c["stage"] for c in columns if c["is_open"]] == [number]
        assert " × ".join(map(str, found[every[number]].shape)) in text(app)
        assert "In this model:" not in text(app)
    assert "computes what `gpt.py` computes, number for number" in text(app)
    assert app.latex


def test_the_lens_ends_at_the_models_own_answer(read):
    _, found = read
    app = arrive("What it would say", reveal="first_block")
    grid = sent(app, "stacks")["stacks"][0][0]
    assert grid["rows"] == 25
    best = found.logits[-1].softmax(-1).topk(5).values.tolist()
    assert grid["values"][-5:] == pytest.approx(best, abs=1e-3)
    assert len(data(app, "lens")) == 25 * 5


def test_shares_add_up(read):
    _, found = read
    app = arrive("Who says it", reveal="largest_part")
    shares = data(app, "shares")["value"]
    assert sum(shares) == pytest.approx(float(found.logits[-1].max()), abs=1e-2)


def test_parts_are_taken_out(read):
    _, found = read
    app = arrive("Take a part out", of_block="block 12", reveal="taken_out")
    losses = data(app, "taken_bars").set_index("part")["value"]
    assert losses["nothing"] == pytest.approx(float(found.losses.mean()), rel=1e-4)
    assert losses["feed-forward"] != pytest.approx(losses["nothing"], rel=1e-4)
    assert len(data(app, "alike")) == 25


def test_units_are_found_and_held(folder):
    app = arrive("Units", unit_text="A letter")
    assert "units_best" in charts(app)
    assert len(numbers(alt(app, "units_best"))) == 2 * 6 + 1
    assert shows(app, "Held at")


def test_cells_are_carried_over(folder):
    app = arrive("Patching", **OWN)
    (question,) = [radio.key.removeprefix("guess_") for radio in app.radio]
    app = guess(app, question)
    grid = sent(app, "stacks")["stacks"][0][0]
    effects = np.array(grid["values"]).reshape(grid["rows"], grid["columns"])
    changed = int(np.flatnonzero(effects[:, 0])[0])
    assert effects[changed, 0] == pytest.approx(1.0, abs=1e-3)  # the embedding of the changed word
    assert effects[-1, -1] == pytest.approx(1.0, abs=1e-3)  # the end of the last token
    assert len(data(app, "patch_map")) == grid["rows"]


def test_pairs_that_it_cuts_otherwise_are_not_offered(folder):
    app = visit(PAGE, part="Patching", model=TITLE)
    (options,) = [box.options for box in app.selectbox if box.key == "pair"]
    assert options[-1] == OWN["pair"]
    assert len(options) - 1 < len(PatchingResults.load().of("pretrained").best(2))


def test_a_sentence_that_is_too_long_says_so_and_keeps_the_last_one(folder):
    app = visit(PAGE, model=TITLE, sentence="x y z " * 20)
    assert app.error
    assert all(f"at most {MOST_TOKENS_PRETRAINED}" in error.value for error in app.error)
