"""Word vectors as a model: saved with their words, and written as the files that other programs read."""

import csv
import io

import numpy as np
import pytest
import torch

from lm_core.errors import SettingError
from lm_core.models import embeddings
from lm_core.text.word_vocabulary import WordVocabulary

VOCABULARY = WordVocabulary(("the", "café", "don't"), (9, 4, 1))


def test_words_travel_with_their_vectors():
    input, output = torch.arange(6.0).view(3, 2), -torch.arange(6.0).view(3, 2)
    model = embeddings.WordVectors.of(VOCABULARY, input, output)
    again = embeddings.WordVectors(model.config)
    again.load_state_dict(model.state_dict())
    assert again.vocabulary == VOCABULARY
    assert torch.equal(again.input, input)
    assert torch.equal(again.output, output)
    assert again.parameter_count == 12
    few = model.most_frequent(2)
    few.input.data += 1.0
    assert few.vocabulary == WordVocabulary(("the", "café"), (9, 4))
    assert model.input[0, 0] == 0.0
    with pytest.raises(SettingError, match="width must be at least 1, got 0"):
        embeddings.WordVectorsConfig(3, 0, 9)


# As files ---------------------------------------------------------------------------------------

WORDS, COUNTS = ("the", "don't", "café"), (9, 4, 1)
VECTORS = torch.tensor([[0.5, -1.25e-7], [123456.0, 0.0], [-3.0, 1 / 3]])


def test_gensim_loads_the_text_format(tmp_path):
    models = pytest.importorskip("gensim.models")
    path = tmp_path / "vectors.txt"
    path.write_text(embeddings.word2vec_text(WORDS, VECTORS), encoding="utf-8")
    loaded = models.KeyedVectors.load_word2vec_format(str(path), binary=False)
    assert tuple(loaded.index_to_key) == WORDS
    np.testing.assert_allclose(loaded.vectors, VECTORS, rtol=1e-4)


def test_the_projectors_two_files_have_a_line_for_each_word():
    vectors = embeddings.projector_vectors(VECTORS)
    assert np.loadtxt(io.StringIO(vectors), delimiter="\t") == pytest.approx(
        VECTORS.numpy(), rel=1e-4
    )
    assert (
        embeddings.projector_metadata(WORDS, COUNTS) == "word\tcount\nthe\t9\ndon't\t4\ncafé\t1\n"
    )


def test_a_table_has_a_heading():
    rows = list(csv.reader(io.StringIO(embeddings.vectors_csv(WORDS, VECTORS))))
    assert rows[0] == ["word", "x0", "x1"]
    assert rows[2] == ["don't", "1.2346e+05", "0"]
    with pytest.raises(ValueError, match="zip"):
        embeddings.vectors_csv(WORDS[:2], VECTORS)
