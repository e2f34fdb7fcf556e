"""Train the variants of the ablation study; called again, it goes on where it stopped."""

from pathlib import Path

from lm_core.errors import SettingError
from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.ablations.training import save_variant, train_variant
from lm_core.experiments.ablations.variants import VARIANTS
from lm_core.experiments.commands import Report, experiment, option
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import load_book
from lm_core.training.checkpoints import SHIPPED

_DEVICE = "CPU, 1 thread"


@experiment(
    "train small transformers, each without one of its parts",
    AblationResults,
    option("variants", help=f"of {', '.join(VARIANTS)}; default: all", nargs="*", metavar="NAME"),
    option("--checkpoints", SHIPPED, "folder for the models that generate", type=Path),
)
def run(report: Report) -> None:
    """Train what the results do not hold yet, one model after another; SettingError if one is unknown."""
    asked, book = report.options, load_book(SOURCE)
    if strangers := sorted(set(asked.variants) - set(VARIANTS)):
        raise SettingError(f"variants must be among {list(VARIANTS)}, got {strangers}")
    results = AblationResults.load(asked.out) if asked.out.exists() else AblationResults.begin(book)
    for name in asked.variants or VARIANTS:
        if name not in results.trainings:
            model, record = train_variant(VARIANTS[name], book)
            if VARIANTS[name].has_checkpoint:
                save_variant(asked.checkpoints, VARIANTS[name], model, record, book, _DEVICE)
            results = results.add(name, record, _DEVICE)
            results.save(asked.out)
        report(f"{name:<20}{results.trainings[name].summary}")
