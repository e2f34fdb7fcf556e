"""Which models stand on the ladder, and of which family each is."""

from lm_core.experiments.model_ladder.training import EXPERIMENT
from lm_core.models.language_model import LanguageModel
from lm_core.models.registry import config_from_dict, model_class
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.vocabularies import characters_of
from lm_core.training.checkpoints import CheckpointMeta, list_checkpoints
from lm_core.training.model_vocabulary import vocabulary_of

NGRAM, MLP, RNN, GRU, LSTM = "n-gram", "MLP", "RNN", "GRU", "LSTM"
TRANSFORMER, MIXTURE = "transformer", "mixture"
FAMILIES = (NGRAM, MLP, RNN, GRU, LSTM, TRANSFORMER, MIXTURE)
_FAMILY_OF = {
    "KneserNeyConfig": NGRAM,
    "MLPLanguageModelConfig": MLP,
    "RNNLanguageModelConfig": RNN,
    "GRULanguageModelConfig": GRU,
    "LSTMLanguageModelConfig": LSTM,
    "TransformerLanguageModelConfig": TRANSFORMER,
}


def family_of(meta: CheckpointMeta) -> str:
    """Return which of `FAMILIES` a model is of; its config's class where it is of none of them."""
    name = str(meta.config["family"])
    return _FAMILY_OF.get(name, name)


def models_to_score() -> list[CheckpointMeta]:
    """Return the finished shipped models that read the book in the characters of `SOURCE`, by name."""
    return [
        meta
        for meta in list_checkpoints()
        if meta.snapshot_of is None
        and meta.experiment in (None, EXPERIMENT)
        and _reads_source(meta)
    ]


def _reads_source(meta: CheckpointMeta) -> bool:
    if not issubclass(model_class(config_from_dict(meta.config)), LanguageModel):
        return False
    return meta.characters is None and characters_of(vocabulary_of(meta)) is SOURCE
