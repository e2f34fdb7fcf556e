"""Files of other models: read as Hugging Face's library reads them, or refused in words."""

import base64
import json
import time
from pathlib import Path

import pytest
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from lm_core.assets import TOKENIZERS
from lm_core.errors import TextError
from lm_core.text.tokenizers.hugging_face import read_tokenizer_json
from lm_core.text.tokenizers.tokenizer import token_text, tokenize
from lm_core.text.tokenizers.tokenizer_json import from_tokenizer_json
from tests.core.text.tokenizers.test_byte_pair import ODD, reference
from tests.core.tiny_tokenizers import PROSE, bert, file_of, llama, with_spaces

TEXTS = [
    PROSE,
    *ODD[:-1],
    "  lead and  two  ",
    "▁ x ▁▁",
    "naïve cafe\u0301. ΣΑΣ İstanbul ﬁ",
    "x" * 150,
    "a\0b\u200dc\u2028d\ufffde",
    "한국어 हिन्दी",
    "₿ ^ $ ~ —",
    "<s> [MASK] <unk>",
]
GPT_4 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def unigram():
    """As T5 and XLM-RoBERTa have it: normalisers, visible spaces, pieces by their probability."""
    trained = Tokenizer(models.Unigram())
    trained.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    trained.pre_tokenizer = pre_tokenizers.Metaspace()
    trained.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=120, special_tokens=["<unk>", "</s>"], unk_token="<unk>", show_progress=False
    )
    trained.train_from_iterator(PROSE.split("."), trainer)
    return trained


def word_level():
    trained = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    trained.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])
    trained.pre_tokenizer = pre_tokenizers.Whitespace()
    trained.train_from_iterator(
        [PROSE], trainers.WordLevelTrainer(special_tokens=["[UNK]"], show_progress=False)
    )
    return trained


def gpt_4():
    """Byte-level byte pairs behind the expression that GPT-4 and Llama 3 split texts by."""
    trained = Tokenizer(models.BPE(ignore_merges=True))
    trained.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(GPT_4), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    trained.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|end|>"],
        show_progress=False,
    )
    trained.train_from_iterator([PROSE], trainer)
    return trained


def spaces(scheme, split):
    return with_spaces(
        pre_tokenizer=pre_tokenizers.Metaspace(prepend_scheme=scheme, split=split),
        has_prefix=scheme != "never",
    )


