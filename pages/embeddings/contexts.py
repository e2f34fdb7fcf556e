"""Why two words are close: the telling contexts that both have, and sentences of the book with them."""

import streamlit as st

from lm_core.analysis.shared_contexts import Concordance, SharedContext, SharedContexts
from lm_core.errors import CorpusError, TextError
from lm_core.experiments.word2vec.telling_contexts import STOP_WORDS
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import locate
from pages.embeddings.telling_contexts import draw_telling, what_is_telling
from pages.embeddings.two_passages import concordance, two_passages
from pages.embeddings.vectors import INPUT, is_own
from pages.embeddings.word_choice import Choice
from pages.shared.components.texts import show_passages
from pages.shared.turns import fragment, page_turns
from pages.shared.ui.controls import control
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.messages import show_error

_SHOWN, _MOST = 6, 60
_PAIRS = {
    f"{first} and {second}": (first, second)
    for first, second in (
        ("king", "emperor"),
        ("hand", "arm"),
        ("rain", "snow"),
        ("smile", "laugh"),
        ("good", "bad"),
        ("tea", "horse"),
    )
}


@fragment
def shared_contexts(choice: Choice) -> None:
    """Show the rarest words that both words have near them, each with two sentences."""
    screen = first_screen()
    with screen.controls:
        st.menu_button("Pairs to try", list(_PAIRS), key="pairs_to_try", on_click=_take_pair)
    if choice.other is None or choice.other == choice.word:
        screen.picture.info("Choose two different words above.")
        return
    if is_own(choice.meta):
        screen.picture.info(
            "Contexts are counted in a text, and a file of vectors does not hold the text that"
            " they were learned from, so there is nothing to count. Choose vectors of the lab"
            " under *More*."
        )
        return
    with screen.picture:
        telling = draw_telling(choice)
    with screen.beside:
        what_is_telling()
    st.header(f"Sentences of {WAR_AND_PEACE.title}", anchor=False)
    if locate(WAR_AND_PEACE.name) is None:
        st.info(
            f"*{WAR_AND_PEACE.title}* is not on this server, so its sentences cannot be shown. Fetch the"
            f" book with `python -m lm_core data fetch {WAR_AND_PEACE.name}`"
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        window = control(st.slider, "window", "Words to each side", 1, 8, 4)
        page_place = st.container()
    try:
        with page_turns.lent():
            text = concordance()
        found = text.shared(choice.name, choice.other_name, window, most=_MOST)
    except (TextError, CorpusError) as error:
        show_error(error, st.warning, icon=":material/menu_book:")
        return
    found = found._replace(contexts=_sorted_by(telling, choice, found.contexts))
    if not found.contexts:
        st.info(_none_found(choice, text, window))
        return
    _summary(choice, choice.other, text, found, window)
    n_pages = -(-len(found.contexts) // _SHOWN)
    page = 1
    if n_pages > 1:
        with page_place:
            page = control(st.slider, "page", "Most telling first, page", 1, n_pages, 1)
    shown = found.contexts[(page - 1) * _SHOWN : page * _SHOWN]
    passages = [p for context in shown for p in two_passages(choice, text, context, window)]
    show_passages(passages, key="shared_contexts")
    st.caption(
        "Filled: the word itself. Underlined: the words within the window, in the same sentence."
        " Framed: the word that both have near them. Sentences with both words are left out."
    )


def _sorted_by(
    telling: list[str], choice: Choice, contexts: tuple[SharedContext, ...]
) -> tuple[SharedContext, ...]:
    """Return the contexts without stop words, the most telling first, the rarest of the others next."""
    place, ids = {word: i for i, word in enumerate(telling)}, choice.vocabulary.ids
    kept = [each for each in contexts if ids.get(each.word, STOP_WORDS) >= STOP_WORDS]
    return tuple(sorted(kept, key=lambda each: place.get(each.word, len(telling))))


def _take_pair(title: str) -> None:
    st.session_state["word"], st.session_state["other"] = _PAIRS[title]


def _none_found(choice: Choice, text: Concordance, window: int) -> str:
    """Say that no sentences of the book can be shown side by side, and why not."""
    first, second = (
        f"{name} occurs {text.count(name):,} times" for name in (choice.name, choice.other_name)
    )
    return (
        f"In *{WAR_AND_PEACE.title}* no telling word is within {window} words of both, so nothing"
        f" can be underlined: {first} there, {second}. The contexts in the picture were counted in"
        " all texts that the vectors were trained on. Widen the window, or choose one of the"
        " *Pairs to try*."
    )


def _summary(
    choice: Choice, other: int, text: Concordance, found: SharedContexts, window: int
) -> None:
    times = [text.count(word) for word in (choice.name, choice.other_name)]
    cosine = choice.space(INPUT).pair(choice.word, other).cosine
    n = f"at least {_MOST}" if len(found.contexts) == _MOST else str(len(found.contexts))
    st.markdown(
        f"In *{WAR_AND_PEACE.title}*, **{choice.name}** occurs {times[0]:,} times and"
        f" **{choice.other_name}** {times[1]:,} times. Within {window} words of them are"
        f" {found.n_neighbours[0]:,} and {found.n_neighbours[1]:,} different words; **{n}** are"
        " near both. Training moves a word's vector by its contexts, so words that share them come"
        f" to lie near each other: the vectors' cosine is {cosine:.3f} (input embedding, from"
        f" {choice.meta.title})."
    )
