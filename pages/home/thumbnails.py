"""The small picture of each page, drawn from the page's own results or models: `make thumbnails`.

They are drawn when the lab is built and not at each visit; a slow test draws them anew.
"""

import itertools
import math
from collections.abc import Callable

import torch

from lm_core.analysis.attention_trace import trace_attention
from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.surprisal import readable_text, score_text, surprisal_by_word
from lm_core.analysis.text_spans import QUOTATION
from lm_core.analysis.unit_activations import CELL
from lm_core.analysis.word_space import WordSpace
from lm_core.assets import THUMBNAILS
from lm_core.clustering import em, k_means
from lm_core.clustering.datasets import DATA_SETS, iris
from lm_core.clustering.initialisation import initial_centres, mixture_on_a_point
from lm_core.clustering.number_of_clusters import candidates
from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.attention_by_hand.printed_example import FOX, PRINTED_SCORES, weights_of
from lm_core.experiments.attention_cost.results import CostResults
from lm_core.experiments.counting.training import CountingConfig, train_counting
from lm_core.experiments.estimation.experiment import EstimationSettings, Method, run_experiment
from lm_core.experiments.estimation.population import population
from lm_core.experiments.inside_a_cell.results import load_networks
from lm_core.experiments.inside_a_writer.results import load_results as load_unit_results
from lm_core.experiments.rnn_vs_lstm.results import RecallResults, results_path
from lm_core.experiments.sequence_models.inference import reverse_word, word_of
from lm_core.experiments.tokenization.book_statistics import load_book_tokenizer, load_results
from lm_core.files import write_whole
from lm_core.generation.prompts import default_prompt
from lm_core.models.positional_encoding.absolute import sinusoidal_positions
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of
from pages.home.drawing import Frame, bars, heat_map, svg, tokens
from pages.shared.charts.palette import (
    BLUE,
    GREEN,
    GREY,
    GROUPS,
    ORANGE,
    PURPLE,
    SIGNED,
    SKY,
    VERMILLION,
)

_SHADES = tuple(f"#{c}" for c in ("f2e6ee", "e6c3d6", "d99fbf", "cc79a7", "a85a86", "7d3d62"))
"""From no weight to all, in attention's colour."""
_THEMES = (
    "father mother brother sister son daughter wife husband",
    "one two three four five six seven eight nine ten",
    "bread meat wine tea milk soup butter sugar fruit",
    "army battle soldiers general enemy regiment cannon officer",
)
_HEAT = tuple(f"#{c}" for c in ("f7e3d4", "f0c8a8", "e6a470", "dd8138", "d55e00"))
"""From an expected word to a surprising one, in surprisal's colour."""
_SURPRISING = (
    "The prince looked at her and said nothing. Then her telephone rang, and the princess wept."
)
_SHOWN_BINS = 90
"""Of the chapter over which a unit is drawn."""
_SENTENCE = "Natasha saw Pierre, and Pierre saw Natasha."


def _clustering() -> str:
    points = DATA_SETS["95 : 5"](100, generator(8)).points
    found = k_means.fit(points, initial_centres(points, 2, "k-means++", 8, 1))
    frame = _around(points)
    groups = [points[found.labels == k].tolist() for k in range(2)]
    dots = [frame.dots(group, colour) for group, colour in zip(groups, GROUPS, strict=False)]
    centres = (frame.cross(tuple(centre), GREY) for centre in found.centres.tolist())
    return svg(*dots, *centres)


def _number_of_clusters() -> str:
    scores = [candidate.bic for candidate in candidates(iris().points, 6)]
    frame = Frame((1, 6), (min(scores) - 20, max(scores)))
    best = 1 + scores.index(min(scores))
    pairs = list(enumerate(scores, start=1))
    picked = frame.dots([(best, scores[best - 1])], VERMILLION, radius=6)
    return svg(frame.axes(), frame.line(pairs, BLUE), frame.dots(pairs, BLUE, radius=3.5), picked)


def _mixture_pitfalls() -> str:
    points = DATA_SETS["two blobs"](60, generator(1)).points
    steps = list(itertools.islice(em.steps(points, mixture_on_a_point(points, 4, 0.4)), 40))
    widths = [math.sqrt(float(step.mixture.covariances[1, 0, 0])) for step in steps]
    pairs = [(i, width) for i, width in enumerate(widths) if width > 0]
    frame = Frame((0, len(widths)), (1e-4, 1.0), has_log_y=True)
    return svg(frame.axes(), frame.line(pairs, VERMILLION))


