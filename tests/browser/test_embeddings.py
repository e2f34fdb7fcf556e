"""Words in a browser: a misspelt word, a click on a bar, a space to be turned, a training stopped."""

import re

import pytest
from playwright.sync_api import expect

from lm_core.text.word_vocabulary import WORDS
from lm_core.training.checkpoints import list_checkpoints
from tests.browser.conftest import FITS, go, settle, wait_until

needs_vectors = pytest.mark.skipif(
    not any(meta.vocabulary == WORDS for meta in list_checkpoints()),
    reason="no word vectors are shipped",
)


def stays_within(page):
    main = page.locator("[data-testid=stMain]")
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    assert main.evaluate(FITS), "scrolls sideways"


def field_of(page, label):
    return page.get_by_role("textbox", name=label, exact=True)  # bars, too, are labelled with words


@needs_vectors
@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.slow), 390])
def test_every_part_is_drawn_and_nothing_sticks_out(visit, lab, width):
    page = visit(f"{lab}/embeddings?word=hand&other=arm", width=width, height=844)
    parts = page.locator(".st-key-part").get_by_role("radio")
    for part in range(parts.count()):
        parts.nth(part).click()
        expect(parts.nth(part)).to_be_checked()
        settle(page)
        charts = page.locator("[data-testid=stVegaLiteChart] svg.marks, .passages")
        expect(charts.locator("visible=true").first).to_be_visible()
        stays_within(page)


@needs_vectors
def test_a_misspelt_word_is_mended_and_a_bar_is_clicked(visit, lab):
    page = visit(f"{lab}/embeddings?part=Neighbours")
    field_of(page, "Word").fill("fahter")
    field_of(page, "Word").press("Enter")
    page.get_by_role("button", name="father", exact=True).click()
    expect(page).to_have_url(re.compile("word=father"))
    bars = page.locator(".st-key-bars_input .mark-rect path")
    bars.nth(2).click()
    expect(field_of(page, "Compared with")).not_to_have_value("queen")
    settle(page)
    other = field_of(page, "Compared with").input_value()
    expect(page).to_have_url(re.compile(f"other={other}"))


@pytest.mark.slow
@needs_vectors
def test_the_space_is_turned_by_hand_and_by_its_controls_and_the_link_keeps_these(visit, lab):
    page = visit(f"{lab}/embeddings?part=Map&projection=3-D&reveal=preservation")
    settle(page)
    scene = page.locator(".st-key-space .gl-container canvas").first
    expect(scene).to_be_visible()
    before = eye_of(page)

    def is_turned_by_hand():  # once Plotly listens to the mouse
        box = scene.bounding_box()
        page.mouse.move(box["x"] + 200, box["y"] + 200)
        page.mouse.down()
        page.mouse.move(box["x"] + 320, box["y"] + 240, steps=6)
        page.mouse.up()
        return eye_of(page) != before

    wait_until(page, is_turned_by_hand)
    turn = page.get_by_role("slider", name="Turned by")
    turn.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("turn=31"))
    settle(page)
    go(page, page.url)
    expect(page.get_by_role("slider", name="Turned by")).to_have_value("31")


@needs_vectors
def test_the_words_of_the_map_are_clustered_on_the_page_on_clusters_and_back(visit, lab):
    asked = (
        "projection=PCA&shown=around+the+word&reveal=preservation&points=40"
        "&coloured=k-means+cluster&map_clusters=3&word=tea"
    )
    page = visit(f"{lab}/embeddings?{asked}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Cluster these 40 words step by step").click()
    page.wait_for_url(re.compile("/clustering"))
    settle(page)
    expect(page.get_by_role("slider", name="Clusters K")).to_have_value("3")
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("textbox", name="Words to cluster")).to_have_value(re.compile("tea"))
    canvas = page.locator(".panels canvas").first
    expect(canvas).to_have_attribute("aria-label", re.compile(r"3: \d+"))
    counts = re.findall(r"\d: (\d+)", canvas.get_attribute("aria-label"))
    assert sum(map(int, counts)) == 40
    expect(page.locator(".st-key-link_notes [data-testid=stAlert]")).to_have_count(0)
    page.get_by_role("link", name=re.compile("on the map, in 3 clusters")).click()
    page.wait_for_url(re.compile("/embeddings"))
    settle(page)
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("slider", name="Clusters K")).to_have_value("3")
    expect(page.locator(".st-key-link_notes [data-testid=stAlert]")).to_have_count(0)


@needs_vectors
def test_on_a_phone_the_space_fits_and_small_controls_stand_in_pairs(visit, lab):
    asked = "projection=3-D&reveal=preservation&shown=around+the+word"
    page = visit(f"{lab}/embeddings?{asked}", width=390, height=844)
    settle(page)
    scene = page.locator(".st-key-space .gl-container canvas").first
    expect(scene).to_be_visible()
    box = scene.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.get_by_role("button", name="More").click()

    def are_side_by_side():  # once the popover has come to rest
        left, right = (
            page.locator(f".st-key-{name}").bounding_box() for name in ("points", "coloured")
        )
        are_level = abs(left["y"] + left["height"] - right["y"] - right["height"]) < 2
        return are_level and left["x"] + left["width"] <= right["x"]

    wait_until(page, are_side_by_side)
    stays_within(page)


@needs_vectors
def test_on_a_phone_every_column_of_the_matrix_has_its_name(visit, lab):
    words = "father mother brother sister rain snow wind storm bread wine meat tea"
    page = visit(
        f"{lab}/embeddings?part=Several+words&words={words.replace(' ', '+')}",
        width=390,
        height=844,
    )
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    expect(chart.locator("svg")).to_be_visible()
    drawn = chart.locator("svg text").evaluate_all(
        "all => all.filter((one) => one.getAttribute('opacity') !== '0').map((one) => one.textContent)"
    )
    assert {word: drawn.count(word) for word in words.split()} == dict.fromkeys(words.split(), 2)
    stays_within(page)


def eye_of(page):
    """Where Plotly's camera is."""
    return page.locator(".st-key-space .js-plotly-plot").evaluate(
        "plot => JSON.stringify(plot._fullLayout.scene._scene.getCamera().eye)"
    )


def test_a_training_is_stopped_and_goes_on(visit, lab):
    page = visit(f"{lab}/word2vec?epochs=15&reveal=company")
    main = page.locator("[data-testid=stMain]")
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_role("button", name="Stop").click()
    expect(main).to_contain_text("· stopped")
    page.get_by_role("button", name="Go on").click()
    expect(main).to_contain_text("780 of 780 steps")
    settle(page)
    expect(main.locator("strong", has_text="100 %").filter(has_text="25")).to_be_visible()
    stays_within(page)


def test_a_strangers_text_stays_text(visit, lab):
    page = visit(f"{lab}/word2vec?text=Your+own&least=1", width=390, height=844)
    hostile = "<img src=x onerror=alert(1)> **bold** $x$ <!----> " + " ".join(
        f"{a} met {b} in the wood" for a in ("anna", "bert", "carl") for b in ("dora", "emil")
    )
    field = page.get_by_label("Your text")
    field.fill(f"{hostile} " * 6)
    field.press("Control+Enter")
    settle(page)
    expect(page.locator(".passages")).to_contain_text(
        "img src=x onerror=alert(1)> **bold** $x$ <!----> anna"
    )
    assert page.locator(".passages img").count() == 0
    stays_within(page)
