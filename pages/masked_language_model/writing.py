"""It cannot write: Gibbs sampling draws one word after another anew, and what comes of it."""

import pandas as pd
import streamlit as st

from pages.masked_language_model import subject
from pages.masked_language_model.gibbs_chain import SWEEPS, TOKENS, Chain, chain_of
from pages.shared import page
from pages.shared.charts.palette import PURPLE, SKY
from pages.shared.charts.predictions import percentage
from pages.shared.components.texts import FIRST, MASKED, PLAIN, SECOND, Tint, tinted_text

N_STEPS = TOKENS * SWEEPS
_TEMPERATURES = (0.3, 0.5, 0.7, 1.0, 1.3)
_WORSE, _SAME, _BETTER = "better than the book's", "about like the book's", "worse than the book's"
_BOOK, _MEAN = "the book", "mean of all"
_IN_A_SWEEP = "In each sweep every place is covered once and drawn anew, in an order of its own."
_NEAR = 0.1  # share by which bits may differ and still be called alike


def writing(screen: page.FirstScreen) -> None:
    """Draw a chain step by step, and how probable its text is for a model that can write."""
    with screen.controls:
        # In the presenter view the picture needs the height.
        place = (
            st.popover("More", icon=":material/tune:") if page.is_presenting() else screen.controls
        )
    with place:
        temperature = page.pick("gibbs_temperature", "Temperature", _TEMPERATURES, 1.0, width=190)
        seed = page.number("gibbs_seed", "Seed", 0, 999, 0, width=120)
    asked = _ask(screen)

    def draw(step: int) -> None:
        chain = chain_of(temperature, seed, -(-step // TOKENS))
        _text(chain, step)
        _curve(chain, step, asked)

    with screen.picture:
        page.playback_bar("gibbs_step", N_STEPS + 1, draw, label="Draws", start=TOKENS)
    _notes(screen)


def _ask(screen: page.FirstScreen) -> page.Asked:
    last, references = subject.results().sweeps[-1], subject.results().references
    book = references[_BOOK]
    ratio = last.bits / book
    truth = _SAME if abs(ratio - 1.0) <= _NEAR else _WORSE if ratio < 1.0 else _BETTER
    return page.ask(
        screen,
        "gibbs_bits",
        f"After {len(subject.results().sweeps)} sweeps, a causal model finds such texts …",
        [_WORSE, _SAME, _BETTER][::-1],
        right=truth,
        reason=f"They have **{last.bits:.2f} bits** a character, the book's sentences {book:.2f}, and"
        " texts that the causal model writes from left to right"
        f" {references['written from left to right']:.2f}. The fewer bits, the more usual a"
        " text is to the causal model, which is why few bits may also mean a dull text.",
    )


def _text(chain: Chain, step: int) -> None:
    """Draw the text after a number of draws, the last drawn word marked."""
    spell = subject.vocabulary().symbols
    made = chain.steps[step - 1] if step else None
    mask_id = subject.masked_model().config.mask_id
    ids = made.tokens[1:] if made else (mask_id,) * TOKENS
    tokens, tints = [], []
    for i, token in enumerate(ids, 1):
        is_new = made is not None and i == made.place
        if token == mask_id:
            tokens.append(" [MASK]")
            tints.append(Tint((SECOND, MASKED), 25, "not drawn yet"))
        elif is_new and made is not None:
            before = "[MASK]" if made.before == mask_id else spell[made.before].strip()
            tokens.append(spell[token])
            tints.append(
                Tint(
                    (FIRST,),
                    45,
                    f"drawn just now, in place of {before}; probability"
                    f" {percentage(made.probability)}",
                )
            )
        else:
            tokens.append(spell[token])
            tints.append(PLAIN)
    sweep = made.sweep if made else 0
    st.markdown(f"**{step} of {N_STEPS} draws, sweep {sweep} of {SWEEPS}**; tinted: drawn just now")
    with st.container(key="sentence_gibbs"):
        tinted_text(
            tokens,
            tints,
            key="gibbs_text",
            legend=(),
            unit="subword",
            label="The text of the chain",
            click_hint="" if page.is_presenting() else _IN_A_SWEEP,
        )


def _curve(chain: Chain, step: int, asked: page.Asked) -> None:
    measured, references = subject.results().sweeps, subject.results().references
    done = min(step // TOKENS, SWEEPS)
    lines = {"this chain": [(i + 1.0, bits) for i, bits in enumerate(chain.bits[:done])]}
    bands = {}
    if not asked.masks:
        lines[_MEAN] = [(float(s.sweep), s.bits) for s in measured]
        bands[_MEAN] = [(float(s.sweep), s.low, s.high) for s in measured]
    last = float(measured[-1].sweep)
    page.show_chart(
        page.line_chart(
            {name: pairs for name, pairs in lines.items() if pairs},
            {"this chain": page.LineStyle(SKY), _MEAN: page.LineStyle(PURPLE, 1)},
            page.Axis("sweeps", (1.0, last)),
            page.Axis("bits a character", (1.0, 5.0)),
            bands=bands,
            references={_BOOK: [(1.0, references[_BOOK]), (last, references[_BOOK])]},
            has_points=True,
            height=200,
        ),
        lambda: _frame(chain, done, asked.masks),
        key="gibbs_bits",
        alt=f"this chain: {', '.join(f'{bits:.2f}' for bits in chain.bits[:done]) or 'no sweep yet'};"
        + "; ".join(f"{name} {bits:.2f}" for name, bits in references.items()),
        name="gibbs-by-sweep",
    )


def _frame(chain: Chain, done: int, hides: bool) -> pd.DataFrame:
    rows = [("this chain", i + 1, bits) for i, bits in enumerate(chain.bits[:done])]
    if not hides:
        rows += [(_MEAN, s.sweep, s.bits) for s in subject.results().sweeps]
    return pd.DataFrame(rows, columns=["chain", "sweep", "bits a character"])


def _notes(screen: page.FirstScreen) -> None:
    page.note_beside(
        screen,
        "A masked model has no first word: it can only replace one word in a text that is there. *Gibbs"
        " sampling* does so again and again, from nothing but [MASK].",
    )
    if not page.is_presenting():
        st.markdown(
            "Every single draw is one that the model expects beside its neighbours of the moment. But the first"
            " words are drawn beside nothing but masks, and stay where they fit each other only in"
            " part; at a low temperature the chain sticks to the most probable signs and words."
            " The chain rule gives a causal model the probability of the whole text; so here there"
            " is none to draw from."
        )
