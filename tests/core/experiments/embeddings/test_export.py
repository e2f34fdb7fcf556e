"""Word vectors as files: gensim and the Embedding Projector read what was written."""

import csv
import io

import numpy as np
import pytest
import torch

from lm_core.experiments.embeddings.export import (
    projector_metadata,
    projector_vectors,
    vectors_csv,
    word2vec_text,
)

WORDS, COUNTS = ("the", "don't", "café"), (9, 4, 1)
VECTORS = torch.tensor([[0.5, -1.25e-7], [123456.0, 0.0], [-3.0, 1 / 3]])


def test_gensim_loads_the_text_format(tmp_path):
    models = pytest.importorskip("gensim.models")
    path = tmp_path / "vectors.txt"
    path.write_text(word2vec_text(WORDS, VECTORS), encoding="utf-8")
    loaded = models.KeyedVectors.load_word2vec_format(str(path), binary=False)
    assert tuple(loaded.index_to_key) == WORDS
    np.testing.assert_allclose(loaded.vectors, VECTORS, rtol=1e-4)


def test_the_projectors_two_files_have_a_line_for_each_word():
    vectors = projector_vectors(VECTORS)
    assert np.loadtxt(io.StringIO(vectors), delimiter="\t") == pytest.approx(
        VECTORS.numpy(), rel=1e-4
    )
    assert projector_metadata(WORDS, COUNTS) == "word\tcount\nthe\t9\ndon't\t4\ncafé\t1\n"


def test_a_table_has_a_heading():
    rows = list(csv.reader(io.StringIO(vectors_csv(WORDS, VECTORS))))
    assert rows[0] == ["word", "x0", "x1"]
    assert rows[2] == ["don't", "1.2346e+05", "0"]
    with pytest.raises(ValueError, match="zip"):
        vectors_csv(WORDS[:2], VECTORS)
