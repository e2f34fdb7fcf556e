"""Two sentences that differ in one thing: which is likelier, and at which word that arises."""

import streamlit as st

from lm_core.experiments.minimal_pairs import our_pairs
from lm_core.experiments.minimal_pairs.by_word import TIED_BITS
from lm_core.experiments.minimal_pairs.unigram import UNIGRAM
from pages.minimal_pairs.models import choose_models, short_title, styles_of, titles
from pages.minimal_pairs.read_pair import OWN, JudgedPair, choose_pair
from pages.shared import page
from pages.shared.numbers import significant
from pages.shared.ui.markdown import escaped

_WHY = {
    our_pairs.AGREEMENT: "The verb goes with the first noun, although another one may stand nearer to it. So a model that"
    " only looks at the last word or two may take the wrong form.",
    our_pairs.REFLEXIVES: "The pronoun has the gender and the number of the subject, so a model has to know that a princess"
    " is *she*, and which of the nouns is the subject.",
    our_pairs.DETERMINERS: "*This* and *that* belong to one thing, *these* and *those* to several. The two words are close"
    " together, so even a model that looks back at a few characters can know it.",
    our_pairs.NEGATIVE_POLARITY: "*Ever*, *any* and *at all* are at home behind a negation or in a question. The sentences differ earlier, in"
    " how frequent their beginnings are, so look at what is gained at the later word.",
    our_pairs.ISLANDS: "A question word cannot ask for something inside certain phrases, which are called *islands*. The words"
    " are nearly the same in both sentences, so a model that counts words can hardly tell them apart.",
    OWN: "What differs are your words: the model also weighs how frequent they are, so exchange them for"
    " words that are about equally frequent if you want to test grammar alone.",
}

_NONE = "None of them"
_REACHES = (6.0, 12.0, 24.0, 48.0)
"""Bits either way that the axis holds: few lengths, so that it seldom changes and tells little before the guess."""


def two_sentences(screen: page.FirstScreen) -> None:
    """Draw word by word how far the first sentence is ahead, for models from the unigram to the best writer."""
    with screen.controls:
        row = st.container(horizontal=True, vertical_alignment="bottom", width="content")
    with page.more(screen):
        models = choose_models(titles())
    judged = choose_pair(row, screen.picture, models)
    asked = _ask(screen, judged)
    with screen.picture:
        st.markdown("  \n".join(_marked(judged)))
        _picture(judged, asked)
    if asked.masks:
        return
    best = list(judged.leads)[-1]
    page.note_beside(
        screen,
        f"A line is 0 as long as both sentences are the same, because what a model expects depends on what it has read"
        f" so far. {_arises(judged, best)} {_WHY[judged.phenomenon]}"
        " One bit ahead means twice as likely. Another pair shows whether that holds beyond this sentence.",
    )


def _marked(judged: JudgedPair) -> list[str]:
    """Return both sentences in Markdown, with what differs in bold."""
    said = []
    for i, number in enumerate("12"):
        words = (
            f"**{escaped(both[i])}**" if both[0] != both[1] else escaped(both[i])
            for both in judged.words
            if both[i]
        )
        said.append(f"{number}: {' '.join(words)}")
    return said


def _ask(screen: page.FirstScreen, judged: JudgedPair) -> page.Asked[str]:
    """Ask which models prefer the first sentence; what single words say is drawn from the beginning."""
    asked = _asked_about(judged)
    named = {escaped(short_title(name)): name for name in asked}
    right = [title for title, name in named.items() if judged.whole_lead(name) > TIED_BITS]

    def reason(_: str | None) -> str:
        said = (
            f"{'; '.join(right)}."
            if right
            else "All of them prefer the second, or find both alike."
        )
        return f"**{len(right)} of {len(asked)}**: {said} {_how_much(judged)}"

    return page.ask(
        screen,
        f"pair_{judged.name}",
        f"Which of the {len(asked)} models that read more than single words find sentence 1 likelier?"
        if UNIGRAM in judged.leads
        else f"Which of the {len(asked)} models find sentence 1 likelier?",
        [*named, _NONE],
        right=right or [_NONE],
        reason=reason,
        kind="several",
        when=len(asked) > 0,
    )


def _asked_about(judged: JudgedPair) -> list[str]:
    return [name for name in judged.leads if name != UNIGRAM]


def _how_much(judged: JudgedPair) -> str:
    """Say by how much the last model, the best if it is chosen, prefers which sentence."""
    best = list(judged.leads)[-1]
    lead = judged.whole_lead(best)
    title = escaped(titles()[best])
    if abs(lead) <= TIED_BITS:
        return f"For {title} both are equally likely."
    return (
        f"For {title} sentence {1 if lead > 0 else 2} is {_times(abs(lead))} times as likely as the other"
        f" ({abs(lead):.1f} bits)."
    )


def _times(bits: float) -> str:
    return f"{2.0**bits:,.0f}" if bits >= 3.0 else significant(2.0**bits, 2)


def _arises(judged: JudgedPair, model: str) -> str:
    """Say at which place a model's preference grows most."""
    place, lead = judged.decisive(model), [0.0, *judged.leads[model]]
    gained = lead[place + 1] - lead[place]
    ahead = "ahead" if lead[-1] >= 0 else "behind"
    return (
        f"For {escaped(titles()[model])} the difference grows most at *{escaped(judged.labels[place])}*, where"
        f" sentence 1 {'gains' if gained >= 0 else 'loses'} {abs(gained):.1f} bits; at the end it is {ahead} by"
        f" {abs(lead[-1]):.1f}."
    )


def _picture(judged: JudgedPair, asked: page.Asked[str]) -> None:
    names = {short_title(name): name for name in judged.leads}
    lines = {
        title: [(float(i), lead) for i, lead in enumerate(judged.leads[name])]
        for title, name in names.items()
    }
    hidden = asked.hides(*(short_title(name) for name in _asked_about(judged)))
    drawn = [lead for leads in judged.leads.values() for lead in leads]
    reach = next((r for r in _REACHES if r >= max(map(abs, drawn))), max(map(abs, drawn)))
    last = float(max(1, len(judged.words) - 1))
    page.show_lines(
        "pair_by_word",
        lines,
        styles_of(list(judged.leads)),
        page.Axis("word by word", (0.0, last), names=judged.labels),
        page.Axis("sentence 1 ahead (bits)", (-reach, reach)),
        hidden=hidden,
        references={"equally likely": [(0.0, 0.0), (last, 0.0)]},
        has_points=True,
        height=280,
        beside={} if len(hidden) == len(lines) else {"words": judged.labels},
        said="By how many bits sentence 1 is ahead after each word.",
    )
