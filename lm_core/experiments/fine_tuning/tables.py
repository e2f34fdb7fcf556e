"""The results of fine-tuning as Markdown tables."""

from collections.abc import Iterator, Sequence

from lm_core.experiments.fine_tuning.results import FineTuningResults
from lm_core.experiments.fine_tuning.settings import METHODS, SIZES


def tables(results: FineTuningResults) -> Iterator[str]:
    """Yield the lines of three tables: accuracies, what was forgotten, and GPT's recipe."""
    yield from _accuracies(results)
    yield ""
    yield from _forgotten(results)
    yield ""
    yield from _auxiliary(results)


def _accuracies(results: FineTuningResults) -> Iterator[str]:
    """Yield a row for each task and method: mean and range over the seeds, in per cent."""
    sizes = sorted({point.n_labelled for point in results.points} | set(SIZES))
    yield from _head(["Task", "Method", "Learned numbers", *(f"{n:,}" for n in sizes)])
    for task, record in results.tasks.items():
        for rule, accuracy in record.baselines.items():
            yield _row([task, rule, "", f"{accuracy:.1%}", *[""] * (len(sizes) - 1)])
        for method in METHODS:
            found = results.accuracies(task, method)
            cells = [_range(found[n]) if n in found else "" for n in sizes]
            yield _row([task, method, f"{record.learned[method]:,}", *cells])


def _forgotten(results: FineTuningResults) -> Iterator[str]:
    """Yield a row for each task and method: nats a masked subword of the book, least to most labels."""
    yield from _head(["Task", "Method", "10 labels", "all labels"])
    for task, record in results.tasks.items():
        for method in METHODS:
            ends = [
                [p.masked_loss for p in results.points if p[:3] == (task, method, n)]
                for n in (SIZES[0], min(record.n_training, SIZES[-1]))
            ]
            means = [f"{sum(losses) / len(losses):.2f}" if losses else "" for losses in ends]
            yield _row([task, method, *means])


def _auxiliary(results: FineTuningResults) -> Iterator[str]:
    """Yield a row for each number of labels and weight: accuracy, and the losses on both texts."""
    yield from _head(["Labelled", "λ", "Accuracy", "Loss, authors", "Loss, the book"])
    for n, weight in dict.fromkeys((p.n_labelled, p.weight) for p in results.auxiliary):
        points = [p for p in results.auxiliary if (p.n_labelled, p.weight) == (n, weight)]
        losses = [sum(p[column] for p in points) / len(points) for column in (4, 5)]
        accuracies = _range([p.accuracy for p in points])
        yield _row([str(n), f"{weight:g}", accuracies, *(f"{loss:.3f}" for loss in losses)])


def _range(accuracies: Sequence[float]) -> str:
    mean = sum(accuracies) / len(accuracies)
    return f"{mean:.1%} ({100 * min(accuracies):.0f} to {100 * max(accuracies):.0f})"


def _head(titles: list[str]) -> Iterator[str]:
    yield _row(titles)
    yield _row(["---"] * len(titles))


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
