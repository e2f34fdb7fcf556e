"""The small picture of each page, drawn from the page's own results or models: `make thumbnails`.

They are drawn when the lab is built and not at each visit; a slow test draws them anew.
"""

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import torch

from lm_core.analysis.attention_trace import trace_attention
from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.residual_stream import streams, trace
from lm_core.analysis.surprisal import readable_text, score_text, surprisal_by_word
from lm_core.analysis.text_spans import QUOTATION
from lm_core.analysis.translation_support import growing, judged_words
from lm_core.analysis.unit_activations import CELL
from lm_core.analysis.word_space import WordSpace
from lm_core.assets import THUMBNAILS
from lm_core.clustering import em, k_means
from lm_core.clustering.datasets import DATA_SETS, iris
from lm_core.clustering.initialisation import initial_centres, mixture_on_a_point
from lm_core.clustering.number_of_clusters import candidates
from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.assistant.results import AssistantResults
from lm_core.experiments.assistant.tasks import PLURAL, SHOTS
from lm_core.experiments.assistant.tuning import TUNED, WRITER
from lm_core.experiments.attention_by_hand.printed_example import FOX, PRINTED_SCORES, weights_of
from lm_core.experiments.attention_cost.results import CostResults
from lm_core.experiments.convolution.examples import FILTERS, PICTURES, VERTICAL
from lm_core.experiments.counting.training import CountingConfig, train_counting
from lm_core.experiments.estimation.experiment import EstimationSettings, Method, run_experiment
from lm_core.experiments.estimation.population import population
from lm_core.experiments.fine_tuning.learning_curves import accuracy_curve
from lm_core.experiments.fine_tuning.results import FineTuningResults
from lm_core.experiments.fine_tuning.settings import FROZEN, LORA, SCRATCH, TAG
from lm_core.experiments.fine_tuning.settings import TUNED as FINE_TUNED
from lm_core.experiments.inside_a_cell.results import TrainedNetworks
from lm_core.experiments.inside_a_writer.results import UnitResults
from lm_core.experiments.masked_language_model.results import MaskedResults
from lm_core.experiments.minimal_pairs.our_pairs import DISTANCES, OTHER
from lm_core.experiments.minimal_pairs.results import MinimalPairResults
from lm_core.experiments.model_ladder.families import FAMILIES
from lm_core.experiments.model_ladder.results import LadderResults
from lm_core.experiments.n_grams.results import NAMES, NGramResults
from lm_core.experiments.neural_language_model.results import NeuralLanguageModelResults
from lm_core.experiments.optimisers.descent import RUNNERS, descend
from lm_core.experiments.optimisers.landscapes import BANANA, landscape
from lm_core.experiments.order_matters.models import RNN, WINDOW, expected, learn
from lm_core.experiments.order_matters.sentences import (
    BETWEEN,
    SIZES,
    TWO_SENTENCES,
    corpus_of,
    word_that_tells,
    words_put_between,
)
from lm_core.experiments.overfitting.training import NetworkSettings, train
from lm_core.experiments.part_of_speech_tagging.results import TaggingResults
from lm_core.experiments.part_of_speech_tagging.settings import WINDOWS, window_name
from lm_core.experiments.perceptron.tasks import TASKS, XOR
from lm_core.experiments.preferences.results import PreferenceResults
from lm_core.experiments.preferences.rules import SHORT
from lm_core.experiments.preferences.settings import DPO, PPO, REINFORCE, REWARD_MODEL
from lm_core.experiments.published_figures.ledger import load_ledger
from lm_core.experiments.published_figures.record import Verdict
from lm_core.experiments.reservoir_computing.series import MACKEY_GLASS, series_task, study_series
from lm_core.experiments.reservoir_computing.study import CHOSEN, DENSITY, UNITS
from lm_core.experiments.rnn_vs_lstm.results import RecallResults
from lm_core.experiments.sequence_models.inference import reverse_word, word_of
from lm_core.experiments.thirty_runs.runs import (
    estimate_of_sample,
    running_means,
    true_probability_of_bird,
)
from lm_core.experiments.tokenization.book_statistics import BookStatistics, load_book_tokenizer
from lm_core.files import write_whole
from lm_core.generation.prompts import default_prompt
from lm_core.generation.translated_words import word_attention, words_of
from lm_core.generation.translation import translate, translate_all
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.convolution import trace_convolution
from lm_core.models.deep_network import (
    HE,
    NAIVE,
    PLAIN,
    XAVIER,
    backward,
    draw_weights,
    forward,
    scaled_weights,
)
from lm_core.models.perceptron import XOR_NETWORK
from lm_core.models.positional_encoding.absolute import sinusoidal_positions
from lm_core.models.reservoir import ReservoirSettings, draw_reservoir, scale_reservoir
from lm_core.models.tagger import AVERAGED, CONCATENATED
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.names import SYMBOLS
from lm_core.text.translation_vocabulary import shipped_vocabulary
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of
from lm_core.training.recipes import LIBRARY_TRANSFORMER
from pages.home.drawing import Frame, Points, bars, heat_map, svg, tokens
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
from pages.shared.models.translation import EXAMPLES, ONE_VECTOR, TRANSFORMER
from pages.shared.registry import LESSONS

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
_SHOWN_BINS = 90  # of the chapter over which a unit is drawn
_SENTENCE = "Natasha saw Pierre, and Pierre saw Natasha."


