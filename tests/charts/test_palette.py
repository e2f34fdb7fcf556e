"""One colour has one meaning, whichever page draws it."""

import pytest

from pages.inside_a_cell.settings import _COLOURS
from pages.model_ladder.rungs import STYLES as LADDER
from pages.rnn_vs_lstm.accuracy import STYLES as RECALL


@pytest.mark.parametrize("network", ["RNN", "GRU", "LSTM"])
def test_a_network_has_one_colour_on_all_pages(network):
    colours = {LADDER[network].colour, RECALL[network].colour, _COLOURS[network.lower()]}
    assert len(colours) == 1
