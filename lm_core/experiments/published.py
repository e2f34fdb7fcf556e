"""Figures that others have published, kept apart from everything measured here.

Most are of the blog series and repository christianb93/MLLM. Where the repository's
own published weights were scored again under our protocols, that is said.
"""

from dataclasses import dataclass

SLIDES = "the lecture slides *Introduction to Modern Machine Learning*, part 2,"
"""The document that the pages on networks follow, as a sentence names it first; then: the lecture slides."""


@dataclass(frozen=True)
class ReferenceScore:
    """A loss on the validation tenth of War and Peace, measured by others or on others' weights."""

    title: str
    cold: float | None
    carried: float | None
    carried_novel_only: float | None
    """`cold`, `carried` and `carried_novel_only`: nats per character under protocols A, B and B'
    of `lm_core.training.evaluation`."""
    origin: str
    """Who measured what."""


SOURCE_LSTM = ReferenceScore(
    "Published LSTM 4 x 128",
    1.2684,
    1.2131,
    1.1570,
    "their published weights, scored again under A, B and B'; they report about 1.27 (A)",
)

WAR_AND_PEACE = (
    SOURCE_LSTM,
    ReferenceScore(
        "Published LSTM mixed with an n-gram",
        None,
        1.1387,
        1.1014,
        "0.6 of their LSTM's probability and 0.4 of a Kneser-Ney n-gram's",
    ),
    ReferenceScore(
        "n-gram, 9 characters",
        None,
        1.2177,
        1.1825,
        "interpolated modified Kneser-Ney on the same split",
    ),
)

SOURCE_TRAINING_LOSS = 1.1237
"""Of the same published weights on their training text, cold windows, without dropout: they report
1.20, with the dropout of the training."""

SOURCE_CHARACTERS = (2_852_672, 316_964)
"""Characters of War and Peace there, after the deletion of others: to train on, and for validation."""

SOURCE_EPOCHS = (1.5214, 1.3610, 1.3156, 1.2969, 1.2848, 1.2772, 1.2713)
"""Notebook warandpeace/AllInOne: validation loss after each epoch, protocol A, a run of its own."""

RECALL_LENGTHS = (4, 6, 8, 10, 12, 14, 16, 18)
RECALL_RNN = (1.0, 1.0, 0.9940, 0.9900, 0.9260, 0.8313, 0.5948, 0.5769)
RECALL_LSTM = (1.0,) * 8
"""Notebook MeasuringRNNAccuracy: share of the sequences whose last answer names the first symbol, by
length, from one run a length."""

COUNTING_LOSSES = {1: 5.032, 2: 4.265, 21: 0.109, 25: 0.0879}
"""Learning to count (notebook rnn/LearningHowToCount): mean loss in nats of some of its 25 epochs."""

WORD_NEIGHBOURS = {
    "france": (
        (("italy", 0.661), ("germany", 0.630), ("japan", 0.628), ("australia", 0.621)),
        (("italy", 0.770), ("spain", 0.699), ("germany", 0.685), ("russia", 0.650)),
    ),
    "king": (
        (("son", 0.595), ("earl", 0.591), ("archbishop", 0.573), ("pope", 0.562)),
        (("pope", 0.678), ("lord", 0.610), ("henry", 0.599), ("queen", 0.578)),
    ),
    "father": (
        (("mother", 0.766), ("son", 0.756), ("daughter", 0.746), ("wife", 0.710)),
        (("mother", 0.843), ("wife", 0.777), ("daughter", 0.774), ("brother", 0.771)),
    ),
}
"""Notebook Word2Vec: the four words of the largest cosines, first in the *context* embedding, then in
the *centre* embedding, of CBOW with 300 numbers a word, 4,056 words of WikiText-2 and seven epochs."""

WORD_VOCABULARY = 4_056
WORD_LOSSES = (5.389, 4.903, 4.777, 4.689, 4.629, 4.568, 4.486)
"""The same notebook: words with a vector, and the mean loss in nats of each epoch."""

MAKEMORE_BIGRAMS = 2.4765
"""karpathy/nn-zero-to-hero, makemore part 1: nats per letter of bigrams over all names. The saved output
has a gradient function, which counts have not: it is of the network that the notebook trains."""


@dataclass(frozen=True)
class PublishedTagger:
    """An accuracy that others report, and how far it can be compared with ours."""

    title: str
    every: float
    seen: float | None
    unseen: float | None
    """`every`, `seen` and `unseen`: shares of words with the right tag."""
    doubt: str
    """What is different, or not known."""


