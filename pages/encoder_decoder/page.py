"""Encoder-decoder: what one context vector holds of a sentence, and what it loses."""

from collections.abc import Callable
from functools import partial

from lm_core.analysis.translation_support import growing, judged_words, word_certainties
from lm_core.experiments.translation.batches import BucketedBatches
from lm_core.experiments.translation.evaluation import bleu_by_length
from lm_core.experiments.translation.training import TranslationTraining, token_losses
from lm_core.generation.translation import translate
from lm_core.models.attention import AdditiveScores, dot_product_scores
from lm_core.models.encoder_decoder import RecurrentEncoderDecoder
from lm_core.models.encoder_decoder_model import EncoderDecoder
from pages.encoder_decoder.growing import longer_and_longer
from pages.encoder_decoder.scores import scores_compared
from pages.encoder_decoder.side_by_side import side_by_side
from pages.encoder_decoder.sizes import sizes_by_length
from pages.encoder_decoder.training import train_a_translator
from pages.encoder_decoder.wrong_word import one_wrong_word
from pages.shared import page
from pages.shared.models.language_models import provenance_of
from pages.shared.models.translation import ATTENTION, EXAMPLES, ONE_VECTOR, choose_sentence
from pages.shared.ui.lesson import provenance

_LONGEST = len(EXAMPLES) - 1


def _of_both(draw: Callable[..., None], example: int | None, screen: page.FirstScreen) -> None:
    """Draw a part, of an example's caption if it has one; without both models nothing can be drawn."""
    metas = [provenance_of(name) for name in (ONE_VECTOR, ATTENTION)]
    sentence = []
    if example is not None:
        with screen.controls:
            sentence = [choose_sentence("caption", EXAMPLES[example].english)]
    draw(screen, *sentence)
    for meta in metas:
        provenance(meta)


page.draw(
    "encoder-decoder",
    "One model translates through a single *context vector*. The other has *attention*, so it"
    " looks at every word of the caption again.",
    [
        page.Part(
            "Growing sentence",
            partial(_of_both, longer_and_longer, _LONGEST),
            (RecurrentEncoderDecoder.encode, growing, judged_words),
        ),
        page.Part(
            "Side by side",
            partial(_of_both, side_by_side, _LONGEST),
            (
                RecurrentEncoderDecoder.encode,
                RecurrentEncoderDecoder._context_vector,
                RecurrentEncoderDecoder.decode,
                word_certainties,
            ),
        ),
        page.Part(
            "Vector size",
            partial(_of_both, sizes_by_length, None),
            (RecurrentEncoderDecoder, bleu_by_length),
        ),
        page.Part(
            "Scores", scores_compared, (RecurrentEncoderDecoder, AdditiveScores, dot_product_scores)
        ),
        page.Part(
            "Wrong word",
            partial(_of_both, one_wrong_word, 2),
            (EncoderDecoder.training_logits, EncoderDecoder.follow_own_tokens, translate),
        ),
        page.Part(
            "Train one",
            partial(_of_both, train_a_translator, 0),
            (TranslationTraining, token_losses, BucketedBatches),
        ),
    ],
    picture=3.0,
)
