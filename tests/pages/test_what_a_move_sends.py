"""A moved control sends little: thirty phones share one access point."""

import asyncio
from dataclasses import dataclass, field

import pytest

from tests.benchmarks.controls import show_answers
from tests.benchmarks.visitor import Visitor, connect
from tests.browser.conftest import ROOT, serving

MOST = 40_000  # bytes that a move may send
ABOVE = {
    ("n-grams?part=Unseen", "counted"): 72_000,  # a picture of 343,000 cells
    ("n-grams?part=As+a+network", "network_k"): 68_750,  # five charts, two of them of 729 squares
    ("inside-a-cell", "learning_rate"): 99_450,  # two networks' states, gradients, losses, unrolled
    (
        "estimation",
        "method",
    ): 63_300,  # the estimates of two samples, each of 1,300 points; their names in two lines
    ("attention", "model"): 63_600,  # the weights of all heads, of other tokens
    (
        "attention",
        "sentence",
    ): 44_200,  # controls say whole sentences; what is at a bar ends in its panel
}
"""The moves known to send more, and their ceilings.

They fall; they have risen by some 210 bytes a chart when its distances were told in its own pixels, without
which names lie 14 pixels further right after the presenter view; and three of them by 200 to 450 when each page got
a fold that says how it is taught in ten minutes.
"""
MOVES = (
    ("", "my_work", True),
    ("lessons", "open_counting-to-attention", True),
    ("lessons", "find_minutes", ["up to 10"]),
    ("lessons?lesson=counting-to-attention&teacher=1", "sheet", True),
    ("attention", "sentence", "Natasha came to Prince Andrew, and she kissed him"),
    ("attention", "head", ["2"]),
    ("attention", "query", [3.0]),
)
"""Page, control and value; a new sentence changes all numbers."""
ANSWERED = (
    MOVES[0],
    ("attention", "model", "Transformer 4 x 256"),
    ("n-grams?part=Unseen", "counted", ["The book"]),
    ("n-grams?part=Unseen", "matrix_n", ["2"]),
    ("n-grams?part=As+a+network", "network_k", ["0.1"]),
    ("inside-a-cell", "learning_rate", ["0.001"]),
    ("estimation", "method", ["Logistic"]),
    ("overfitting?part=Double+descent", "noise", ["0.0"]),
    ("perceptron?part=Activations", "function", "Tanh"),
    ("positional-encoding?part=T5+buckets", "buckets", ["16"]),
    ("optimisers?part=Race", "landscape", "Banana"),
    ("optimisers?part=Minibatches", "seed", 0),
    ("transformer-block?part=Units", "units_take_best", True),
)
"""Moves once the page's questions are answered, by which more is drawn."""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    with serving(ROOT, folder / "server.log", LM_LAB_HOME=str(folder / "home")) as address:
        yield address


@dataclass
class Watching(Visitor):
    """A visitor who notes where the server draws elements, in each move anew."""

    drawn: list[tuple[int, ...]] = field(default_factory=list)

    async def set(self, name, value):
        self.drawn.clear()
        return await super().set(name, value)

    def _note(self, answer):
        super()._note(answer)
        is_drawn = answer.WhichOneof("type") == "delta"
        if is_drawn and answer.delta.WhichOneof("type") == "new_element":
            self.drawn.append(tuple(answer.metadata.delta_path))


async def moved(address, page, name, value, *, answers=False):
    """Return a visitor to a page who has just moved a control."""
    async with connect(address) as socket:
        visitor = Watching(socket, page)
        await visitor.open_page()
        if answers:
            await show_answers(visitor)
        await visitor.set(name, value)
        return visitor


@pytest.mark.parametrize(("page", "name", "value"), MOVES)
def test_a_move_sends_little(address, page, name, value):
    opened, *_, sent = asyncio.run(moved(address, page, name, value)).sent
    assert sent < ABOVE.get((page, name), MOST)
    assert sent < opened


@pytest.mark.parametrize(("page", "name", "value"), ANSWERED)
def test_a_move_after_the_answers_sends_no_more_than_is_known_and_draws_nothing_twice(
    address, page, name, value
):
    visitor = asyncio.run(moved(address, page, name, value, answers=True))
    assert visitor.sent[-1] < ABOVE.get((page, name), MOST)
    assert len(visitor.drawn) == len(set(visitor.drawn)) > 0


async def on_the_network(address, page, name, values):
    """Return the bytes of each move as it travels, and as the browser reads it."""
    async with connect(address) as socket:
        visitor = Visitor(socket, page)
        await visitor.open_page()
        for value in values:
            await visitor.set(name, value)
        return visitor.travelled[1:], visitor.sent[1:]


def test_what_the_move_before_has_sent_hardly_travels_again(address):
    moves = asyncio.run(on_the_network(address, "attention", "query", [[3.0], [4.0], [5.0]]))
    *_, (travelled, read) = zip(*moves, strict=True)
    assert travelled < read / 4
