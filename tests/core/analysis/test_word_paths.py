"""Ways from word to word: those of scipy's own search, and none where nothing joins two words."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from scipy.sparse.csgraph import dijkstra

from lm_core.analysis.mean_vectors import mean_vector, search_sentences
from lm_core.analysis.word_paths import NeighbourGraph
from lm_core.analysis.word_space import WordSpace, unit_vectors
from lm_core.errors import SettingError, TextError
from lm_core.rng import generator
from lm_core.text.word_vocabulary import WordVocabulary

N = 60


def space_of(vectors):
    names = [f"w{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(len(vectors))]
    return WordSpace.of(WordVocabulary(names, range(len(names), 0, -1)), vectors)


@pytest.fixture(scope="module")
def space():
    return space_of(torch.randn(N, 8, generator=generator(3)))


def test_the_nearest_words_are_those_of_the_space(space):
    graph = NeighbourGraph.of(space, 4)
    for word in range(N):
        found = space.nearest(space.unit([word])[0], 4, exclude=[word])
        assert graph.ids[word].tolist() == [each.id for each in found]
        assert graph.cosines[word].tolist() == pytest.approx([each.cosine for each in found])


def test_ways_are_as_short_as_those_that_scipy_finds(space):
    graph = NeighbourGraph.of(space, 3)
    angles = np.full((N, N), np.inf)
    for word, (ids, cosines) in enumerate(zip(graph.ids, graph.cosines, strict=True)):
        for other, cosine in zip(ids.tolist(), cosines.tolist(), strict=True):
            angles[word, other] = angles[other, word] = np.arccos(cosine)
    expected = dijkstra(np.where(np.isinf(angles), 0, angles), directed=False)
    for first, last in ((0, 1), (5, 40), (59, 2), (17, 17)):
        way = graph.path(first, last)
        assert way[0] == (first, 1.0)
        assert way[-1][0] == last
        length = sum(np.arccos(cosine) for _, cosine in way[1:])
        assert length == pytest.approx(expected[first, last], abs=1e-5)
        for (a, _), (b, cosine) in pairwise(way):
            assert np.arccos(cosine) == pytest.approx(angles[a, b])


def test_no_way_leads_out_of_a_group_that_nothing_joins():
    left, right = torch.eye(6)[:3] + 0.1, -torch.eye(6)[:3] - 0.1
    graph = NeighbourGraph.of(space_of(torch.cat([left, right])), 2)
    assert graph.path(0, 4) == []
    assert len(graph.path(0, 2)) == 2
    with pytest.raises(SettingError, match=r"in 0\.\.5, got 6"):
        graph.path(0, 6)


# Sentences ------------------------------------------------------------------------------------


def test_a_text_is_the_mean_of_its_words_whatever_their_order(space):
    vector, unknown = mean_vector(space, "Waa, wab xyz wac XYZ.")
    assert torch.allclose(vector, unit_vectors(space.unit([0, 1, 2]).mean(0)))
    assert unknown == ("xyz",)
    assert torch.allclose(vector, mean_vector(space, "wac waa wab")[0])
    with pytest.raises(TextError, match="no word of “xyz 日本” has a vector"):
        mean_vector(space, "xyz 日本")


def test_sentences_are_found_by_their_cosine_and_those_without_a_vector_are_named(space):
    sentences = ["wba wbb", "waa wab", "xyz", "wab waa wzz"]
    matches, without = search_sentences(space, "waa wab", sentences)
    assert without == ["xyz"]
    assert {m.sentence for m in matches[:2]} == {"waa wab", "wab waa wzz"}
    assert matches[0].cosine == pytest.approx(1.0)
    assert [m.cosine for m in matches] == sorted((m.cosine for m in matches), reverse=True)
    assert {m.sentence: m.unknown for m in matches}["wab waa wzz"] == ("wzz",)
