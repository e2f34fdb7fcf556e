"""Score the book, novels by others, the models' own texts and shuffled words by every shipped model."""

from lm_core.experiments.commands import Report, experiment, models, option
from lm_core.experiments.surprisal.measuring import KEPT, own_texts, score_kind, texts_by_kind
from lm_core.experiments.surprisal.results import OWN, SurprisalResults
from lm_core.text.library import HELD_OUT_NOVELS
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of


@experiment(
    "score texts of several kinds by every shipped language model",
    SurprisalResults,
    models(),
    option("--characters", 4_000, "of each text"),
    option("--texts", 6, "of each kind"),
)
def run(report: Report) -> SurprisalResults:
    """Score each kind of text by each model; models not named keep the rows that they have."""
    names, kept = report.models(), report.kept(SurprisalResults) or SurprisalResults({}, (), {})
    size = report.options.characters, report.options.texts
    scores, written = [s for s in kept.scores if s.model not in names], dict(kept.written)
    for name in names:
        model, meta = load_shipped(name)
        own = own_texts(model, vocabulary := vocabulary_of(meta), *size)
        written[name] = own[OWN][0][:KEPT]
        for kind, texts in (own | texts_by_kind(*size)).items():
            scores.append(report(score_kind(name, kind, model, vocabulary, texts)))
    made = report.provenance(characters=size[0], texts=size[1], novels=HELD_OUT_NOVELS)
    return SurprisalResults(made, tuple(scores), written)