def _estimation() -> str:
    curves = run_experiment(EstimationSettings(Method.LOGISTIC, 50, 0, 12)).curves[:, 1]
    grid = population()
    frame = Frame((0, len(grid.lengths) - 1), (0, 1))
    thin = (frame.line(list(enumerate(c)), SKY, width=1, opacity=0.6) for c in curves[1:].tolist())
    truth = frame.line(list(enumerate(grid.truth[1].tolist())), GREY)
    return svg(frame.axes(), *thin, frame.line(list(enumerate(curves[0].tolist())), BLUE), truth)


def _tokenization() -> str:
    text = "Unbelievable, said the princess."
    pieces = [token.end - token.start for token in load_book_tokenizer().trace(text)]
    words = [len(word) for word in text.replace(",", " ,").replace(".", " .").split(" ")]
    return svg(tokens((words, pieces, [1] * len(text)), [GROUPS[:5]] * 3))


def _byte_pair_encoding() -> str:
    book = load_results()
    pairs = [(1 + size.n_merges, book.n_characters / size.n_tokens) for size in book.sizes]
    frame = Frame((1, pairs[-1][0]), (0, max(y for _, y in pairs)), has_log_x=True)
    return svg(frame.axes(), frame.line(pairs, BLUE), frame.dots(pairs, BLUE))


def _embeddings() -> str:
    model = load_shipped("library-skip-gram").model
    space = WordSpace.of(model.vocabulary, model.input)
    words = [[int(i) for i in space.vocabulary.encode(theme.split())] for theme in _THEMES]
    places = principal_components(space.unit([i for theme in words for i in theme])).points
    frame, first = _around(places), 0
    parts = []
    for theme, colour in zip(words, GROUPS, strict=False):
        parts.append(frame.dots(places[first : first + len(theme)].tolist(), colour, radius=3.5))
        first += len(theme)
    return svg(*parts)


def _word2vec() -> str:
    shares = (1, 3, 10, 30, 60, 100)
    names = [f"book-cbow-at-{share}" for share in shares[:-1]] + ["book-cbow"]
    losses = [load_shipped(name).meta.losses["training"] for name in names]
    pairs = list(zip(shares, losses, strict=True))
    frame = Frame((1, 100), (min(losses) - 0.1, max(losses)), has_log_x=True)
    return svg(frame.axes(), frame.line(pairs, GREEN), frame.dots(pairs, GREEN, radius=3.5))


def _rnn_vs_lstm() -> str:
    points = RecallResults.load(results_path()).points("original")
    frame = Frame((4, 100), (0, 1), has_log_x=True)
    lines = [
        frame.line([(p.length, p.mean) for p in points if p.backbone == name], colour)
        for name, colour in (("rnn", VERMILLION), ("lstm", BLUE))
    ]
    return svg(frame.axes(), *lines)


def _inside_a_cell() -> str:
    found = list(load_networks().networks.values())
    by_accuracy = sorted(found, key=lambda network: max(network["accuracy"].values()))
    curves = [network["curve"] for network in (by_accuracy[0], by_accuracy[-1])]
    last = curves[0]["update"][-1]
    frame = Frame((0, last), (0, 2.5))
    lines = [
        frame.line(list(zip(curve["update"], curve["loss"], strict=True)), colour)
        for curve, colour in zip(curves, (VERMILLION, BLUE), strict=True)
    ]
    return svg(frame.axes(), *lines)


def _inside_a_writer() -> str:
    measured = load_unit_results()
    unit = measured.of_kind(QUOTATION, CELL).units[0].unit
    activation = measured.chapter[CELL].mean[:_SHOWN_BINS, unit].tolist()
    frame = Frame((0, _SHOWN_BINS - 1), (max(activation), min(activation)))
    return svg(frame.axes(), frame.line(list(enumerate(activation)), ORANGE))


def _counting() -> str:
    pairs = [(epoch.epoch, epoch.loss) for epoch in train_counting(CountingConfig())]
    frame = Frame((0, len(pairs) - 1), (0, pairs[0][1]))
    return svg(frame.axes(), frame.line(pairs, VERMILLION))


