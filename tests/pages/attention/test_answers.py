"""What the answers for teachers say of heads, held to the model that the page opens on."""

from math import sqrt

import pytest
import torch

from lm_core.analysis.attention_trace import Intervention, softmax_slopes
from lm_core.analysis.head_ablation import ablate_heads
from pages.attention.settings import SENTENCES
from pages.attention.traces import heads_before, scores_on_the_book, trace_of
from pages.shared.models.read_sentences import MODEL, Sentence, snapshots, transformer
from tests.pages.answering import assert_says

PAGE = "attention"
META = [*snapshots(MODEL).values()][-1]
FIRST = Sentence(META, SENTENCES[0])


def percent(share):
    return f"{100 * share:.0f} %"


def name_of(head):
    return f"{head[0] + 1}.{head[1] + 1}"


def best_on_the_book(pattern):
    found = [p for p in scores_on_the_book(META).patterns if p.pattern == pattern]
    return max(found, key=lambda p: p.excess)


def test_heads_of_the_previous_and_of_the_same_token():
    for pattern in ("previous token", "same token earlier"):
        best = best_on_the_book(pattern)
        shares = percent(best.share), percent(best.uniform_share)
        assert_says(PAGE, "Find a head", name_of((best.layer, best.head)), *shares)
    sentence = Sentence(META, SENTENCES[1])
    first, second = (t for t, symbol in enumerate(sentence.symbols) if symbol == " Pierre")
    weights = trace_of(sentence).weights[:, :, second, first]
    assert (weights > 0.485).sum() == 3
    assert_says(PAGE, "Find a head", "three heads give half of their weight")


def test_heads_of_beginnings():
    for pattern in ("start of the word", "start of the sentence"):
        best = best_on_the_book(pattern)
        even = f"{100 * best.uniform_share:.0f}"
        assert_says(PAGE, "Click a token", percent(best.share), name_of((best.layer, best.head)))
        assert even in ("3", "4"), "an even share is 3 to 4 %"
        assert_says(PAGE, "Click a token", percent(best.shuffled_share))
    words = [p for p in scores_on_the_book(META).patterns if p.pattern == "start of the word"]
    more = [p for p in words if p.share > best_on_the_book("start of the word").share]
    assert {p.layer for p in more} == {0}
    assert all(p.shuffled_share > 0.85 * p.share for p in more)


def next_costs(sentence):
    """Return the head that is needed most, then the next one without it; their costs alone and together."""
    model = transformer(*sentence.key[:2])
    alone = ablate_heads(model, sentence.ids).heads
    first = divmod(int(alone.argmax()), alone.shape[1])
    after = ablate_heads(model, sentence.ids, Intervention(heads=frozenset({first}))).heads
    second = divmod(int(after.argmax()), alone.shape[1])
    costs = alone[first], alone[second], alone[first] + after[second]
    return first, second, [float(cost) for cost in costs]


def test_losses_of_two_heads_nearly_add_up():
    first, second, costs = next_costs(FIRST)
    named = [name_of(first), name_of(second)]
    assert_says(PAGE, "Ablate the head", *named, *(f"{cost:.2f}" for cost in costs))
    others = [next_costs(Sentence(META, text))[2] for text in SENTENCES[1:]]
    ratios = sorted(both / (one + other) for one, other, both in others)
    assert_says(PAGE, "Ablate the head", f"{100 * ratios[0] - 100:.0f} %")
    assert ratios[-1] == pytest.approx(4 / 3, abs=0.02)


def slope(intervention):
    return float(softmax_slopes(trace_of(FIRST, intervention).weights).mean())


def test_a_temperature_stands_in_for_the_division():
    plain = slope(Intervention())
    width = transformer(*FIRST.key[:2]).config.head_width
    undivided = slope(Intervention(is_scaled=False))
    said = [f"√{width} = {sqrt(width):.1f}", f"{plain:.2f} to {undivided:.2f}"]
    assert_says(PAGE, "Switch *Divide", *said)
    rows = (
        trace_of(FIRST, Intervention(is_scaled=scaled)).weights[:, :, 1:]
        for scaled in (False, True)
    )
    largest = " instead of ".join(percent(float(found.amax(-1).mean())) for found in rows)
    assert_says(PAGE, "Switch *Divide", largest)
    assert slope(Intervention(is_scaled=False, temperature=5.0)) == pytest.approx(plain, rel=0.06)
    exactly = Intervention(is_scaled=False, temperature=sqrt(width))
    assert slope(exactly) == pytest.approx(plain, rel=1e-4)


def even_share(sentence):
    """Return what the first token would get if each row were even, without the first row."""
    n = len(sentence.ids)
    return sum(1 / (t + 1) for t in range(1, n)) / (n - 1)


def test_the_first_token_is_no_general_sink():
    first, even = heads_before(FIRST).first, even_share(FIRST)
    others = [Sentence(META, text) for text in SENTENCES[1:]]
    assert [heads_before(s).first.mean() < even_share(s) for s in others].count(True) == 3
    most = divmod(int(first.argmax()), first.shape[1])
    assert_says(PAGE, "Set *First token", f"{first.mean():.2f}", f"{even:.2f}", name_of(most))
    assert first.max() == pytest.approx(0.5, abs=0.01)


def test_him_looks_at_the_prince():
    sentence = Sentence(META, SENTENCES[2])
    symbols = [symbol.strip() for symbol in sentence.symbols]
    him, prince = symbols.index("him"), symbols.index("prince")
    weights = trace_of(sentence).weights[:, :, him, prince]
    best = [
        divmod(int(place), weights.shape[1])
        for place in weights.flatten().argsort(descending=True)[:2]
    ]
    said = [text for head in best for text in (name_of(head), percent(float(weights[head])))]
    assert_says(PAGE, "Take *The prince answered", *said, percent(1 / (him + 1)))


def test_two_reasons_for_several_heads():
    assert_says(PAGE, "Why several heads", "their sum is fixed")
    weights = trace_of(FIRST).weights
    assert torch.allclose(weights.sum(-1), torch.ones_like(weights[..., 0]), atol=1e-5)
