"""A GPT-2 from a folder: equal to transformers, its tokens, and what is refused."""

import json
import re

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from lm_core.errors import CheckpointError, SettingError
from lm_core.models.gpt2 import config_of_gpt2, weights_of_gpt2
from lm_core.models.multi_head_attention import AttentionMask, MultiHeadAttention, head_by_head
from lm_core.rng import generator
from lm_core.settings import settings
from lm_core.text.pretrained_folder import find_files, pretrained_folder
from lm_core.text.pretrained_vocabulary import read_vocabulary, vocabulary_name
from lm_core.text.tokenizers.gpt import GPT_2, load_ranked_tokenizer
from lm_core.text.vocabularies import vocabulary_named
from lm_core.training.checkpoints import load_checkpoint, load_shipped, save_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of
from lm_core.training.pretrained import load_pretrained, pretrained_meta, what_was_read
from tests.gpt2_folder import (
    CONTEXT,
    END,
    config,
    put_a_space_first,
    tokenizer,
    weights,
    write_gpt2,
)

IDS = torch.arange(24).reshape(2, 12) * 11 % 290
# Computed once with transformers 5.23 from the same folder: logits of IDS, of the last token of each
# row, for some ids.
SOME = [0, 1, 50, 100, 200, 289, 290]
EXPECTED = [
    [2.97764, -7.43052, -4.91948, 6.39346, 7.43502, -0.92591, -6.06579],
    [-3.0641, 5.77192, 4.4128, -5.34183, -5.63583, -0.13437, 5.14748],
]


@pytest.fixture
def folder(tmp_path):
    return write_gpt2(tmp_path / "tiny-gpt2")


def logits(checkpoint, ids):
    with torch.no_grad():
        return checkpoint.model(ids, checkpoint.model.initial_state(len(ids)))[0]


def test_our_transformer_computes_what_transformers_once_computed(folder):
    found = logits(load_pretrained(find_files(folder)), IDS)[:, -1, SOME]
    torch.testing.assert_close(found, torch.tensor(EXPECTED), atol=1e-4, rtol=0.0)


@pytest.mark.parametrize("tied", [True, False])
def test_our_transformer_equals_transformers(folder, tied):
    pytest.importorskip("transformers", reason="transformers is optional, and not installed")
    from transformers import GPT2LMHeadModel

    if not tied:
        write_gpt2(folder, tie_word_embeddings=False)
        head = {"lm_head.weight": weights("")["wte.weight"].flip(0).contiguous()}
        save_file(weights() | head, folder / "model.safetensors", {"format": "pt"})
    theirs = GPT2LMHeadModel.from_pretrained(folder, local_files_only=True).eval()
    ids = torch.randint(len(tokenizer()), (2, CONTEXT), generator=generator(1))
    with torch.no_grad():
        expected = theirs(ids).logits
    found = logits(load_pretrained(find_files(folder)), ids)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=0.0)


def test_a_text_read_in_pieces_gets_the_same_logits(folder):
    model = load_pretrained(find_files(folder)).model
    ids = IDS.reshape(1, -1)
    with torch.no_grad():
        first, state = model(ids[:, :7], model.initial_state(1))
        second, _ = model(ids[:, 7:], state)
        whole, _ = model(ids, model.initial_state(1))
    torch.testing.assert_close(torch.cat([first, second], 1), whole, atol=1e-5, rtol=1e-5)


def test_each_parameter_is_counted_once(folder):
    meta = pretrained_meta(find_files(folder))
    assert meta.parameter_count == sum(tensor.numel() for tensor in weights().values())
    assert "tiny-gpt2" in meta.title
    assert load_pretrained(find_files(folder)).model.parameter_count == meta.parameter_count


def test_a_folder_says_what_was_read_of_it(folder):
    (folder / "notes.txt").write_text("mine")
    read = what_was_read(find_files(folder))
    n = sum(tensor.numel() for tensor in weights().values())
    assert f"{n:,} parameters" in read.line
    assert f"{config()['n_layer']} layers x {config()['n_embd']}" in read.line
    assert any("notes.txt" in note for note in read.notes)
    assert [row[0] for row in read.preview[1:]] == [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    ]


