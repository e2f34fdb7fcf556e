"""The page on learning to count in front of a class: train, watch, ask what it never saw."""

import re
import zipfile
from pathlib import Path

from playwright.sync_api import expect

from lm_core.training.checkpoints import META_FILE, WEIGHTS_FILE
from tests.browser.conftest import FITS, settle, type_in


def test_it_is_trained_watched_and_asked(visit, lab):
    page = visit(f"{lab}/counting")
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text("4.99")
    expect(main).to_contain_text("After epoch 25 it continues 7 8 9 10")
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    settle(page)
    thumb = page.get_by_role("slider", name="Epoch")
    thumb.focus()
    thumb.press("End")
    expect(main).to_contain_text("After epoch 25")
    expect(main).to_contain_text("7 8 9 10 continues with 11 12")
    expect(page).to_have_url(re.compile("epoch=25"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Checkpoint").click()
    assert download.value.suggested_filename == "counting-normal-seed-0-epoch-25.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        assert [Path(name).name for name in archive.namelist()] == [META_FILE, WEIGHTS_FILE]

    type_in(page, "Prompt: numbers from 0 to 127", "7 8 128")
    expect(page.locator("[data-testid=stAlert]").first).to_contain_text("127")
    type_in(page, "Prompt: numbers from 0 to 127", "3 4 5")
    expect(main).to_contain_text("3 4 5 continues with 6")

    page.get_by_text("Hardly ever").click()
    page.get_by_role("button", name="Reveal").click()
    expect(main).to_contain_text("100.0 %")
    settle(page)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    assert main.evaluate(FITS), "scrolls sideways"
