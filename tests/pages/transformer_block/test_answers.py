"""What the answers for teachers say of the stream, its parts, units and cells is what the model gives."""

import random
from functools import cache

import numpy as np
import pytest
import torch

from lm_core.analysis.feed_forward_units import HeldUnit, read_units
from lm_core.analysis.patching import Patching
from lm_core.analysis.residual_stream import (
    Contribution,
    Removed,
    Stage,
    contributions,
    logit_lens,
    mean_cosine,
    streams,
    trace,
)
from lm_core.analysis.text_spans import KINDS, QUOTATION, spans_of
from lm_core.analysis.unit_search import chance_correlations, find_units
from lm_core.experiments.patching.results import PatchingResults
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.models.read_sentences import MODEL, snapshots
from pages.shared.ten_minutes import teaching_steps
from pages.shared.units.painting import split_between
from pages.shared.units.text import CONVERSATION, TEXTS, word_ends
from pages.transformer_block import held_unit, unit_text
from pages.transformer_block.subject import START
from pages.transformer_block.unit_runs import units_found
from tests.pages.answering import assert_says

ADDRESS, LARGER = "transformer-block", "library-transformer"
EACH = "Prince Andrew and Pierre looked at each"
NOT_COMPUTED = {
    "Paint any ten words": "forty searches; the means were computed once, the absence of a law is held below",
}


@cache
def reader(name=MODEL):
    checkpoint = load_shipped(name)
    return checkpoint.model, vocabulary_of(checkpoint.meta)


def ids(text, name=MODEL):
    return torch.from_numpy(reader(name)[1].encode(text))


def token(text):
    (found,) = reader()[1].encode(text)
    return int(found)


@cache
def traced(text=START, *removed, name=MODEL):
    return trace(reader(name)[0], ids(text, name), without=removed)


def lens(text=START, position=-1):
    found = traced(text)
    return logit_lens(reader()[0], found, position % len(ids(text))).softmax(-1)


def percent(share):
    return f"{100 * float(share):.0f} %"


def test_few_units_are_on_and_others_at_another_token():
    on = [traced()[Stage("widened", layer)] > 0 for layer in range(4)]
    kissed, her = on[3][-2], on[3][-1]
    assert 0.2 < float((kissed & her).sum() / (kissed | her).sum()) < 0.3  # a quarter at both
    shares = [percent(on[layer][-1].float().mean()) for layer in (0, 3)]
    assert_says(ADDRESS, "Open *GELU*", *shares)


