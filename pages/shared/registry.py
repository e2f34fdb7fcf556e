"""The pages of the lab, in the order in which they are taught: the only list of them."""

from collections.abc import Collection
from itertools import groupby
from typing import NamedTuple

HOME = "pages/home/page.py"


class FormerOpening(NamedTuple):
    """What a page opened on before it opened on another part, which links without a part still mean."""

    choice: str  # the control that chooses the part
    part: str
    # names of controls, today's and former, that it has and the part which opens now has not: by
    # them a link is told that means it
    settings: tuple[str, ...]

    def is_meant(self, asked: Collection[str]) -> bool:
        """Return whether a link with these names means it."""
        return self.choice not in asked and not set(self.settings).isdisjoint(asked)


class PageSpec(NamedTuple):
    """One page."""

    chapter: str  # heading under which the menu lists it
    # Its URL below the server's, unique, without a slash; the home page's is empty. Its folder in
    # `pages`, its experiment and its results carry the same name.
    address: str
    term: str  # the field's word for what it shows
    question: str  # what it answers, in plain words
    icon: str  # ``:material/name:``
    help: str  # what a visitor can do there, in fewer than 200 characters
    minutes: int = 0  # that a class spends there, about
    words: tuple[str, ...] = ()  # terms that it explains, by which it is found
    former: tuple[str, ...] = ()  # addresses that it had before; links to them still arrive
    # names that controls had before in its links, and today's
    renamed: tuple[tuple[str, str], ...] = ()
    # tuple of three str: the same for one part alone: the part as links name it (empty where they
    # need not), before, today
    renamed_in_part: tuple[tuple[str, str, str], ...] = ()
    # which part links meant that name none, if it is not the one that opens today
    opened_on: FormerOpening | None = None

    @property
    def path(self) -> str:
        """Its file, from the project's root."""
        return f"pages/{self.address.replace('-', '_')}/page.py" if self.address else HOME

    @property
    def title(self) -> str:
        """Term and question, as the menu and the page's heading have them."""
        return f"{self.term}: {self.question}" if self.question else self.term


def chapters(pages: tuple[PageSpec, ...]) -> dict[str, list[PageSpec]]:
    """Return the pages by chapter; both keep their order."""
    return {name: list(specs) for name, specs in groupby(pages, key=lambda spec: spec.chapter)}


ROUTES = {
    20: ("tokenization", "embeddings", "attention", "war-and-peace"),
    45: (
        "clustering",
        "tokenization",
        "embeddings",
        "rnn-vs-lstm",
        "attention",
        "ablations",
        "war-and-peace",
    ),
}
"""Ways through the lab by their minutes: addresses of pages."""


def page_at(address: str) -> PageSpec:
    """Return the page of an address; KeyError if there is none."""
    return {spec.address: spec for spec in PAGES}[address]


