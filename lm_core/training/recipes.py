"""The runs behind the shipped models of the book: model, schedule and the steps to save."""

from dataclasses import dataclass, replace

from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.text import vocabularies
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.library import LIBRARY
from lm_core.training.language_modelling import TrainingConfig

SNAPSHOT_STEPS = (25, 80, 250, 700, 1_600, 3_500, 7_000)
"""Steps after which a long training saves a snapshot of its model, a byte for each parameter."""


@dataclass(frozen=True)
class Recipe:
    """One training run of a language model on the book."""

    name: str
    title: str
    """`name` and `title`: of the checkpoint that comes out of it."""
    about: str
    """One sentence for the picker."""
    model: LSTMLanguageModelConfig | TransformerLanguageModelConfig
    training: TrainingConfig
    snapshot_steps: tuple[int, ...] = ()
    """Steps after which a snapshot of the model is saved; the last step always is."""
    snapshots_of: str | None = None
    """Name of the model that the snapshots are training steps of; None for this recipe's own."""
    starts_from: str | None = None
    """Name of the checkpoint whose weights the run begins with; None for a fresh start."""
    teachers: tuple[str, ...] = ()
    """Names of the checkpoints whose mean probabilities are learned; none to learn the text's
    own next tokens."""
    averaged: bool = False
    """Whether the finished model has the mean of the weights that the run began with and those
    that it came to (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models",
    https://arxiv.org/abs/2109.01903): it keeps what was learned before."""
    vocabulary: str = SOURCE.name
    """Name of the vocabulary in which the text is read: `lm_core.text.vocabularies`."""
    corpus: str = WAR_AND_PEACE.name
    """Name of the text that is read: the book's, or `lm_core.text.library.LIBRARY`."""


_SOURCE_LSTM = LSTMLanguageModelConfig(
    vocabulary_size=70, embedding_size=32, hidden_size=128, layers=4, dropout_mask="step"
)

SOURCE_LSTM_EARLY = Recipe(
    name="source-lstm-early",
    title="LSTM 4 x 128, first half",
    about="The network of christianb93/MLLM, with dropout; it learns what LSTM 2 x 512 expects.",
    model=replace(_SOURCE_LSTM, hidden_dropout=0.1),
    training=TrainingConfig(
        steps=70_000,
        batch=32,
        learning_rate=3e-3,
        dtype="bfloat16",
        held_out=0.05,
        held_out_until=0.8,
    ),
    teachers=("book-lstm",),
)

SOURCE_LSTM = replace(
    SOURCE_LSTM_EARLY,
    name="source-lstm",
    title="LSTM 4 x 128",
    about="The network of christianb93/MLLM; it learns what LSTM 2 x 512 expects.",
    # So small a network stays behind with dropout to the end (docs/figures.md).
    model=_SOURCE_LSTM,
    training=replace(SOURCE_LSTM_EARLY.training, steps=80_000, learning_rate=2e-3, seed=2),
    starts_from=SOURCE_LSTM_EARLY.name,
)

_BOOK_LSTM = LSTMLanguageModelConfig(
    vocabulary_size=70,
    embedding_size=64,
    hidden_size=512,
    layers=2,
    embedding_dropout=0.05,
    hidden_dropout=0.15,
    output_dropout=0.15,
    recurrent_dropout=0.15,
)

BOOK_LSTM = Recipe(
    name="book-lstm",
    title="LSTM 2 x 512",
    about="Fewer, wider layers; it learns what a transformer of subwords expects.",
    model=_BOOK_LSTM,
    training=TrainingConfig(
        steps=12_000,
        batch=32,
        learning_rate=3e-3,
        weight_decay=0.05,
        dtype="bfloat16",
        held_out=0.05,
        held_out_until=0.8,
    ),
    snapshot_steps=tuple(
        step for step in SNAPSHOT_STEPS if step != 3_500
    ),  # 3.4 MB that say little
    teachers=("subword-transformer",),
)

