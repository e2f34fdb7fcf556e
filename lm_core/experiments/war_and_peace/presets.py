"""The trainings that a visitor may start, and what each will cost: characters, memory, seconds.

A preset is a `Recipe`. `fitted` cuts it to a text's vocabulary; `words_of_size` is the quickest one
in another size; `continued` makes one that begins with a finished model. How long a training takes
is worked out from a speed that is measured on the machine at hand, by the very step that will be
repeated, never from a constant.
"""

import math
from dataclasses import replace

import torch

from lm_core.errors import SettingError
from lm_core.models.ngram import KneserNeyConfig
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build, config_from_dict
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.training_text import TRAIN_SHARE
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.language_modelling import Training, TrainingConfig
from lm_core.training.recipes import BOOK_LSTM, SOURCE_LSTM, SOURCE_LSTM_EARLY, Recipe

_WORDS_MODEL = LSTMLanguageModelConfig(70, 32, 256, 1)

WORDS = Recipe(
    name="words",
    title="LSTM 1 x 256",
    about="Learns to spell early on: most of the words that it writes are real ones.",
    model=_WORDS_MODEL,
    training=TrainingConfig(
        steps=2_000, batch=32, window=64, learning_rate=1.5e-2, warmup_steps=50, dtype="bfloat16"
    ),
)

BETTER = Recipe(
    name="better",
    title="LSTM 1 x 512",
    about="A wider network and a few minutes: fewer invented words, sentences that hold together.",
    model=LSTMLanguageModelConfig(70, 32, 512, 1),
    training=TrainingConfig(
        steps=4_000, batch=16, window=64, learning_rate=5e-3, warmup_steps=100, dtype="bfloat16"
    ),
)

DEEP = Recipe(
    name="deep",
    title=f"{SOURCE_LSTM.title}, from the text alone",
    about="The network and dropout of christianb93/MLLM, with a carried state and a falling rate.",
    model=LSTMLanguageModelConfig(70, 32, 128, 4, hidden_dropout=0.2, dropout_mask="step"),
    training=replace(SOURCE_LSTM_EARLY.training, steps=90_000),
)

WIDE = Recipe(
    name="wide",
    title=BOOK_LSTM.title,
    about="Fewer, wider layers, held back from memorising by dropout on units and on recurrent weights.",
    model=LSTMLanguageModelConfig(
        70,
        64,
        512,
        2,
        embedding_dropout=0.1,
        hidden_dropout=0.3,
        output_dropout=0.3,
        recurrent_dropout=0.3,
    ),
    training=replace(BOOK_LSTM.training, steps=9_600, batch=64),
)

PRESETS = {recipe.name: recipe for recipe in (WORDS, BETTER, DEEP, WIDE)}
"""What begins from nothing, the quickest first."""

LAYERS = (1, 2, 3, 4)
WIDTHS = (64, 128, 256, 512)
"""`LAYERS` and `WIDTHS`: in what sizes the quickest is offered, by `words_of_size`."""

_CONTINUED = TrainingConfig(
    steps=600, batch=16, window=64, learning_rate=1.5e-3, warmup_steps=20, dtype="bfloat16"
)

_PROCESS_BYTES = 350_000_000  # measured: Python and torch with the kernels of a training step
_BYTES_OF_A_PARAMETER = 16  # itself, its gradient and AdamW's two moments, in float32
_BYTES_OF_A_CHARACTER = 24  # the text, and its rows while they are being cut
_ACTIVATIONS_OF_A_UNIT = 12  # kept for the backward pass: gates, h, c, masks and their copies
_SUBLAYER_VECTORS = 14  # of a transformer's block: norms, projections, rotations, mixes, masks
_COPIES_OF_WEIGHTS = 3  # scores, weights, and the gradient of one of them
_COPIES_OF_LOGITS = 4
_CALIBRATION_S = 0.3  # of full steps; what comes before them takes as long at most


def fitted(recipe: Recipe, vocabulary_size: int) -> Recipe:
    """Return the recipe for a vocabulary of so many symbols.

    Raises SettingError if the recipe starts from a model of another vocabulary.
    """
    if recipe.starts_from and recipe.model.vocabulary_size != vocabulary_size:
        raise SettingError(
            f"{recipe.name} starts from {recipe.starts_from}, which reads"
            f" {recipe.model.vocabulary_size} symbols, not {vocabulary_size}: encode the text in"
            " that model's vocabulary"
        )
    return replace(recipe, model=replace(recipe.model, vocabulary_size=vocabulary_size))


