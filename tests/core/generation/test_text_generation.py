import math
from itertools import islice

import numpy as np
import pytest
import torch

from lm_core.errors import SettingError, TextError
from lm_core.generation import text_generation as generation_module
from lm_core.generation.decoder import ModelDecoder
from lm_core.generation.sampling import SamplingSettings, draw, entropy_bits
from lm_core.generation.text_generation import TextGeneration, generate
from lm_core.models.registry import build
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from tests.core.toy_models import SpellingModel, random_lstm, random_pair_model

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PLAIN = SamplingSettings()
STEERED = SamplingSettings(
    temperature=1.2, top_p=0.9, repetition_penalty=1.2, repetition_window=5, mirostat_tau=2.0
)
GREEDY = SamplingSettings(temperature=0.0)


@pytest.fixture(scope="module")
def model():
    return random_lstm()


def tokens(generation: TextGeneration) -> list[int]:
    return [written.token for written in generation.written]


def test_a_model_that_spells_a_word_writes_it():
    speller = SpellingModel([LETTERS.index(letter) for letter in "sequentially"], 26)
    for settings in (PLAIN, GREEDY, SamplingSettings(top_k=3, top_p=0.9)):
        generation = TextGeneration.begin(speller, [0], settings, seed=1)
        generation.write(16)
        assert "".join(LETTERS[i] for i in tokens(generation)) == "sequentiallysequ"


def test_same_seed_same_text_and_another_seed_another(model):
    one, same, other = (TextGeneration.begin(model, [1], PLAIN, seed) for seed in (7, 7, 8))
    for generation in (one, same, other):
        generation.write(60)
    assert one.written == same.written
    assert tokens(one) != tokens(other)


