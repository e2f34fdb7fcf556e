"""What may be asked of the recall experiment, and what is said when it may not."""

import pytest

from lm_core.errors import SettingError
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.settings import (
    PROTOCOLS,
    RecallSettings,
    protocol_settings,
    read_lengths,
    with_changes,
)

GOOD = {"backbone": "rnn", "lengths": (4, 8), "seeds": (0, 1)}
CHANGES = {"n_seeds": 2, "width": 8, "learning_rate": 0.1, "clip": 0.0, "epochs": 10}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"backbone": "elephant"}, r"backbone must be one of rnn, .*, got 'elephant'"),
        ({"lengths": (1,)}, r"lengths must be between 2 and 128, got 1$"),
        ({"lengths": (4, 10_000)}, r"lengths must be between 2 and 128, got 10,000"),
        ({"lengths": ()}, "lengths must name at least one"),
        ({"seeds": (-1,)}, r"seeds must be between 0 and 1,000,000, got -1"),
        ({"width": 0}, r"width must be between 1 and 128, got 0"),
        ({"vocabulary": 2}, r"vocabulary must be between 4 and 1,024, got 2"),
        ({"vocabulary": 8}, r"lengths must be below the vocabulary of 8 symbols, got 8"),
        ({"epochs": 0}, r"epochs must be between 1 and 1,000, got 0"),
        ({"learning_rate": 3.0}, r"learning rate must be between 1e-05 and 1.0, got 3.0"),
        ({"learning_rate": float("nan")}, "learning rate must be between"),
        ({"clip": -1.0}, r"clip must be between 0.001 and 1,000.0, got -1.0"),
        (
            {"backbone": "attention", "width": 7},
            r"width must be a multiple of 2 for attention, got 7",
        ),
        ({"seeds": range(40)}, r"at most 64 networks, got 2 lengths x 40 seeds"),
    ],
)
def test_what_is_out_of_range_is_told_with_the_range(changed, message):
    with pytest.raises(SettingError, match=message):
        RecallSettings(**{**GOOD, **changed})


def test_networks_are_every_length_with_every_seed_longest_first():
    settings = RecallSettings("rnn", (4, 8, 4), (3, 1))
    assert settings.networks == ((8, 3), (8, 1), (4, 3), (4, 1))


@pytest.mark.parametrize(
    ("written", "lengths"),
    [("4 8 12", (4, 8, 12)), ("12, 4,4", (4, 12)), ("4-10", (4, 6, 8, 10)), ("100", (100,))],
)
def test_lengths_are_read_as_people_write_them(written, lengths):
    assert read_lengths(written) == lengths


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("", "at least one, from 2 to 128"),
        ("1", "between 2 and 128, got 1"),
        ("10000", "between 2 and 128, got 10,000"),
        ("4 to 8", "whole numbers from 2 to 128, such as 4 8 12 or 4-18, got 'to'"),
        ("-4", "whole numbers"),
        ("4.5", "whole numbers"),
        ("4-8-12", "whole numbers"),
        ("99999999999999999999", "whole numbers"),
        ("²", "whole numbers"),
        ("18-4", "at least one"),
    ],
)
def test_what_are_no_lengths_is_told_with_the_range(written, message):
    with pytest.raises(SettingError, match=message):
        read_lengths(written)


def test_what_a_visitor_types_replaces_the_protocols_settings():
    settings = with_changes(RecallSettings(**GOOD), **CHANGES)
    assert settings.seeds == (0, 1)
    assert (settings.hidden_units, settings.clip, settings.epochs) == (8, None, 10)
    assert with_changes(settings, **{**CHANGES, "clip": 0.5}).clip == 0.5


@pytest.mark.parametrize("n_seeds", [0, 65])
def test_the_number_of_seeds_has_a_range_too(n_seeds):
    with pytest.raises(SettingError, match=f"seeds must be between 1 and 64, got {n_seeds}"):
        with_changes(RecallSettings(**GOOD), **{**CHANGES, "n_seeds": n_seeds})


def test_the_original_protocol_is_the_notebooks():
    settings = protocol_settings("original", "rnn", [4], [0])
    assert (settings.vocabulary, settings.hidden_units) == (512, 32)
    assert (settings.epochs, settings.learning_rate, settings.clip) == (100, 0.1, None)
    assert not settings.torch_biases


@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
@pytest.mark.parametrize("backbone", sorted(BACKBONES))
def test_every_protocol_fits_every_backbone_up_to_the_longest_length(protocol, backbone):
    assert protocol_settings(protocol, backbone, [2, 100], [0]).backbone == backbone


def test_an_unknown_protocol_is_refused_by_name():
    with pytest.raises(SettingError, match="protocol must be one of original, clipped, got 'x'"):
        protocol_settings("x", "rnn", [4], [0])