PAGES = (
    PageSpec(
        "Start",
        "",
        "LM Lab",
        "",
        ":material/home:",
        "The way through the lab: every page, two routes, and a search over terms.",
    ),
    PageSpec(
        "Start",
        "join",
        "Join a class",
        "",
        ":material/groups:",
        "Four letters from the teacher's screen: answer together with the class, and follow along.",
    ),
    PageSpec(
        "Start",
        "about",
        "About this server",
        "",
        ":material/dns:",
        "What it runs on, which models are shipped and how each was trained, and which texts are here.",
    ),
    PageSpec(
        "Start",
        "lessons",
        "Lessons",
        "",
        ":material/route:",
        "Ways through the lab for a class of 45 or 90 minutes, step by step; bring your own, print the teacher's sheet.",
    ),
    PageSpec(
        "Start",
        "glossary",
        "Glossary",
        "what does this word mean?",
        ":material/menu_book:",
        "Every term of the lab in one or two sentences, with its unit or formula and a link to where it is best seen.",
        words=("glossary",),
    ),
    PageSpec(
        "Start",
        "published-figures",
        "What this lab reproduces",
        "do published figures hold?",
        ":material/fact_check:",
        "Figures of the blog series, its notebooks and the lectures, 78 in all, beside ours: spread, verdict, a link to each.",
        8,
        ("reproducibility", "protocol", "spread over seeds", "rounding"),
    ),
    PageSpec(
        "Networks",
        "perceptron",
        "Perceptron",
        "can a line do it?",
        ":material/call_split:",
        "AND, OR, XOR and points that you paint: one line, three units by hand, networks that learn; nine activations.",
        10,
        (
            "perceptron learning rule",
            "XOR",
            "multilayer perceptron",
            "decision boundary",
            "activation function",
            "saturation",
            "backpropagation",
        ),
    ),
    PageSpec(
        "Networks",
        "optimisers",
        "Optimisers",
        "which way is down?",
        ":material/south_east:",
        "Gradient descent, momentum, Adam, Muon, Newton from one start that you drag; rates, line search, minibatches.",
        10,
        (
            "gradient descent",
            "learning rate",
            "momentum",
            "condition number",
            "line search",
            "Newton's method",
            "stochastic gradient descent",
            "Adam",
        ),
    ),
    PageSpec(
        "Networks",
        "gradients",
        "Gradients",
        "where did the gradient go?",
        ":material/trending_down:",
        "Vanishing and exploding gradients by depth, activation and initialisation; Jacobians, clipping, batch norm; autodiff.",
        10,
        (
            "vanishing gradient",
            "exploding gradient",
            "Xavier initialisation",
            "He initialisation",
            "Jacobian",
            "spectral radius",
            "gradient clipping",
            "residual connection",
            "batch norm",
            "layer norm",
            "automatic differentiation",
        ),
    ),
    PageSpec(
        "Networks",
        "overfitting",
        "Overfitting",
        "does it learn or remember?",
        ":material/psychology_alt:",
        "Stop a training by hand, then by rule; capacity, wrong labels, weight decay, dropout; double descent; machines.",
        12,
        (
            "early stopping",
            "weight decay",
            "dropout",
            "label noise",
            "double descent",
            "data parallelism",
            "all-reduce",
        ),
    ),
    PageSpec(
        "Networks",
        "convolution",
        "Convolution",
        "what does a filter see?",
        ":material/grid_on:",
        "Paint a picture and move filters over it; flipping, padding, pooling, moved digits, and letters of names.",
        10,
        (
            "convolutional neural network",
            "cross-correlation",
            "feature map",
            "Toeplitz matrix",
            "padding",
            "stride",
            "pooling",
            "equivariance",
        ),
    ),
    PageSpec(
        "Clustering and statistics",
        "clustering",
        "Clustering",
        "where are the groups?",
        ":material/bubble_chart:",
        "k-means and EM side by side on the same points: step, drag, undo, predict, and bring your own.",
        8,
        ("k-means", "EM", "Gaussian mixture", "centroid", "inertia"),
        ("clusters",),
        renamed=(("k", "clusters"), ("shown", "drawn")),
    ),
    PageSpec(
        "Clustering and statistics",
        "number-of-clusters",
        "Number of clusters",
        "how many groups are there?",
        ":material/format_list_numbered:",
        "Elbow, silhouette, BIC and AIC for every number of clusters, and why they disagree.",
        8,
        ("elbow", "silhouette", "BIC", "AIC"),
        ("choosing-k",),
    ),
    PageSpec(
        "Clustering and statistics",
        "mixture-pitfalls",
        "Mixture pitfalls",
        "what can go wrong?",
        ":material/compress:",
        "A component shrinks onto one point; EM turns into k-means; curves are drawn too narrow.",
        8,
        ("collapse", "covariance floor", "likelihood"),
        ("mixture-limits",),
    ),
    PageSpec(
        "Clustering and statistics",
        "estimation",
        "Estimation",
        "what does a sample tell?",
        ":material/query_stats:",
        "Birds by flight and length: count, fit a curve or a network, and see what another sample says.",
        10,
        (
            "maximum likelihood",
            "cross-entropy",
            "logistic regression",
            "overfitting",
            "bias and variance",
        ),
        ("statistics",),
    ),
    PageSpec(
        "Words",
        "tokenization",
        "Tokenization",
        "what does a model read?",
        ":material/content_cut:",
        "Your text as words, characters, bytes and subwords, side by side, while you type.",
        5,
        ("token", "byte", "vocabulary", "one-hot vector", "GPT-2 tokenizer"),
    ),
    PageSpec(
        "Words",
        "byte-pair-encoding",
        "Byte-pair encoding",
        "how are subwords learned?",
        ":material/merge:",
        "Learn byte-pair encoding from your text, one merge at a time, forward and back; then on the whole book.",
        8,
        ("BPE", "merge", "subword", "Zipf's law"),
        ("merges",),
    ),
    PageSpec(
        "Words",
        "embeddings",
        "Word embeddings",
        "which words are alike?",
        ":material/hub:",
        "Neighbours, odd ones out, analogies and maps of word vectors, and how far a map can be trusted.",
        5,
        ("word vector", "cosine similarity", "analogy", "PCA", "t-SNE"),
    ),
    PageSpec(
        "Words",
        "word2vec",
        "word2vec",
        "how does a word get its vector?",
        ":material/model_training:",
        "Train word vectors on your own text in seconds, and step back through the training.",
        8,
        ("CBOW", "skip-gram", "negative sampling", "context window"),
        ("training-vectors",),
    ),
    PageSpec(
        "Language models",
        "n-grams",
        "N-grams",
        "what comes after these letters?",
        ":material/pin_end:",
        "Count letters after letters: unseen contexts, smoothing, the network that counting is, Shannon's game.",
        10,
        (
            "n-gram",
            "bigram",
            "chain rule",
            "smoothing",
            "Kneser-Ney",
            "curse of dimensionality",
            "branching factor",
            "Shannon game",
        ),
    ),
    PageSpec(
        "Language models",
        "neural-language-model",
        "Bengio's model",
        "does knowing dog help with cat?",
        ":material/pets:",
        "Words as numbers: train on your sentences, watch letters find each other, tell real names from sampled.",
        10,
        (
            "neural probabilistic language model",
            "multilayer perceptron",
            "distributed representation",
            "tanh saturation",
            "weight initialisation",
        ),
    ),
    PageSpec(
        "Language models",
        "part-of-speech-tagging",
        "Part-of-speech tagging",
        "how much context does a word need?",
        ":material/label:",
        "Noun or verb? Tag any sentence with 0 to 5 neighbours, an LSTM or a transformer; what each confuses.",
        8,
        (
            "part of speech",
            "bidirectional LSTM",
            "sequence labelling",
            "confusion matrix",
            "suffix",
            "ambiguity",
        ),
        renamed_in_part=(("Confusions", "context_words", "confused_context_words"),),
    ),
    PageSpec(
        "Language models",
        "model-ladder",
        "The ladder",
        "how good is every model of this lab?",
        ":material/stairs:",
        "Every model of the book on the same characters: loss by size, texts, where two differ, and useful context.",
        8,
        (
            "held-out loss",
            "model size",
            "paired difference",
            "standard error",
            "context length",
            "mixture of models",
        ),
        renamed_in_part=(
            ("Where they differ", "model", "differing_model"),
            ("Where they differ", "rival", "differing_rival"),
        ),
    ),
    PageSpec(
        "Recurrent networks",
        "rnn-vs-lstm",
        "RNN and LSTM",
        "who remembers the beginning?",
        ":material/psychology:",
        "How long a sequence an RNN, a GRU, an LSTM or attention can remember; train them yourself.",
        6,
        ("RNN", "LSTM", "GRU", "long-range dependency"),
        ("recall",),
    ),
    PageSpec(
        "Recurrent networks",
        "inside-a-cell",
        "Inside a cell",
        "what does a network remember?",
        ":material/memory:",
        "Look into an RNN and an LSTM while they read: states, gates, and the gradient of every step.",
        10,
        (
            "hidden state",
            "gate",
            "vanishing gradient",
            "backpropagation through time",
            "gradient clipping",
        ),
    ),
    PageSpec(
        "Recurrent networks",
        "inside-a-writer",
        "Inside a writer",
        "what does a unit notice?",
        ":material/neurology:",
        "Every unit of the LSTM that writes, on your text: find those that follow quotations, and hold one still.",
        8,
        ("unit", "activation", "cell state", "saliency", "occlusion"),
        renamed_in_part=(("Connectivity", "place", "connected_place"),),
    ),
    PageSpec(
        "Recurrent networks",
        "counting",
        "Learning to count",
        "can an RNN do it?",
        ":material/123:",
        "Train a small network in front of the class until it counts, then ask it what it never saw.",
        8,
        ("teacher forcing", "epoch", "generalisation"),
    ),
    PageSpec(
        "Recurrent networks",
        "sequence-models",
        "Sequence models",
        "what goes in, what comes out?",
        ":material/swap_horiz:",
        "A word from a vector, a class from a sentence, a word from a word: three networks, live.",
        8,
        ("encoder", "decoder", "bottleneck", "seq2seq"),
        ("in-and-out",),
    ),
    PageSpec(
        "Attention",
        "encoder-decoder",
        "Encoder-decoder",
        "can one vector hold a sentence?",
        ":material/translate:",
        "Translate your sentence with one context vector and with attention; make it longer until words are invented.",
        8,
        ("machine translation", "context vector", "BLEU", "scheduled sampling"),
    ),
    PageSpec(
        "Attention",
        "attention",
        "Attention heads",
        "where does it look?",
        ":material/visibility:",
        "Every head of a transformer on your sentence; mask it, ablate it, see what changes.",
        5,
        ("transformer", "attention head", "causal mask", "query, key, value", "attention weight"),
        renamed=(("training_step", "snapshot"),),
    ),
    PageSpec(
        "Attention",
        "transformer-block",
        "One block, end to end",
        "how does a token become the next one?",
        ":material/view_column:",
        "Every number from your sentence to the next token: what the model would say at each stage, and who says it.",
        10,
        (
            "transformer block",
            "residual stream",
            "feed-forward network",
            "layer norm",
            "logit lens",
            "direct attribution",
            "rank collapse",
        ),
    ),
    PageSpec(
        "Attention",
        "cross-attention",
        "Cross-attention",
        "who looks at whom?",
        ":material/compare_arrows:",
        "Your sentence in French, word by word: where each word looks, what else was possible, and a beam search.",
        8,
        ("cross-attention", "alignment", "length penalty", "greedy decoding"),
    ),
    PageSpec(
        "Attention",
        "attention-by-hand",
        "Attention by hand",
        "can you follow every number?",
        ":material/calculate:",
        "Check a printed softmax, type small matrices, drag a query, and count what heads cost.",
        8,
        ("softmax", "scaled dot product", "multi-head attention"),
    ),
    PageSpec(
        "Attention",
        "positional-encoding",
        "Positional encoding",
        "how does it know where a word is?",
        ":material/pin:",
        "Equal words distinguished or not; waves, digits, rotations, buckets and slopes side by side.",
        8,
        ("sinusoidal encoding", "RoPE", "ALiBi", "relative position"),
        ("positions",),
        renamed_in_part=(("Shift as rotation", "base", "clock_base"),),
        opened_on=FormerOpening(
            "part", "Shift as rotation", ("shift", "pair", "position", "clock_base", "base")
        ),
    ),
    PageSpec(
        "Attention",
        "ablations",
        "Ablations",
        "what if we leave a part out?",
        ":material/extension_off:",
        "Transformers trained without mask, residual, norm, positions or heads: losses, gradients, texts.",
        7,
        ("residual connection", "layer normalisation", "training loss"),
        ("without",),
        opened_on=FormerOpening(
            "ablation", "Mask", ("loss", "models_mask", "snapshot", "prompt", "seed")
        ),
    ),
    PageSpec(
        "Attention",
        "attention-cost",
        "Cost of attention",
        "what does length cost?",
        ":material/timer:",
        "Time and memory of four kinds of attention by length, measured on this server; the key-value cache.",
        6,
        ("FlashAttention", "key-value cache", "linear attention", "quadratic cost"),
        ("cost-of-attention",),
    ),
    PageSpec(
        "Generation",
        "war-and-peace",
        "Sampling War and Peace",
        "what comes next?",
        ":material/edit_note:",
        "A network that has read War and Peace continues your text; see every probability.",
        5,
        ("temperature", "top-k", "top-p", "perplexity", "beam search", "language model"),
        renamed=(("training_step", "snapshot"),),
    ),
    PageSpec(
        "Generation",
        "surprisal",
        "Surprisal",
        "how surprised is it?",
        ":material/priority_high:",
        "Any text, tinted by how much a model expected it: by probability or rank, two models side by side.",
        6,
        ("rank", "bits per character", "entropy", "GLTR"),
    ),
    PageSpec(
        "Pretraining",
        "masked-language-model",
        "BERT",
        "fill the gap",
        ":material/format_ink_highlighter:",
        "Cover any word of a sentence: left side alone against both sides, several gaps, 80/10/10, Gibbs sampling.",
        10,
        (
            "masked language model",
            "pseudo-log-likelihood",
            "whole-word masking",
            "Gibbs sampling",
            "encoder",
            "bidirectional",
            "pretraining",
        ),
    ),
    PageSpec(
        "Pretraining",
        "fine-tuning",
        "Fine-tuning",
        "what does reading first give?",
        ":material/tune:",
        "Four tasks by number of labels: from scratch, frozen, tuned, LoRA; GPT's recipe; a model of your own labels.",
        12,
        (
            "fine-tuning",
            "transfer learning",
            "classification head",
            "frozen encoder",
            "LoRA",
            "learning curve",
            "auxiliary loss",
            "catastrophic forgetting",
            "question answering",
        ),
        opened_on=FormerOpening("part", "Learning curves", ("labelled_task", "curve_measure")),
    ),
    PageSpec(
        "Pretraining",
        "reservoir-computing",
        "Reservoir computing",
        "must the recurrent weights be learned?",
        ":material/waves:",
        "A random network and a solved read-out: memory, chaos, sines and letters beside a trained RNN; started twice.",
        10,
        (
            "echo state network",
            "echo state property",
            "spectral radius",
            "leaking rate",
            "ridge regression",
            "memory capacity",
            "Mackey-Glass",
        ),
    ),
    PageSpec(
        "Pretraining",
        "preferences",
        "Preferences",
        "can we teach it what we like?",
        ":material/thumbs_up_down:",
        "Compare texts, fit a reward model, tune the model by PPO, REINFORCE, DPO or best of n; see it"
        " exploit a reward.",
        12,
        (
            "RLHF",
            "reward model",
            "Bradley-Terry model",
            "REINFORCE",
            "PPO",
            "KL penalty",
            "DPO",
            "best-of-n",
            "reward hacking",
            "LoRA",
        ),
        renamed_in_part=(
            ("Hacking", "kl_weight", "hacking_weight"),
            ("Hacking", "rule", "exploited_rule"),
        ),
        opened_on=FormerOpening("part", "Reward", ("rule", "kl_weight")),
    ),
    PageSpec(
        "Pretraining",
        "assistant",
        "From a writer to an assistant",
        "can it answer?",
        ":material/forum:",
        "Prompts with and without examples, before and after tuning; chat templates; GPT-2 from your own folder.",
        8,
        (
            "prompt",
            "few-shot prompting",
            "in-context learning",
            "instruction tuning",
            "chat template",
            "special token",
            "GPT-2",
        ),
    ),
)

LESSONS = tuple(spec for spec in PAGES if spec.minutes)
"""The pages that teach something: all but the home page and what it leads to beside them."""
