"""The part on padding: its cells, what waits for the guess, and what the answers say."""

from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.cross_attention.batch import _SHORT, _read
from pages.shared.models.translation import ATTENTION, EXAMPLES, TRANSFORMER
from pages.shared.numbers import percent
from tests.pages.answering import assert_says
from tests.pages.visits import data, guess, shows, visit

PAGE, ADDRESS = "pages/cross_attention/page.py", "cross-attention"


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


def test_answers_say_what_the_models_do():
    gru, transformer = (_read(name, EXAMPLES[0].english) for name in (ATTENTION, TRANSFORMER))
    shares = [percent(found.unmasked.on_padding[0]) for found in (transformer, gru)]
    assert_says(ADDRESS, "Choose the other model.", *shares)
    for found in (gru, transformer):
        assert found.texts[0][0] == "Un homme dort."
        assert found.texts[0][1].startswith("Un homme dort ")
        assert found.texts[2][0] == found.texts[2][1]
    padding = gru.masked.weights.shape[1] - len(gru.symbols[0])
    assert_says(ADDRESS, "Compare the two translations", str(padding))