def test_shards_and_older_names_and_16_bits_are_read(folder):
    expected = logits(load_pretrained(find_files(folder)), IDS)
    (folder / "model.safetensors").unlink()
    bare = {name: tensor.half() for name, tensor in weights("").items()}
    bare["h.0.attn.bias"] = torch.ones(1, 1, CONTEXT, CONTEXT)  # the mask, in older files
    names = sorted(bare)
    shards = {"a.safetensors": names[::2], "b.safetensors": names[1::2]}
    for file, kept in shards.items():
        save_file({name: bare[name] for name in kept}, folder / file)
    index = {"weight_map": {name: file for file, kept in shards.items() for name in kept}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    found = logits(load_pretrained(find_files(folder)), IDS)
    torch.testing.assert_close(found, expected, atol=0.1, rtol=0.0)


def test_heads_with_biases_equal_the_layer():
    layer = MultiHeadAttention(8, 2, bias=True)
    layer.initialise(generator(1))
    with torch.no_grad():
        layer.projections.bias.normal_(generator=generator(2))
        layer.output.bias.normal_(generator=generator(3))
    x = torch.randn(1, 5, 8, generator=generator(4))
    mask = torch.ones(5, 5, dtype=torch.bool).tril()
    expected, _ = layer(x, AttentionMask(mask, dtype=torch.float32))
    torch.testing.assert_close(head_by_head(layer, x, mask), expected)
    keys_values = layer.keys_values(x)
    torch.testing.assert_close(
        layer.cross(x, keys_values, AttentionMask(mask, dtype=torch.float32)), expected
    )


# Tokens ---------------------------------------------------------------------------------------


def test_texts_are_encoded_as_our_own_tokenizer_does_and_spelled_character_by_character(folder):
    vocabulary = read_vocabulary(find_files(folder))
    text = "The prince “Où?” 東京\n"
    ids = vocabulary.encode(text)
    assert ids.tolist() == tokenizer().encode(text).tolist()
    spelled = vocabulary.spell(ids)
    assert "".join(spelled) == vocabulary.decode(ids) == text
    assert [len(piece) for piece in spelled] == vocabulary.lengths[ids].tolist()
    assert vocabulary.unit == "token"
    assert vocabulary.start_token == len(tokenizer()) - 1
    assert vocabulary.symbols[vocabulary.start_token] == END


def test_bytes_that_are_no_text_leave_one_character_for_each_beginning(folder):
    vocabulary = read_vocabulary(find_files(folder))
    half = vocabulary.encode("東")[:1]
    ids = np.concatenate([half, vocabulary.encode("a")])
    assert vocabulary.spell(ids) == ["\N{REPLACEMENT CHARACTER}", "a"]
    orphan = vocabulary.encode("東")[1:]
    assert vocabulary.decode(orphan) == ""
    assert vocabulary.known(ids).all()


def test_gpt2s_own_two_files_give_gpt2s_tokens(tmp_path):
    """The published vocabulary, whose merges are those pairs that its tokens were made of."""
    folder, published = (
        write_gpt2(tmp_path / "gpt2", vocab_size=50_257),
        load_ranked_tokenizer(GPT_2),
    )
    (folder / "tokenizer.json").unlink()
    text = "The prince answered nothing, “Où est-il?” x = 12;"
    symbols = {published.symbols[i] for i in published.encode(text)}
    pairs, waiting = set(), list(symbols)
    ids = {symbol: i for i, symbol in enumerate(published.symbols)}
    while waiting:
        symbol = waiting.pop()
        if len(symbol) > 1:
            cut = [(symbol[:i], symbol[i:]) for i in range(1, len(symbol))]
            pairs |= {pair for pair in cut if pair[0] in ids and pair[1] in ids}
            waiting += [part for pair in cut for part in pair if part in ids]
    merges = sorted(pairs, key=lambda pair: ids[pair[0] + pair[1]])
    (folder / "vocab.json").write_text(json.dumps(ids | {END: 50_256}), encoding="utf-8")
    lines = ["#version: 0.2", *(" ".join(pair) for pair in merges)]
    (folder / "merges.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    vocabulary = read_vocabulary(find_files(folder))
    assert vocabulary.encode(text).tolist() == published.encode(text).tolist()


def test_the_environment_names_the_folder(folder, monkeypatch):
    monkeypatch.delenv("LM_LAB_PRETRAINED", raising=False)
    assert settings().pretrained is None
    assert pretrained_folder() is None
    monkeypatch.setenv("LM_LAB_PRETRAINED", str(folder))
    meta = pretrained_meta(pretrained_folder())
    assert len(vocabulary_of(meta)) == len(tokenizer())
    assert vocabulary_named(meta.vocabulary).name == vocabulary_name(pretrained_folder())
    with pytest.raises(CheckpointError, match="has changed"):
        vocabulary_named("pretrained-0000000000000000")


# What is refused ------------------------------------------------------------------------------


def read_all(folder):
    files = find_files(folder)
    return load_pretrained(files), read_vocabulary(files)


def spoil(folder, name, content=None):
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("config.json", None, "with a config.json"),
        ("config.json", "{", "must be JSON"),
        ("config.json", "[1]", "must hold names and values in braces, and holds a list"),
        ("model.safetensors", None, "must have a model.safetensors"),
        ("model.safetensors", "nonsense", "no whole file in the format safetensors"),
        ("tokenizer.json", None, "must have a tokenizer.json"),
        ("tokenizer.json", "{}", "tokenizer cannot be used"),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused_in_words(folder, name, content, said):
    spoil(folder, name, content)
    with pytest.raises(CheckpointError, match=said):
        read_all(folder)


def test_a_note_of_git_lfs_and_an_adapter_are_named_as_what_they_are(folder):
    (folder / "model.safetensors").write_bytes(
        b"version https://git-lfs.github.com/spec/v1\noid 1\n"
    )
    with pytest.raises(CheckpointError, match=r"a note of Git LFS .* git lfs pull"):
        find_files(folder)
    (folder / "config.json").unlink()
    (folder / "adapter_config.json").write_text("{}")
    with pytest.raises(CheckpointError, match=r"an adapter \(LoRA\).*merge_and_unload"):
        find_files(folder)


def test_a_folder_of_the_librarys_cache_is_read_from_its_snapshot(tmp_path):
    write_gpt2(tmp_path / "models--gpt2" / "snapshots" / "abc")
    files = find_files(tmp_path / "models--gpt2")
    assert files.path.name == "abc"
    read_all(files.path)


def test_pickled_weights_are_refused_with_the_remedy(folder):
    spoil(folder, "model.safetensors")
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(CheckpointError, match=r"unpickling .* download its model.safetensors"):
        find_files(folder)


def test_a_shard_outside_the_folder_is_refused(folder):
    spoil(folder, "model.safetensors")
    (folder.parent / "x.safetensors").write_bytes(b"")
    index = {"weight_map": {"wte.weight": "../x.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(CheckpointError, match="every file"):
        find_files(folder)


def test_no_folder_and_another_architecture_are_refused(folder, tmp_path):
    with pytest.raises(CheckpointError, match="must name a folder"):
        find_files(tmp_path / "nowhere")
    write_gpt2(folder, model_type="llama")
    with pytest.raises(CheckpointError, match="'llama'; only 'gpt2'"):
        pretrained_meta(find_files(folder))


def test_a_tokenizer_of_another_model_is_refused(folder):
    write_gpt2(folder, vocab_size=100)
    with pytest.raises(CheckpointError, match="must be of one model"):
        read_vocabulary(find_files(folder))
    write_gpt2(folder, vocab_size=len(tokenizer()) - 1)
    with pytest.raises(CheckpointError, match=rf"{re.escape(END)} came later.*resize_token_embed"):
        read_vocabulary(find_files(folder))


def test_a_tokenizer_that_puts_a_space_first_is_refused_by_that_name(folder):
    put_a_space_first(folder)
    with pytest.raises(CheckpointError, match="add_prefix_space to false"):
        read_vocabulary(find_files(folder))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"model_type": "llama"}, "model_type"),
        ({"n_embd": None}, "n_embd"),
        ({"n_head": True}, "n_head"),
        ({"n_head": 3}, "multiple of heads"),
        ({"n_inner": 17}, "n_inner"),
        ({"activation_function": "relu"}, "activation_function"),
        ({"activation_function": ["gelu"]}, "activation_function"),
        ({"activation_function": {}}, "activation_function"),
        ({"n_layer": 1_000_000}, "n_layer must be from 1 to 256"),
        ({"n_layer": 0}, "n_layer must be from 1"),
        ({"n_embd": 10**9}, "n_embd must be from 1"),
        ({"n_embd": -64}, "n_embd must be from 1"),
        ({"n_head": 10**6}, "n_head must be from 1"),
        ({"vocab_size": 10**12}, "vocab_size must be from 1"),
        ({"n_positions": 10**12}, "n_positions must be from 1"),
        ({"n_inner": 10**12}, "n_inner must be"),
        ({"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx"),
        ({"layer_norm_epsilon": 1e-6}, "layer_norm_epsilon"),
    ],
)
def test_settings_without_a_counterpart_are_refused(changed, said):
    with pytest.raises(SettingError, match=said):
        config_of_gpt2(config(**changed))


def test_weights_that_are_missing_are_named():
    kept = weights()
    del kept["transformer.h.1.mlp.c_fc.bias"]
    with pytest.raises(SettingError, match=r"h\.1\.mlp\.c_fc\.bias"):
        weights_of_gpt2(kept, config_of_gpt2(config()))


# Weights that are no GPT-2's ------------------------------------------------------------------


def stored(folder, **changed):
    """Write the folder's weights anew, some of them changed or added; None leaves one out."""
    now = weights() | {name.replace("__", "."): tensor for name, tensor in changed.items()}
    kept = {name: tensor for name, tensor in now.items() if tensor is not None}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})


