"""The n-gram table against a dictionary that follows the formulas, and the laws of its contract."""

import math
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest
import torch

from lm_core.errors import SettingError, ShapeError, TextError
from lm_core.experiments.war_and_peace.ngrams import SHIPPED_GAIN, train_ngrams
from lm_core.models.ngram import FALLBACK_DISCOUNTS, KneserNey, KneserNeyConfig, estimate
from lm_core.models.ngram_pruning import prune
from lm_core.rng import generator
from lm_core.training.checkpoints import load_checkpoint, save_checkpoint
from tests.small_checkpoints import meta_of

V = 6


def skewed_text(length, seed=0):
    """Ids in which some continuations are far likelier than others, and id 5 never stands."""
    ids = [0, 1, 2]
    draws = torch.rand(length, generator=generator(seed)).tolist()
    for draw in draws:
        rule = (ids[-1] * 3 + ids[-2]) % 5
        ids.append(rule if draw < 0.6 else int(draw * 1000) % 5)
    return np.array(ids[:length])


@torch.no_grad()
def read(model, ids):
    tokens = torch.as_tensor(np.array(ids))[None]
    return model(tokens, model.initial_state(1))[0][0]


# A slow implementation that follows Chen & Goodman word by word ---------------------------------


class DictionaryKneserNey:
    def __init__(self, ids, vocabulary_size, context_size):
        self.vocabulary_size, self.context_size = vocabulary_size, context_size
        text = tuple(int(i) for i in ids)
        count = Counter(text[i : i + context_size + 1] for i in range(len(text) - context_size))
        self.counts, self.discounts = {}, {}
        for k in range(context_size, -1, -1):
            self.counts[k] = count
            self.discounts[k] = self._discounts(count)
            befores = defaultdict(set)
            for gram in count:
                befores[gram[1:]].add(gram[0])
            count = {gram: len(characters) for gram, characters in befores.items()}

    @staticmethod
    def _discounts(count):
        n = Counter(count.values())
        if not all(n[c] for c in (1, 2, 3, 4)):
            return FALLBACK_DISCOUNTS
        y = n[1] / (n[1] + 2 * n[2])
        d = tuple(c - (c + 1) * y * n[c + 1] / n[c] for c in (1, 2, 3))
        return d if min(d) > 0 else FALLBACK_DISCOUNTS

    def probability(self, symbol, context):
        if len(context) > self.context_size:
            context = context[-self.context_size :] if self.context_size else ()
        shorter = self.probability(symbol, context[1:]) if context else self._unigram_base()
        k = len(context)
        row = {g[-1]: c for g, c in self.counts[k].items() if g[:-1] == context}
        total = sum(row.values())
        if total == 0:
            return shorter
        given_up = sum(self.discounts[k][min(c, 3) - 1] for c in row.values())
        own = row.get(symbol, 0)
        mass = own - self.discounts[k][min(own, 3) - 1] if own else 0.0
        return mass / total + given_up / total * shorter

    def _unigram_base(self):
        return 1 / self.vocabulary_size


@pytest.mark.parametrize(
    ("vocabulary_size", "context_size"),
    [(V, 0), (V, 1), (V, 3), (78, 9)],  # 78 and 9 is the limit: the largest keys must survive
)
def test_equals_the_dictionary(vocabulary_size, context_size):
    shift = vocabulary_size - V
    text = skewed_text(600) + shift
    oracle = DictionaryKneserNey(text, vocabulary_size, context_size)
    model = estimate(text, vocabulary_size, context_size)
    unseen = np.concatenate([skewed_text(30, seed=1) + shift, text[90:120]])
    expected = [
        [
            oracle.probability(v, tuple(int(i) for i in unseen[: t + 1]))
            for v in range(vocabulary_size)
        ]
        for t in range(len(unseen))
    ]
    torch.testing.assert_close(
        read(model, unseen).exp(), torch.tensor(expected), rtol=2e-5, atol=1e-7
    )


def test_estimated_discounts_are_exercised_by_the_oracle():
    """Guards the test above: its text must reach the estimated discounts, not only the fallback."""
    discounts = DictionaryKneserNey(skewed_text(600), V, 3).discounts
    assert discounts[3] != FALLBACK_DISCOUNTS
    assert discounts[0] == FALLBACK_DISCOUNTS


