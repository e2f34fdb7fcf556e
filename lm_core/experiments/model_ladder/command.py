"""Score every model that reads the book on the same held-out characters; those already scored are kept.

The characters are those of the last tenth of the book, without the licence, read once from the first to
the last. Then each model predicts the same places with at most 1, 2, 4, ... characters to look back at:
a model of subwords the token that holds a place, from those that lie wholly within so many characters.
"""

from lm_core.experiments.commands import Report, experiment, models, on_device, option
from lm_core.experiments.model_ladder.results import LadderResults
from lm_core.experiments.model_ladder.scoring import Ladder, not_scored
from lm_core.experiments.model_ladder.training import RECIPES, train_rung
from lm_core.experiments.recipes import recipe_named
from lm_core.text.training_text import load_book
from lm_core.training import checkpoints


@experiment(
    "score every model of the book on the same characters",
    LadderResults,
    models("names to score again (default: those not scored yet)"),
    option("--places", 2_000, "predicted for each context"),
    option("--characters", help="held-out characters to read (default: all)", type=int),
    option("--train", (), f"first train, of {', '.join(RECIPES)}", nargs="+", metavar="NAME"),
    on_device(),
)
def run(report: Report) -> None:
    """Print and save a rung a model as soon as it is known."""
    asked = report.options
    for name in asked.train:
        recipe = recipe_named(RECIPES, name)
        report(str(train_rung(recipe, load_book(), checkpoints.SHIPPED, report.device)))
    kept = report.found(LadderResults) or LadderResults({}, ())
    ladder = Ladder(asked.characters, asked.places)
    for name in asked.models or asked.train or not_scored(kept):
        rung = report(ladder.rung(name))
        n = len(ladder.losses(name).carried)
        made = report.provenance(ladder.book, characters=n, places=asked.places)
        kept = kept.with_rung(rung, made)
        kept.save(asked.out)
