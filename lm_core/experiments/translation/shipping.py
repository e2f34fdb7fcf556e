"""From finished trainings to what is shipped: scores of all of them, and the weights of some in 8-bit rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from lm_core.errors import CheckpointError
from lm_core.experiments.translation.batches import encode_pairs
from lm_core.experiments.translation.evaluation import SAMPLES, Bleu, HeadBleu, bleu, bleu_by_length
from lm_core.experiments.translation.results import BEAM_WIDTH, ModelScore
from lm_core.experiments.translation.training import mean_loss
from lm_core.generation.translation import Heads, all_heads, translate_all
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.text.sentence_pairs import TEST, TRAIN, VALIDATION, SentencePair, load_pairs
from lm_core.text.translation_vocabulary import shipped_vocabulary
from lm_core.training.checkpoints import (
    Checkpoint,
    CheckpointMeta,
    load_checkpoint,
    save_checkpoint,
)

LARGEST_RISE = 0.01
"""Nats per token that the validation loss may rise by when weights are stored in 8-bit rows."""


def finished_runs(folder: Path) -> Iterator[Checkpoint]:
    """Yield the models of the runs below a folder that came to their end, by name."""
    for path in sorted(folder.glob("*/config.json")):
        run = RunFolder(path.parent)
        if run.status().state.is_over and run.checkpoint.exists():
            yield load_checkpoint(run.checkpoint)


def scored(checkpoint: Checkpoint, report: Callable[[str], object]) -> ModelScore:
    """Translate validation and test pairs, greedily and by beam search, and score that."""
    model, meta = checkpoint
    vocabulary = shipped_vocabulary()
    validation, test = load_pairs(VALIDATION), load_pairs(TEST)

    def translations(pairs: Sequence[SentencePair], width: int, ablated: Heads = ()) -> list[str]:
        report(f"{meta.name}: {len(pairs)} pairs, width {width}, ablated {list(ablated)}")
        sources = [pair.source for pair in pairs]
        return translate_all(model, vocabulary, sources, width=width, ablated=ablated)

    def score(pairs: Sequence[SentencePair], found: list[str], samples: int = SAMPLES) -> Bleu:
        return bleu(found, [pair.target for pair in pairs], samples)

    beam, heads = translations(test, BEAM_WIDTH), all_heads(model)
    config = model.config
    is_recurrent = isinstance(config, EncoderDecoderConfig)
    return ModelScore(
        name=meta.name,
        title=meta.title,
        attention=config.attention if is_recurrent else "transformer",
        context_size=config.context_size if is_recurrent else 0,
        parameters=meta.parameter_count,
        steps=meta.steps,
        seed=meta.seed,
        passes=round(meta.characters_seen / _training_tokens(), 2),
        seconds=meta.seconds,
        validation_loss=round(mean_loss(model, encode_pairs(validation, vocabulary)), 4),
        validation=score(validation, translations(validation, BEAM_WIDTH)),
        greedy=score(test, translations(test, 1)),
        beam=score(test, beam),
        by_length=tuple(bleu_by_length(test, beam)),
        ablated=score(test, translations(test, 1, heads)) if heads else None,
        ablated_heads=tuple(
            HeadBleu(*head, score(test, translations(test, 1, [head]), 1).score)
            for head in (heads if len(heads) > 1 else [])
        ),
    )


def _training_tokens() -> int:
    pairs = encode_pairs(load_pairs(TRAIN), shipped_vocabulary())
    return sum(len(pair.target) for pair in pairs)


def ship(checkpoint: Checkpoint, root: Path) -> tuple[Path, float]:
    """Write a checkpoint in 8-bit rows below `root`; return its folder and by how much the loss rose.

    Raises CheckpointError if the loss rose by more than `LARGEST_RISE`.
    """
    model, meta = checkpoint
    before = _validation_loss(model)
    folder = save_checkpoint(root, model, replace(meta, storage="int8_rows"))
    after = _validation_loss(load_checkpoint(folder).model)
    if after - before > LARGEST_RISE:
        raise CheckpointError(
            f"{meta.name}: the validation loss must rise by at most {LARGEST_RISE} in 8-bit rows,"
            f" it rose from {before:.4f} to {after:.4f}"
        )
    return _with_loss(folder, model, meta, after), after - before


def _with_loss(folder: Path, model: EncoderDecoder, meta: CheckpointMeta, loss: float) -> Path:
    """Record the loss of the weights as they are stored."""
    losses = {name: round(loss, 4) for name in meta.losses}
    return save_checkpoint(folder.parent, model, replace(meta, storage="int8_rows", losses=losses))


def _validation_loss(model: EncoderDecoder) -> float:
    return mean_loss(model, encode_pairs(load_pairs(VALIDATION), shipped_vocabulary()))
