"""Which words of a translation another model supports, and a sentence that grows piece by piece.

A translation is read by a second model, which knows the input sentence too: what it finds next to
impossible after the words before has no support there. A reader that sees every word of the input
is a fair judge of one that had to keep it all in one vector; it is no person, and may be wrong: a word
that the sentence has in the same letters is supported, whatever it says.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.generation.translated_words import words_of
from lm_core.generation.translation import Translation
from lm_core.generation.translation_search import log_probabilities_of
from lm_core.models.encoder_decoder import RecurrentEncoderDecoder
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.text.translation_vocabulary import END, START, TranslationVocabulary, padded

LEAST_SUPPORT = 0.01
"""A word to which the judge gives less is called invented."""

FUNCTION_WORDS = {
    *("a", "an", "the", "this", "that", "these", "those", "his", "her", "its", "their", "some"),
    *("and", "or", "but", "while", "as", "because", "who", "which", "two", "three", "several"),
    *("of", "in", "on", "at", "to", "with", "by", "for", "from", "into", "onto", "over", "under"),
    *("near", "behind", "beside", "between", "through", "along", "across", "around", "past", "off"),
    *("up", "down", "out", "is", "are", "was", "were", "be", "being", "been", "has", "have", "had"),
}
"""English words after which no piece of a sentence ends."""

_SIGNS = ".,;:!?\"'()"


class JudgedWord(NamedTuple):
    """A word of a translation."""

    text: str
    """Empty for the end."""
    probability: float
    """The judge's, given the input sentence and the words before: the least of its subwords'."""
    is_in_source: bool = False
    """Whether the input sentence has it as well, letter by letter: *café*, a name, a number."""

    @property
    def is_invented(self) -> bool:
        """Whether the judge finds it next to impossible, and it does not come from the sentence."""
        return self.probability < LEAST_SUPPORT and not self.is_in_source


def judged_words(
    judge: EncoderDecoder,
    vocabulary: TranslationVocabulary,
    sources: Sequence[str],
    translations: Sequence[str],
) -> list[tuple[JudgedWord, ...]]:
    """Return the words of translations with what a judge makes of them, all in one call of the model.

    Parameters
    ----------
    sources, translations : sequence of str
        Of equal length. A translation's end is judged as well: what is left out makes it improbable.
    """
    targets = [[*vocabulary.encode(translation), END] for translation in translations]
    rows = padded([[START, *target[:-1]] for target in targets])
    with torch.inference_mode():
        state = judge.encode(*padded([vocabulary.read(source) for source in sources]))
        logarithms = log_probabilities_of(judge.decode(rows.ids, state).logits)  # (B, T, V)
        chosen = logarithms.gather(2, padded(targets).ids[..., None])[..., 0].exp()
    return [
        _judged([*vocabulary.symbols(target[:-1]), ""], row, source)
        for target, row, source in zip(targets, chosen.tolist(), sources, strict=True)
    ]


def _judged(
    symbols: Sequence[str], probabilities: Sequence[float], source: str
) -> tuple[JudgedWord, ...]:
    """Return the words of a translation's subwords, each with the least probability of its own."""
    known = {_bare(word) for word in source.split()} - FUNCTION_WORDS - {""}
    return tuple(
        JudgedWord(word.text, min(probabilities[word.start : word.end]), _bare(word.text) in known)
        for word in words_of(symbols)
    )


def _bare(word: str) -> str:
    return word.strip(_SIGNS).lower()


def lost_from(rows: Sequence[Sequence[JudgedWord]]) -> int | None:
    """Return the place from which on every translation has an invented word; None if the last has none."""
    lost = None
    for place in reversed(range(len(rows))):
        if not any(word.is_invented for word in rows[place]):
            break
        lost = place
    return lost


def growing(sentence: str) -> list[str]:
    """Return the beginnings of a sentence that end in no article or preposition, and the sentence.

    Each gets the sentence's closing sign.

    Examples
    --------
    >>> growing("A man in a red car sings.")
    ['A man.', 'A man in a red.', 'A man in a red car.', 'A man in a red car sings.']
    """
    words = sentence.split()
    closing = sentence[-1] if sentence[-1:] in (".", "!", "?") else ""
    beginnings = [
        " ".join(words[:n]).rstrip(_SIGNS) + closing
        for n in range(1, len(words))
        if words[n - 1].strip(_SIGNS).lower() not in FUNCTION_WORDS
    ]
    return [*(beginning for beginning in beginnings if beginning != closing), sentence]


def word_certainties(translation: Translation, source: str = "") -> tuple[JudgedWord, ...]:
    """Return the words of a traced translation with the probability that the model gave them.

    `source`: str, the input sentence, where the model is to judge what another one has written.
    """
    probabilities = [step.probability for step in translation.steps]
    return _judged(translation.target_symbols, probabilities, source)


def context_vector(
    model: RecurrentEncoderDecoder, vocabulary: TranslationVocabulary, sentence: str
) -> Tensor:
    """Return the vector (C,) that is all a decoder without attention gets of a sentence.

    Raises SettingError if the model has attention.
    """
    if model.scores is not None:
        raise SettingError("with attention each token has a context vector of its own")
    with torch.inference_mode():
        _, summary = model.encode(*padded([vocabulary.read(sentence)]))
    return summary[0]
