"""What the server loads by itself is there when the first visitor comes; what is missing stops nothing."""

import pytest
import streamlit as st

from lm_core.errors import TextError
from pages.shared import serving
from pages.shared.models import tokenizers


@pytest.fixture(autouse=True)
def no_caches():
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def test_the_first_visitor_waits_for_no_published_tokenizer(monkeypatch):
    serving.preload()
    monkeypatch.setattr(tokenizers, "load_ranked_tokenizer", pytest.fail)
    assert [len(tokenizers.published_tokenizer(name)) for name in tokenizers.PUBLISHED] == [
        199_998,
        50_256,
    ]


def test_a_missing_tokenizer_is_left_to_who_asks_for_it(monkeypatch):
    asked = []

    def missing(ranks):
        asked.append(ranks)
        raise TextError("it is not here")

    monkeypatch.setattr(tokenizers, "load_ranked_tokenizer", missing)
    serving.preload()
    assert asked == list(tokenizers.PUBLISHED.values())