def one_bad(value):
    weight = weights()["transformer.wpe.weight"].clone()
    weight[3, 3] = value
    return weight


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"transformer__wpe__weight": one_bad(float("nan"))}, "'wpe.weight' holds infinity or NaN"),
        ({"transformer__wpe__weight": one_bad(float("inf"))}, "'wpe.weight' holds infinity or NaN"),
        (
            {"transformer__wpe__weight": torch.ones(CONTEXT, 16, dtype=torch.int8)},
            "'wpe.weight' is torch.int8",
        ),
        ({"transformer__h__2__ln_1__bias": torch.ones(16)}, "'h.2.ln_1.bias'"),
        ({"score__weight": torch.ones(3, 16)}, "'score.weight'"),
        ({"lm_head__weight": weights("")["wte.weight"].flip(0).contiguous()}, "the two differ"),
        ({"transformer__ln_f__bias": None}, "lack 'ln_f.bias'"),
    ],
)
def test_weights_that_the_config_does_not_describe_are_refused_by_name(folder, changed, named):
    stored(folder, **changed)
    with pytest.raises(CheckpointError, match=named.replace(".", r"\.")):
        load_pretrained(find_files(folder))


def test_a_classifier_is_refused_before_its_weights_are_read(folder):
    write_gpt2(folder, architectures=["GPT2ForSequenceClassification"])
    with pytest.raises(CheckpointError, match="does not predict the next token"):
        pretrained_meta(find_files(folder))


