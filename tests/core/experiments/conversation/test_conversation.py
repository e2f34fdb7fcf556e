"""Dialogues of books, what a model reads of them, what is measured, and the shipped chatbot."""

from copy import deepcopy

import numpy as np
import pytest

from lm_core.experiments.assistant.tuning import answer_loss
from lm_core.experiments.conversation import replying, study
from lm_core.experiments.conversation.dialogues import (
    MOST_CHARACTERS,
    dialogues_of,
    read_before,
    reply_row,
    turn_ids,
)
from lm_core.experiments.conversation.results import ConversationResults
from lm_core.experiments.conversation.study import WRITER
from lm_core.experiments.conversation.tuning import ReplyTuning, TuningSettings, draw_row
from lm_core.generation.sampling import SamplingSettings
from lm_core.models.low_rank import thin_matrices, tuned_copy
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of

DIALOGUES = [("Tea?", "No."), ("Who is it?", "It is I.", "Come in."), ("Well!", "Well?")]


@pytest.fixture(scope="module")
def plain():
    return load_shipped(WRITER)


@pytest.fixture(scope="module")
def vocabulary(plain):
    return vocabulary_of(plain.meta)


@pytest.fixture
def small(vocabulary):
    config = TransformerLanguageModelConfig(
        len(vocabulary), width=16, heads=2, layers=1, context=96
    )
    model = TransformerLanguageModel(config)
    model.initialise(generator(1))
    return model.eval()


def dialogues(text):
    return list(dialogues_of(text))


def test_the_narrators_words_are_left_out():
    assert dialogues('"Tea," said he, "at last!"\n"No," she said.\n') == [("Tea, at last!", "No,")]


def test_a_paragraph_of_narration_ends_a_dialogue():
    assert dialogues('"A."\n"B."\nIt rained.\n"C."\n"D."') == [("A.", "B."), ("C.", "D.")]


def test_who_speaks_alone_has_no_dialogue():
    assert dialogues('"A."\nHe left.\n"B."\n') == []


def test_a_speech_that_is_not_closed_goes_on_in_the_next_paragraph():
    assert dialogues('"A."\n"B, and\n"then C."\n"D."\n') == [("A.", "B, and then C.", "D.")]


def test_a_tale_ends_a_dialogue():
    tale = "a" * (MOST_CHARACTERS + 1)
    assert dialogues(f'"A."\n"B."\n"{tale}"\n"C."\n') == [("A.", "B.")]


def test_only_replies_are_answers_and_their_first_quote_is_given(vocabulary):
    row = reply_row(vocabulary, ["Tea?"], ["No."])
    n = len(turn_ids(vocabulary, "No."))
    assert row.is_answer.sum() == n - 1
    assert row.is_answer[-(n - 1) :].all()
    assert vocabulary.decode(row.ids) == '\n"Tea?"\n"No."\n'


def test_what_is_read_before_a_reply_is_the_last_whole_turns(vocabulary):
    read = read_before(vocabulary, ["Tea?", "No."], 100)
    assert vocabulary.decode(read) == '\n"Tea?"\n"No."\n"'
    row = reply_row(vocabulary, ["Tea?", "No."], ["Why?"])
    assert np.array_equal(row.ids[: len(read)], read)
    most = len(turn_ids(vocabulary, "No.")) + 2
    assert vocabulary.decode(read_before(vocabulary, ["Tea?", "No."], most)) == '\n"No."\n"'


def test_a_drawn_row_is_a_stretch_of_one_dialogue(vocabulary):
    rng = generator(1)
    texts = {vocabulary.decode(draw_row(DIALOGUES, vocabulary, rng).ids) for _ in range(40)}
    assert texts == {
        '\n"Tea?"\n"No."\n',
        '\n"Who is it?"\n"It is I."\n"Come in."\n',
        '\n"It is I."\n"Come in."\n',
        '\n"Well!"\n"Well?"\n',
    }


def tuning_of(model, vocabulary):
    settings = TuningSettings(steps=60, batch=4, peak=2e-2, dtype="float32")
    return ReplyTuning(deepcopy(model), DIALOGUES, vocabulary, settings)


