"""Train Bengio's model on names, in all sizes and from three starts; or on the words of the book."""

from pathlib import Path

from torch import Tensor

from lm_core.experiments.commands import Report, experiment, flag, option
from lm_core.experiments.neural_language_model import study, word_results, words
from lm_core.experiments.neural_language_model.activations import ActivationResults, record_all
from lm_core.experiments.neural_language_model.results import NeuralLanguageModelResults
from lm_core.experiments.neural_language_model.words import divided_words, train_on_words
from lm_core.results import Recorded
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import require, sha256_of
from lm_core.text.names import load_names, split_names
from lm_core.text.training_text import load_body


@experiment(
    "train Bengio's model on names, in all sizes and from three starts, or on words of the book",
    None,
    option("--runs", Path("runs/neural-language-model"), "finished trainings: none is done again"),
    flag("--words", "train on the words of the book, not on names"),
    flag("--activations", "what units respond to every batch of two short trainings, and no more"),
    option("--out", help="file to write (default: the shipped results)", type=Path),
)
def run(report: Report) -> Recorded:
    """Train what the folder does not hold, each network of names; or a network of words."""
    if report.options.words:
        return _words(report)
    split = split_names(load_names())
    if report.options.activations:
        return ActivationResults(report.provenance(), record_all(split.train))
    found: list[list[tuple[study.TrainedNetwork, dict[str, Tensor]]]] = []
    for configs in (study.starts(), study.letter_maps(), study.sizes_of_the_grid()):
        found.append([])
        for config in configs:
            found[-1].append(study.carry_out_or_read(report.options.runs, config, split))
            report(found[-1][-1][0])
    of_starts, of_maps, grid = found
    return NeuralLanguageModelResults.of_study(of_starts, of_maps, grid, split)


def _words(report: Report) -> word_results.WordResults:
    divided, name = divided_words(load_body()), WAR_AND_PEACE.name
    trained, counts = train_on_words(divided.train), words.count_words(divided)
    losses = report(words.score_words(divided, trained.network, counts))
    made = report.provenance(
        seconds=trained.seconds,
        corpus=name,
        corpus_sha256=sha256_of(require(name)),
        training=words.TRAINING,
        learned_from=len(divided.train),
        held_out=len(divided.held_out),
        unknown=round(float((divided.held_out == 1).mean()), 4),
    )
    stored = word_results.stored(trained.network, counts)
    return word_results.WordResults(made, divided.vocabulary, *stored, losses)
