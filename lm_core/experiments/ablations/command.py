"""Train the variants of the ablation study; called again, it goes on where it stopped."""

from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.ablations.training import save_variant, train_variant
from lm_core.experiments.ablations.variants import VARIANTS
from lm_core.experiments.commands import Report, experiment, on_device, option
from lm_core.experiments.recipes import recipe_named
from lm_core.text.training_text import load_book
from lm_core.training.checkpoints import SHIPPED


@experiment(
    "train small transformers, each without one of its parts",
    AblationResults,
    option("variants", help=f"of {', '.join(VARIANTS)}; default: all", nargs="*", metavar="NAME"),
    option("--checkpoints", SHIPPED, "folder for the models that generate"),
    on_device(),
)
def run(report: Report) -> None:
    """Train what the results do not hold yet, one model after another; SettingError if one is unknown."""
    asked, book = report.options, load_book()
    results = report.found(AblationResults) or AblationResults.begin(book)
    for name, variant in {n: recipe_named(VARIANTS, n) for n in asked.variants or VARIANTS}.items():
        if name not in results.trainings:
            model, record = train_variant(variant, book, report.device)
            if variant.has_checkpoint:
                save_variant(asked.checkpoints, variant, model, record, book, report.trained_on)
            results = results.add(name, record, report.trained_on)
            results.save(asked.out)
        report(f"{name:<20}{results.trainings[name].summary}")
