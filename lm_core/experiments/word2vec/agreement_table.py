"""How well word vectors agree with people, as lines of a table."""

from pathlib import Path

from lm_core.analysis.word_families import with_families
from lm_core.experiments.word2vec.recipes import agreements, scores
from lm_core.models.embeddings import WordVectors
from lm_core.training.checkpoints import CheckpointMeta, load_checkpoint


def rows_of(folder: Path) -> list[str]:
    """Return lines of the table: the vectors, and with word families; none for another kind of model."""
    model, meta = load_checkpoint(folder)
    if not isinstance(model, WordVectors):
        return []
    families = with_families(model.input.detach(), model.vocabulary)
    measured = {
        meta.title: scores(model),
        f"{meta.title}, with word families": agreements(families, model.vocabulary),
    }
    return [_row(title, model, meta, found) for title, found in measured.items()]


def _row(title: str, model: WordVectors, meta: CheckpointMeta, measured: dict[str, float]) -> str:
    cells = [
        title,
        f"{model.config.size:,}",
        f"{model.config.width}",
        *(
            cell
            for listed in ("WordSim-353", "SimLex-999")
            for cell in (
                f"{measured.get(listed, float('nan')):.3f}",
                f"{measured.get(f'{listed}, unknown', float('nan')):.1%}",
            )
        ),
        f"{meta.characters_seen / max(meta.seconds, 0.1):,.0f}",
    ]
    return f"| {' | '.join(cells)} |"
