"""Our word vectors beside gensim's: `python -m tests.benchmarks.embeddings`.

Both learn from the same words of the library, with the same method and settings and one thread each, a
stretch at a time in turns; speed is words of the text per second of processor time. With ``--quality``
both learn from the whole library to the end and are judged by the same word pairs, which takes about
half an hour. No training sees the pairs.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import statistics  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import replace  # noqa: E402

import numpy as np  # noqa: E402
import torch  # noqa: E402
from gensim.models import Word2Vec  # noqa: E402

from lm_core.experiments.word2vec.negative_sampling_training import (  # noqa: E402
    NegativeSamplingConfig,
    NegativeSamplingTraining,
)
from lm_core.experiments.word2vec.recipes import scores  # noqa: E402
from lm_core.models.embeddings import WordVectors  # noqa: E402
from lm_core.text.word_corpora import WORD_CORPORA, texts_of  # noqa: E402
from lm_core.text.word_vocabulary import WordVocabulary, read_words  # noqa: E402

SETTINGS = {
    "CBOW 100": NegativeSamplingConfig("cbow", thresholds=(1e-3,)),
    "skip-gram 100": NegativeSamplingConfig("skip-gram", batch=4, drawn=64),
    "CBOW 200": NegativeSamplingConfig(
        "cbow", width=200, window=8, negatives=10, epochs=15, thresholds=(1e-3,)
    ),
    "skip-gram 200": NegativeSamplingConfig(
        "skip-gram", width=200, negatives=10, epochs=15, batch=4, drawn=64
    ),
}
_SENTENCE = 1_000  # words that gensim is given at a time
_LISTS = ("WordSim-353", "SimLex-999")


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="median of so many; default: 5")
    parser.add_argument("--words", type=int, default=300_000, help="of each round")
    parser.add_argument("--quality", action="store_true", help="train to the end, and judge")
    parser.add_argument("--only", choices=SETTINGS, help="one of the settings")
    parsed = parser.parse_args()
    torch.set_num_threads(1)
    vocabulary, words = read_words(texts_of(WORD_CORPORA["library"]))
    chosen = {n: c for n, c in SETTINGS.items() if parsed.only in (None, n)}
    if parsed.quality:
        _print_quality(chosen, vocabulary, words)
    else:
        _print_speed(chosen, vocabulary, words[: parsed.words], parsed.rounds)


def _print_speed(
    settings: dict[str, NegativeSamplingConfig],
    vocabulary: WordVocabulary,
    words: np.ndarray,
    rounds: int,
) -> None:
    print("| settings | ours, words/s | gensim, words/s | ratio |\n|---|---|---|---|")
    for name, config in settings.items():
        once = replace(config, epochs=1)
        rates = {contestant: [] for contestant in (_ours, _gensims)}
        for _ in range(rounds):
            for contestant, measured in rates.items():
                measured.append(contestant(once, vocabulary, words)[1])
        ours, gensims = (statistics.median(measured) for measured in rates.values())
        print(f"| {name} | {ours:,.0f} | {gensims:,.0f} | {ours / gensims:.2f} |", flush=True)


def _print_quality(
    settings: dict[str, NegativeSamplingConfig], vocabulary: WordVocabulary, words: np.ndarray
) -> None:
    columns = [column for listed in _LISTS for column in (listed, "unknown")]
    print(f"| settings | by | {' | '.join(columns)} | words/s |\n|---|---|---|---|---|---|---|")
    for name, config in settings.items():
        for by, contestant in {"ours": _ours, "gensim": _gensims}.items():
            vectors, rate = contestant(config, vocabulary, words)
            found = scores(vectors)
            cells = [
                cell
                for listed in _LISTS
                for cell in (f"{found[listed]:.3f}", f"{found[f'{listed}, unknown']:.1%}")
            ]
            print(f"| {name} | {by} | {' | '.join(cells)} | {rate:,.0f} |", flush=True)


def _ours(
    config: NegativeSamplingConfig, vocabulary: WordVocabulary, words: np.ndarray
) -> tuple[WordVectors, float]:
    training = NegativeSamplingTraining(torch.from_numpy(words), vocabulary, config)
    return training.vectors, _rate(lambda: list(training), config, words)


def _gensims(
    config: NegativeSamplingConfig, vocabulary: WordVocabulary, words: np.ndarray
) -> tuple[WordVectors, float]:
    spelled = np.array(vocabulary.words, dtype=object)[words]
    sentences = [list(spelled[i : i + _SENTENCE]) for i in range(0, len(spelled), _SENTENCE)]
    model = Word2Vec(
        vector_size=config.width,
        window=config.window,
        negative=config.negatives,
        sample=config.thresholds[0],
        alpha=config.learning_rate,
        sg=int(config.method == "skip-gram"),
        min_count=1,
        workers=1,
        seed=config.seed,
    )
    model.build_vocab_from_freq(dict(zip(vocabulary.words, vocabulary.counts, strict=True)))

    def train() -> None:
        model.train(
            sentences, total_examples=len(sentences), total_words=len(words), epochs=config.epochs
        )

    rate = _rate(train, config, words)
    vectors = torch.from_numpy(model.wv[list(vocabulary.words)])
    return WordVectors.of(vocabulary, vectors, torch.zeros_like(vectors)), rate


def _rate(train: Callable[[], object], config: NegativeSamplingConfig, words: np.ndarray) -> float:
    """Return words read in a second of processor time."""
    begin = time.process_time()
    train()
    return config.epochs * len(words) / (time.process_time() - begin)


if __name__ == "__main__":
    main()
