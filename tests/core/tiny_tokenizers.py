"""Tokenizers of Hugging Face's library, as other models have them, trained on a few words."""

import json
from functools import cache

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

PROSE = (
    "The count said that the countess had counted 100 counts, and that the hundredth was no count."
    " «Nonsense!» said the princess; she'd counted them twice... naïve, naïveté – 東京 \n\n and so on."
)
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
BERT_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def file_of(trained, **changes):
    return json.dumps(json.loads(trained.to_str()) | changes).encode()


def with_spaces(*, normalizer=None, pre_tokenizer=None, has_prefix=True):
    """A tiny encoding with visible spaces and bytes to fall back on, trained here."""
    trained = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    if normalizer:
        trained.normalizer = normalizer
    if pre_tokenizer:
        trained.pre_tokenizer = pre_tokenizer
    trained.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            *([decoders.Strip(" ", 1, 0)] if has_prefix else []),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<unk>", "<s>", "</s>", *BYTES], show_progress=False
    )
    trained.train_from_iterator(PROSE.split("."), trainer)
    document = json.loads(trained.to_str())
    document["added_tokens"] = document["added_tokens"][:3]  # the bytes are no special tokens
    return Tokenizer.from_str(json.dumps(document))


@cache
def llama():
    spaces = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    return with_spaces(normalizer=normalizers.Sequence(spaces))


def bert(**reading):
    trained = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    trained.normalizer = normalizers.BertNormalizer(**reading)
    trained.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trained.decoder = decoders.WordPiece(cleanup=False)
    trainer = trainers.WordPieceTrainer(
        vocab_size=150, special_tokens=BERT_SPECIAL, show_progress=False
    )
    trained.train_from_iterator([PROSE], trainer)
    return trained
