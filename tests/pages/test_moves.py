"""Another page opens on its own settings, whatever the pages before have set."""

import pytest

from pages.shared.registry import LESSONS, page_at
from tests.pages.moving import drawn, move
from tests.pages.visits import arrive, visit

SOME = (
    "clustering",
    "number-of-clusters",
    "estimation",
    "gradients",
    "optimisers",
    "inside-a-cell",
    "n-grams",
)
"""Of these, several have a seed, a step, parts, points, clusters and data."""


@pytest.mark.parametrize(
    "addresses",
    [
        pytest.param(SOME, id="some"),
        pytest.param([spec.address for spec in LESSONS], id="all", marks=pytest.mark.slow),
    ],
)
def test_a_page_opened_by_the_menu_takes_nothing_from_the_pages_before(addresses):
    """Twice round: what a page would take, it takes when it is drawn for the second time."""
    opened = {address: drawn(arrive(page_at(address).path)) for address in addresses}
    app = visit(page_at(addresses[-1]).path)
    for address in addresses:
        app.query_params.clear()  # as a browser does of what the page before has controls for
        app.switch_page(page_at(address).path).run().run()
        assert drawn(app) == opened[address], address
        move(app, opened[address])