def _sequence_models() -> str:
    model = load_shipped("word-reverser").model
    words = ("sonya", "pierre", "natasha", "bolkonsky", "karataevski", "pierrebezukhov")
    right = [
        sum(a == b for a, b in zip(word_of(reverse_word(model, word)), word[::-1], strict=False))
        / len(word)
        for word in words
    ]
    return svg(bars(right, BLUE))


def _attention() -> str:
    shipped = load_shipped("book-transformer")
    ids = torch.from_numpy(SOURCE.prepare(_SENTENCE[:18]).ids).long()
    weights = trace_attention(shipped.model, ids).layers[0].attention.weights
    spread = weights[int((weights.max(-1).values).mean(-1).argmin())]
    return svg(heat_map(spread.sqrt().tolist(), _SHADES))


def _attention_by_hand() -> str:
    return svg(bars(weights_of(PRINTED_SCORES, FOX).clamp_min(0.01).tolist(), PURPLE))


def _positional_encoding() -> str:
    rows = sinusoidal_positions(14, 28).add(1).div(2)
    return svg(heat_map(rows.tolist(), SIGNED))


def _ablations() -> str:
    trained = AblationResults.load().trainings
    curves = [trained[name]["curve"] for name in ("full", "no-residual", "no-mask")]
    frame = Frame((0, curves[0]["step"][-1]), (0, 4))
    lines = [
        frame.line(list(zip(curve["step"], curve["loss"], strict=True)), colour)
        for curve, colour in zip(curves, (PURPLE, GREY, VERMILLION), strict=True)
    ]
    return svg(frame.axes(), *lines)


def _attention_cost() -> str:
    costs = CostResults.load().costs
    frame = Frame((64, 8192), (3e-5, 2.0), has_log_x=True, has_log_y=True)
    colours = (VERMILLION, PURPLE, BLUE, GREEN)
    lines = [
        frame.line([(c.length, c.seconds) for c in costs if c.method == method], colour)
        for method, colour in zip(dict.fromkeys(c.method for c in costs), colours, strict=True)
    ]
    return svg(frame.axes(), *lines)


@torch.inference_mode()
def _war_and_peace() -> str:
    model = load_shipped("book-lstm").model
    ids = torch.from_numpy(SOURCE.encode(default_prompt(SOURCE))).long()[None]
    logits, _ = model(ids, model.initial_state(1))
    shares = logits[0, -1].softmax(-1).sort(descending=True).values[:7]
    return svg(bars(shares.tolist(), SKY, BLUE))


def _around(points: torch.Tensor) -> Frame:
    (left, low), (right, high) = points.min(0).values.tolist(), points.max(0).values.tolist()
    return Frame((left, right), (low, high))


def _surprisal() -> str:
    model, meta = load_shipped("book-subword-transformer")
    text = readable_text(_SURPRISING, vocabulary_of(meta))
    words = surprisal_by_word(text, score_text(model, text, vocabulary_of(meta)).by_character)
    shades = [_HEAT[min(len(_HEAT) - 1, int(word.bits / 6))] for word in words]
    rows = [slice(start, start + 5) for start in range(0, len(words), 5)]
    return svg(
        tokens(
            [[w.end - w.start for w in words[row]] for row in rows], [shades[row] for row in rows]
        )
    )


DRAWN: dict[str, Callable[[], str]] = {
    "clustering": _clustering,
    "number-of-clusters": _number_of_clusters,
    "mixture-pitfalls": _mixture_pitfalls,
    "estimation": _estimation,
    "tokenization": _tokenization,
    "byte-pair-encoding": _byte_pair_encoding,
    "embeddings": _embeddings,
    "word2vec": _word2vec,
    "rnn-vs-lstm": _rnn_vs_lstm,
    "inside-a-cell": _inside_a_cell,
    "inside-a-writer": _inside_a_writer,
    "counting": _counting,
    "sequence-models": _sequence_models,
    "attention": _attention,
    "attention-by-hand": _attention_by_hand,
    "positional-encoding": _positional_encoding,
    "ablations": _ablations,
    "attention-cost": _attention_cost,
    "war-and-peace": _war_and_peace,
    "surprisal": _surprisal,
}
"""By address."""


def main() -> None:
    """Draw all of them into the assets."""
    for address, draw in DRAWN.items():
        write_whole(THUMBNAILS / f"{address}.svg", draw().encode())


if __name__ == "__main__":
    main()