TAGGERS = (
    PublishedTagger(
        "Hidden Markov model, Brown corpus, universal tags",
        0.9583,
        None,
        None,
        "a project's notes; the same corpus and tags, which texts were held out is not said",
    ),
    PublishedTagger(
        "Hidden Markov model by hand, 44 tags",
        0.9696,
        0.9806,
        0.8237,
        "newspaper sentences and finer tags: 8,936 for training, 2,012 for the test",
    ),
    PublishedTagger(
        "Bidirectional LSTM with word vectors, Wall Street Journal",
        0.9740,
        None,
        None,
        "arXiv 1510.06168; newspaper text and 45 tags, so neither easier nor harder by a known amount",
    ),
)
"""Accuracies of part-of-speech taggers, none on our texts: to be read beside ours, not against them."""

MAKEMORE_MLP = {3: (2.126, 2.170), 8: (1.918, 2.027)}
"""makemore, parts 2 and 5, on names: training and validation loss in nats per letter by context size, of
networks with 10 numbers a letter and 200 hidden units; the second has batch normalisation."""

MAKEMORE_STARTS = {
    "normal": (2.1245, 2.1682),
    "small-output": (2.07, 2.13),
    "scaled": (2.0377, 2.1070),
}
"""makemore, part 3: the same by the start of the weights, after 200,000 steps of 32 examples."""


@dataclass(frozen=True)
class PublishedClassifier:
    """An accuracy that others report, and where."""

    title: str
    accuracy: float
    """Share of sentences that are judged rightly."""
    document: str


_KIM = "Kim 2014, arXiv 1408.5882; the same sentences, each tenth held out once"
SENTIMENT = (
    PublishedClassifier("Kim's CNN", 0.761, _KIM),
    PublishedClassifier("Kim's CNN + vectors", 0.815, _KIM),
)
"""Accuracies on the sentence polarity data set: of CNN-rand and of CNN-non-static."""


@dataclass(frozen=True)
class PublishedTranslator:
    """A BLEU score that others report, and how far it can be compared with ours."""

    title: str
    bleu: float
    """0 to 100."""
    doubt: str
    """What is different, or not known."""


TRANSLATORS = (
    PublishedTranslator(
        "opus-mt-tc-big-en-fr, a general translator",
        52.4,
        "its model card; the same 1,000 captions, but it did not learn from captions",
    ),
    PublishedTranslator(
        "Recurrent, without attention",
        31.1,
        "fastai's course; French questions into English, their own BLEU",
    ),
    PublishedTranslator("The same with attention", 41.3, "fastai's course, likewise"),
    PublishedTranslator("Transformer", 61.3, "fastai's course, likewise"),
    PublishedTranslator(
        "RNNenc-50, without attention",
        17.82,
        "Bahdanau, Cho and Bengio 2015; newspaper sentences of WMT'14",
    ),
    PublishedTranslator("RNNsearch-50, with attention", 26.75, "the same paper, likewise"),
)
"""BLEU of translators, English and French: the first alone was scored on our captions."""


@dataclass(frozen=True)
class GPTModel:
    """One of OpenAI's models, by the document that presented it."""

    title: str
    parameters: str
    context: str  # tokens
    read: str
    how: str  # it comes to a task
    document: str


_UNPUBLISHED = "not published"
GPT_MODELS = (
    GPTModel(
        "GPT",
        "117 million",
        "512",
        "about 7,000 books",
        "trained anew for each task",
        "Radford et al. 2018, Improving Language Understanding by Generative Pre-Training",
    ),
    GPTModel(
        "GPT-2",
        "1.5 billion",
        "1,024",
        "8 million web pages",
        "a prompt, no training for it",
        "Radford et al. 2019, Language Models are Unsupervised Multitask Learners",
    ),
    GPTModel(
        "GPT-3",
        "175 billion",
        "2,048",
        "300 billion tokens",
        "a prompt with examples",
        "Brown et al. 2020, Language Models are Few-Shot Learners",
    ),
    GPTModel(
        "GPT-4",
        _UNPUBLISHED,
        _UNPUBLISHED,
        _UNPUBLISHED,
        "a prompt, after tuning with RLHF",
        "OpenAI 2023, GPT-4 Technical Report",
    ),
)
