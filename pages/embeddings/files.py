"""The vectors as files, their provenance, and how well they agree with people."""

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from lm_core.analysis.word_space import WordSpace
from lm_core.models import embeddings
from lm_core.training.checkpoints import CheckpointMeta
from pages.embeddings.vectors import folder_of, is_own, models, space_of
from pages.embeddings.word_choice import Choice, choose_table
from pages.shared.numbers import percent
from pages.shared.turns import fragment
from pages.shared.ui.controls import asked_by_link
from pages.shared.ui.figures import download_checkpoint
from pages.shared.ui.folds import draw_when_open
from pages.shared.ui.times import duration

MOST_WORDS = 5_000
_EMBEDDING = "files_embedding"
_PAIRS = {"WordSim-353": 353, "SimLex-999": 999}


@fragment
def vector_files(choice: Choice) -> None:
    """Offer the vectors in the formats of gensim, the Embedding Projector and a table."""
    fold = st.expander(
        "The vectors as files",
        icon=":material/download:",
        key="vector_files",
        expanded=asked_by_link(_EMBEDDING),
        on_change="rerun",
    )
    draw_when_open(fold, partial(_files, choice))


def _files(choice: Choice) -> None:
    table = choose_table(choice.meta, _EMBEDDING)
    space = space_of(choice.meta, table).most_frequent(MOST_WORDS)
    st.markdown(
        f"The {len(space.vocabulary):,} most frequent words, as they were learned, so the mean is not"
        " subtracted."
        + ("" if is_own(choice.meta) else " The checkpoint holds all words and both embeddings.")
    )
    name = f"{choice.meta.name}-{table}"
    with st.container(horizontal=True):
        _button(
            "word2vec text",
            f"{name}.txt",
            partial(word2vec_file, space),
            "For gensim: `KeyedVectors.load_word2vec_format`.",
        )
        _button(
            "Projector: vectors",
            f"{name}-vectors.tsv",
            partial(projector_file, space),
            "At projector.tensorflow.org, choose this file first under *Load*.",
        )
        _button(
            "Projector: words",
            f"{name}-metadata.tsv",
            partial(metadata_file, space),
            "Choose this file second: it names the words and their counts.",
        )
        _button("CSV", f"{name}.csv", partial(csv_file, space), "One word on each line.")
        if not is_own(choice.meta):
            download_checkpoint(folder_of(choice.meta.name))


def _button(label: str, file: str, make: Callable[[], str], help: str) -> None:
    st.download_button(
        label,
        make,
        file_name=file,
        mime="text/plain",
        on_click="ignore",
        key=f"file_{file}",
        help=help,
    )


def word2vec_file(space: WordSpace) -> str:
    """Return the vectors as word2vec wrote them."""
    return embeddings.word2vec_text(space.vocabulary.words, space.vectors)


def projector_file(space: WordSpace) -> str:
    """Return the Embedding Projector's first file."""
    return embeddings.projector_vectors(space.vectors)


def metadata_file(space: WordSpace) -> str:
    """Return the Embedding Projector's second file."""
    return embeddings.projector_metadata(space.vocabulary.words, space.vocabulary.counts)


def csv_file(space: WordSpace) -> str:
    """Return the vectors as a table."""
    return embeddings.vectors_csv(space.vocabulary.words, space.vectors)


def agreement_with_people() -> None:
    """Draw the table of all models: how their cosines agree with how alike people found pairs."""
    fold = st.expander(
        "Do people agree?", icon=":material/groups:", key="people", on_change="rerun"
    )
    draw_when_open(fold, _agreement)


def _agreement() -> None:
    rows = [row for meta in models().values() for row in _rows(meta)]
    if not rows:
        st.markdown(
            "No score is shown, because no list of judged pairs was there when these vectors were"
            " trained."
        )
        return
    st.markdown(
        "People scored how similar or how related two words are. *Spearman's rank correlation*"
        " compares the order of their scores with that of the input embeddings' cosines: 1 is the"
        " same order, 0 no relation. Pairs with a word that has no vector are skipped, and the"
        " table says how many. A small vocabulary skips mostly rare, difficult words, so its score"
        " may look better than it is. No training read these pairs. But of three trainings of the library's vectors"
        " the one with the highest score is here, and the share of frequent words that they skip was chosen"
        " after these scores had been seen, so theirs are a little flattered."
    )
    st.dataframe(pd.DataFrame(rows), hide_index=True, height="content")


def _rows(meta: CheckpointMeta) -> list[dict[str, str]]:
    rows = []
    for listed, n_pairs in _PAIRS.items():
        if listed in meta.scores:
            unknown = meta.scores[f"{listed}, unknown"]
            rows.append(
                {
                    "vectors": meta.title,
                    "pairs": listed,
                    "correlation": f"{meta.scores[listed]:.3f}",
                    "known pairs": f"{round(n_pairs * (1 - unknown)):,} of {n_pairs}",
                    "unknown": percent(unknown, 1),
                }
            )
    return rows


def vectors_provenance(meta: CheckpointMeta, size: int) -> str:
    """Return what a table of vectors is and where it comes from, in one line."""
    width = meta.config["width"]
    loss = next(iter(meta.losses.values()), None)
    parts = [
        meta.title,
        f"{size:,} words x {width}",
        f"{meta.recipe.get('epochs', 1)} passes, {meta.characters_seen:,} words read",
        "" if loss is None else f"last loss {loss:.2f} nats",
        f"{meta.device}, {duration(meta.seconds)}",
        f"seed {meta.seed}",
        meta.date[:10],
    ]
    return " · ".join(part for part in parts if part)
