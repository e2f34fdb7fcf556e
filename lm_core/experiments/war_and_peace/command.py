"""Score models on the last tenth of the book, and ship what runs have trained."""

from pathlib import Path

from lm_core.errors import SettingError
from lm_core.experiments.commands import Report, experiment, flag, option
from lm_core.experiments.war_and_peace.results import NOVEL_ONLY, BookLosses, ModelRow
from lm_core.experiments.war_and_peace.scoring import FULL_NGRAM, BookScores
from lm_core.experiments.war_and_peace.shipping import ship
from lm_core.jobs.run_folder import RunFolder
from lm_core.training.checkpoints import SHIPPED, folder_of, list_language_models, record_losses


@experiment(
    "score models on the validation text",
    None,
    option(
        "models",
        help=f"shipped names, checkpoint folders or {FULL_NGRAM} (default: all shipped ones and it)",
        nargs="*",
    ),
    flag("--snapshots", "earlier training steps too"),
    option(
        "--ship",
        [],
        help="put what these runs have trained among the shipped models first, in 8-bit rows if that costs next to nothing",
        nargs="+",
        type=Path,
        metavar="RUN",
    ),
    option(
        "--mix",
        [],
        help="also score WEIGHT * FIRST + (1 - WEIGHT) * SECOND, under B and B'",
        nargs=3,
        action="append",
        metavar=("FIRST", "SECOND", "WEIGHT"),
    ),
    option("--stride", 8, help="between cold windows"),
    flag("--record", "write the losses into the checkpoints' provenances too"),
    option(
        "--save",
        BookLosses.shipped(),
        help="file of results to write; models not named keep their rows (default: the shipped one)",
    ),
)
def run(report: Report) -> None:
    """Print one row a model as soon as it is known."""
    arguments = report.options
    _check_mixtures(arguments.mix)
    for run_folder in arguments.ship:
        for shipped, rise in ship(RunFolder(run_folder), SHIPPED):
            cost = f"{rise:+.4f} nats a token in 8-bit rows"
            report(f"{shipped.name}: {cost}, shipped as {shipped.storage}")
    scores = BookScores(arguments.stride)
    book = scores.book
    n = len(book.validation)
    report(f"{n:,} characters of validation text, sha256 of the book {book.sha256[:12]}")
    report(
        f"{'model':<22}{'A':>9}{'B':>9}{'± block':>9}{'B bits':>8}{NOVEL_ONLY:>9}"
        f"{'parameters':>13}{'seen':>9}{'seconds':>9}{'B - first':>10}{'± block':>9}"
    )
    rows: list[ModelRow] = []
    mixed_names = [name for first, second, _ in arguments.mix for name in (first, second)]
    chosen = arguments.models or _default_models(arguments.snapshots)
    for name in dict.fromkeys([*chosen, *mixed_names]):
        rows.append(scores.of_model(name))
        report(_line(rows[-1]))
        if arguments.record and name != FULL_NGRAM:
            losses = rows[-1].losses.items()
            record_losses(folder_of(name), {p: round(loss.nats, 4) for p, loss in losses})
    for mixture in arguments.mix:
        rows.append(scores.of_mixture(*mixture))
        report(_line(rows[-1]))
    if arguments.save:
        made = report.provenance(book, stride=arguments.stride)
        measured = _beside_others(rows, arguments.save) if arguments.models else rows
        BookLosses(made, tuple(measured)).save(arguments.save)


def _beside_others(rows: list[ModelRow], path: Path) -> list[ModelRow]:
    """Return the rows of a file, if there is one, those of the same names replaced, new ones last."""
    kept = {row.name: row for row in BookLosses.load(path).rows} if path.exists() else {}
    return list((kept | {row.name: row for row in rows}).values())


def _check_mixtures(mixtures: list[list[str]]) -> None:
    for _, _, weight in mixtures:
        try:
            inside = 0.0 < float(weight) < 1.0
        except ValueError:
            inside = False
        if not inside:
            raise SettingError(f"the weight of a mixture must lie in (0, 1), got {weight!r}")


def _default_models(with_snapshots: bool) -> list[str]:
    shipped = [m.name for m in list_language_models() if with_snapshots or m.snapshot_of is None]
    return [*shipped, FULL_NGRAM]


def _line(row: ModelRow) -> str:
    cold = f"{row.losses['A'].nats:9.4f}" if "A" in row.losses else f"{'':>9}"
    carried, seen, difference = row.losses["B"], row.characters_seen, row.difference
    paired = f"{difference.nats:+10.4f}{difference.standard_error:9.4f}" if difference else ""
    return (
        f"{row.name:<22}{cold}{carried.nats:9.4f}{carried.standard_error:9.4f}{carried.bits:8.4f}"
        f"{row.losses[NOVEL_ONLY].nats:9.4f}{row.parameters or '':>13}"
        f"{f'{seen / 1e6:.1f} M' if seen else '':>9}{row.seconds or '':>9}{paired}"
    )
