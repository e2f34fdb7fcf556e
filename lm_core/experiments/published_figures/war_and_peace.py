"""What is reported of the network that reads War and Peace, and of the transformer that reads Wikipedia."""

from lm_core.experiments.published import SOURCE_CHARACTERS, SOURCE_LSTM, SOURCE_TRAINING_LOSS
from lm_core.experiments.published_figures.record import Ours, reads
from lm_core.experiments.published_figures.sources import SOURCE_LSTM as OUR_LSTM
from lm_core.experiments.published_figures.sources import Sources
from lm_core.experiments.wikipedia.results import PUBLISHED


@reads("validation_of_source")
def _validation_of_source(sources: Sources) -> Ours:
    windows, error = sources.book_score(OUR_LSTM, "A")
    memory, _ = sources.book_score(OUR_LSTM, "B")
    return Ours(
        SOURCE_LSTM.cold,
        f"Ours is of their published weights, scored again: {SOURCE_LSTM.cold:.4f}. The same network"
        f" trained here, on what a larger model expects, has {windows:.4f} ± {error:.3f} in such windows,"
        f" and {memory:.4f} with running memory, where theirs has {SOURCE_LSTM.carried:.4f}.",
    )


@reads("training_loss_of_source")
def _training_loss_of_source(sources: Sources) -> Ours:
    assert SOURCE_LSTM.cold is not None  # it was scored that way
    return Ours(
        SOURCE_TRAINING_LOSS,
        f"Their weights on their training text have {SOURCE_TRAINING_LOSS:.4f} once dropout is off. So"
        f" the gap to validation is {SOURCE_LSTM.cold - SOURCE_TRAINING_LOSS:.3f} nats, not 0.07.",
    )


@reads("parameters_of_source")
def _parameters_of_source(sources: Sources) -> Ours:
    meta = sources.source_lstm
    return Ours(meta.parameter_count, f"{meta.title} here has {meta.parameter_count:,} parameters.")


@reads("symbols_of_source")
def _symbols_of_source(sources: Sources) -> Ours:
    n = int(sources.source_lstm.config["vocabulary_size"])
    return Ours(n, f"{n - 1} characters and one symbol for all others, as there.")


@reads("characters_of_book")
def _characters_of_book(sources: Sources) -> Ours:
    n = sources.characters_of_training
    return Ours(
        n,
        f"Our copy of the file leaves {n:,} characters to train on, {SOURCE_CHARACTERS[0] - n} fewer.",
    )


@reads("characters_of_file")
def _characters_of_file(sources: Sources) -> Ours:
    n = sources.characters_of_training
    return Ours(
        n / 0.9 / 1e6,
        f"Nine tenths of our text are {n:,} characters, so all of it has {n / 0.9 / 1e6:.2f} million:"
        " after quotes, apostrophes and repeated line breaks were deleted. Theirs is before.",
    )


@reads("minutes_to_train")
def _minutes_to_train(sources: Sources) -> Ours:
    meta = sources.source_lstm
    return Ours(
        meta.seconds / 60,
        f"Ours took {meta.seconds / 60:.0f} minutes on one shared processor core for"
        f" {meta.characters_seen / 1e6:.0f} million characters; theirs is of a graphics card, for 1,278"
        " million.",
    )


@reads("steps_to_train")
def _steps_to_train(sources: Sources) -> Ours:
    meta = sources.source_lstm
    return Ours(
        meta.steps,
        f"Ours are {meta.steps:,} steps of {meta.recipe['batch']} windows of"
        f" {meta.recipe['window']} characters, with memory from one to the next: smaller, and more.",
    )


_THE_REST = (
    " What is published needs the training part of WikiText-2, which this lab does not have, and a graphics"
    " card."
)


@reads("loss_on_wikipedia")
def _loss_on_wikipedia(sources: Sources) -> Ours:
    found = sources.wikipedia
    end = found.points[-1]
    return Ours(
        end.held_out,
        f"Ours learned {found.learned.words:,} words in {end.passes:.0f} passes, theirs {PUBLISHED.words:,} in"
        f" {PUBLISHED.passes}, and the subwords and the unseen articles are others. A word is the same unit in any"
        f" subwords: ours has {found.per_word(end.held_out):.2f} nats a word, theirs"
        f" {PUBLISHED.per_word(PUBLISHED.loss):.2f}.{_THE_REST}",
    )


@reads("subwords_of_wikipedia")
def _subwords_of_wikipedia(sources: Sources) -> Ours:
    found = sources.wikipedia
    return Ours(
        found.learned.subwords,
        f"Ours are of {found.learned.articles} articles of the two smaller parts, and {found.held_out.subwords:,} of the"
        f" {found.held_out.articles} that are held out, likewise after 6,000 merges.{_THE_REST}",
    )


@reads("seconds_on_wikipedia")
def _seconds_on_wikipedia(sources: Sources) -> Ours:
    found = sources.wikipedia
    return Ours(
        found.seconds,
        f"Ours are of {found.points[-1].step:,} steps of 32 windows on one processor core beside other work,"
        f" theirs of 13,827 steps of 512.{_THE_REST}",
    )
