"""Vega-Lite's own schema: what a test draws is compared with it, which a page at work has no time for."""

import json
from functools import cache
from pathlib import Path

import altair
import pytest
from jsonschema import Draft7Validator
from jsonschema.exceptions import best_match

from pages.shared.charts.drawing import Drawing


@cache
def _layered_charts():
    """Return what checks a chart of layers; the schema for all charts names no single fault."""
    path = Path(altair.__file__).parent / "vegalite/v6/schema/vega-lite-schema.json"
    definitions = json.loads(path.read_text(encoding="utf-8"))["definitions"]
    layered = {"$ref": "#/definitions/TopLevelLayerSpec", "definitions": definitions}
    return Draft7Validator(layered)


@cache
def fault_in(written):
    """Return what is wrong with a specification, written as JSON; empty if nothing is."""
    fault = best_match(_layered_charts().iter_errors(json.loads(written)))
    return f"{fault.json_path}: {fault.message}" if fault else ""


PAPERS = ("#FFFFFF", "#14171B")
"""What the two themes draw on, as in `.streamlit/config.toml`."""


def too_pale_in(spec):
    """Return the colours of texts that are not legible on either theme's paper; white and what is nearly black are for marks."""
    colours = {_of_text(layer) for layer in spec["layer"] if layer["mark"].get("type") == "text"}
    return [
        c
        for c in colours - {None, "#000000", "#1a1a1a", "#ffffff"}
        if min(contrasts(c, PAPERS)) < 4.5
    ]


def _of_text(layer):
    constant = layer.get("encoding", {}).get("color", {}).get("value")
    return constant or layer["mark"].get("color")


def contrasts(colour, papers):
    """Return the contrast of a colour with each paper, as WCAG computes it."""
    own = luminance(colour) + 0.05
    others = [luminance(paper) + 0.05 for paper in papers]
    return [max(own, other) / min(own, other) for other in others]


def luminance(colour):
    """Return the relative luminance of a colour written as ``#rrggbb``, from 0 to 1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.fixture
def compared_with_the_schema(monkeypatch):
    """Compare every chart that the test draws with Vega-Lite's schema, and its words with the paper."""
    make = Drawing.__new__

    def make_and_compare(cls, spec, *args, **kwargs):
        fault = fault_in(json.dumps(spec))
        assert not fault, fault
        assert not too_pale_in(spec)
        return make(cls, spec, *args, **kwargs)

    monkeypatch.setattr(Drawing, "__new__", make_and_compare)
