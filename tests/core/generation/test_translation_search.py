"""Greedy decoding and beam search, on real models and against a search of one sentence written out plainly."""

import itertools

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.generation.beam_search import candidate_tokens
from lm_core.generation.translation_search import beam_search, beam_steps, greedy_search
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.encoder_decoder_transformer import EncoderDecoderTransformerConfig
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text.translation_vocabulary import END, PAD, START

V = 9
CONFIGS = {
    "additive": EncoderDecoderConfig(V, "additive", 6, 5, 7, 4, 3),
    "transformer": EncoderDecoderTransformerConfig(V, width=8, heads=2, layers=1, longest=20),
}
SOURCE = torch.randint(4, V, (4, 6), generator=generator(1))
LENGTHS = torch.tensor([6, 3, 5, 1])


@pytest.fixture(params=CONFIGS, scope="module")
def model(request):
    model = build(CONFIGS[request.param])
    model.initialise(generator(11))
    with torch.no_grad():  # so that some sentences, and not all, end before the limit
        model.embedding.weight[END] *= 2.0
    return model.double().eval()


def log_probabilities(model, sentence, tokens):
    """Return what may follow the start and some tokens, read anew without any state."""
    read = torch.tensor([[START, *tokens]])
    length = LENGTHS[sentence : sentence + 1]
    source = SOURCE[sentence : sentence + 1, : int(length)]
    logits = model(source, length, read)[0, -1].detach()
    logits[[PAD, START]] = -torch.inf
    return logits.log_softmax(-1)


def total_of(model, sentence, tokens):
    return sum(
        float(log_probabilities(model, sentence, tokens[:i])[token])
        for i, token in enumerate(tokens)
    )


def plain_beam_search(model, sentence, width, longest, length_penalty):
    """One sentence, one hypothesis at a time, no state, no batch."""
    beams, found = [((), 0.0)], []
    for _ in range(longest):
        candidates = []
        for tokens, total in beams:
            following = log_probabilities(model, sentence, tokens)
            candidates += [((*tokens, t), total + float(following[t])) for t in range(V)]
        candidates.sort(key=lambda candidate: -candidate[1])
        found += [c for c in candidates[:width] if c[0][-1] == END]
        beams = [c for c in candidates if c[0][-1] != END][:width]
        if len(found) >= width:
            break
    found = found[:width]
    scored = [(tokens, total / len(tokens) ** length_penalty) for tokens, total in found]
    scored.sort(key=lambda each: -each[1])
    still_open = [(tokens, total / len(tokens) ** length_penalty) for tokens, total in beams]
    return (scored + still_open)[:width]


def encoded(model):
    return model.encode(SOURCE, LENGTHS)


def test_greedy_search_takes_the_most_probable_token_each_time(model):
    found = greedy_search(model, encoded(model), longest=8)
    for sentence, hypothesis in enumerate(found):
        tokens = ()
        while len(tokens) < 8 and END not in tokens:
            tokens = (*tokens, int(log_probabilities(model, sentence, tokens).argmax()))
        assert hypothesis.tokens == tokens
        assert hypothesis.log_probability == pytest.approx(total_of(model, sentence, tokens))
    assert len({len(hypothesis.tokens) for hypothesis in found}) > 1  # else little was tested


def test_a_beam_of_one_is_greedy(model):
    greedy = greedy_search(model, encoded(model), longest=8)
    beams = beam_search(model, encoded(model), width=1, longest=8)
    assert [b[0].tokens for b in beams] == [g.tokens for g in greedy]
    assert [b[0].log_probability for b in beams] == pytest.approx(
        [g.log_probability for g in greedy]
    )


@pytest.mark.parametrize(("width", "length_penalty"), [(2, 1.0), (3, 0.0), (4, 1.0)])
def test_all_sentences_together_are_each_one_searched_plainly(model, width, length_penalty):
    found = beam_search(
        model, encoded(model), width=width, longest=6, length_penalty=length_penalty
    )
    for sentence, hypotheses in enumerate(found):
        expected = plain_beam_search(model, sentence, width, 6, length_penalty)
        assert [h.tokens for h in hypotheses] == [tokens for tokens, _ in expected]
        assert [h.score for h in hypotheses] == pytest.approx([score for _, score in expected])


def test_a_beam_wide_enough_loses_nothing(model):
    """Where every first token is a beam, the best pair of tokens is the best of all pairs."""
    *_, last = beam_steps(model, encoded(model), width=V, longest=2)
    for sentence in range(len(LENGTHS)):
        pairs = [p for p in itertools.product(range(V), range(V)) if p[0] != END]
        best = max(pairs, key=lambda tokens: total_of(model, sentence, tokens))
        assert candidate_tokens(last, sentence, 0) == list(best)
        assert float(last.totals[sentence, 0]) == pytest.approx(total_of(model, sentence, best))


@pytest.mark.parametrize("width", [1, 3])
def test_a_translation_goes_on_from_its_prefix(model, width):
    prefix = (5, 7)
    for sentence, hypotheses in enumerate(
        beam_search(model, encoded(model), width=width, longest=6, prefix=prefix)
    ):
        for hypothesis in hypotheses:
            assert hypothesis.tokens[:2] == prefix
            expected = total_of(model, sentence, hypothesis.tokens)
            assert hypothesis.log_probability == pytest.approx(expected)
    greedy = greedy_search(model, encoded(model), longest=6, prefix=prefix)
    assert all(hypothesis.tokens[:2] == prefix for hypothesis in greedy)


def test_nothing_grows_longer_than_it_may(model):
    for hypotheses in beam_search(model, encoded(model), width=3, longest=4):
        assert all(len(h.tokens) <= 4 for h in hypotheses)
        assert any(not h.is_finished for h in hypotheses) or len(hypotheses) == 3
    assert all(len(h.tokens) <= 2 for h in greedy_search(model, encoded(model), longest=2))


def test_padding_and_start_are_never_written(model):
    for step in beam_steps(model, encoded(model), width=4, longest=5):
        possible = step.totals > -torch.inf
        assert not (step.tokens[possible] == PAD).any()
        assert not (step.tokens[possible] == START).any()


@pytest.mark.parametrize(
    "settings", [{"width": 0}, {"width": 21}, {"width": 1, "longest": 0}], ids=str
)
def test_impossible_settings_are_refused(model, settings):
    with pytest.raises(SettingError):
        beam_search(model, encoded(model), **{"longest": 4, **settings})
