"""What is reported of recurrent networks: who remembers, who counts, what equals torch's."""

from functools import partial

from lm_core.experiments.counting.inference import continue_counting
from lm_core.experiments.published import COUNTING_LOSSES, RECALL_LENGTHS, RECALL_LSTM, RECALL_RNN
from lm_core.experiments.published_figures.equalities import by_hand
from lm_core.experiments.published_figures.record import (
    AS_WRITTEN,
    IN_SPREAD,
    Ours,
    PublishedFigure,
    of_seeds,
)
from lm_core.experiments.published_figures.results import LSTM, RNN
from lm_core.experiments.published_figures.sources import Sources

_RECALL = "Blog series, part V: LSTM networks, notebook rnn/MeasuringRNNAccuracy"
_COUNTING = "Blog series, part IV: learning how to count, notebook rnn/LearningHowToCount"
_PROMPT = (7, 8, 9, 10)


def _recall(backbone: str, length: int, theirs: float, sources: Sources) -> Ours:
    point = sources.recall(backbone, length)
    reached = sum(accuracy >= theirs - 5e-5 for accuracy in point.accuracies)
    return of_seeds(
        point.accuracies,
        f"Our mean of {len(point.accuracies)} seeds is {point.mean:.3f}, from"
        f" {min(point.accuracies):.3f} to {max(point.accuracies):.3f}; {reached or 'none'} of them"
        f" {'reaches' if reached < 2 else 'reach'} the published {theirs:.4f}, which is of one run.",
    )


def _recalled(backbone: str, title: str, accuracies: tuple[float, ...]) -> list[PublishedFigure]:
    return [
        PublishedFigure(
            f"recall-{backbone}-{length}",
            _RECALL,
            f"{title}, {length} symbols: right answers",
            f"{theirs:.4f}",
            f"Name the first of {length} consecutive symbols out of 512; 32 hidden units, 100 epochs of"
            " Adam at 0.1, not clipped; share of right last answers on the training sequences.",
            partial(_recall, backbone, length, theirs),
            IN_SPREAD,
            "rnn-vs-lstm",
            {"protocol": "original settings", "lengths": "4 to 18"},
        )
        for length, theirs in zip(RECALL_LENGTHS, accuracies, strict=True)
    ]


def _counting(epoch: int, sources: Sources) -> Ours:
    losses = [losses[epoch] for losses in sources.repetitions.counting]
    shipped = next(e.loss for e in sources.counting.epochs if e.epoch == epoch)
    return of_seeds(
        losses,
        f"Our mean of {len(losses)} seeds is {sum(losses) / len(losses):.3f}, from {min(losses):.3f}"
        f" to {max(losses):.3f}; the training on the page has {shipped:.3f}.",
    )


def _continued(sources: Sources) -> Ours:
    model = sources.counting.epochs[-1].model
    first, second = continue_counting(model, _PROMPT, 2)
    return Ours(
        first.number,
        f"The shipped network continues {' '.join(map(str, _PROMPT))} by {first.number}, with"
        f" probability {first.probabilities[first.number]:.3f}, and then by {second.number}.",
    )


FIGURES = (
    *_recalled("rnn", "RNN", RECALL_RNN),
    *_recalled("lstm", "LSTM", RECALL_LSTM),
    *(
        PublishedFigure(
            f"counting-loss-{epoch}",
            _COUNTING,
            f"Counting: loss of epoch {epoch} of 25",
            f"{theirs:.3g}" if theirs < 0.1 else f"{theirs:.3f}",
            "Runs of 6 of the numbers 0 to 127, an RNN of 32 units, Adam at 0.1 falling linearly, two"
            " batches an epoch; mean loss while it learns.",
            partial(_counting, epoch),
            IN_SPREAD,
            "counting",
            {},
            "nats",
        )
        for epoch, theirs in COUNTING_LOSSES.items()
    ),
    PublishedFigure(
        "counting-answer",
        _COUNTING,
        "What follows 7, 8, 9, 10",
        "11 (then 12)",
        "The trained network, the likeliest number each time; the state is used again for the second.",
        _continued,
        AS_WRITTEN,
        "counting",
        {"prompt": " ".join(map(str, _PROMPT)), "generated": "2"},
    ),
    by_hand(
        "rnn-by-hand",
        "Repository christianb93/MLLM, notebook rnn/RNN",
        "An RNN by hand equals torch.nn.RNN",
        "Inputs of 5 numbers, 3 hidden units, 5 steps; outputs and hidden states, begun and continued:"
        " True six times.",
        "inside-a-cell",
        RNN,
    ),
    by_hand(
        "lstm-by-hand",
        "Repository christianb93/MLLM, notebook lstm/LSTM",
        "An LSTM by hand equals torch.nn.LSTM",
        "Inputs of 5 numbers, 3 hidden units, 3 steps; outputs and states, begun and continued.",
        "inside-a-cell",
        LSTM,
    ),
)