def test_greedy_ignores_the_seed(model):
    texts = [
        tuple(w.token for w in TextGeneration.begin(model, [1], GREEDY, s).write(50))
        for s in (1, 2)
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("settings", [PLAIN, STEERED])
@pytest.mark.parametrize("pieces", [(150,), (64, 86), (10, 10, 100, 30), (1,) * 150])
def test_how_the_writing_is_cut_into_calls_does_not_matter(model, settings, pieces):
    whole = TextGeneration.begin(model, [1, 2], settings, seed=3)
    whole.write(150)
    generation = TextGeneration.begin(model, [1, 2], settings, seed=3)
    returned = [written for n in pieces for written in generation.write(n)]
    assert tokens(generation) == tokens(whole)
    assert returned == list(generation.written)
    for ours, theirs in zip(generation.written, whole.written, strict=True):
        assert ours.probability == pytest.approx(theirs.probability, abs=1e-6)


@pytest.mark.parametrize("settings", [PLAIN, STEERED])
@pytest.mark.parametrize("kept", [0, 1, 63, 64, 65, 128, 150])
def test_a_rewound_story_goes_on_as_before(model, settings, kept):
    generation = TextGeneration.begin(model, [1, 2], settings, seed=3)
    generation.write(150)
    before = tokens(generation)
    generation.rewind(kept)
    assert tokens(generation) == before[:kept]
    assert generation.ids == (1, 2, *before[:kept])
    generation.write(150 - kept)
    assert tokens(generation) == before


def test_large_states_are_kept_seldom_and_lead_back_all_the_same(model, monkeypatch):
    size = sum(tensor.nbytes for tensor in model.initial_state(1))
    monkeypatch.setattr(generation_module, "_SNAPSHOT_BYTES", size / 130)
    generation = TextGeneration.begin(model, [1, 2], PLAIN, seed=3)
    generation.write(400)
    assert [snapshot.n_written for snapshot in generation._snapshots] == [0, 192, 384]
    before = tokens(generation)
    for kept in (390, 200, 150):
        generation.rewind(kept)
        generation.write(400 - kept)
        assert tokens(generation) == before


@pytest.mark.parametrize("kept", [0, 1, 60, 149, 150])
@pytest.mark.parametrize(("context", "most_read"), [(256, 1), (16, 150)])
def test_a_transformer_cuts_its_cache_where_that_holds_all_and_else_reads_again(
    context, most_read, kept, monkeypatch
):
    config = TransformerLanguageModelConfig(
        vocabulary_size=11, width=16, heads=2, layers=2, context=context, position="rotary"
    )
    transformer = build(config)
    transformer.initialise(generator(0))
    generation = TextGeneration.begin(transformer, [1, 2], PLAIN, seed=3)
    generation.write(150)
    before, read = tokens(generation), []
    whole = ModelDecoder.read
    monkeypatch.setattr(
        ModelDecoder, "read", lambda *call: read.append(len(call[1])) or whole(*call)
    )
    generation.rewind(kept)
    assert sum(read) <= most_read
    generation.write(150 - kept)
    assert tokens(generation) == before


def test_a_story_rewound_twice_goes_by_its_new_text(model):
    generation = TextGeneration.begin(model, [1], PLAIN, seed=3)
    generation.write(150)
    generation.rewind(10)
    generation.pick((generation.ids[-1] + 1) % 11)
    generation.write(139)
    before = [written.model_probability for written in generation.written]
    generation.rewind(128)
    generation.write(22)
    after = [written.model_probability for written in generation.written]
    assert after == pytest.approx(before, abs=1e-7)


def test_two_stories_from_one_text_do_not_disturb_each_other(model):
    generation = TextGeneration.begin(model, [1], PLAIN, seed=3)
    generation.write(70)
    other = generation.with_settings(SamplingSettings(temperature=0.3))
    other.write(80)
    generation.write(80)
    before = tokens(generation)
    assert tokens(other) != before
    generation.rewind(130)
    generation.write(20)
    assert tokens(generation) == before


def test_the_ith_character_hangs_on_the_ith_random_number(model):
    generation = TextGeneration.begin(model, [1], SamplingSettings(temperature=0.7), seed=11)
    numbers = torch.rand(300, generator=generator(11), dtype=torch.float64).tolist()
    for number in numbers:
        expected = draw(generation.chain_trace().probabilities, number)
        assert generation.write(1)[0].token == expected


def test_a_pick_uses_up_its_random_number(model):
    picked = TextGeneration.begin(model, [1], PLAIN, seed=5)
    written = TextGeneration.begin(model, [1], PLAIN, seed=5)
    written.write(20)
    for token in tokens(written)[:10]:
        picked.pick(token)
    picked.write(10)
    assert tokens(picked) == tokens(written)
    assert [w.picked_by_hand for w in picked.written] == [True] * 10 + [False] * 10


def test_a_record_tells_both_probabilities_and_the_entropy(model):
    generation = TextGeneration.begin(
        model, [1, 2], SamplingSettings(temperature=0.5, top_k=4), seed=2
    )
    generation.write(30)
    trace = generation.chain_trace()
    (written,) = generation.write(1)
    own = trace.stages[0].probabilities
    assert written.probability == pytest.approx(float(trace.probabilities[written.token]))
    assert written.model_probability == pytest.approx(float(own[written.token]))
    assert written.entropy_bits == pytest.approx(float(entropy_bits(own)), rel=1e-5)


def test_what_the_chain_blocks_can_be_picked_and_is_recorded_as_improbable(model):
    generation = TextGeneration.begin(model, [1], SamplingSettings(top_k=1), seed=0)
    blocked = int(generation.chain_trace().stages[0].probabilities.argmin())
    written = generation.pick(blocked)
    assert written.probability == 0.0
    assert written.model_probability > 0.0
    assert generation.ids == (1, blocked)


def test_the_model_reads_what_was_picked(model):
    generation = TextGeneration.begin(model, [1, 2], PLAIN, seed=0)
    generation.pick(3)
    fresh = TextGeneration.begin(model, [1, 2, 3], PLAIN, seed=0)
    torch.testing.assert_close(
        generation.chain_trace().probabilities, fresh.chain_trace().probabilities
    )


def test_new_settings_keep_the_text_and_leave_the_old_story_alone(model):
    generation = TextGeneration.begin(model, [1], PLAIN, seed=4)
    generation.write(70)
    before = generation.written
    sharper = generation.with_settings(SamplingSettings(temperature=0.3))
    assert sharper.written == before
    sharper.write(20)
    sharper.rewind(3)
    assert generation.written == before
    assert generation.settings == PLAIN
    back = sharper.with_settings(PLAIN)
    back.write(67)
    assert tokens(back) == tokens(generation)


def test_the_repetition_penalty_looks_back_into_the_prompt():
    flat = random_pair_model()
    flat.table.fill_(1.0)
    settings = SamplingSettings(repetition_penalty=1000.0, repetition_window=2)
    generation = TextGeneration.begin(flat, [0, 1, 2], settings, seed=0)
    shares = generation.chain_trace().probabilities
    assert shares[0] == shares[3] > shares[1] == shares[2]


@pytest.mark.parametrize("tau", [1.6, 2.2])
def test_mirostat_brings_the_surprise_to_its_aim(tau):
    model = random_pair_model(size=12, seed=1)
    generation = TextGeneration.begin(model, [1], SamplingSettings(mirostat_tau=tau), seed=0)
    bits = [-math.log2(written.model_probability) for written in generation.write(2000)]
    assert sum(bits) / len(bits) == pytest.approx(tau, abs=0.05)


def test_mirostat_turned_on_late_is_as_if_it_had_always_been_on(model):
    steered = TextGeneration.begin(model, [1], STEERED, seed=0)
    steered.write(40)
    late = TextGeneration.begin(model, [1], PLAIN, seed=0)
    for token in tokens(steered):
        late.pick(token)
    late = late.with_settings(STEERED)
    torch.testing.assert_close(
        late.chain_trace().probabilities, steered.chain_trace().probabilities
    )


def test_generate_is_the_story_without_end(model):
    generation = TextGeneration.begin(model, [1, 2], PLAIN, seed=9)
    assert [w.token for w in islice(generate(model, [1, 2], PLAIN, 9), 100)] == [
        w.token for w in generation.write(100)
    ]


def test_prompts_may_be_arrays_and_are_kept(model):
    generation = TextGeneration.begin(model, np.array([1, 2, 3]), PLAIN, seed=0)
    generation.write(2)
    assert generation.prompt_ids == (1, 2, 3)
    assert generation.ids == (1, 2, 3, *tokens(generation))


@pytest.mark.parametrize("settings", [PLAIN, STEERED])
@pytest.mark.parametrize("n", [0, 5, 90])
def test_a_resumed_generation_goes_on_and_back_as_the_first_would(model, settings, n):
    first = TextGeneration.begin(model, [1, 2], settings, seed=3)
    first.write(n)
    first.pick(4)
    resumed = TextGeneration.resume(model, [1, 2], settings, 3, first.written)
    assert resumed.written == first.written
    for generation in (first, resumed):
        generation.write(20)
    assert tokens(resumed) == tokens(first)
    assert resumed.written[n].picked_by_hand
    for generation in (first, resumed):
        generation.rewind(n // 2)
        generation.write(20)
    assert tokens(resumed) == tokens(first)


def test_what_no_model_wrote_is_not_resumed(model):
    alien = (
        TextGeneration.begin(model, [1], PLAIN, seed=0).write(1)[0].__class__(99, 0, 0, 0, False)
    )
    with pytest.raises(TextError, match="99"):
        TextGeneration.resume(model, [1], PLAIN, 0, [alien])


def test_writing_nothing_writes_nothing(model):
    generation = TextGeneration.begin(model, [1], PLAIN, seed=0)
    assert generation.write(0) == []
    assert generation.written == ()


@pytest.mark.parametrize(
    ("prompt", "message"),
    [([], "at least one character, got none"), ([3, 11], r"\[0, 11\), got 3 to 11"), ([-1], "-1")],
)
def test_a_prompt_that_cannot_be_read_is_refused(model, prompt, message):
    with pytest.raises(TextError, match=message):
        TextGeneration.begin(model, prompt, PLAIN, seed=0)


def test_tokens_and_positions_that_do_not_exist_are_refused(model):
    generation = TextGeneration.begin(model, [1], PLAIN, seed=0)
    generation.write(3)
    with pytest.raises(SettingError, match=r"token must lie in \[0, 11\), got 11"):
        generation.pick(11)
    with pytest.raises(SettingError, match=r"n_written must lie in \[0, 3\], got 4"):
        generation.rewind(4)
    assert len(generation.written) == 3
