"""Where a training and what came of it are shown: a link to the page, with its settings."""

from collections.abc import Callable

from lm_core.errors import LMCoreError
from lm_core.experiments.word2vec.experiment import vector_config
from lm_core.experiments.word2vec.negative_sampling_training import NegativeSamplingConfig
from lm_core.jobs.jobs import Job
from pages.shared.trainings.trainings import title_of
from pages.shared.ui.addresses import link_to

_PARTS = {
    "war_and_peace": ("war-and-peace", {"view": "Train your own"}),
    "written_text": ("war-and-peace", {"view": "Train your own", "text": "Written by a model"}),
    "translation": ("encoder-decoder", {"part": "Train one"}),
    "preferences": ("preferences", {"part": "Your run"}),
    "rnn_vs_lstm": ("rnn-vs-lstm", {}),
    "fine_tuning": ("fine-tuning", {"part": "Your labels"}),
    "word2vec": ("word2vec", {}),
}
"""The page of each kind of training, and where on it: by its name in `lm_core.jobs.registry`."""


def link_of(job: Job) -> str:
    """Return the link to a training, below the address of the server."""
    page, asked = _PARTS[job.config.experiment]
    chosen = _CHOSEN.get(job.config.experiment, _by_title)(job)
    return link_to(page, asked | chosen)


def _by_title(job: Job) -> dict[str, str]:
    return {"job": title_of(job)}


def _by_settings(job: Job) -> dict[str, str]:
    """Return the settings of word vectors: their page finds the training by them and the text."""
    try:
        config = vector_config(job.config)
    except LMCoreError:
        return {}
    if isinstance(config, NegativeSamplingConfig):
        learned = {
            "train_method": "skip-gram",
            "negatives": f"{config.negatives}",
            "skip_gram_rate": f"{config.learning_rate:g}",
        }
    else:
        learned = {
            "rate": f"{config.learning_rate:g}",
            "max_norm": f"{config.max_norm is not None}".lower(),
        }
    return learned | {
        "text": "Your own" if job.is_private else job.config.corpus,
        "window": f"{config.window}",
        "least": f"{job.config.training['minimum_count']}",
        "rare": "map to <unk>" if "maps_rare" in job.config.training else "leave out",
        "width": f"{config.width}",
        "epochs": f"{config.epochs}",
        "seed": f"{config.seed}",
    }


def _nothing(job: Job) -> dict[str, str]:
    del job  # the page shows the visitor's newest
    return {}


_CHOSEN: dict[str, Callable[[Job], dict[str, str]]] = {
    "word2vec": _by_settings,
    "fine_tuning": _nothing,
    "written_text": _nothing,
}
