"""What the answers for teachers say of the ladder, held to its results and to the shipped models."""

import math
from functools import cache

from lm_core.analysis.surprisal import readable_text, score_text
from lm_core.experiments.model_ladder.families import MIXTURE, NGRAM
from lm_core.experiments.model_ladder.results import CONTEXTS
from lm_core.experiments.model_ladder.scoring import WEIGHT
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.model_vocabulary import vocabulary_of
from pages.model_ladder.differences import EXAMPLE
from pages.model_ladder.ladder_models import results, trained_models
from pages.model_ladder.same_prompt import PROMPT
from pages.model_ladder.written_texts import _length
from pages.shared.models.language_models import model_named
from pages.shared.numbers import NARROW_SPACE, percent
from pages.shared.ui.times import duration
from tests.pages.answering import assert_says
from tests.pages.surprisal.test_answers import NEWS

PAGE = "model-ladder"
SUBWORDS, LSTM, MIXED = "subword-transformer", "book-lstm", "book-lstm+ngram-9"
_UNSEEN = (
    "of characters 60,000 to 100,000 of the book's last tenth, and the book is not shipped; computed once by"
    " hand"
)
NOT_COMPUTED = {
    "Raise it to 1.2": "which words are the book's, which is not shipped; computed once by hand",
    "Look for names": "of the whole last tenth; names inside a sentence, of main persons: 200 times or more in"
    " the rest of the book",
    "Compare the two LSTMs": f"{_UNSEEN}, by place in the word as the page does",
    "Why is a mixture better": f"the share is {_UNSEEN}",
}


def says(beginning, *said):
    assert_says(PAGE, beginning, *(text.replace(NARROW_SPACE, " ") for text in said))


# Ladder ---------------------------------------------------------------------------------------


def test_small_differences_are_larger_than_their_error():
    rnn, gru, fourth, fifth = map(results().named, ("book-rnn", "book-gru", "ngram-4", "ngram-5"))
    told, alike = rnn.minus(fourth), gru.minus(fifth)
    assert told.nats > 2 * told.standard_error
    assert alike.nats < 2 * alike.standard_error
    for apart in (told, alike):
        said = f"by {apart.nats:.3f} ± {apart.standard_error:.3f}"
        says("Compare two models", said)


def test_the_smallest_model_that_beats_the_ngram_has_read_the_book_often():
    counted = results().named("ngram-9")
    better = [rung for rung in results().rungs if rung.loss < counted.loss]
    small = min(better, key=lambda rung: rung.parameters)
    beginning = "Find the smallest"
    says(beginning, f"The {small.title}", f"about {round(small.parameters, -4):,} parameters")
    said = f"{small.loss:.3f} nats", f"{counted.loss:.3f}", duration(small.seconds)
    says(beginning, *said, f"{small.characters_seen / 1e6:.0f} million")
    says(beginning, f"{small.characters_seen / counted.characters_seen:.0f} times")
    assert round(counted.parameters / small.parameters) == 10


def test_a_mixture_is_never_much_worse_than_its_network():
    beginning = "Why is a mixture better"
    says(beginning, percent(WEIGHT), percent(1 - WEIGHT), f"{-math.log(WEIGHT):.2f} nats")
    losses = (results().named(name).loss for name in (LSTM, MIXED))
    says(beginning, " to ".join(f"{loss:.3f}" for loss in losses))


# Same prompt ----------------------------------------------------------------------------------


@cache
def written(name, prompt, n=None):
    """Return what a model writes after a prompt at temperature 0."""
    meta = trained_models()[name]
    vocabulary = vocabulary_of(meta)
    ids = tuple(vocabulary.encode(prompt).tolist())
    model = model_named(name, meta.weights_sha256).model
    text = TextGeneration.begin(model, ids, SamplingSettings(0.0), 1)
    text.write(n or _length(meta))
    return "".join(vocabulary.spell(text.ids)[len(text.ids) - len(text.written) :])


