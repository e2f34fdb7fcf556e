"""A shipped file that is damaged is named on the pages that read it, and breaks nothing else.

Every file is damaged once and one page that reads it is visited. The slow test walks all pages with
each file, in turn cut, altered and gone.
"""

from itertools import cycle
from pathlib import Path

import pytest
import streamlit as st

import lm_core.clustering.datasets
import lm_core.experiments.convolution.digits
from lm_core.assets import ASSETS, shown
from lm_core.text.tokenizers.gpt import load_ranked_tokenizer
from lm_core.text.translation_vocabulary import shipped_vocabulary
from lm_core.text.vocabularies import vocabulary_named
from lm_core.text.word_vocabulary import WORDS
from lm_core.training.checkpoints import META_FILE, SHIPPED, read_meta
from pages.shared.models import tokenizers
from pages.shared.registry import PAGES
from tests.pages.visits import visit

IRIS = Path(lm_core.clustering.datasets.__file__).with_name("iris.csv")
DIGITS = Path(lm_core.experiments.convolution.digits.__file__).with_name("digits.csv")
OF_NO_PAGE = ("fonts.json",)
"""The server of every page before any page."""
FILES = [
    *sorted(
        p
        for p in ASSETS.rglob("*")
        if p.suffix in (".json", ".safetensors", ".xz") and p.name not in OF_NO_PAGE
    ),
    IRIS,
    DIGITS,
]
RESULTS = {
    "ablations.json": ("ablations", {}),
    "assistant.json": ("assistant", {}),
    "attention.json": ("attention", {}),
    "attention-scores.json": ("encoder_decoder", {"part": "Scores"}),
    "attention-cost.json": ("attention_cost", {}),
    "convolution.json": ("convolution", {"part": "Digits"}),
    "convolution.safetensors": ("convolution", {"part": "Names"}),
    "counting.json": ("counting", {}),
    "counting.safetensors": ("counting", {}),
    "induction.json": ("attention", {}),
    "fine-tuning.json": ("fine_tuning", {}),
    "fine-tuning.safetensors": ("fine_tuning", {}),
    "gates.json": ("rnn_vs_lstm", {"part": "Gates one by one"}),
    "grokking.json": ("overfitting", {"part": "Grokking"}),
    "gradients.json": ("gradients", {"part": "Batch norm"}),
    "inside-a-cell.json": ("inside_a_cell", {}),
    "inside-a-cell.safetensors": ("inside_a_cell", {}),
    "inside-a-writer.json": ("inside_a_writer", {}),
    "inside-a-writer.safetensors": ("inside_a_writer", {}),
    "masked-language-model.json": ("masked_language_model", {}),
    "masked-language-model-splits.json": ("masked_language_model", {"part": "80 / 10 / 10"}),
    "normal-losses.json": ("counting", {}),
    "minimal-pairs.json": ("minimal_pairs", {}),
    "model-ladder.json": ("model_ladder", {}),
    "n-grams.json": ("n_grams", {}),
    "n-grams.safetensors": ("n_grams", {}),
    "neural-language-model.json": ("neural_language_model", {"part": "Letters"}),
    "neural-language-model.safetensors": ("neural_language_model", {"part": "Letters"}),
    "neural-language-model-activations.json": ("neural_language_model", {"part": "Saturation"}),
    "neural-language-model-activations.safetensors": (
        "neural_language_model",
        {"part": "Saturation"},
    ),
    "neural-language-model-words.json": ("neural_language_model", {"part": "Words"}),
    "neural-language-model-words.safetensors": ("neural_language_model", {"part": "Words"}),
    "part-of-speech-tagging.json": ("part_of_speech_tagging", {}),
    "part-of-speech-tagging.safetensors": ("part_of_speech_tagging", {}),
    "optimisers.json": ("optimisers", {"part": "A real network"}),
    "order-matters.json": ("order_matters", {"part": "Words that decide"}),
    "order-matters.safetensors": ("order_matters", {"part": "Words that decide"}),
    "overfitting.json": ("overfitting", {"part": "Double descent"}),
    "patching.json": ("transformer_block", {"part": "Patching"}),
    "preferences.json": ("preferences", {}),
    "preferences.safetensors": ("preferences", {}),
    "perceptron.json": ("perceptron", {"part": "Starts"}),
    "positional-encoding.json": ("positional_encoding", {"part": "Beyond the trained length"}),
    "positional-encoding.safetensors": ("positional_encoding", {"part": "Encoding vectors"}),
    "text-quality.json": ("war_and_peace", {"view": "Is it good text?"}),
    "thirty-runs.json": ("thirty_runs", {"part": "Scaling"}),
    "vowels.json": ("n_grams", {"part": "Vowels, 1913"}),
    "reservoir-computing.json": ("reservoir_computing", {}),
    "reservoir-computing.safetensors": ("reservoir_computing", {"part": "Letters"}),
    "published-schedule.json": ("war_and_peace", {"view": "Models compared"}),
    "published-figures.json": ("published_figures", {}),
    "rnn-vs-lstm.json": ("rnn_vs_lstm", {}),
    "sequence-models-curves.json": ("sequence_models", {"shape": "Vector to curve"}),
    "sequence-models-curves.safetensors": ("sequence_models", {"shape": "Vector to curve"}),
    "stacked-layers.json": ("rnn_vs_lstm", {"part": "Stacked layers"}),
    "surprisal.json": ("surprisal", {}),
    "tokenization.json": ("byte_pair_encoding", {"part": "From the whole book"}),
    "war-and-peace.json": ("war_and_peace", {"view": "Models compared"}),
    "toy-tasks.json": ("sequence_models", {"shape": "Own task"}),
    "toy-tasks.safetensors": ("sequence_models", {"shape": "Own task"}),
    "instructions.json": ("assistant", {"part": "Instructions"}),
    "conversation.json": ("assistant", {"part": "Conversation"}),
    "conversation.safetensors": ("assistant", {"part": "Conversation"}),
    "translation.json": ("encoder_decoder", {"part": "Vector size"}),
    "multi30k-subwords.json": ("cross_attention", {}),
    "wikipedia.json": ("overfitting", {"part": "Wikipedia"}),
    "word2vec.json": ("word2vec", {}),
    "word2vec-contexts.safetensors": ("embeddings", {"part": "Shared contexts"}),
    "ngram-filter": ("war_and_peace", {"model": read_meta(SHIPPED / "book-lstm").title}),
    "ngram-filter-full": ("war_and_peace", {}),
    "book-subwords.json": ("byte_pair_encoding", {}),
    "o200k_base.tiktoken.xz": ("tokenization", {}),
    "r50k_base.tiktoken.xz": ("tokenization", {}),
    "source-subwords.json": (
        "war_and_peace",
        {"model": read_meta(SHIPPED / "subword-transformer").title},
    ),
    "full-subwords.json": ("attention", {}),
    "library-subwords.json": ("war_and_peace", {}),
    "wikipedia-subwords.json": ("overfitting", {"part": "Wikipedia"}),
    "iris.csv": ("number_of_clusters", {}),
    "digits.csv": ("convolution", {"part": "Digits"}),
}
EXPERIMENTS = {
    "book-masked-transformer": ("masked_language_model", {}),
    "masked-": ("masked_language_model", {"part": "80 / 10 / 10", "split_view": "Your sentence"}),
    "book-mlp": ("model_ladder", {"part": "Same prompt"}),
    "book-rnn": ("model_ladder", {"part": "Same prompt"}),
    "book-gru": ("model_ladder", {"part": "Same prompt"}),
    "book-assistant": ("assistant", {"part": "One prompt"}),
    "instructed-translator": ("assistant", {"part": "Instructions"}),
    "translation-attention": ("cross_attention", {}),
    "translation-transformer": ("cross_attention", {"translator": "Transformer"}),
    "translation-sampled": ("encoder_decoder", {"part": "Wrong word"}),
    "translation-one-vector": ("encoder_decoder", {}),
    "ablations": ("ablations", {"ablation": "Mask", "reveal": "mask"}),
    "name-generator": ("sequence_models", {"shape": "Vector to sequence"}),
    "speech": ("sequence_models", {"shape": "Sequence to vector"}),
    "wikipedia-transformer": ("overfitting", {"part": "Wikipedia"}),
    "word-reverser": ("sequence_models", {"shape": "Sequence to sequence"}),
}


