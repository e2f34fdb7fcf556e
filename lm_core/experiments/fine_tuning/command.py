"""Tune the encoder for four tasks in four ways, and the causal model by GPT's recipe; call it again to go on."""

from pathlib import Path

import torch

from lm_core.experiments.commands import Report, experiment, flag, option
from lm_core.experiments.fine_tuning import study
from lm_core.experiments.fine_tuning.auxiliary_loss import CausalClassifier, as_causal, score_causal
from lm_core.experiments.fine_tuning.finished_tunings import (
    AUXILIARY,
    POINTS,
    RATES,
    adapters_of,
    append,
    records_of,
    tune_once,
)
from lm_core.experiments.fine_tuning.labelled_texts import (
    LabelledTexts,
    Task,
    between_separators,
    labelled_texts,
)
from lm_core.experiments.fine_tuning.results import FineTuningResults, TaskRecord
from lm_core.experiments.fine_tuning.settings import (
    AUTHOR,
    CAUSAL,
    ENCODER,
    METHODS,
    TASKS,
    FineTuningConfig,
)
from lm_core.experiments.fine_tuning.study import AuxiliaryPoint, Point, RateScore
from lm_core.experiments.fine_tuning.tables import tables
from lm_core.experiments.fine_tuning.tasks import MAKE_TASK
from lm_core.experiments.fine_tuning.training import prepared_model
from lm_core.experiments.masked_language_model.segments import Segments
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.rng import generator
from lm_core.text.training_text import Book, load_book
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named
from lm_core.training.checkpoints import load_shipped

_CAUSAL_PASSAGE, _CAUSAL_PASSAGES = 46, 200


@experiment(
    "tune the pretrained encoder for four tasks, by number of labelled examples",
    FineTuningResults,
    option("--runs", Path("runs/fine-tuning"), help="folder of finished tunings"),
    option("--methods", METHODS, nargs="+", choices=METHODS),
    option("--tasks", TASKS, nargs="+", choices=TASKS),
    flag("--rates", "compare learning rates, then stop"),
    flag("--table", "print the tables of the shipped results; tune nothing"),
)
def run(report: Report) -> None:
    """Make what is not there yet, a line each; once all of it is there, write it into one file."""
    arguments = report.options
    if arguments.table:
        report("\n".join(tables(FineTuningResults.load(arguments.out))))
        return
    runs = arguments.runs
    runs.mkdir(parents=True, exist_ok=True)
    checkpoint = load_shipped(ENCODER)
    encoder: MaskedLanguageModel = checkpoint.model
    vocabulary = vocabulary_named(FULL_SUBWORDS)
    tasks = {name: MAKE_TASK[name](vocabulary, encoder.config) for name in arguments.tasks}
    if arguments.rates:
        for name, task in tasks.items():
            append(runs / RATES, study.compare_rates(encoder, name, task))
        return
    book = load_book(vocabulary)
    segments = Segments(book.validation, vocabulary.symbols, encoder.config)
    for config in study.configs(tasks):
        if config.method in arguments.methods:
            tune_once(encoder, config, tasks[config.task], segments, runs)
    if set(arguments.methods) != set(METHODS) or set(tasks) != set(TASKS):
        return
    causal = load_shipped(CAUSAL)
    passages = _book_passages(book, encoder)
    if not (runs / AUXILIARY).exists():
        append(runs / AUXILIARY, study.auxiliary_points(causal.model, tasks[AUTHOR], passages))
    untuned = CausalClassifier(causal.model, len(tasks[AUTHOR].labels), generator(0)).eval()
    points = tuple(records_of(runs / POINTS, Point))
    made = report.provenance(
        seconds=sum(point.seconds for point in points),
        encoder=ENCODER,
        encoder_sha256=checkpoint.meta.weights_sha256,
        causal=CAUSAL,
        causal_sha256=causal.meta.weights_sha256,
        pretrained_masked_loss=round(study.kept_reading(encoder, segments), 4),
        pretrained_test_loss=_language_loss(untuned, as_causal(tasks[AUTHOR].test)),
        pretrained_book_loss=_language_loss(untuned, passages),
    )
    FineTuningResults(
        made,
        {name: _task_record(encoder, name, task) for name, task in tasks.items()},
        points,
        tuple(records_of(runs / AUXILIARY, AuxiliaryPoint)),
        tuple(records_of(runs / RATES, RateScore)),
        tuple(adapters_of(tasks, runs)),
    ).save(arguments.out)


def _task_record(encoder: MaskedLanguageModel, name: str, task: Task) -> TaskRecord:
    n, learned = len(task.labels), {}
    for method in METHODS:
        tuned = prepared_model(encoder, FineTuningConfig(name, method, 1), n, generator(0))
        learned[method] = tuned.learned_parameter_count
    sizes = len(task.training.lengths), len(task.test.lengths)
    baselines = {rule: round(accuracy, 4) for rule, accuracy in task.baselines.items()}
    return TaskRecord(task.labels, *sizes, baselines, learned)


def _book_passages(book: Book, encoder: MaskedLanguageModel) -> LabelledTexts:
    """Return pieces of the book's validation part, as the causal model reads the authors' passages."""
    pieces = torch.from_numpy(book.validation).split(_CAUSAL_PASSAGE)[:_CAUSAL_PASSAGES]
    tokens = [between_separators([piece.tolist()], encoder.config) for piece in pieces]
    return as_causal(labelled_texts(tokens, [0] * len(tokens), encoder.config))


def _language_loss(classifier: CausalClassifier, texts: LabelledTexts) -> float:
    return round(score_causal(classifier, texts).language_loss, 4)
