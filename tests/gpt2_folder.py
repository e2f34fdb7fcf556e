"""A tiny GPT-2 as a folder in Hugging Face's format: its files, with weights that follow a formula."""

import json

import torch
from safetensors.torch import save_file

from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json

WIDTH, HEADS, LAYERS, CONTEXT = 16, 2, 2, 64
END = "<|endoftext|>"
TEXT = "The prince said to the prince: where is the house of the prince? “Où?” he said. " * 3


def tokenizer(size=290):
    """Return a byte-pair encoding of bytes, with GPT-2's own special token at its end."""
    learned = BytePairTokenizer.fit(TEXT, size)
    return BytePairTokenizer((*learned.symbols, END), learned.merges, special_tokens=(END,))


def config(**changed):
    """Return the content of a config.json."""
    size = len(tokenizer())
    return {
        "model_type": "gpt2",
        "architectures": ["GPT2LMHeadModel"],
        "vocab_size": size,
        "n_embd": WIDTH,
        "n_head": HEADS,
        "n_layer": LAYERS,
        "n_positions": CONTEXT,
        "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-5,
        "bos_token_id": size - 1,
        "eos_token_id": size - 1,
    } | changed


def wave(*shape, phase, scale=0.6):
    """Return numbers that are the same on every machine: no generator draws them."""
    n = torch.Size(shape).numel()
    return (
        (scale * torch.sin(1.7 * torch.arange(n, dtype=torch.float64) + phase)).view(shape).float()
    )


def weights(prefix="transformer.", layers=LAYERS):
    """Return the weights under the names of the published files, which store (inputs, outputs)."""
    size, made = len(tokenizer()), {}
    made["wte.weight"] = wave(size, WIDTH, phase=0.3)
    made["wpe.weight"] = wave(CONTEXT, WIDTH, phase=0.9, scale=0.2)
    for i in range(layers):
        for j, (name, rows, columns) in enumerate(
            (
                ("attn.c_attn", WIDTH, 3 * WIDTH),
                ("attn.c_proj", WIDTH, WIDTH),
                ("mlp.c_fc", WIDTH, 4 * WIDTH),
                ("mlp.c_proj", 4 * WIDTH, WIDTH),
            )
        ):
            made[f"h.{i}.{name}.weight"] = wave(rows, columns, phase=1.0 + i + 0.1 * j)
            made[f"h.{i}.{name}.bias"] = wave(columns, phase=2.0 + i + 0.1 * j, scale=0.2)
        for j, name in enumerate(("ln_1", "ln_2")):
            made[f"h.{i}.{name}.weight"] = 1.0 + wave(WIDTH, phase=3.0 + i + j, scale=0.2)
            made[f"h.{i}.{name}.bias"] = wave(WIDTH, phase=4.0 + i + j, scale=0.2)
    made["ln_f.weight"] = 1.0 + wave(WIDTH, phase=5.0, scale=0.2)
    made["ln_f.bias"] = wave(WIDTH, phase=6.0, scale=0.2)
    return {prefix + name: tensor for name, tensor in made.items()}


def write_gpt2(folder, layers=LAYERS, **changed):
    """Write the folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config(**{"n_layer": layers} | changed)))
    (folder / "tokenizer.json").write_bytes(to_tokenizer_json(tokenizer()))
    save_file(weights(layers=layers), folder / "model.safetensors", {"format": "pt"})
    return folder


def put_a_space_first(folder):
    """Let the tokenizer put a space before each text, as `add_prefix_space` has it."""
    path = folder / "tokenizer.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["pre_tokenizer"] = {
        "type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True,
    }  # fmt: skip
    path.write_text(json.dumps(document), encoding="utf-8")
