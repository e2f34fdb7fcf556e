"""What is reported of recurrent networks: who remembers, who counts, what equals torch's."""

from lm_core.experiments.counting.inference import continue_counting
from lm_core.experiments.published import RECALL_LENGTHS, RECALL_LSTM, RECALL_RNN
from lm_core.experiments.published_figures.record import Ours, of_seeds, reads
from lm_core.experiments.published_figures.sources import Sources

_THEIRS = {"rnn": RECALL_RNN, "lstm": RECALL_LSTM}
_PROMPT = (7, 8, 9, 10)


@reads("recall")
def _recall(sources: Sources, backbone: str, length: int) -> Ours:
    point = sources.recall(backbone, length)
    theirs = _THEIRS[backbone][RECALL_LENGTHS.index(length)]
    reached = sum(accuracy >= theirs - 5e-5 for accuracy in point.accuracies)
    return of_seeds(
        point.accuracies,
        f"Our mean of {len(point.accuracies)} seeds is {point.mean:.3f}, from"
        f" {min(point.accuracies):.3f} to {max(point.accuracies):.3f}; {reached or 'none'} of them"
        f" {'reaches' if reached < 2 else 'reach'} the published {theirs:.4f}, which is of one run"
        " and so may be luck.",
    )


@reads("counting")
def _counting(sources: Sources, epoch: int) -> Ours:
    losses = [losses[epoch] for losses in sources.repetitions.counting]
    shipped = next(e.loss for e in sources.counting.epochs if e.epoch == epoch)
    return of_seeds(
        losses,
        f"Our mean of {len(losses)} seeds is {sum(losses) / len(losses):.3f}, from {min(losses):.3f}"
        f" to {max(losses):.3f}; the training on the page has {shipped:.3f}.",
    )


@reads("continued_count")
def _continued_count(sources: Sources) -> Ours:
    model = sources.counting.epochs[-1].model
    first, second = continue_counting(model, _PROMPT, 2)
    return Ours(
        first.number,
        f"The shipped network continues {' '.join(map(str, _PROMPT))} by {first.number}, with"
        f" probability {first.probabilities[first.number]:.3f}, and then by {second.number}.",
    )
