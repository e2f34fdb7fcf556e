"""What the commands of all experiments share: options, one thread, a clock, lines to read, the file."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import torch

from lm_core.files import write_whole
from lm_core.results import Recorded, provenance
from lm_core.text.training_text import TrainingText
from lm_core.training.checkpoints import list_language_models
from lm_core.training.devices import DEVICES, choose_device, describe_device

Row = TypeVar("Row")
Found = TypeVar("Found", bound=Recorded)


class Report:
    """One call of a command: what was asked for, since when it runs, and what it says meanwhile."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self._began, self._began_processor = time.perf_counter(), time.process_time()

    @property
    def device(self) -> torch.device:
        """Where is trained, of a command with the option `on_device`."""
        return choose_device(self.options.device)

    @property
    def trained_on(self) -> str:
        """The device's name, for the record."""
        return describe_device(self.device)

    def __call__(self, row: Row) -> Row:
        """Print a row, as soon as it is known, and return it."""
        sys.stdout.write(f"{row if isinstance(row, str) else _line(row)}\n")
        sys.stdout.flush()
        return row

    def each(self, rows: Iterable[Row]) -> tuple[Row, ...]:
        """Return rows, each printed as soon as it is known."""
        return tuple(map(self, rows))

    def provenance(self, text: TrainingText | None = None, /, **settings: Any) -> dict[str, Any]:
        """Return when and on what was measured, and of which text; the clock is that of the call."""
        settings = {name: _plain(value) for name, value in settings.items()}
        facts = {"corpus": text.corpus, "corpus_sha256": text.sha256} if text else {}
        seconds = time.perf_counter() - self._began
        return provenance(**{"device": "cpu", "seconds": seconds, **facts, **settings})

    def models(self) -> list[str]:
        """Return the names in the option ``models``; by default those of all shipped language models."""
        return self.options.models or [m.name for m in list_language_models() if not m.snapshot_of]

    @property
    def processor_seconds(self) -> float:
        """What the call has taken of a processor so far."""
        return time.process_time() - self._began_processor

    def found(self, kind: type[Found]) -> Found | None:
        """Return what the file holds already."""
        return kind.load(self.options.out) if self.options.out.exists() else None

    def kept(self, kind: type[Found]) -> Found | None:
        """Return what the file holds already, where the option ``models`` names some to be replaced."""
        return self.found(kind) if self.options.models else None


class Command(NamedTuple):
    """A command as ``python -m lm_core experiment`` runs it."""

    measure: Callable[[Report], Recorded | None]
    help: str
    results: type[Recorded] | None
    """Written to the option ``out``; None where the experiment writes more than one file."""
    options: tuple[Callable[[argparse.ArgumentParser], Any], ...]

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""
        for declare in self.options:
            declare(parser)
        if self.results:
            default = self.results.shipped()
            parser.add_argument(
                "--out", type=Path, default=default, help=f"file to write (default: {default.name})"
            )

    def __call__(self, options: argparse.Namespace) -> None:
        """Measure in one thread, and write what was found."""
        torch.set_num_threads(1)
        found = self.measure(Report(options))
        if found is not None:
            found.save(options.out)


def experiment(
    help: str,
    results: type[Recorded] | None = None,
    *options: Callable[[argparse.ArgumentParser], Any],
) -> Callable[[Callable[[Report], Recorded | None]], Command]:
    """Make a command of a function that measures."""
    return lambda measure: Command(measure, help, results, options)


def option(
    name: str, default: Any = None, help: str = "", **settings: Any
) -> Callable[[argparse.ArgumentParser], Any]:
    """Return what declares an option; its type is its default's, and the default is said in its help."""
    if default is not None and not settings:
        settings = {"type": type(default)}
        is_shipped = isinstance(default, Path) and default.is_absolute()
        help = f"{help} (default: {'the shipped one' if is_shipped else default})"
    if name.startswith("-") or settings.get("nargs") == "*":
        settings["default"] = default
    return lambda parser: parser.add_argument(name, help=help, **settings)


def recipes(known: Iterable[str], more: str = "") -> Callable[[argparse.ArgumentParser], Any]:
    """Return what declares the names of recipes, some of the known ones."""
    return option("recipes", help=f"of {', '.join(known)}{more}", nargs="*", metavar="RECIPE")


def flag(name: str, help: str) -> Callable[[argparse.ArgumentParser], Any]:
    """Return what declares an option without a value."""
    return lambda parser: parser.add_argument(name, action="store_true", help=help)


def on_device() -> Callable[[argparse.ArgumentParser], Any]:
    """Return what declares where is trained: `Report.device`."""
    return option("--device", help="default: LM_LAB_DEVICE, or auto", choices=DEVICES)


def models(help: str = "shipped names (default: all that read the book)") -> Any:
    """Return what declares the names of models, without which all are meant."""
    return lambda parser: parser.add_argument("models", nargs="*", help=help)


def progress(steps: Iterable[Any], name: str, n_steps: int, every: int = 100) -> Iterator[Any]:
    """Yield the steps of a training, and say on the terminal how far it has come, and how long it takes."""
    for step in steps:
        if step.step % every == 0 or step.step == n_steps:
            a_step, unseen = step.seconds / step.step, step._asdict().get("held_out_loss")
            sys.stderr.write(
                f"{name}  step {step.step:6d} of {n_steps}  loss {step.loss:.4f}"
                + (f"  held out {unseen:.4f}" if unseen is not None else "")
                + f"  {a_step:.2f} s a step  {a_step * (n_steps - step.step) / 60:.0f} min left\n"
            )
            sys.stderr.flush()
        yield step


def carried_out(steps: Iterable[Any], name: str, n_steps: int, every: int = 100) -> float:
    """Carry a training out to its end, with `progress`; return how many seconds it took."""
    seconds = 0.0
    for step in progress(steps, name, n_steps, every):
        seconds = step.seconds
    return seconds


def made_once(path: Path, make: Callable[[], Any]) -> Any:
    """Return the plain values that a file holds; where there is none, make them and write it first."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(make()).encode())
    return json.loads(path.read_text(encoding="utf-8"))


def _plain(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def _line(row: Any) -> str:
    """Return a record's words and numbers, each after its name; of a curve, its end."""
    fields = vars(row) if is_dataclass(row) else row._asdict()
    return "  ".join(f"{name} {_shown(value)}" for name, value in fields.items())


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(entry)}" for name, entry in value.items())
    if is_dataclass(value) or hasattr(value, "_fields"):
        return f"({_line(value)})"
    if isinstance(value, list | tuple) and value:
        return _shown(value[-1])
    return f"{value:.4g}" if isinstance(value, float) else str(value)
