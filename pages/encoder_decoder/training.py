"""A small translator trained by the class: its settings, its loss, and the sentence after each snapshot."""

from functools import partial

from lm_core.analysis.translation_support import word_certainties
from lm_core.experiments.translation.settings import EXPERIMENT
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from lm_core.training.checkpoints import CheckpointMeta
from pages.encoder_decoder.growing_map import TITLES
from pages.encoder_decoder.tints import LEGEND, tint_of
from pages.encoder_decoder.training_settings import draw_form
from pages.shared import page
from pages.shared.components.texts import TintedText, plain_text, tinted_texts
from pages.shared.frame.jobs_panel import jobs_panel
from pages.shared.frame.training_playback import LossCurve, play_training
from pages.shared.models.language_models import provenance_of
from pages.shared.models.translation import TRANSFORMER, reference_of, traced, translated
from pages.shared.trainings.trainings import checkpoints_of
from pages.shared.ui.visitor import visitor

_LOSS = LossCurve("subword", 9.0, 180, is_first=False)
"""Whoever knows nothing has 8.3 nats: the logarithm of 4,000 subwords."""


def train_a_translator(screen: page.FirstScreen, sentence: str) -> None:
    """Draw the settings of a training, and how the trainings of this server translate a sentence."""
    who = visitor()
    with screen.beside:
        draw_form(who)
    with screen.picture:
        jobs_panel(
            who,
            experiment=EXPERIMENT,
            unit="subword",
            picture=partial(_learning, sentence),
            nothing_yet=partial(_shipped, sentence),
        )


# Meanwhile, and afterwards ----------------------------------------------------------------------


def _learning(sentence: str, job: Job, log: MetricsLogReader) -> None:
    """Draw the loss of a training, and play how it translated the sentence in its course."""
    stored = checkpoints_of(job)
    play_training(
        job,
        log,
        [meta.steps for meta in stored],
        lambda i: _translation(sentence, stored[i]),
        label="Snapshot",
        curve=_LOSS,
    )


def _translation(sentence: str, meta: CheckpointMeta) -> None:
    """Draw a snapshot's translation beside a better one."""
    reference = reference_of(sentence)
    other = (
        plain_text("A person", reference)
        if reference
        else plain_text("The shipped transformer", translated(TRANSFORMER, sentence).text)
    )
    _texts([_judged(f"After {meta.steps:,} steps", sentence, meta.name), other])


def _shipped(sentence: str) -> None:
    """Draw the translations of the shipped models: what a training is to come to."""
    _texts(
        [
            _judged(f"{title}, {provenance_of(name).steps:,} steps", sentence, name)
            for name, title in TITLES.items()
        ]
    )


def _judged(title: str, sentence: str, name: str) -> TintedText:
    """Return a model's translation, its words tinted by the shipped transformer's support."""
    tokens = translated(name, sentence).target_ids
    words = word_certainties(traced(TRANSFORMER, sentence, tokens), sentence)
    return TintedText(title, [word.text for word in words], [tint_of(word) for word in words])


def _texts(texts: list[TintedText]) -> None:
    tinted_texts(
        texts,
        key="trained_texts",
        label="Translations",
        hint="Point at a word for its support.",
        legend=[] if page.is_presenting() else LEGEND,
        fills_place=page.is_presenting(),
    )
