"""On a phone, charts that are far from the screen are drawn once a visitor comes near them."""

import pytest
from playwright.sync_api import expect

PAGE = "inside-a-cell?reveal=right"
PHONE = {"width": 390, "height": 844, "is_mobile": True, "has_touch": True}
CHARTS = "[class*=st-key-charted_]"
VIEWS = f"{CHARTS} .stVegaLiteChart :is(svg.marks, canvas)"


@pytest.mark.parametrize("device", [PHONE, {}], ids=["phone", "laptop"])
def test_only_a_phone_waits_with_the_charts_that_nobody_sees(lab, visit, device):
    page = visit(f"{lab}/{PAGE}", **device)
    charts, views = page.locator(CHARTS), page.locator(VIEWS)
    expect(page.locator(f".st-key-picture {VIEWS}").first).to_be_visible()
    n_charts, is_phone = charts.count(), bool(device)
    assert n_charts > 3
    far = charts.last.locator(".stVegaLiteChart")
    if is_phone:
        expect(far).to_be_hidden()
        assert views.count() < n_charts
    charts.last.scroll_into_view_if_needed()
    expect(charts.last.locator("svg.marks")).to_be_visible()
    if not is_phone:
        expect(views).to_have_count(n_charts)
