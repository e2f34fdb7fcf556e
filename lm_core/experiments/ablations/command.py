"""Train the variants of the ablation study; called again, it goes on where it stopped."""

from dataclasses import replace

from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.ablations.training import save_variant, step_seconds, train_variant
from lm_core.experiments.ablations.variants import MODERN, VARIANTS
from lm_core.experiments.commands import Report, experiment, flag, on_device, option
from lm_core.experiments.recipes import recipe_named
from lm_core.text.training_text import load_book
from lm_core.training.checkpoints import SHIPPED


@experiment(
    "train small transformers, each without one of its parts",
    AblationResults,
    option("variants", help=f"of {', '.join(VARIANTS)}; default: all", nargs="*", metavar="NAME"),
    option("--checkpoints", SHIPPED, "folder for the models that generate"),
    flag("--times", "train nothing: time the steps of models with modern parts"),
    on_device(),
)
def run(report: Report) -> None:
    """Train what the results do not hold yet, one model after another; SettingError if one is unknown."""
    asked, book = report.options, load_book()
    results = report.found(AblationResults) or AblationResults.begin(book)
    if asked.times:
        times = step_seconds([VARIANTS[name] for name in ("full", *MODERN)], book)
        replace(results, step_seconds=times).save(asked.out)
        report(str(times))
        return
    for name, variant in {n: recipe_named(VARIANTS, n) for n in asked.variants or VARIANTS}.items():
        if name not in results.trainings:
            model, record = train_variant(variant, book, report.device)
            if variant.has_checkpoint:
                save_variant(asked.checkpoints, variant, model, record, book, report.trained_on)
            results = results.add(name, record, report.trained_on)
            results.save(asked.out)
        report(f"{name:<20}{results.trainings[name].summary}")
