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


@pytest.fixture
def compared_with_the_schema(monkeypatch):
    """Compare every chart that the test draws with Vega-Lite's schema."""
    make = Drawing.__new__

    def make_and_compare(cls, spec, *args, **kwargs):
        fault = fault_in(json.dumps(spec))
        assert not fault, fault
        return make(cls, spec, *args, **kwargs)

    monkeypatch.setattr(Drawing, "__new__", make_and_compare)
