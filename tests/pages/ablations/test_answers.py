"""What the answers for teachers say of models without a part, held to their trainings and checkpoints."""

import re
from itertools import pairwise
from statistics import fmean

import pytest

from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.ablations.training import PROMPT, SAMPLING
from lm_core.experiments.ablations.variants import MODERN
from lm_core.experiments.neural_language_model.word_results import WordResults
from lm_core.generation.text_generation import TextGeneration
from lm_core.models.registry import config_from_dict
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.checkpoints import load_shipped
from pages.ablations.questions import QUESTIONS
from tests.pages.answering import assert_says

PAGE = "ablations"
SEEDS = ("full", "full-seed-2", "full-seed-3")


@pytest.fixture(scope="module")
def results():
    return AblationResults.load()


@pytest.fixture(scope="module")
def losses(results):
    """Of each model on the last tenth of the book, as *Every part* draws them."""
    return {name: one.validation.loss for name, one in results.trainings.items()}


@pytest.fixture(scope="module")
def curves(results):
    """Losses on the training text by step, as the other parts draw them at first."""
    found = {name: one.curve for name, one in results.trainings.items()}
    return {name: dict(zip(c.step, c.loss, strict=True)) for name, c in found.items()}


def mean_of_seeds(losses):
    return fmean(losses[name] for name in SEEDS)


def test_bars_inside_the_grey_band(losses):
    mean = mean_of_seeds(losses)
    noise = max(abs(losses[name] - mean) for name in SEEDS)
    single = ("no-residual", "no-positions", "no-norm", "one-layer", "one-head", "post-norm")
    assert all(abs(losses[name] - mean) > 2 * noise for name in single)
    eight, two = mean - losses["eight-heads"], losses["two-heads"] - mean
    assert eight < noise < two < 2 * noise
    said = f"{eight:.3f} nats below", f"{two:.3f} above", f"{noise:.3f} nats"
    assert_says(PAGE, "Which bars end inside the grey band? What", *said)


def test_when_the_order_begins_to_matter(results, curves):
    ahead = {s: loss - curves["full"][s] for s, loss in curves["no-positions"].items()}
    assert abs(ahead[40]) < 0.02
    assert results.unigram_loss > curves["full"][40] > results.unigram_loss - 0.3
    said = f"{curves['full'][40]:.1f} nats", f"ahead by {ahead[100]:.2f}", f"to {ahead[400]:.1f} by"
    assert_says(PAGE, "Tap the bar", *said)


def test_one_head_is_worse_than_chance_explains(losses):
    seeds = [losses[name] for name in SEEDS]
    one, eight = (losses[f"{n}-head{'s' * (n == 'eight')}"] for n in ("one", "eight"))
    heads = f"{one:.2f} nats, eight at {eight:.2f}"
    asked = "One head or eight, at"
    assert_says(PAGE, asked, heads, f"{min(seeds):.2f} and {max(seeds):.2f}")
    apart = (one - eight, max(seeds) - min(seeds), losses["full"] - eight)
    assert_says(PAGE, "One head or eight: is", *(f"{found:.2f}" for found in apart))


def test_modern_parts_and_the_band(results, losses):
    below = {name: mean_of_seeds(losses) - losses[name] for name in MODERN}
    noise = results.noise
    assert max(abs(below["rms-norm"]), abs(below["grouped-queries"])) < noise < below["swiglu"]
    said = [f"{below[name]:.3f}" for name in MODERN]
    assert_says(PAGE, "Which bars end inside the grey band, and", *said, f"{noise:.3f}")
    caches = [
        f"{4 * config_from_dict(results.trainings[name].config).cached_numbers:,}"
        for name in ("full", "grouped-queries")
    ]
    assert_says(PAGE, "If grouped queries", *caches)


# Mask -----------------------------------------------------------------------------------------


def test_the_loss_without_the_mask_falls_within_a_hundred_steps(results, curves, losses):
    assert_says(PAGE, "Choose *Mask*", f"{losses['no-mask']:.2f} nats")
    behind = {s: curves["full"][s] - loss for s, loss in curves["no-mask"].items()}
    assert behind[40] < 0.1 < 0.5 < behind[60]
    at_100 = f"{curves['no-mask'][100]:.2f} nats, the full model's is {curves['full'][100]:.2f}"
    assert_says(PAGE, "Step through the snapshots", at_100)
    last = results.trainings["no-mask"].snapshots[-1]
    unseen = f"{last.loss:.2f} nats", f"{last.masked_loss:.2f}"
    at_the_end = results.trainings["no-mask"].validation.by_position[-1]
    assert_says(PAGE, "Switch to the loss", *unseen, f"{at_the_end:.2f}")


