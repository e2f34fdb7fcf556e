"""The part on padding: its cells, and what waits for the guess."""

from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.cross_attention.batch import _SHORT
from pages.shared.numbers import percent
from tests.pages.visits import data, guess, shows, visit

PAGE = "pages/cross_attention/page.py"


def test_the_weights_without_the_mask_wait_for_the_guess():
    app = visit(PAGE, part="Padding")
    cells = data(app, "padded_batch")
    own = len(shipped_vocabulary().read(_SHORT))
    first = cells[cells["row"] == "1: the mask"]
    assert first["weight"].tolist() == [1.0] * own + [0.0] * (len(first) - own)
    assert cells[cells["row"] == "1: without"]["weight"].isna().all()
    app = guess(app, "padding", 2)
    cells = data(app, "padded_batch")
    without = cells[cells["row"] == "1: without"]
    lost = without["weight"][without["token"] == "padding"].sum()
    assert shows(app, f"**{percent(lost)}**")
    masked = cells[cells["row"] == "1: with it"]
    assert masked["weight"][masked["token"] == "padding"].eq(0.0).all()