def test_hand_computed_example():
    """aab aac, one character of context, fallback discounts (.5 off a count of 1, 1 off a 2).

    Pairs: aa 2, ab 1, ba 1, ac 1. Different characters before a: 2 (a, b); b: 1; c: 1.
    """
    model = estimate(np.array([0, 0, 1, 0, 0, 2]), 3, 1)
    # total 4; masses (2-1)/4, (1-.5)/4, (1-.5)/4; left over 1/2 to 1/3 each.
    singles = [1 / 4 + 1 / 6, 1 / 8 + 1 / 6, 1 / 8 + 1 / 6]
    after_a = [  # total 4; masses (2-1)/4, (1-.5)/4, (1-.5)/4; left over 1/2.
        1 / 4 + singles[0] / 2,
        1 / 8 + singles[1] / 2,
        1 / 8 + singles[2] / 2,
    ]
    after_b = [1 / 2 + singles[0] / 2, singles[1] / 2, singles[2] / 2]
    rows = read(model, [0, 1, 2]).exp()
    expected = torch.tensor([after_a, after_b, singles])  # nothing ever followed c
    torch.testing.assert_close(rows, expected)


# Laws ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model():
    return estimate(skewed_text(2000), V, 4)


def test_rows_sum_to_one_and_nothing_is_impossible(model):
    seen, unseen = skewed_text(50), [5, 5, 5, 0, 5, 1, 2, 5]
    for ids in (seen, unseen):
        rows = read(model, ids)
        torch.testing.assert_close(rows.logsumexp(1), torch.zeros(len(rows)), rtol=0, atol=1e-6)
        assert torch.isfinite(rows).all()


def test_reading_in_pieces_equals_reading_at_once(model):
    tokens = torch.as_tensor(skewed_text(40, seed=2))[None]
    whole, last = model(tokens, model.initial_state(1))
    state, pieces = model.initial_state(1), []
    for piece in tokens.split([1, 2, 30, 7], dim=1):
        logits, state = model(piece, state)
        pieces.append(logits)
    assert torch.equal(torch.cat(pieces, 1), whole)
    assert torch.equal(state[0], last[0])
    assert state[0].tolist() == tokens[:, -4:].tolist()


def test_texts_of_a_batch_do_not_mix(model):
    texts = torch.as_tensor(np.stack([skewed_text(30, seed=3), skewed_text(30, seed=4)]))
    together, state = model(texts, model.initial_state(2))
    for b in range(2):
        alone, own_state = model(texts[b : b + 1], model.initial_state(1))
        assert torch.equal(together[b], alone[0])
        assert torch.equal(state[0][b], own_state[0][0])


def test_state_given_is_left_unchanged(model):
    state = model.initial_state(1)
    model(torch.tensor([[1, 2, 3]]), state)
    assert state[0].tolist() == [[-1, -1, -1, -1]]


def test_only_the_last_characters_matter(model):
    endings = [read(model, [*start, 1, 0, 4, 2])[-1] for start in ([0, 3], [4, 4, 1])]
    assert torch.equal(*endings)


def test_many_positions_equal_few(model, monkeypatch):
    ids = skewed_text(100, seed=5)
    whole = read(model, ids)
    monkeypatch.setattr("lm_core.models.ngram.POSITIONS_AT_ONCE", 7)
    torch.testing.assert_close(read(model, ids), whole)


def test_checkpoint_round_trip(model, tmp_path):
    loaded = load_checkpoint(save_checkpoint(tmp_path, model, meta_of(model.config))).model
    assert isinstance(loaded, KneserNey)
    assert loaded.config == model.config
    ids = skewed_text(50, seed=6)
    assert torch.equal(read(loaded, ids), read(model, ids))


# Pruning ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("storage", ["float16", "float16_compressed"])
def test_pruned_table_survives_half_precision_exactly(model, tmp_path, storage):
    small = prune(model, skewed_text(2000), 1.0)
    meta = meta_of(small.config, storage=storage)
    loaded = load_checkpoint(save_checkpoint(tmp_path, small, meta)).model
    ids = skewed_text(50, seed=6)
    assert torch.equal(read(loaded, ids), read(small, ids))
    for k in range(5):
        assert torch.equal(loaded.order(k)[0], small.order(k)[0])
        assert loaded.order(k)[0].dtype == small.order(k)[0].dtype
        assert (small.order(k)[1] <= small.order(k)[1].half().float()).all()