def words_of_size(layers: int, width: int) -> Recipe:
    """Return `WORDS` with so many layers of so many units, named by them; all else is the same."""
    model = replace(_WORDS_MODEL, layers=layers, hidden_size=width)
    if model == _WORDS_MODEL:
        return WORDS
    return replace(
        WORDS,
        name=f"{WORDS.name}-{layers}x{width}",
        title=f"LSTM {layers} x {width}",
        about=f"Begins with the steps and the learning rate of {WORDS.title}: keep both, so that only"
        " the size differs.",
        model=model,
    )


def continued(meta: CheckpointMeta, steps: int = _CONTINUED.steps) -> Recipe:
    """Return the recipe that continues a finished model's training: a lower learning rate, a short warm-up.

    Raises SettingError if the model is not trained by gradient.
    """
    config = config_from_dict(meta.config)
    if isinstance(config, KneserNeyConfig):
        raise SettingError(f"{meta.name} was counted, not trained, so it cannot go on learning")
    return Recipe(
        name=f"{meta.name}-continued",
        title=f"{meta.title}, continued",
        about=f"Goes on from {meta.title}, which knows its own text, and learns this one.",
        model=config,
        training=replace(_CONTINUED, steps=steps),
        starts_from=meta.name,
    )


def fewest_characters(recipe: Recipe) -> int:
    """Return how long a text must be, its validation part included, to give every row a window."""
    config = recipe.training
    learned = math.ceil(config.batch * (config.window + 1) / (1.0 - config.held_out))
    return math.ceil(learned / TRAIN_SHARE) + 1  # 1 for the rounding of the shares


def memory_bytes(recipe: Recipe, n_characters: int) -> int:
    """Return about how much memory the training process needs at most on a CPU.

    `n_characters`: int, length of the training text.
    """
    model, config = recipe.model, recipe.training
    with torch.device("meta"):
        parameters = build(model).parameter_count * _BYTES_OF_A_PARAMETER
    of_a_position = 4 * (_kept_of_a_position(model) + model.vocabulary_size * _COPIES_OF_LOGITS)
    activations = config.batch * config.window * of_a_position
    return _PROCESS_BYTES + parameters + activations + n_characters * _BYTES_OF_A_CHARACTER


def _kept_of_a_position(model: LSTMLanguageModelConfig | TransformerLanguageModelConfig) -> int:
    """Return how many numbers the backward pass needs of each token, in all layers."""
    if isinstance(model, LSTMLanguageModelConfig):
        return model.layers * model.hidden_size * _ACTIVATIONS_OF_A_UNIT
    keys = 2 * model.context  # of one's own window, and as many remembered
    units = round(model.width * (_SUBLAYER_VECTORS + 2 * model.feed_forward))
    return model.layers * (units + model.heads * keys * _COPIES_OF_WEIGHTS)


def estimated_seconds(recipe: Recipe, speed: float) -> float:
    """Return how long a whole training takes at a speed in characters a second."""
    config = recipe.training
    return config.steps * config.batch * config.window / speed


def measure_speed(recipe: Recipe, device: torch.device | str = "cpu") -> float:
    """Return how many characters a second a recipe learns from on this machine, as busy as it is now.

    Takes under a second: a network whose step takes longer is measured on a shorter window, which
    costs it a little more a character.

    `recipe`: Recipe, its model, batch, window and arithmetic decide; the text does not matter.
    """
    window = recipe.training.window
    tried = _calibration(recipe, min(8, window), device)
    tried.take_step()  # whatever is made once is made before the clock runs
    warm_up_s, _ = tried.seconds, tried.take_step()
    step_s = (tried.seconds - warm_up_s) * window / tried.config.window
    affordable = max(1, min(window, int(window * _CALIBRATION_S / step_s)))
    measured = _calibration(recipe, affordable, device)
    while measured.seconds < _CALIBRATION_S:
        measured.take_step()
    return measured.step * measured.config.batch * affordable / measured.seconds


def _calibration(recipe: Recipe, window: int, device: torch.device | str) -> Training:
    """Return a training of the recipe's network, with a shorter window, on a text of no meaning."""
    config = replace(recipe.training, window=window, held_out=0.0)
    n_characters = config.batch * (8 * window + 1)
    text = torch.randint(
        0, recipe.model.vocabulary_size, (n_characters,), generator=generator(config.seed)
    )
    return Training(build(recipe.model), text, config, fresh=False, device=device)