def test_tuning_lowers_the_loss_of_replies_by_the_updates_alone(small, vocabulary):
    tuning = tuning_of(small, vocabulary)
    losses = [step.loss for step in tuning]
    assert losses[-1] < losses[0] - 0.1
    row = reply_row(vocabulary, ["Tea?"], ["No."])
    tuned = tuned_copy(small, thin_matrices(tuning.updates))
    assert answer_loss(tuned, [row]) < answer_loss(small, [row]) - 0.1


def test_a_stopped_tuning_goes_on_where_it_was(small, vocabulary):
    whole, begun, later = (tuning_of(small, vocabulary) for _ in range(3))
    losses = [step.loss for step in whole]
    for _ in zip(range(20), begun, strict=False):
        pass
    later.load_state_dict(begun.state_dict())
    assert [step.loss for step in later] == losses[20:]


def test_each_replys_loss_is_that_of_its_row_alone(small, vocabulary):
    befores = [["Tea?"], [], ["Who is it?", "It is I."]]
    found = study.reply_losses(small, vocabulary, befores, "Come in.")
    alone = [
        answer_loss(small, [reply_row(vocabulary, before, ["Come in."])]).item()
        for before in befores
    ]
    assert found == pytest.approx(alone, rel=1e-5)


def test_other_turns_are_of_other_dialogues():
    exchanges = study.exchanges_of(DIALOGUES, 1)
    assert [(e.turn, e.reply) for e in exchanges] == [
        ("Tea?", "No."),
        ("Who is it?", "It is I."),
        ("It is I.", "Come in."),
        ("Well!", "Well?"),
    ]
    for exchange in exchanges:
        own = next(d for d in DIALOGUES if exchange.reply in d)
        assert not {*exchange.others} & {*own}


def test_scores_are_means_per_token(monkeypatch, vocabulary):
    losses = {
        "No.": [1.0, 2.0, 3.0, 4.0],
        "Why not?": [3.0, 2.0, 5.0, 6.0],
        "Oh!": [1.0, 2.0, 2.0, 4.0],
    }
    monkeypatch.setattr(study, "reply_losses", lambda model, known, befores, reply: losses[reply])
    exchanges = [study.Exchange("Tea?", said, ("a", "b")) for said in losses]
    found = study.score_replies(None, vocabulary, exchanges)
    one, two, three = (int(reply_row(vocabulary, [], [said]).is_answer.sum()) for said in losses)
    tokens = one + two + three
    assert found.answered == pytest.approx((one + 3 * two + three) / tokens)
    assert found.other == pytest.approx(2)
    assert found.nothing == pytest.approx((4 * one + 6 * two + 4 * three) / tokens)
    assert (found.found, found.replies) == (pytest.approx(2 / 3), 3)


def test_a_reply_ends_with_its_quote_and_is_the_same_for_a_seed(plain, vocabulary):
    settings = SamplingSettings(temperature=0.8)
    said = [
        replying.reply(plain.model, vocabulary, ["Where have you been?"], settings, seed)
        for seed in (1, 1, 2)
    ]
    assert said[0] == said[1] != said[2]
    assert all(said)
    assert not any(end in text for text in said for end in '"\n')


def test_a_reply_that_depends_on_nothing_is_as_probable_after_any_turn(monkeypatch):
    monkeypatch.setattr(replying, "reply_losses", lambda *_: [2.0, 2.0, 2.0, 2.0])
    assert replying.times_as_probable(None, None, ["Tea?"], "No.") == 1
    monkeypatch.setattr(replying, "reply_losses", lambda *_: [1.0, 1.5, 2.0, 2.5])
    assert replying.times_as_probable(None, None, ["Tea?"], "No.") == pytest.approx(np.e)


def test_the_shipped_updates_make_replies_more_probable(plain, vocabulary):
    shipped = ConversationResults.load()
    assert shipped.provenance["model_sha256"] == plain.meta.weights_sha256
    exchanges = study.exchanges_of(DIALOGUES, 1)
    untuned, tuned = (
        study.score_replies(model, vocabulary, exchanges)
        for model in (plain.model, tuned_copy(plain.model, shipped.updates))
    )
    assert tuned.answered < untuned.answered < untuned.other
    assert shipped.tuned.answered < shipped.untuned.answered
    assert shipped.tuned.other > shipped.tuned.answered


def test_the_standard_error_is_that_of_a_share():
    assert study.ReplyScores(1.0, 1.0, 1.0, 0.2, 100).standard_error == pytest.approx(0.04)