def test_only_the_full_model_writes_words():
    book, prompt = WordResults.load().vocabulary, PROMPT.strip()
    ids, shares = tuple(SOURCE.prepare(prompt).ids.tolist()), []
    for name in ("full", "no-mask"):
        model, written = load_shipped(f"{PAGE}-{name}").model, []
        for seed in (1, 2):
            generation = TextGeneration.begin(model, ids, SAMPLING, seed)
            generation.write(160)
            text = "".join(SOURCE.spell(generation.ids)).removeprefix(prompt).lower()
            written += [word for word in re.findall("[a-z]+", text) if len(word) >= 3]
        shares.append(f"{100 * fmean(word in book.ids for word in written):.0f} %")
    assert_says(PAGE, "Generate text from", *shares, f"{len(book.words):,}")


# Residual and norm, and depth -----------------------------------------------------------------


def gradients(results, name, step=10):
    return results.snapshot(name, step).block_gradients


def test_a_small_gradient_does_not_decide(results, curves):
    asked = "Look at the gradient"
    smallest = f"{round(fmean(gradients(results, 'neither')) * 1e7)} × 10⁻⁷"
    usual = gradients(results, "no-residual")
    ends = (f"{curves[name][1200]:.2f}" for name in ("neither", "no-residual"))
    assert_says(PAGE, asked, smallest, *ends, f"{min(usual):.1f} to {max(usual):.1f}")
    stuck = gradients(results, "no-residual", 100)[0]
    loss = f"{curves['no-residual'][100]:.2f}"
    assert_says(PAGE, asked, loss, f"{round(stuck * 1e5)} × 10⁻⁵")
    assert curves["no-residual"][100] == pytest.approx(results.unigram_loss, abs=0.02)
    neither = {s.step: s.loss for s in results.trainings["neither"].snapshots}
    assert {round(neither[step], 2) for step in range(200, 900, 100)} <= {3.04, 3.05}
    assert neither[900] < 2.95


def test_a_text_without_residual_has_no_words(results, losses):
    text, book = results.snapshot("no-residual", 1200).text, WordResults.load().vocabulary
    assert not any(word in book.ids for word in text.split() if len(word) >= 4)
    assert losses["no-residual"] == results.unigram_loss
    assert_says(PAGE, "Without residual the loss", f"{losses['no-residual']:.2f}")


def test_depth_matters_little_to_the_full_model(results, curves):
    assert abs(curves["deep"][1200] - curves["full"][1200]) < 0.05 < results.unigram_loss
    assert "makes little difference" in QUESTIONS["8 layers"].answer()[1]


def test_depth_hurts_only_without_residual_paths(results, losses):
    mean = mean_of_seeds(losses)
    alone = {f"{losses[name]:.2f}" for name in ("no-residual", "deep-no-residual")}
    norm = losses["no-norm"] - mean, losses["deep-no-norm"] - losses["deep"]
    both = losses["neither"], losses["deep-neither"]
    gained = mean - losses["deep"]
    said = (f"{loss:.2f}" for loss in (*norm, *both, gained))
    assert_says(PAGE, "Compare with 4", *alone, *said)
    assert {f"{norm:.0e}" for norm in gradients(results, "deep-neither")} <= {"1e-12", "2e-12"}


def test_gradients_from_block_to_block(results):
    without = gradients(results, "deep-no-residual")
    ratios = [first / then for first, then in pairwise(without)][2:]
    asked = "Does the gradient norm"
    assert_says(PAGE, asked, f"{min(ratios):.1f} to {max(ratios):.1f}")
    assert_says(PAGE, asked, f"{without[-1]:.2f} to {without[2]:.2f}")
    assert max(without[:3]) < 1.2 * min(without[:3])
    later = gradients(results, "deep-no-residual", 100)
    assert later[-1] / later[-2] == pytest.approx(20, abs=1.5)
    full = gradients(results, "deep")
    assert_says(PAGE, asked, f"{min(full):.2f} to {max(full):.2f}")


def test_the_mask_is_a_poor_substitute_for_positions(losses):
    behind = losses["no-positions"] - mean_of_seeds(losses)
    assert_says(PAGE, "Remove the positions", f"{behind:.2f}")