def page_of(path):
    """Return a page that reads a file, and what a link to it asks for."""
    if not path.is_relative_to(ASSETS / "checkpoints"):
        return RESULTS.get(path.parent.name) or RESULTS[path.name]
    if path.name == META_FILE:
        return "about", {}
    meta = read_meta(path.parent)
    model = read_meta(path.parents[1] / (meta.snapshot_of or meta.name)).title
    if meta.vocabulary == WORDS:
        part = "During training" if meta.snapshot_of else "Neighbours"
        return "embeddings", {"part": part, "model": model}
    for name, page in EXPERIMENTS.items():
        if meta.name.startswith(name):
            return page
    asked = {"snapshot": f"{meta.steps:,}"} if meta.snapshot_of else {}
    return "war_and_peace", {"model": model, **asked}


def cut(content):
    return content[: len(content) // 2]


def altered(content):
    return content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]


class Disk:
    """Gives one file's content changed, None for a file that is gone, and counts who reads it."""

    def __init__(self, monkeypatch):
        self.path, self.content, self.n_reads = None, None, 0
        self._read = Path.read_bytes
        monkeypatch.setattr(Path, "read_bytes", lambda path: self._bytes(path))
        monkeypatch.setattr(
            Path, "read_text", lambda path, encoding=None, errors=None: self._text(path, encoding)
        )

    def damage(self, path, harm):
        self.path = path
        self.content = None if harm is None else harm(self._read(path))
        vocabulary_named.cache_clear()
        shipped_vocabulary.cache_clear()

    def _bytes(self, path):
        if path != self.path:
            return self._read(path)
        self.n_reads += 1
        if self.content is None:
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return self.content

    def _text(self, path, encoding):
        return self._bytes(path).decode(encoding or "utf-8").replace("\r\n", "\n")