def test_sizes_of_the_larger_model():
    small, large = (reader(name)[0].config for name in (MODEL, LARGER))
    widths = (config.width // config.heads for config in (small, large))
    units = (f"{config.width * config.feed_forward:,}" for config in (small, large))
    said = (f"{c.layers}" for c in (small, large)), (f"{c.width}" for c in (small, large))
    heads = f"{large.heads} instead of {small.heads}"
    numbers = [f"{value}" for value in (*said[0], *said[1], *widths, *units)]
    assert_says(ADDRESS, "Choose the *Transformer 8 x 320*", heads, *numbers)


def test_the_blocks_after_which_an_answer_is_on_top():
    symbols = reader()[1].symbols
    for said, position in (("Andrew", 3), ("to", 1), ("hand", -1)):
        best = lens(position=position)[2::2].argmax(-1).tolist()
        assert symbols[best[-1]] == f" {said}"
        assert_says(ADDRESS, "Choose an earlier token", f"block {best.index(best[-1]) + 1}")


def test_other_and_of_after_each():
    each, other, of = lens(EACH), token(" other"), token(" of")
    assert_says(ADDRESS, "Type *Prince Andrew", percent(each[2, other]), percent(each[4, of]))
    assert float(lens(" each")[2, other]) == pytest.approx(float(each[2, other]), abs=0.02)
    best = {
        text: lens(text)[2::2].argmax(-1).tolist() for text in (EACH, " each", "He looked at each")
    }
    assert best[EACH] == [other, of, other, other]
    assert best[" each"][1:] == [of] * 3
    assert best["He looked at each"][-1] == other


def test_father_is_likely_in_the_middle():
    father = lens()[:, token(" father")]
    falls = father.diff()
    assert (int(father.argmax()), int(falls.argmin())) == (3, 4)  # of block 2 and 3, attention
    assert falls[3] < 0  # the feed-forward network of block 2
    assert_says(ADDRESS, "Follow a token", percent(father.max()), percent(father[-1]))
    logits = logit_lens(reader()[0], traced(), len(ids(START)) - 1)[:, token(" father")]
    own = float(logits[3] - logits[-1])
    others = float((father[3] / father[-1]).log()) - own
    assert_says(ADDRESS, "Follow a token", f"falls by {own:.1f}")
    assert 0.75 * own < others < own


@pytest.fixture(scope="module")
def shares():
    """Of the likeliest token, and of its lead over the second."""
    first, second = traced().logits[-1].topk(2).indices.tolist()
    alone, lead = (
        contributions(reader()[0], traced(), len(ids(START)) - 1, first, against)
        for against in (None, second)
    )
    return alone, lead


def head_name(part: Contribution):
    return f"{part.stage.layer + 1}.{part.head + 1} with {part.value:+.2f}"


def test_parts_that_decide_between_two_tokens(shares):
    alone, lead = shares
    most = sorted((p for p in lead if p.head is not None), key=lambda part: -part.value)[:3]
    assert {part.stage.layer for part in most} == {3}
    largest = max(alone, key=lambda part: part.value)
    assert largest.stage == Stage("narrowed", 3)
    (same,) = [part for part in lead if part.stage == largest.stage]
    said = f"{largest.value:+.2f}", f"shrinks to {same.value:+.2f}"
    assert_says(ADDRESS, "Choose the second likeliest", *map(head_name, most), *said)
    (why,) = [
        step.why
        for step in teaching_steps(ADDRESS)
        if step.question.startswith("Choose the second")
    ]
    assert f"of its {largest.value:.2f} only {same.value:.2f} is left" in why


def test_the_head_with_the_largest_share_reads_kissed(shares):
    head = max((p for p in shares[0] if p.head is not None), key=lambda part: part.value)
    weights = traced().weights[head.stage.layer][head.head, -1]
    assert int(weights.argmax()) == len(ids(START)) - 2
    assert_says(ADDRESS, "Find the head", head_name(head), percent(weights.max()))


def test_parts_that_speak_against(shares):
    against = [sum(part.value < 0 for part in parts) for parts in shares]
    least = -min(part.value for part in shares[0])
    said = f"{against[0]} of {len(shares[0])}", f"{least:.2f}", f"{against[1]}"
    assert_says(ADDRESS, "Which parts speak against", *said)


def test_attention_out_of_one_block():
    whole = traced().losses.mean()
    rises = [traced(START, Removed("attention", i)).losses.mean() - whole for i in range(4)]
    assert_says(ADDRESS, "Take *attention* out", *(f"{float(rise):.2f}" for rise in rises))


def test_without_residual_paths_positions_become_alike():
    small, large = (
        (traced(START, *removed, name=name), streams(reader(name)[0].config))
        for name, removed in ((MODEL, (Removed("residual"),)), (LARGER, (Removed("residual"),)))
    )
    rises = [mean_cosine(small[0][stage]) for stage in small[1]]
    assert max(rises) == pytest.approx(0.85, abs=0.05)
    assert max(mean_cosine(traced()[stage]) for stage in small[1]) < 0.4
    assert_says(ADDRESS, "Take the residual paths", f"{mean_cosine(large[0][large[1][-1]]):.2f}")


def test_without_positions_an_order_changes_less():
    first, *between, last = START.split()
    mixed = [
        " ".join([first, *random.Random(seed).sample(between, len(between)), last])
        for seed in range(40)
    ]
    moved = []
    for removed in ([], [Removed("positions")]):
        before, *after = (
            trace(reader()[0], ids(text), without=removed).logits[-1].softmax(-1)
            for text in (START, *mixed)
        )
        moved.append(float(torch.stack([(p - before).abs().sum() / 2 for p in after]).mean()))
    assert moved[0] == pytest.approx(0.5, abs=0.05)
    assert_says(ADDRESS, "Without positions, write", percent(moved[1]))


def score(text, places):
    """Return what chance finds, and the best unit's correlation where it was found and on the rest."""
    symbols = reader()[1].spell(reader()[1].encode(text))
    target = places[np.cumsum([len(symbol) for symbol in symbols]) - 1]
    units, split = over(text), split_between(spans_of(target))
    chance = chance_correlations(units[:split], target[:split], 24)
    (best,) = find_units(units, target, 1, split)
    return float(chance.mean()), best.correlation, best.held_out


@cache
def over(text):
    return read_units(reader()[0], reader()[1].encode(text))


def test_no_unit_follows_the_names_of_a_short_text():
    text, places = TEXTS[CONVERSATION], np.zeros(len(TEXTS[CONVERSATION]))
    for name in ("Sonya", "Nicholas", "Petya"):
        for start in range(len(text)):
            places[start : start + len(name)] += text.startswith(name, start)
    assert len(spans_of(places)) == 4
    chance, found, held_out = score(text, places)
    assert held_out < chance
    said = (f"{value:.2f}" for value in (found, held_out, chance))
    assert_says(ADDRESS, "Choose *Two questions* and paint", *said, f"{over(text).shape[1]:,}")


@pytest.mark.parametrize(
    ("name", "kind", "same"), [(MODEL, QUOTATION, True), (LARGER, "last letter of a word", False)]
)
def test_a_held_unit_leaves_the_likeliest_token_of_the_opening_model(name, kind, same):
    meta = [*snapshots(name).values()][-1]
    text = unit_text._read(meta, unit_text._written.__wrapped__(3_000), 3_000)
    target = text.of_tokens(KINDS[kind](text.text))
    unit = units_found(text.sentence, target, is_painted=False).scored.units[0].unit
    held = HeldUnit(unit, 4 * float(text.units.activations[:, unit].max()))
    asked = text.sentence.key[:2]
    free, moved = (
        held_unit._continued.__wrapped__(*asked, text.prompt, one, 1).next_token
        for one in (None, held)
    )
    assert (free.argmax() == moved.argmax()) == same
    if name == MODEL:
        share = percent(abs(free - moved).sum() / 2)
        said = "With the opening text and model", text.units.name_of(unit), share
        assert_says(ADDRESS, "Hold the best unit", *said)


def test_units_of_any_ten_words_fail_on_the_others():
    text = TEXTS[CONVERSATION]
    ends = [0, *word_ends(text)]
    for seed in range(4):
        places = np.zeros(len(text))
        for word in random.Random(seed).sample(range(len(ends) - 1), 10):
            places[ends[word] : ends[word + 1]] = 1
        chance, found, held_out = score(text, places)
        assert abs(found) > 0.45
        assert abs(held_out) < chance


def test_the_last_token_decides_after_the_third_block_in_most_pairs():
    maps = PatchingResults.load().of(MODEL).maps
    at = [pair.handed_over for pair in maps]
    assert set(at) == {3, 4}
    said = f"of the {len(maps)} pairs", f"block 3 in {at.count(3)}", f"other {at.count(4)}"
    assert_says(ADDRESS, "Tap the cells", *said)
    between = np.quantile([max(pair.between) for pair in maps], 0.9)
    assert_says(ADDRESS, "Choose *Your own two prompts*", f"{len(maps)}", percent(between))


def test_what_attention_adds_brings_the_answer_in_two_blocks():
    pair = PatchingResults.load().of(MODEL).best(1)[0]
    assert pair.a.startswith("The prince came in, and as soon as")
    answers = tuple(token(answer) for answer in pair.answers)
    found = Patching(reader()[0], ids(pair.a), ids(pair.b)).map(answers)
    effects = dict(zip(found.stages, found.effects, strict=True))
    last = [effects[Stage("attention", layer)][-1] for layer in range(4)]
    assert max(last[:2]) < 0.1
    own = effects[Stage("attention", 0)][found.first_different]
    said = map(percent, (*last[2:], own))
    assert_says(ADDRESS, "Choose *what attention adds*", *said)
