"""The pages of the lab, in the order in which they are taught: the only list of them."""

from itertools import groupby
from typing import NamedTuple


class PageSpec(NamedTuple):
    """One page.

    Attributes
    ----------
    chapter : str
        Heading under which the menu lists it.
    path : str
        Its file, from the project's root.
    title : str
        The question it answers; also its title in the menu, unique.
    url_path : str
        Its address below the server's, unique, without a slash; the home page's is empty.
    icon : str
        ``:material/name:``.
    help : str
        What a visitor can do there, in fewer than 200 characters.
    """

    chapter: str
    path: str
    title: str
    url_path: str
    icon: str
    help: str


def chapters(pages: tuple[PageSpec, ...]) -> dict[str, list[PageSpec]]:
    """Return the pages by chapter; both keep their order."""
    return {name: list(specs) for name, specs in groupby(pages, key=lambda spec: spec.chapter)}


PAGES = (
    PageSpec(
        "Start",
        "pages/home/page.py",
        "LM Lab",
        "",
        ":material/home:",
        "The way through the lab, and what this server can do.",
    ),
    PageSpec(
        "Words",
        "pages/tokenization/page.py",
        "What does a model read?",
        "tokenization",
        ":material/content_cut:",
        "Cut your text into words, characters, bytes and byte pairs, side by side, while you type.",
    ),
    PageSpec(
        "Words",
        "pages/byte_pair_encoding/page.py",
        "How are word parts learned?",
        "byte-pair-encoding",
        ":material/merge:",
        "Learn byte pairs from your text, one merge at a time, forward and back; then on the whole book.",
    ),
    PageSpec(
        "Words",
        "pages/embeddings/page.py",
        "Which words are alike?",
        "embeddings",
        ":material/hub:",
        "Neighbours, odd ones out, analogies and maps of word vectors, and how honest a map is.",
    ),
    PageSpec(
        "Words",
        "pages/word2vec/page.py",
        "How does a word get its vector?",
        "word2vec",
        ":material/model_training:",
        "Train word vectors on your own text in seconds, and walk back through the moments of it.",
    ),
    PageSpec(
        "Clusters",
        "pages/clustering/page.py",
        "Where are the groups?",
        "clustering",
        ":material/bubble_chart:",
        "k-means and EM side by side on the same points: step, drag, undo, guess, and bring your own.",
    ),
    PageSpec(
        "Clusters",
        "pages/number_of_clusters/page.py",
        "How many groups are there?",
        "number-of-clusters",
        ":material/format_list_numbered:",
        "Elbow, silhouette, BIC and AIC for every number of clusters, and why they disagree.",
    ),
    PageSpec(
        "Clusters",
        "pages/mixture_pitfalls/page.py",
        "What can go wrong with a mixture?",
        "mixture-pitfalls",
        ":material/compress:",
        "A component dies on one point; EM turns into k-means; curves are drawn too narrow.",
    ),
    PageSpec(
        "Clusters",
        "pages/estimation/page.py",
        "What does a model estimate?",
        "estimation",
        ":material/query_stats:",
        "Birds by flight and length: count, fit a curve or a network, and see what another sample says.",
    ),
    PageSpec(
        "Remembering",
        "pages/rnn_vs_lstm/page.py",
        "Who remembers the beginning?",
        "rnn-vs-lstm",
        ":material/psychology:",
        "How long a sequence an RNN, a GRU, an LSTM or attention can remember; train them yourself.",
    ),
    PageSpec(
        "Remembering",
        "pages/inside_a_cell/page.py",
        "What does a network keep?",
        "inside-a-cell",
        ":material/memory:",
        "Look into an RNN and an LSTM while they read: states, gates, and the gradient of every step.",
    ),
    PageSpec(
        "Remembering",
        "pages/counting/page.py",
        "Can it learn to count?",
        "counting",
        ":material/123:",
        "Train a small network in front of the class until it counts, then ask it what it never saw.",
    ),
    PageSpec(
        "Remembering",
        "pages/sequence_models/page.py",
        "What goes in, what comes out?",
        "sequence-models",
        ":material/swap_horiz:",
        "A word from a vector, a verdict from a sentence, a word from a word: three networks, live.",
    ),
    PageSpec(
        "Attention",
        "pages/attention/page.py",
        "Where does it look?",
        "attention",
        ":material/visibility:",
        "Every head of a transformer at work on your sentence; mask it, silence it, see what changes.",
    ),
    PageSpec(
        "Attention",
        "pages/attention_by_hand/page.py",
        "Can you do attention by hand?",
        "attention-by-hand",
        ":material/calculate:",
        "Check a printed softmax, type small matrices, drag a query, and count what heads cost.",
    ),
    PageSpec(
        "Attention",
        "pages/positional_encoding/page.py",
        "How does it know where a word stands?",
        "positional-encoding",
        ":material/pin:",
        "Equal words told apart or not; waves, digits, rotations, buckets and slopes side by side.",
    ),
    PageSpec(
        "Attention",
        "pages/ablations/page.py",
        "What if we leave a part out?",
        "ablations",
        ":material/extension_off:",
        "Transformers trained without mask, residual, norm, positions or heads: losses, gradients, texts.",
    ),
    PageSpec(
        "Attention",
        "pages/attention_cost/page.py",
        "What does attention cost?",
        "attention-cost",
        ":material/timer:",
        "Time and memory of four kinds of attention by length, measured on this server; the key-value cache.",
    ),
    PageSpec(
        "Writing",
        "pages/war_and_peace/page.py",
        "What comes next?",
        "war-and-peace",
        ":material/edit_note:",
        "A network that has read War and Peace writes on from your words; see every probability.",
    ),
)
