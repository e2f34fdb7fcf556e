"""Instructions: right answers by hand, what is held out of the training, and what the shipped model answers."""

import pytest

from lm_core.experiments.instructions import study, tasks
from lm_core.experiments.instructions.results import InstructionResults
from lm_core.experiments.instructions.tasks import (
    LAST_FRENCH,
    NONE,
    REGROUPED,
    TASKS,
    TRAINED,
    UNKNOWN,
    instructed,
)
from lm_core.experiments.instructions.tuning import LEARNED, START, TUNED, draw_batch, tune
from lm_core.generation.translation import translate
from lm_core.models.encoder_decoder_transformer import (
    EncoderDecoderTransformer,
    EncoderDecoderTransformerConfig,
)
from lm_core.rng import generator
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import SIZE, shipped_vocabulary
from lm_core.training.checkpoints import load_shipped

CAPTION = SentencePair("A man in a Red car, waving.", "Un homme dans une voiture rouge.")
OTHER = SentencePair("Two dogs run.", "Deux chiens courent.")


@pytest.fixture(scope="module")
def vocabulary():
    return shipped_vocabulary()


@pytest.fixture(scope="module")
def shipped():
    return InstructionResults.load()


@pytest.mark.parametrize(
    ("task", "wanted"),
    [
        ("french", "Un homme dans une voiture rouge."),
        ("reverse", "waving car Red a in man A"),
        ("first", "A"),
        ("last", "waving"),
        ("count", "7"),
        ("colour", "red"),
        ("first-french", "Un"),
        ("reverse-french", "rouge voiture une dans homme Un"),
        (LAST_FRENCH, "rouge"),
    ],
)
def test_right_answers(task, wanted):
    assert TASKS[task].answer(CAPTION) == wanted


def test_without_a_colour_none_is_said():
    assert TASKS["colour"].answer(OTHER) == tasks.NO_COLOUR


def words(instruction):
    return set(instruction.replace(",", "").split())


def test_a_regrouped_instruction_is_new_and_has_known_words_alone():
    trained = {phrasing for task in LEARNED for phrasing in task.trained}
    known = set().union(*map(words, trained))
    for task in TASKS.values():
        assert task.regrouped not in trained
        assert words(task.regrouped) <= known


def test_an_unknown_instruction_has_none_of_the_words_that_name_its_task():
    small = {"the", "in", "of", "it", "to"}
    known = set().union(*(words(phrasing) for task in LEARNED for phrasing in task.trained)) - small
    for task in TASKS.values():
        assert not words(task.unknown) & known


def test_the_held_out_combination_is_never_trained():
    assert TASKS[LAST_FRENCH] not in LEARNED
    assert study.conditions_of(LAST_FRENCH) == (REGROUPED, UNKNOWN, NONE)
    assert not any({"last", "French"} <= words(p) for task in LEARNED for p in task.trained)


def test_a_batch_asks_for_drawn_tasks_in_trained_words(vocabulary):
    batch = draw_batch([OTHER, CAPTION], LEARNED, vocabulary, 200, generator(1))
    pairs = {
        (vocabulary.decode(source[:n].tolist()), vocabulary.decode(target.tolist()))
        for source, n, target in zip(*batch.source, batch.targets.ids, strict=True)
    }
    possible = {
        (
            vocabulary.decode(vocabulary.encode(instructed(p, caption.source))),
            vocabulary.decode(vocabulary.encode(task.answer(caption))),
        )
        for task in LEARNED
        for p in task.trained
        for caption in (CAPTION, OTHER)
    }
    assert pairs <= possible
    assert len(pairs) > 50


def test_tuning_lowers_the_loss_of_answers(vocabulary):
    model = EncoderDecoderTransformer(
        EncoderDecoderTransformerConfig(SIZE, width=16, heads=2, layers=1)
    )
    model.initialise(generator(1))
    steps = list(
        tune(model, [OTHER, CAPTION], vocabulary, generator(1), tasks=LEARNED[2:3], steps=90)
    )
    assert steps[-1].loss < steps[0].loss - 1


@pytest.mark.parametrize(
    ("answer", "wanted", "right"),
    [("un homme", "Un homme.", True), ("Un", "Un homme.", False), ("", "Un", False)],
)
def test_what_counts_as_right(answer, wanted, right):
    assert study.is_right(answer, wanted) is right


def test_what_is_answered_instead_is_told_apart(monkeypatch):
    said = {LAST_FRENCH: ["waving", "courent"], tasks.FRENCH: ["Un homme en rouge.", "Deux."]}
    monkeypatch.setattr(study, "ask_all", lambda model, task, condition, captions: said[task])
    found = study.held_out_answers(None, [CAPTION, OTHER])
    assert found == study.HeldOutAnswers(0.5, 0.5, 0.5, 0.0, 0.0, 2)


def test_without_reading_the_commonest_answer_is_right_so_often():
    assert study.share_of_commonest("count", [CAPTION, OTHER, OTHER]) == pytest.approx(2 / 3)


def test_captions_ask_in_the_trained_phrasings_in_turn(monkeypatch):
    asked = []
    monkeypatch.setattr(study, "translate_all", lambda model, known, texts: asked.extend(texts))
    study.ask_all(None, "first", TRAINED, [OTHER] * 5)
    assert [text.partition(":")[0] for text in asked] == [
        *TASKS["first"].trained,
        TASKS["first"].trained[0],
    ]


def test_the_shipped_model_does_as_it_is_told(vocabulary, shipped):
    model = load_shipped(TUNED).model
    asked = "A man in a red car is looking at a white house."
    for instruction, wanted in (
        ("first word", "A"),
        ("last word", "house"),
        ("which colour", "red"),
    ):
        assert translate(model, vocabulary, instructed(instruction, asked)).text == wanted
    assert (
        shipped.of(START, "first", TRAINED).right < 0.05 < shipped.of(TUNED, "first", TRAINED).right
    )


def test_the_shipped_results_are_of_the_shipped_model(shipped):
    assert shipped.provenance["model_sha256"] == load_shipped(TUNED).meta.weights_sha256
    assert shipped.held_out.right == shipped.of(TUNED, LAST_FRENCH, REGROUPED).right
