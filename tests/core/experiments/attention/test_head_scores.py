"""All heads of a model by numbers: measured, saved, read again, and made by the command."""

import dataclasses

import pytest
import torch

from lm_core.__main__ import main
from lm_core.analysis.attention_trace import entropies, trace_attention
from lm_core.analysis.head_patterns import HeadPattern, find_head_patterns
from lm_core.experiments.attention import head_scores
from lm_core.experiments.attention.head_scores import (
    INDUCTION_SCORE,
    SAME_SCORE,
    HeadResults,
    HeadScores,
    score_heads,
)
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import Book
from lm_core.training.checkpoints import save_checkpoint
from tests.core.models.test_transformer import make
from tests.small_checkpoints import meta_of

LENGTH = 24


@pytest.fixture(scope="module")
def model():
    return make(vocabulary_size=len(SOURCE), context=32, query_key_norm=True)


@pytest.fixture(scope="module")
def tokens():
    return torch.randint(1, len(SOURCE), (3, LENGTH), generator=generator(5))


@pytest.fixture(scope="module")
def scores(model, tokens):
    return HeadScores("tiny", "0" * 64, 7, **score_heads(model, SOURCE, tokens))


def test_the_patterns_are_those_of_all_windows(model, tokens, scores):
    traces = [trace_attention(model, window) for window in tokens]
    expected = find_head_patterns((t.weights, SOURCE.spell(t.tokens)) for t in traces)
    on_text = [p for p in scores.patterns if p.pattern not in (INDUCTION_SCORE, SAME_SCORE)]
    assert [p[:3] for p in on_text] == [p[:3] for p in expected]
    for ours, theirs in zip(on_text, expected, strict=True):
        assert ours[3:] == pytest.approx(theirs[3:], abs=1e-4)
    assert sum(p.pattern == INDUCTION_SCORE for p in scores.patterns) == 4
    assert len(scores.patterns) == len(expected) + 8


def test_sharpness_is_measured_on_what_is_visible(model, tokens, scores):
    weights = torch.stack([trace_attention(model, window).weights for window in tokens])
    torch.testing.assert_close(
        torch.tensor(scores.entropy_bits), entropies(weights).mean((0, -1)), atol=1e-4, rtol=0.0
    )
    largest = torch.zeros(2, 2)
    for window in tokens:
        for i, layer in enumerate(trace_attention(model, window).layers):
            visible = layer.attention.scaled_scores.tril().abs()
            largest[i] = torch.maximum(largest[i], visible.amax((-1, -2)))
    torch.testing.assert_close(torch.tensor(scores.largest_scores), largest, atol=1e-4, rtol=0.0)


def test_the_best_head_is_the_one_furthest_above_its_controls(scores):
    patterns = (
        HeadPattern(0, 0, "a", 0.9, 0.8, 0.1, 5),
        HeadPattern(0, 1, "a", 0.6, 0.1, 0.1, 5),
        HeadPattern(1, 0, "a", 0.7, None, 0.4, 5),
        HeadPattern(1, 1, "b", 1.0, 0.0, 0.0, 5),
    )
    found = dataclasses.replace(scores, patterns=patterns)
    assert found.best("a") == patterns[1]
    assert found.best("c") is None


def test_the_command_reads_the_held_out_part_of_the_training_text(
    model, tmp_path, monkeypatch, capsys
):
    ids = torch.randint(1, len(SOURCE), (4_000,), generator=generator(6)).numpy()
    book = Book(ids, SOURCE, "war-and-peace", "f" * 64, 4_000)
    monkeypatch.setattr(head_scores, "load_book", lambda _: book)
    folder, out = (
        save_checkpoint(tmp_path, model, meta_of(model.config, steps=7)),
        tmp_path / "attention.json",
    )
    assert main(["experiment", "attention", str(folder), "--windows", "2", "--out", str(out)]) == 0
    found = HeadResults.load(out).models["tiny"]
    held_out = torch.from_numpy(ids[3_600 - 180 : 3_600 - 180 + 64]).view(2, 32)
    expected = score_heads(model, SOURCE, held_out)
    assert found.entropy_bits == expected["entropy_bits"]
    assert found.steps == 7
    best = found.best(INDUCTION_SCORE)
    assert f"{best.layer + 1}.{best.head + 1}" in capsys.readouterr().out
    other = save_checkpoint(tmp_path, model, meta_of(model.config, name="other"))
    again = ["experiment", "attention", str(other), "--windows", "1", "--out", str(out)]
    assert main(again) == 0
    assert list(HeadResults.load(out).models) == ["tiny", "other"]
    assert HeadResults.load(out).models["tiny"] == found
