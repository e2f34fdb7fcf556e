"""How far back each model must look: its loss against how many characters it may see."""

import pandas as pd
import streamlit as st

from lm_core.experiments.model_ladder.families import MIXTURE, NGRAM
from lm_core.experiments.model_ladder.results import CONTEXTS, Rung
from pages.model_ladder.ladder_models import results, short_title, style_of
from pages.shared import page

_FIRST = "book-lstm"
_NEVER = "never"
_ASKED = CONTEXTS[2:8]
_COUNTED = "best n-gram"
_LITTLE = 0.001  # nats that are no gain any more
_FLOOR = 1.0
"""Losses are drawn less this, on a logarithmic axis: so stretched, the best are as far apart as others."""


def networks() -> dict[str, Rung]:
    """Return the rungs that are drawn by context, by name: all that were measured but the n-grams."""
    return {rung.name: rung for rung in results().rungs if rung.by_context and rung.family != NGRAM}


def choose_reader() -> tuple[Rung]:
    """Draw the choice of the network that is asked for, and return its rung."""
    rungs = networks()
    name = page.control(
        st.selectbox,
        "reader",
        "Model",
        list(rungs),
        list(rungs).index(_FIRST) if _FIRST in rungs else 0,
        format_func=lambda chosen: rungs[chosen].title,
        width=330,
    )
    return (rungs[name],)


def by_context(screen: page.FirstScreen, reader: Rung) -> None:
    """Draw loss against context; that of the networks once it was guessed."""
    asked = _ask(screen, reader)
    others = [r for r in networks().values() if r != reader and r.family != MIXTURE]
    with screen.picture:
        _picture([*others, reader] if not asked.masks else others[:1], asked)
    if not asked.masks:
        loss = reader.of_contexts
        short = 8 if 8 in loss else 16
        far = loss[64] - loss[CONTEXTS[-1]]
        gained = f"{far:.3f} more, so what is so far back still helps a little"
        if far < _LITTLE:
            gained = "nothing more, so what is so far back is of no use to it"
        page.note_beside(
            screen,
            f"A word and its space are about six characters, so {short} are hardly more than the word that"
            f" is being written. From {short} to {2 * short} of them the loss of {reader.title} falls by"
            f" **{loss[short] - loss[2 * short]:.3f}** nats; from 64 to {CONTEXTS[-1]}, by {gained}.",
        )
    if not page.is_presenting():
        _explain()


def _explain() -> None:
    places = results().provenance["places"]
    st.markdown(
        f"Each model predicts the same {places:,} characters of the last tenth. It begins with an empty"
        " memory, often in the middle of a word, and reads only so many characters before each. *Best"
        " n-gram* is at each context the best of those that look back no further. From one or two characters"
        " alone networks predict poorly, and counting is better there, probably because in their training they"
        " nearly always had more to go by. A model of subwords predicts the whole token that holds the place, from those"
        f" that lie wholly within so many characters; with fewer than {_fewest()} not every token would"
        f" have one. Only the mixture that you chose is drawn. The axis shows the loss minus {_FLOOR:g} on"
        " a logarithmic scale, so that small differences between good models remain visible."
    )


def _fewest() -> int:
    """Return the shortest context of the models of subwords."""
    return next(c for c in CONTEXTS if all(c in rung.of_contexts for rung in networks().values()))


def _ask(screen: page.FirstScreen, reader: Rung) -> page.Asked:
    leads_from = results().leads_from(reader)
    first = f"From **{leads_from}** on" if leads_from else "**Never**"
    last = results().best_counted()[-1]
    return page.ask(
        screen,
        f"ladder_context_{reader.name.replace('+', '_')}",
        f"With how many characters to look back at does {reader.title} overtake the best n-gram for"
        " good?",
        [*map(str, _ASKED), _NEVER],
        right=(str(leads_from) if leads_from else _NEVER),
        reason=f"{first}, of the contexts that were measured. With {CONTEXTS[-1]} its loss is"
        f" {reader.by_context[-1]:.3f} nats, that of the best n-gram {last:.3f}: counts look back at 9"
        " characters at most, because longer contexts are seldom seen twice, so they would probably add little.",
    )


def _picture(shown: list[Rung], asked: page.Asked) -> None:
    counted = results().best_counted()
    by_name = {_COUNTED: dict(zip(CONTEXTS, counted, strict=True))}
    by_name |= {short_title(rung): rung.of_contexts for rung in shown}
    styles = {_COUNTED: style_of(NGRAM)}
    for rung in shown:
        alike = sum(style.colour == style_of(rung.family).colour for style in styles.values())
        styles[short_title(rung)] = style_of(rung.family)._replace(dash=alike % 3)
    last = list(by_name)[-1]
    first = min(by_name[last])
    finding = f"From {first} to {CONTEXTS[-1]} characters, " + "; ".join(
        f"{name}: {by_name[name][first]:.2f} to {by_name[name][CONTEXTS[-1]]:.2f}"
        for name in (_COUNTED, last)
    )
    st.markdown(f"**{finding}**")
    expected = {
        str(seen): (seen, loss - _FLOOR) for seen, loss in zip(CONTEXTS, counted, strict=False)
    }
    guess = asked.at(expected.get)
    page.show_chart(
        page.line_chart(
            {
                name: [(context, loss - _FLOOR) for context, loss in sorted(losses.items())]
                for name, losses in by_name.items()
            },
            styles,
            page.Axis("characters that it may see", (1, CONTEXTS[-1]), True, CONTEXTS),
            page.Axis(
                f"loss − {_FLOOR:g} (nats per character)",
                (0.045, 3.2),
                True,
                (0.05, 0.1, 0.2, 0.5, 1, 2, 3),
            ),
            guess=guess,
            has_points=True,
            height=340,
        ),
        pd.DataFrame(
            [
                (name, context, loss)
                for name, losses in by_name.items()
                for context, loss in sorted(losses.items())
            ],
            columns=["model", "characters", "loss"],
        ),
        key="ladder_context",
        alt=f"{finding}.",
        name="loss-by-context",
    )
