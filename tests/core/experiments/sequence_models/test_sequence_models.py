"""Vectors and sequences: what the models read, what padding may not change, what was shipped."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from lm_core.errors import SettingError, TextError
from lm_core.experiments.sequence_models import inference, tasks
from lm_core.experiments.sequence_models.datasets import BookSentences, BookWords
from lm_core.experiments.sequence_models.training import RECIPES, SequenceTraining, shortened
from lm_core.models.seq2seq import (
    NameGenerator,
    NameGeneratorConfig,
    SentenceClassifier,
    SentenceClassifierConfig,
    WordReverser,
    WordReverserConfig,
)
from lm_core.rng import generator
from lm_core.text import symbols
from lm_core.training import checkpoints
from lm_core.training.checkpoints import SHIPPED

WORDS = (("pierre", True), ("ann", True), ("the", False), ("winter", False))
SENTENCES = (("i love you", True), ("he went out", False), ("come here", True), ("it fell", False))
CLASSIFIERS = {
    "last": SentenceClassifierConfig("last", hidden_size=8),
    "mean": SentenceClassifierConfig("mean", hidden_size=8),
    "both last": SentenceClassifierConfig("last", bidirectional=True, hidden_size=8),
    "both mean": SentenceClassifierConfig("mean", bidirectional=True, hidden_size=8),
}


def drawn(model, seed=0):
    model.initialise(generator(seed))
    return model.eval().requires_grad_(False)


@pytest.fixture(params=CLASSIFIERS)
def classifier(request):
    return drawn(SentenceClassifier(CLASSIFIERS[request.param]))


@pytest.fixture
def reverser():
    return drawn(WordReverser(WordReverserConfig(hidden_size=12)))


# What is read ---------------------------------------------------------------------------------


def test_rows_are_filled_up_behind_the_end():
    ids, lengths = symbols.encode_rows(["ab", "z", "c' ,"])
    assert ids.tolist() == [[1, 2, 0, 0], [26, 0, 0, 0], [3, 28, 27, 29]]
    assert lengths.tolist() == [2, 1, 4]


def test_rows_are_turned_as_far_as_they_reach():
    ids, lengths = symbols.encode_rows(["abc", "z", "no"])
    assert symbols.reversed_rows(ids, lengths).tolist() == [[3, 2, 1], [26, 0, 0], [15, 14, 0]]


def test_a_sentence_loses_its_capitals_and_closing_signs():
    assert symbols.as_sentence("“What is it, Count?” he asked!") == "what is it, count he asked"
    assert symbols.read_sentence("  Bolkónski’s—horse ") == "bolkonski's horse"


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (symbols.read_word, "", "the word is empty: write 1 to 16 letters"),
        (symbols.read_word, "a b", r"letters from a to z only, got \[' '\]"),
        (symbols.read_word, "слово", "letters from a to z only"),
        (symbols.read_word, "x" * 30, "at most 16 letters, got 30: shorten it by 14"),
        (symbols.read_sentence, "", "there is no letter in the sentence"),
        (symbols.read_sentence, "123 ?!", "there is no letter in the sentence"),
        (symbols.read_sentence, "ab " * 50, "at most 120 characters, got 149: shorten it by 29"),
        (symbols.read_sentence, "a" * 1_000_000, "at most 120 characters, got 1,000,000"),
    ],
)
def test_what_cannot_be_read_is_refused(read, text, message):
    with pytest.raises(TextError, match=message):
        read(text)


# The models -----------------------------------------------------------------------------------


def test_padding_behind_a_sentence_changes_nothing(classifier):
    ids, lengths = symbols.encode_rows(["come here", "no"])
    padded = functional.pad(ids, (0, 5), value=7)
    torch.testing.assert_close(classifier(ids, lengths), classifier(padded, lengths))
    torch.testing.assert_close(
        classifier(*symbols.encode_rows(["no"]))[0], classifier(ids, lengths)[1]
    )


def test_the_classifiers_are_torchs_gru():
    """The bidirectional layer of torch with the same weights, by hand from its states."""
    ours = drawn(SentenceClassifier(CLASSIFIERS["both mean"]))
    layer = nn.GRU(16, 8, batch_first=True, bidirectional=True)
    weights = dict(ours.forwards.named_parameters())
    weights |= {f"{n}_reverse": p for n, p in ours.backwards.named_parameters()}
    layer.load_state_dict(weights)
    ids, lengths = symbols.encode_rows(["come here"])
    states, last = layer(ours.embedding(ids))
    torch.testing.assert_close(ours.output(states.mean(1))[:, 0], ours(ids, lengths))
    ours.config = CLASSIFIERS["both last"]
    torch.testing.assert_close(ours.output(torch.cat([*last], -1))[:, 0], ours(ids, lengths))


def test_only_the_mean_weighs_every_state_alike():
    """The mean of the states does not change if the middle states are exchanged, the last does."""
    states = torch.randn(1, 5, 8, generator=generator(0))
    swapped = states[:, [0, 3, 2, 1, 4]]
    classifier = SentenceClassifier(CLASSIFIERS["mean"])
    lengths = torch.tensor([5])
    torch.testing.assert_close(
        classifier._pooled(states, lengths), classifier._pooled(swapped, lengths)
    )
    torch.testing.assert_close(classifier._pooled(states, lengths)[0], states[0].mean(0))


def test_the_running_verdict_is_the_verdict_on_each_beginning(classifier):
    verdicts = inference.speech_probabilities(classifier, "i know")
    assert len(verdicts) == 6
    alone = [
        torch.sigmoid(classifier(*symbols.encode_rows(["i know"[:n]]))).item() for n in range(1, 7)
    ]
    assert verdicts == pytest.approx(alone, abs=1e-6)


def test_the_encoder_returns_one_state(reverser):
    letters, lengths = symbols.encode_rows(["tsar", "no"])
    state = reverser.encode(letters, lengths)
    assert state.shape == (1, 2, 12)
    torch.testing.assert_close(state[:, 1], reverser.encode(*symbols.encode_rows(["no"]))[:, 0])


def test_decoding_step_by_step_is_decoding_in_a_batch(reverser):
    steps = inference.reverse_word(reverser, "pierre")
    ids = inference.decode_greedily(reverser, *symbols.encode_rows(["pierre"]), len(steps))
    assert symbols.encode_rows([inference.word_of(steps) or "a"])[0].tolist()[0] == [
        i for i in ids[0].tolist() if i
    ]
    assert len(steps) <= 12
    assert all(sum(step.probabilities) == pytest.approx(1, abs=1e-5) for step in steps)


def test_words_are_drawn_alike_one_by_one_and_many_at_once():
    model = drawn(NameGenerator(NameGeneratorConfig(hidden_size=12)))
    vector = inference.name_vector(1.0, 6)
    one = inference.sample_word(model, vector, temperature=0.8, rng=generator(3))
    many = inference.sample_words(model, vector, 1, temperature=0.8, rng=generator(3))
    assert many == (inference.word_of(one),)
    assert inference.sample_word(model, vector, temperature=0.8, rng=generator(3)) == one
    assert all(sum(step.probabilities) == pytest.approx(1, abs=1e-5) for step in one)


def test_the_vector_is_read_at_every_step():
    model = drawn(NameGenerator(NameGeneratorConfig(hidden_size=12)))
    letters = torch.tensor([[symbols.END, 5, 6]])
    name, state = model(inference.name_vector(1.0, 6)[None], letters)
    word, _ = model(inference.name_vector(0.0, 6)[None], letters)
    assert (name - word).abs().amax(-1).min() > 1e-4
    later, _ = model(inference.name_vector(0.0, 6)[None], letters[:, :1], state)
    again, _ = model(inference.name_vector(1.0, 6)[None], letters[:, :1], state)
    assert not torch.allclose(later, again)


def test_the_share_of_a_length():
    assert inference.share_of_length(("ab", "abc", "b", "xy"), 2) == 0.5


@pytest.mark.parametrize(
    ("nameness", "letters", "message"),
    [(1.5, 6, r"nameness must lie in \[0, 1\]"), (0.5, 13, r"letters must lie in 3\.\.12, got 13")],
)
def test_a_vector_out_of_range_is_refused(nameness, letters, message):
    with pytest.raises(SettingError, match=message):
        inference.name_vector(nameness, letters)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (lambda: NameGeneratorConfig(hidden_size=0), "hidden_size must be at least 1, got 0"),
        (lambda: WordReverserConfig(embedding_size=0), "embedding_size must be at least 1, got 0"),
        (lambda: SentenceClassifierConfig("first"), "pooling must be one of .* got 'first'"),
    ],
)
def test_impossible_sizes_are_refused(config, message):
    with pytest.raises(SettingError, match=message):
        config()


# The tasks ------------------------------------------------------------------------------------


def test_names_and_words_come_equally_often_with_their_vectors():
    task = tasks.NameTask(NameGeneratorConfig(hidden_size=8), BookWords(WORDS, WORDS))
    vectors, inputs, targets = task.batch(40, generator(0))
    assert vectors[:, 0].sum() == 20
    lengths = (targets > 0).sum(1)
    assert task.characters((vectors, inputs, targets)) == lengths.sum() + 40
    torch.testing.assert_close(vectors[:, 1], lengths / 12)
    assert (inputs[:, 0] == symbols.END).all()
    for row, aim in zip(inputs.tolist(), targets.tolist(), strict=True):
        n = sum(i > 0 for i in aim)
        assert row[1 : n + 1] == aim[:n]
        assert aim[n] == symbols.END
        assert set(aim[n + 1 :]) <= {-100}


def test_names_and_other_words_are_scored_apart(monkeypatch):
    task = tasks.NameTask(NameGeneratorConfig(hidden_size=8), BookWords(WORDS, WORDS[:3]))
    held_out = lambda model, batch: batch[0][:, 0].mean() + 10 * len(batch[0])  # noqa: E731
    monkeypatch.setattr(task, "loss", held_out)
    others = task.scores(drawn(task.build())).others
    assert others["nats per letter, names"] == 1 + 10 * 2
    assert others["nats per letter, other words"] == 10 * 1


def test_a_reversal_is_scored_by_whole_words(monkeypatch):
    task = tasks.ReversalTask(WordReverserConfig(hidden_size=8))
    letters, lengths = task.batch(64, generator(0))
    assert lengths.min() >= 1
    assert lengths.max() == tasks.TRAINED_LETTERS
    assert (letters > 0).sum(1).equal(lengths)
    perfect = lambda model, letters, lengths, steps: functional.pad(  # noqa: E731
        symbols.reversed_rows(letters, lengths), (0, steps - letters.shape[1]), value=symbols.END
    )
    monkeypatch.setattr("lm_core.experiments.sequence_models.tasks.decode_greedily", perfect)
    assert set(task.scores(drawn(task.build())).others.values()) == {1.0}


@pytest.mark.parametrize(
    "task",
    [
        tasks.NameTask(NameGeneratorConfig(hidden_size=24), BookWords(WORDS, WORDS)),
        tasks.SpeechTask(CLASSIFIERS["both mean"], BookSentences(SENTENCES, SENTENCES)),
    ],
    ids=["names", "speech"],
)
def test_each_task_is_learned_where_it_is_tiny(task):
    rng = generator(0)
    model = task.build()
    model.initialise(rng)
    with torch.no_grad():
        before = task.scores(model).loss
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(60):
        optimizer.zero_grad()
        task.loss(model, task.batch(8, rng)).backward()
        optimizer.step()
    with torch.no_grad():
        after = task.scores(model)
    assert after.loss < before / 3
    assert after.others.get("accuracy", 1.0) == 1.0


# Training and shipping ------------------------------------------------------------------------


def test_a_training_repeats_itself_and_its_checkpoint_is_the_model(tmp_path):
    recipe = shortened(RECIPES["word-reverser"], steps=3)
    first, again = SequenceTraining(recipe), SequenceTraining(recipe)
    losses = [step.loss for step in first]
    assert losses == [step.loss for step in again]
    assert losses == pytest.approx([3.30245, 3.29722, 3.28803], abs=1e-4)  # as ever
    folder = first.save(tmp_path)
    loaded = checkpoints.load_checkpoint(folder)
    assert (loaded.meta.steps, loaded.meta.vocabulary) == (3, "letters")
    assert 3 * 64 * 2 <= loaded.meta.characters_seen <= 3 * 64 * 9
    assert loaded.meta.scores["whole words, 16 letters"] == 0.0
    for name, weight in first.model.state_dict().items():
        torch.testing.assert_close(loaded.model.state_dict()[name], weight, atol=2e-3, rtol=1e-3)
    assert checkpoints.list_language_models(tmp_path) == []


def test_an_untrained_model_is_not_saved(tmp_path):
    with pytest.raises(SettingError, match="nothing was trained yet"):
        SequenceTraining(RECIPES["word-reverser"]).save(tmp_path)


def test_every_recipe_is_shipped_and_small():
    shipped = {meta.name: meta for meta in checkpoints.list_checkpoints()}
    for name, recipe in RECIPES.items():
        assert shipped[name].steps == recipe.training.steps
        assert (SHIPPED / name / "model.safetensors").stat().st_size < 300_000
    assert not set(RECIPES) & {meta.name for meta in checkpoints.list_language_models()}


def test_the_shipped_reverser_is_good_as_far_as_it_was_trained_and_not_beyond():
    model, meta = checkpoints.load_checkpoint(SHIPPED / "word-reverser")
    whole = [meta.scores[f"whole words, {n} letters"] for n in range(1, 17)]
    assert min(whole[: tasks.TRAINED_LETTERS]) > 0.9
    assert max(whole[tasks.TRAINED_LETTERS + 3 :]) < 0.2
    assert inference.word_of(inference.reverse_word(model, "tsar")) == "rast"


def test_the_shipped_classifiers_beat_a_blind_guess_and_know_an_i():
    for name in ("speech-last", "speech-mean", "speech-both"):
        model, meta = checkpoints.load_checkpoint(SHIPPED / name)
        assert meta.scores["accuracy"] > 0.7
        speech, narration = (
            inference.speech_probabilities(model, sentence)[-1]
            for sentence in (
                "i love you and i want you to know it",
                "he went out and closed the door",
            )
        )
        assert speech > 0.5 > narration


def test_the_shipped_generator_meets_the_length_it_is_given():
    model, _ = checkpoints.load_checkpoint(SHIPPED / "name-generator")
    for letters in (4, 8):
        words = inference.sample_words(
            model, inference.name_vector(0.0, letters), 100, temperature=0.7, rng=generator(0)
        )
        assert inference.share_of_length(words, letters) > 0.4
