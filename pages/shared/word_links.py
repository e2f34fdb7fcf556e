"""The links between words on a map and words in clusters, which are pages of two chapters."""

from collections.abc import Sequence

import streamlit as st

WORDS = "words of War and Peace"  # what the page on clusters calls them

AROUND = "around the word"  # which words are on the map

FREQUENCY, CLUSTER = "frequency", "k-means cluster"  # what the colours of a map's words can show

FEWEST_COLOURS, MOST_COLOURS = 2, 8  # clusters that a map can colour


def link_to_clusters(words: Sequence[str], vectors: str, clusters: int) -> None:
    """Draw the link to the same words, vectors (by their title) and K, clustered step by step."""
    st.page_link(
        "pages/clustering/page.py",
        label=f"Cluster these {len(words)} words step by step",
        icon=":material/bubble_chart:",
        query_params={
            "data": WORDS,
            "words": " ".join(words),
            "vectors": vectors,  # not "model": Streamlit drops what the page left behind calls so
            "clusters": str(clusters),
        },
    )


def link_to_map(word: str, vectors: str, clusters: int) -> None:
    """Draw the link to a word and those around it on the map, coloured by as many clusters."""
    colours = min(max(clusters, FEWEST_COLOURS), MOST_COLOURS)
    st.page_link(
        "pages/embeddings/page.py",
        label=f"The words around {word} on the map, in {colours} clusters",
        icon=":material/map:",
        query_params={
            "part": "Map",
            "projection": "PCA",
            "shown": AROUND,
            "word": word,
            "model": vectors,
            "coloured": CLUSTER,
            "map_clusters": str(colours),  # not "clusters", for the same reason
        },
    )
