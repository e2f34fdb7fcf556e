"""Under the server's own Content-Security-Policy everything still works: a browser refuses nothing.

The other tests' tabs are told to overlook the policy, because Playwright itself evaluates strings.
"""

import pytest

from pages.shared.registry import PAGES
from tests.browser.conftest import ROOT, RUN_IS_OVER, serving

CHARTS = [
    "clustering",
    "attention",
    "tokenization",
    "embeddings",
    "war-and-peace",
    "published-figures",
]
"""Each kind of picture: charts, components, tables, code for phones, the text that is painted."""


@pytest.fixture
def strict(chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.set_default_timeout(90_000)
    page.refused = []
    for event in ("console", "pageerror"):
        page.on(event, lambda said: page.refused.append(getattr(said, "text", str(said))))
    yield page
    context.close()


def violations(page):
    words = ("Content Security Policy", "EvalError", "Permissions policy", "Refused to")
    return [said for said in page.refused if any(word in said for word in words)]


def opened(page, address):
    page.goto(address)
    page.locator("[data-testid=stMain] h1").first.wait_for()
    page.locator(RUN_IS_OVER).wait_for()


def test_a_violation_would_be_seen(strict, lab):
    opened(strict, f"{lab}/about")
    assert violations(strict) == []
    strict.evaluate(
        "() => { const s = document.createElement('script');"
        "s.src = 'http://127.0.0.1:1/x.js'; document.head.append(s) }"
    )
    strict.wait_for_timeout(500)
    assert violations(strict)


@pytest.mark.parametrize("address", CHARTS)
def test_nothing_that_a_page_draws_is_refused(strict, lab, address):
    opened(strict, f"{lab}/{address}")
    drawn = strict.locator("canvas, svg.marks, .stBidiComponent")
    drawn.locator("visible=true").first.wait_for()
    strict.wait_for_timeout(1_000)
    assert violations(strict) == []


def test_the_map_in_three_dimensions_is_drawn(strict, lab):
    opened(strict, f"{lab}/embeddings?part=Map&projection=3-D&reveal=preservation")
    strict.locator(".js-plotly-plot").first.wait_for()
    strict.wait_for_timeout(2_000)
    assert violations(strict) == []


def test_a_chart_is_saved_as_a_picture(strict, trial):
    opened(strict, trial)
    strict.get_by_role("button", name="Data and export").click()
    with strict.expect_download() as saved:
        strict.get_by_role("button", name="Save next-character as PNG", exact=True).click()
    assert saved.value.suggested_filename == "next-character.png"
    assert violations(strict) == []


PLATFORM = "https://moodle.example.org"


@pytest.fixture(scope="module")
def framed_lab(tmp_path_factory):
    """The address of a lab whose pages a learning platform may show."""
    folder = tmp_path_factory.mktemp("framed")
    framed_by = f"'self' {PLATFORM}"
    with serving(
        ROOT, folder / "log", LM_LAB_HOME=str(folder), LM_LAB_FRAMED_BY=framed_by
    ) as address:
        yield address


def embedded(page, origin, code):
    """Open a page of another origin that holds this code."""
    page.context.grant_permissions(["local-network-access"], origin=origin)
    page.context.route(
        f"{origin}/**", lambda route: route.fulfill(content_type="text/html", body=code)
    )
    page.goto(f"{origin}/course")
    return page.frame_locator("iframe")


def test_a_platform_that_is_allowed_shows_a_page_by_the_code_that_the_page_offers(
    strict, framed_lab
):
    opened(strict, f"{framed_lab}/attention?query=3")
    strict.get_by_role("button", name="Link", exact=True).click()
    code = strict.locator("code", has_text="<iframe").text_content()
    assert "&amp;embed=true" in code
    lan = code.split('src="')[1].split("/attention")[0]
    frame = embedded(strict, PLATFORM, code.replace(lan, framed_lab))
    frame.locator("h1", has_text="Attention heads").wait_for()
    frame.locator(RUN_IS_OVER).wait_for()
    frame.get_by_text("03 ·Prince", exact=False).first.wait_for()
    assert not frame.get_by_test_id("stHeader").is_visible()
    assert frame.locator("h1").bounding_box()["y"] < 60  # below the platform's edge, not its menu
    assert violations(strict) == []


def test_a_platform_that_is_not_named_shows_nothing(strict, framed_lab, lab):
    for origin, address in (("https://other.example.org", framed_lab), (PLATFORM, lab)):
        with strict.expect_event("requestfailed") as failed:
            embedded(strict, origin, f'<iframe src="{address}/about"></iframe>')
        assert failed.value.failure == "net::ERR_BLOCKED_BY_RESPONSE"
    assert violations(strict)
    opened(strict, f"{lab}/attention")
    strict.get_by_role("button", name="Link", exact=True).click()
    strict.get_by_text("The long link").wait_for()
    assert strict.locator("code", has_text="<iframe").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("address", [spec.address for spec in PAGES])
def test_no_part_of_any_page_is_refused_anything(strict, lab, address):
    opened(strict, f"{lab}/{address}")
    for i in range(strict.locator(".st-key-part button").count()):
        strict.locator(".st-key-part button").nth(i).click()
        strict.wait_for_timeout(500)
        strict.locator(RUN_IS_OVER).wait_for()
        strict.wait_for_timeout(1_000)
    assert violations(strict) == []
