"""The registry of model families: a new family is one file and one line here."""

from dataclasses import asdict, fields
from typing import Any

from torch import nn

from lm_core.errors import SettingError
from lm_core.files import parse_record
from lm_core.models import (
    encoder_decoder_transformer,
    recurrent_language_model,
    seq2seq,
    tagger,
    text_classifiers,
)
from lm_core.models.character_cnn import CharacterCNN, CharacterCNNConfig
from lm_core.models.counting_network import CountingNetwork, CountingNetworkConfig
from lm_core.models.embeddings import WordVectors, WordVectorsConfig
from lm_core.models.encoder_decoder import EncoderDecoderConfig, RecurrentEncoderDecoder
from lm_core.models.masked_language_model import MaskedLanguageModel, MaskedLanguageModelConfig
from lm_core.models.mlp import MLPLanguageModel, MLPLanguageModelConfig
from lm_core.models.ngram import KneserNey, KneserNeyConfig
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig

_MODEL_OF_CONFIG: dict[type, type[nn.Module]] = {
    recurrent_language_model.RNNLanguageModelConfig: recurrent_language_model.RNNLanguageModel,
    recurrent_language_model.GRULanguageModelConfig: recurrent_language_model.GRULanguageModel,
    recurrent_language_model.LSTMLanguageModelConfig: recurrent_language_model.LSTMLanguageModel,
    KneserNeyConfig: KneserNey,
    MLPLanguageModelConfig: MLPLanguageModel,
    CharacterCNNConfig: CharacterCNN,
    TransformerLanguageModelConfig: TransformerLanguageModel,
    CountingNetworkConfig: CountingNetwork,
    seq2seq.NameGeneratorConfig: seq2seq.NameGenerator,
    seq2seq.SentenceClassifierConfig: seq2seq.SentenceClassifier,
    seq2seq.WordReverserConfig: seq2seq.WordReverser,
    WordVectorsConfig: WordVectors,
    EncoderDecoderConfig: RecurrentEncoderDecoder,
    encoder_decoder_transformer.EncoderDecoderTransformerConfig: encoder_decoder_transformer.EncoderDecoderTransformer,
    MaskedLanguageModelConfig: MaskedLanguageModel,
    tagger.WindowTaggerConfig: tagger.WindowTagger,
    tagger.RecurrentTaggerConfig: tagger.RecurrentTagger,
    tagger.TransformerTaggerConfig: tagger.TransformerTagger,
    text_classifiers.BagClassifierConfig: text_classifiers.BagClassifier,
    text_classifiers.WindowClassifierConfig: text_classifiers.WindowClassifier,
    text_classifiers.LSTMClassifierConfig: text_classifiers.LSTMClassifier,
}
_CONFIG_OF_NAME = {config.__name__: config for config in _MODEL_OF_CONFIG}


def build(config: Any) -> Any:
    """Return a new model of the family that this config belongs to, weights not yet drawn.

    Most are a `LanguageModel`; the others share with these ``config`` and ``parameter_count``.
    Raises SettingError if the config is of no known family.
    """
    return model_class(config)(config)


def model_class(config: Any) -> type[nn.Module]:
    """Return the class of the family that this config belongs to.

    Raises SettingError if the config is of no known family.
    """
    if type(config) not in _MODEL_OF_CONFIG:
        known = sorted(_CONFIG_OF_NAME)
        raise SettingError(f"config must be one of {known}, got {type(config).__name__}")
    return _MODEL_OF_CONFIG[type(config)]


def config_to_dict(config: Any) -> dict[str, Any]:
    """Return a config as plain values, its class name under ``family``.

    Fields that came later are left out at their defaults: what was trained before keeps its key.
    """
    later = {
        field.name
        for field in fields(config)
        if field.metadata.get("is_later") and getattr(config, field.name) == field.default
    }
    values = {name: value for name, value in asdict(config).items() if name not in later}
    return {"family": type(config).__name__, **values}


def config_from_dict(values: dict[str, Any]) -> Any:
    """Return the config that `config_to_dict` wrote.

    Raises SettingError if the family is unknown or a field is missing, surplus, of another type or
    out of range.
    """
    fields = dict(values)
    family = fields.pop("family", None)
    if not isinstance(family, str) or family not in _CONFIG_OF_NAME:
        raise SettingError(f"family must be one of {sorted(_CONFIG_OF_NAME)}, got {family!r}")
    try:
        return parse_record(_CONFIG_OF_NAME[family], fields)
    except SettingError as error:
        raise SettingError(f"fields of {family} do not match: {error}") from error
