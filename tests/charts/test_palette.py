"""One colour has one meaning, whichever page draws it."""

import numpy as np
import pytest

from pages.inside_a_cell.settings import _COLOURS
from pages.model_ladder.ladder_models import STYLES as LADDER
from pages.rnn_vs_lstm.accuracy import STYLES as RECALL
from pages.shared.charts import vega_lite as vl
from pages.shared.charts.palette import SIGNED, VIRIDIS, inks_on


@pytest.mark.parametrize("network", ["RNN", "GRU", "LSTM"])
def test_a_network_has_one_colour_on_all_pages(network):
    colours = {LADDER[network].colour, RECALL[network].colour, _COLOURS[network.lower()]}
    assert len(colours) == 1


@pytest.mark.parametrize("colours", [SIGNED, VIRIDIS])
def test_what_is_written_on_any_place_of_a_scale_is_legible(colours):
    places = np.linspace(0.0, 1.0, 501)
    parts = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in colours])
    for place, ink in zip(places, inks_on(places, colours), strict=True):
        rgb = [np.interp(place, np.linspace(0, 1, len(colours)), part) for part in parts.T]
        low, high = sorted((luminance(rgb), luminance([int(ink[1:3], 16) / 255] * 3)))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_on_a_scale_that_is_never_dark_all_is_written_in_black():
    ink = vl.ink("share", ("#ffffff", "#eeeeee"))
    assert ink == {"condition": {"test": "false", "value": "#ffffff"}, "value": "#000000"}


def luminance(rgb):
    """As WCAG 2.2 defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