def loop_of(text):
    """Return where a text begins to repeat itself to its end and after how many characters, or None."""
    for start in range(len(text) // 2):
        rest = text[start:]
        for period in range(2, len(rest) // 2 + 1):
            if rest[period:] == rest[:-period]:
                return start, period
    return None


def writers():
    """Return the models that write, by falling loss."""
    scored = {rung.name: rung.loss for rung in results().rungs}
    return sorted(scored.keys() & trained_models().keys(), key=scored.__getitem__, reverse=True)


def test_the_models_of_the_highest_losses_run_in_circles():
    loops = [loop_of(written(name, PROMPT)) for name in writers()]
    assert loops[4:] == [None] * 4
    beginning = "Set the temperature to 0"
    starts, periods = zip(*loops[:4], strict=True)
    says(beginning, f"{max(starts) + 1}th", f"{min(periods)} to {max(periods)} characters")
    assert written(LSTM, "It was").count("more and more") > 3


def test_only_the_model_of_subwords_does_not_know_a_name_that_is_cut():
    for prompt, rest in (("He saw Napol", "eon"), ("At that moment Prince And", "rew")):
        *of_characters, best = writers()
        assert {written(name, prompt, len(rest)) for name in of_characters} == {rest}
        own = written(best, prompt, 6).split()[0]
        says("At temperature 0, begin", f"*{prompt.split()[-1]}{own}*")


# Where they differ ----------------------------------------------------------------------------


def losses_on(text):
    found = {}
    for name, meta in trained_models().items():
        model = model_named(name, meta.weights_sha256).model
        scores = score_text(model, readable_text(text, SOURCE).strip(), vocabulary_of(meta))
        found[name] = float(scores.by_character.mean()) * math.log(2)
    return dict(sorted(found.items(), key=lambda item: item[1]))


def test_a_text_of_today_changes_the_order():
    for text in (NEWS, EXAMPLE):
        losses = [*losses_on(text).values()]
        says("Type a text of today", f"{losses[0]:.2f} to {losses[-1]:.2f}")
    order = [*losses_on(NEWS)]
    assert next(iter(losses_on(EXAMPLE))) == writers()[-1] == SUBWORDS == order[-2]
    assert order[2] == "book-ngram"


# Context --------------------------------------------------------------------------------------


def test_a_word_is_what_helps_most():
    losses = results().named(LSTM).of_contexts
    falls = [losses[n] - losses[2 * n] for n in (4, 8, 16)]
    says("How many characters", *(f"by {fall:.2f}" for fall in falls))


def test_the_order_of_networks_is_early_the_same_but_for_subwords():
    rungs = {rung.name: rung for rung in results().rungs if rung.by_context}
    of_characters = [
        rung
        for rung in rungs.values()
        if rung.family not in (NGRAM, MIXTURE) and rung.name != SUBWORDS
    ]

    def order(context):
        return [r.name for r in sorted(of_characters, key=lambda r: r.of_contexts[context])]

    assert order(16) == order(CONTEXTS[-1]) != order(8)
    counted = results().best_counted()
    for place, context in enumerate((1, 2)):
        assert min(rung.of_contexts[context] for rung in of_characters) > counted[place]

    def before(context):
        own = rungs[SUBWORDS].of_contexts[context]
        return [name for name, rung in rungs.items() if rung.of_contexts[context] < own]

    assert {*before(32)} == {name for name, rung in rungs.items() if rung.family == MIXTURE}
    assert [bool(before(context)) for context in (128, 256)] == [True, False]
    own = rungs[SUBWORDS].of_contexts
    says("Choose another model", f"{own[32]:.3f}", f"{own[256]:.3f}")
    alone = rungs[LSTM].of_contexts[1], counted[0]
    says("Choose another model", *(f"{loss:.2f}" for loss in alone))


def test_a_mixture_of_two_that_are_poor_is_poor():
    beginning = "Choose *LSTM 2 x 512 mixed with the n-gram*"
    assert f"*{results().named(MIXED).title}*" in beginning
    mixed, counted = results().named(MIXED).of_contexts, results().best_counted()
    says(beginning, percent(WEIGHT), percent(1 - WEIGHT))
    says(beginning, f"{mixed[1]:.2f} nats", f"best n-gram {counted[0]:.2f}")
    says(beginning, f"{mixed[256]:.2f} against {counted[-1]:.2f}")
    says(beginning, f"{results().named('ngram-9').of_contexts[1]:.2f} nats")
    parts = [results().named(name).of_contexts for name in (LSTM, "ngram-9")]
    assert all(mixed[256] < part[256] for part in parts)
    assert min(part[1] for part in parts) > counted[0]