KINDS = {
    "GPT-2": lambda: reference(PROSE, 330),
    "GPT-4": gpt_4,
    "Llama 2": llama,
    "T5": unigram,
    "BERT": bert,
    "BERT, cased": lambda: bert(lowercase=False, strip_accents=None),
    "words": word_level,
    **{
        f"{s}, {w}": (lambda s=s, w=w: spaces(s, w))
        for s in ("first", "never")
        for w in (True, False)
    },
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_read_as_the_library_reads_it(kind):
    theirs = KINDS[kind]()
    ours = read_tokenizer_json(file_of(theirs))
    assert ours.kind == type(theirs.model).__name__
    assert len(ours) == len(ours.symbols) == theirs.get_vocab_size()
    for text in TEXTS:
        found = theirs.encode(text, add_special_tokens=False)
        assert ours.encode(text).tolist() == found.ids, text
        traced = ours.trace(text)
        assert [token.id for token in traced] == found.ids
        assert [token.symbol for token in traced] == [theirs.id_to_token(i) for i in found.ids]
        assert [(token.start, token.end) for token in traced] == found.offsets, text
        assert ours.decode(found.ids) == theirs.decode(found.ids, skip_special_tokens=False)
        assert [ours.symbols[i] for i in found.ids] == [token.symbol for token in traced]


@pytest.mark.parametrize("name", ["book-subwords", "source-subwords"])
def test_our_own_files_give_the_same_tokens_characters_and_bytes(name):
    content = (TOKENIZERS / f"{name}.json").read_bytes()
    ours, theirs = from_tokenizer_json(content), read_tokenizer_json(content)
    assert ours.symbols == theirs.symbols
    assert ours.unknown == theirs.unknown
    assert all(ours.bytes_of(i) == theirs.bytes_of(i) for i in range(len(ours)))
    for text in TEXTS[:-1]:  # in which the library, and ours not, finds special tokens
        assert ours.trace(text) == theirs.trace(text), text


def test_a_model_that_puts_tokens_around_a_text_has_them_left_out():
    theirs = bert()
    around = {
        "type": "BertProcessing",
        "sep": ["[SEP]", theirs.token_to_id("[SEP]")],
        "cls": ["[CLS]", theirs.token_to_id("[CLS]")],
    }
    padded = {
        "strategy": {"Fixed": 64},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    shortened = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
    content = file_of(theirs, post_processor=around, padding=padded, truncation=shortened)
    assert Tokenizer.from_str(content.decode()).encode(PROSE).tokens[-1] == "[PAD]"
    expected = theirs.encode(PROSE, add_special_tokens=False).ids
    assert read_tokenizer_json(content).encode(PROSE).tolist() == expected


def test_a_token_covers_its_space_whatever_the_file_trims_afterwards():
    trims = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    theirs = reference(PROSE, 330)
    content = file_of(theirs, post_processor=trims | {"use_regex": True})
    trimmed = Tokenizer.from_str(content.decode()).encode(PROSE).offsets
    covered = [(token.start, token.end) for token in read_tokenizer_json(content).trace(PROSE)]
    assert covered == theirs.encode(PROSE).offsets != trimmed


def test_tokens_read_as_their_text_with_spaces():
    byte_level, visible = (
        read_tokenizer_json(file_of(t)) for t in (reference(PROSE, 330), llama())
    )
    for tokenizer in (byte_level, visible):
        text = "that count — 東"
        tokens = tokenize(tokenizer, text)
        joined = b"".join(tokenizer.bytes_of(token.id) for token in tokens.tokens)
        assert joined.decode().removeprefix(" ") == text
    assert token_text(visible, 3 + 0xE6) == "⟨E6⟩"
    assert visible.bytes_of(visible.symbols.index("<s>")) == b"<s>"


def test_what_a_vocabulary_lacks_is_known_as_unknown():
    for theirs, unknown in ((bert(), "[UNK]"), (unigram(), "<unk>"), (word_level(), "[UNK]")):
        encoding = tokenize(read_tokenizer_json(file_of(theirs)), "that ₿")
        assert encoding.unknown == unknown
        assert encoding.n_unknown >= 1
    assert read_tokenizer_json(file_of(reference(PROSE, 330))).unknown is None


def test_halves_of_characters_are_replaced():
    ours = read_tokenizer_json(file_of(reference(PROSE, 330)))
    assert ours.encode("a\ud83d").tolist() == ours.encode("a\ufffd").tolist()


# What is refused ------------------------------------------------------------------------------


def changed(theirs, **changes):
    return file_of(theirs, model=json.loads(theirs.to_str())["model"] | changes)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "must be a tokenizer.json"),
        (b"\xff\xfe", "must be a tokenizer.json"),
        (b"[]", "must be a tokenizer.json"),
        (b"[" * 100_000, "must be a tokenizer.json"),
        (b'{"normalizer":' * 5_000, "must be a tokenizer.json"),
        (b'{"model": {"type": "Mystery", "vocab": {}}}', "its model is 'Mystery'"),
        (b" " * ((16 << 20) + 1), "may have 16 MB"),
        (changed(bert(), vocab={"a": "b"}), "“a” has 'b'"),
        (
            changed(bert(), unk_token="<none>"),
            "“<none>”, its symbol for what the vocabulary does not hold",
        ),
        (changed(llama(), merges=[["a", "<none>"]]), "its merge “a <none>” is of symbols"),
        (changed(llama(), dropout=0.1), "leaves merges out by chance"),
        (changed(bert(), max_input_chars_per_word=10**9), "1 to 1,000 characters .* 1000000000"),
        (changed(bert(), max_input_chars_per_word="9"), "the file allows '9'"),
    ],
)
def test_a_strange_file_is_refused_in_words(content, message):
    with pytest.raises(TextError, match=message):
        read_tokenizer_json(content)


def replace(string, content):
    return {"type": "Replace", "pattern": {"String": string}, "content": content}


def sequence(*parts):
    return {"type": "Sequence", "normalizers": list(parts)}


def precompiled(replacement):
    charsmap = bytes(4) + b"short\0" + replacement + b"\0"
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()}


