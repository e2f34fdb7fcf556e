"""What is shipped, as the figures read it: each file once, by its experiment's own loader."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from lm_core.analysis.word_space import WordSpace
from lm_core.errors import ResultError
from lm_core.experiments.counting.results import CountingResults
from lm_core.experiments.n_grams.results import NAMES, NGramResults, NGramScore
from lm_core.experiments.neural_language_model.results import NeuralLanguageModelResults
from lm_core.experiments.neural_language_model.study import PUBLISHED, TrainedNetwork
from lm_core.experiments.part_of_speech_tagging.results import TaggingResults
from lm_core.experiments.published_figures.results import Repetitions
from lm_core.experiments.rnn_vs_lstm.results import RecallPoint, RecallResults
from lm_core.experiments.translation.results import ModelScore, TranslationResults
from lm_core.experiments.war_and_peace.results import BookLosses
from lm_core.experiments.wikipedia.results import WikipediaResults
from lm_core.models.embeddings import WordVectors
from lm_core.training.checkpoints import SHIPPED, CheckpointMeta, load_shipped, read_meta

Found = TypeVar("Found")
SOURCE_LSTM, BOOK_VECTORS, LIBRARY_VECTORS = "source-lstm", "book-cbow", "library-skip-gram"


class Sources:
    """Results and checkpoints, each read when a figure first asks for it, and then kept.

    Every property raises `ResultError` or `CheckpointError` if its file is missing or damaged.
    """

    @cached_property
    def repetitions(self) -> Repetitions:
        """The repeated experiments."""
        return Repetitions.load()

    @cached_property
    def counting(self) -> CountingResults:
        """The shipped training that counts."""
        return CountingResults.load()

    @cached_property
    def wikipedia(self) -> WikipediaResults:
        """The transformer on those articles of Wikipedia that are here."""
        return WikipediaResults.load()

    @cached_property
    def _n_grams(self) -> NGramResults:
        return NGramResults.load()

    @property
    def bigrams_of_all_names(self) -> float:
        """Nats per letter of bigrams counted from all names, on all names."""
        return self._n_grams.bigrams_of_all_names

    def n_grams_of_names(self, n: int) -> NGramScore:
        """Return what n-grams of one length know about names."""
        found = [score for score in self._n_grams.of_text(NAMES) if score.n == n]
        return _required(found, f"the {n}-grams of names")[0]

    @cached_property
    def _neural(self) -> NeuralLanguageModelResults:
        return NeuralLanguageModelResults.load()

    def network_on_names(self, context: int) -> TrainedNetwork:
        """Return the network of the published sizes with so many letters of context."""
        wanted = replace(PUBLISHED, context_size=context)
        found = [trained for trained in self._neural.grid if trained.config.network == wanted]
        return _required(found, f"the network with {context} letters of context")[0]

    def start_on_names(self, initialisation: str) -> TrainedNetwork:
        """Return the network of the published sizes and training that started in one way."""
        found = [
            trained
            for trained in self._neural.starts
            if trained.config.network.initialisation == initialisation
        ]
        return _required(found, f"the start {initialisation!r}")[0]

    @cached_property
    def _tagging(self) -> TaggingResults:
        return TaggingResults.load()

    @property
    def tags_by_counting(self) -> float:
        """Share of test words whose tag is the word's most frequent one."""
        return self._tagging.baseline.every

    def right_tags(self, tagger: str) -> list[float]:
        """Return the share of test words with the right tag, one a seed."""
        return [score.test.every for score in self._tagging.scores_of(tagger)]

    @cached_property
    def _translation(self) -> TranslationResults:
        return TranslationResults.load()

    def translators(self, recipe: str) -> Sequence[ModelScore]:
        """Return the translators of a training, one a seed."""
        return _required(self._translation.seeds_of(recipe), f"the translator {recipe!r}")

    @cached_property
    def _recall(self) -> list[RecallPoint]:
        return RecallResults.load().points("original")

    def recall(self, backbone: str, length: int) -> RecallPoint:
        """Return all seeds of a backbone at one length, with the original settings."""
        what = f"{backbone} at length {length}, with the original settings"
        return _required(
            [p for p in self._recall if (p.backbone, p.length) == (backbone, length)], what
        )[0]

    @cached_property
    def _book_models(self) -> BookLosses:
        return BookLosses.load()

    def book_score(self, name: str, protocol: str) -> tuple[float, float]:
        """Return a model's loss on the held-out tenth in nats a character, and its block error.

        `protocol`: str, ``A``, ``B`` or ``B'`` of `lm_core.training.evaluation`.
        """
        losses = self._book_models.of(name).losses
        return _required([losses[protocol]] if protocol in losses else [], f"{protocol} of {name}")[
            0
        ]

    @property
    def characters_of_training(self) -> int:
        """Characters of the book from which the n-gram is counted: its first nine tenths."""
        seen = self._book_models.of("ngram-9").characters_seen
        return _required([seen] if seen else [], "the characters that the n-gram has seen")[0]

    @cached_property
    def source_lstm(self) -> CheckpointMeta:
        """Provenance of our training of the published network."""
        return read_meta(SHIPPED / SOURCE_LSTM)

    @cached_property
    def book_vectors(self) -> CheckpointMeta:
        """Provenance of CBOW with the full softmax."""
        return read_meta(SHIPPED / BOOK_VECTORS)

    @cached_property
    def _vectors(self) -> WordVectors:
        model = load_shipped(LIBRARY_VECTORS).model
        assert isinstance(model, WordVectors)
        return model

    @cached_property
    def _spaces(self) -> dict[str, WordSpace]:
        vectors = self._vectors
        tables = {"input": vectors.input, "output": vectors.output}
        return {
            name: WordSpace.of(vectors.vocabulary, table.detach()) for name, table in tables.items()
        }

    def nearest(self, word: str, embedding: str, n: int) -> Sequence[tuple[str, float]]:
        """Return the words nearest to one, with their cosines, the nearest first.

        Parameters
        ----------
        word : str, of the vocabulary
        embedding : str, ``input`` or ``output``
        """
        space, words = self._spaces[embedding], self._vectors.vocabulary
        at = words.ids[word]
        found = space.nearest(space.unit([at])[0], n, exclude=[at], among=MOST_FREQUENT)
        return [(words.words[each.id], each.cosine) for each in found]


MOST_FREQUENT = 10_000
"""Words among which neighbours are looked for, as on the page."""


def _required(found: Sequence[Found], what: str) -> Sequence[Found]:
    """Return what was found in a file of results; ResultError if it is nothing."""
    if not found:
        raise ResultError(f"the results must have {what}, they do not: make them again")
    return found
