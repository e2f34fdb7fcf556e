"""From a number to a vector: one-hot times matrix is a row of it, and why the bare number is none."""

import streamlit as st
import torch
from torch import Tensor

from lm_core.experiments.tokenization.integer_inputs import one_hot, row_products
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared import page
from pages.shared.charts.matrices import matrix_frame, matrix_panels
from pages.shared.charts.palette import visible
from pages.shared.charts.tokens import input_loss_chart, input_loss_frame
from pages.shared.models.language_models import model_named
from pages.shared.models.tokenizers import book_statistics
from pages.shared.numbers import percent, significant
from pages.shared.ui.lesson import provenance
from pages.tokenization.four_weights import four_weights

_MODEL = "source-lstm"
_ROWS = " aeiotnz"
_COLUMNS = 4
_NEURONS = 4


@st.cache_resource(max_entries=1, show_spinner="Opening the model")
def _embedding() -> tuple[Tensor, CheckpointMeta]:
    """Return the trained embedding of a shipped model, (V, D), and the model's provenance."""
    checkpoint = model_named(_MODEL)
    return checkpoint.model.embedding.weight.detach().double(), checkpoint.meta


@page.fragment
def one_hot_is_a_look_up() -> None:
    """Multiply a one-hot vector with rows of a trained embedding, number by number."""
    st.header("From a number to a vector", anchor=False)
    weights, meta = _embedding()
    ids = [int(i) for i in SOURCE.encode(_ROWS)]
    letter = page.segments("letter", "Character", list(_ROWS), "e", format_func=visible)
    row, token_id = _ROWS.index(letter), int(SOURCE.encode(letter)[0])
    shown = weights[ids][:, :_COLUMNS]
    frame = matrix_frame(
        {
            "one-hot": one_hot(token_id, len(weights))[ids].unsqueeze(1).numpy(),
            "embedding": shown.numpy(),
            "one-hot × embedding": row_products(row, shown).numpy(),
        }
    )
    names = [f"{visible(c)}  {i}" for c, i in zip(_ROWS, ids, strict=True)]
    result = _listed(shown[row])
    finding = f"{visible(letter)} is number {token_id}: row {token_id} is ({result}, …)"
    st.markdown(f"**{finding}**")
    page.show_chart(
        matrix_panels(
            frame,
            chosen=(row + 1, 1),
            whole_rows=dict.fromkeys(("embedding", "one-hot × embedding"), row + 1),
            row_names=names,
            alike=("embedding", "one-hot × embedding"),
            height=300,
        ),
        key="look_up",
        alt=f"{finding}. A column with a single 1, a matrix, and their products row by row.",
        name="one-hot-look-up",
    )
    difference = float((one_hot(token_id, len(weights)) @ weights - weights[token_id]).abs().max())
    n_symbols, width = weights.shape
    st.markdown(
        f"A *one-hot vector* has {n_symbols} places here, one for each symbol. It has a single 1, at place"
        f" {token_id}. Multiplied by the trained matrix of {n_symbols} rows and {width} columns, it keeps"
        f" one row and multiplies all others by 0; {len(ids)} rows and {_COLUMNS} columns are drawn. The"
        f" sum down the columns is row {token_id}; computed both ways, the results differ by"
        f" {difference:g}. So nobody multiplies: an *embedding layer* looks row {token_id} up. That takes"
        f" {width} numbers instead of {n_symbols:,} × {width} products, and makes a vocabulary of 50,000"
        " words possible."
    )
    provenance(meta)


@page.fragment
def integers_are_no_vectors() -> None:
    """Show that a bare number ties all characters together, whatever is learned, and what that costs."""
    st.header("Why not the number itself?", anchor=False)
    left, right = st.columns([1, 2.4], gap="medium")
    with left:
        numbers = {
            letter: page.number(f"number_{letter}", label, 1, 99, default)
            for letter, label, default in (("a", "Number of a", 1), ("e", "Number of e", 4))
        }
        seed = page.number("weights_seed", "Seed of the weights", 0, 9_999, 1)
    weights = torch.randn(_NEURONS, generator=generator(seed), dtype=torch.float64)
    x = torch.tensor(list(numbers.values()), dtype=torch.float64).unsqueeze(1)
    outputs = x * weights
    ratio = numbers["e"] / numbers["a"]
    frame = matrix_frame({"number": x.numpy(), "number × four weights": outputs.numpy()})
    finding = f"Every output for e is {significant(ratio, 3)} times that for a (before rounding)"
    with right:
        st.markdown(f"**{finding}**")
        page.show_chart(
            matrix_panels(frame, row_names=list(numbers), height=130),
            key="integers",
            alt=f"{finding}: {_listed(outputs[1])} against {_listed(outputs[0])}.",
            name="integer-inputs",
        )
    st.markdown(
        f"Four neurons without a bias have the weights {_listed(weights)}. Given the bare number,"
        f" they output {numbers['e']} ÷ {numbers['a']} = {significant(ratio, 3)} times as much for"
        " *e* as for *a*. Other weights (another seed, or training) change the outputs and never"
        " the ratio, because each weight multiplies both numbers: the ratio is an accident of the"
        " numbering.",
        help="Published (blog series): a = 1 and e = 4. In the list that its own code makes, the full"
        " stop is 0 and the letters follow, so 4 is d and e is 5.",
    )
    four_weights()
    _what_it_costs()


def _what_it_costs() -> None:
    book = book_statistics()
    nothing, integer, best = book.inputs
    frame = input_loss_frame(nothing, integer, best)
    own, shuffled = integer[0], integer[1:]
    share = (nothing - own) / (nothing - best)
    finding = f"The number gives {percent(share)} of what the one-hot vector gives"
    st.markdown(f"**{finding}** of the next character of the book, from the last one alone")
    page.show_chart(
        input_loss_chart(frame),
        frame,
        key="input_losses",
        alt=f"{finding}. Losses: {nothing:.3f} without an input, {own:.3f} with the number,"
        f" {min(shuffled):.3f} to {max(shuffled):.3f} with shuffled numbers, {best:.3f} with one-hot.",
        name="integer-or-one-hot",
    )
    st.markdown(
        "Each loss is the least that one linear layer and a softmax can reach on the first 90 % of"
        f" the book. Without any input it is {nothing:.3f} nats per character. With the last"
        f" character's number in the vocabulary it is {own:.3f}. {len(shuffled)} shuffled"
        f" numberings (hollow) reach {min(shuffled):.3f} to {max(shuffled):.3f}: only their order"
        f" differs. With the one-hot vector it is **{best:.3f}**, in any order, because each"
        " character then has weights of its own."
    )
    st.caption(
        "War and Peace · counted by `python -m lm_core experiment tokenization` on"
        f" {book.provenance['date'][:10]}"
    )


def _listed(numbers: Tensor) -> str:
    return ", ".join(f"{float(number):.2f}" for number in numbers).replace("-", "−")