@pytest.fixture
def shipped_once():
    """Nothing: every test reads what it has damaged."""


@pytest.fixture
def disk(no_workers, monkeypatch):
    monkeypatch.setattr(tokenizers, "load_ranked_tokenizer", load_ranked_tokenizer)
    yield Disk(monkeypatch)
    vocabulary_named.cache_clear()
    shipped_vocabulary.cache_clear()


def messages(app):
    return [alert.value.replace("\\", "") for alert in [*app.error, *app.warning, *app.info]]


@pytest.mark.parametrize("path", FILES, ids=lambda p: "/".join(p.parts[-2:]))
def test_a_damaged_file_is_named_where_it_is_read(path, disk):
    address, asked = page_of(path)
    disk.damage(path, cut)
    app = visit(f"pages/{address}/page.py", **asked)
    assert disk.n_reads
    assert app.title
    named = path.name if path in (IRIS, DIGITS) else shown(path.parent)
    assert any(named in text or path.name in text for text in messages(app))
    assert not any(str(ASSETS.parent) in text for text in messages(app))


@pytest.mark.slow
@pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.address)
def test_no_damaged_file_breaks_a_page(spec, disk):
    for path, harm in zip(FILES, cycle((cut, altered, None)), strict=False):
        st.cache_data.clear()
        st.cache_resource.clear()
        disk.damage(path, harm)
        app = visit(spec.path)
        assert app.title, path
        assert not any(str(ASSETS.parent) in text for text in messages(app)), path
