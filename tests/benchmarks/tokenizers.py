"""How fast byte-pair encoding is learned and applied: `python -m tests.benchmarks.tokenizers`.

On the whole book, ours beside Hugging Face's `tokenizers` (written in Rust) with the same rules, and
beside the loop of the textbook, which counts all pairs anew at each merge. All must come to the same
merges and the same ids, or nothing is printed.

Everything runs on one thread. Times are processor time, the contestants take turns, and each figure
is the median of the rounds. What an encoder remembers of one round it has forgotten in the next.
"""

import os

os.environ["RAYON_NUM_THREADS"] = "1"  # read when the library is imported
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import load_text
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.merges import Merge, replaced

OURS, THEIRS, NAIVE = "ours", "tokenizers", "counting anew"
Contestants = dict[str, Callable[[], Any]]


def learn_ours(text: str, n_merges: int) -> tuple[str, ...]:
    """Return the symbols that our learner comes to."""
    return BytePairTokenizer.fit(text, 256 + n_merges, minimum_count=0).symbols


def learn_theirs(text: str, n_merges: int) -> tuple[str, ...]:
    """Return the symbols that Hugging Face's trainer comes to."""
    vocabulary = trained(text, n_merges).get_vocab()
    return tuple(sorted(vocabulary, key=vocabulary.__getitem__))


def trained(text: str, n_merges: int) -> Tokenizer:
    """Return Hugging Face's tokenizer with our rules."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    vocabulary = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=256 + n_merges, initial_alphabet=vocabulary, show_progress=False
    )
    tokenizer.train_from_iterator([text], trainer)
    return tokenizer


def learn_naively(text: str, n_merges: int) -> tuple[str, ...]:
    """Return the symbols that counting all pairs anew at each merge comes to."""
    learner = BytePairTokenizer.fit("", 256).learner(text)
    pre_tokens, symbols = (
        [(list(pre_token), times) for pre_token, times in learner.pre_tokens()],
        learner.symbols,
    )
    for _ in range(n_merges):
        counts: Counter[tuple[int, int]] = Counter()
        for pre_token, times in pre_tokens:
            for pair in pairwise(pre_token):
                counts[pair] += times
        pair, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
        merge = Merge(pair, len(symbols), count)
        symbols.append(symbols[pair[0]] + symbols[pair[1]])
        pre_tokens = [(replaced(pre_token, merge), times) for pre_token, times in pre_tokens]
    return tuple(symbols)


def rounds_of(contestants: Contestants, rounds: int) -> dict[str, float]:
    """Let all take turns; return each one's median of processor seconds, if all say the same."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        results = []
        for name, contestant in contestants.items():
            work = contestant()
            begin = time.process_time()
            results.append(work())
            seconds[name].append(time.process_time() - begin)
        if any(result != results[0] for result in results):
            raise SystemExit(f"{list(contestants)} do not agree")
    return {name: statistics.median(values) for name, values in seconds.items()}


def learners(text: str, n_merges: int, names: tuple[str, ...]) -> Contestants:
    """Return learners by name; each call gives the work that is timed."""
    learn = {OURS: learn_ours, THEIRS: learn_theirs, NAIVE: learn_naively}
    return {name: lambda name=name: lambda: learn[name](text, n_merges) for name in names}


def encoders(text: str, n_merges: int) -> Contestants:
    """Return encoders of the whole text by name, new ones at each call."""
    fitted = BytePairTokenizer.fit(text, 256 + n_merges, minimum_count=0)
    file = trained(text, n_merges).to_str()

    def ours() -> Callable[[], list[int]]:
        fresh = replace(fitted)
        fresh.encode("warm")  # the tables that are made once are made before the clock runs
        return lambda: fresh.encode(text).tolist()

    def theirs() -> Callable[[], list[int]]:
        fresh = Tokenizer.from_str(file)
        return lambda: fresh.encode(text).ids

    return {OURS: ours, THEIRS: theirs}


def rows(text: str, arguments: argparse.Namespace) -> Iterator[tuple[str, dict[str, float], float]]:
    """Yield each task with the seconds of all who did it, and the megabytes that it reads."""
    size, few = len(text.encode()) / 1e6, arguments.naive_merges
    yield (
        f"learn {arguments.merges:,} merges",
        rounds_of(learners(text, arguments.merges, (OURS, THEIRS)), arguments.rounds),
        size,
    )
    names = (OURS, THEIRS, NAIVE)
    yield f"learn {few:,} merges", rounds_of(learners(text, few, names), arguments.rounds), size
    yield "encode", rounds_of(encoders(text, arguments.merges), arguments.rounds), size


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--merges", type=int, default=4_096)
    parser.add_argument(
        "--naive-merges", type=int, default=64, help="when counting anew; 4,096 take many minutes"
    )
    parser.add_argument("--rounds", type=int, default=5, help="median of so many; default: 5")
    arguments = parser.parse_args()
    text = load_text(WAR_AND_PEACE.name)
    print("| task, on the whole book | who | seconds | MB/s | time, ours = 1 |")
    print("|---|---|---|---|---|")
    for task, seconds, megabytes in rows(text, arguments):
        for name, median in seconds.items():
            ratio = median / seconds[OURS]
            print(f"| {task} | {name} | {median:.2f} | {megabytes / median:.2f} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