def test_pruned_rows_still_sum_to_one(model):
    rows = read(prune(model, skewed_text(2000), 2.0), [*skewed_text(50, seed=7), 5, 5])
    torch.testing.assert_close(rows.logsumexp(1), torch.zeros(len(rows)), rtol=0, atol=1e-6)


def test_pruning_nothing_changes_nothing_but_rounding(model):
    ids = skewed_text(2000)
    kept = prune(model, ids, 0.0)
    assert kept.config == model.config
    torch.testing.assert_close(read(kept, ids), read(model, ids), rtol=0, atol=0.01)
    for k in range(5):
        assert (kept.order(k)[1] <= model.order(k)[1]).all()


def test_pruning_more_keeps_less_and_costs_more(model):
    ids = skewed_text(2000)
    sizes, losses = [], []
    for gain in (0.0, 1.0, 4.0, 1e9):
        small = prune(model, ids, gain)
        sizes.append(sum(small.config.entries))
        losses.append(-float(read(small, ids)[range(1999), ids[1:]].mean()))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == model.config.entries[0]  # single characters always stay
    assert losses == sorted(losses)


def test_pruning_drops_what_saves_least():
    """The gain of an n-gram is what the loss rises by if it alone goes to the back-off weight."""
    ids = np.array([0, 1] * 20 + [0, 2, 3, 4] * 3)
    model = estimate(ids, V, 1)
    keys, masses = model.order(1)
    occurrences = Counter(a * V + b for a, b in pairwise(ids.tolist()))
    worth = set()
    for key, mass in zip(keys.tolist(), masses.tolist(), strict=True):
        context, symbol = divmod(key, V)
        probability = float(read(model, [context])[0, symbol].exp())
        backoff = 1 - float(masses[keys // V == context].sum())
        without = (backoff + mass) * (probability - mass) / backoff
        if occurrences[key] * math.log(probability / without) >= 3.0:
            worth.add(key)
    assert 0 < len(worth) < len(keys)
    assert set(prune(model, ids, 3.0).order(1)[0].tolist()) == worth


def test_recipe_ships_a_smaller_table_of_the_same_text():
    ids = skewed_text(3000)
    full, shipped = train_ngrams(ids, V)
    assert full.config.context_size == 9
    assert shipped.config == prune(estimate(ids, V, 6), ids, SHIPPED_GAIN).config
    assert sum(shipped.config.entries) < sum(full.config.entries)


# Errors ----------------------------------------------------------------------------------------


def test_errors(model):
    with pytest.raises(SettingError, match=r"2\^63, got 70 \*\* 11"):
        estimate(skewed_text(50), 70, 10)
    with pytest.raises(SettingError, match="context_size must be at least 0, got -1"):
        estimate(skewed_text(50), V, -1)
    with pytest.raises(TextError, match="longer than its context of 4 characters, got 4"):
        estimate(skewed_text(4), V, 4)
    with pytest.raises(SettingError, match=r"ids must lie in \[0, 4\), got 0 to 4"):
        estimate(skewed_text(50), 4, 1)
    with pytest.raises(SettingError, match="vocabulary_size must be at least 1, got 0"):
        KneserNeyConfig(0, (1,))
    with pytest.raises(SettingError, match=r"entries must hold .* got \(\)"):
        KneserNeyConfig(4, ())
    with pytest.raises(ShapeError, match=r"\(B, T\), got \(3,\)"):
        model(torch.tensor([1, 2, 3]), model.initial_state(1))
    with pytest.raises(SettingError, match=r"tokens must lie in \[0, 6\), got 1 to 6"):
        model(torch.tensor([[1, 6]]), model.initial_state(1))
    with pytest.raises(SettingError, match="minimum_gain must be at least 0, got nan"):
        prune(model, skewed_text(50), math.nan)
    with pytest.raises(SettingError, match="prune it only once"):
        prune(prune(model, skewed_text(2000), 4.0), skewed_text(2000), 1.0)
