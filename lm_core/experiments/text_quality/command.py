"""What models write at each temperature, measured beside the part of the book that none has read."""

from lm_core.experiments.commands import Report, experiment, models, option
from lm_core.experiments.text_quality import measuring
from lm_core.experiments.text_quality.results import QualityResults
from lm_core.text.character_vocabulary import FULL
from lm_core.text.training_text import load_book

TEMPERATURES = (0.2, 0.5, 0.8, 1.0, 1.2, 1.5)


@experiment(
    "measure what language models write: real words, repetitions, quotations, copies",
    QualityResults,
    models("shipped names or folders (default: all)"),
    option("--passages", 16, "of each"),
    option("--characters", 1_000, "of each"),
)
def run(report: Report) -> QualityResults:
    """Measure each model at each temperature; models not named keep the rows that they have."""
    book, size = load_book(FULL), (report.options.passages, report.options.characters)
    rows = report.each(measuring.all_writers(book, report.models(), TEMPERATURES, size))
    named, kept = {row.writer for row in rows}, report.kept(QualityResults)
    others = (row for row in (kept.writers if kept else ()) if row.writer not in named)
    made = report.provenance(passages=size[0], characters=size[1], corpus_sha256=book.sha256)
    return QualityResults(made, (*rows, *others))