_BOOK_TRANSFORMER = TransformerLanguageModelConfig(
    vocabulary_size=70, width=256, heads=8, layers=4, context=256, cold_starts=0.2
)

BOOK_TRANSFORMER = Recipe(
    name="book-transformer",
    title="Transformer 4 x 256",
    about="Looks back with eight heads in each of four layers; learns what LSTM 2 x 512 expects.",
    model=_BOOK_TRANSFORMER,
    training=TrainingConfig(
        steps=12_000,
        batch=16,
        window=128,
        learning_rate=1e-2,
        weight_decay=0.1,
        dtype="bfloat16",
        held_out=0.05,
        held_out_until=0.8,
        optimizer="muon",
    ),
    snapshot_steps=(80, 700, 3_500),
    teachers=("book-lstm",),
)

PAIRS_TRANSFORMER = Recipe(
    name="subword-transformer",
    title="Transformer 4 x 256, subwords",
    about="Reads and writes subwords, three characters at a time; from the text alone.",
    model=replace(
        _BOOK_TRANSFORMER,
        vocabulary_size=vocabularies.SOURCE_SUBWORDS_SIZE,
        context=128,
        dropout=0.2,
        query_key_norm=True,
    ),
    training=replace(BOOK_TRANSFORMER.training, steps=10_000, learning_rate=1.5e-2),
    vocabulary=vocabularies.SOURCE_SUBWORDS,
)

BOOK_SUBWORD_TRANSFORMER = Recipe(
    name="book-subword-transformer",
    title="Transformer 4 x 256 with quotes",
    about="Reads the book as printed, in subwords, from the text alone; its scores are bounded.",
    model=replace(
        _BOOK_TRANSFORMER,
        vocabulary_size=vocabularies.FULL_SUBWORDS_SIZE,
        context=128,
        dropout=0.1,
        query_key_norm=True,
    ),
    training=replace(BOOK_TRANSFORMER.training, steps=1_600, learning_rate=1.5e-2, dtype="float32"),
    snapshot_steps=(80, 200, 400),
    vocabulary=vocabularies.FULL_SUBWORDS,
)

FULL_LSTM = Recipe(
    name="full-lstm",
    title="LSTM 2 x 320 with quotes",
    about="Reads the book as printed, character by character; few enough units to look into each.",
    model=replace(
        _BOOK_LSTM,
        vocabulary_size=len(FULL),
        hidden_size=320,
        embedding_dropout=0.1,
        hidden_dropout=0.2,
        output_dropout=0.2,
        recurrent_dropout=0.2,
    ),
    # Longer windows than the others': a quotation is longer than 96 characters.
    training=TrainingConfig(
        steps=6_000, batch=32, window=192, weight_decay=0.05, held_out=0.05, held_out_until=0.8
    ),
    vocabulary=FULL.name,
)

_LIBRARY_TRANSFORMER = TransformerLanguageModelConfig(
    vocabulary_size=vocabularies.LIBRARY_SUBWORDS_SIZE,
    width=320,
    heads=5,
    layers=8,
    context=256,
    cold_starts=0.2,
    query_key_norm=True,
    tied_output=True,
)

# What a processor can do in fourteen hours: some four passes, so few that there is nothing to be
# learned by heart.
LIBRARY_TRANSFORMER_ALONE = Recipe(
    name="library-transformer-alone",
    title="Transformer 6 x 320, read 33 books",
    about="Reads 32 other books, then War and Peace, in subwords and from the text alone.",
    model=replace(_LIBRARY_TRANSFORMER, layers=6),
    training=TrainingConfig(
        steps=7_000,
        batch=32,
        window=128,
        learning_rate=1e-2,
        weight_decay=0.1,
        held_out=0.005,
        held_out_until=0.8,
        optimizer="muon",
    ),
    snapshot_steps=(250, 1_000, 3_000),
    vocabulary=vocabularies.LIBRARY_SUBWORDS,
    corpus=LIBRARY,
)

