"""Count the words of the book, and learn its subwords, for the pages on tokens; minutes of one core."""

from pathlib import Path

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.tokenization import book_statistics
from lm_core.files import write_whole
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import require, sha256_of
from lm_core.text.tokenizers.byte_pair_training import even_sizes, train_counting_tokens
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json
from lm_core.text.training_text import load_body


@experiment(
    "count the words of the book and learn its subwords",
    book_statistics.BookStatistics,
    option("--tokenizer", book_statistics.BOOK_SUBWORDS, "file to write", type=Path),
)
def run(report: Report) -> book_statistics.BookStatistics:
    """Learn the subwords, and count."""
    text, name = load_body(), WAR_AND_PEACE.name
    wanted = list(even_sizes(book_statistics.MOST_MERGES))
    tokenizer, sizes = train_counting_tokens(text, wanted)
    write_whole(report.options.tokenizer, to_tokenizer_json(tokenizer))
    inputs = report(book_statistics.losses_by_input())
    made = report.provenance(corpus=name, corpus_sha256=sha256_of(require(name)))
    return book_statistics.BookStatistics.of(made, text, report.each(sizes), inputs)
