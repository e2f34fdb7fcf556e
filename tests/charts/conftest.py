"""For all tests of charts: each is compared with Vega-Lite's schema."""

import pytest

from tests.vega_lite_schema import compared_with_the_schema  # noqa: F401  a fixture


@pytest.fixture(autouse=True)
def every_chart(compared_with_the_schema):  # noqa: F811
    """Compare all of them."""