def _published_figures() -> str:
    found = sorted(load_ledger(), key=lambda entry: list(Verdict).index(entry.verdict))
    colours = {Verdict.HOLDS: BLUE, Verdict.DOES_NOT_HOLD: VERMILLION, Verdict.NOT_COMPARABLE: SKY}
    in_a_row = 13
    frame = Frame((-1, in_a_row), (len(found) // in_a_row + 1, -1))
    dots = (
        frame.dots([(i % in_a_row, i // in_a_row)], colours.get(entry.verdict, GREY), radius=4)
        for i, entry in enumerate(found)
    )
    return svg(*dots)


def _perceptron() -> str:
    points, ends = TASKS[XOR], (-0.3, 1.3)
    frame, units = Frame(ends, ends), (XOR_NETWORK.first, XOR_NETWORK.second)
    borders = (unit.border((*ends, *ends)) for unit in units)
    lines = (frame.line(border, GREY) for border in borders if border is not None)
    classes = (
        frame.dots(points.inputs[points.targets == class_].tolist(), colour, radius=7)
        for class_, colour in ((0, BLUE), (1, VERMILLION))
    )
    return svg(*lines, *classes)


def _optimisers() -> str:
    scene = landscape(BANANA)
    left, right, bottom, top = scene.bounds
    frame = Frame((left, right), (bottom, top))
    parts = []
    for name, colour in (("GD", VERMILLION), ("momentum", BLUE), ("Adam", GREEN)):
        runner = RUNNERS[name]
        way = descend(scene.loss, scene.start, runner.rule, runner.rate_on(scene), 60)
        parts.append(frame.line(way.tolist(), colour))
    return svg(*parts, frame.dots([(1.0, 1.0)], GREY, radius=6))


def _gradients() -> str:
    depth, width, rng = 30, 100, generator(1)
    draws, tanh = draw_weights(depth, width, rng), ACTIVATIONS["tanh"]
    inputs, top = torch.randn((2, 32, width), generator=rng, dtype=torch.float64)
    weights = torch.stack([scaled_weights(draws, name) for name in (NAIVE, XAVIER, HE)])
    trace = forward(weights, inputs, tanh, PLAIN)
    rows = backward(weights, trace, top, tanh, PLAIN).var((-2, -1)).T.tolist()
    frame = Frame((0, depth), (1e-20, 1e3), has_log_y=True)
    return frame.graph(zip((VERMILLION, BLUE, GREEN), map(enumerate, rows), strict=True))


def _overfitting() -> str:
    found = train(NetworkSettings(seed=2))
    losses = (scores.losses[:, 0].tolist() for scores in (found.training, found.validation))
    lines = (zip(found.steps, row, strict=True) for row in losses)
    return Frame((0, found.steps[-1]), (0.0, 1.3)).graph(
        zip((BLUE, VERMILLION), lines, strict=True)
    )


def _convolution() -> str:
    feature_map = trace_convolution(PICTURES["T"][None], FILTERS[VERTICAL][None]).output
    return svg(heat_map((feature_map / 6 + 0.5).tolist(), SIGNED))


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
    return frame.graph([(BLUE, pairs)], picked, radius=3.5)


def _mixture_pitfalls() -> str:
    points = DATA_SETS["two blobs"](60, generator(1)).points
    steps = list(itertools.islice(em.steps(points, mixture_on_a_point(points, 4, 0.4)), 40))
    widths = [math.sqrt(float(step.mixture.covariances[1, 0, 0])) for step in steps]
    pairs = [(i, width) for i, width in enumerate(widths) if width > 0]
    return Frame((0, len(widths)), (1e-4, 1.0), has_log_y=True).graph([(VERMILLION, pairs)])


def _estimation() -> str:
    curves = run_experiment(EstimationSettings(Method.LOGISTIC, 50, 0, 12)).curves[:, 1]
    grid = population()
    frame = Frame((0, len(grid.lengths) - 1), (0, 1))
    thin = (frame.line(list(enumerate(c)), SKY, width=1, opacity=0.6) for c in curves[1:].tolist())
    truth = frame.line(list(enumerate(grid.truth[1].tolist())), GREY)
    return svg(frame.axes(), *thin, frame.line(list(enumerate(curves[0].tolist())), BLUE), truth)


def _thirty_runs() -> str:
    values = [estimate_of_sample(Method.LOGISTIC, 40, number) for number in range(30)]
    frame, means = Frame((0, len(values) - 1), (0, 1)), running_means(values)
    truth = frame.line([(0, true_probability_of_bird()), (29, true_probability_of_bird())], GREY)
    line = frame.line([(i, found.mean) for i, found in enumerate(means)], BLUE)
    return svg(frame.axes(), frame.dots(list(enumerate(values)), SKY), truth, line)


def _tokenization() -> str:
    text = "Unbelievable, said the princess."
    pieces = [token.end - token.start for token in load_book_tokenizer().trace(text)]
    words = [len(word) for word in text.replace(",", " ,").replace(".", " .").split(" ")]
    return svg(tokens((words, pieces, [1] * len(text)), [GROUPS[:5]] * 3))


def _byte_pair_encoding() -> str:
    book = BookStatistics.load()
    pairs = [(1 + size.n_merges, book.n_characters / size.n_tokens) for size in book.sizes]
    frame = Frame((1, pairs[-1][0]), (0, max(y for _, y in pairs)), has_log_x=True)
    return frame.graph([(BLUE, pairs)], radius=2.5)


def _embeddings() -> str:
    model = load_shipped("library-skip-gram").model
    space = WordSpace.of(model.vocabulary, model.input)
    words = space.vocabulary.encode(" ".join(_THEMES).split())
    places = principal_components(space.unit([int(i) for i in words])).points
    frame, themes = _around(places), places.split([len(theme.split()) for theme in _THEMES])
    pairs = zip(themes, GROUPS, strict=False)
    return svg(*(frame.dots(theme.tolist(), colour, radius=3.5) for theme, colour in pairs))


def _word2vec() -> str:
    shares = (1, 3, 10, 30, 60, 100)
    names = [f"book-cbow-at-{share}" for share in shares[:-1]] + ["book-cbow"]
    losses = [load_shipped(name).meta.losses["training"] for name in names]
    pairs = list(zip(shares, losses, strict=True))
    frame = Frame((1, 100), (min(losses) - 0.1, max(losses)), has_log_x=True)
    return frame.graph([(GREEN, pairs)], radius=3.5)


def _n_grams() -> str:
    scores = NGramResults.load().of_text(NAMES)
    frame = Frame((1, len(scores)), (1, scores[-1].possible), has_log_y=True)
    possible, seen = ([(s.n, getattr(s, field)) for s in scores] for field in ("possible", "seen"))
    return frame.graph([(GREY, possible), (BLUE, seen)], frame.dots(seen, BLUE, radius=3.5))


def _neural_language_model() -> str:
    vectors = NeuralLanguageModelResults.load().embeddings[0][-1]
    is_vowel = torch.tensor([symbol in "aeiou" for symbol in SYMBOLS])
    frame, parts = _around(vectors), ((vectors[~is_vowel], ORANGE), (vectors[is_vowel], BLUE))
    return svg(*(frame.dots(letters.tolist(), colour, radius=4) for letters, colour in parts))


def _part_of_speech_tagging() -> str:
    measured = TaggingResults.load()
    errors = (
        (colour, [(w, 1 - measured.mean(window_name(combination, w), "every")) for w in WINDOWS])
        for combination, colour in ((AVERAGED, VERMILLION), (CONCATENATED, GREEN))
    )
    return Frame((0, WINDOWS[-1]), (0.015, 0.6), has_log_y=True).graph(errors, radius=3.5)


def _model_ladder() -> str:
    rungs = LadderResults.load().rungs
    sizes, losses = [rung.parameters for rung in rungs], [rung.loss for rung in rungs]
    frame = Frame(
        (min(sizes), max(sizes)), (min(losses), max(losses)), has_log_x=True, has_log_y=True
    )
    colours = dict(zip(FAMILIES, (GREY, ORANGE, GREEN, GREEN, BLUE, PURPLE, SKY), strict=True))
    counted = sorted((r.parameters, r.loss) for r in rungs if r.name.startswith("ngram-"))
    dots = (
        frame.dots([(r.parameters, r.loss)], colours.get(r.family, GREEN), radius=5) for r in rungs
    )
    return frame.graph([(GREY, counted)], *dots)


def _order_matters() -> str:
    curves: dict[str, list[tuple[float, float]]] = {GREEN: [], BLUE: []}
    for n in range(len(BETWEEN) + 1):
        corpus = words_put_between(corpus_of(*TWO_SENTENCES[SIZES]), n)
        before, word = word_that_tells(corpus, 1)
        for name, points in zip((WINDOW, RNN), curves.values(), strict=True):
            points.append((n, float(expected(learn(name, corpus), before)[-1, word])))
    return _beside_a_guess(len(BETWEEN), curves)


def _minimal_pairs() -> str:
    results = MinimalPairResults.load()
    names = {BLUE: "full-lstm", PURPLE: LIBRARY_TRANSFORMER.name}
    return _beside_a_guess(
        DISTANCES[-1],
        {c: [(s.words, s.right) for s in results.by_distance(n, OTHER)] for c, n in names.items()},
    )


def _beside_a_guess(last: int, curves: Mapping[str, Points]) -> str:
    frame = Frame((0, last), (0, 1.05))
    return frame.graph(curves.items(), radius=4, under=frame.line([(0, 0.5), (last, 0.5)], GREY))


def _masked_language_model() -> str:
    measured = MaskedResults.load()
    classes = [measured.of_class(tag) for tag in (".", "PRON", "CONJ", "VERB", "NOUN")]
    lines = (
        (colour, enumerate(getattr(score, name) for score in classes))
        for name, colour in (("left", SKY), ("both", PURPLE))
    )
    return Frame((-0.5, len(classes) - 0.5), (0.0, 0.8)).graph(lines, radius=4)


def _fine_tuning() -> str:
    found = FineTuningResults.load()
    methods = ((SCRATCH, VERMILLION), (FROZEN, BLUE), (LORA, GREEN), (FINE_TUNED, PURPLE))
    return Frame((10, 10_000), (0.2, 1), has_log_x=True).graph(
        (colour, [(p.at, p.mean) for p in accuracy_curve(found, TAG, method)])
        for method, colour in methods
    )


def _rnn_vs_lstm() -> str:
    points = RecallResults.load().points("original")
    return Frame((4, 100), (0, 1), has_log_x=True).graph(
        (colour, [(p.length, p.mean) for p in points if p.backbone == name])
        for name, colour in (("rnn", VERMILLION), ("lstm", BLUE))
    )


def _inside_a_cell() -> str:
    found = list(TrainedNetworks.load().networks.values())
    by_accuracy = sorted(found, key=lambda network: max(network.accuracy.values()))
    curves = [network.curve for network in (by_accuracy[0], by_accuracy[-1])]
    return Frame((0, curves[0].update[-1]), (0, 2.5)).graph(
        (colour, zip(curve.update, curve.loss, strict=True))
        for curve, colour in zip(curves, (VERMILLION, BLUE), strict=True)
    )


def _inside_a_writer() -> str:
    measured = UnitResults.load()
    unit = measured.of_kind(QUOTATION, CELL).units[0].unit
    # Upside down: this unit is low inside quotations.
    activation = (-measured.chapter[CELL].mean[:_SHOWN_BINS, unit]).tolist()
    frame = Frame((0, _SHOWN_BINS - 1), (min(activation), max(activation)))
    return frame.graph([(ORANGE, enumerate(activation))])


def _counting() -> str:
    pairs = [(epoch.epoch, epoch.loss) for epoch in train_counting(CountingConfig())]
    return Frame((0, len(pairs) - 1), (0, pairs[0][1])).graph([(VERMILLION, pairs)])


def _sequence_models() -> str:
    model = load_shipped("word-reverser").model
    words = ("sonya", "pierre", "natasha", "bolkonsky", "karataevski", "pierrebezukhov")
    right = [
        sum(a == b for a, b in zip(word_of(reverse_word(model, word)), word[::-1], strict=False))
        / len(word)
        for word in words
    ]
    return svg(bars(right, BLUE))


def _encoder_decoder() -> str:
    beginnings = growing(EXAMPLES[-1].english)[::2]
    one_vector, judge = (load_shipped(name).model for name in (ONE_VECTOR, TRANSFORMER))
    texts = translate_all(one_vector, shipped_vocabulary(), beginnings)
    rows = judged_words(judge, shipped_vocabulary(), beginnings, texts)
    return svg(
        tokens(
            [[len(word.text) + 1 for word in row] for row in rows],
            [[VERMILLION if word.is_invented else BLUE for word in row] for row in rows],
        )
    )


def _attention() -> str:
    model, meta = load_shipped("book-subword-transformer")
    ids = torch.from_numpy(vocabulary_of(meta).encode(_SENTENCE))
    weights = trace_attention(model, ids).layers[0].attention.weights
    spread = weights[int((weights.max(-1).values).mean(-1).argmin())]
    return svg(heat_map(spread.sqrt().tolist(), _SHADES))


def _transformer_block() -> str:
    model, meta = load_shipped("book-subword-transformer")
    found = trace(model, torch.from_numpy(vocabulary_of(meta).encode(_SENTENCE)))
    stages, units = streams(model.config), 4
    blank = [[None]] * len(found.tokens)
    columns = []
    for stage in stages[::2]:
        values = found[stage][:, :units]
        columns += [(0.5 + values / values.abs().max() / 2).tolist(), blank]
    rows = [list(itertools.chain.from_iterable(row)) for row in zip(*columns[:-1], strict=True)]
    row = len(rows) - 2.5
    frame = Frame((0, len(rows[0])), (len(rows), 0))
    line = frame.line([(0, row), (len(rows[0]), row)], VERMILLION)
    return svg(heat_map(rows, SIGNED), line)


def _cross_attention() -> str:
    sentence = "A man in a red car drives to the beach."
    model = load_shipped("translation-transformer").model
    translation = translate(model, shipped_vocabulary(), sentence)
    assert translation.attention is not None
    spelled = translation.target_symbols, translation.source_symbols
    weights = word_attention(translation.attention, *map(words_of, spelled))
    return svg(heat_map(weights[1].mean(0).sqrt().tolist(), _SHADES))


def _attention_by_hand() -> str:
    return svg(bars(weights_of(PRINTED_SCORES, FOX).clamp_min(0.01).tolist(), PURPLE))


def _positional_encoding() -> str:
    rows = sinusoidal_positions(14, 28).add(1).div(2)
    return svg(heat_map(rows.tolist(), SIGNED))


def _ablations() -> str:
    trained = AblationResults.load().trainings
    curves = [trained[name].curve for name in ("full", "no-residual", "no-mask")]
    return Frame((0, curves[0].step[-1]), (0, 4)).graph(
        (colour, zip(curve.step, curve.loss, strict=True))
        for curve, colour in zip(curves, (PURPLE, GREY, VERMILLION), strict=True)
    )


def _attention_cost() -> str:
    costs = CostResults.load().costs
    frame = Frame((64, 8192), (3e-5, 2.0), has_log_x=True, has_log_y=True)
    colours = (VERMILLION, PURPLE, BLUE, GREEN)
    return frame.graph(
        (colour, [(c.length, c.seconds) for c in costs if c.method == method])
        for method, colour in zip(dict.fromkeys(c.method for c in costs), colours, strict=True)
    )


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


def _reservoir_computing() -> str:
    task, chosen = series_task(MACKEY_GLASS), CHOSEN[MACKEY_GLASS]
    draws = draw_reservoir(UNITS, 1, DENSITY, generator(1))
    reservoir = scale_reservoir(draws, ReservoirSettings(1.0, chosen.leak, chosen.input_scale))
    found = study_series(reservoir, task, chosen.penalty)
    frame = Frame((0, task.horizon), (float(task.series.min()), float(task.series.max())))
    truth = frame.line(list(enumerate(task.truths[0].tolist())), GREY, width=4.0, opacity=0.6)
    return svg(truth, frame.line(list(enumerate(found.values[0].tolist())), BLUE))


def _preferences() -> str:
    found = PreferenceResults.load()
    best = found.rules[SHORT].best_of[REWARD_MODEL]
    curves = [(ORANGE, [(max(0.1, one.kl), one.reward) for one in best])]
    for method, weight, colour in (
        (PPO, 0.3, BLUE),
        (DPO, 0.1, GREEN),
        (REINFORCE, 0.0, VERMILLION),
    ):
        points = sorted(
            (max(0.1, point.kl), point.reward)
            for run in found.tuned
            if run.config == replace(run.config, rule=SHORT, method=method, kl_weight=weight)
            and run.config.reward == REWARD_MODEL
            for point in run.points
        )
        curves.append((colour, points))
    return Frame((0.1, 100), (0, 8), has_log_x=True).graph(curves)


def _assistant() -> str:
    results = AssistantResults.load()
    return Frame((0, SHOTS[-1]), (0, 1)).graph(
        (colour, [(cell.shots, cell.accuracy) for cell in results.of(name, PLURAL)])
        for name, colour in ((WRITER, ORANGE), (TUNED, PURPLE))
    )


DRAWN: dict[str, Callable[[], str]] = {
    spec.address: globals()[f"_{spec.address.replace('-', '_')}"] for spec in LESSONS
}
"""By address; `_n_grams` draws /n-grams."""


def main() -> None:
    """Draw all of them into the assets."""
    for address, draw in DRAWN.items():
        write_whole(THUMBNAILS / f"{address}.svg", draw().encode())


if __name__ == "__main__":
    main()