# With a graphics card: networks too large for a page read the library thirteen times over, then the
# book, and a small one learns what they expect on average.

_LARGE_LIBRARY_TRANSFORMER = replace(
    LIBRARY_TRANSFORMER_ALONE,
    name="large-library-transformer",
    title="Transformer 12 x 512, the library",
    about="Reads the library many times over, with dropout; too large to be shipped.",
    model=(_LARGE := replace(_LIBRARY_TRANSFORMER, width=512, heads=8, layers=12)),
    training=replace(LIBRARY_TRANSFORMER_ALONE.training, steps=5_700, batch=128, dtype="auto"),
    snapshot_steps=(),
)


def _large(seed: int, dropout: float, weight_decay: float) -> Recipe:
    """Return one of several: what they do not agree on is what each has seen by chance."""
    large = _LARGE_LIBRARY_TRANSFORMER
    return replace(
        large,
        name=f"{large.name}-{seed}",
        model=replace(_LARGE, dropout=dropout),
        training=replace(large.training, weight_decay=weight_decay, seed=seed),
    )


def _then_the_book(large: Recipe) -> Recipe:
    return replace(
        large,
        name=large.name.replace("library", "book"),
        title="Transformer 12 x 512, read 33 books",
        training=replace(large.training, steps=300, learning_rate=3e-3, held_out=0.05),
        starts_from=large.name,
        corpus=WAR_AND_PEACE.name,
    )


LARGE_LIBRARY_TRANSFORMERS = (
    _large(1, dropout=0.2, weight_decay=0.1),
    _large(2, dropout=0.2, weight_decay=0.3),
    _large(3, dropout=0.3, weight_decay=0.1),
)
LARGE_BOOK_TRANSFORMERS = tuple(_then_the_book(large) for large in LARGE_LIBRARY_TRANSFORMERS)

LIBRARY_TRANSFORMER_EARLY = replace(
    _LARGE_LIBRARY_TRANSFORMER,
    name="library-transformer-early",
    title="Transformer 8 x 320, the library",
    about="Learns from three larger networks what to expect in 33 books.",
    model=_LIBRARY_TRANSFORMER,
    training=replace(_LARGE_LIBRARY_TRANSFORMER.training, steps=6_000),
    teachers=tuple(large.name for large in LARGE_LIBRARY_TRANSFORMERS),
)

# After the book alone it writes like Tolstoy, not like a library, and has forgotten some of what it knew;
# halfway between before and after it is better than either (docs/figures.md).
LIBRARY_TRANSFORMER = replace(
    LIBRARY_TRANSFORMER_EARLY,
    name="library-transformer",
    title="Transformer 8 x 320, read 33 books",
    about="Read 32 other books first, then War and Peace; learned from three larger networks.",
    training=replace(
        LIBRARY_TRANSFORMER_EARLY.training, steps=900, learning_rate=5e-3, held_out=0.05, seed=2
    ),
    starts_from=LIBRARY_TRANSFORMER_EARLY.name,
    teachers=tuple(large.name for large in LARGE_BOOK_TRANSFORMERS),
    averaged=True,
    corpus=WAR_AND_PEACE.name,
)

RECIPES = {
    recipe.name: recipe
    for recipe in (
        SOURCE_LSTM_EARLY,
        SOURCE_LSTM,
        BOOK_LSTM,
        BOOK_TRANSFORMER,
        PAIRS_TRANSFORMER,
        BOOK_SUBWORD_TRANSFORMER,
        FULL_LSTM,
        LIBRARY_TRANSFORMER_ALONE,
        *LARGE_LIBRARY_TRANSFORMERS,
        *LARGE_BOOK_TRANSFORMERS,
        LIBRARY_TRANSFORMER_EARLY,
        LIBRARY_TRANSFORMER,
    )
}
