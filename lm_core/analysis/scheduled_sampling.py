"""What a decoder reads while it learns by scheduled sampling: right tokens, and some of its own."""

import torch

from lm_core.generation.translated_words import words_of
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.text.translation_vocabulary import START, TranslationVocabulary, padded


def words_read(
    model: EncoderDecoder,
    vocabulary: TranslationVocabulary,
    sentence: str,
    translation: str,
    share: float,
    rng: torch.Generator,
) -> list[tuple[str, bool]]:
    """Return the words that the decoder reads, and whether each is another than the right one.

    Parameters
    ----------
    sentence, translation : str, a training pair
    share : float in [0, 1], of the tokens read that are the model's own predictions; 0 is teacher forcing
    rng : torch.Generator, draws which
    """
    right = vocabulary.encode(translation)
    with torch.inference_mode():
        state = model.encode(*padded([vocabulary.read(sentence)]))
        target = torch.tensor([[START, *right]])
        read = model.follow_own_tokens(target, state, share, rng).read[0, 1:].tolist()
    is_wrong = [own != token for own, token in zip(read, right, strict=True)]
    return [
        (word.text, any(is_wrong[word.start : word.end]))
        for word in words_of(vocabulary.symbols(read))
    ]