@pytest.mark.parametrize(
    ("normalizer", "message"),
    [
        (replace("a", "a" * 10_000), "10,001 times longer"),
        (sequence(*[replace("a", "aa")] * 8), "6,561 times longer"),
        (sequence(*[{"type": "ByteLevel"}] * 8), "256 times longer"),
        (sequence(sequence(*[{"type": "Prepend", "prepend": "abc"}] * 4)), "256 times longer"),
        (precompiled(b"x" * 300), "300 times longer"),
        (sequence(*[{"type": "NFC"}] * 17), "in 16 steps, this one has 17"),
        ({"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": ""}, r"begins with \(a"),
    ],
)
def test_a_file_that_would_fill_the_memory_or_never_end_is_refused(normalizer, message):
    with pytest.raises(TextError, match=message):
        read_tokenizer_json(file_of(llama(), normalizer=normalizer))


def test_expressions_of_the_decoder_are_looked_at_too():
    decoder = {"type": "Replace", "pattern": {"Regex": "(a|aa)+$"}, "content": ""}
    with pytest.raises(TextError, match="an expression of its own"):
        read_tokenizer_json(file_of(llama(), decoder=decoder))


def test_known_expressions_take_the_longest_texts_of_the_pages_in_no_time():
    ours = read_tokenizer_json(file_of(gpt_4()))
    for text in (" " * 5_000, "\n " * 2_500, "a" * 5_000, "!" * 5_000, "9" * 5_000):
        begin = time.process_time()
        ours.trace(text)
        assert time.process_time() - begin < 2.0


def test_the_library_is_loaded_only_where_a_file_is_read():
    source = Path(__file__).parents[4] / "lm_core/text/tokenizers/hugging_face.py"
    lines = source.read_text().splitlines()
    assert [
        line for line in lines if line.startswith(("import tokenizers", "from tokenizers"))
    ] == []


# Files as people have them --------------------------------------------------------------------


def test_a_letter_that_is_dropped_moves_no_other():
    letters = {letter: i for i, letter in enumerate("richwand ")}
    dropping = Tokenizer(models.BPE({**letters, "ri": 9}, [("r", "i")]))
    dropping.pre_tokenizer = pre_tokenizers.Whitespace()
    text = "Zürich \u017c\u00f3\u0142w 🐢 and"
    tokens = read_tokenizer_json(file_of(dropping)).trace(text)
    assert [token.symbol for token in tokens] == ["ri", "c", "h", "w", "a", "n", "d"]
    assert [text[token.start : token.end] for token in tokens] == [t.symbol for t in tokens]


@pytest.mark.parametrize(
    "expression",
    [
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,2}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]"
        r"|\s+(?!\S)|\s+",
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]"
        r"|\s+(?!\S)|\s+",
        ".",
        "",
    ],
    ids=["nanochat", "minbpe", "a dot", "nothing"],
)
def test_the_expressions_of_small_projects_are_applied_to_long_texts_too(expression):
    split = {
        "type": "Split",
        "pattern": {"Regex": expression},
        "behavior": "Isolated",
        "invert": False,
    }
    byte_level = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": False,
    }
    content = file_of(
        reference(PROSE, 330),
        decoder=byte_level,
        pre_tokenizer={"type": "Sequence", "pretokenizers": [split, byte_level]},
    )
    tokenizer = read_tokenizer_json(content)
    text = "It's 2024 — " + 3_000 * "a " + 3_000 * " " + 1_000 * "!"
    assert tokenizer.decode(tokenizer.encode(text)) == text


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"class_name": "Tokenizer", "config": {"word_index": "{}"}}, "a Tokenizer of Keras"),
        (json.dumps({"class_name": "Tokenizer", "config": {}}), "a Tokenizer of Keras"),
        ({"char2idx": {"a": 0, "b": 1}}, "symbols and their numbers .“char2idx”"),
        ({"tokenizer_class": "GPT2Tokenizer", "model_max_length": 9}, "a tokenizer_config.json"),
        ({"!": 0, "a": 1}, "this is a vocab.json"),
        ({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"}, "this is a config.json"),
        ({"bos_token": "<s>", "unk_token": "<unk>"}, "a special_tokens_map.json"),
        ({"weight_map": {"a": "b"}}, "the index of a model's weights"),
        (["a", "b"], "a list of 2 entries"),
    ],
)
def test_a_file_that_is_something_else_is_named_with_what_to_choose(document, said):
    with pytest.raises(TextError, match=said) as raised:
        read_tokenizer_json(json.dumps(document).encode())
    assert "Error" not in str(raised.value)
