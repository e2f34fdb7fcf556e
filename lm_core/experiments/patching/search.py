"""All pairs of prompts read by a model: which of them flip, and where in the stream each is decided."""

from collections import Counter
from collections.abc import Iterator
from statistics import median

import torch

from lm_core.analysis.patching import Patching, lead
from lm_core.analysis.residual_stream import streams
from lm_core.errors import SettingError
from lm_core.experiments.patching.prompts import KINDS, Pair, pairs
from lm_core.experiments.patching.results import KindCount, PairMap, Search
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import folder_of, load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of


def search_with(name: str) -> Search:
    """Return the search with a model, by its shipped name or folder.

    Raises SettingError if it is no transformer.
    """
    torch.set_num_threads(1)
    model, meta = load_checkpoint(folder_of(name))
    if not isinstance(model, TransformerLanguageModel):
        raise SettingError(f"a model must be a transformer, got {meta.title}")
    return Search(meta.name, *search(model, vocabulary_of(meta)))


def search(
    model: TransformerLanguageModel, vocabulary: CharacterVocabulary
) -> tuple[tuple[KindCount, ...], tuple[PairMap, ...]]:
    """Return what became of all pairs, and the map of each that flips, the clearest of each kind first."""
    tried, equal, maps = Counter[str](), Counter[str](), list[PairMap]()
    for pair in pairs():
        tried[pair.kind] += 1
        a, b = (torch.from_numpy(vocabulary.encode(text)) for text in (pair.a, pair.b))
        said = [vocabulary.encode(answer) for answer in pair.answers]
        if len(a) != len(b) or any(len(ids) != 1 for ids in said):
            continue
        equal[pair.kind] += 1
        answers = int(said[0][0]), int(said[1][0])
        patching = Patching(model, a, b)
        lead_of_a, lead_of_b = (float(lead(logits, answers)) for logits in patching.logits)
        if lead_of_a > 0 > lead_of_b:
            maps.append(_map(pair, patching, answers, (lead_of_a, lead_of_b)))
    order = list(KINDS)
    maps.sort(key=lambda found: (order.index(found.kind), -found.clearness))
    flipped = Counter(found.kind for found in maps)
    counts = tuple(KindCount(kind, tried[kind], equal[kind], flipped[kind]) for kind in KINDS)
    return counts, tuple(maps)


def _map(
    pair: Pair, patching: Patching, answers: tuple[int, int], leads: tuple[float, float]
) -> PairMap:
    """Measure who decides in the residual stream: the word's own token, the last one, or another."""
    config = patching.model.config
    blocks = streams(config)[::2]  # at the embedding and after each whole block
    effects = patching.map(answers, blocks).effects
    own, last = patching.first_different, patching.n_tokens - 1
    others = [token for token in range(patching.n_tokens) if token not in (own, last)]
    between = effects[:, others].amax(1) if others else torch.zeros(len(blocks))
    own_word, last_token, beside = (
        tuple(round(value, 4) for value in column.tolist())
        for column in (effects[:, own], effects[:, last], between)
    )
    return PairMap(
        pair.kind,
        pair.a,
        pair.b,
        pair.answers,
        patching.n_tokens,
        round(leads[0], 4),
        round(leads[1], 4),
        own_word,
        last_token,
        beside,
    )


def told(found_by: Search) -> Iterator[str]:
    """Yield in lines what was tried and found by kind, and each map."""
    yield found_by.model
    for count in found_by.counts:
        handed = [
            found.handed_over
            for found in found_by.maps
            if found.kind == count.kind and found.is_one_token
        ]
        where = f"; handed over after block {median(handed):g} (median)" if handed else ""
        yield (
            f"{count.kind:<24}{count.tried:>4} tried, {count.equally_long} equally long,"
            f" {count.flipped} flip{where}"
        )
    for found in found_by.maps:
        yield f"{found.clearness:5.2f}  {found.a!r} / {found.b!r}"
        for name, values in (("word's own", found.own_word), ("last token", found.last_token)):
            yield f"       {name} {' '.join(f'{value:+.2f}' for value in values)}"
