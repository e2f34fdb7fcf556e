"""What a decoder reads while it learns: right words alone, its own alone, and some of both."""

import torch

from lm_core.analysis.scheduled_sampling import words_read
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text.translation_vocabulary import START, padded, shipped_vocabulary

SENTENCE, TRANSLATION = "A brown dog sleeps.", "Un chien brun dort."
MODEL = build(EncoderDecoderConfig(4000, "none", 16, 16, 16, 24))
MODEL.initialise(generator(1))
MODEL.eval()


def read(share, seed=1):
    return words_read(MODEL, shipped_vocabulary(), SENTENCE, TRANSLATION, share, generator(seed))


def test_teacher_forcing_reads_the_right_words():
    words = read(0.0)
    assert " ".join(word for word, _ in words[:4]) == "Un chien brun dort"
    assert not any(is_wrong for _, is_wrong in words)


def test_at_a_share_of_1_it_reads_what_it_expects_itself():
    vocabulary = shipped_vocabulary()
    right = vocabulary.encode(TRANSLATION)
    state = MODEL.encode(*padded([vocabulary.read(SENTENCE)]))
    tokens = [START]
    for _ in right:
        logits = MODEL.decode(torch.tensor([tokens]), state).logits
        tokens.append(int(logits[0, -1].argmax()))
    own = "".join(vocabulary.symbols(tokens[1:])).split()
    assert [word for word, _ in read(1.0)] == own
    assert any(is_wrong for _, is_wrong in read(1.0))


def test_what_is_read_depends_on_the_random_numbers_alone():
    assert read(0.5) == read(0.5)
    assert any(read(0.5, seed) != read(0.5) for seed in range(2, 6))
