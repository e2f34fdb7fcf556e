"""Word vectors of a few words, for tests of pages: saved as the shipped ones are."""

from dataclasses import replace

import torch

from lm_core.experiments.word2vec.recipes import snapshot_name
from lm_core.models.embeddings import WordVectors
from lm_core.models.registry import config_to_dict
from lm_core.text.word_vocabulary import WORDS as VOCABULARY
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.checkpoints import save_checkpoint
from pages.embeddings.shown_words import THEMES
from tests.small_checkpoints import meta_of

ROYAL = ["king", "queen", "prince", "princess", "emperor", "general", "man", "woman", "boy", "girl"]
WORDS = tuple(
    dict.fromkeys(
        [*ROYAL, *(word for words in THEMES.values() for word in words.split()), "seldom"]
    )
)
WIDTH = 24


def small_vectors(seed=0, noise=0.6):
    """Vectors that lie together by theme, off 0, in a vocabulary that tells the rarest last."""
    rng = torch.Generator().manual_seed(seed)
    groups = [ROYAL, *(words.split() for words in THEMES.values()), ["seldom"]]
    centres = torch.randn(len(groups), WIDTH, generator=rng)
    group = torch.tensor([next(i for i, g in enumerate(groups) if w in g) for w in WORDS])
    tables = [
        centres[group] + noise * torch.randn(len(WORDS), WIDTH, generator=rng) + offset
        for offset in (0.3, 1.0)
    ]
    counts = tuple(range(1_500, 1_500 - 15 * len(WORDS), -15))
    return WordVectors.of(WordVocabulary(WORDS, counts), *tables)


def save_small_vectors(folder):
    """Save two models and three snapshots of the first, of all words but the last."""
    vectors = small_vectors()
    meta = meta_of(
        vectors.config,
        name="library-skip-gram",
        title="Small skip-gram",
        vocabulary=VOCABULARY,
        corpus="library",
        characters_seen=12_345,
        parameter_count=vectors.parameter_count,
        losses={"training": 2.5},
        scores={"WordSim-353": 0.61, "WordSim-353, unknown": 0.1},
        recipe={"minimum_count": 5, "method": "skip-gram", "epochs": 3},
    )
    save_checkpoint(folder, vectors, meta)
    for share, noise in ((0.0, 9.0), (0.1, 2.0), (0.6, 0.8)):
        kept = small_vectors(noise=noise).most_frequent(len(WORDS) - 1)
        name = snapshot_name(meta.name, share)
        config = config_to_dict(kept.config)
        provenance = replace(meta, name=name, config=config, snapshot_of=meta.name, scores={})
        save_checkpoint(folder, kept, provenance)
    other = small_vectors(seed=1)
    recipe = {"minimum_count": 20, "epochs": 7}
    save_checkpoint(
        folder, other, replace(meta, name="book-cbow", title="Small CBOW", recipe=recipe, scores={})
    )
