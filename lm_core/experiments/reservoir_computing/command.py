"""Train recurrent networks on the tasks, and score them and reservoirs of the same size."""

from functools import partial
from pathlib import Path

from lm_core.experiments.commands import Report, experiment, made_once, option
from lm_core.experiments.reservoir_computing import learned, results, study
from lm_core.experiments.reservoir_computing.letters import N_SCORED, N_TRAIN, RNN, letter_draws
from lm_core.experiments.reservoir_computing.series import SERIES
from lm_core.text.training_text import load_book

RNN_SEEDS = 2


@experiment(
    "train recurrent networks on memory and series, and score them beside reservoirs of their size",
    results.ReservoirResults,
    option("--runs", Path("runs/reservoirs"), help="folder of what is already done"),
    option("--rnn-seeds", RNN_SEEDS),
    option("--seeds", study.SEEDS, help="reservoirs at each point of the grid"),
)
def run(report: Report) -> results.ReservoirResults:
    """Train what is not there yet, score everything, and write it."""
    asked, book = report.options, load_book()  # first: without it nothing is trained in vain
    text, scored = book.train[:N_TRAIN], book.validation[:N_SCORED]
    rows = made_once(asked.runs / "grid.json", lambda: [*study.study_grid(asked.seeds)])
    report(f"{len(rows)} reservoirs on the grid")
    rows += made_once(asked.runs / "letters.json", lambda: [*study.study_letters(text, scored)])
    memory, series = [], []
    for seed in range(1, asked.rnn_seeds + 1):
        path, make = asked.runs / f"memory-{seed}.json", partial(learned.learn_memory, seed)
        memory.append(report(results.LearnedMemory(*made_once(path, make))))
        for name in SERIES:
            path = asked.runs / f"{name.lower().replace(' ', '-')}-{seed}.json"
            row = made_once(path, partial(learned.learn_series, name, seed))
            series.append(report(results.LearnedSeries(*row)))
    points = [study.GridPoint(*row) for row in rows]
    letters, readouts = learned.solve_letters(book, points)
    made = report.provenance(
        book,
        seconds=sum(row.seconds for row in memory) + sum(row.seconds for row in series),
        training=learned.TRAINING,
        memory_training=learned.MEMORY_TRAINING,
        chosen={task: chosen._asdict() for task, chosen in study.CHOSEN.items()},
        characters=N_TRAIN,
        characters_scored=N_SCORED,
        rnn=RNN,
    )
    draws, loss = results.StoredDraws.of(letter_draws(1)), round(learned.loss_of_rnn(scored), 4)
    trained = tuple(series), tuple(memory)
    return results.ReservoirResults(
        made, *trained, tuple(points), tuple(letters), loss, draws, readouts
    )
