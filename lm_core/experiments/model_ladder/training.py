"""Small models on the characters of the book: rungs of the ladder among the n-grams."""

from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from lm_core.models.mlp import MLPLanguageModelConfig
from lm_core.models.recurrent_language_model import GRULanguageModelConfig, RNNLanguageModelConfig
from lm_core.models.registry import build, config_to_dict
from lm_core.text.training_text import Book
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint
from lm_core.training.devices import describe_device
from lm_core.training.language_modelling import Training, TrainingConfig

EXPERIMENT = "model_ladder"


@dataclass(frozen=True)
class RungRecipe:
    """One small model, and how it is trained."""

    name: str
    title: str
    """`name` and `title`: of the checkpoint."""
    network: MLPLanguageModelConfig | RNNLanguageModelConfig | GRULanguageModelConfig
    training: TrainingConfig


_RECURRENT = TrainingConfig(steps=8_000, batch=32, window=64, learning_rate=3e-3)
RECIPES = {
    recipe.name: recipe
    for recipe in (
        RungRecipe(
            "book-mlp",
            "Bengio's model, 8 characters",
            MLPLanguageModelConfig(70, context_size=8, embedding_size=16, hidden_size=300),
            TrainingConfig(steps=4_000, batch=32, window=64, learning_rate=3e-3),
        ),
        RungRecipe("book-rnn", "RNN 1 x 256", RNNLanguageModelConfig(70, 32, 256, 1), _RECURRENT),
        RungRecipe("book-gru", "GRU 1 x 256", GRULanguageModelConfig(70, 32, 256, 1), _RECURRENT),
    )
}


def train_rung(
    recipe: RungRecipe, book: Book, folder: Path, device: torch.device | str = "cpu"
) -> Path:
    """Train a model on the training part of the book, and save it as a checkpoint.

    Raises CheckpointError if the folder cannot be written.
    """
    model, training = build(recipe.network), recipe.training
    run = Training(model, torch.from_numpy(book.train), training, device=device)
    for _ in run:
        pass
    meta = CheckpointMeta(
        name=recipe.name,
        title=recipe.title,
        config=config_to_dict(recipe.network),
        vocabulary=book.vocabulary.name,
        corpus=book.corpus,
        corpus_sha256=book.sha256,
        seed=training.seed,
        steps=training.steps,
        characters_seen=training.steps * training.batch * training.window,
        seconds=round(run.seconds, 1),
        device=describe_device(run.device),
        parameter_count=model.parameter_count,
        recipe=asdict(training),
        storage="int8_rows",
        experiment=EXPERIMENT,
    )
    return save_checkpoint(folder, model, meta)
