"""The settings that decide whether a classroom works are in force."""

import gc
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import streamlit as st
import torch

from pages.shared.server import start
from pages.shared.ui import appearance

ROOT = Path(__file__).resolve().parents[2]
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("runner.postScriptGC", False),
        ("runner.magicEnabled", False),
        ("server.fileWatcherType", "none"),
        ("server.enableXsrfProtection", True),
        ("server.maxUploadSize", 16),
        ("server.maxMessageSize", 50),
        ("server.enableAgentApi", False),
        ("global.maxCachedMessageAge", 60),
        ("client.showErrorDetails", "none"),
        ("client.toolbarMode", "minimal"),
        ("browser.gatherUsageStats", False),
    ],
)
def test_server_settings(option, value):
    assert st.get_option(option) == value


def test_the_settings_reach_a_server_started_elsewhere(tmp_path):
    """`streamlit run` reads the file beside the script, wherever it is started from."""
    source = (
        "from streamlit import config\n"
        f"config._main_script_path = {str(ROOT / 'app.py')!r}\n"
        "print(config.get_option('runner.postScriptGC'), config.get_option('server.fileWatcherType'))"
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STREAMLIT_")}
    finished = subprocess.run(
        [sys.executable, "-c", source],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert finished.stdout.split() == ["False", "none"]


def test_palettes_are_complete():
    theme = CONFIG["theme"]
    assert len(theme["chartSequentialColors"]) == 10  # exactly ten, or Streamlit ignores them
    assert len(theme["chartDivergingColors"]) == 10
    assert len(set(theme["chartCategoricalColors"])) == len(theme["chartCategoricalColors"])


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_stands_out(mode):
    colours = CONFIG["theme"][mode]
    for paper in (colours["backgroundColor"], colours["secondaryBackgroundColor"]):
        assert contrast(colours["textColor"], paper) >= 7
        assert contrast(colours["linkColor"], paper) >= 4.5
        assert contrast(colours["primaryColor"], paper) >= 4.5
    assert appearance._TEXT_COLOUR[mode] == colours["textColor"]


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("colour", ["#0072B2", "#D55E00", "#009E73", "#808080"])
def test_marks_stand_out(mode, colour):
    assert contrast(colour, CONFIG["theme"][mode]["backgroundColor"]) >= 3


def test_contrast_of_black_on_white_is_21():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


def test_boot_leaves_the_libraries_out_of_garbage_collection():
    start.boot()
    assert torch.get_num_threads() == 1
    assert gc.get_freeze_count() > 100_000
