"""Train the networks of the recall experiment, many at once; call it again to go on."""

import sys

from lm_core.experiments.commands import Report, experiment, flag, on_device, option
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.results import RecallResults, Training
from lm_core.experiments.rnn_vs_lstm.settings import LONGER_LENGTHS, PROTOCOLS, PUBLISHED_LENGTHS
from lm_core.experiments.rnn_vs_lstm.table import table
from lm_core.experiments.rnn_vs_lstm.training import train_batch
from lm_core.files import now


@experiment(
    "measure who remembers the beginning of a sequence",
    RecallResults,
    option("--protocol", "original", choices=PROTOCOLS),
    option(
        "--backbones", list(BACKBONES), help=f"of {', '.join(BACKBONES)} (default: all)", nargs="+"
    ),
    option(
        "--lengths",
        [*PUBLISHED_LENGTHS, *LONGER_LENGTHS],
        help="symbols in a sequence (default: the published 4 to 18, then 30, 50 and 100)",
        nargs="+",
        type=int,
    ),
    option("--seeds", 20, help="networks a point"),
    flag("--table", "print the table of both protocols; train nothing"),
    on_device(),
)
def run(report: Report) -> None:
    """Train what the file does not have yet; the file is written anew after every batch."""
    arguments = report.options
    if arguments.table:
        report("\n".join(table()))
        return
    path, protocol = arguments.out, arguments.protocol
    results = RecallResults.load(path) if path.exists() else RecallResults({}, {}, {})
    seeds = range(arguments.seeds)
    batches = results.missing(protocol, arguments.backbones, arguments.lengths, seeds)
    for number, settings in enumerate(batches, start=1):
        trained = train_batch(settings, report.device)
        results = results.added(protocol, trained, Training(now(), report.trained_on))
        results.save(path)
        print(f"batch {number} of {len(batches)}: {settings.backbone}", file=sys.stderr)
    report.each(results.points(protocol))
