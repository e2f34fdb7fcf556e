"""How fast a text is written: `python -m tests.benchmarks.sampling`.

One text at a time, ours (`TextGeneration.write`, with everything that the page keeps of each character)
beside two references on the same weights:

* **plain loop**: `nn.LSTM` one character a call in inference mode, `torch.multinomial`;
* **source's loop shape**: the text so far is a list of tensors, made into one tensor again before
  each step, and the nucleus is found by sorting the probabilities and adding them up one by one.

Then 256 texts at once. Everything runs on one thread, numpy's BLAS included: the limits are set in
the environment before numpy is imported. Rates are by processor time, which is wall time on a machine
with nothing else to do. The contestants take turns, and each figure is the median of its rounds.
Speed does not depend on what a network has learned, so the weights are random.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import statistics  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402

import torch  # noqa: E402

from lm_core.generation.batch_generation import generate_batch  # noqa: E402
from lm_core.generation.sampling import SamplingSettings  # noqa: E402
from lm_core.generation.text_generation import TextGeneration  # noqa: E402
from lm_core.models.recurrent_language_model import (  # noqa: E402
    LSTMLanguageModel,
    LSTMLanguageModelConfig,
)
from lm_core.rng import generator  # noqa: E402
from tests.benchmarks.in_turn import seconds_in_turn  # noqa: E402

SIZES = {
    "4 x 128, E 32": LSTMLanguageModelConfig(70, 32, 128, 4),
    "2 x 512, E 64": LSTMLanguageModelConfig(70, 64, 512, 2),
}
PROMPT = [4, 1]
PLAIN = SamplingSettings()
NUCLEUS = SamplingSettings(temperature=0.7, top_p=0.95)


def main() -> None:
    """Measure and print the two tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="median of so many; default: 3")
    parser.add_argument("--lengths", type=int, nargs="+", default=[500, 4000])
    parser.add_argument("--texts", type=int, default=256)
    parsed = parser.parse_args()
    torch.set_num_threads(1)
    models = {name: _random_model(config) for name, config in SIZES.items()}

    print("One text, characters a second; ratio = ours / reference\n")
    print("| model | length | settings | ours | reference | ref. char/s | ratio |")
    print("|---|---|---|---|---|---|---|")
    for name, model in models.items():
        for length in parsed.lengths:
            for settings, ours, reference, theirs in _pairs(model, length, parsed.rounds):
                row = f"{ours:,.0f} | {reference} | {theirs:,.0f} | {ours / theirs:.1f}"
                print(f"| {name} | {length:,} | {settings} | {row} |", flush=True)

    print(f"\n{parsed.texts} texts of 100 characters, plain settings, characters a second in all\n")
    print("| model | float32 | bfloat16 |")
    print("|---|---|---|")
    for name, model in models.items():
        exact, rough = (
            _batch_rate(model, parsed.texts, parsed.rounds, dtype)
            for dtype in (torch.float32, torch.bfloat16)
        )
        print(f"| {name} | {exact:,.0f} | {rough:,.0f} |", flush=True)


def _pairs(
    model: LSTMLanguageModel, length: int, rounds: int
) -> list[tuple[str, float, str, float]]:
    """Return (settings, our rate, the reference's name, its rate) for each reference."""
    contestants: dict[str, Callable[[], object]] = {
        "ours plain": lambda: TextGeneration.begin(model, PROMPT, PLAIN, 0).write(length),
        "ours nucleus": lambda: TextGeneration.begin(model, PROMPT, NUCLEUS, 0).write(length),
        "plain loop": lambda: plain_loop(model, length),
        "source's loop": lambda: source_shaped_loop(model, length),
    }
    seconds = seconds_in_turn(contestants, rounds)
    rate = {name: length / s for name, s in seconds.items()}
    return [
        ("plain", rate["ours plain"], "plain loop", rate["plain loop"]),
        ("T .7, top-p .95", rate["ours nucleus"], "source's loop", rate["source's loop"]),
    ]


@torch.inference_mode()
def plain_loop(model: LSTMLanguageModel, length: int) -> list[int]:
    """Write with `nn.LSTM` as one would at first: one call and one `multinomial` a character."""
    rng, written = generator(0), []
    logits, state = model(torch.tensor([PROMPT]), model.initial_state(1))
    for _ in range(length):
        token = torch.multinomial(logits[0, -1].softmax(-1), 1, generator=rng)
        written.append(int(token))
        logits, state = model(token.unsqueeze(0), state)
    return written


@torch.inference_mode()
def source_shaped_loop(model: LSTMLanguageModel, length: int) -> list[int]:
    """Write as the source's published loop does: all of the text made into a tensor at each step."""
    rng, state = generator(0), model.initial_state(1)
    text = [torch.tensor(token) for token in PROMPT]
    state = model(torch.stack(text[:-1]).unsqueeze(0), state)[1]
    for _ in range(length):
        last = torch.stack(text)[-1:]
        logits, state = model(last.unsqueeze(0), state)
        probabilities = (logits[0, -1] / 0.7).softmax(-1)
        ranked = sorted(enumerate(probabilities), key=lambda item: item[1], reverse=True)
        nucleus, mass = [], 0.0
        for token, probability in ranked:
            nucleus.append((token, probability))
            mass += probability
            if mass > 0.95:
                break
        shares = torch.tensor([probability for _, probability in nucleus])
        chosen = int(torch.multinomial(shares, 1, generator=rng))
        text.append(torch.tensor(nucleus[chosen][0]))
    return [int(token) for token in text[len(PROMPT) :]]


def _batch_rate(model: LSTMLanguageModel, n_texts: int, rounds: int, dtype: torch.dtype) -> float:
    """Return characters a second, all texts together."""
    length, seconds = 100, []
    for _ in range(rounds + 1):
        begin = time.process_time()
        generate_batch(model, PROMPT, PLAIN, n_texts, length, generator(0), dtype=dtype)
        seconds.append(time.process_time() - begin)
    return n_texts * length / statistics.median(seconds[1:])  # the first warms up


def _random_model(config: LSTMLanguageModelConfig) -> LSTMLanguageModel:
    model = LSTMLanguageModel(config)
    model.initialise(generator(0))
    return model.eval()


if __name__ == "__main__":
    main()
