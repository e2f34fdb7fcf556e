"""The published transformer of Wikipedia on the articles that are here: what it learns, and what it writes."""

from functools import partial

import streamlit as st

from lm_core.experiments.wikipedia.articles import UNKNOWN_WORD
from lm_core.experiments.wikipedia.results import PUBLISHED, WikipediaResults
from lm_core.experiments.wikipedia.training import PROMPT, SAMPLING
from lm_core.text.character_vocabulary import UNKNOWN
from pages.overfitting.scene import HEIGHT
from pages.overfitting.wikipedia_writing import write
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION

_LEARNED, _UNSEEN = "learned", "unseen"
_STYLES = {_UNSEEN: page.LineStyle(VERMILLION), _LEARNED: page.LineStyle(BLUE, 1)}
_ANSWERS = {
    "About 5.5, far better": 5.5,
    "About 6.2, a little better": 6.2,
    "About 6.8, worse": 6.8,
}
_results = partial(page.shipped, WikipediaResults)


def wikipedia(screen: page.FirstScreen) -> None:
    """Draw the training, evaluation by evaluation, with what the model writes."""
    found = _results()
    end, counts = found.points[-1], found.per_word(found.trigram)
    unseen = found.per_word(end.held_out)
    asked = page.ask(
        screen,
        "wikipedia",
        f"Counts of three subwords have a loss of {counts:.2f} nats a word on unseen articles. Where does the"
        f" transformer's loss end after {end.passes:.0f} passes over the text that was counted?",
        _ANSWERS,
        right=unseen,
        reason=f"At **{unseen:.2f}** nats a word, {found.bits_per_character(end.held_out):.2f} bits a character,"
        f" where counting has {found.bits_per_character(found.trigram):.2f}. Counting is ahead,"
        " probably because a transformer begins with random weights, so it must first learn what to look at, and"
        f" {end.passes:.0f} passes over a short text were too few for that.",
    )
    with screen.picture:
        page.playback_bar(
            "wikipedia_step",
            len(found.points),
            partial(_draw, found, asked),
            label="Evaluations",
        )
    page.note_beside(
        screen,
        f"*Learned* is the loss on articles that it learns from. It ends at {found.learned.per_word(end.training):.2f}. In the"
        f" published training it ended at about {PUBLISHED.per_word(PUBLISHED.training):.2f}, probably because each subword was"
        f" read {PUBLISHED.passes} times, while the loss on unseen articles no longer fell: that is overfitting.",
    )
    page.below("Let it write", "wikipedia_writing", write, icon="edit")
    if not page.is_presenting():
        st.caption(_about(found))


def _draw(found: WikipediaResults, asked: page.Asked, i: int) -> None:
    left, right = st.columns([1.6, 1], gap="small")
    point, last, counts = found.points[i], found.points[-1].step, found.per_word(found.trigram)
    with left:
        page.show_lines(
            "wikipedia_losses",
            {
                _UNSEEN: [(p.step, found.per_word(p.held_out)) for p in found.points],
                _LEARNED: [(p.step, found.learned.per_word(p.training)) for p in found.points],
            },
            _STYLES,
            page.Axis("steps", (0, last)),
            page.Axis("loss (nats per word)", (4.5, 9.0)),
            hidden=asked.hides(_UNSEEN),
            guess=asked.at(lambda value: (float(last), value)),
            references={"counts of three": [(0, counts), (last, counts)]},
            now=float(point.step),
            height=HEIGHT,
        )
    with right:
        st.markdown(f"**After {point.step:,} steps it writes:**")
        st.text(f"{PROMPT}{point.text}".replace(UNKNOWN_WORD, UNKNOWN))


def _about(found: WikipediaResults) -> str:
    """Say what was trained, and what of the published training it is not."""
    return (
        "The published transformer (4 layers of 192, 8 heads, context 48, dropout 0.2, 6,000 merges; blog series,"
        f" notebook WikiTextTransformer) learned {PUBLISHED.words:,} words of WikiText-2's training part, which is not"
        f" here. Ours learns {found.learned.words:,} words, {found.learned.articles} articles of the two other parts,"
        f" {found.points[-1].passes:.0f} times in {found.points[-1].step:,} steps, and is tested on"
        f" {found.held_out.articles} other articles. It reads and writes subwords with one matrix, so that it is small"
        f" enough to come with the lab. The published {PUBLISHED.loss:.4f} nats a subword on unseen text"
        f" are {PUBLISHED.per_word(PUBLISHED.loss):.2f} a word, a unit that does not depend on the subwords; but"
        f" those articles were others too, so this is no comparison of methods. Texts continue “{PROMPT}” with"
        f" the same random numbers at temperature {SAMPLING.temperature:g}; `{UNKNOWN}` is any word that WikiText-2"
        " leaves out as rare. Dropout is on for the losses on learned text."
    )
