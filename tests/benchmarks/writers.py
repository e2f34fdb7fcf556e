"""What each model that writes is worth, and what it costs: `python -m tests.benchmarks.writers`.

Loss, size and hours come from the checkpoints, grammar from the shipped results; how fast it writes is
measured: one text on one thread, with all that the page keeps of each token, by processor time.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import statistics  # noqa: E402
import time  # noqa: E402

import torch  # noqa: E402

from lm_core.experiments.minimal_pairs.results import MinimalPairResults  # noqa: E402
from lm_core.generation.prompts import default_prompt  # noqa: E402
from lm_core.generation.sampling import SamplingSettings  # noqa: E402
from lm_core.generation.text_generation import TextGeneration  # noqa: E402
from lm_core.models.language_model import LanguageModel  # noqa: E402
from lm_core.text.character_vocabulary import CharacterVocabulary  # noqa: E402
from lm_core.training.checkpoints import SHIPPED, WEIGHTS_FILE, load_shipped  # noqa: E402
from lm_core.training.model_vocabulary import vocabulary_of  # noqa: E402

ROUNDS, TOKENS = 3, 200


def tokens_per_second(model: LanguageModel, vocabulary: CharacterVocabulary) -> float:
    """Return the median rate at which a text is written, by processor time."""
    prompt, rates = vocabulary.encode(default_prompt(vocabulary)), []
    for seed in range(ROUNDS):
        text = TextGeneration.begin(model, prompt, SamplingSettings(temperature=0.8), seed)
        text.write(10)
        began = time.process_time()
        text.write(TOKENS)
        rates.append(TOKENS / (time.process_time() - began))
    return statistics.median(rates)


def main() -> None:
    """Print a row for each model that the minimal pairs were put to and that is finished."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    results = MinimalPairResults.load()
    shipped = [name for name in results.models if (SHIPPED / name).is_dir()]
    parser.add_argument("models", nargs="*", default=shipped)
    torch.set_num_threads(1)
    print("| model | nats a character, B | minimal pairs | per second | parameters | MB | hours |")
    print(f"|{'---|' * 7}")
    for name in parser.parse_args().models:
        model, meta = load_shipped(name)
        if meta.snapshot_of is not None:
            continue
        vocabulary = vocabulary_of(meta)
        loss, share = meta.losses.get("B"), results.overall(name)
        cells = [
            meta.title,
            f"{loss:.4f}" if loss else "see docs/figures.md",
            f"{share.right:.1%} ± {share.standard_error:.1%}",
            f"{tokens_per_second(model, vocabulary):.0f} {vocabulary.unit}s",
            f"{meta.parameter_count:,}",
            f"{(SHIPPED / name / WEIGHTS_FILE).stat().st_size / 1e6:.1f}",
            f"{meta.seconds / 3600:.2f}",
        ]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