def test_a_compiled_models_names_and_a_tied_head_are_read(folder):
    expected = logits(load_pretrained(find_files(folder)), IDS)
    head = {"lm_head.weight": weights("")["wte.weight"].clone()}
    wrapped = {f"_orig_mod.{name}": tensor for name, tensor in (weights() | head).items()}
    save_file(wrapped, folder / "model.safetensors", {"format": "pt"})
    assert torch.equal(logits(load_pretrained(find_files(folder)), IDS), expected)


def test_an_output_layer_of_its_own_is_counted_without_a_bias(folder):
    write_gpt2(folder, tie_word_embeddings=False)
    head = {"lm_head.weight": weights("")["wte.weight"].flip(0).contiguous()}
    save_file(weights() | head, folder / "model.safetensors", {"format": "pt"})
    n = sum(tensor.numel() for tensor in (weights() | head).values())
    assert pretrained_meta(find_files(folder)).parameter_count == n
    assert load_pretrained(find_files(folder)).model.parameter_count == n


def test_the_end_of_a_text_is_one_token_whichever_files_hold_the_tokenizer(folder):
    text = f"The prince{END}he"
    whole = read_vocabulary(find_files(folder)).encode(text).tolist()
    assert whole.count(len(tokenizer()) - 1) == 1
    ours = tokenizer()
    ids = {symbol: i for i, symbol in enumerate(ours.symbols)}
    pairs = [f"{ours.symbols[left]} {ours.symbols[right]}" for left, right in ours.merges]
    (folder / "vocab.json").write_text(json.dumps(ids))
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *pairs]))
    (folder / "tokenizer.json").unlink()
    assert read_vocabulary(find_files(folder)).encode(text).tolist() == whole


def test_a_checkpoint_of_ours_with_a_nan_is_refused(tmp_path):
    meta = load_shipped("book-lstm").meta
    model = load_shipped("book-lstm").model
    with torch.no_grad():
        next(iter(model.parameters())).view(-1)[5] = float("nan")
    folder = save_checkpoint(tmp_path, model, meta)
    with pytest.raises(CheckpointError, match="holds infinity or NaN"):
        load_checkpoint(folder)
